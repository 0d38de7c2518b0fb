//! The derive macros of `prompt-core`.

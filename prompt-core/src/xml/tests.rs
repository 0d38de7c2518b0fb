//! Guarding as the renderer calls it.

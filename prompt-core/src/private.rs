//! Temporarily.

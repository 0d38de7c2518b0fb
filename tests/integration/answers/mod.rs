//! Typed answers: read, refused, told, forgotten.

mod cases;
mod format;
mod history;
mod reading;
mod requests;
mod streams;

//! Typed answers: read, refused, told, forgotten.

mod cases;
mod format;
mod history;
mod kinds;
mod reading;
mod refusals;
mod requests;
mod streams;

//! Task, adapter and user instructions joined into messages.

mod cases;
mod joining;
mod properties;

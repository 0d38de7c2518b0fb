//! Texts against the oracle of the language page, and what was found by it.

mod bytes;
mod fences;
mod lines;
mod made;
mod oracle;
mod typed;

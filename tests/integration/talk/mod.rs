//! Whole talks with a scripted model: the script itself, conversations that are saved after every step.

mod conversation;
mod guard;
mod replay;
mod saved;
mod script;

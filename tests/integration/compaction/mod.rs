//! Histories that shrink to recaps.

mod cases;
mod clearing;
mod costs;
mod properties;
mod rules;
mod settings;
mod shown;
mod trace;
mod tries;
mod views;
mod wire;

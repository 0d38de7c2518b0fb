//! The JSON of every provider.

mod cases;
mod round_trip;
mod rules;

//! The JSON of every provider.

mod cases;
mod door;
mod replies;
mod round_trip;
mod rules;
mod streams;

//! The JSON of every provider.

mod cases;
mod door;
mod growth;
mod replies;
mod round_trip;
mod rules;
mod streams;

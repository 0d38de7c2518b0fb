//! The JSON of every provider.

mod cases;
mod door;
mod http;
mod ids;
mod kept;
mod law;
mod replies;
mod round_trip;
mod rules;
mod servers;
mod streams;

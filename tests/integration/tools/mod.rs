//! Tool schemas, and tools as part of a text.

mod listed;
mod running;
mod schema;

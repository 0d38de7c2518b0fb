//! w
mod error;
pub use error::WireError;

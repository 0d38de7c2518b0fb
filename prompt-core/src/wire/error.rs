//! e
/// e
pub struct WireError;

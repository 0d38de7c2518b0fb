//! Schemas of tools: the names of their properties, and the check of strict mode.

mod check;
mod properties;

#[cfg(feature = "schemars")]
pub(crate) use check::is_format;
pub(crate) use check::{check, check_loose};
pub(crate) use properties::properties;
pub use properties::{change, is_property_name, pointer_step};

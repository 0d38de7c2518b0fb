//! Schemas of tools and answers: what a type says of itself, the order of properties, and the check of strict mode.

mod check;
#[cfg(feature = "schemars")]
mod order;
mod ordered;
mod properties;

#[cfg(feature = "schemars")]
pub(crate) use check::is_format;
pub(crate) use check::{check, check_loose};
#[cfg(feature = "schemars")]
pub use order::Declared;
pub use ordered::Ordered;
pub(crate) use ordered::ordered;
#[cfg(feature = "schemars")]
pub(crate) use properties::ORDER;
pub use properties::{is_property_name, pointer_step, properties};

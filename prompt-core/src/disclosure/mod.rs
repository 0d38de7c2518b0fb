//! Progressive disclosure: what the model may open, the `open_sections` tool, its calls, and the loop around them.

mod call;
mod check;
mod event;
mod expansion;
mod fault;
mod openable;
mod request;
mod turn;

pub(crate) use event::Listener;
pub use event::{ToolInvoked, ToolOutcome};
pub use expansion::{ToolError, VisibilityExpansionRequired};
pub use fault::{ToolFault, ToolValidationError};
#[cfg(feature = "tracing")]
pub(crate) use openable::DESCRIPTION;
pub(crate) use openable::{OPEN_SECTIONS, Openables, suffix};
pub use turn::TurnPlan;

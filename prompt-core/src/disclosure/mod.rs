//! Progressive disclosure: what the model may open, the `open_sections` tool, its calls, and the loop around them.

mod call;
mod check;
mod conversation;
mod event;
mod expansion;
mod fault;
mod limit;
mod openable;
mod request;
mod state;
mod turn;
mod view;

pub use conversation::Disclosure;
pub(crate) use event::Listener;
pub use event::{ToolInvoked, ToolOutcome};
pub use expansion::{ToolError, VisibilityExpansionRequired};
pub use fault::{ToolFault, ToolValidationError};
pub use limit::DisclosureError;
#[cfg(feature = "tracing")]
pub(crate) use openable::DESCRIPTION;
pub(crate) use openable::{OPEN_SECTIONS, Openables, suffix};
pub use state::{Delivery, DisclosureState};
pub use turn::TurnPlan;

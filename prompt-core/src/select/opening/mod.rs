//! What the model may open, and what becomes of its calls of `open_sections`: the judgement, the faults, the events. It
//! reads the rows of a prompt; nothing is asked, printed or changed.

mod event;
mod fault;
mod plan;
mod verdict;

pub(crate) use event::Listener;
pub use event::{ToolInvoked, ToolOutcome};
pub use fault::{
    DisclosureError, ToolError, ToolFault, ToolValidationError, VisibilityExpansionRequired,
};
pub(crate) use fault::{Named, now_shown};
pub use plan::TurnPlan;
pub(crate) use verdict::{Board, Judged, Refusal, Verdict, opened, opening_calls};

//! Progressive disclosure: what the model may open, the tool `open_sections`, its calls, and the loop around them.
//!
//! There is one judgement: from the rows of a prompt, the forms they are shown in, and the calls of a turn to what
//! becomes of them. [`RenderedPrompt`](crate::RenderedPrompt) gives it as it is; [`Disclosure`] adds a state, limits and
//! events, and renders what is sent.

mod conversation;

pub(crate) use crate::opening::ALREADY_EXPANDED;
pub use crate::opening::{
    DisclosureError, ToolError, ToolFault, ToolInvoked, ToolOutcome, ToolValidationError, TurnPlan,
    VisibilityExpansionRequired,
};
pub(crate) use conversation::refused_by_budget;
pub use conversation::{Delivery, Disclosure, DisclosureState, Plan};

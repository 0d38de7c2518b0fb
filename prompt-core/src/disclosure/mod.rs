//! Progressive disclosure: what the model may open, the tool `open_sections`, its calls, and the loop around them.
//!
//! There is one judgement: from the rows of a prompt, the forms they are shown in, and the calls of a turn to what
//! becomes of them. [`RenderedPrompt`](crate::RenderedPrompt) gives it as it is; [`Disclosure`] adds a state, limits and
//! events, and renders what is sent.

mod conversation;
mod event;
mod fault;
mod verdict;

pub use conversation::{Delivery, Disclosure, DisclosureState, Plan};
pub(crate) use event::Listener;
pub use event::{ToolInvoked, ToolOutcome};
pub use fault::{
    DisclosureError, ToolError, ToolFault, ToolValidationError, VisibilityExpansionRequired,
};
pub use verdict::TurnPlan;

use crate::print::Wording;
use crate::tool::ToolSpec;
use serde_json::json;

/// Name of the tool.
pub(crate) const OPEN_SECTIONS: &str = "open_sections";
/// Past this many openable paths the schema has no `enum`: providers limit enums. `OpenAI` allows 1000 values in all
/// enums of a schema, and past 250 values of one it limits their characters as well.
const MOST_ENUMERATED: usize = 250;

/// `open_sections`: the same bytes whatever is open.
pub(crate) fn open_sections(paths: impl Iterator<Item = String>, wording: &Wording) -> ToolSpec {
    let mut items = json!({ "type": "string" });
    let paths: Vec<String> = paths.take(MOST_ENUMERATED + 1).collect();
    if paths.len() <= MOST_ENUMERATED
        && let Some(items) = items.as_object_mut()
    {
        items.insert("enum".into(), json!(paths));
    }
    let parameters = json!({
        "type": "object",
        "properties": {
            "section_keys": {
                "type": "array",
                "description": wording.section_keys,
                "items": items,
            },
            "reason": {
                "type": "string",
                "description": wording.reason,
            },
        },
        "required": ["section_keys", "reason"],
        "additionalProperties": false,
    });
    ToolSpec::trusted(OPEN_SECTIONS, &wording.description, parameters)
}

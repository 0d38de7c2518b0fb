//! The calls in a message, whichever piece they are: one of ours, or a native one of a provider (custom tools, patches,
//! commands of a shell). Compaction, conversations and the writers of all formats find calls with it.

use super::Content;
use serde_json::Value;

/// A call of ours, or one that only `OpenAI` has a form for and that the program answers all the same.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call<'a> {
    /// Identifies the call within the conversation.
    pub id: &'a str,
    /// The tool; of a call that names none, the type of its item.
    pub name: &'a str,
    /// The item of a native call.
    pub item: Option<&'a Value>,
}

impl Call<'_> {
    /// What the model wrote in a native call: the text to a custom tool, all of any other item.
    pub fn input(&self) -> Option<Value> {
        let item = self.item?;
        let input = match item["type"].as_str()? {
            "custom" => &item["custom"]["input"],
            "custom_tool_call" => &item["input"],
            _ => return Some(item.clone()),
        };
        Some(input.as_str().unwrap_or_default().into())
    }
}

/// The call in a piece. What runs at the provider is none.
pub(super) fn call_in(piece: &Content) -> Option<Call<'_>> {
    let item = match piece {
        Content::ToolCall { id, name, .. } => {
            let item = None;
            return Some(Call { id, name, item });
        }
        Content::Native { value, .. } => value,
        _ => return None,
    };
    let text = |pointer| item.pointer(pointer)?.as_str();
    let kind = text("/type")?;
    let is_hosted = text("/environment/type") == Some("container_reference");
    let (id, name) = match kind {
        "custom" => ("/id", text("/custom/name")?),
        "custom_tool_call" => ("/call_id", text("/name")?),
        "mcp_approval_request" => ("/id", kind),
        "shell_call" if is_hosted => return None,
        "apply_patch_call" | "computer_call" | "local_shell_call" | "shell_call" => {
            ("/call_id", kind)
        }
        _ => return None,
    };
    let (id, item) = (text(id)?, Some(item));
    Some(Call { id, name, item })
}

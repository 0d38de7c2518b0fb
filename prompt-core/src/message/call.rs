//! The calls in a message, whichever piece they are: one of ours, or a native one of a provider (custom tools). Compaction,
//! conversations and the writers of all formats find calls with it.

use super::Content;

/// A call of ours, or one of `OpenAI`'s custom tools, which are answered in the same way.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    /// What the model wrote to a custom tool.
    pub(crate) input: Option<&'a str>,
}

/// The call in a piece.
pub(crate) fn call_in(piece: &Content) -> Option<Call<'_>> {
    let (value, [id, name, input]) = match piece {
        Content::ToolCall { id, name, .. } => {
            let input = None;
            return Some(Call { id, name, input });
        }
        Content::Native { value, .. } => match value.get("type")?.as_str()? {
            "custom" => (value, ["/id", "/custom/name", "/custom/input"]),
            "custom_tool_call" => (value, ["/call_id", "/name", "/input"]),
            _ => return None,
        },
        _ => return None,
    };
    let text = |pointer| value.pointer(pointer)?.as_str();
    Some(Call {
        id: text(id)?,
        name: text(name)?,
        input: Some(text(input).unwrap_or_default()),
    })
}

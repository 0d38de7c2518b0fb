//! What the model may open, and the tool with which it asks.

use crate::{
    Prompt, PromptError, ToolSpec, Visibility,
    render::record::Record,
    tree::{self, Flow},
};
use serde_json::json;
use std::collections::BTreeMap;

/// Name of the tool.
pub(crate) const OPEN_SECTIONS: &str = "open_sections";
/// Past this many openable paths the schema has no `enum`: providers limit enums.
const MOST_ENUMERATED: usize = 250;

/// A section that has a summary, whatever its visibility.
#[derive(Clone, Debug)]
pub(crate) struct Openable {
    pub(crate) path: String,
    pub(crate) state: State,
}

/// How a section stands in a rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    Closed,
    /// Inside a section that is shown as a summary: the outermost such section.
    Hidden(String),
}

/// The openable sections of a rendered prompt, and the visibility of all its sections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openables {
    pub(crate) list: Vec<Openable>,
    pub(crate) visibility: BTreeMap<String, Visibility>,
}

impl Openables {
    pub(crate) fn of(prompt: &Prompt<'_>, record: &Record) -> Result<Self, PromptError> {
        let mut openables = Self::default();
        if !record.summarised && !record.entries.iter().any(|entry| entry.has_summary) {
            return Ok(openables);
        }
        let shown =
            (0..record.entries.len()).filter_map(|index| Some((record.path(index), record.entries.get(index)?)));
        openables.visibility = shown.map(|(path, entry)| (path, entry.visibility)).collect();
        tree::visit(prompt.root, |section| {
            if section.is_openable() {
                let state = openables.state(section.path);
                openables.list.push(Openable { path: section.path.to_owned(), state });
            }
            Ok(Flow::Into)
        })?;
        Ok(openables)
    }

    fn state(&self, path: &str) -> State {
        match self.visibility.get(path) {
            Some(Visibility::Full) => return State::Open,
            Some(Visibility::Summary) => return State::Closed,
            None => {}
        }
        let ends = path.match_indices('.').map(|(at, _)| path.get(..at).unwrap_or_default());
        let closed = ends.into_iter().find(|parent| self.visibility.get(*parent) == Some(&Visibility::Summary));
        closed.map_or(State::Closed, |parent| State::Hidden(parent.to_owned()))
    }

    /// The tools of the prompt: those of the sections, then `open_sections` if a summary is shown or it is kept.
    pub(crate) fn tools(&self, record: &mut Record, keep: bool) -> Result<Vec<ToolSpec>, PromptError> {
        let mut tools: Vec<ToolSpec> = Vec::with_capacity(record.tools.len() + 1);
        for (path, tool) in record.tools.drain(..) {
            if tool.name == OPEN_SECTIONS {
                return Err(PromptError::ReservedToolName { path });
            }
            if tools.iter().any(|known| known.name == tool.name) {
                return Err(PromptError::DuplicateTool { name: tool.name, path });
            }
            tools.push(tool);
        }
        if record.summarised || (keep && !self.list.is_empty()) {
            tools.push(self.tool());
        }
        Ok(tools)
    }

    /// `open_sections`: the same bytes whatever is open.
    pub(crate) fn tool(&self) -> ToolSpec {
        let mut items = json!({ "type": "string" });
        if self.list.len() <= MOST_ENUMERATED
            && let Some(items) = items.as_object_mut()
        {
            let paths: Vec<&str> = self.list.iter().map(|openable| openable.path.as_str()).collect();
            items.insert("enum".into(), json!(paths));
        }
        let parameters = json!({
            "type": "object",
            "properties": {
                "section_keys": {
                    "type": "array",
                    "description": "Section keys to open, as shown in the summaries. Nested sections use dot notation, for example 'parent.child'.",
                    "items": items,
                },
                "reason": {
                    "type": "string",
                    "description": "Why the full text is needed, in at most 256 characters.",
                },
            },
            "required": ["section_keys", "reason"],
            "additionalProperties": false,
        });
        ToolSpec::trusted(OPEN_SECTIONS, "Expand summarized sections to view their full content.", parameters)
    }
}

/// How the model asks for the rest of a summarised section. In a tag the rule above it is left out.
pub(crate) fn suffix(path: &str, subsections: &[String], in_tag: bool) -> String {
    let rule = if in_tag { "" } else { "---\n" };
    if subsections.is_empty() {
        return format!(
            "{rule}[This section is summarized. To view full content, call `{OPEN_SECTIONS}` with key \"{path}\".]"
        );
    }
    let subsections = subsections.join(", ");
    format!(
        "{rule}[This section is summarized. Call `{OPEN_SECTIONS}` with key \"{path}\" to view full content including subsections: {subsections}.]"
    )
}

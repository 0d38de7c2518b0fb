//! What the model may open, and the tool with which it asks.

use crate::error::PromptError;
use crate::render::Prompt;
use crate::render::record::Record;
use crate::tool::ToolSpec;
use crate::tree;
use crate::tree::Flow;
use crate::visibility::Visibility;
use serde_json::json;
use std::collections::BTreeMap;

/// Name of the tool.
pub(crate) const OPEN_SECTIONS: &str = "open_sections";
/// What the tool does, for the model.
pub(crate) const DESCRIPTION: &str = "Expand summarized sections to view their full content.";
/// Past this many openable paths the schema has no `enum`: providers limit enums.
const MOST_ENUMERATED: usize = 250;

/// A section that has a summary, or is inside one that has.
#[derive(Clone, Debug)]
pub(crate) struct Openable {
    pub(crate) path: String,
    /// Whether `open_sections` may name it.
    pub(crate) has_summary: bool,
    /// As declared or overridden; a budget may show it otherwise.
    pub(crate) visibility: Visibility,
}

/// What `open_sections` is about in a rendered prompt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openables {
    /// In declaration order.
    pub(crate) list: Vec<Openable>,
    /// How the sections are shown to the model, where that is not what the text of the prompt says: what was opened
    /// travelled in the results of calls.
    pub(crate) shown: Option<BTreeMap<String, Visibility>>,
}

impl Openables {
    pub(crate) fn of(prompt: &Prompt<'_>, record: &Record) -> Result<Self, PromptError> {
        let mut openables = Self::default();
        let possible = || record.summarised || record.entries.iter().any(|entry| entry.has_summary);
        if !prompt.options.keep_tool && !possible() {
            return Ok(openables);
        }
        let overrides = prompt
            .options
            .overrides
            .filter(|overrides| !overrides.is_empty());
        // Place in the list of the outermost openable section that the walk is in.
        let mut around: Option<usize> = None;
        tree::visit(prompt.root, |section| {
            let outer = around.and_then(|outer| openables.list.get(outer));
            if !outer.is_some_and(|outer| is_below(section.path, &outer.path)) {
                around = None;
            }
            let has_summary = section.is_openable();
            if has_summary || around.is_some() {
                around = around.or(Some(openables.list.len()));
                let declared = if section.is_list() {
                    Visibility::Full
                } else {
                    section.visibility
                };
                let visibility = overrides
                    .and_then(|overrides| overrides.get(section.path))
                    .unwrap_or(declared);
                openables.list.push(Openable {
                    path: section.path.to_owned(),
                    has_summary,
                    visibility,
                });
            }
            Ok(Flow::Into)
        })?;
        Ok(openables)
    }

    /// The paths that `open_sections` may name, in declaration order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .filter(|openable| openable.has_summary)
            .map(|openable| openable.path.as_str())
    }

    /// The tools of the prompt: those of the sections, then `open_sections` if a summary is shown or it is kept.
    pub(crate) fn tools(
        &self,
        record: &mut Record,
        keep: bool,
    ) -> Result<Vec<ToolSpec>, PromptError> {
        let tools: Vec<(String, ToolSpec)> = record.tools.drain(..).collect();
        self.checked(tools, record.summarised || keep)
    }

    /// These tools, with their owners' paths, and `open_sections` if it is wanted and anything can be opened.
    pub(crate) fn checked(
        &self,
        owned: Vec<(String, ToolSpec)>,
        with_own: bool,
    ) -> Result<Vec<ToolSpec>, PromptError> {
        let mut tools: Vec<ToolSpec> = Vec::with_capacity(owned.len() + 1);
        for (path, tool) in owned {
            if tool.name() == OPEN_SECTIONS {
                return Err(PromptError::ReservedToolName { path });
            }
            if tools.iter().any(|known| known.name() == tool.name()) {
                return Err(PromptError::DuplicateTool {
                    name: tool.name().to_owned(),
                    path,
                });
            }
            tools.push(tool);
        }
        if with_own && self.paths().next().is_some() {
            tools.push(self.tool());
        }
        Ok(tools)
    }

    /// `open_sections`: the same bytes whatever is open.
    pub(crate) fn tool(&self) -> ToolSpec {
        let mut items = json!({ "type": "string" });
        let paths: Vec<&str> = self.paths().take(MOST_ENUMERATED + 1).collect();
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
        ToolSpec::trusted(OPEN_SECTIONS, DESCRIPTION, parameters)
    }
}

/// Whether `path` is a section inside the one at `outer`.
pub(crate) fn is_below(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// The paths of the sections around this one, the outermost first.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.')
        .filter_map(|(dot, _)| path.get(..dot))
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

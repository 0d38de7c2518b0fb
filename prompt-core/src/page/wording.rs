//! What the library itself says to a model, in one place, so that it can be said in another language.

use crate::messages::tool::{OPEN_SECTIONS, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The sentences that the library itself puts into a prompt: the description of `open_sections`, and the suffix of a
/// summarised section. `{key}` stands for the section's path, `{subsections}` for the keys of what is inside it.
///
/// ```
/// use prompt_core::prompt::Wording;
///
/// let mut danish = Wording::default();
/// danish.suffix = "[Kald `open_sections` med \"{key}\" for hele afsnittet.]".into();
/// assert!(danish.suffix.contains("{key}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Wording {
    /// What the tool does.
    pub description: Cow<'static, str>,
    /// What the argument `section_keys` holds.
    pub section_keys: Cow<'static, str>,
    /// What the argument `reason` holds.
    pub reason: Cow<'static, str>,
    /// The suffix of a section with nothing inside it.
    pub suffix: Cow<'static, str>,
    /// The suffix of a section with subsections.
    pub suffix_with_subsections: Cow<'static, str>,
}

/// Past this many openable paths the schema has no `enum`: providers limit enums. `OpenAI` allows 1000 values in all
/// enums of a schema, and past 250 values of one it limits their characters as well.
const MOST_ENUMERATED: usize = 250;

impl Wording {
    /// The sentences in English.
    pub(crate) const ENGLISH: Self = Self {
        description: Cow::Borrowed("Expand summarized sections to view their full content."),
        section_keys: Cow::Borrowed(
            "Section keys to open, as shown in the summaries. Nested sections use dot notation, for example 'parent.child'.",
        ),
        reason: Cow::Borrowed("Why the full text is needed, in at most 256 characters."),
        suffix: Cow::Borrowed(
            "[This section is summarized. To view full content, call `open_sections` with key \"{key}\".]",
        ),
        suffix_with_subsections: Cow::Borrowed(
            "[This section is summarized. Call `open_sections` with key \"{key}\" to view full content including subsections: {subsections}.]",
        ),
    };

    /// `open_sections`: the same bytes whatever is open.
    pub(crate) fn open_sections(&self, paths: &mut dyn Iterator<Item = String>) -> ToolSpec {
        let paths: Vec<Value> = paths.take(MOST_ENUMERATED + 1).map(Value::from).collect();
        let mut parameters = json!({
            "type": "object",
            "properties": {
                "section_keys": {
                    "type": "array",
                    "description": self.section_keys,
                    "items": { "type": "string" },
                },
                "reason": {
                    "type": "string",
                    "description": self.reason,
                },
            },
            "required": ["section_keys", "reason"],
            "additionalProperties": false,
        });
        if paths.len() <= MOST_ENUMERATED {
            parameters["properties"]["section_keys"]["items"]["enum"] = Value::Array(paths);
        }
        ToolSpec::trusted(OPEN_SECTIONS, &self.description, parameters)
    }

    /// Appends the suffix of the section whose path `write_path` writes, in which sections with these keys would appear.
    pub(crate) fn write_suffix(
        &self,
        write_path: &dyn Fn(&mut String),
        subsections: &[&str],
        out: &mut String,
    ) {
        let is_alone = subsections.is_empty();
        let words = if is_alone {
            &self.suffix
        } else {
            &self.suffix_with_subsections
        };
        let mut rest = words.as_ref();
        while let Some(at) = memchr::memchr(b'{', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            rest = if let Some(behind) = behind.strip_prefix("key}") {
                write_path(out);
                behind
            } else if let Some(behind) = behind.strip_prefix("subsections}").filter(|_| !is_alone) {
                for (index, key) in subsections.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(key);
                }
                behind
            } else {
                out.push('{');
                behind
            };
        }
        out.push_str(rest);
    }
}

impl Default for Wording {
    fn default() -> Self {
        Self::ENGLISH
    }
}

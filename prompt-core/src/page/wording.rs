//! What the library itself says to a model, in one place, so that it can be said in another language.

use crate::messages::tool::{OPEN_SECTIONS, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;

/// The sentences that the library itself puts into a prompt: the description of `open_sections`, the suffix of a
/// summarised section, and what stands around the closed items of a list. `{key}` stands for the section's path,
/// `{subsections}` for the keys of what is inside it, `{count}` for a number of items, `{keys}` for several paths.
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
    /// What stands once before the closed items of a list, which are a line each.
    pub items: Cow<'static, str>,
    /// What stands behind them where a budget left out `{count}` items of the list `{key}`.
    pub more_items: Cow<'static, str>,
    /// What `section_keys` says of `{keys}`, which the text may not show.
    pub more_keys: Cow<'static, str>,
}

/// The keys of `open_sections` that stand in its schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ToolKeys {
    /// None: the text shows them, or they are too many.
    Shown,
    /// All that can be opened.
    All(Vec<String>),
    /// Those that the text may not show.
    More(Vec<String>),
}

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
        items: Cow::Borrowed(
            "[Call `open_sections` with the keys of those that you need, to read them in full.]",
        ),
        more_items: Cow::Borrowed(
            "[And {count} more: call `open_sections` with key \"{key}\" to list all keys.]",
        ),
        more_keys: Cow::Borrowed("Also, where the text does not show them: {keys}."),
    };

    /// Whether the suffix of a section says how it is opened.
    pub(crate) fn names_key(&self) -> bool {
        [&self.suffix, &self.suffix_with_subsections]
            .iter()
            .all(|suffix| suffix.contains("{key}"))
    }

    /// Of so many items of a list that a budget left out.
    pub(crate) fn more_items(&self, count: usize, list: &str) -> String {
        let words = self.more_items.replace("{count}", &count.to_string());
        words.replace("{key}", list)
    }

    /// `open_sections`: the same bytes whatever is open.
    pub(crate) fn open_sections(&self, keys: ToolKeys) -> ToolSpec {
        let mut description = self.section_keys.to_string();
        let mut items = json!({ "type": "string" });
        match keys {
            ToolKeys::Shown => {}
            ToolKeys::All(keys) => items["enum"] = keys.into(),
            ToolKeys::More(keys) => {
                let keys = format!("'{}'", keys.join("', '"));
                description = format!("{description} {}", self.more_keys.replace("{keys}", &keys));
            }
        }
        let parameters = json!({
            "type": "object",
            "properties": {
                "section_keys": {
                    "type": "array",
                    "description": description,
                    "items": items,
                },
                "reason": {
                    "type": "string",
                    "description": self.reason,
                },
            },
            "required": ["section_keys", "reason"],
            "additionalProperties": false,
        });
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

//! The texts that were produced while a tree is worked through, by section path. A program fills it leaf by leaf, and the
//! prompt prints it in its slot.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts by section path. A prompt shows them where `{COLLECTED_CONTEXT}` stands, in declaration order, whatever the
/// order in which they came.
///
/// As JSON it is one object from paths to texts, so it can be saved after each leaf and read back to go on from there.
/// [`Prompt::next`](crate::prompt::Prompt::next) gives the first leaf that is not in it. Texts are values: they are never
/// scanned for variables or slots, and the tags of the document are guarded in them. A path that is not in the tree is
/// an error when a prompt is rendered with it.
///
/// ```
/// use prompt_core::tree::Collected;
///
/// let mut collected = Collected::default();
/// collected.insert("weather", "Calm.");
/// let saved = serde_json::to_string(&collected)?;
/// assert_eq!(serde_json::from_str::<Collected>(&saved)?, collected);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Collected {
    texts: BTreeMap<String, String>,
}

impl Collected {
    /// Keeps `text` for the section at `path`, and returns what was there before.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) -> Option<String> {
        self.texts.insert(path.into(), text.into())
    }

    /// The text of the section at `path`.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Forgets the text of the section at `path`, and returns it.
    pub fn remove(&mut self, path: &str) -> Option<String> {
        self.texts.remove(path)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Paths and texts in the order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

impl<P: Into<String>, T: Into<String>> FromIterator<(P, T)> for Collected {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(texts: I) -> Self {
        Self {
            texts: texts
                .into_iter()
                .map(|(path, text)| (path.into(), text.into()))
                .collect(),
        }
    }
}

/// How collected texts are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContextForm {
    /// The text itself.
    #[default]
    Value,
    /// Its path in braces, `{literature.summary}`, for a later substitution.
    Reference,
}

//! Markdown values: text that is parsed at run time so that its headings align with the prompt around it.

use crate::node::Text;
use crate::template;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A Markdown text as a value: its headings move to the level of the place where it is embedded, and what stands in its
/// fences is left alone. Braces in it mean nothing.
///
/// ```
/// use prompt_core::Markdown;
/// let notes = Markdown::from("# Steam\n\nLast of all.");
/// assert_eq!(notes.as_str(), "# Steam\n\nLast of all.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Markdown {
    source: String,
    text: Text,
}

impl Markdown {
    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }
}

impl From<String> for Markdown {
    fn from(source: String) -> Self {
        let text = template::markdown(&source);
        Self { source, text }
    }
}

impl From<&str> for Markdown {
    fn from(source: &str) -> Self {
        Self::from(source.to_owned())
    }
}

impl From<Markdown> for String {
    fn from(markdown: Markdown) -> Self {
        markdown.source
    }
}

impl AsRef<str> for Markdown {
    fn as_ref(&self) -> &str {
        &self.source
    }
}

impl fmt::Display for Markdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl std::str::FromStr for Markdown {
    type Err = std::convert::Infallible;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        Ok(Self::from(source))
    }
}

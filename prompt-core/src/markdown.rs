//! Markdown values: text that is parsed at run time so that its headings align with the prompt around it.

use crate::error::PromptError;
use crate::text::Text;
use prompt_syntax::{Element, Inline, InlineText, Lowering, MAX_TEXT, Options, Place, Specs};
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

    /// # Errors
    /// Beyond [`MAX_TEXT`] its headings are not known.
    pub(crate) fn printable(&self) -> Result<&Text, PromptError> {
        if self.source.len() > MAX_TEXT {
            let path = String::new();
            return Err(PromptError::TextTooLong { path });
        }
        Ok(&self.text)
    }
}

impl From<String> for Markdown {
    fn from(source: String) -> Self {
        let text = read(&source);
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

/// Markdown as a value: headings and fences count, braces and author's notes mean nothing.
fn read(source: &str) -> Text {
    if source.len() > MAX_TEXT {
        // Says that there is something; printing is refused.
        return Text::plain("..");
    }
    let options = Options {
        specs: Specs::Runtime,
        keep_notes: true,
        ..Options::new(Place::Free)
    };
    let elements = prompt_syntax::parse(source, &options).elements;
    Lowering::new(&[]).text(&elements.map(defuse)).into()
}

fn defuse(element: Element) -> Element {
    match element {
        Element::Title {
            ref conditions,
            ref metadata,
            ..
        } if !conditions.is_empty() => Element::Text {
            text: InlineText::from(element.to_string()),
            metadata: metadata.clone(),
        },
        Element::Title {
            level,
            conditions,
            text,
            metadata,
        } => Element::Title {
            level,
            conditions,
            text: plain(&text),
            metadata,
        },
        Element::Text { text, metadata } => Element::Text {
            text: plain(&text),
            metadata,
        },
        Element::Code {
            fence,
            info,
            after_info,
            text,
            close,
            metadata,
        } => Element::Code {
            fence,
            info: plain(&info),
            after_info,
            text: plain(&text),
            close,
            metadata,
        },
        slot @ Element::Slot { .. } => Element::Text {
            text: InlineText::from(slot.to_string()),
            metadata: slot.metadata().clone(),
        },
    }
}

fn plain(text: &InlineText) -> InlineText {
    InlineText::from_iter([Inline::Literal(text.to_string().into())])
}

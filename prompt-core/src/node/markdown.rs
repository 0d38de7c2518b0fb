//! Markdown values: text that is parsed at run time so that its headings align with the prompt around it.

use crate::errors::PromptError;
use prompt_syntax::{
    Element, Elements, InlineText, LineCounter, MAX_TEXT, Options, Parsed, Place, Problem, Specs,
    Text,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A Markdown text as a value: its headings move to the level of the place where it is embedded, and what stands in its
/// fences is left alone. Braces in it mean nothing.
///
/// Front matter before the text is kept apart: a prompt prints the [`body`](Self::body) alone, as a section and as a variable.
///
/// ```
/// use prompt_core::Markdown;
/// let notes = Markdown::from("# Steam\n\nLast of all.");
/// assert_eq!(notes.as_str(), "# Steam\n\nLast of all.");
///
/// let file = Markdown::from("---\ntitle: Steam\n---\n\n# Steam\n\nLast of all.");
/// assert_eq!(file.front_matter(), Some("title: Steam\n"));
/// assert_eq!(file.body(), notes.as_str());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Markdown {
    source: String,
    text: Text,
}

impl Markdown {
    /// The text as it was given, with its front matter. `AsRef<str>`, `String::from` and serde give the same; `Display` gives
    /// the [`body`](Self::body), since it is what `{name}` prints.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// The lines between the marks of its front matter. They begin with the second line of the text.
    ///
    /// Front matter is YAML between a first line `---` and a line `---` or `...`, or TOML between lines `+++`, where the first
    /// line that is neither blank nor a comment begins with a key and a colon, or a key and an equals sign. Any other `---` is
    /// a rule, and text.
    pub fn front_matter(&self) -> Option<&str> {
        prompt_syntax::front_matter(&self.source).map(|found| found.data)
    }

    /// The text behind its front matter, without the blank lines above it; all of the text where there is none.
    pub fn body(&self) -> &str {
        body(&self.source)
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// What the grammar says of it; most of that does not matter in a value.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let body = self.body();
        let above = self.source.len() - body.len();
        let (line, _) = LineCounter::new(&self.source).line_and_column(above);
        let mut problems = parse(body).problems;
        for problem in &mut problems {
            problem.line += line - 1;
        }
        problems
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
        let text = read(body(&source));
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

/// What a prompt prints: the body.
impl fmt::Display for Markdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.body())
    }
}

impl std::str::FromStr for Markdown {
    type Err = std::convert::Infallible;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        Ok(Self::from(source))
    }
}

fn body(source: &str) -> &str {
    prompt_syntax::front_matter(source).map_or(source, |found| found.body)
}

/// Markdown as a value: headings and fences count, braces and author's notes mean nothing. A fence that never closes ends
/// with the value.
fn read(source: &str) -> Text {
    if source.len() > MAX_TEXT {
        // Says that there is something; printing is refused.
        return Text::from(Elements::from_iter([Element::text(InlineText::from(".."))]));
    }
    let elements = parse(source).elements.into_iter();
    Text::from(elements.map(defused).collect::<Elements>())
}

fn parse(source: &str) -> Parsed {
    let options = Options {
        specs: Specs::Runtime,
        keep_notes: true,
        ..Options::new(Place::Free)
    };
    prompt_syntax::parse(source, &options)
}

/// Whether a text ends in a fence, so that a heading behind it would be none. (One in a quote or a list ends with that.)
pub(crate) fn ends_in_fence(text: &str) -> bool {
    let is_heading = |element: &Element| matches!(element, Element::Title { .. });
    let has_marks = text.contains("```") || text.contains("~~~");
    has_marks && {
        let parsed = parse(&format!("{text}\n\n# A"));
        !parsed.elements.all().last().is_some_and(is_heading)
    }
}

/// A text whose first heading would stand at this level.
pub(crate) fn aligned(source: &str, level: i32) -> String {
    let level = u8::try_from(level.max(1)).unwrap_or(u8::MAX);
    let elements = read(source).elements.into_owned();
    Elements::from(elements).embed_at(level).to_markdown()
}

/// What is written as a value, a condition or a slot is text.
fn defused(mut element: Element) -> Element {
    if matches!(
        element,
        Element::Title { .. } | Element::Text { .. } | Element::Code { .. }
    ) {
        // A line of code that is empty is a line.
        for text in element.inline_texts_mut() {
            *text = match text.to_string() {
                words if words.is_empty() && !text.is_empty() => InlineText::EMPTY_LINE,
                words => InlineText::from(words),
            };
        }
        return element;
    }
    Element::text(InlineText::from(element.to_string())).with_metadata(element.metadata().clone())
}

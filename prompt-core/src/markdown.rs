//! Markdown values: text that is parsed at run time so that its headings align with the prompt around it.

use crate::node::Text;

/// A Markdown text as a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markdown {
    source: String,
    text: Option<Text>,
}

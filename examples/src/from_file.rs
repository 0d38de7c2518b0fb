//! A prompt file, rendered.

use crate::command::source::{Failure, Source, Values};
use prompt_core::PromptNode;
use std::path::Path;

/// Renders the prompt in a file with these values.
///
/// # Errors
/// Every fault of the file and every variable without a value.
pub fn render(path: &Path, values: &Values) -> Result<String, Failure> {
    let source = Source::read(path)?;
    let node = source.node(Some(values))?;
    let rendered = node
        .prompt()
        .render()
        .map_err(|error| Failure::Prompt(source.name().to_owned(), error))?;
    Ok(rendered.into_string())
}

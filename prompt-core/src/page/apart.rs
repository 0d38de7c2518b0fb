//! Texts that a value prints: templates of derived code.

use super::{Format, Page, Printing};
use crate::document::Document;
use crate::node::{Headings, Output, Scope, Text};
use std::fmt;

/// Prints a text that a value is made of.
///
/// # Errors
/// What the values in it return.
pub fn template(text: &Text, scope: &dyn Scope, output: &mut Output<'_>) -> fmt::Result {
    let document = Document::of_text(text, scope);
    let format = Format::default();
    let mut page = Page::new(&document, Printing::new(&format, &[]), String::new());
    let level = match output.headings() {
        Headings::Moved(levels) => i32::from(text.base) + levels,
        Headings::From(level) => level,
    };
    page.text(document.body, level);
    if page.fault.is_some() {
        return Err(fmt::Error);
    }
    let values = page.values.iter().map(|value| value.range.clone());
    output.ranges(&page.out, values);
    Ok(())
}

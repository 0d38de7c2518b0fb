//! Texts that a value prints: templates of derived code.

use super::{
    format::Format,
    sheet::{Page, Printing},
};
use crate::document::Document;
use crate::node::{Mark, MarkKind, Output, Scope, Text};
use std::fmt;

/// Prints a text that a value is made of.
///
/// # Errors
/// What the values in it return.
pub fn template(text: &Text, scope: &dyn Scope, output: &mut Output<'_>) -> fmt::Result {
    let document = Document::of_text(text, scope, output.is_untrusted());
    let format = Format::default();
    let mut page = Page::new(&document, Printing::new(&format, &[]), String::new());
    page.text(document.body, i32::from(text.base));
    if page.fault.is_some() {
        return Err(fmt::Error);
    }
    let kind = |is_code| {
        if is_code {
            MarkKind::Code
        } else {
            MarkKind::Value
        }
    };
    let values = page.values.iter().map(|value| Mark {
        range: value.range.clone(),
        kind: kind(value.policy.in_code),
    });
    let headings = page.headings.iter().map(|range| Mark {
        range: range.clone(),
        kind: MarkKind::Heading,
    });
    let mut marks: Vec<Mark> = values.chain(headings).collect();
    marks.sort_by_key(|mark| mark.range.start);
    output.marked(&page.out, marks.into_iter());
    Ok(())
}

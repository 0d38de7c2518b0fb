//! Nodes that stand in a sentence: their text is what a value prints.

use super::{
    format::Format,
    sheet::{Page, Printing},
};
use crate::document::{Asking, Document};
use crate::node::{Embedded, MarkPlace, Output};
use std::fmt;

/// Prints the text of a node as a value. What stands in it besides values is the author's.
///
/// # Errors
/// What the values in it return.
pub(crate) fn phrase(node: Embedded<'_>, output: &mut Output<'_>) -> fmt::Result {
    let asking = Asking {
        is_untrusted: output.is_untrusted(),
        ..Asking::whole()
    };
    let document = Document::of(node, asking).map_err(|_| fmt::Error)?;
    let format = Format::default();
    let mut page = Page::new(&document, Printing::new(&format), String::new());
    page.with_values = true;
    page.text(document.body, 1);
    if document.missing.is_some() || page.fault.is_some() {
        return Err(fmt::Error);
    }
    let mut at = 0;
    for value in &page.values {
        let range = value.range.clone();
        output.literal(&page.out[at..range.start]);
        at = range.end;
        let place = MarkPlace {
            is_code: value.policy.in_code,
            tag: value.policy.place,
        };
        output.value(&page.out[range], place);
    }
    output.literal(&page.out[at..]);
    output.add_tags(document.tags(false, None));
    Ok(())
}

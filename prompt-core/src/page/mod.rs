//! Prints a document in given forms. What is shown is known before the first byte: nothing is taken back, put in or moved.
//!
//! White space: blank lines wait for the line behind them. What is gone takes those before it along where blank lines or an
//! end follow; as a part of a paragraph it leaves those before the paragraph. At both ends of a text, and of a tag, there
//! are none.

mod catalogue;
mod collected;
mod contexts;
mod finish;
mod format;
mod fragments;
mod phrase;
mod printed;
mod section;
mod sheet;
mod shown;
mod space;
mod tag;
pub(crate) mod turns;
mod value;
mod wording;

pub(crate) use contexts::Contexts;
pub(crate) use format::Format;
pub use format::{HeadingOverflow, Numbering, Style};
pub(crate) use fragments::{fragments, pieces};
pub(crate) use phrase::phrase;
pub(crate) use printed::{Frame, Printed, Short, Sourced, Span};
pub(crate) use sheet::Printing;
pub(crate) use wording::ToolKeys;
pub use wording::Wording;

use crate::document::Document;
use crate::errors::PromptError;
use crate::node::Form;
use sheet::Page;

/// Prints a document behind what stands in a buffer.
///
/// # Errors
/// What is printed and could not be asked, or is not allowed. The buffer is as it was then.
pub(crate) fn print<'a>(
    document: &Document<'a>,
    printing: Printing<'_>,
    buffer: &mut String,
) -> Result<Printed<'a>, PromptError> {
    if let Some(missing) = &document.missing {
        return Err(missing.clone());
    }
    check_summaries(document, printing)?;
    let mut page = Page::new(document, printing, std::mem::take(buffer));
    page.root();
    let start = page.start;
    let (text, printed) = page.finish();
    *buffer = text;
    let Err(error) = printed else { return printed };
    buffer.truncate(start);
    match error {
        // In which section it happened is known only where it is noted where they stand.
        PromptError::GuardViolation { path, .. } if path.is_empty() && !printing.with_spans => {
            let printing = Printing {
                with_spans: true,
                ..printing
            };
            print(document, printing, buffer)
        }
        error => Err(error),
    }
}

/// What is to be shown short has a short form.
fn check_summaries(document: &Document<'_>, printing: Printing<'_>) -> Result<(), PromptError> {
    let is_short = |id, section| printing.form(id, section) == Form::Summary;
    let mut sections = document.iter();
    let lacking =
        sections.find(|(id, section)| is_short(*id, section) && section.short_text().is_none());
    lacking.map_or(Ok(()), |(id, _)| {
        let path = document.path(Some(id));
        Err(PromptError::SummaryMissing { path })
    })
}

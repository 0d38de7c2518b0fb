//! What is to be printed, and what comes out.

use super::{ask::Memo, contexts::Contexts, look::Look, words::Words};
use crate::outline::{Outline, RowId};
use crate::show::{Form, Shown};
use std::{borrow::Cow, ops::Range};

/// What is to be printed.
#[derive(Clone, Copy)]
pub(crate) struct Job<'p, 'a> {
    pub(crate) outline: &'p Outline<'a>,
    pub(crate) shown: &'p Shown,
    pub(crate) look: &'p Look,
    pub(crate) collected: &'p Contexts,
    /// Keeps the answers of values, where a tree is printed more than once.
    pub(crate) memo: Option<&'p Memo>,
    /// Whether values decided what is shown: a budget did.
    pub(crate) reduced: bool,
    /// Whether a table of sections is wanted.
    pub(crate) with_spans: bool,
    /// Whether it is wanted which bytes are whose values.
    pub(crate) with_sources: bool,
    /// Whether the short forms are wanted of sections that are shown in full.
    pub(crate) with_summaries: bool,
}

/// What is known of a printed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrintedText<'a> {
    /// The first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    /// Sections in the order of the text, parents before children; where they were wanted.
    pub(crate) spans: Vec<Span>,
    /// The tags that were opened, where spans were wanted.
    pub(crate) tags: Vec<WrittenTag<'a>>,
    /// Where values stand and what they come from, in the order of the text; where that was wanted.
    pub(crate) sources: Vec<Sourced>,
    /// Whether a summary was shown.
    pub(crate) is_summarised: bool,
    /// What sections that are shown in full would be in their short form, with the gap before it; where that was wanted.
    pub(crate) summaries: Vec<(RowId, String)>,
}

/// Where a section was printed.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) row: RowId,
    pub(crate) title: Words,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    pub(crate) form: Form,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

/// What a variable, or a field that is a section, printed: values with the author's words around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    /// The section whose node has it; `None` for the root.
    pub(crate) row: Option<RowId>,
    /// The variable as the text names it, or the field of the section.
    pub(crate) name: String,
}

/// A tag that was opened.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTag<'a> {
    pub(crate) name: Cow<'a, str>,
    /// How many tags are open around it.
    pub(crate) depth: usize,
    /// The section it belongs to; `None` for the root.
    pub(crate) row: Option<RowId>,
}

//! Lists under conditions and loops while they are made, in the order of their markers.

use crate::{
    Each, Element, Form, If, Inline, InlineText, Metadata, Part, Str, brace::TokenKind,
    branches::own, inline_text::join, token::Token,
};
use alloc::{borrow::Cow, string::ToString, vec::Vec};
use core::ops::Range;

/// What the blocks of a text are made of.
pub(crate) struct Builder<'b, 't> {
    pub(crate) text: &'b str,
    pub(crate) tokens: &'b [Token<'t>],
    pub(crate) forms: &'b [Option<Form>],
}

impl Builder<'_, '_> {
    /// A marker as written.
    pub(crate) fn marker_text(&self, token: usize) -> &str {
        self.slice(&self.tokens[token].range)
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }
}

/// A condition or loop over blocks or pieces that is open.
pub(crate) struct Frame<T: Clone + 'static> {
    pub(crate) token: usize,
    form: Form,
    pub(crate) metadata: Metadata,
    /// The branch before the `{else}`.
    first: Option<Part<T>>,
    marker: Str,
    lead: Str,
    pub(crate) list: Vec<T>,
}

impl<T: Clone> Frame<T> {
    pub(crate) fn new(token: usize, form: Form, marker: Str, metadata: Metadata) -> Self {
        Self {
            token,
            form,
            metadata,
            first: None,
            marker,
            lead: Cow::Borrowed(""),
            // Most branches hold one thing, and a list that grows has room for four.
            list: Vec::with_capacity(1),
        }
    }

    /// The blank lines before what comes first in the branch are those of the branch.
    pub(crate) fn take_lead(&mut self, metadata: &mut Metadata) {
        if metadata.blank_lines > 0 {
            self.lead = metadata.to_string().into();
        }
        *metadata = Metadata::at(metadata.line, 0);
    }

    /// Ends the branch; `blanks` stand before the marker that ends it.
    fn part(&mut self, blanks: Str) -> Part<T> {
        let list = core::mem::take(&mut self.list);
        let lead = core::mem::take(&mut self.lead);
        let (lead, trail) = if list.is_empty() && lead.is_empty() {
            (blanks, Cow::Borrowed(""))
        } else {
            (lead, blanks)
        };
        Part {
            marker: core::mem::take(&mut self.marker),
            lead,
            list: list.into(),
            trail,
        }
    }

    pub(crate) fn branch(&mut self, marker: Str, blanks: Str) {
        let part = self.part(blanks);
        self.first = Some(part);
        self.marker = marker;
    }

    pub(crate) fn close(mut self, end: Str, blanks: Str, kind: TokenKind<'_>) -> Branches<T> {
        let last = self.part(blanks);
        let (first, otherwise) = match self.first {
            Some(first) => (first, Some(last)),
            None => (last, None),
        };
        let (form, index) = (self.form, 0);
        match kind {
            TokenKind::Each { .. } => Branches::Each(Each {
                form,
                index,
                body: first,
                otherwise,
                last: None,
                end,
            }),
            kind => Branches::If(If {
                form,
                index,
                negated: kind == TokenKind::If { negated: true },
                then: first,
                otherwise,
                end,
            }),
        }
    }
}

/// A condition or a loop.
pub(crate) enum Branches<T: Clone + 'static> {
    If(If<T>),
    Each(Each<T>),
}

impl Branches<Element> {
    pub(crate) fn element(self, metadata: Metadata) -> Element {
        match self {
            Self::If(branches) => Element::If { branches, metadata },
            Self::Each(branches) => Element::Each { branches, metadata },
        }
    }
}

/// Lists of pieces while they are made.
pub(crate) struct Nest<'n, 'b, 't> {
    builder: &'n Builder<'b, 't>,
    open: Vec<Frame<Inline>>,
    root: Vec<Inline>,
}

impl<'n, 'b, 't> Nest<'n, 'b, 't> {
    pub(crate) fn new(builder: &'n Builder<'b, 't>, pieces: usize) -> Self {
        Self {
            builder,
            open: Vec::new(),
            root: Vec::with_capacity(pieces),
        }
    }

    pub(crate) fn push(&mut self, piece: Inline) {
        let list = self.open.last_mut().map(|frame| &mut frame.list);
        join(list.unwrap_or(&mut self.root), piece);
    }

    /// Begins a line of code with blanks, or with nothing: it is there, whatever follows.
    pub(crate) fn push_line(&mut self, blanks: &str) {
        let list = self.open.last_mut().map(|frame| &mut frame.list);
        let list = list.unwrap_or(&mut self.root);
        if blanks.is_empty() && !matches!(list.last(), Some(Inline::Literal(_))) {
            list.push(Inline::Literal(Cow::Borrowed("")));
        } else {
            join(list, Inline::Literal(own(blanks)));
        }
    }

    /// A marker within a line.
    pub(crate) fn token(&mut self, token: usize) {
        let source = self.builder.marker_text(token);
        let Some(form) = self.builder.forms[token] else {
            self.push(Inline::Literal(own(source)));
            return;
        };
        match self.builder.tokens[token].kind {
            TokenKind::Else => self.branch(own(source), Cow::Borrowed("")),
            TokenKind::End => self.close(own(source), Cow::Borrowed("")),
            _ => self.open(token, form, own(source)),
        }
    }

    pub(crate) fn open(&mut self, token: usize, form: Form, marker: Str) {
        self.open
            .push(Frame::new(token, form, marker, Metadata::DEFAULT));
    }

    pub(crate) fn lead(&mut self, blanks: Str) {
        if let Some(frame) = self.open.last_mut() {
            frame.lead = blanks;
        }
    }

    pub(crate) fn branch(&mut self, marker: Str, blanks: Str) {
        if let Some(frame) = self.open.last_mut() {
            frame.branch(marker, blanks);
        }
    }

    pub(crate) fn close(&mut self, end: Str, blanks: Str) {
        let Some(frame) = self.open.pop() else {
            debug_assert!(false, "what has a form is open");
            return;
        };
        let kind = self.builder.tokens[frame.token].kind;
        self.push(match frame.close(end, blanks, kind) {
            Branches::If(branches) => Inline::If(branches),
            Branches::Each(branches) => Inline::Each(branches),
        });
    }

    /// Ends what reaches to the end of the line.
    pub(crate) fn end_line(&mut self) {
        while self
            .open
            .last()
            .is_some_and(|frame| frame.form == Form::Line)
        {
            self.close(Cow::Borrowed(""), Cow::Borrowed(""));
        }
    }

    pub(crate) fn finish(mut self) -> InlineText {
        self.end_line();
        debug_assert!(self.open.is_empty(), "what has a form has an end");
        InlineText(self.root.into())
    }
}

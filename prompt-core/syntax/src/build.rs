//! From what was found line by line to nested lists: blocks under conditions and loops, and within a text the pieces,
//! with the lines that may go.
//!
//! The text is not looked at again: everything here is decided by the pieces, their order, and the forms of the markers.

use crate::{
    Each, Element, Form, If, Inline, InlineText, Metadata, Part, Str, Target,
    condition::{Token, TokenKind},
    element::own,
    findings::Piece,
    inline_text::join,
    text_lines::text_lines,
};
use alloc::{borrow::Cow, format, string::ToString, vec::Vec};
use core::ops::Range;

/// A block before conditions and loops are put together.
#[derive(Debug)]
pub(crate) enum Block {
    /// The openers before the hashes, the place of these with their blanks, and the words.
    Title {
        level: u8,
        openers: Vec<Piece>,
        hashes: Range<usize>,
        text: Vec<Piece>,
        /// What follows the words: blanks and a closing run.
        rest: Range<usize>,
    },
    Text(Vec<Piece>),
    Code {
        fence: Str,
        info: Vec<Piece>,
        after_info: Str,
        /// `None` without any line.
        text: Option<Vec<Piece>>,
        close: Str,
    },
    Slot {
        name: Str,
        level: u8,
        indent: u16,
    },
    /// A line that holds nothing but a marker; what it is if that turns out to be text.
    Marker {
        token: usize,
        line: Range<usize>,
    },
}

/// What the blocks of a text are made of.
pub(crate) struct Builder<'b, 't> {
    pub(crate) text: &'b str,
    pub(crate) tokens: &'b [Token<'t>],
    pub(crate) forms: &'b [Option<Form>],
}

/// A condition or loop over blocks or pieces that is open.
struct Frame<T: Clone + 'static> {
    token: usize,
    form: Form,
    metadata: Metadata,
    /// The branch before the `{else}`.
    first: Option<Part<T>>,
    marker: Str,
    lead: Str,
    list: Vec<T>,
}

impl<T: Clone> Frame<T> {
    fn new(token: usize, form: Form, marker: Str, metadata: Metadata) -> Self {
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
    fn take_lead(&mut self, metadata: &mut Metadata) {
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

    fn branch(&mut self, marker: Str, blanks: Str) {
        let part = self.part(blanks);
        self.first = Some(part);
        self.marker = marker;
    }

    fn close(mut self, end: Str, blanks: Str, kind: TokenKind<'_>) -> Branches<T> {
        let last = self.part(blanks);
        let (then, otherwise) = match self.first {
            Some(first) => (first, Some(last)),
            None => (last, None),
        };
        let negated = match kind {
            TokenKind::Each { .. } => None,
            kind => Some(kind == TokenKind::If { negated: true }),
        };
        Branches::new(self.form, negated, then, otherwise, end)
    }
}

/// A condition or a loop.
pub(crate) enum Branches<T: Clone + 'static> {
    If(If<T>),
    Each(Each<T>),
}

impl<T: Clone> Branches<T> {
    /// A condition, `negated` or not, or a loop.
    pub(crate) fn new(
        form: Form,
        negated: Option<bool>,
        first: Part<T>,
        otherwise: Option<Part<T>>,
        end: Str,
    ) -> Self {
        match negated {
            None => Self::Each(Each {
                form,
                index: 0,
                body: first,
                otherwise,
                end,
            }),
            Some(negated) => Self::If(If {
                form,
                index: 0,
                negated,
                then: first,
                otherwise,
                end,
            }),
        }
    }
}

impl Branches<Element> {
    pub(crate) fn element(self, metadata: Metadata) -> Element {
        match self {
            Self::If(branches) => Element::If { branches, metadata },
            Self::Each(branches) => Element::Each { branches, metadata },
        }
    }
}

/// The lists of blocks while they are made.
#[derive(Default)]
struct Blocks {
    open: Vec<Frame<Element>>,
    root: Vec<Element>,
}

impl Blocks {
    fn push(&mut self, mut element: Element) {
        let Some(frame) = self.open.last_mut() else {
            if self.root.is_empty() {
                let metadata = element.metadata_mut();
                *metadata = Metadata::at(metadata.line, 1);
            }
            self.root.push(element);
            return;
        };
        if frame.list.is_empty() {
            frame.take_lead(element.metadata_mut());
        }
        frame.list.push(element);
    }
}

impl Builder<'_, '_> {
    /// Makes the list of the blocks, each of which has its place.
    pub(crate) fn elements(&self, flats: Vec<(Block, Metadata)>) -> Vec<Element> {
        let mut blocks = Blocks::default();
        blocks.root.reserve(flats.len());
        let mut text: Option<(Vec<Piece>, Metadata)> = None;
        for (block, metadata) in flats {
            match (self.settled(block), &mut text) {
                // Lines that looked like markers and are text belong to the run around them.
                (Block::Text(pieces), Some((before, _))) => {
                    before.push(Piece::literal(format!("\n{metadata}").into()));
                    before.extend(pieces);
                }
                (Block::Text(pieces), None) => text = Some((pieces, metadata)),
                (block, _) => {
                    self.end_text(&mut blocks, &mut text);
                    self.block(&mut blocks, block, metadata);
                }
            }
        }
        self.end_text(&mut blocks, &mut text);
        debug_assert!(blocks.open.is_empty(), "what has a form has an end");
        blocks.root
    }

    fn end_text(&self, blocks: &mut Blocks, text: &mut Option<(Vec<Piece>, Metadata)>) {
        if let Some((pieces, metadata)) = text.take() {
            let text = self.lines(&pieces, false);
            blocks.push(Element::Text { text, metadata });
        }
    }

    /// What was taken for a marker or a heading and is none is text.
    fn settled(&self, block: Block) -> Block {
        let literal = |range: &Range<usize>| Piece::literal(own(self.slice(range)));
        match block {
            Block::Marker { token, line } if self.forms[token] != Some(Form::Block) => {
                Block::Text(Vec::from([literal(&line)]))
            }
            Block::Title {
                openers,
                hashes,
                text,
                rest,
                ..
            } if !self.opens_title(&openers, &text) => {
                let mut pieces = openers;
                pieces.push(literal(&hashes));
                pieces.extend(text);
                pieces.push(literal(&rest));
                Block::Text(pieces)
            }
            block => block,
        }
    }

    /// Whether the openers before a heading hold for the whole of it: to the end of its line, or to ends that close it.
    fn opens_title(&self, openers: &[Piece], text: &[Piece]) -> bool {
        let mut ends = text.iter().rev();
        // Hashes before an end would be taken for a closing run.
        let is_end = |piece: &&Piece| matches!(piece, Piece::Token(_));
        let last = text.iter().rev().find(|piece| !is_end(piece));
        let is_closing =
            matches!(last, Some(Piece::Inline(Inline::Literal(words))) if words.ends_with('#'));
        if is_closing && text.last().as_ref().is_some_and(is_end) && !openers.is_empty() {
            return false;
        }
        openers.iter().all(|opener| {
            let Piece::Token(opener) = opener else {
                return false;
            };
            match (self.forms[*opener], self.tokens[*opener].kind.opens()) {
                (Some(Form::Line), true) => true,
                (Some(Form::Inline), true) => ends.next().is_some_and(|end| match end {
                    Piece::Token(end) => {
                        let (opener, token) = (&self.tokens[*opener], &self.tokens[*end]);
                        token.kind == TokenKind::End
                            && self.forms[*end].is_some()
                            && (opener.name, opener.path) == (token.name, token.path)
                    }
                    _ => false,
                }),
                _ => false,
            }
        })
    }

    fn block(&self, blocks: &mut Blocks, block: Block, metadata: Metadata) {
        let element = match block {
            Block::Marker { token, line } => {
                return self.marker(blocks, token, &line, metadata);
            }
            Block::Title {
                level,
                openers,
                text,
                ..
            } => self.title(level, &openers, text, metadata),
            Block::Text(_) => return,
            Block::Code {
                fence,
                info,
                after_info,
                text,
                close,
            } => Element::Code {
                fence,
                info: self.bare(&info),
                after_info,
                text: match text {
                    None => InlineText::EMPTY,
                    Some(pieces) if pieces.is_empty() => InlineText::EMPTY_LINE,
                    Some(pieces) => self.lines(&pieces, true),
                },
                close,
                metadata,
            },
            Block::Slot {
                name,
                level,
                indent,
            } => Element::Slot {
                target: Target::of(&name),
                name,
                level,
                indent,
                metadata,
            },
        };
        blocks.push(element);
    }

    /// A marker line, which opens, continues or ends blocks.
    fn marker(
        &self,
        blocks: &mut Blocks,
        token: usize,
        line: &Range<usize>,
        mut metadata: Metadata,
    ) {
        let line = own(self.slice(line));
        match (self.tokens[token].kind, blocks.open.last_mut()) {
            (TokenKind::Else, Some(frame)) => frame.branch(line, metadata.to_string().into()),
            (TokenKind::End, Some(_)) => {
                if let Some(mut frame) = blocks.open.pop() {
                    let place = core::mem::take(&mut frame.metadata);
                    let kind = self.tokens[frame.token].kind;
                    let closed = frame.close(line, metadata.to_string().into(), kind);
                    blocks.push(closed.element(place));
                }
            }
            (_, outer) => {
                if let Some(frame) = outer.filter(|frame| frame.list.is_empty()) {
                    frame.take_lead(&mut metadata);
                }
                let frame = Frame::new(token, Form::Block, line, metadata);
                blocks.open.push(frame);
            }
        }
    }

    /// A heading, in the conditions and loops before it.
    fn title(
        &self,
        level: u8,
        openers: &[Piece],
        mut text: Vec<Piece>,
        metadata: Metadata,
    ) -> Element {
        let openers = openers.iter().filter_map(|opener| match opener {
            Piece::Token(opener) => Some(*opener),
            _ => None,
        });
        let ends = openers.map(|opener| match self.forms[opener] {
            Some(Form::Inline) => (opener, text.pop()),
            _ => (opener, None),
        });
        let ends: Vec<_> = ends.collect();
        let mut element = Element::title(level, self.bare(&text));
        for (opener, end) in ends.into_iter().rev() {
            let marker = own(self.marker_text(opener));
            let mut frame = Frame::new(opener, Form::Line, marker, Metadata::DEFAULT);
            frame
                .list
                .push(element.with_metadata(Metadata::at(metadata.line, 0)));
            let end = end.map_or("", |end| self.source(&end));
            let kind = self.tokens[opener].kind;
            let closed = frame.close(own(end), Cow::Borrowed(""), kind);
            element = closed.element(Metadata::DEFAULT);
        }
        element.with_metadata(metadata)
    }

    /// Pieces of a heading or an info string, where no line goes.
    fn bare(&self, pieces: &[Piece]) -> InlineText {
        let mut nest = Nest::new(self, pieces.len());
        for piece in pieces {
            match piece {
                Piece::Inline(piece) => nest.push(piece.clone()),
                Piece::Token(token) => nest.token(*token),
                Piece::Code(_) => {}
            }
        }
        nest.finish()
    }

    /// Pieces of lines.
    fn lines(&self, pieces: &[Piece], is_code: bool) -> InlineText {
        let may_go = |piece: &Piece| match piece {
            Piece::Token(_) => true,
            Piece::Inline(Inline::Value { .. }) => !is_code,
            _ => false,
        };
        let begins_with_value = matches!(pieces.first(), Some(Piece::Inline(Inline::Value { .. })));
        if begins_with_value || pieces.iter().any(may_go) {
            text_lines(self, pieces, is_code)
        } else {
            self.bare(pieces)
        }
    }

    fn source(&self, piece: &Piece) -> &str {
        match piece {
            Piece::Token(token) => self.marker_text(*token),
            _ => "",
        }
    }

    /// A marker as written.
    pub(crate) fn marker_text(&self, token: usize) -> &str {
        self.slice(&self.tokens[token].range)
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
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

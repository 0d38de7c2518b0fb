//! From what was found line by line to nested lists: blocks under conditions and loops, and within a text the pieces,
//! with the lines that may go.
//!
//! The text is not looked at again: everything here is decided by the pieces, their order, and the forms of the markers.

use crate::{
    Element, Form, Inline, InlineText, Margins, Metadata, Str, Target,
    brace::TokenKind,
    branches::own,
    findings::Piece,
    lines::{indentation, without_closing_run},
    nest::{Builder, Frame, Nest},
    text_lines::text_lines,
};
use alloc::{borrow::Cow, format, string::ToString, vec::Vec};
use core::ops::Range;

/// A block before conditions and loops are put together.
#[derive(Debug)]
pub(crate) enum Block {
    Title(Heading),
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

/// The parts of a line that is a heading, in their order.
#[derive(Debug)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) indent: Range<usize>,
    /// The conditions and loops before the hashes.
    pub(crate) openers: Vec<Piece>,
    /// The hashes with the blanks around them.
    pub(crate) hashes: Range<usize>,
    pub(crate) text: Vec<Piece>,
    /// Blanks and a closing run.
    pub(crate) close: Range<usize>,
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
            Block::Title(heading) if !self.opens_title(&heading.openers, &heading.text) => {
                let mut pieces = Vec::from([literal(&heading.indent)]);
                pieces.extend(heading.openers);
                pieces.push(literal(&heading.hashes));
                pieces.extend(heading.text);
                pieces.push(literal(&heading.close));
                Block::Text(pieces)
            }
            block => block,
        }
    }

    /// Whether the openers before a heading hold for the whole of it: to the end of its line, or to ends that close it.
    fn opens_title(&self, openers: &[Piece], text: &[Piece]) -> bool {
        let mut ends = text.iter().rev();
        // Of `{?x}# #{/x}` no words are left.
        if let [Piece::Inline(Inline::Literal(words)), ..] = text
            && without_closing_run(words).is_empty()
        {
            return false;
        }
        // An end within the words may close an opener before the hashes: `{?x}# {/x}{?x}{/x}`.
        let mut depth = 0_usize;
        let is_nested = |piece: &Piece| {
            if let Some(token) = piece.token().filter(|token| self.forms[*token].is_some()) {
                match self.tokens[token].kind {
                    // `{?x}# A{else}# B{/x}` is two lines of text.
                    TokenKind::Else if depth == 0 => return None,
                    TokenKind::End => depth = depth.checked_sub(1)?,
                    kind if kind.opens() => depth += 1,
                    _ => {}
                }
            }
            Some(())
        };
        let openings = openers.iter().filter_map(Piece::token);
        let inner = openings.filter(|token| self.forms[*token] == Some(Form::Inline));
        let inner = inner.count();
        let words = &text[..text.len().saturating_sub(inner)];
        if words.iter().try_for_each(is_nested).is_none() {
            return false;
        }
        openers.iter().all(|opener| {
            let Some(opener) = opener.token() else {
                return false;
            };
            let closes = |end: usize| {
                let (opener, token) = (&self.tokens[opener], &self.tokens[end]);
                token.kind == TokenKind::End
                    && self.forms[end].is_some()
                    && (opener.name, opener.path) == (token.name, token.path)
            };
            match (self.forms[opener], self.tokens[opener].kind.opens()) {
                (Some(Form::Line), true) => true,
                (Some(Form::Inline), true) => {
                    ends.next().and_then(Piece::token).is_some_and(closes)
                }
                _ => false,
            }
        })
    }

    fn block(&self, blocks: &mut Blocks, block: Block, metadata: Metadata) {
        let element = match block {
            Block::Marker { token, line } => {
                return self.marker(blocks, token, &line, metadata);
            }
            Block::Title(heading) => self.title(heading, metadata),
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
    fn title(&self, heading: Heading, metadata: Metadata) -> Element {
        let mut text = heading.text;
        let openers = heading.openers.iter().filter_map(Piece::token);
        let ends = openers.map(|opener| match self.forms[opener] {
            Some(Form::Inline) => (opener, text.pop().and_then(|end| end.token())),
            _ => (opener, None),
        });
        let ends: Vec<_> = ends.collect();
        let indent = self.slice(&heading.indent);
        let (before, behind) = around_hashes(self.slice(&heading.hashes));
        let mut close = self.slice(&heading.close).to_string();
        // Before an end on the line the heading ends as before the end of the line. Hashes right behind a piece close nothing.
        let is_behind = text.len() > 1;
        if ends.iter().any(|(_, end)| end.is_some())
            && let Some(Piece::Inline(Inline::Literal(words))) = text.last_mut()
            && !(is_behind && words.starts_with('#'))
        {
            let kept = without_closing_run(words).len();
            close.insert_str(0, &words.to_mut().split_off(kept));
        }
        let mut element = Element::Title {
            level: heading.level,
            text: self.bare(&text),
            margins: Margins {
                before: own(&[indent, before].concat()),
                behind: if behind == " " {
                    Margins::USUAL.behind
                } else {
                    own(behind)
                },
                close: own(&close),
            },
            metadata: metadata.clone(),
        };
        for (index, (opener, end)) in ends.into_iter().enumerate().rev() {
            let indent = if index == 0 { indent } else { "" };
            let marker = own(&[indent, self.marker_text(opener)].concat());
            let mut frame = Frame::new(opener, Form::Line, marker, Metadata::DEFAULT);
            frame
                .list
                .push(element.with_metadata(Metadata::at(metadata.line, 0)));
            let end = end.map_or("", |end| self.marker_text(end));
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
        let is_value = |piece: &Piece| matches!(piece, Piece::Inline(Inline::Value { .. }));
        // A text of one value is its line. In code the line is there, whatever it prints.
        let has_lines = match pieces {
            [only] => is_code && is_value(only),
            [first, ..] => is_value(first) || pieces.iter().any(may_go),
            [] => false,
        };
        if has_lines {
            text_lines(self, pieces, is_code)
        } else {
            self.bare(pieces)
        }
    }
}

/// The blanks before and behind a run of hashes.
fn around_hashes(hashes: &str) -> (&str, &str) {
    let (before, rest) = hashes.split_at(indentation(hashes));
    (before, rest.trim_start_matches('#'))
}

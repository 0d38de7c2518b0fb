//! A printed text as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use super::printed::{Frame, Printed, Span};
use crate::document::{Document, SectionId};
use crate::messages::message::{CachePoint, Message, Role};
use crate::node::Policy;
use std::ops::Range;

/// A stretch of the rendered text, in order.
pub(crate) enum Piece<'p> {
    /// Bytes outside sections with a role.
    System(usize, usize),
    /// A section with a role.
    Turn(Role, &'p Span),
    /// A history.
    History(&'p [Message]),
    /// A cache point behind the last turn.
    AfterTurn(CachePoint),
    /// A cache point behind the system text so far.
    AfterBlock(CachePoint),
}

/// The messages that a printed text makes, without the histories.
pub(crate) fn own_messages(
    document: &Document<'_>,
    printed: &Printed<'_>,
    text: &str,
) -> Vec<Message> {
    let tree = Tree {
        is_below: |inner, outer| document.is_below(inner, outer),
        policy: |id| document.section(id).policy(),
        history: |id| document.section(id).messages(),
    };
    let mut pieces = pieces(&printed.spans, text.len(), &tree);
    pieces.retain(|piece| !matches!(piece, Piece::History(_)));
    messages(pieces, text, &printed.frames)
}

/// What is asked of the sections of a text.
pub(crate) struct Tree<B, P, H> {
    pub(crate) is_below: B,
    pub(crate) policy: P,
    pub(crate) history: H,
}

/// One pass over the spans, which are nested and in order. What holds nothing but messages leaves nothing of its own. `from` is where the system text goes on: a span that begins
/// before it stands in a section with a role, and is part of that message. Sections with a cache point wait until they
/// end, each with the number of turns there were when it began: those that came since stand in it.
pub(crate) fn pieces<'p, B, P, H>(
    spans: &'p [Span],
    len: usize,
    tree: &Tree<B, P, H>,
) -> Vec<Piece<'p>>
where
    B: Fn(SectionId, SectionId) -> bool,
    P: Fn(SectionId) -> Policy,
    H: Fn(SectionId) -> Option<&'p [Message]>,
{
    let mut pieces = Pieces::default();
    for (at, span) in spans.iter().enumerate() {
        pieces.end_before(span.start);
        let policy = (tree.policy)(span.section);
        let history = (tree.history)(span.section);
        if span.start >= pieces.left_out && holds_messages(&spans[at..], tree) {
            pieces.system_to(span.start);
            pieces.left_out = span.end;
        }
        let is_empty = span.end == span.start && history.is_none_or(<[Message]>::is_empty);
        if let Some(cache) = policy.cache.filter(|_| !is_empty) {
            let point = cache_point(cache);
            pieces.waiting.push((span.end, point, pieces.turns));
        }
        let is_turn = span.end > span.start && span.start >= pieces.from;
        if let Some(role) = policy.role.filter(|_| is_turn) {
            pieces.system_to(span.start);
            pieces.turn(Piece::Turn(role.into(), span));
            pieces.from = span.end;
        }
        if let Some(history) = history.filter(|history| !history.is_empty()) {
            pieces.turn(Piece::History(history));
        }
    }
    pieces.end_before(len);
    pieces.system_to(len);
    pieces.done
}

/// Whether the first of these spans is that of a section with nothing but messages in it.
fn holds_messages<'p, B, P, H>(spans: &'p [Span], tree: &Tree<B, P, H>) -> bool
where
    B: Fn(SectionId, SectionId) -> bool,
    P: Fn(SectionId) -> Policy,
    H: Fn(SectionId) -> Option<&'p [Message]>,
{
    let [outer, inside @ ..] = spans else {
        return false;
    };
    if !outer.is_wrapper || (tree.policy)(outer.section).role.is_some() {
        return false;
    }
    let (mut is_any, mut to) = (false, 0);
    let is_inside = |span: &&Span| (tree.is_below)(span.section, outer.section);
    for span in inside.iter().take_while(is_inside) {
        if let Some(history) = (tree.history)(span.section) {
            is_any |= !history.is_empty();
        } else if span.end == span.start || span.start < to {
        } else if (tree.policy)(span.section).role.is_some() {
            (is_any, to) = (true, span.end);
        } else if !span.is_wrapper {
            return false;
        }
    }
    is_any
}

#[derive(Default)]
struct Pieces<'p> {
    done: Vec<Piece<'p>>,
    from: usize,
    /// Up to here nothing is said outside of messages.
    left_out: usize,
    turns: usize,
    /// Sections with a cache point: where they end, and how many turns there were before.
    waiting: Vec<(usize, CachePoint, usize)>,
}

impl<'p> Pieces<'p> {
    fn system_to(&mut self, end: usize) {
        let start = self.from.max(self.left_out.min(end));
        if end > start {
            self.done.push(Piece::System(start, end));
        }
        self.from = self.from.max(end);
    }

    fn turn(&mut self, piece: Piece<'p>) {
        self.done.push(piece);
        self.turns += 1;
    }

    /// Sets the points of the sections that end here or before.
    fn end_before(&mut self, at: usize) {
        while let Some((end, point, turns)) = self.waiting.pop_if(|(end, ..)| *end <= at) {
            self.system_to(end);
            self.done.push(if self.turns > turns {
                Piece::AfterTurn(point)
            } else {
                Piece::AfterBlock(point)
            });
        }
    }
}

/// The bytes of `start` and `end`, `frames`, are kept as they are, where other line breaks
/// at the ends of a piece go.
pub(crate) fn messages(pieces: Vec<Piece<'_>>, text: &str, frames: &[Frame]) -> Vec<Message> {
    let mut system = System::default();
    let mut turns: Vec<Message> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::System(start, end) => system.add(text, start..end, frames),
            Piece::Turn(role, span) => {
                let words = &text[trimmed(text, span.start..span.end, frames)];
                if is_message(words) {
                    turns.push(Message::new(role, words));
                }
            }
            Piece::History(messages) => turns.extend(messages.iter().cloned()),
            Piece::AfterTurn(point) => mark(turns.last_mut(), point),
            Piece::AfterBlock(point) => system.end_block(point),
        }
    }
    let mut messages = system.done();
    messages.append(&mut turns);
    messages
}

/// Blanks and line breaks alone are no message: providers refuse them.
fn is_message(text: &str) -> bool {
    !text.trim_matches([' ', '\t', '\n']).is_empty()
}

/// A piece without the line breaks at its ends.
fn trimmed(text: &str, piece: Range<usize>, frames: &[Frame]) -> Range<usize> {
    let words = &text[piece.clone()];
    let start = piece.end - words.trim_start_matches('\n').len();
    let end = piece.start + words.trim_end_matches('\n').len();
    let first = frames.partition_point(|frame| frame.range.start < piece.start);
    let last = frames.partition_point(|frame| frame.range.end <= piece.end);
    let first = frames.get(first).map_or(start, |frame| frame.range.start);
    let last = frames[..last].last().map_or(end, |frame| frame.range.end);
    let start = start.min(first);
    start..end.max(last).max(start)
}

/// The system text: blocks, each of which may have a cache point.
#[derive(Default)]
struct System {
    blocks: Vec<Message>,
    block: String,
    /// The block is complete but for an `end` right behind it.
    point: Option<CachePoint>,
    /// What comes next stands right behind a `start`.
    is_begun: bool,
    /// The line breaks at the end of the piece before, which are left out, and only an `end` right behind them brings back.
    cut: Range<usize>,
}

impl System {
    fn add(&mut self, text: &str, piece: Range<usize>, frames: &[Frame]) {
        let range = trimmed(text, piece.clone(), frames);
        if range.is_empty() {
            return;
        }
        let first = frames.binary_search_by_key(&piece.start, |frame| frame.range.start);
        let last = frames.binary_search_by_key(&piece.end, |frame| frame.range.end);
        let is_ended = first.is_ok_and(|index| frames[index].is_end);
        let is_joined = std::mem::take(&mut self.is_begun) || is_ended;
        if !is_joined && !self.block.is_empty() {
            match self.point.take() {
                Some(point) => self.close(Some(point)),
                None => self.block.push_str("\n\n"),
            }
        }
        if is_ended && self.cut.end == piece.start {
            self.block.push_str(&text[self.cut.clone()]);
        }
        self.cut = range.end..piece.end;
        self.block.push_str(&text[range]);
        self.is_begun = last.is_ok_and(|index| !frames[index].is_end);
    }

    fn end_block(&mut self, point: CachePoint) {
        self.is_begun = false;
        if !self.block.is_empty() {
            self.point = Some(longer(self.point, point));
        }
    }

    fn close(&mut self, point: Option<CachePoint>) {
        let text = std::mem::take(&mut self.block);
        if is_message(&text) {
            self.blocks.push(Message::system(text));
        }
        if let Some(point) = point {
            mark(self.blocks.last_mut(), point);
        }
    }

    fn done(mut self) -> Vec<Message> {
        let point = self.point;
        self.close(point);
        self.blocks
    }
}

/// Of two points at one place the longer one stays.
fn mark(message: Option<&mut Message>, point: CachePoint) {
    if let Some(message) = message {
        message.cache = Some(longer(message.cache, point));
    }
}

fn longer(known: Option<CachePoint>, point: CachePoint) -> CachePoint {
    CachePoint {
        ttl: known.and_then(|known| known.ttl).max(point.ttl),
    }
}

pub(crate) fn cache_point(seconds: u32) -> CachePoint {
    CachePoint {
        ttl: (seconds > 0).then_some(seconds),
    }
}

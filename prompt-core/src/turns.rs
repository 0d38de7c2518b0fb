//! A printed text as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use crate::message::{CachePoint, Message, Role};
use crate::node::Policy;
use crate::page::{Printed, RowId, Span};
use crate::rows::Rows;

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
pub(crate) fn own_messages(rows: &Rows<'_>, printed: &Printed<'_>, text: &str) -> Vec<Message> {
    let policy = |id: RowId| rows.row(id).policy();
    messages(pieces(&printed.spans, text.len(), policy, |_| None), text)
}

/// One pass over the spans, which are nested and in order. `from` is where the system text goes on: a span that begins
/// before it stands in a section with a role, and is part of that message. Sections with a cache point wait until they
/// end, each with the number of turns there were when it began: those that came since stand in it.
pub(crate) fn pieces<'p>(
    spans: &'p [Span],
    len: usize,
    policy: impl Fn(RowId) -> Policy,
    history: impl Fn(RowId) -> Option<&'p [Message]>,
) -> Vec<Piece<'p>> {
    let mut pieces = Pieces::default();
    for span in spans {
        pieces.end_before(span.start);
        let policy = policy(span.row);
        let history = history(span.row);
        let is_empty = span.end == span.start && history.is_none_or(<[Message]>::is_empty);
        if let Some(cache) = policy.cache.filter(|_| !is_empty) {
            let point = cache_point(cache);
            pieces.waiting.push((span.end, point, pieces.turns));
        }
        let is_turn = span.end > span.start && span.start >= pieces.from;
        if let Some(role) = policy.role.filter(|_| is_turn) {
            pieces.system_to(span.start);
            pieces.turn(Piece::Turn(role, span));
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

#[derive(Default)]
struct Pieces<'p> {
    done: Vec<Piece<'p>>,
    from: usize,
    turns: usize,
    /// Sections with a cache point: where they end, and how many turns there were before.
    waiting: Vec<(usize, CachePoint, usize)>,
}

impl<'p> Pieces<'p> {
    fn system_to(&mut self, end: usize) {
        if end > self.from {
            self.done.push(Piece::System(self.from, end));
            self.from = end;
        }
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

pub(crate) fn messages(pieces: Vec<Piece<'_>>, text: &str) -> Vec<Message> {
    let slice = |start, end| text[start..end].trim_matches('\n');
    let mut system: Vec<Message> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut turns: Vec<Message> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::System(start, end) => {
                block.extend(Some(slice(start, end)).filter(|text| !text.is_empty()));
            }
            Piece::Turn(role, span) => {
                turns.push(Message::new(role, slice(span.start, span.end)));
            }
            Piece::History(messages) => turns.extend(messages.iter().cloned()),
            Piece::AfterTurn(point) => mark(turns.last_mut(), point),
            Piece::AfterBlock(point) => {
                end_block(&mut system, &mut block);
                mark(system.last_mut(), point);
            }
        }
    }
    end_block(&mut system, &mut block);
    system.append(&mut turns);
    system
}

fn end_block(system: &mut Vec<Message>, block: &mut Vec<&str>) {
    if !block.is_empty() {
        system.push(Message::system(block.join("\n\n")));
        block.clear();
    }
}

/// Of two points at one place the longer one stays.
fn mark(message: Option<&mut Message>, point: CachePoint) {
    if let Some(message) = message {
        let ttl = message.cache.and_then(|known| known.ttl).max(point.ttl);
        message.cache = Some(CachePoint { ttl });
    }
}

pub(crate) fn cache_point(seconds: u32) -> CachePoint {
    CachePoint {
        ttl: (seconds > 0).then_some(seconds),
    }
}

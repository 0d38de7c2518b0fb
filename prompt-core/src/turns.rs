//! A printed text as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use crate::message::{CachePoint, Message, Role};
use crate::node::Policy;
use crate::outline::{Outline, RowId};
use crate::print::{PrintedText, Span};

/// A stretch of the rendered text, in order.
pub(crate) enum Piece<'p> {
    /// Bytes outside sections with a role, and whether a cache point follows.
    System(usize, usize, Option<CachePoint>),
    /// A section with a role.
    Turn(Role, &'p Span, Option<CachePoint>),
    /// A history.
    History(&'p [Message]),
}

/// The messages that a printed text makes, without the histories.
pub(crate) fn own_messages(
    outline: &Outline<'_>,
    printed: &PrintedText,
    text: &str,
) -> Vec<Message> {
    let policy = |id: RowId| outline.row(id).map(|row| row.info.policy);
    messages(pieces(&printed.spans, text.len(), policy, |_| None), text)
}

pub(crate) fn pieces<'p>(
    spans: &'p [Span],
    len: usize,
    policy: impl Fn(RowId) -> Option<Policy>,
    history: impl Fn(RowId) -> Option<&'p [Message]>,
) -> Vec<Piece<'p>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for span in spans {
        let history = || history(span.row).map(Piece::History);
        let Some(policy) = policy(span.row).filter(|_| span.start >= from) else {
            // Inside a section with a role; its histories still count.
            pieces.extend(history());
            continue;
        };
        let cache = policy.cache.map(cache_point);
        if let Some(role) = policy.role.filter(|_| span.end > span.start) {
            pieces.push(Piece::System(from, span.start, None));
            pieces.push(Piece::Turn(role, span, cache));
            from = span.end;
        } else if cache.is_some() {
            pieces.push(Piece::System(from, span.end, cache));
            from = span.end;
        }
        pieces.extend(history());
    }
    pieces.push(Piece::System(from, len, None));
    pieces
}

pub(crate) fn messages(pieces: Vec<Piece<'_>>, text: &str) -> Vec<Message> {
    let slice = |start, end| text.get(start..end).unwrap_or_default().trim_matches('\n');
    let mut system: Vec<Message> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut turns: Vec<Message> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::System(start, end, cache) => {
                block.extend(Some(slice(start, end)).filter(|text| !text.is_empty()));
                if cache.is_some() {
                    end_block(&mut system, &mut block, cache);
                }
            }
            Piece::Turn(role, span, cache) => {
                let mut message = Message::new(role, slice(span.start, span.end));
                message.cache = cache;
                turns.push(message);
            }
            Piece::History(messages) => turns.extend(messages.iter().cloned()),
        }
    }
    end_block(&mut system, &mut block, None);
    system.append(&mut turns);
    system
}

pub(crate) fn end_block(
    system: &mut Vec<Message>,
    block: &mut Vec<&str>,
    cache: Option<CachePoint>,
) {
    if block.is_empty() {
        return;
    }
    let mut message = Message::system(block.join("\n\n"));
    message.cache = cache;
    system.push(message);
    block.clear();
}

pub(crate) fn cache_point(seconds: u32) -> CachePoint {
    CachePoint {
        ttl: (seconds > 0).then_some(seconds),
    }
}

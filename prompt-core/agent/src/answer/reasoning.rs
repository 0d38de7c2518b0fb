//! The tags that models put around their reasoning. What stands before a closing one is never the answer, and neither is what
//! stands behind an opening one; in a string of JSON a tag is text. The reader of whole answers and that of streams ask here.

/// Names between angle brackets, in any case.
const NAMES: [&str; 5] = ["think", "thinking", "reasoning", "thought", "scratchpad"];
/// The name between square brackets.
const SQUARE: [&str; 1] = ["THINK"];

/// A tag around reasoning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) closes: bool,
    /// In bytes.
    pub(super) length: usize,
}

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Start {
    Tag(Tag),
    /// The text ends in what may become a tag.
    Open,
    Other,
}

/// What a text begins with whose first byte is one of [`tag_bytes`].
pub(super) fn start(text: &str) -> Start {
    let (names, end): (&[&str], u8) = match text.as_bytes().first() {
        Some(b'<') => (&NAMES, b'>'),
        Some(b'[') => (&SQUARE, b']'),
        _ => return Start::Other,
    };
    let closes = text.as_bytes().get(1) == Some(&b'/');
    let from = 1 + usize::from(closes);
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    for name in names {
        let common = rest.len().min(name.len());
        if !rest[..common].eq_ignore_ascii_case(&name.as_bytes()[..common]) {
            continue;
        }
        match rest.get(name.len()) {
            None => return Start::Open,
            Some(byte) if *byte == end => {
                let length = from + name.len() + 1;
                return Start::Tag(Tag { closes, length });
            }
            Some(_) => {}
        }
    }
    Start::Other
}

/// The place of the first closing tag from a place on, and the place behind it.
pub(super) fn next_end(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += memchr::memchr2(b'<', b'[', text.as_bytes().get(at..)?)?;
        match start(text.get(at..).unwrap_or_default()) {
            Start::Tag(tag) if tag.closes => return Some((at, at + tag.length)),
            _ => at += 1,
        }
    }
}

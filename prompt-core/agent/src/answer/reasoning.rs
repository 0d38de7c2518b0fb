//! The tags that models put around their reasoning. What stands before a closing one is never the answer, and neither is what
//! stands behind an opening one; in a string of JSON a tag is text. The reader of whole answers and that of streams ask here.

/// What opens reasoning and what closes it, in any case.
const TAGS: [[&str; 2]; 12] = [
    ["<think>", "</think>"],
    ["<thinking>", "</thinking>"],
    ["<reasoning>", "</reasoning>"],
    ["<thought>", "</thought>"],
    ["<thoughts>", "</thoughts>"],
    ["<scratchpad>", "</scratchpad>"],
    ["<seed:think>", "</seed:think>"],
    ["<|thinking|>", "<|/thinking|>"],
    ["<|start_thinking|>", "<|end_thinking|>"],
    ["<|begin_of_thought|>", "<|end_of_thought|>"],
    // What is no channel of reasoning is the answer.
    [
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
    ],
    ["[THINK]", "[/THINK]"],
];

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

/// What a text begins with.
pub(super) fn start(text: &str) -> Start {
    let bytes = text.as_bytes();
    let may = |byte: &u8| matches!(byte, b'/' | b'|' | b'r' | b'R' | b's'..=b't' | b'S'..=b'T');
    if bytes.get(1).is_some_and(|byte| !may(byte)) {
        return Start::Other;
    }
    let tags = TAGS
        .iter()
        .flat_map(|[open, close]| [(open, false), (close, true)]);
    for (tag, closes) in tags {
        let common = bytes.len().min(tag.len());
        if bytes[..common].eq_ignore_ascii_case(&tag.as_bytes()[..common]) {
            let length = tag.len();
            return if common == length {
                Start::Tag(Tag { closes, length })
            } else {
                Start::Open
            };
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

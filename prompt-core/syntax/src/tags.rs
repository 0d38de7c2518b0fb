//! The names of XML tags that stand in static text. Values must not open or close these.

use crate::{
    Block, BlockKind, Inline,
    backticks::Backticks,
    lines::Line,
    name::is_tag_byte,
    scan::find,
    structure::{Shape, Structure},
};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::ops::Range;

/// Stands for a variable where its text does not matter.
const PLACEHOLDER: char = '\u{FFFC}';

/// A tag in a text.
struct Tag<'t> {
    name: &'t str,
    is_close: bool,
    /// It follows an identifier directly, as in `Vec<T>`.
    is_glued: bool,
}

/// The tag names of a text, each once, in order of first appearance. A name that only occurs glued to identifiers
/// counts if it is also closed.
pub(crate) fn tag_names(blocks: &[Block]) -> Vec<String> {
    let texts: Vec<String> = blocks.iter().filter_map(plain_text).collect();
    let mut tags = Vec::new();
    for text in &texts {
        push_tags(text, &mut tags);
    }
    let closed: BTreeSet<&str> = tags
        .iter()
        .filter(|tag| tag.is_close)
        .map(|tag| tag.name)
        .collect();
    let mut seen = BTreeSet::new();
    let counts = |tag: &&Tag<'_>| !tag.is_glued || tag.is_close || closed.contains(tag.name);
    tags.iter()
        .filter(counts)
        .filter(|tag| seen.insert(tag.name))
        .map(|tag| tag.name.into())
        .collect()
}

/// The text of a title or text block that may have tags, with placeholders for variables.
fn plain_text(block: &Block) -> Option<String> {
    let (BlockKind::Title { text, .. } | BlockKind::Text(text)) = &block.kind else {
        return None;
    };
    if !text
        .iter()
        .any(|piece| matches!(piece, Inline::Literal(text) if text.contains('<')))
    {
        return None;
    }
    let mut plain = String::new();
    for piece in text {
        match piece {
            Inline::Literal(text) | Inline::Escaped(text) => plain.push_str(text),
            Inline::Variable(_) => plain.push(PLACEHOLDER),
            Inline::Guard { .. } => {}
        }
    }
    Some(plain)
}

fn push_tags<'t>(text: &'t str, tags: &mut Vec<Tag<'t>>) {
    let mut structure = Structure::default();
    let mut paragraph: Option<Range<usize>> = None;
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next();
        let (fresh, is_code) = match structure.read(line.text) {
            Shape::Text(text) => (text.fresh, text.is_code()),
            _ => (true, false),
        };
        if fresh || is_code {
            push_paragraph_tags(text, paragraph.take().unwrap_or_default(), tags);
        }
        if !is_code {
            let start = paragraph.take().map_or(line.start, |range| range.start);
            paragraph = Some(start..line.end());
        }
    }
    push_paragraph_tags(text, paragraph.unwrap_or_default(), tags);
}

fn push_paragraph_tags<'t>(text: &'t str, range: Range<usize>, tags: &mut Vec<Tag<'t>>) {
    let backticks = Backticks::find(text, range.clone());
    let mut at = range.start;
    while let Some(found) = find(text, at..range.end, [b'<', b'`']) {
        if text.as_bytes().get(found) == Some(&b'`') {
            at = backticks
                .span(text, found, at)
                .map_or_else(|end| end, |(_, end)| end);
            continue;
        }
        let before = text
            .get(..found)
            .and_then(|before| before.chars().next_back());
        let is_glued =
            before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ':'));
        tags.extend(
            text.get(found + 1..range.end)
                .and_then(|rest| tag(rest, is_glued)),
        );
        at = found + 1;
    }
}

/// The tag that follows a `<`, if its `>` comes before the next `<`.
fn tag(text: &str, is_glued: bool) -> Option<Tag<'_>> {
    let content = text.strip_prefix('/').unwrap_or(text);
    let is_close = content.len() < text.len();
    content
        .bytes()
        .next()
        .filter(|&first| first.is_ascii_alphabetic() || first == b'_')?;
    let length = content
        .bytes()
        .take_while(|&byte| is_tag_byte(byte))
        .count();
    let (name, mut rest) = content.split_at_checked(length)?;
    loop {
        let after = rest.trim_start();
        let end = after.strip_prefix('/').unwrap_or(after);
        if end.starts_with('>') {
            return Some(Tag {
                name,
                is_close,
                is_glued,
            });
        }
        if after.len() == rest.len() {
            return None;
        }
        rest = after_attribute(after)?;
    }
}

/// What follows `name="value"`.
fn after_attribute(text: &str) -> Option<&str> {
    let name = text
        .bytes()
        .take_while(|&byte| is_tag_byte(byte) || byte == b':')
        .count();
    let value = text
        .get(name..)
        .filter(|_| name > 0)?
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    if value.starts_with(PLACEHOLDER) {
        return value.strip_prefix(PLACEHOLDER);
    }
    let quote = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))?;
    let inner = value.get(1..)?;
    let end = inner.find([quote, '<'])?;
    inner.get(end..)?.strip_prefix(quote)
}

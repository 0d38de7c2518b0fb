//! From blocks back to the source text.

use crate::{Block, BlockKind, Inline};
use alloc::string::String;

/// Prints the source text of blocks.
///
/// For a text with LF line ends, empty blank lines between blocks, no author's notes, and headings written with one
/// blank and no closing hashes, what [`parse`](crate::parse) read comes back byte for byte. For any other text the
/// result parses into the same blocks.
///
/// ```
/// use prompt_syntax::{Options, Place, blocks_source, parse};
///
/// let text = "# Task\n\nReview the code.\n\n```rust\nfn f() {}\n```";
/// let parsed = parse(text, &Options::new(Place::Node));
/// assert_eq!(blocks_source(&parsed.blocks), text);
/// ```
#[must_use]
pub fn blocks_source(blocks: &[Block]) -> String {
    let mut source = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            source.extend(core::iter::repeat_n('\n', block.blank_lines + 1));
        }
        push_block(&mut source, &block.kind);
    }
    source
}

/// Prints the source text of inline pieces.
#[must_use]
pub fn inline_source(pieces: &[Inline]) -> String {
    let mut source = String::new();
    push_inline(&mut source, pieces);
    source
}

fn push_block(source: &mut String, kind: &BlockKind) {
    match kind {
        BlockKind::Title { level, text, .. } => {
            source.extend(core::iter::repeat_n('#', usize::from(*level)));
            source.push(' ');
            let start = source.len();
            push_inline(source, text);
            // What looks like a closing run would be dropped by the next reader; another one keeps it.
            let text = source.get(start..).unwrap_or_default();
            let open = text.trim_end_matches('#');
            if open.len() < text.len() && (open.is_empty() || open.ends_with([' ', '\t'])) {
                source.push_str(" #");
            }
        }
        BlockKind::Text(text) => push_inline(source, text),
        BlockKind::Code {
            fence,
            info,
            after_info,
            text,
            close,
        } => {
            source.push_str(fence);
            push_inline(source, info);
            source.push_str(after_info);
            if !text.is_empty() {
                source.push('\n');
                push_inline(source, text);
            }
            if !close.is_empty() {
                source.push('\n');
                source.push_str(close);
            }
        }
        BlockKind::Slot { name, indent, .. } => source.extend([indent, "{", name, "}"]),
    }
}

fn push_inline(source: &mut String, pieces: &[Inline]) {
    for piece in pieces {
        match piece {
            Inline::Literal(text) => source.push_str(text),
            Inline::Escaped(text) => source.extend(["{", text, "}"]),
            Inline::Variable(variable) => {
                source.extend(["{", &variable.name]);
                source.extend(variable.path.iter().flat_map(|field| [".", field]));
                if !variable.spec.is_empty() {
                    source.extend([":", &variable.spec]);
                }
                source.push('}');
            }
            Inline::Guard { name, negated, .. } => {
                source.extend(["{?", if *negated { "!" } else { "" }, name, "}"]);
            }
        }
    }
}

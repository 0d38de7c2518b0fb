//! From parsed blocks to elements.

use super::{Element, Elements, Inline, InlineText, Metadata};
use prompt_syntax::{Block, BlockKind};
use std::borrow::Cow;

impl Elements {
    /// The elements of a text that [`prompt_syntax::parse`] has read.
    pub fn from_blocks(blocks: &[Block]) -> Self {
        blocks
            .iter()
            .enumerate()
            .map(|(index, block)| element(block, index == 0))
            .collect()
    }
}

fn element(block: &Block, is_first: bool) -> Element {
    let blank_lines = if is_first {
        Metadata::DEFAULT.blank_lines
    } else {
        count(block.blank_lines)
    };
    let metadata = Metadata {
        line: count(block.line),
        blank_lines,
    };
    match &block.kind {
        BlockKind::Title { level, text, .. } => Element::Title {
            level: *level,
            text: inline_text(text),
            metadata,
        },
        BlockKind::Text(text) => Element::Text {
            text: inline_text(text),
            metadata,
        },
        BlockKind::Code {
            fence,
            info,
            after_info,
            text,
            close,
        } => Element::Code {
            fence: fence.clone().into(),
            info: inline_text(info),
            after_info: after_info.clone().into(),
            text: code_lines(text),
            close: close.clone().into(),
            metadata,
        },
        BlockKind::Slot {
            name,
            level,
            indent,
            ..
        } => {
            let indent = u16::try_from(columns(indent)).unwrap_or(u16::MAX);
            Element::Slot {
                name: name.clone().into(),
                level: *level,
                indent,
                metadata,
            }
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Columns of white space, with tab stops of four, as the compact form counts them.
fn columns(indent: &str) -> usize {
    indent.bytes().fold(0, |column, byte| {
        if byte == b'\t' {
            column + 4 - column % 4
        } else {
            column + 1
        }
    })
}

fn code_lines(pieces: &[prompt_syntax::Inline]) -> InlineText {
    let text = inline_text(pieces);
    if text.is_empty() && !pieces.is_empty() {
        InlineText::EMPTY_LINE
    } else {
        text
    }
}

fn inline_text(pieces: &[prompt_syntax::Inline]) -> InlineText {
    pieces.iter().map(inline).collect()
}

fn inline(piece: &prompt_syntax::Inline) -> Inline {
    use prompt_syntax::Inline as Piece;
    let own = |text: &String| Cow::Owned(text.clone());
    match piece {
        Piece::Literal(text) => Inline::Literal(own(text)),
        Piece::Escaped(text) => Inline::Escaped(own(text)),
        Piece::Variable(variable) => Inline::Variable {
            name: own(&variable.name),
            path: Cow::Owned(variable.path.join(".")),
            spec: own(&variable.spec),
        },
        Piece::Guard { name, negated, .. } => Inline::Guard {
            name: own(name),
            negated: *negated,
        },
    }
}

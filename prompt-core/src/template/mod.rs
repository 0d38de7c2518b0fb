//! Texts that are parsed at run time.

mod parsed;

pub use parsed::Template;

use crate::node::Text;
use prompt_syntax::{Block, BlockKind, Inline, Options, Place, Specs};
use std::borrow::Cow;

/// Markdown as a value: headings and fences count, braces mean nothing.
pub(crate) fn markdown(source: &str) -> Text {
    let options = Options {
        names: &[],
        sections: &[],
        place: Place::Free,
        doc_comment: false,
        allow: &[],
        specs: Specs::Runtime,
    };
    let mut blocks = prompt_syntax::parse(source, &options).blocks;
    for block in &mut blocks {
        defuse(block);
    }
    text(prompt_syntax::lower(&blocks))
}

pub(crate) fn text(lowered: prompt_syntax::Lowered) -> Text {
    Text {
        literal: Cow::Owned(lowered.literal),
        marks: Cow::Owned(lowered.marks),
        base: lowered.base,
        end: lowered.end,
    }
}

fn defuse(block: &mut Block) {
    match &mut block.kind {
        BlockKind::Title { text, optional, .. } => {
            *optional = false;
            plain(text);
        }
        BlockKind::Text(text) => plain(text),
        BlockKind::Code { info, text, .. } => {
            plain(info);
            plain(text);
        }
        BlockKind::Slot { name, indent, .. } => {
            let line = format!("{indent}{{{name}}}");
            block.kind = BlockKind::Text(vec![Inline::Literal(line)]);
        }
    }
}

fn plain(text: &mut Vec<Inline>) {
    let source = prompt_syntax::inline_source(text);
    *text = vec![Inline::Literal(source)];
}

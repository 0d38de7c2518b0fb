//! From source text to blocks, at run time and without a list of names.

use super::Elements;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use prompt_syntax::{Block, BlockKind, Inline, Options, Parsed, Place, Specs};
use std::collections::BTreeSet;

/// What was read.
pub(crate) struct Reading {
    pub(crate) blocks: Vec<Block>,
    /// What may be meant as it is: heading rules.
    pub(crate) lints: Diagnostics,
}

impl Elements {
    /// Reads a text by the grammar of derived prompts. Every name in braces is a variable; in code, and after `$`, the
    /// names that the text uses elsewhere are.
    ///
    /// # Errors
    /// Every fault of the text at once. Rules about headings that `allow` could switch off are no faults here.
    pub fn parse(source: &str) -> Result<Self, Diagnostics> {
        read(source).map(|reading| Self::from_blocks(&reading.blocks))
    }
}

/// Reads a text in which every name is a variable.
pub(crate) fn read(source: &str) -> Result<Reading, Diagnostics> {
    let Parsed { blocks, problems } = parse_free(source, Specs::Runtime);
    let (mut faults, mut lints) = (Diagnostics::default(), Diagnostics::default());
    for problem in problems {
        let list = if problem.code.is_lint() {
            &mut lints
        } else {
            &mut faults
        };
        list.push(Diagnostic::of_text(problem, "", ""));
    }
    faults.or(Reading { blocks, lints })
}

/// The names that a text uses are only known when it has been read, and only known names count in code: so a text with
/// variables is read twice.
pub(super) fn parse_free(source: &str, specs: Specs) -> Parsed {
    let options = Options {
        specs,
        ..Options::new(Place::Free)
    };
    let parsed = prompt_syntax::parse(source, &options);
    let names = names(&parsed.blocks);
    if names.is_empty() {
        return parsed;
    }
    prompt_syntax::parse(
        source,
        &Options {
            names: &names,
            ..options
        },
    )
}

/// The names of variables and guards, sorted.
pub(super) fn names(blocks: &[Block]) -> Vec<&str> {
    let pieces = blocks.iter().flat_map(|block| match &block.kind {
        BlockKind::Title { text, .. } | BlockKind::Text(text) => [text.as_slice(), &[]],
        BlockKind::Code { info, text, .. } => [info.as_slice(), text],
        BlockKind::Slot { .. } => [[].as_slice(), &[]],
    });
    let names = pieces.flatten().filter_map(|piece| match piece {
        Inline::Variable(variable) => Some(variable.name.as_str()),
        Inline::Guard { name, .. } => Some(name.as_str()),
        Inline::Literal(_) | Inline::Escaped(_) => None,
    });
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

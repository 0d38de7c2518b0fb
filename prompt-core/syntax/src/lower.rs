//! From blocks to one literal text and a table of marks.

use crate::{Block, BlockKind, Inline, Lowered, Mark, MarkKind, Variable, gaps, tags};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// Turns blocks into the form that a derive emits and a renderer walks.
///
/// The literal is what is printed, but for the marks. One text has at most 65,536 different variables and as many
/// guards: further ones are printed as they are written.
///
/// ```
/// use prompt_syntax::{MarkKind, Options, Place, lower, parse};
///
/// let options = Options { names: &["team"], ..Options::new(Place::Node) };
/// let lowered = lower(&parse("## Rules of {team}\n\n{PROMPT_SUBTREE}", &options).blocks);
/// assert_eq!(lowered.literal, "## Rules of \n\n");
/// assert_eq!(lowered.variables[0].name, "team");
/// assert!(matches!(lowered.marks[0].kind, MarkKind::Title { level: 2, optional: true, len: 12, marks: 1, .. }));
/// assert!(matches!((lowered.marks[1].at, lowered.marks[1].kind), (12, MarkKind::Variable(0))));
/// assert!(matches!((lowered.marks[2].at, lowered.marks[2].kind), (12, MarkKind::Gap { len: 2 })));
/// assert!(matches!((lowered.marks[3].at, lowered.marks[3].kind), (14, MarkKind::Slot { level: 3, .. })));
/// ```
#[must_use]
pub fn lower(blocks: &[Block]) -> Lowered {
    let mut lowering = Lowering::default();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            lowering
                .literal
                .extend(core::iter::repeat_n('\n', block.blank_lines + 1));
        }
        lowering.push(block);
    }
    let Lowering {
        literal,
        marks,
        variables,
        guards,
        ..
    } = lowering;
    let marks = gaps::complete(&literal, marks);
    let levels = blocks.iter().filter_map(|block| match block.kind {
        BlockKind::Title { level, .. } | BlockKind::Slot { level, .. } => Some(level),
        _ => None,
    });
    let last = blocks.iter().rev().find_map(|block| match block.kind {
        BlockKind::Title { level, .. } => Some(level),
        _ => None,
    });
    Lowered {
        literal,
        marks,
        variables,
        guards,
        base: levels.min().unwrap_or(1),
        end: last.map_or(1, |level| level.saturating_add(1)),
        tags: tags::tag_names(blocks),
    }
}

#[derive(Default)]
struct Lowering<'b> {
    literal: String,
    marks: Vec<Mark>,
    variables: Vec<Variable>,
    variable_indices: BTreeMap<(&'b str, &'b [String], &'b str), u16>,
    guards: Vec<String>,
    guard_indices: BTreeMap<&'b str, u16>,
}

impl<'b> Lowering<'b> {
    fn push(&mut self, block: &'b Block) {
        let line = narrow(block.line);
        match &block.kind {
            BlockKind::Title {
                level,
                text,
                optional,
            } => self.push_title(line, *level, text, *optional),
            BlockKind::Text(text) => {
                self.mark(MarkKind::Text { line });
                self.push_inline(text);
            }
            BlockKind::Code {
                fence,
                info,
                after_info,
                text,
                close,
            } => {
                let marks = fence.trim_matches([' ', '\t']).len();
                let indent = fence.bytes().take_while(|&byte| byte == b' ').count();
                let indent = u8::try_from(indent).unwrap_or(u8::MAX);
                self.mark(MarkKind::Code {
                    line,
                    indent,
                    fence: narrow(marks),
                });
                self.literal.push_str(fence);
                self.push_inline(info);
                self.literal.push_str(after_info);
                if !text.is_empty() {
                    self.literal.push('\n');
                    self.push_inline(text);
                }
                if !close.is_empty() {
                    self.literal.push('\n');
                }
                self.mark(MarkKind::CodeEnd {
                    len: narrow(close.len()),
                });
                self.literal.push_str(close);
            }
            BlockKind::Slot {
                level,
                indent,
                target,
                ..
            } => {
                let indent = u16::try_from(columns(indent)).unwrap_or(u16::MAX);
                self.mark(MarkKind::Slot {
                    target: *target,
                    line,
                    level: *level,
                    indent,
                });
            }
        }
    }

    fn push_title(&mut self, line: u32, level: u8, text: &'b [Inline], optional: bool) {
        let (at, index) = (self.literal.len(), self.marks.len());
        self.mark(MarkKind::Title {
            line,
            level,
            optional,
            len: 0,
            marks: 0,
        });
        self.literal
            .extend(core::iter::repeat_n('#', usize::from(level)));
        self.literal.push(' ');
        self.push_inline(text);
        let len = narrow(self.literal.len() - at);
        let marks = u16::try_from(self.marks.len() - index - 1).unwrap_or(u16::MAX);
        if let Some(mark) = self.marks.get_mut(index) {
            mark.kind = MarkKind::Title {
                line,
                level,
                optional,
                len,
                marks,
            };
        }
    }

    fn push_inline(&mut self, pieces: &'b [Inline]) {
        for piece in pieces {
            match piece {
                Inline::Literal(text) => self.literal.push_str(text),
                Inline::Escaped(text) => {
                    self.mark(MarkKind::Escape {
                        len: narrow(text.len()),
                    });
                    self.literal.push_str(text);
                }
                Inline::Variable(variable) => match self.variable(variable) {
                    Some(index) => self.mark(MarkKind::Variable(index)),
                    None => self
                        .literal
                        .push_str(&crate::inline_source(core::slice::from_ref(piece))),
                },
                Inline::Guard { name, negated, .. } => match self.guard(name) {
                    Some(guard) => {
                        self.mark(MarkKind::Guard {
                            guard,
                            negated: *negated,
                            len: 0,
                            offset: 0,
                            marks: 0,
                        });
                    }
                    None => self
                        .literal
                        .push_str(&crate::inline_source(core::slice::from_ref(piece))),
                },
            }
        }
    }

    fn mark(&mut self, kind: MarkKind) {
        self.marks.push(Mark {
            at: narrow(self.literal.len()),
            kind,
        });
    }

    fn variable(&mut self, variable: &'b Variable) -> Option<u16> {
        let key = (&*variable.name, &*variable.path, &*variable.spec);
        if let Some(&index) = self.variable_indices.get(&key) {
            return Some(index);
        }
        let index = u16::try_from(self.variables.len()).ok()?;
        self.variable_indices.insert(key, index);
        self.variables.push(variable.clone());
        Some(index)
    }

    fn guard(&mut self, name: &'b str) -> Option<u16> {
        if let Some(&index) = self.guard_indices.get(name) {
            return Some(index);
        }
        let index = u16::try_from(self.guards.len()).ok()?;
        self.guard_indices.insert(name, index);
        self.guards.push(name.into());
        Some(index)
    }
}

/// Columns of white space, with tab stops of four.
fn columns(indent: &str) -> usize {
    indent.bytes().fold(0, |column, byte| {
        if byte == b'\t' {
            column + 4 - column % 4
        } else {
            column + 1
        }
    })
}

/// Positions are 32 bits wide: a text of four gigabytes is out of the question.
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

//! The second step of lowering: what depends on whole lines. Guards get the extent of their line, variables that are
//! paragraphs become blocks, and the white space around what may come out empty becomes gaps.

use crate::{Mark, MarkKind, lines::Line, lower::narrow};
use alloc::vec::Vec;

/// A line of the literal and its marks.
struct MarkedLine<'m> {
    start: usize,
    end: usize,
    marks: &'m [Mark],
    kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// Neither marks nor anything but white space.
    Blank,
    /// It is always printed.
    Kept,
    /// One variable and nothing else.
    Lone,
    /// A slot, a guarded line, a title over nothing but slots, a variable that is a paragraph.
    Droppable,
}

/// Adds gaps and completes guards. `marks` are sorted and lie at the places where they were written.
pub(crate) fn complete(literal: &str, marks: Vec<Mark>) -> Vec<Mark> {
    if !marks.iter().any(needs_lines) {
        return marks;
    }
    let mut lines = marked_lines(literal, &marks);
    raise_blocks(&mut lines);
    let mut complete = Vec::with_capacity(marks.len() + 8);
    let mut before: Option<(usize, LineKind)> = None;
    for line in lines.iter().filter(|line| line.kind != LineKind::Blank) {
        if let Some((end, _)) =
            before.filter(|(_, kind)| [*kind, line.kind].contains(&LineKind::Droppable))
        {
            complete.push(Mark {
                at: narrow(end),
                kind: MarkKind::Gap {
                    len: narrow(line.start - end),
                },
            });
        }
        before = Some((line.end, line.kind));
        push_marks(line, &mut complete);
    }
    complete
}

fn needs_lines(mark: &Mark) -> bool {
    !matches!(
        mark.kind,
        MarkKind::Text { .. }
            | MarkKind::Title {
                optional: false,
                ..
            }
            | MarkKind::Escape { .. }
    )
}

fn marked_lines<'m>(literal: &str, marks: &'m [Mark]) -> Vec<MarkedLine<'m>> {
    let mut lines = Vec::new();
    let mut rest = marks;
    let mut is_code = false;
    let mut at = 0;
    while let Some(line) = Line::at(literal, at) {
        at = line.next();
        let count = rest
            .iter()
            .take_while(|mark| mark.at <= narrow(line.end()))
            .count();
        let (marks, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        rest = after;
        let was_code = is_code;
        for mark in marks {
            is_code = match mark.kind {
                MarkKind::Code { .. } => true,
                MarkKind::CodeEnd { .. } => false,
                _ => is_code,
            };
        }
        let kind = line_kind(&line, marks, was_code);
        lines.push(MarkedLine {
            start: line.start,
            end: line.end(),
            marks,
            kind,
        });
    }
    lines
}

fn line_kind(line: &Line<'_>, marks: &[Mark], is_code: bool) -> LineKind {
    let may_drop = |mark: &Mark| {
        matches!(
            mark.kind,
            MarkKind::Slot { .. } | MarkKind::Guard { .. } | MarkKind::Title { optional: true, .. }
        )
    };
    match marks {
        [] if line.is_blank() => LineKind::Blank,
        _ if marks.iter().any(may_drop) => LineKind::Droppable,
        [
            Mark {
                kind: MarkKind::Variable(_),
                ..
            },
        ]
        | [
            Mark {
                kind: MarkKind::Text { .. },
                ..
            },
            Mark {
                kind: MarkKind::Variable(_),
                ..
            },
        ] if line.text.is_empty() && !is_code => LineKind::Lone,
        _ => LineKind::Kept,
    }
}

/// A variable alone on its line is a paragraph if the lines around it are blank or missing.
fn raise_blocks(lines: &mut [MarkedLine<'_>]) {
    for index in 0..lines.len() {
        let is_open = |at: Option<usize>| {
            at.and_then(|at| lines.get(at))
                .is_none_or(|line: &MarkedLine<'_>| line.kind == LineKind::Blank)
        };
        let is_block = is_open(index.checked_sub(1)) && is_open(Some(index + 1));
        if let Some(line) = lines
            .get_mut(index)
            .filter(|line| line.kind == LineKind::Lone)
        {
            line.kind = if is_block {
                LineKind::Droppable
            } else {
                LineKind::Kept
            };
        }
    }
}

fn push_marks(line: &MarkedLine<'_>, complete: &mut Vec<Mark>) {
    let is_guarded = line
        .marks
        .iter()
        .any(|mark| matches!(mark.kind, MarkKind::Guard { .. }));
    let is_block = line.kind == LineKind::Droppable && line.start == line.end && !is_guarded;
    let own_marks = line
        .marks
        .iter()
        .rposition(|mark| !matches!(mark.kind, MarkKind::CodeEnd { .. }));
    for (index, mark) in line.marks.iter().enumerate() {
        complete.push(match mark.kind {
            MarkKind::Guard { guard, negated, .. } => {
                let len = narrow(line.end - line.start);
                let offset = mark.at.saturating_sub(narrow(line.start));
                let offset = u16::try_from(offset).unwrap_or(u16::MAX);
                let marks = own_marks.unwrap_or(index).saturating_sub(index);
                let marks = u16::try_from(marks).unwrap_or(u16::MAX);
                Mark {
                    at: narrow(line.start),
                    kind: MarkKind::Guard {
                        guard,
                        negated,
                        len,
                        offset,
                        marks,
                    },
                }
            }
            MarkKind::Variable(variable) if is_block => Mark {
                at: mark.at,
                kind: MarkKind::Block(variable),
            },
            _ => *mark,
        });
    }
}

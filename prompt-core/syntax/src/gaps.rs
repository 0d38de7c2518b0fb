//! The second step of lowering: what depends on whole lines. Lines that may come out empty get their marks, variables
//! that are paragraphs become blocks, the white space around what may come out empty becomes gaps, and conditions learn
//! where they end.

use crate::{
    ConditionForm, Mark, MarkKind,
    lines::{Line, line_head},
    lower::{is_all_blank, narrow},
};
use alloc::vec::Vec;
use core::ops::Range;

/// A line of the literal and its marks.
#[derive(Debug)]
struct MarkedLine<'m> {
    range: Range<usize>,
    /// The marks before the line: element starts, and marker lines, which stood above it.
    lead: &'m [Mark],
    /// The marks in it.
    own: &'m [Mark],
    kind: LineKind,
}

impl MarkedLine<'_> {
    /// Whether marker lines stood above it.
    fn is_apart(&self) -> bool {
        self.lead.iter().any(|mark| is_marker(mark.kind))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// Neither marks nor anything but white space.
    Blank,
    /// It is always printed.
    Kept,
    /// A line of a paragraph that consists of nothing but this many variables.
    Variables(usize),
    /// Outside of all its conditions nothing is printed behind its head.
    Conditional { head: u16 },
    /// A variable that is a paragraph.
    Block,
    /// A slot, or a title over nothing but slots.
    Optional,
}

impl LineKind {
    fn may_go(self) -> bool {
        !matches!(self, Self::Blank | Self::Kept)
    }
}

/// Adds gaps and lines, and completes titles and conditions. `marks` are sorted and lie where they were written.
pub(crate) fn complete(literal: &str, marks: Vec<Mark>) -> Vec<Mark> {
    let mut complete = if marks.iter().any(needs_lines) {
        with_gaps(literal, &marks)
    } else {
        marks
    };
    find_ends(&mut complete);
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
            | MarkKind::Special(_)
    )
}

/// Whether the mark stands for a line that is not printed.
fn is_marker(kind: MarkKind) -> bool {
    matches!(
        kind,
        MarkKind::If {
            form: ConditionForm::Block { .. },
            ..
        } | MarkKind::Else {
            form: ConditionForm::Block { .. },
            ..
        } | MarkKind::End {
            form: ConditionForm::Block { .. }
        }
    )
}

/// Writes the marks line by line, with gaps between those lines of which one may go, and around marker lines.
fn with_gaps(literal: &str, marks: &[Mark]) -> Vec<Mark> {
    let mut writer = Writer {
        before: None,
        complete: Vec::with_capacity(marks.len() + marks.len() / 2 + 8),
    };
    let mut reader = LineReader {
        marks,
        is_code: false,
        depth: 0,
    };
    let mut paragraph = Vec::new();
    let mut at = 0;
    while let Some(line) = Line::at(literal, at) {
        at = line.next();
        let line = reader.read(&line);
        if line.kind == LineKind::Blank || line.is_apart() {
            writer.end_paragraph(&mut paragraph);
        }
        if line.kind == LineKind::Blank {
            writer.blank_line(&line);
        } else {
            paragraph.push(line);
        }
    }
    writer.end_paragraph(&mut paragraph);
    writer.complete
}

/// What goes from line to line.
struct LineReader<'m> {
    /// The marks of the lines to come.
    marks: &'m [Mark],
    is_code: bool,
    /// How many conditions within lines are open.
    depth: usize,
}

impl<'m> LineReader<'m> {
    fn read(&mut self, line: &Line<'_>) -> MarkedLine<'m> {
        let (start, end) = (narrow(line.start), narrow(line.end()));
        let here = self.marks.iter().take_while(|mark| mark.at <= end).count();
        let (here, next) = self.marks.split_at(here);
        self.marks = next;
        let is_lead = |mark: &&Mark| {
            mark.at == start && (is_marker(mark.kind) || matches!(mark.kind, MarkKind::Text { .. }))
        };
        let (lead, own) = here.split_at(here.iter().take_while(is_lead).count());
        MarkedLine {
            range: line.start..line.end(),
            lead,
            own,
            kind: self.kind(line, own),
        }
    }

    fn kind(&mut self, line: &Line<'_>, marks: &[Mark]) -> LineKind {
        let was_code = self.is_code;
        let depth = self.depth;
        for mark in marks {
            match mark.kind {
                MarkKind::Code { .. } => self.is_code = true,
                MarkKind::CodeEnd { .. } => self.is_code = false,
                MarkKind::If { .. } => self.depth += 1,
                MarkKind::End { .. } => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        match marks {
            [] if is_all_blank(line.text) && depth == 0 => return LineKind::Blank,
            [] => return LineKind::Kept,
            _ => {}
        }
        if let Some(head) = conditional_head(line, marks, depth) {
            return LineKind::Conditional { head };
        }
        let may_go = |mark: &Mark| {
            matches!(
                mark.kind,
                MarkKind::Slot { .. } | MarkKind::Title { optional: true, .. }
            )
        };
        let is_variable = |mark: &Mark| matches!(mark.kind, MarkKind::Variable(_));
        if marks.iter().any(may_go) {
            LineKind::Optional
        } else if !was_code && is_all_blank(line.text) && marks.iter().all(is_variable) {
            LineKind::Variables(marks.len())
        } else {
            LineKind::Kept
        }
    }
}

/// The length of the head of a line that has conditions and prints nothing but variables outside of them.
fn conditional_head(line: &Line<'_>, marks: &[Mark], depth: usize) -> Option<u16> {
    let is_condition =
        |mark: &Mark| matches!(mark.kind, MarkKind::If { .. } | MarkKind::End { .. });
    if !marks.iter().any(is_condition) {
        return None;
    }
    let title = marks.iter().find_map(|mark| match mark.kind {
        MarkKind::Title { level, .. } => Some(usize::from(level) + 1),
        _ => None,
    });
    let offset = |mark: &Mark| (mark.at as usize).saturating_sub(line.start);
    let first = marks
        .iter()
        .find(|mark| is_condition(mark))
        .map_or(0, offset);
    let mut variables = marks
        .iter()
        .filter(|mark| matches!(mark.kind, MarkKind::Variable(_)));
    let indent = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
    // Blanks behind a list marker may belong to a condition that begins there, and what looks like the head of the
    // line may stand behind a value.
    let head = title.unwrap_or_else(|| match line_head(line.text) {
        head if (indent + 1..head).contains(&first) => first,
        head => head.min(variables.next().map_or(head, offset)),
    });
    let start = line.start + head;
    let mut depth = depth;
    let mut from = line.start;
    for mark in marks.iter().map(Some).chain([None]) {
        let at = mark.map_or(line.end(), |mark| mark.at as usize);
        if depth == 0 {
            let outside = from.max(start) - line.start..at.max(start) - line.start;
            if !is_all_blank(line.text.get(outside).unwrap_or_default()) {
                return None;
            }
        }
        from = at;
        match mark.map(|mark| mark.kind) {
            Some(MarkKind::If { .. }) => depth += 1,
            Some(MarkKind::End { .. }) => depth = depth.saturating_sub(1),
            Some(
                MarkKind::Slot { .. }
                | MarkKind::Code { .. }
                | MarkKind::CodeEnd { .. }
                | MarkKind::Special(_),
            ) => return None,
            _ => {}
        }
    }
    u16::try_from(head).ok()
}

/// Of the lines that consist of variables, those make a difference that are whole paragraphs: one variable alone is a
/// block, several are lines that go one by one.
fn raise_paragraph(lines: &mut [MarkedLine<'_>]) {
    let counts = lines.iter().map(|line| match line.kind {
        LineKind::Variables(count) => Some(count),
        LineKind::Conditional { .. } => Some(1),
        _ => None,
    });
    let count: Option<usize> = counts.sum();
    for line in lines {
        if let LineKind::Variables(_) = line.kind {
            line.kind = match count {
                Some(1) if line.range.is_empty() => LineKind::Block,
                Some(2..) => LineKind::Conditional { head: 0 },
                _ => LineKind::Kept,
            };
        }
    }
}

/// Writes lines.
struct Writer {
    /// Where what was before ends, whether it is a line, and whether it may go.
    before: Option<(usize, bool, bool)>,
    complete: Vec<Mark>,
}

impl Writer {
    /// Writes the lines of a paragraph, which go.
    fn end_paragraph(&mut self, lines: &mut Vec<MarkedLine<'_>>) {
        raise_paragraph(lines);
        for line in lines.drain(..) {
            self.line(&line);
        }
    }

    fn line(&mut self, line: &MarkedLine<'_>) {
        self.marker_lines(line);
        let (start, may_go) = (line.range.start, line.kind.may_go());
        let is_before = |(end, is_line, _)| is_line || end < start;
        if self.before.is_none_or(is_before) {
            self.gap(start, may_go);
        }
        self.before = Some((line.range.end, true, may_go));
        self.complete.extend(line.lead);
        push_line(line, &mut self.complete);
    }

    fn blank_line(&mut self, line: &MarkedLine<'_>) {
        self.marker_lines(line);
        self.complete.extend(line.lead);
    }

    /// Marker lines above a line may go.
    fn marker_lines(&mut self, line: &MarkedLine<'_>) {
        if line.is_apart() {
            self.gap(line.range.start, true);
            self.before = Some((line.range.start, false, true));
        }
    }

    fn gap(&mut self, end: usize, may_go: bool) {
        let Some((start, ends_line, went)) = self.before else {
            return;
        };
        if start < end && (went || may_go) {
            self.complete.push(Mark {
                at: narrow(start),
                kind: MarkKind::Gap {
                    len: narrow(end - start),
                    ends_line,
                },
            });
        }
    }
}

fn push_line(line: &MarkedLine<'_>, complete: &mut Vec<Mark>) {
    if line.own.is_empty() {
        return;
    }
    let mut marks = line.own.iter().peekable();
    let head = Mark {
        at: narrow(line.range.start),
        kind: MarkKind::Line { head: 0 },
    };
    let head = match line.kind {
        LineKind::Conditional { head: bytes } => Some(Mark {
            kind: MarkKind::Line { head: bytes },
            ..head
        }),
        _ => None,
    };
    let title = marks.next_if(|mark| matches!(mark.kind, MarkKind::Title { .. }));
    if let Some(mut title) = title.copied() {
        if let MarkKind::Title { marks: count, .. } = &mut title.kind {
            *count = u16::try_from(marks.len() + head.iter().len()).unwrap_or(u16::MAX);
        }
        complete.push(title);
    }
    complete.extend(head);
    complete.extend(marks.map(|mark| match mark.kind {
        MarkKind::Variable(variable) if line.kind == LineKind::Block => Mark {
            at: mark.at,
            kind: MarkKind::Block(variable),
        },
        _ => *mark,
    }));
}

/// Tells each condition where it ends, and the marks of a title how many they are where no line was looked at.
fn find_ends(marks: &mut [Mark]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..marks.len() {
        let Some(kind) = marks.get(index).map(|mark| mark.kind) else {
            return;
        };
        if let MarkKind::Else { .. } | MarkKind::End { .. } = kind
            && let Some(opener) = open.pop()
            && let Some(MarkKind::If { end, .. } | MarkKind::Else { end, .. }) =
                marks.get_mut(opener).map(|mark| &mut mark.kind)
        {
            *end = narrow(index);
        }
        if let MarkKind::If { .. } | MarkKind::Else { .. } = kind {
            open.push(index);
        }
    }
}

//! From the compact form of a text back to elements: the literal is cut at the marks, nothing is parsed.

use crate::{
    ConditionForm, Element, Elements, Inline, InlineText, Lowering, Mark, MarkKind, Metadata,
    Target, inline_text::part,
};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

/// What the marks of a node count through.
pub trait Tables {
    /// The variable with this index.
    fn variable(&self, index: u16) -> Inline;
    /// Name and path (dotted) of the condition with this index.
    fn condition(&self, index: u16) -> (Cow<'static, str>, Cow<'static, str>);
    /// The field of the section with this index.
    fn section(&self, index: u16) -> Cow<'static, str>;
}

impl Tables for Lowering {
    fn variable(&self, index: u16) -> Inline {
        let found = self.variables().get(usize::from(index));
        let (name, path, spec) = found.map_or(("", &[][..], None), |variable| {
            (
                variable.name.as_str(),
                &variable.path[..],
                variable.spec.clone(),
            )
        });
        Inline::Variable {
            name: Cow::Owned(name.into()),
            path: Cow::Owned(path.join(".")),
            spec: spec.map(Cow::Owned),
        }
    }

    fn condition(&self, index: u16) -> (Cow<'static, str>, Cow<'static, str>) {
        let found = self.conditions().get(usize::from(index));
        found.map_or_else(Default::default, |condition| {
            let path = condition.path.join(".");
            (condition.name.clone().into(), path.into())
        })
    }

    fn section(&self, index: u16) -> Cow<'static, str> {
        self.section_name(index)
            .map_or(Cow::Borrowed(""), |name| Cow::Owned(String::from(name)))
    }
}

/// The elements of a lowered text. A static literal gives elements with static parts.
///
/// ```
/// use prompt_syntax::{Lowering, Options, Place, parse, raise};
///
/// let options = Options { names: &["x"], ..Options::new(Place::Node) };
/// let elements = parse("Hello.\n\n{?x}\n## B\n\n{x}\n{/x}", &options).elements;
/// let mut lowering = Lowering::new(&[]);
/// let text = lowering.text(&elements);
/// assert_eq!(raise(&text.literal.into(), &text.marks, &lowering), elements);
/// ```
#[expect(clippy::ptr_arg, reason = "a static text has static parts")]
pub fn raise(literal: &Cow<'static, str>, marks: &[Mark], tables: &dyn Tables) -> Elements {
    let mut walk = Walk {
        literal,
        marks,
        tables,
        next: 0,
        end: None,
        after_marker: false,
        open: Vec::new(),
    };
    core::iter::from_fn(|| walk.element()).collect()
}

/// The way through one text.
struct Walk<'t> {
    literal: &'t Cow<'static, str>,
    marks: &'t [Mark],
    tables: &'t dyn Tables,
    /// The next mark.
    next: usize,
    /// Where the last element ended.
    end: Option<usize>,
    /// Whether it ended with a marker line, whose line break is not in the literal.
    after_marker: bool,
    /// The conditions that are open.
    open: Vec<u16>,
}

impl<'t> Walk<'t> {
    /// A position or length of a mark. A wrong one, which a table made by hand may have, ends where the literal ends: where
    /// `usize` has 32 bits as well, sums of two would run over.
    fn place(&self, at: u32) -> usize {
        (at as usize).min(self.literal.len())
    }

    fn element(&mut self) -> Option<Element> {
        let start = match self.marks.get(self.next) {
            Some(mark) if starts_element(mark) => self.place(mark.at),
            None if self.end.is_some() || self.literal.is_empty() => return None,
            // Inline texts may have no mark where they start.
            _ => 0,
        };
        let mark = self.marks.get(self.next).copied().filter(starts_element);
        self.next += usize::from(mark.is_some());
        let marks = self.own_marks();
        let mut metadata = self.metadata(start);
        self.after_marker = false;
        let (element, end) = match mark.map(|mark| mark.kind) {
            Some(MarkKind::Title {
                line, level, len, ..
            }) => {
                metadata.line = line;
                let end = start + self.place(len);
                let conditions = self.inline(start..start, marks);
                let text = self.inline(start + usize::from(level) + 1..end, marks);
                let title = Element::Title {
                    level,
                    conditions,
                    text,
                    metadata,
                };
                (title, end)
            }
            Some(MarkKind::Slot {
                target,
                line,
                level,
                indent,
            }) => {
                metadata.line = line;
                let slot = Element::Slot {
                    name: self.slot(target),
                    level,
                    indent,
                    metadata,
                };
                (slot, start)
            }
            Some(MarkKind::Code {
                line,
                indent,
                fence,
            }) => {
                metadata.line = line;
                let fence = usize::from(indent) + self.place(fence);
                self.code(start, fence, marks, metadata)
            }
            Some(MarkKind::Text { line }) => {
                metadata.line = line;
                self.lines(start, marks, metadata)
            }
            _ => {
                metadata.line = 1;
                self.lines(start, marks, metadata)
            }
        };
        self.end = Some(end);
        Some(element)
    }

    /// The marks up to the next element.
    fn own_marks(&mut self) -> &'t [Mark] {
        let rest = self.marks.get(self.next..).unwrap_or_default();
        let count = rest.iter().take_while(|mark| !starts_element(mark)).count();
        self.next += count;
        rest.get(..count).unwrap_or_default()
    }

    /// The blank lines between the last element and this position.
    fn metadata(&self, start: usize) -> Metadata {
        let Some(end) = self.end else {
            return Metadata::DEFAULT;
        };
        let between = self.slice(end..start);
        let blank = if self.after_marker {
            between
        } else {
            between.strip_prefix('\n').unwrap_or(between)
        };
        let count = blank.bytes().filter(|&byte| byte == b'\n').count();
        let blanks = if blank.bytes().all(|byte| byte == b'\n') {
            Cow::Borrowed("")
        } else {
            self.part(start - blank.len()..start)
        };
        Metadata {
            line: 0,
            blank_lines: u32::try_from(count).unwrap_or(u32::MAX),
            blanks,
        }
    }

    /// A run of lines: it ends with the last line before the next element that is not blank.
    fn lines(&mut self, start: usize, marks: &[Mark], metadata: Metadata) -> (Element, usize) {
        let next = self.marks.get(self.next).map(|mark| self.place(mark.at));
        let last = marks.iter().rfind(|mark| is_inline(mark));
        let last_at = last.map_or(start, |mark| self.place(mark.at));
        let end = match next {
            None => self.literal.len(),
            Some(next) => {
                let printed = self
                    .slice(start..next)
                    .trim_end_matches([' ', '\t', '\n'])
                    .len();
                self.after_marker = last.is_some_and(is_marker) && last_at >= start + printed;
                let from = last_at.max(start + printed);
                let rest = self.slice(from..next);
                let line_end = rest.find('\n').unwrap_or(rest.len());
                if self.after_marker {
                    from
                } else {
                    from + line_end
                }
            }
        };
        let text = Element::Text {
            text: self.inline(start..end, marks),
            metadata,
        };
        (text, end)
    }

    /// A code block; `fence` bytes of its first line are indentation and fence characters.
    fn code(
        &mut self,
        start: usize,
        fence: usize,
        marks: &[Mark],
        metadata: Metadata,
    ) -> (Element, usize) {
        let end_mark = marks.iter().find_map(|mark| match mark.kind {
            MarkKind::CodeEnd { len } => Some((self.place(mark.at), self.place(len))),
            _ => None,
        });
        let (inner_end, close) = end_mark.unwrap_or((self.literal.len(), 0));
        let code = self.slice(start..inner_end);
        let first_end = start + code.find('\n').unwrap_or(code.len());
        let info = self.info(start + fence..first_end, marks);
        let info_text = self.inline(info.clone(), marks);
        // The lines inside have a line break before them, and one after them if the fence closes, but for a marker
        // line, whose line break has gone.
        let marker = marks
            .iter()
            .rfind(|mark| is_inline(mark))
            .filter(|mark| is_marker(mark));
        let marker = marker.map(|mark| self.place(mark.at));
        let has_break = close > 0 && inner_end > first_end && marker != Some(inner_end);
        let text_end = inner_end - usize::from(has_break);
        let text = if text_end == first_end {
            InlineText::EMPTY
        } else {
            let text = self.inline(first_end + 1..text_end, marks);
            // An empty line behind a marker line.
            let last = (has_break && marker == Some(text_end)).then_some(Inline::literal("\n"));
            if text.is_empty() {
                InlineText::EMPTY_LINE
            } else {
                text.into_iter().chain(last).collect()
            }
        };
        let element = Element::Code {
            fence: self.part(start..info.start),
            info: info_text,
            after_info: self.part(info.end..first_end),
            text,
            close: self.part(inner_end..inner_end + close),
            metadata,
        };
        (element, inner_end + close)
    }

    /// The info string in the rest of a fence line: without outer blanks, but for those around variables.
    fn info(&self, line: Range<usize>, marks: &[Mark]) -> Range<usize> {
        let text = self.slice(line.clone());
        let places = marks
            .iter()
            .filter(|mark| is_inline(mark))
            .map(|mark| self.place(mark.at))
            .filter(|at| *at <= line.end);
        let (first, last) = places.fold((line.end, line.start), |(first, last), at| {
            (first.min(at), last.max(at))
        });
        let start = line.end - text.trim_start_matches([' ', '\t']).len();
        let start = start.min(first);
        let end = line.start + text.trim_end_matches([' ', '\t']).len();
        start..end.max(last).max(start)
    }

    /// The pieces of a stretch of the literal.
    fn inline(&mut self, range: Range<usize>, marks: &[Mark]) -> InlineText {
        let mut pieces = Vec::new();
        let mut at = range.start;
        let mut after_marker = false;
        for mark in marks.iter().filter(|mark| is_inline(mark)) {
            let place = self.place(mark.at);
            if !(range.start..=range.end).contains(&place) {
                continue;
            }
            let before = self.part(at..place);
            at = at.max(place);
            let piece = self.piece(mark.kind, &mut at);
            if core::mem::take(&mut after_marker) {
                pieces.push(Inline::literal("\n"));
            }
            pieces.push(Inline::Literal(before));
            after_marker |= is_marker(mark);
            pieces.extend(piece);
        }
        let rest = self.part(at..range.end);
        if after_marker && !rest.is_empty() {
            pieces.push(Inline::literal("\n"));
        }
        pieces.push(Inline::Literal(rest));
        pieces.into_iter().collect()
    }

    /// The piece that a mark stands for. What it covers of the literal is passed.
    fn piece(&mut self, kind: MarkKind, at: &mut usize) -> Option<Inline> {
        Some(match kind {
            MarkKind::Variable(index) | MarkKind::Block(index) => self.tables.variable(index),
            MarkKind::Special(special) => Inline::variable(special.name()),
            MarkKind::Escape { len } => {
                let start = *at;
                *at += self.place(len);
                Inline::Escaped(self.part(start..*at))
            }
            MarkKind::If {
                condition,
                negated,
                form,
                ..
            } => {
                self.open.push(condition);
                let (name, path) = self.tables.condition(condition);
                Inline::If {
                    name,
                    path,
                    negated,
                    form,
                }
            }
            MarkKind::Else { form, .. } => Inline::Else { form },
            MarkKind::End { form } => {
                let condition = self.open.pop()?;
                if form == ConditionForm::Line {
                    return None;
                }
                let (name, path) = self.tables.condition(condition);
                Inline::End { name, path, form }
            }
            _ => return None,
        })
    }

    fn slot(&self, target: Target) -> Cow<'static, str> {
        match target {
            Target::Subtree => Cow::Borrowed("PROMPT_SUBTREE"),
            Target::Collected => Cow::Borrowed("COLLECTED_CONTEXT"),
            Target::Section(index) => self.tables.section(index),
        }
    }

    fn part(&self, range: Range<usize>) -> Cow<'static, str> {
        part(self.literal, range.start, range.end)
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        self.literal.get(range).unwrap_or_default()
    }
}

fn starts_element(mark: &Mark) -> bool {
    matches!(
        mark.kind,
        MarkKind::Text { .. }
            | MarkKind::Title { .. }
            | MarkKind::Code { .. }
            | MarkKind::Slot { .. }
    )
}

/// Whether the mark is a piece of a line, or ends one.
fn is_inline(mark: &Mark) -> bool {
    matches!(
        mark.kind,
        MarkKind::Variable(_)
            | MarkKind::Block(_)
            | MarkKind::Special(_)
            | MarkKind::If { .. }
            | MarkKind::Else { .. }
            | MarkKind::End { .. }
            | MarkKind::Escape { .. }
    )
}

/// Whether the mark stands for a line that is not printed.
fn is_marker(mark: &Mark) -> bool {
    matches!(
        mark.kind,
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

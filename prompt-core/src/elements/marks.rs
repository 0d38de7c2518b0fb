//! From the compact form of a text to elements: the literal is cut at the marks, nothing is parsed.

use super::{Element, Elements, Inline, InlineText, Metadata, inline::part};
use crate::node::Embedded;
use crate::node::NodeInfo;
use crate::node::PromptNode;
use crate::node::Text;
use prompt_syntax::{Mark, MarkKind, Target};
use std::{borrow::Cow, ops::Range};

/// The elements of a node's own text; of a `Markdown` value or a text, its elements. What has no text of its own (a
/// list, `()`) has none.
///
/// ```
/// use prompt_core::Markdown;
/// use prompt_core::elements::elements;
///
/// let notes = Markdown::from("# Steam\n\nLast of all.");
/// assert_eq!(elements(&notes).to_markdown(), "# Steam\n\nLast of all.");
/// ```
pub fn elements(node: &dyn PromptNode) -> Elements {
    match node.embedded() {
        Embedded::Node(node) => Elements::from_text(&node.info().text, node.info()),
        Embedded::Markdown(markdown) => Elements::from_text(markdown.text(), NodeInfo::EMPTY),
        Embedded::Text(text) if !text.is_empty() => Elements::from_iter([Element::Text {
            text: text.into_owned().into(),
            metadata: Metadata::DEFAULT,
        }]),
        _ => Elements::default(),
    }
}

impl Elements {
    /// The elements of a text of this node: its own, an introduction, a summary, a title.
    pub fn from_text(text: &Text, node: &NodeInfo) -> Self {
        let mut walk = Walk {
            text,
            node,
            next: 0,
            end: None,
        };
        std::iter::from_fn(|| walk.element()).collect()
    }
}

/// The way through one text.
struct Walk<'t> {
    text: &'t Text,
    node: &'t NodeInfo,
    /// The next mark.
    next: usize,
    /// Where the last element ended.
    end: Option<usize>,
}

impl<'t> Walk<'t> {
    fn element(&mut self) -> Option<Element> {
        let start = loop {
            match self.text.marks.get(self.next) {
                // Inline texts have no mark where they start.
                None if self.end.is_none() && !self.text.is_empty() => break 0,
                None => return None,
                Some(mark) if is_inline(mark) && self.end.is_none() => break 0,
                Some(mark) if starts_element(mark) => break mark.at as usize,
                Some(_) => self.next += 1,
            }
        };
        let mark = self
            .text
            .marks
            .get(self.next)
            .copied()
            .filter(starts_element);
        self.next += usize::from(mark.is_some());
        let marks = self.own_marks();
        let metadata = |line| Metadata {
            line,
            blank_lines: self.blank_lines(start),
        };
        let (element, end) = match mark.map(|mark| mark.kind) {
            Some(MarkKind::Title {
                line, level, len, ..
            }) => {
                let end = start + len as usize;
                let text = self.inline(start + usize::from(level) + 1..end, marks);
                (
                    Element::Title {
                        level,
                        text,
                        metadata: metadata(line),
                    },
                    end,
                )
            }
            Some(MarkKind::Slot {
                target,
                line,
                level,
                indent,
            }) => (
                Element::Slot {
                    name: self.slot(target),
                    level,
                    indent,
                    metadata: metadata(line),
                },
                start,
            ),
            Some(MarkKind::Code {
                line,
                indent,
                fence,
            }) => self.code(
                start,
                usize::from(indent) + fence as usize,
                marks,
                metadata(line),
            ),
            Some(MarkKind::Text { line }) => self.lines(start, marks, metadata(line)),
            _ => self.lines(start, marks, metadata(1)),
        };
        self.end = Some(end);
        Some(element)
    }

    /// The marks up to the next element.
    fn own_marks(&mut self) -> &'t [Mark] {
        let rest = self.text.marks.get(self.next..).unwrap_or_default();
        let count = rest.iter().take_while(|mark| !starts_element(mark)).count();
        self.next += count;
        rest.get(..count).unwrap_or_default()
    }

    /// Blank lines between the last element and this position.
    fn blank_lines(&self, start: usize) -> u32 {
        let Some(end) = self.end else {
            return Metadata::DEFAULT.blank_lines;
        };
        let breaks = self.slice(end..start).matches('\n').count();
        u32::try_from(breaks.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// A run of lines: it ends where the line breaks before the next element start.
    fn lines(&self, start: usize, marks: &[Mark], metadata: Metadata) -> (Element, usize) {
        let next = self
            .text
            .marks
            .get(self.next)
            .map_or(self.text.literal.len(), |mark| mark.at as usize);
        // A lone variable or guard is nothing in the literal, so the text reaches to its place at least.
        let last = marks.iter().map(place_of).max().unwrap_or(start);
        let is_run = self.text.marks.get(self.next).is_some();
        let lines = self.slice(start..next);
        let printed = if is_run {
            lines.trim_end_matches('\n').len()
        } else {
            lines.len()
        };
        let end = last.max(start + printed);
        (
            Element::Text {
                text: self.inline(start..end, marks),
                metadata,
            },
            end,
        )
    }

    /// A code block; `fence` bytes of its first line are indentation and fence characters.
    fn code(
        &self,
        start: usize,
        fence: usize,
        marks: &[Mark],
        metadata: Metadata,
    ) -> (Element, usize) {
        let end_mark = marks.iter().find_map(|mark| match mark.kind {
            MarkKind::CodeEnd { len } => Some((mark.at as usize, len as usize)),
            _ => None,
        });
        let (inner_end, close) = end_mark.unwrap_or((self.text.literal.len(), 0));
        let first_end = start
            + self
                .slice(start..inner_end)
                .find('\n')
                .unwrap_or(inner_end.saturating_sub(start));
        let info = self.info(start + fence..first_end, marks);
        // The lines inside have a line break before them, and one after them if the fence closes.
        let text_end = inner_end - usize::from(close > 0 && inner_end > first_end);
        let text = if text_end == first_end {
            InlineText::EMPTY
        } else {
            let text = self.inline(first_end + 1..text_end, marks);
            if text.is_empty() {
                InlineText::EMPTY_LINE
            } else {
                text
            }
        };
        let element = Element::Code {
            fence: self.part(start..info.start),
            info: self.inline(info.clone(), marks),
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
            .map(place_of)
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
    fn inline(&self, range: Range<usize>, marks: &[Mark]) -> InlineText {
        let inside = marks.iter().filter(|mark| is_inline(mark));
        let inside = inside.map(|mark| (place_of(mark), mark.kind));
        let mut at = range.start;
        let mut pieces = Vec::new();
        for (place, kind) in
            inside.filter(|(place, _)| range.start <= *place && *place <= range.end)
        {
            pieces.push(Inline::Literal(self.part(at..place)));
            at = at.max(place);
            match kind {
                MarkKind::Variable(index) | MarkKind::Block(index) => {
                    pieces.push(self.variable(index))
                }
                MarkKind::Guard { guard, negated, .. } => {
                    let name = self
                        .node
                        .guards
                        .get(usize::from(guard))
                        .cloned()
                        .unwrap_or_default();
                    pieces.push(Inline::Guard { name, negated });
                }
                MarkKind::Escape { len } => {
                    at = place + len as usize;
                    pieces.push(Inline::Escaped(self.part(place..at)));
                }
                _ => {}
            }
        }
        pieces.push(Inline::Literal(self.part(at..range.end)));
        pieces.into_iter().collect()
    }

    fn variable(&self, index: u16) -> Inline {
        match index {
            Text::TITLE => Inline::variable("title"),
            Text::KEY => Inline::variable("key"),
            Text::SUBSECTIONS => Inline::variable("subsections"),
            _ => {
                let variable = self.node.variables.get(usize::from(index));
                Inline::from_source(
                    variable.map_or(&Cow::Borrowed(""), |variable| &variable.source),
                )
            }
        }
    }

    fn slot(&self, target: Target) -> Cow<'static, str> {
        match target {
            Target::Subtree => Cow::Borrowed("PROMPT_SUBTREE"),
            Target::Collected => Cow::Borrowed("COLLECTED_CONTEXT"),
            Target::Section(index) => {
                let section = self.node.sections.get(usize::from(index));
                section
                    .map(|section| section.field.clone())
                    .unwrap_or_default()
            }
        }
    }

    fn part(&self, range: Range<usize>) -> Cow<'static, str> {
        part(&self.text.literal, range.start, range.end)
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        let text: &'t str = &self.text.literal;
        text.get(range).unwrap_or_default()
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

/// Whether the mark is a piece of a line.
fn is_inline(mark: &Mark) -> bool {
    matches!(
        mark.kind,
        MarkKind::Variable(_)
            | MarkKind::Block(_)
            | MarkKind::Guard { .. }
            | MarkKind::Escape { .. }
    )
}

/// Where a mark was written: a guard's mark lies at the start of its line.
fn place_of(mark: &Mark) -> usize {
    let offset = if let MarkKind::Guard { offset, .. } = mark.kind {
        offset
    } else {
        0
    };
    mark.at as usize + usize::from(offset)
}

//! Walks one text of a node: copies the literal from mark to mark, writes variables, drops guarded lines, moves headings
//! to their level, and stops at slots so that the caller can embed what goes there.

use super::{
    HeadingOverflow,
    writer::{Point, Treatment, Writer},
};
use crate::error::PromptError;
use crate::node::Guarding;
use crate::node::NodeInfo;
use crate::node::Output;
use crate::node::PromptNode;
use crate::node::Text;
use crate::node::Variable;
use prompt_syntax::{MarkKind, Target};

/// What a text needs to know of the place where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Whose variables and guards the marks count.
    pub(crate) node: &'a dyn PromptNode,
    /// The item (from 0) that item templates are about.
    pub(crate) item: usize,
    /// Added to every level.
    pub(crate) shift: i32,
    pub(crate) overflow: HeadingOverflow,
    pub(crate) guarding: Guarding,
    pub(crate) untrusted: bool,
    /// Values of [`Text::TITLE`], [`Text::KEY`] and [`Text::SUBSECTIONS`].
    pub(crate) special: [&'a str; 3],
}

/// A slot that was reached.
pub(crate) struct Slot {
    pub(crate) target: Target,
    pub(crate) level: i32,
    pub(crate) indent: usize,
}

/// A heading that goes if nothing comes under it.
#[derive(Clone, Copy)]
struct Tentative<'a> {
    level: u8,
    before: Point<'a>,
    after: usize,
}

/// Where a walk stopped.
pub(crate) enum Stop {
    /// At a slot: what goes there is the caller's.
    Slot(Slot),
    /// At a heading, in a text whose headings become tags.
    Title(TitleStop),
}

/// A heading at which the walk stopped.
pub(crate) struct TitleStop {
    pub(crate) level: u8,
    pub(crate) optional: bool,
    len: usize,
    pub(crate) marks: usize,
}

/// The walk over one text, at some mark.
pub(crate) struct Run<'a> {
    pub(crate) text: &'a Text,
    pub(crate) place: Place<'a>,
    /// The variables of the place's node.
    variables: &'a [Variable],
    /// Whether the place asks for no treatment of values.
    is_plain: bool,
    next: usize,
    pos: usize,
    start: usize,
    /// Headings stop the walk instead of being printed.
    titles_stop: bool,
    dropped_line: bool,
    code: Option<Fence>,
    tentative: Vec<Tentative<'a>>,
    pub(crate) saw_subtree: bool,
}

/// The fence of the code block that the walk is in.
#[derive(Clone, Copy)]
struct Fence {
    at: usize,
    len: usize,
    untrusted: bool,
}

impl<'a> Run<'a> {
    pub(crate) fn new(text: &'a Text, place: Place<'a>, writer: &Writer<'_, 'a>) -> Self {
        Self {
            text,
            place,
            variables: &place.node.info().variables,
            is_plain: !place.untrusted && place.guarding == Guarding::Default,
            next: 0,
            pos: 0,
            start: writer.len(),
            titles_stop: false,
            dropped_line: false,
            code: None,
            tentative: Vec::new(),
            saw_subtree: false,
        }
    }

    /// Stops at headings.
    pub(crate) fn stopping_at_titles(mut self) -> Self {
        self.titles_stop = true;
        self
    }

    /// Goes on to the next stop, or to the end (`None`).
    pub(crate) fn advance(
        &mut self,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<Option<Stop>, PromptError> {
        loop {
            self.copy_plain(writer)?;
            let Some(mark) = self.text.marks.get(self.next) else {
                break;
            };
            self.next += 1;
            let at = mark.at as usize;
            match mark.kind {
                MarkKind::Text { .. } | MarkKind::Escape { .. } => {}
                MarkKind::Variable(index) => self.variable(at, index, false, writer)?,
                MarkKind::Block(index) => self.variable(at, index, true, writer)?,
                MarkKind::Title {
                    level,
                    optional,
                    len,
                    marks,
                    ..
                } if self.titles_stop => {
                    self.copy_lines_to(at, writer);
                    return Ok(Some(Stop::Title(TitleStop {
                        level,
                        optional,
                        len: len as usize,
                        marks: usize::from(marks),
                    })));
                }
                MarkKind::Title {
                    level,
                    optional,
                    marks,
                    ..
                } => {
                    if optional && marks > 0 {
                        self.copy_to(at, writer);
                        writer.depends();
                    }
                    self.title(at, level, optional, writer)?;
                }
                MarkKind::Gap { len } => self.gap(at, len as usize, writer),
                MarkKind::Guard {
                    guard,
                    negated,
                    len,
                    marks,
                    ..
                } => {
                    self.copy_to(at, writer);
                    writer.depends();
                    if self.place.node.guard(usize::from(guard)) == negated {
                        self.pos = at + len as usize;
                        self.next += usize::from(marks);
                        self.dropped_line = true;
                    }
                }
                MarkKind::Code { indent, fence, .. } => {
                    self.copy_to(at + usize::from(indent), writer);
                    self.code = Some(Fence {
                        at: writer.len(),
                        len: fence as usize,
                        untrusted: false,
                    });
                }
                MarkKind::CodeEnd { len } => self.code_end(at, len as usize, writer),
                MarkKind::Slot {
                    target,
                    level,
                    indent,
                    ..
                } => {
                    self.copy_to(at, writer);
                    self.dropped_line = false;
                    self.saw_subtree |= target == Target::Subtree;
                    let level = i32::from(level) + self.place.shift;
                    return Ok(Some(Stop::Slot(Slot {
                        target,
                        level,
                        indent: usize::from(indent),
                    })));
                }
            }
        }
        self.copy_to(self.text.literal.len(), writer);
        self.settle(0, writer);
        Ok(None)
    }

    /// Goes on as long as nothing but literal text and plain variables comes: the usual text, without the questions.
    fn copy_plain(&mut self, writer: &mut Writer<'_, 'a>) -> Result<(), PromptError> {
        if !self.is_plain || self.titles_stop || !self.tentative.is_empty() || self.code.is_some() {
            return Ok(());
        }
        let Some(buffer) = writer.plain_buffer() else {
            return Ok(());
        };
        let Place {
            node, item, shift, ..
        } = self.place;
        let mut first = None;
        let marks = self.text.marks.get(self.next..).unwrap_or_default();
        for mark in marks {
            match mark.kind {
                MarkKind::Text { .. } | MarkKind::Escape { .. } => {}
                MarkKind::Title {
                    optional: false, ..
                } if shift == 0 => {}
                MarkKind::Variable(index)
                    if self
                        .variables
                        .get(usize::from(index))
                        .is_some_and(Variable::is_plain) =>
                {
                    let at = mark.at as usize;
                    buffer.push_str(self.text.literal.get(self.pos..at).unwrap_or_default());
                    self.pos = at;
                    first.get_or_insert(buffer.len());
                    let index = usize::from(index);
                    let written = node.variable(index, &mut Output::text(buffer).for_item(item));
                    written.map_err(|_| failed(node.info(), index))?;
                }
                _ => break,
            }
            self.next += 1;
        }
        if let Some(first) = first {
            self.dropped_line = false;
            writer.depends_from(first);
        }
        Ok(())
    }

    #[inline]
    fn copy_to(&mut self, at: usize, writer: &mut Writer<'_, 'a>) {
        if at > self.pos {
            let piece = self.text.literal.get(self.pos..at).unwrap_or_default();
            self.pos = at;
            self.dropped_line = false;
            writer.literal(piece);
        }
    }

    /// Copies without the line breaks at the end.
    fn copy_lines_to(&mut self, at: usize, writer: &mut Writer<'_, 'a>) {
        let piece = self.text.literal.get(self.pos..at).unwrap_or_default();
        self.copy_to(self.pos + piece.trim_end_matches('\n').len(), writer);
        self.pos = at;
    }

    /// Prints the words of the heading that stopped the walk, without hashes, and goes on behind its line.
    pub(crate) fn title_words(
        &mut self,
        title: &TitleStop,
        words: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        let end = self.pos + title.len;
        self.pos += usize::from(title.level) + 1;
        let text = self.text;
        for mark in text.marks.iter().skip(self.next).take(title.marks) {
            if let MarkKind::Variable(index) | MarkKind::Block(index) = mark.kind {
                self.variable(mark.at as usize, index, false, words)?;
            }
        }
        self.next += title.marks;
        self.copy_to(end, words);
        Ok(())
    }

    /// What follows is the start of a text again: behind a heading that became a tag.
    pub(crate) fn restart(&mut self, writer: &Writer<'_, 'a>) {
        let rest = self.text.literal.get(self.pos..).unwrap_or_default();
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        let next = self
            .text
            .marks
            .get(self.next)
            .map_or(usize::MAX, |mark| mark.at as usize);
        self.pos = (self.pos + breaks).min(next.max(self.pos));
        self.start = writer.len();
    }

    #[inline]
    fn variable(
        &mut self,
        at: usize,
        index: u16,
        block: bool,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        self.copy_to(at, writer);
        if index >= Text::SUBSECTIONS {
            let [title, key, subsections] = self.place.special;
            writer.literal(match index {
                Text::TITLE => title,
                Text::KEY => key,
                _ => subsections,
            });
            return Ok(());
        }
        let Place {
            node,
            item,
            guarding,
            untrusted,
            ..
        } = self.place;
        let index = usize::from(index);
        let plain = self.variables.get(index).is_some_and(Variable::is_plain);
        if plain && !block && self.is_plain && writer.is_plain() {
            let written = writer.plain_value(item, |output| node.variable(index, output));
            return written.map(drop).map_err(|_| failed(node.info(), index));
        }
        let mut treatment = Treatment {
            block,
            untrusted,
            guarding,
            item,
            ..Treatment::default()
        };
        if let Some(variable) = self.variables.get(index) {
            treatment.hang = variable.hang;
            treatment.raw = variable.raw;
            treatment.untrusted |= variable.untrusted;
        }
        if let Some(code) = &mut self.code {
            code.untrusted |= treatment.untrusted;
            treatment.in_code = true;
        }
        match writer.value(treatment, |output| node.variable(index, output)) {
            Ok(_) => Ok(()),
            Err(_) => Err(failed(node.info(), index)),
        }
    }

    #[inline]
    fn title(
        &mut self,
        at: usize,
        level: u8,
        optional: bool,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        if optional || !self.tentative.is_empty() {
            self.copy_to(at, writer);
            self.settle(level, writer);
        }
        if optional {
            self.tentative.push(Tentative {
                level,
                before: writer.point(),
                after: usize::MAX,
            });
        }
        if self.place.shift != 0 || level > 6 {
            self.copy_to(at, writer);
            self.pos = at + usize::from(level);
            writer.hashes(
                self.place
                    .overflow
                    .level(i32::from(level) + self.place.shift)?,
            );
        }
        Ok(())
    }

    /// Takes back the tentative headings of this level and below under which nothing was printed.
    fn settle(&mut self, level: u8, writer: &mut Writer<'_, 'a>) {
        while let Some(heading) = self.tentative.pop_if(|heading| heading.level >= level) {
            if writer.len() != heading.after {
                continue;
            }
            if heading.before.len > self.start {
                writer.truncate(heading.before.len);
            } else {
                writer.rollback(heading.before);
            }
        }
    }

    fn gap(&mut self, at: usize, len: usize, writer: &mut Writer<'_, 'a>) {
        self.copy_to(at, writer);
        self.pos = at + len;
        if let Some(heading) = self.tentative.last_mut()
            && heading.after == usize::MAX
        {
            heading.after = writer.len();
            writer.tentative_since(heading.before.len);
        }
        let Some(gap) = self.text.literal.get(at..at + len) else {
            return;
        };
        let same_paragraph = self.dropped_line && writer.owes() && gap.matches('\n').count() == 1;
        if writer.len() > self.start && !same_paragraph {
            writer.owe(gap);
        }
    }

    /// A fence around untrusted values grows until none of them can close it.
    fn code_end(&mut self, at: usize, len: usize, writer: &mut Writer<'_, 'a>) {
        self.copy_to(at, writer);
        let Some(fence) = self.code.take().filter(|fence| fence.untrusted) else {
            return;
        };
        // A gap that was owed where the block began, or the indentation of its slot, stands before the fence.
        let printed = writer.since(fence.at);
        let block = printed.trim_start_matches(['\n', ' ']);
        let start = fence.at + printed.len() - block.len();
        let Some(mark) = block.chars().next() else {
            return;
        };
        let longest =
            crate::xml::longest_fence_run(block.get(fence.len..).unwrap_or_default(), mark);
        let extra = (longest + 1).saturating_sub(fence.len);
        if longest < fence.len || len == 0 {
            return;
        }
        writer.insert(start, &mark.to_string().repeat(extra));
        let close = self.text.literal.get(at..at + len).unwrap_or_default();
        self.copy_to(at + close.len() - close.trim_start().len(), writer);
        writer.repeat(mark, extra);
    }
}

/// Why a variable printed nothing.
pub(crate) fn failed(info: &NodeInfo, index: usize) -> PromptError {
    let variable = info.variables.get(index);
    let name = variable
        .map(|variable| variable.source.to_string())
        .unwrap_or_default();
    match variable {
        Some(variable) if variable.missing => PromptError::MissingValue {
            path: String::new(),
            name,
        },
        _ => PromptError::FailedValue {
            path: String::new(),
            name,
        },
    }
}

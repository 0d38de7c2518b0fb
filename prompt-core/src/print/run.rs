//! Walks one text of a node: copies the literal from mark to mark, writes variables, asks conditions, moves headings to
//! their level, and stops at slots so that the caller can embed what goes there.

use super::{
    ask::Ask,
    look::HeadingOverflow,
    writer::{Point, Treatment, Writer},
};
use crate::error::PromptError;
use crate::node::{Describe, Guarding, NodeInfo, Output, Text, ValueTreatment};
use crate::outline::Host;
use crate::xml::FenceRange;
use prompt_syntax::{Mark, MarkKind, Special, Target};
use std::{cell::RefCell, fmt};

/// What a text needs to know of the place where it stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Whose variables and conditions the marks count.
    pub(super) host: Host<'a>,
    /// The item (from 0) that item templates are about.
    pub(super) item: usize,
    /// Added to every level.
    pub(super) shift: i32,
    pub(super) overflow: HeadingOverflow,
    pub(super) guarding: Guarding,
    pub(super) untrusted: bool,
}

/// A slot that was reached.
pub(super) struct Slot {
    pub(super) target: Target,
    pub(super) level: i32,
    pub(super) indent: usize,
}

/// A heading that goes if nothing comes under it.
struct Tentative<'a> {
    level: u8,
    before: Point<'a>,
    after: usize,
}

/// Where a walk stopped.
pub(super) enum Stop {
    /// At a slot: what goes there is the caller's.
    Slot(Slot),
    /// At a heading, in a text whose headings become tags.
    Title(TitleStop),
    /// At the title, the key or the subsections of the section that a template is about.
    Special(Special),
}

/// A heading at which the walk stopped.
pub(super) struct TitleStop {
    pub(super) level: u8,
    pub(super) optional: bool,
    len: usize,
    /// One past the last of its marks.
    last: usize,
    /// Whether a value or condition decides what it says.
    pub(super) is_computed: bool,
}

/// A line that goes, with its break, if nothing but its head is printed of it.
struct OpenLine<'a> {
    before: Point<'a>,
    /// Where its head ends in the literal.
    head: usize,
    /// What was printed when its head was.
    after_head: Option<usize>,
}

/// The walk over one text, at some mark.
pub(super) struct Run<'a> {
    text: &'a Text,
    pub(super) place: Place<'a>,
    /// Whether the place asks for no treatment of values.
    is_plain: bool,
    next: usize,
    pos: usize,
    start: usize,
    /// Headings stop the walk instead of being printed.
    titles_stop: bool,
    /// The line that ends next came out empty.
    line_is_gone: bool,
    line: Option<OpenLine<'a>>,
    code: Option<Fence>,
    tentative: Vec<Tentative<'a>>,
    pub(super) saw_subtree: bool,
}

/// The fence of the code block that the walk is in.
#[derive(Clone, Copy)]
struct Fence {
    at: usize,
    len: usize,
    untrusted: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(text: &'a Text, place: Place<'a>, writer: &Writer<'_, 'a>) -> Self {
        Self {
            text,
            place,
            is_plain: !place.untrusted && place.guarding == Guarding::Default,
            next: 0,
            pos: 0,
            start: writer.len(),
            titles_stop: false,
            line_is_gone: false,
            line: None,
            code: None,
            tentative: Vec::new(),
            saw_subtree: false,
        }
    }

    /// Stops at headings.
    pub(super) fn stopping_at_titles(mut self) -> Self {
        self.titles_stop = true;
        self
    }

    /// Goes on to the next stop, or to the end (`None`).
    pub(super) fn advance(
        &mut self,
        ask: &Ask<'_, 'a>,
        fences: &mut Vec<FenceRange>,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<Option<Stop>, PromptError> {
        loop {
            self.copy_plain(ask, writer)?;
            let Some(mark) = self.text.marks.get(self.next) else {
                break;
            };
            self.next += 1;
            let at = mark.at as usize;
            match mark.kind {
                MarkKind::Text { .. } | MarkKind::Escape { .. } | MarkKind::End { .. } => {}
                MarkKind::Variable(index) => self.variable(at, index, false, ask, writer)?,
                MarkKind::Block(index) => self.variable(at, index, true, ask, writer)?,
                MarkKind::Special(special) => {
                    self.copy_to(at, writer);
                    return Ok(Some(Stop::Special(special)));
                }
                MarkKind::Title {
                    level,
                    optional,
                    len,
                    marks,
                    ..
                } => {
                    let last = self.next + usize::from(marks);
                    let from = self.next;
                    if !self.title_holds(at, ask, writer) {
                        continue;
                    }
                    if self.titles_stop {
                        self.copy_lines_to(at, writer);
                        return Ok(Some(Stop::Title(TitleStop {
                            level,
                            optional,
                            len: len as usize,
                            last,
                            is_computed: from < last,
                        })));
                    }
                    if optional && marks > 0 {
                        self.copy_to(at, writer);
                        writer.depends();
                    }
                    self.title(at, level, optional, writer)?;
                }
                MarkKind::Gap { len, ends_line } => self.gap(at, len as usize, ends_line, writer),
                MarkKind::Line { head } => {
                    self.copy_to(at, writer);
                    writer.depends();
                    self.line = Some(OpenLine {
                        before: writer.point(),
                        head: self.end_of_head(at + usize::from(head)),
                        after_head: None,
                    });
                }
                MarkKind::If {
                    condition,
                    negated,
                    end,
                    ..
                } => {
                    self.copy_to(at, writer);
                    writer.depends();
                    if ask.holds(self.place.host, condition, self.place.item) == negated {
                        writer.vanish();
                        self.jump(end as usize);
                    }
                }
                MarkKind::Else { end, .. } => {
                    self.copy_to(at, writer);
                    self.jump(end as usize);
                }
                MarkKind::Code { indent, fence, .. } => {
                    self.copy_to(at + usize::from(indent), writer);
                    self.code = Some(Fence {
                        at: writer.len(),
                        len: fence as usize,
                        untrusted: false,
                    });
                }
                MarkKind::CodeEnd { len } => self.code_end(at, len as usize, fences, writer),
                MarkKind::Slot {
                    target,
                    level,
                    indent,
                    ..
                } => {
                    self.copy_to(at, writer);
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
        self.close_line(writer);
        self.settle(0, writer);
        Ok(None)
    }

    /// What a slot embeds has been printed: `before` bytes were there when it was reached.
    pub(super) fn filled(&mut self, before: usize, writer: &mut Writer<'_, 'a>) {
        if writer.len() == before {
            self.line_is_gone = true;
            writer.vanish_with_blank_lines();
        }
    }

    /// Goes on as long as nothing but literal text and plain variables comes: the usual text, without the questions.
    fn copy_plain(
        &mut self,
        ask: &Ask<'_, 'a>,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        let idle = self.is_plain && !self.titles_stop && self.tentative.is_empty();
        if !idle || self.code.is_some() || self.line.is_some() {
            return Ok(());
        }
        let Some(buffer) = writer.plain_buffer() else {
            return Ok(());
        };
        let Place {
            host, item, shift, ..
        } = self.place;
        let mut first = None;
        let marks = self.text.marks.get(self.next..).unwrap_or_default();
        for mark in marks {
            match mark.kind {
                MarkKind::Text { .. } | MarkKind::Escape { .. } | MarkKind::End { .. } => {}
                MarkKind::Title {
                    optional: false, ..
                } if shift == 0 => {}
                MarkKind::Variable(index)
                    if treatment(host.info, index) == ValueTreatment::USUAL =>
                {
                    let at = mark.at as usize;
                    buffer.push_str(self.text.literal.get(self.pos..at).unwrap_or_default());
                    self.pos = at;
                    first.get_or_insert(buffer.len());
                    ask.variable_into(host, index, item, buffer)
                        .map_err(|_| failed(host.info, index))?;
                }
                _ => break,
            }
            self.next += 1;
        }
        if let Some(first) = first {
            self.line_is_gone = false;
            writer.depends_from(first);
        }
        Ok(())
    }

    #[inline]
    fn copy_to(&mut self, at: usize, writer: &mut Writer<'_, 'a>) {
        if at <= self.pos {
            return;
        }
        if self.line.is_some() {
            self.pass_head(at, writer);
        }
        let piece = self.text.literal.get(self.pos..at).unwrap_or_default();
        self.pos = self.pos.max(at);
        writer.literal(piece);
    }

    /// Where the head of a line ends, which begins with the mark that comes now: what values print is not part of it.
    fn end_of_head(&self, end: usize) -> usize {
        match self.text.marks.get(self.next) {
            Some(Mark {
                at,
                kind: MarkKind::Variable(_) | MarkKind::Block(_) | MarkKind::If { .. },
            }) => end.min(*at as usize),
            _ => end,
        }
    }

    /// Prints the head of a line that may go, and notes what was printed then.
    fn pass_head(&mut self, at: usize, writer: &mut Writer<'_, 'a>) {
        let Some(line) = self.line.as_mut().filter(|line| line.after_head.is_none()) else {
            return;
        };
        if at < line.head {
            return;
        }
        let head = self
            .text
            .literal
            .get(self.pos..line.head)
            .unwrap_or_default();
        self.pos = self.pos.max(line.head);
        writer.literal(head);
        line.after_head = Some(writer.len());
    }

    /// Goes on behind the mark with this index.
    fn jump(&mut self, mark: usize) {
        if let Some(mark) = self.text.marks.get(mark) {
            self.pos = self.pos.max(mark.at as usize);
        }
        self.next = mark + 1;
    }

    /// Copies without the line breaks at the end.
    fn copy_lines_to(&mut self, at: usize, writer: &mut Writer<'_, 'a>) {
        let piece = self.text.literal.get(self.pos..at).unwrap_or_default();
        self.copy_to(self.pos + piece.trim_end_matches('\n').len(), writer);
        self.pos = self.pos.max(at);
    }

    /// Prints the words of the heading that stopped the walk, without hashes, and goes on behind its line.
    pub(super) fn title_words(
        &mut self,
        title: &TitleStop,
        ask: &Ask<'_, 'a>,
        words: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        let end = self.pos + title.len;
        let last = title.last;
        self.pos += usize::from(title.level) + 1;
        while let Some(mark) = self.text.marks.get(self.next).filter(|_| self.next < last) {
            self.next += 1;
            let at = mark.at as usize;
            match mark.kind {
                MarkKind::Variable(index) | MarkKind::Block(index) => {
                    self.variable(at, index, false, ask, words)?;
                }
                MarkKind::If {
                    condition,
                    negated,
                    end,
                    ..
                } => {
                    self.copy_to(at, words);
                    if ask.holds(self.place.host, condition, self.place.item) == negated {
                        self.jump(end as usize);
                    }
                }
                MarkKind::Else { end, .. } => {
                    self.copy_to(at, words);
                    self.jump(end as usize);
                }
                _ => {}
            }
        }
        self.copy_to(end, words);
        Ok(())
    }

    /// What follows is the start of a text again: behind a heading that became a tag.
    pub(super) fn restart(&mut self, writer: &Writer<'_, 'a>) {
        let rest = self.text.literal.get(self.pos..).unwrap_or_default();
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        let next = self.text.marks.get(self.next);
        let next = next.map_or(usize::MAX, |mark| mark.at as usize);
        self.pos = (self.pos + breaks).min(next.max(self.pos));
        self.start = writer.len();
    }

    fn variable(
        &mut self,
        at: usize,
        index: u16,
        block: bool,
        ask: &Ask<'_, 'a>,
        writer: &mut Writer<'_, 'a>,
    ) -> Result<(), PromptError> {
        self.copy_to(at, writer);
        if self.line.is_some() {
            self.pass_head(at, writer);
        }
        let Place {
            host,
            item,
            guarding,
            untrusted,
            ..
        } = self.place;
        let own = treatment(host.info, index);
        let treatment = Treatment {
            block,
            hang: own.hang,
            raw: own.raw,
            untrusted: untrusted || own.untrusted,
            guarding,
            item,
        };
        if treatment.untrusted
            && let Some(code) = &mut self.code
        {
            code.untrusted = true;
        }
        let before = writer.len();
        writer
            .value(treatment, |output| ask.variable(host, index, output))
            .map_err(|_| failed(host.info, index))?;
        if treatment.untrusted
            && let Some(code) = self.code
        {
            writer.depends_no_later_than(code.at);
        }
        if block && writer.len() == before {
            self.line_is_gone = true;
        }
        writer.comes_from(before, || (host.row, source(host.info, index)));
        Ok(())
    }

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
            self.pos = at + usize::from(level) + 1;
            writer.hashes(
                self.place
                    .overflow
                    .level(i32::from(level) + self.place.shift)?,
            );
        }
        Ok(())
    }

    /// Asks the conditions that stand before a heading on its line; goes on behind it where one fails.
    fn title_holds(&mut self, at: usize, ask: &Ask<'_, 'a>, writer: &mut Writer<'_, 'a>) -> bool {
        while let Some(mark) = self.text.marks.get(self.next) {
            let MarkKind::If {
                condition,
                negated,
                end,
                ..
            } = mark.kind
            else {
                break;
            };
            if mark.at as usize != at {
                break;
            }
            self.next += 1;
            self.copy_to(at, writer);
            writer.depends();
            if ask.holds(self.place.host, condition, self.place.item) == negated {
                writer.vanish();
                self.jump(end as usize);
                return false;
            }
        }
        true
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

    /// White space beside something that may come out empty.
    fn gap(&mut self, at: usize, len: usize, ends_line: bool, writer: &mut Writer<'_, 'a>) {
        self.copy_to(at, writer);
        self.pos = self.pos.max(at + len);
        if ends_line {
            self.close_line(writer);
        }
        if let Some(heading) = self.tentative.last_mut()
            && heading.after == usize::MAX
        {
            heading.after = writer.len();
            writer.tentative_since(heading.before.len);
        }
        let Some(gap) = self.text.literal.get(at..at + len) else {
            return;
        };
        let came_out_empty = ends_line && std::mem::take(&mut self.line_is_gone);
        if writer.len() <= self.start {
            return;
        }
        let blank = if ends_line {
            writer.end_line(came_out_empty);
            gap.split_once('\n').map_or("", |(_, blank)| blank)
        } else {
            gap
        };
        if !blank.is_empty() {
            writer.blank_lines(blank);
        }
    }

    /// Takes back a line of which nothing but its head, or blanks, was printed.
    fn close_line(&mut self, writer: &mut Writer<'_, 'a>) {
        let at = self.pos.max(self.line.as_ref().map_or(0, |line| line.head));
        if self.line.is_some() {
            self.pass_head(at, writer);
        }
        let Some(line) = self.line.take() else {
            return;
        };
        let printed = writer.since(line.after_head.unwrap_or(line.before.len));
        if printed.trim_matches([' ', '\t', '\n']).is_empty() {
            writer.rollback(line.before);
            writer.vanish();
            self.line_is_gone = true;
        }
    }

    /// A fence around untrusted values grows until none of them can close it: its place is noted for that.
    fn code_end(
        &mut self,
        at: usize,
        len: usize,
        fences: &mut Vec<FenceRange>,
        writer: &mut Writer<'_, 'a>,
    ) {
        self.copy_to(at, writer);
        let close = self.text.literal.get(at..at + len).unwrap_or_default();
        let Some(fence) = self.code.take().filter(|fence| fence.untrusted) else {
            return;
        };
        // A gap that was owed where the block began, or the indentation of its slot, stands before the fence.
        let printed = writer.since(fence.at);
        let start = fence.at + printed.len() - printed.trim_start_matches(['\n', ' ']).len();
        self.copy_to(at + len, writer);
        let end = writer.len();
        let marks = close.trim_end_matches([' ', '\t']);
        let trailing = close.len() - marks.len();
        let marks = marks.trim_start_matches([' ', '\t']).len();
        fences.push(FenceRange {
            open: start..start + fence.len,
            close: (len > 0).then(|| end - trailing - marks..end - trailing),
        });
    }
}

fn treatment(info: &NodeInfo, index: u16) -> ValueTreatment {
    info.variables
        .get(usize::from(index))
        .map_or(ValueTreatment::USUAL, |variable| variable.treatment)
}

/// What a variable is called in its text.
fn source(info: &NodeInfo, index: u16) -> String {
    let variable = info.variables.get(usize::from(index));
    variable.map_or_else(String::new, |variable| variable.source.to_string())
}

/// Why a variable printed nothing.
pub(super) fn failed(info: &NodeInfo, index: u16) -> PromptError {
    info.failed(usize::from(index))
}

/// Prints a template whose variables and conditions closures answer: that of an item of a list.
pub(crate) fn template(
    output: &mut Output<'_>,
    text: &Text,
    put: &mut dyn FnMut(usize, &mut Output<'_>) -> fmt::Result,
    holds: &dyn Fn(usize) -> bool,
) -> fmt::Result {
    let (mut printed, put) = (String::new(), RefCell::new(put));
    let node = Closures { put, holds };
    let mut writer = Writer::new(&mut printed);
    writer.track_values();
    let place = Place {
        host: Host {
            node: &node,
            info: NodeInfo::EMPTY,
            row: None,
        },
        item: output.item(),
        shift: 0,
        overflow: HeadingOverflow::Clamp,
        guarding: Guarding::Default,
        untrusted: false,
    };
    let mut run = Run::new(text, place, &writer);
    while let Some(_stop) = run
        .advance(&Ask::ALONE, &mut Vec::new(), &mut writer)
        .map_err(|_| fmt::Error)?
    {}
    let values: Vec<_> = writer
        .take_values()
        .into_iter()
        .map(|value| value.range)
        .collect();
    output.pieces(&printed, &values);
    Ok(())
}

/// Writes a variable.
type Put<'c> = dyn FnMut(usize, &mut Output<'_>) -> fmt::Result + 'c;

/// A node that closures answer for.
struct Closures<'c> {
    put: RefCell<&'c mut Put<'c>>,
    holds: &'c dyn Fn(usize) -> bool,
}

impl Describe for Closures<'_> {
    fn info(&self) -> &NodeInfo {
        NodeInfo::EMPTY
    }

    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        (self.put.borrow_mut())(index, output)
    }

    fn condition(&self, index: usize, _: usize) -> bool {
        (self.holds)(index)
    }
}

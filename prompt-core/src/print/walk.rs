//! Walks an outline with a stack of its own, so that depth costs memory and not the thread's stack, and prints it.

use super::{
    ask::Ask,
    job::{Job, PrintedText, Span, WrittenTag},
    look::{Numbering, Style},
    run::{Place, Run, Stop},
    state::{CloseFrame, Frame, ItemsFrame, NodeFrame, Printer, Scope, SectionsFrame},
    tag,
    words::Words,
    writer::Writer,
};
use crate::error::PromptError;
use crate::node::{Content, DEEPEST_COLUMN, Guarding, SectionInfo, Text};
use crate::outline::{Host, NO_HOST, Row, RowId, Step};
use crate::show::Form;
use crate::visibility::Visibility;
use prompt_syntax::Target;
use std::borrow::Cow;

/// Appends a tree to `buffer`. On an error the buffer is as it was.
///
/// # Errors
/// See [`PromptError`].
pub(crate) fn print<'a>(
    job: Job<'_, 'a>,
    buffer: &mut String,
) -> Result<PrintedText<'a>, PromptError> {
    let before = buffer.len();
    if job.shown.forms.iter().all(|form| *form == Form::Full) {
        buffer.reserve(job.outline.bytes);
    }
    let mut printer = Printer::new(job, buffer);
    let result = printer
        .start()
        .and_then(|()| printer.finish())
        .map_err(|error| error.at(|| printer.path()));
    let leftover = printer.leftover();
    let finished = result.and_then(|()| leftover.complete(job, buffer, before));
    if finished.is_err() {
        buffer.truncate(before);
    }
    finished
}

/// The title of the section at a row.
///
/// # Errors
/// Where a value in it cannot be printed.
pub(crate) fn title(job: Job<'_, '_>, id: RowId) -> Result<Words, PromptError> {
    let mut buffer = String::new();
    let title = Printer::new(job, &mut buffer).title(id, &mut None);
    title.map_err(|error| error.at(|| job.outline.path(id).into()))
}

impl<'p, 'a> Printer<'p, 'a> {
    pub(super) fn new(job: Job<'p, 'a>, buffer: &'p mut String) -> Self {
        let Job {
            outline,
            shown,
            look,
            collected,
            memo,
            reduced,
            with_spans,
            with_sources,
            with_summaries,
        } = job;
        let mut printer = Self {
            outline,
            shown,
            ask: Ask {
                tree: Some((outline, shown)),
                memo,
            },
            look,
            collected,
            reduced,
            writer: Writer::new(buffer),
            fences: Vec::new(),
            frames: Vec::new(),
            open: Vec::new(),
            numbers: Vec::new(),
            declared_numbers: Vec::new(),
            with_spans,
            with_summaries,
            summaries: Vec::new(),
            spans: Vec::with_capacity(if with_spans { outline.rows.len() } else { 0 }),
            tags: Vec::new(),
            static_tags: Vec::new(),
            is_summarised: false,
        };
        if look.style == Style::Xml || outline.needs_guarding() {
            printer.writer.track_values();
        }
        if with_sources {
            printer.writer.track_sources();
        }
        printer
    }

    pub(super) fn start(&mut self) -> Result<(), PromptError> {
        let base = i32::from(self.look.base_level);
        let mut scope = Scope {
            level: base,
            depth: 0,
            numbered: self.look.numbering == Numbering::Decimal,
            heading: None,
            tight: false,
            suffix: None,
            guarding: Guarding::Default,
            untrusted: false,
            indent: self.look.indent,
        };
        if self.outline.varies {
            self.writer.depends();
        }
        let outline = self.outline;
        let Some(host) = outline.host(None) else {
            let row = root_row();
            return self.embedded(None, &outline.root, &row, scope);
        };
        let markup = &host.info.container.markup;
        if let Some(name) = &markup.tag {
            let before = self.writer.point();
            if tag::is_computed(&markup.attributes, false) {
                self.writer.depends();
            }
            let mut tag = self.open_tag(Cow::Borrowed(name), scope, markup.inline);
            self.attributes(&mut tag, &markup.attributes, host, 0, &Words::fixed(""))?;
            self.end_of_open_tag(&mut tag);
            self.writer.tentative_since(before.len);
            self.frames.push(Frame::Close(CloseFrame {
                span: None,
                body: 0,
                before,
                tag: Some(tag),
                is_section: false,
                may_vanish: false,
            }));
            scope.depth = 1;
        }
        self.node(host, scope, base - 1)
    }

    pub(super) fn finish(&mut self) -> Result<(), PromptError> {
        loop {
            if let Some(Frame::Sections(_)) = self.frames.last() {
                self.step_sections()?;
                continue;
            }
            let Some(frame) = self.frames.pop() else {
                break;
            };
            match frame {
                Frame::Node(frame) => self.step_node(*frame)?,
                Frame::Sections(_) => {}
                Frame::Items(frame) => self.step_items(frame)?,
                Frame::Close(frame) => self.close(frame),
            }
        }
        if self.look.style == Style::Xml && self.writer.len() > 0 {
            self.writer.owe("");
            self.writer.literal("\n");
        }
        Ok(())
    }

    pub(super) fn path(&self) -> String {
        let open = self.open.last().map(|id| self.outline.path(*id));
        open.map_or_else(String::new, Into::into)
    }

    pub(super) fn place(
        &self,
        host: Host<'a>,
        scope: &Scope<'a>,
        shift: i32,
        item: usize,
    ) -> Place<'a> {
        Place {
            host,
            item,
            shift,
            overflow: self.look.overflow,
            guarding: scope.guarding,
            untrusted: scope.untrusted,
        }
    }

    /// Prints a node whose text moves by `shift` levels, up to the first section in it.
    pub(super) fn node(
        &mut self,
        host: Host<'a>,
        scope: Scope<'a>,
        shift: i32,
    ) -> Result<(), PromptError> {
        let container = &host.info.container;
        if !host.info.tags.is_empty() {
            self.static_tags.push(&host.info.tags);
        }
        let scope = Scope {
            heading: container.heading.form.as_ref(),
            tight: container.heading.tight,
            suffix: container.summary_suffix.as_ref().or(scope.suffix),
            numbered: container.numbered.unwrap_or(scope.numbered),
            ..scope
        };
        let start = self.writer.len();
        if !container.start.is_empty() {
            self.writer.literal(&container.start);
        }
        if container.end.is_empty() && self.text_at_once(host, &scope, shift)? {
            if !host.info.sections.is_empty() {
                self.sections_at_the_end(host, scope, shift, start);
            }
            return Ok(());
        }
        let place = self.place(host, &scope, shift, 0);
        let mut run = Run::new(&host.info.text, place, &self.writer);
        if self.look.style == Style::Xml {
            run = run.stopping_at_titles();
        }
        self.step_node(NodeFrame {
            host,
            run,
            scope,
            titles: Vec::new(),
            start,
            slot: None,
            is_done: false,
        })
    }

    /// Goes on with a node until sections are to be printed; then the node waits below them.
    pub(super) fn step_node(&mut self, mut frame: NodeFrame<'a>) -> Result<(), PromptError> {
        if let Some(before) = frame.slot.take() {
            frame.run.filled(before, &mut self.writer);
        }
        while !frame.is_done {
            let stop = frame
                .run
                .advance(&self.ask, &mut self.fences, &mut self.writer)?;
            match stop {
                Some(Stop::Slot(slot)) => {
                    let scope = Scope {
                        level: slot.level,
                        depth: frame.depth(),
                        ..frame.scope
                    };
                    let (host, shift) = (frame.host, frame.run.place.shift);
                    let before = self.writer.len();
                    if slot.target == Target::Collected {
                        self.print_collected(host.row, &scope, slot.indent)?;
                        frame.run.filled(before, &mut self.writer);
                        continue;
                    }
                    frame.slot = Some(before);
                    self.frames.push(Frame::Node(Box::new(frame)));
                    let only = match slot.target {
                        Target::Section(index) => Some(u32::from(index)),
                        _ => None,
                    };
                    self.sections(host, scope, shift, only, slot.indent);
                    return Ok(());
                }
                Some(Stop::Title(title)) => self.title_tag(&mut frame, &title)?,
                Some(Stop::Special(_)) => {}
                None => {
                    frame.is_done = true;
                    let is_placed = |section: &SectionInfo| section.placed;
                    let sections = &frame.host.info.sections;
                    if !frame.run.saw_subtree && !sections.iter().all(is_placed) {
                        self.sections_without_place(frame);
                        return Ok(());
                    }
                }
            }
        }
        self.close_titles(&mut frame, 0);
        let end = &frame.host.info.container.end;
        if !end.is_empty() {
            self.writer.owe("");
            self.writer.literal(end);
        }
        Ok(())
    }

    /// Sections that no slot takes follow at the end of the text.
    pub(super) fn sections_without_place(&mut self, frame: NodeFrame<'a>) {
        let (host, start, shift) = (frame.host, frame.start, frame.run.place.shift);
        let scope = Scope {
            depth: frame.depth(),
            ..frame.scope
        };
        if !frame.titles.is_empty() || !host.info.container.end.is_empty() {
            self.frames.push(Frame::Node(Box::new(frame)));
        }
        self.sections_at_the_end(host, scope, shift, start);
    }

    /// The same, where `start` was printed when the node began.
    fn sections_at_the_end(&mut self, host: Host<'a>, scope: Scope<'a>, shift: i32, start: usize) {
        let level = host.info.container.heading.level;
        let level = i32::from(level.unwrap_or(host.info.text.end)) + shift;
        self.sections(host, Scope { level, ..scope }, shift, None, 0);
        if let Some(Frame::Sections(sections)) = self.frames.last_mut() {
            sections.start = start;
        }
    }

    pub(super) fn sections(
        &mut self,
        host: Host<'a>,
        scope: Scope<'a>,
        shift: i32,
        only: Option<u32>,
        columns: usize,
    ) {
        let indent = self.writer.indent();
        self.writer
            .set_indent(indent.saturating_add(columns).min(DEEPEST_COLUMN));
        let range = match (only, host.row) {
            (Some(index), row) => match self.outline.section_row(row, index) {
                Some(id) => (id, id + 1),
                None => (0, 0),
            },
            (None, None) => (0, self.outline.len()),
            (None, Some(id)) => (id + 1, self.outline.row(id).map_or(0, |row| row.end)),
        };
        if only.is_some() && range == (0, 0) {
            // What is not there was not there because of a value.
            self.writer.depends();
        }
        self.frames.push(Frame::Sections(SectionsFrame {
            host,
            scope,
            shift,
            next: range.0,
            end: range.1,
            is_placed: only.is_some(),
            met: 0,
            start: self.writer.len(),
            indent,
        }));
    }

    /// Prints the next section of those in the frame that was pushed last.
    fn step_sections(&mut self) -> Result<(), PromptError> {
        let outline = self.outline;
        let Some(Frame::Sections(frame)) = self.frames.last_mut() else {
            return Ok(());
        };
        let Some(row) = outline.row(frame.next).filter(|_| frame.next < frame.end) else {
            let declared = frame.host.info.sections.len();
            if !frame.is_placed && (frame.met as usize) < declared {
                self.writer.depends();
            }
            self.writer.set_indent(frame.indent);
            self.frames.pop();
            return Ok(());
        };
        let id = std::mem::replace(&mut frame.next, row.end);
        let index = row.section_index();
        // What was passed over was switched off, or empty: the text depends on that from here on.
        if !frame.is_placed && frame.met < index {
            self.writer.depends();
        }
        frame.met = index + 1;
        if !frame.is_placed && row.info.placed {
            return Ok(());
        }
        let (host, mut scope, start) = (frame.host, frame.scope, frame.start);
        if let Some(level) = row.info.heading.level {
            scope.level = i32::from(level) + frame.shift;
        }
        if self.usual_section(id, row, &scope, start)? {
            return Ok(());
        }
        let number = if scope.numbered {
            self.declared_number(host, index)
        } else {
            0
        };
        self.section(id, scope, start, number)
    }

    /// The number of a section among those of its node, switched-off ones included.
    pub(super) fn declared_number(&mut self, host: Host<'a>, index: u32) -> u32 {
        let place = host.row.map_or(0, |row| row as usize + 1);
        if self.declared_numbers.len() <= place {
            self.declared_numbers.resize_with(place + 1, Vec::new);
        }
        let Some(numbers) = self.declared_numbers.get_mut(place) else {
            return 0;
        };
        if numbers.is_empty() {
            let mut number = 0;
            numbers.extend(host.info.sections.iter().map(|info| {
                number += u32::from(is_numbered(info));
                number
            }));
        }
        numbers.get(index as usize).copied().unwrap_or_default()
    }

    pub(super) fn step_items(&mut self, mut frame: ItemsFrame<'a>) -> Result<(), PromptError> {
        let Some(row) = self
            .outline
            .row(frame.next)
            .filter(|_| frame.next < frame.end)
        else {
            return Ok(());
        };
        let id = std::mem::replace(&mut frame.next, row.end);
        self.item(frame, id)
    }

    /// Prints a text without slots. Returns whether anything came out.
    pub(super) fn template(
        &mut self,
        text: &'a Text,
        host: Host<'a>,
        scope: &Scope<'a>,
        item: usize,
    ) -> Result<bool, PromptError> {
        let before = self.writer.len();
        let shift = scope.level - i32::from(text.base);
        let mut run = Run::new(text, self.place(host, scope, shift, item), &self.writer);
        if self.look.style == Style::Xml {
            run = run.stopping_at_titles();
        }
        let mut frame = NodeFrame {
            host,
            run,
            scope: *scope,
            titles: Vec::new(),
            start: before,
            slot: None,
            is_done: false,
        };
        while let Some(stop) = frame
            .run
            .advance(&self.ask, &mut self.fences, &mut self.writer)?
        {
            if let Stop::Title(title) = stop {
                self.title_tag(&mut frame, &title)?;
            }
        }
        self.close_titles(&mut frame, 0);
        Ok(self.writer.len() > before)
    }

    /// Enters a section into the table.
    pub(super) fn enter(
        &mut self,
        id: RowId,
        title: impl FnOnce() -> Words,
        form: Form,
        level: i32,
    ) -> usize {
        self.open.push(id);
        self.writer.open_span();
        self.is_summarised |= form == Form::Summary;
        if !self.with_spans && !self.writer.tracks() {
            return usize::MAX;
        }
        // Where no table is wanted only the places count.
        let title = self.with_spans.then(title);
        self.spans.push(Span {
            row: id,
            title: title.unwrap_or_else(|| Words::fixed("")),
            level: u8::try_from(level.clamp(1, 6)).unwrap_or(6),
            form,
            start: 0,
            end: 0,
            body: 0,
        });
        self.spans.len() - 1
    }

    /// Ends a section: `before` was printed when it began.
    pub(super) fn leave(&mut self, span: usize, before: usize, body: usize) {
        self.open.pop();
        let len = self.writer.len();
        let start = self.writer.close_span();
        if let Some(span) = self.spans.get_mut(span) {
            let is_there = len > before;
            span.start = if is_there { start.min(len) } else { len };
            span.end = len;
            span.body = body.clamp(span.start, len);
        }
    }

    /// Enters a tag into the table.
    pub(super) fn note_tag(&mut self, name: Cow<'a, str>, depth: usize) {
        let row = self.open.last().copied();
        // Where no table is wanted only the names count, and neighbours mostly have the same.
        if !self.with_spans && self.tags.last().is_some_and(|last| last.name == name) {
            return;
        }
        self.tags.push(WrittenTag { name, depth, row });
    }
}

fn is_numbered(info: &SectionInfo) -> bool {
    !info.is_untitled() && info.markup.tag.is_none() && info.policy.role.is_none()
}

/// Describes a root that is not a node with a text of its own.
fn root_row() -> Row<'static> {
    static ROOT: SectionInfo = SectionInfo::DEFAULT;
    Row {
        parent: None,
        end: 0,
        depth: 0,
        host: NO_HOST,
        info: &ROOT,
        step: Step::Section(0),
        key: Cow::Borrowed(""),
        name: None,
        content: Content::Absent,
        declared: Visibility::Full,
        priority: None,
        own_priority: None,
        conditional: true,
        is_empty: false,
        is_list: false,
    }
}

//! How it looks: from an outline and the forms of its rows to text and spans.
//!
//! The printer walks with a stack of its own. A frame is something that is being printed: a node's own text with what
//! follows it, a run of sections in a slot, the items of a list, or an opened section that waits to be closed.

mod ask;
mod content;
mod contexts;
mod run;
mod section;
mod tag;
mod wording;
mod writer;

pub(crate) use ask::Memo;
pub(crate) use contexts::Contexts;
pub(crate) use section::Words;
pub use wording::Wording;

use crate::error::PromptError;
use crate::node::{Content, Guarding, Output, SectionInfo, Text};
use crate::outline::{Host, NO_HOST, Outline, Row, RowId, Step};
use crate::show::{Form, Shown};
use crate::xml::{self, FenceRange, Finished, ValueRange};
use ask::Ask;
use prompt_syntax::Target;
use run::{Place, Run, Stop};
use section::Unit;
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    collections::HashMap,
    fmt::{self, Write as _},
};
use tag::{DEEPEST_COLUMN, OpenTag, TitleTag};
use writer::{Point, Writer};

/// How sections are set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Headings; tags only where a section says so.
    #[default]
    Markdown,
    /// Every section is a tag.
    Xml,
}

/// Numbers before generated headings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Numbering {
    /// None.
    #[default]
    None,
    /// `## 1. Task`, `### 1.1. Sub`. Fixed by declaration: a hidden section leaves a gap.
    Decimal,
}

/// What happens to a heading past level 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadingOverflow {
    /// It stays at level 6.
    #[default]
    Clamp,
    /// Rendering fails with [`PromptError::HeadingLevel`].
    Error,
}

impl HeadingOverflow {
    fn level(self, level: i32) -> Result<usize, PromptError> {
        let wanted = usize::try_from(level).unwrap_or(1).max(1);
        match self {
            Self::Error if wanted > 6 => Err(PromptError::HeadingLevel {
                path: String::new(),
                level: wanted,
            }),
            _ => Ok(wanted.min(6)),
        }
    }
}

/// How a prompt looks.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) style: Style,
    pub(crate) base_level: u8,
    pub(crate) numbering: Numbering,
    pub(crate) overflow: HeadingOverflow,
    pub(crate) indent: usize,
    pub(crate) indent_text: bool,
    pub(crate) render_empty: bool,
    pub(crate) wording: Cow<'static, Wording>,
}

/// What is to be printed.
#[derive(Clone, Copy)]
pub(crate) struct Job<'p, 'a> {
    pub(crate) outline: &'p Outline<'a>,
    pub(crate) shown: &'p Shown,
    pub(crate) look: &'p Look,
    pub(crate) collected: &'p Contexts,
    /// Keeps the answers of values, where a tree is printed more than once.
    pub(crate) memo: Option<&'p Memo>,
    /// Whether values decided what is shown: a budget did.
    pub(crate) reduced: bool,
    /// Whether a table of sections is wanted.
    pub(crate) with_spans: bool,
    /// Whether the short forms are wanted of sections that are shown in full.
    pub(crate) with_summaries: bool,
}

/// What is known of a printed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrintedText {
    /// The first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    /// Sections in the order of the text, parents before children; where they were wanted.
    pub(crate) spans: Vec<Span>,
    /// The tags that were opened, where spans were wanted.
    pub(crate) tags: Vec<WrittenTag>,
    /// Whether a summary was shown.
    pub(crate) is_summarised: bool,
    /// What sections that are shown in full would be in their short form, with the gap before it; where that was wanted.
    pub(crate) summaries: Vec<(RowId, String)>,
}

/// Where a section was printed.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) row: RowId,
    pub(crate) title: Words,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    pub(crate) form: Form,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

/// A tag that was opened.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTag {
    pub(crate) name: String,
    /// How many tags are open around it.
    pub(crate) depth: usize,
    /// The section it belongs to; `None` for the root.
    pub(crate) row: Option<RowId>,
}

/// Appends a tree to `buffer`. On an error the buffer is as it was.
///
/// # Errors
/// See [`PromptError`].
pub(crate) fn print<'a>(
    job: Job<'_, 'a>,
    buffer: &mut String,
) -> Result<PrintedText, PromptError> {
    let before = buffer.len();
    let mut printer = Printer::new(job, buffer);
    let result = printer
        .start()
        .and_then(|()| printer.finish())
        .map_err(|error| error.at(|| printer.path()));
    let finished = result.and_then(|()| {
        let leftover = printer.leftover();
        leftover.complete(job, buffer, before)
    });
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

/// Prints a template of an item, or the like, whose variables and conditions closures answer.
pub(crate) fn template(
    output: &mut Output<'_>,
    text: &Text,
    put: &mut dyn FnMut(usize, &mut Output<'_>) -> fmt::Result,
    holds: &dyn Fn(usize) -> bool,
) -> fmt::Result {
    run::template(output, text, put, holds)
}

/// What a place passes on to the sections in it.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// Level of their headings.
    level: i32,
    /// Tags that are open around them.
    depth: usize,
    numbered: bool,
    /// Form of their headings.
    heading: Option<&'a Text>,
    tight: bool,
    /// Wording of the summary suffix.
    suffix: Option<&'a Text>,
    guarding: Guarding,
    untrusted: bool,
    /// Columns by which a tag is indented for each open one.
    indent: usize,
}

enum Frame<'a> {
    Node(NodeFrame<'a>),
    Sections(SectionsFrame<'a>),
    Items(ItemsFrame<'a>),
    Close(CloseFrame<'a>),
}

/// A node's own text, then the sections without a place.
struct NodeFrame<'a> {
    host: Host<'a>,
    run: Run<'a>,
    scope: Scope<'a>,
    /// Headings of the text that became tags.
    titles: Vec<TitleTag<'a>>,
    start: usize,
    /// What was printed when the slot was reached that is being filled.
    slot: Option<usize>,
    is_done: bool,
}

/// Sections in one place, in declaration order.
struct SectionsFrame<'a> {
    host: Host<'a>,
    scope: Scope<'a>,
    /// Added to the levels of the node's text.
    shift: i32,
    /// The rows that are left.
    next: RowId,
    end: RowId,
    /// Only this one; otherwise all without a place.
    is_placed: bool,
    /// Sections of the node that have been met.
    met: u32,
    start: usize,
    /// Indentation to return to.
    indent: usize,
}

/// The items of a list.
struct ItemsFrame<'a> {
    next: RowId,
    end: RowId,
    scope: Scope<'a>,
    /// How many came out.
    printed: u32,
    start: usize,
    /// The title of the list, where an item asked for it.
    list_title: Option<String>,
}

/// An opened section.
struct CloseFrame<'a> {
    span: Option<usize>,
    before: Point<'a>,
    tag: Option<OpenTag<'a>>,
    /// What was printed when the body began.
    body: usize,
    /// Whether it is a section: the root's own tag is none.
    is_section: bool,
    /// Whether the heading goes where nothing comes under it.
    may_vanish: bool,
}

struct Printer<'p, 'a> {
    outline: &'p Outline<'a>,
    shown: &'p Shown,
    ask: Ask<'p, 'a>,
    look: &'p Look,
    collected: &'p Contexts,
    reduced: bool,
    writer: Writer<'p, 'a>,
    fences: Vec<FenceRange>,
    frames: Vec<Frame<'a>>,
    /// Where the printer is: the rows of the open sections.
    open: Vec<RowId>,
    /// The numbers of their headings (0 for none).
    numbers: Vec<u32>,
    /// The numbers of the sections of each node, where there are numbers.
    declared_numbers: HashMap<Option<RowId>, Vec<u32>>,
    with_spans: bool,
    with_summaries: bool,
    summaries: Vec<(RowId, String)>,
    spans: Vec<Span>,
    tags: Vec<WrittenTag>,
    /// Tags in static texts of the nodes that were printed.
    static_tags: Vec<&'a crate::node::Tags>,
    is_summarised: bool,
}

impl<'p, 'a> Printer<'p, 'a> {
    fn new(job: Job<'p, 'a>, buffer: &'p mut String) -> Self {
        let Job {
            outline,
            shown,
            look,
            collected,
            memo,
            reduced,
            with_spans,
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
            declared_numbers: HashMap::new(),
            with_spans,
            with_summaries,
            summaries: Vec::new(),
            spans: Vec::new(),
            tags: Vec::new(),
            static_tags: Vec::new(),
            is_summarised: false,
        };
        if look.style == Style::Xml || outline.needs_guarding() {
            printer.writer.track_values();
        }
        printer
    }

    fn start(&mut self) -> Result<(), PromptError> {
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
            let mut tag = self.open_tag(Cow::Borrowed(name.as_ref()), scope, markup.inline);
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

    fn finish(&mut self) -> Result<(), PromptError> {
        while let Some(frame) = self.frames.pop() {
            match frame {
                Frame::Node(frame) => self.step_node(frame)?,
                Frame::Sections(frame) => self.step_sections(frame)?,
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

    fn path(&self) -> String {
        let open = self.open.last().map(|id| self.outline.path(*id));
        open.map_or_else(String::new, Into::into)
    }

    fn place(&self, host: Host<'a>, scope: &Scope<'a>, shift: i32, item: usize) -> Place<'a> {
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
    fn node(&mut self, host: Host<'a>, scope: Scope<'a>, shift: i32) -> Result<(), PromptError> {
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
    fn step_node(&mut self, mut frame: NodeFrame<'a>) -> Result<(), PromptError> {
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
                    self.frames.push(Frame::Node(frame));
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
    fn sections_without_place(&mut self, frame: NodeFrame<'a>) {
        let (host, start, shift) = (frame.host, frame.start, frame.run.place.shift);
        let level = host.info.container.heading.level;
        let level = i32::from(level.unwrap_or(host.info.text.end)) + shift;
        let scope = Scope {
            level,
            depth: frame.depth(),
            ..frame.scope
        };
        self.frames.push(Frame::Node(frame));
        self.sections(host, scope, shift, None, 0);
        if let Some(Frame::Sections(sections)) = self.frames.last_mut() {
            sections.start = start;
        }
    }

    fn sections(
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

    fn step_sections(&mut self, mut frame: SectionsFrame<'a>) -> Result<(), PromptError> {
        let outline = self.outline;
        let Some(row) = outline.row(frame.next).filter(|_| frame.next < frame.end) else {
            let declared = frame.host.info.sections.len();
            if !frame.is_placed && (frame.met as usize) < declared {
                self.writer.depends();
            }
            self.writer.set_indent(frame.indent);
            return Ok(());
        };
        let id = std::mem::replace(&mut frame.next, row.end);
        let index = row.section_index();
        // What was passed over was switched off, or empty: the text depends on that from here on.
        if !frame.is_placed && frame.met < index {
            self.writer.depends();
        }
        frame.met = index + 1;
        let (host, mut scope, start) = (frame.host, frame.scope, frame.start);
        let is_wanted = frame.is_placed || !row.info.placed;
        if let Some(level) = row.info.heading.level {
            scope.level = i32::from(level) + frame.shift;
        }
        self.frames.push(Frame::Sections(frame));
        if !is_wanted {
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
    fn declared_number(&mut self, host: Host<'a>, index: u32) -> u32 {
        let numbers = self.declared_numbers.entry(host.row).or_insert_with(|| {
            let mut number = 0;
            let count = |info: &SectionInfo| {
                number += u32::from(is_numbered(info));
                number
            };
            host.info.sections.iter().map(count).collect()
        });
        numbers.get(index as usize).copied().unwrap_or_default()
    }

    fn step_items(&mut self, mut frame: ItemsFrame<'a>) -> Result<(), PromptError> {
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
    fn template(
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
    fn enter(&mut self, unit: &Unit<'a>, row: &Row<'a>) -> Option<usize> {
        self.open.push(unit.id);
        self.writer.open_span();
        let form = match unit.body {
            section::Body::Summary(..) => Form::Summary,
            _ => Form::Full,
        };
        self.is_summarised |= form == Form::Summary;
        debug_assert!(!row.key.is_empty(), "a row has a key");
        if !self.with_spans && !self.writer.tracks() {
            return Some(usize::MAX);
        }
        self.spans.push(Span {
            row: unit.id,
            title: unit.title.clone(),
            level: u8::try_from(unit.scope.level.clamp(1, 6)).unwrap_or(6),
            form,
            start: 0,
            end: 0,
            body: 0,
        });
        Some(self.spans.len() - 1)
    }

    /// Ends a section: `before` was printed when it began, `body` when its heading was.
    fn leave(&mut self, span: usize, before: usize, body: usize) {
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
    fn note_tag(&mut self, name: &str, depth: usize) {
        let row = self.open.last().copied();
        // Where no table is wanted only the names count, and neighbours mostly have the same.
        if !self.with_spans && self.tags.last().is_some_and(|last| last.name == name) {
            return;
        }
        let name = name.to_owned();
        self.tags.push(WrittenTag { name, depth, row });
    }

    fn leftover(&mut self) -> Leftover<'a> {
        Leftover {
            static_prefix: self.writer.static_prefix(),
            values: self.writer.take_values(),
            breaks: self.writer.take_breaks(),
            fences: std::mem::take(&mut self.fences),
            spans: std::mem::take(&mut self.spans),
            tags: std::mem::take(&mut self.tags),
            static_tags: std::mem::take(&mut self.static_tags),
            is_summarised: self.is_summarised,
            summaries: std::mem::take(&mut self.summaries),
        }
    }
}

impl NodeFrame<'_> {
    fn depth(&self) -> usize {
        self.scope.depth + self.titles.len()
    }
}

/// What is left to do with a printed text: line breaks to put in, values to guard.
struct Leftover<'a> {
    static_prefix: usize,
    values: Vec<ValueRange>,
    breaks: Vec<usize>,
    fences: Vec<FenceRange>,
    spans: Vec<Span>,
    tags: Vec<WrittenTag>,
    static_tags: Vec<&'a crate::node::Tags>,
    is_summarised: bool,
    summaries: Vec<(RowId, String)>,
}

impl<'a> Leftover<'a> {
    fn complete(
        mut self,
        job: Job<'_, 'a>,
        buffer: &mut String,
        before: usize,
    ) -> Result<PrintedText, PromptError> {
        self.put_breaks(buffer, before);
        self.nest(job.outline, buffer.len() - before);
        self.guard(job.outline, buffer, before)?;
        let wanted = job.with_spans;
        Ok(PrintedText {
            static_prefix: self.static_prefix.min(buffer.len() - before),
            spans: if wanted { self.spans } else { Vec::new() },
            tags: if wanted { self.tags } else { Vec::new() },
            is_summarised: self.is_summarised,
            summaries: self.summaries,
        })
    }

    /// Puts in the line breaks behind open tags that did not fit on a line; all at once, so that it stays linear.
    fn put_breaks(&mut self, buffer: &mut String, before: usize) {
        if self.breaks.is_empty() {
            return;
        }
        self.breaks.sort_unstable();
        let text = buffer.split_off(before);
        let mut at = 0;
        for place in &self.breaks {
            buffer.push_str(text.get(at..*place).unwrap_or_default());
            buffer.push('\n');
            at = *place;
        }
        buffer.push_str(text.get(at..).unwrap_or_default());
        let breaks = &self.breaks;
        // What begins where a break is put in stands behind it, what ends there before it.
        let start = |at: usize| at + breaks.partition_point(|place| *place <= at);
        let end = |at: usize| at + breaks.partition_point(|place| *place < at);
        for value in &mut self.values {
            value.range = start(value.range.start)..end(value.range.end);
        }
        for fence in &mut self.fences {
            fence.open = start(fence.open.start)..end(fence.open.end);
            fence.close = fence.close.as_ref().map(|range| start(range.start)..end(range.end));
        }
        for span in &mut self.spans {
            (span.start, span.end) = (start(span.start), end(span.end).max(start(span.start)));
            span.body = end(span.body);
        }
        self.static_prefix = end(self.static_prefix);
    }

    /// Spans of sections that were taken back may lie past what is there now: they move to where their parents are, so
    /// that ranges are always inside the text, and nested like the sections.
    fn nest(&mut self, outline: &Outline<'_>, len: usize) {
        let mut open: Vec<(RowId, usize, usize)> = Vec::new();
        for span in &mut self.spans {
            while open
                .pop_if(|(outer, ..)| !outline.is_below(span.row, *outer))
                .is_some()
            {}
            let (low, high) = open.last().map_or((0, len), |(_, start, end)| (*start, *end));
            span.start = span.start.clamp(low, high);
            span.end = span.end.clamp(span.start, high);
            span.body = span.body.clamp(span.start, span.end);
            open.push((span.row, span.start, span.end));
        }
    }

    /// Values cannot open or close a tag of the document.
    fn guard(
        &mut self,
        outline: &Outline<'_>,
        buffer: &mut String,
        before: usize,
    ) -> Result<(), PromptError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let names = |tags: fn(&crate::node::Tags) -> &[Cow<'static, str>]| -> Vec<&str> {
            let all = self.static_tags.iter().flat_map(|node| tags(node));
            all.map(AsRef::as_ref).collect()
        };
        let written: Vec<&str> = self.tags.iter().map(|tag| tag.name.as_str()).collect();
        let (opens, closes) = (names(|tags| &tags.opens), names(|tags| &tags.closes));
        let text = buffer.get(before..).unwrap_or_default();
        let finished = Finished {
            text,
            values: &self.values,
            fences: &self.fences,
            written: &written,
            opens: &opens,
            closes: &closes,
        };
        let edits = xml::guard(&finished).map_err(|violation| {
            let offset = violation.offset;
            let around = |span: &&Span| span.start <= offset && offset < span.end;
            let path = self.spans.iter().rfind(around);
            let path = path.map_or_else(String::new, |span| outline.path(span.row).into());
            PromptError::GuardViolation { path, offset }
        })?;
        let Some(edits) = edits else { return Ok(()) };
        let guarded = edits.apply(text);
        buffer.truncate(before);
        buffer.push_str(&guarded);
        if let Some(first) = edits.first() {
            self.static_prefix = self.static_prefix.min(first);
        }
        for span in &mut self.spans {
            (span.start, span.end) = (edits.moved(span.start), edits.moved(span.end));
            span.body = edits.moved(span.body);
        }
        Ok(())
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
        declared: crate::visibility::Visibility::Full,
        priority: None,
        conditional: true,
        is_empty: false,
        is_list: false,
    }
}

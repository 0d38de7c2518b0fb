//! Opens and closes one section, or one item of a list: heading or tag, then introduction, summary or content.

use super::{
    look::{HeadingOverflow, Style},
    run::{Place, Run, Stop},
    state::{Body, CloseFrame, Frame, ItemsFrame, OpenTag, Printer, Scope, Unit, join_before},
    tag::is_computed,
    words::Words,
    writer::{Point, Treatment, Writer},
};
use crate::error::PromptError;
use crate::node::{Content, Guarding, Output, Printed, Text, Title};
use crate::outline::{Host, NO_HOST, Row, RowId};
use crate::show::Form;
use prompt_syntax::Special;
use std::{borrow::Cow, ops::Range};

impl<'p, 'a> Printer<'p, 'a> {
    /// Prints the section at a row, unless it is not shown. `start` is where the run of sections began.
    pub(super) fn section(
        &mut self,
        id: RowId,
        mut scope: Scope<'a>,
        start: usize,
        number: u32,
    ) -> Result<(), PromptError> {
        let Some(row) = self.outline.row(id) else {
            return Ok(());
        };
        let form = self.shown.form(id);
        if row.conditional
            || !matches!(row.content, Content::Unit | Content::Node(_))
            || self.reduced
        {
            self.writer.depends();
        }
        if form == Form::Gone {
            return Ok(());
        }
        let info = row.info;
        let title = self.section_title(row, id)?;
        // A history is not part of the text.
        let is_spliced = matches!(row.content, Content::Messages(_));
        let is_bare = is_spliced || self.is_list_of_messages(row, id, form);
        let tag = self.tag_of(row, id).filter(|_| !is_bare);
        let has_role = info.policy.role.is_some();
        let is_titled = !info.is_untitled() && tag.is_none() && !has_role && !is_bare;
        if has_role {
            scope.level = i32::from(self.look.base_level);
        }
        let body = match (&info.empty, form) {
            (Some(text), _) if row.is_empty => Body::Empty(text),
            (_, Form::Summary) => self.summary_of(row, id)?,
            _ => Body::Full,
        };
        let join = None;
        let unit = Unit {
            id,
            title,
            is_titled,
            number,
            tag,
            body,
            scope,
            join,
        };
        self.open(unit, start)
    }

    /// Prints the item at a row.
    pub(super) fn item(&mut self, mut frame: ItemsFrame<'a>, id: RowId) -> Result<(), PromptError> {
        let (outline, scope) = (self.outline, frame.scope);
        let form = self.shown.form(id);
        let Some(row) = outline.row(id).filter(|_| form != Form::Gone) else {
            self.writer.depends();
            self.frames.push(Frame::Items(frame));
            return Ok(());
        };
        let info = row.info;
        let is_bare = self.is_list_of_messages(row, id, form);
        let tag = self.item_tag(row, id).filter(|_| !is_bare);
        let untitled = (info.is_untitled() || info.items.untitled) && info.items.title.is_none();
        let is_bullet = row.content.is_text() && info.items.title.is_none();
        let is_titled = tag.is_none() && !untitled && !is_bullet && !is_bare;
        let title = if is_bullet {
            Words::fixed(row.key.to_string())
        } else {
            self.item_title(row, id, &mut frame.list_title)?
        };
        frame.printed += 1;
        let (number, start) = (frame.printed, frame.start);
        let after_bullet = std::mem::replace(&mut frame.after_bullet, is_bullet);
        let join = join_before(info, frame.next >= frame.end, is_bullet && after_bullet);
        self.frames.push(Frame::Items(frame));
        let body = if form == Form::Summary {
            self.summary_of(row, id)?
        } else {
            Body::Full
        };
        let unit = Unit {
            id,
            title,
            is_titled,
            number,
            tag,
            body,
            scope,
            join,
        };
        self.open(unit, start)
    }

    fn summary_of(&self, row: &Row<'a>, id: RowId) -> Result<Body<'a>, PromptError> {
        match row.summary(id) {
            Some((text, host)) => Ok(Body::Summary(text, host)),
            None => Err(PromptError::SummaryMissing {
                path: self.outline.path(id).into(),
            }),
        }
    }

    /// Whether a row is a list of messages, or an item of one: it would leave an empty heading, or an empty tag.
    fn is_list_of_messages(&self, row: &Row<'_>, id: RowId, form: Form) -> bool {
        let is_list = row.is_list || row.is_item();
        is_list && form == Form::Full && self.outline.holds_messages(id)
    }

    /// The tag that takes the place of a heading, if one does.
    fn tag_of(&self, row: &Row<'a>, id: RowId) -> Option<&'a str> {
        let info = row.info;
        let child = row.child(id);
        let own = child.and_then(|child| child.info.container.markup.tag.as_ref());
        let explicit = info.markup.tag.as_ref().or(own);
        let implied =
            self.look.style == Style::Xml && !info.is_untitled() && info.policy.role.is_none();
        explicit.or(implied.then_some(&info.key)).map(AsRef::as_ref)
    }

    fn item_tag(&self, row: &Row<'a>, id: RowId) -> Option<&'a str> {
        let child = row.child(id);
        let container = child.map(|child| &child.info.container);
        let own = container.and_then(|container| container.markup.tag.as_ref());
        let explicit = row.info.items.tag.as_ref().or(own);
        let default = match container.and_then(|container| container.item_tag.as_deref()) {
            Some(tag) => tag,
            None if row.is_list => "group",
            None => "item",
        };
        let is_implied = self.look.style == Style::Xml && !row.info.is_untitled();
        let implied = (is_implied && !row.content.is_text()).then_some(default);
        explicit.map(AsRef::as_ref).or(implied)
    }

    /// The title of the section at a row.
    pub(crate) fn section_title(&self, row: &Row<'a>, id: RowId) -> Result<Words, PromptError> {
        let child = row.child(id);
        let own = child.and_then(|child| Some((child.info.container.title.as_ref()?, child)));
        match (&row.info.title, own) {
            (Title::Explicit(title), _) => self.words(title, row.host, 0),
            (Title::Untitled(_) | Title::Fallback(_), Some((title, child))) => {
                self.words(title, child, 0)
            }
            (Title::Untitled(title) | Title::Fallback(title), None) => {
                Ok(Words::fixed(title.clone()))
            }
        }
    }

    /// The title of an item. That of its list is kept in `list_title`, where it is needed.
    pub(crate) fn item_title(
        &self,
        row: &Row<'a>,
        id: RowId,
        list_title: &mut Option<String>,
    ) -> Result<Words, PromptError> {
        if let Some(title) = &row.info.items.title {
            return self.words(title, row.host, row.item());
        }
        if let Some(name) = &row.name {
            return Ok(Words::value(name.to_string()));
        }
        let child = row.child(id);
        if let Some((title, child)) =
            child.and_then(|child| Some((child.info.container.title.as_ref()?, child)))
        {
            return self.words(title, child, 0);
        }
        let list = if let Some(title) = list_title {
            title.clone()
        } else {
            let title = match &row.info.title {
                Title::Explicit(title) => self.words(title, row.host, 0)?.text.into_owned(),
                Title::Untitled(title) | Title::Fallback(title) => title.to_string(),
            };
            list_title.insert(title).clone()
        };
        Ok(Words {
            is_computed: true,
            ..Words::fixed(format!("{list} {}", row.item() + 1))
        })
    }

    /// The title of any row, for tables.
    pub(crate) fn title(
        &self,
        id: RowId,
        list_title: &mut Option<String>,
    ) -> Result<Words, PromptError> {
        match self.outline.row(id) {
            Some(row) if row.is_item() => self.item_title(row, id, list_title),
            Some(row) => self.section_title(row, id),
            None => Ok(Words::fixed("")),
        }
    }

    /// Prints a template into a text of its own.
    pub(super) fn words(
        &self,
        text: &'a Text,
        host: Host<'a>,
        item: usize,
    ) -> Result<Words, PromptError> {
        use prompt_syntax::MarkKind;
        let is_inert =
            |kind: &MarkKind| matches!(kind, MarkKind::Text { .. } | MarkKind::Escape { .. });
        if text.marks.iter().all(|mark| is_inert(&mark.kind)) {
            return Ok(Words::fixed(text.literal.clone()));
        }
        let mut out = String::new();
        let mut writer = Writer::new(&mut out);
        writer.track_values();
        let place = Place {
            host,
            item,
            shift: 0,
            overflow: HeadingOverflow::Clamp,
            guarding: Guarding::Default,
            untrusted: false,
        };
        let mut run = Run::new(text, place, &writer);
        while run
            .advance(&self.ask, &mut Vec::new(), &mut writer)?
            .is_some()
        {}
        let values = writer.take_values();
        Ok(Words {
            values: values.into_iter().map(|value| value.range).collect(),
            text: Cow::Owned(out),
            is_computed: true,
        })
    }

    /// Prints heading or tag, and begins the body. `start` is where the run of sections began.
    fn open(&mut self, unit: Unit<'a>, start: usize) -> Result<(), PromptError> {
        let outline = self.outline;
        let Some(row) = outline.row(unit.id) else {
            return Ok(());
        };
        if self.with_summaries && matches!(unit.body, Body::Full) && row.is_openable(unit.id) {
            self.note_summary(&unit, row, start)?;
        }
        if self.writer.len() > start {
            if let Some(join) = unit.join {
                self.writer.owe(join);
            } else {
                let lines = self.blank_lines_before(&unit, row);
                self.writer.owe_lines(lines);
            }
        }
        let before = self.writer.point();
        let form = match unit.body {
            Body::Summary(..) => Form::Summary,
            _ => Form::Full,
        };
        // It takes its title when that has been printed.
        let span = self.enter(unit.id, || Words::fixed(""), form, unit.scope.level);
        let tag = self.open_unit_tag(&unit, row)?;
        if unit.is_titled {
            self.heading(&unit, row)?;
        }
        // Authored emptiness keeps its heading; a wrapper of which nothing is left goes.
        let may_vanish = matches!(unit.body, Body::Full) && is_wrapper(row, unit.id);
        if unit.is_titled && may_vanish {
            self.writer.tentative_since(before.len);
            self.writer.depends_in(before.len);
        }
        self.numbers
            .push(if unit.is_titled { unit.number } else { 0 });
        let (body, below) = (self.writer.len(), self.frames.len());
        self.body(&unit, row)?;
        if let Some(place) = self.spans.get_mut(span).filter(|_| self.with_spans) {
            place.title = unit.title;
        }
        let close = CloseFrame {
            span: Some(span),
            body,
            before,
            tag,
            is_section: true,
            may_vanish,
        };
        self.close_behind(close, below);
        Ok(())
    }

    /// Prints what stands under the heading, or in the tag, of a section, or begins to.
    fn body(&mut self, unit: &Unit<'a>, row: &'p Row<'a>) -> Result<(), PromptError> {
        let inner = inside(unit, row);
        match unit.body {
            Body::Empty(text) => self.template(text, row.host, &inner, row.item()).map(drop),
            Body::Summary(text, host) => {
                let item = if host.row == row.host.row {
                    row.item()
                } else {
                    0
                };
                let printed = self.template(text, host, &inner, item)?;
                self.suffix(
                    &inner,
                    unit.id,
                    unit.tag.is_some(),
                    printed || unit.is_titled,
                )
            }
            Body::Full => {
                let intro = &row.info.intro;
                let has_intro = !row.is_item() && !intro.is_empty();
                if has_intro && self.template(intro, row.host, &inner, 0)? {
                    self.writer.owe("\n\n");
                }
                self.content(unit.id, row, inner)
            }
        }
    }

    /// Ends a section, behind all frames above the first so many: what is still to be printed in it.
    pub(super) fn close_behind(&mut self, close: CloseFrame<'a>, below: usize) {
        if self.frames.len() > below {
            self.frames.insert(below, Frame::Close(close));
        } else {
            self.close(close);
        }
    }

    /// Prints the short form of a section that is about to be printed in full, keeps it, and takes it back: what it
    /// would be in this very place.
    fn note_summary(
        &mut self,
        unit: &Unit<'a>,
        row: &Row<'a>,
        start: usize,
    ) -> Result<(), PromptError> {
        let (before, waiting) = (self.writer.point(), self.writer.waiting());
        let kept = [self.spans.len(), self.tags.len(), self.fences.len()];
        let was_summarised = self.is_summarised;
        let body = self.summary_of(row, unit.id)?;
        let title = unit.title.clone();
        self.open(
            Unit {
                title,
                body,
                ..*unit
            },
            start,
        )?;
        let text = self.writer.since(before.len).to_owned();
        self.summaries.push((unit.id, text));
        self.writer.rollback(before);
        self.writer.set_waiting(waiting);
        let [spans, tags, fences] = kept;
        self.spans.truncate(spans);
        self.tags.truncate(tags);
        self.fences.truncate(fences);
        self.is_summarised = was_summarised;
        Ok(())
    }

    /// Blank lines between a section and what was printed before it.
    fn blank_lines_before(&self, unit: &Unit<'a>, row: &Row<'a>) -> usize {
        let own = row.info.heading.gap.filter(|_| !row.is_item());
        let gap = own.or(row.host.info.container.heading.gap);
        let is_tag = unit.tag.is_some() || (!unit.is_titled && row.info.items.tag.is_some());
        let is_inside = unit.scope.depth > 0 && (is_tag || self.look.style == Style::Xml);
        gap.map_or(usize::from(!is_inside), usize::from)
    }

    fn open_unit_tag(
        &mut self,
        unit: &Unit<'a>,
        row: &Row<'a>,
    ) -> Result<Option<OpenTag<'a>>, PromptError> {
        let Some(name) = unit.tag else {
            return Ok(None);
        };
        let before = self.writer.len();
        let child = row.child(unit.id);
        let markup = child.map(|child| &child.info.container.markup);
        let own = markup.map_or(&[][..], |markup| &markup.attributes);
        let attributes = &row.info.markup.attributes;
        let computed = unit.title.is_computed;
        if is_computed(attributes, computed) || is_computed(own, computed) {
            self.writer.depends();
        }
        let is_inline = row.info.markup.inline
            || markup.is_some_and(|markup| markup.inline)
            || (row.is_item() && row.content.is_text());
        let mut tag = self.open_tag(Cow::Borrowed(name), unit.scope, is_inline);
        if !row.is_item() && !attributes.is_empty() {
            self.attributes(&mut tag, attributes, row.host, 0, &unit.title)?;
        }
        let has_name = |attribute: &crate::node::Attribute| attribute.name == "name";
        if let Some(name) = &row.name
            && row.info.items.title.is_none()
            && !own.iter().any(has_name)
        {
            self.attribute(&mut tag, "name", name);
        }
        if let Some(child) = child.filter(|_| !own.is_empty()) {
            self.attributes(&mut tag, own, child, 0, &unit.title)?;
        }
        tag.is_hollow = matches!(unit.body, Body::Full)
            && row.content.is_hollow()
            && (row.is_item() || row.info.intro.is_empty());
        self.end_of_open_tag(&mut tag);
        self.writer.tentative_since(before);
        Ok(Some(tag))
    }

    /// `## 1. Title`, or the form that the attribute gives.
    fn heading(&mut self, unit: &Unit<'a>, row: &Row<'a>) -> Result<(), PromptError> {
        let title = unit.title.on_one_line();
        let treatment = Treatment {
            guarding: unit.scope.guarding,
            untrusted: unit.scope.untrusted || row.info.markup.untrusted,
            ..Treatment::default()
        };
        let form = row.info.heading.form.as_ref().or(unit.scope.heading);
        if let Some(form) = form {
            let special = Special::Title;
            self.with_special(form, row.host, row.item(), &unit.scope, |printer, asked| {
                if asked == special {
                    printer.print_words(&title, treatment)
                } else {
                    Ok(())
                }
            })?;
        } else {
            let level = self.look.overflow.level(unit.scope.level)?;
            self.writer.hashes(level);
            if unit.scope.numbered {
                self.number(unit.number);
            }
            self.print_words(&title, treatment)?;
        }
        let tight = unit.scope.tight || row.info.heading.tight;
        self.writer.owe(if tight { "\n" } else { "\n\n" });
        Ok(())
    }

    /// Prints words in which values may stand.
    pub(super) fn print_words(
        &mut self,
        words: &Words,
        treatment: Treatment,
    ) -> Result<(), PromptError> {
        if words.is_computed {
            self.writer.depends();
        }
        if words.values.is_empty() {
            self.writer.literal(&words.text);
            return Ok(());
        }
        self.pieces(&words.text, &words.values, treatment)
    }

    /// Prints a text of which some bytes come from values.
    pub(super) fn pieces(
        &mut self,
        text: &str,
        values: &[Range<usize>],
        treatment: Treatment,
    ) -> Result<(), PromptError> {
        let written = self.writer.value(treatment, |output: &mut Output<'_>| {
            output.pieces(text, values);
            Ok(())
        });
        written.map_err(|_| failed_text())
    }

    /// Prints a text that is a value.
    pub(super) fn value(&mut self, treatment: Treatment, text: &str) -> Result<(), PromptError> {
        self.writer
            .value(treatment, |output| {
                output.push_str(text);
                Ok(())
            })
            .map_err(|_| failed_text())
    }

    pub(super) fn printed(
        &mut self,
        treatment: Treatment,
        printed: &Printed,
    ) -> Result<(), PromptError> {
        self.pieces(&printed.text, &printed.values, treatment)
    }

    fn number(&mut self, last: u32) {
        use std::fmt::Write as _;
        let mut text = String::new();
        let shown = self.numbers.iter().filter(|number| **number > 0);
        for number in shown.chain([&last]) {
            // Writing to a `String` does not fail.
            let _ = write!(text, "{number}.");
        }
        text.push(' ');
        self.writer.literal(&text);
    }

    /// How the model asks for the rest.
    fn suffix(
        &mut self,
        scope: &Scope<'a>,
        id: RowId,
        in_tag: bool,
        follows: bool,
    ) -> Result<(), PromptError> {
        if follows && !self.writer.owes() {
            self.writer.owe("\n\n");
        }
        let path = self.outline.path(id);
        let has_child = self.outline.host(Some(id));
        let keys: Vec<&str> = match has_child {
            Some(_) => self
                .outline
                .children(Some(id))
                .map(|(_, row)| row.key.as_ref())
                .collect(),
            None => Vec::new(),
        };
        if has_child.is_some_and(|child| !child.info.sections.is_empty()) {
            self.writer.depends();
        }
        let keys = keys.join(", ");
        if let Some(wording) = scope.suffix {
            return self.with_special(wording, NO_HOST, 0, scope, |printer, special| {
                printer.writer.literal(match special {
                    Special::Key => &path,
                    Special::Subsections => &keys,
                    _ => "",
                });
                Ok(())
            });
        }
        if !in_tag {
            self.writer.literal("---\n");
        }
        let words = self.look.wording.suffix(&path, &keys);
        self.writer.literal(&words);
        Ok(())
    }

    /// Prints a template in which the title, key or subsections of a section may stand.
    fn with_special(
        &mut self,
        text: &'a Text,
        host: Host<'a>,
        item: usize,
        scope: &Scope<'a>,
        mut print: impl FnMut(&mut Self, Special) -> Result<(), PromptError>,
    ) -> Result<(), PromptError> {
        let mut run = Run::new(text, self.place(host, scope, 0, item), &self.writer);
        while let Some(stop) = run.advance(&self.ask, &mut self.fences, &mut self.writer)? {
            if let Stop::Special(special) = stop {
                print(self, special)?;
            }
        }
        Ok(())
    }

    /// Ends a section: closes its tag, or takes it back if nothing came.
    pub(super) fn close(&mut self, frame: CloseFrame<'a>) {
        let CloseFrame {
            span,
            before,
            tag,
            body,
            is_section,
            may_vanish,
        } = frame;
        let len = before.len;
        match tag {
            Some(tag) => self.close_tag(&tag, before, false),
            None if may_vanish && self.writer.len() == body => self.take_back(before),
            None => {}
        }
        if is_section {
            self.numbers.pop();
        }
        if let Some(span) = span {
            self.leave(span, len, body);
        }
    }

    fn take_back(&mut self, before: Point<'a>) {
        self.writer.rollback(before);
        self.writer.vanish();
    }
}

/// What a section passes on to what is inside it.
fn inside<'a>(unit: &Unit<'a>, row: &Row<'a>) -> Scope<'a> {
    let (scope, markup) = (unit.scope, &row.info.markup);
    let guarding = match markup.guarding {
        Guarding::Default => scope.guarding,
        guarding => guarding,
    };
    Scope {
        level: scope.level + i32::from(unit.is_titled),
        depth: scope.depth + usize::from(unit.tag.is_some()),
        guarding,
        untrusted: scope.untrusted || markup.untrusted,
        indent: markup.indent.map_or(scope.indent, usize::from),
        ..scope
    }
}

/// Whether a section is there for the sake of what is inside it.
fn is_wrapper(row: &Row<'_>, id: RowId) -> bool {
    row.is_list
        || row
            .child(id)
            .is_some_and(|child| !child.info.sections.is_empty())
}

/// A text could not be printed: which one, the printer adds.
pub(super) fn failed_text() -> PromptError {
    PromptError::FailedValue {
        path: String::new(),
        name: String::new(),
    }
}

//! Sections: who they are, in which form they stand, and what is printed of them.

use super::{
    again::Short,
    frame::{Frame, SectionState},
    place::{Context, Done, Fault, NoNode, Place, literal, path},
    reading::{Fill, Host},
    tag::tag_of,
    unit::Unit,
    walk::Walk,
};
use crate::error::PromptError;
use crate::node::{
    Content, Node, NodeInfo, Priority, Said, Section, SectionInfo, SectionKeys, Str, Text,
    Title as Named, has_words,
};
use crate::page::{Between, OpenSection, Style, Title, Treatment, Words};
use crate::rows::{Absent, Row, RowContent};
use crate::visibility::Form;

impl<'a> Walk<'_, '_, 'a> {
    /// A section of a node, if it is there, in a run that began at `from`.
    pub(super) fn section(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        index: usize,
        level: i32,
        from: usize,
    ) -> Done {
        let info: &'a SectionInfo = &frame.info.sections[index];
        self.is_disordered |= index < frame.visited;
        frame.visited = frame.visited.max(index + 1);
        if frame.has_literals
            && !info.lead.is_empty()
            && !self.page.is_indented()
            && self.is_shown_in_full(frame, info, index, None)
        {
            return self.literal_section(frame, index, level, from);
        }
        let asked = frame.section(index);
        if let Some(title) = frame.plain_title(info, &asked)
            && self.is_shown_in_full(frame, info, index, asked.content.node())
        {
            let child = asked.content.node();
            return self.plain_section(frame, (index, title, child), level, from);
        }
        let mut place = Place::new(frame.place, &info.key);
        if let Some(mut unit) = self.visit(frame, &mut place, index, level, asked)? {
            self.unit(frame, &place, &mut unit, from)?;
            self.leave(&place);
            self.spare.push(unit);
        }
        Ok(())
    }

    /// Prints a section that is a title and fixed words, which the derive has put together.
    fn literal_section(
        &mut self,
        frame: &Frame<'_, 'a>,
        index: usize,
        level: i32,
        from: usize,
    ) -> Done {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let Named::Fallback(title) = &info.title else {
            return Ok(());
        };
        let mut place = Place::new(frame.place, &info.key);
        Self::check_depth(&place)?;
        self.visit_plain(&mut place, info, index, None, title);
        self.leave(&place);
        self.page.note_open_angles(info.intro.angles);
        let depth = frame.context.depth;
        let is_tag = self.page.style() == Style::Xml;
        let lines = frame.info.container.heading.gap;
        let between = Between::Gap {
            lines,
            is_tag,
            depth,
        };
        self.page.next(from, between);
        if is_tag {
            let words = info.lead.get(title.len() + 2..).unwrap_or_default();
            let place_of_tag = [depth, frame.context.indent];
            let page = &mut self.page;
            page.plain_tag(place.row, level, &info.key, title, words, place_of_tag);
        } else {
            let page = &mut self.page;
            page.plain_section(place.row, level, title, &info.lead);
        }
        Ok(())
    }

    /// Prints a section without keys: nothing has to be looked up, its heading, its introduction and what it embeds stand
    /// one after the other.
    fn plain_section(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        (index, title, child): (usize, &'a Str, Option<&'a dyn Node>),
        level: i32,
        from: usize,
    ) -> Done {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let mut place = Place::new(frame.place, &info.key);
        Self::check_depth(&place)?;
        self.visit_plain(&mut place, info, index, child, title);
        let open = self.begin_plain(frame, &place, title, child, level, from);
        let context = Context {
            level: level + 1,
            is_counted: false,
            ..frame.context
        };
        if !info.intro.is_empty() {
            self.intro(frame, &place, &info.intro, &context)?;
        }
        if let Some(node) = child {
            let shift = context.level - i32::from(node.info().text.base);
            self.node(node, Some(&place), &context, shift)?;
        }
        self.page.end_section(&open, &Title::Fixed(title));
        self.leave(&place);
        Ok(())
    }

    /// Whether a section without keys is not told to be shown otherwise.
    #[inline]
    fn is_shown_in_full(
        &self,
        frame: &Frame<'_, 'a>,
        info: &SectionInfo,
        index: usize,
        child: Option<&dyn Node>,
    ) -> bool {
        let Some(again) = &self.again else {
            return true;
        };
        let of_child = || child.is_some_and(|child| child.info().container.summary.is_some());
        let has_summary = || info.summary.is_some() || of_child();
        let row = again.row(frame.row(), index);
        row.is_some_and(|row| again.form(row) == Form::Full)
            && !(again.playing.with_summaries && has_summary())
    }

    /// Notes the row of such a section, or finds it.
    fn visit_plain(
        &mut self,
        place: &mut Place<'_>,
        info: &'a SectionInfo,
        index: usize,
        child: Option<&'a dyn Node>,
        title: &'a Str,
    ) {
        let parent = place.around.and_then(|around| around.row);
        self.depends_if_reduced();
        if let Some(again) = &self.again {
            place.row = again.row(parent, index);
            return;
        }
        if let Some(titles) = &mut self.titles {
            titles.push(Ok(Words::name(title.clone())));
        }
        if !self.notes {
            return;
        }
        let row = self.note(Row {
            content: child.map_or(RowContent::Other, RowContent::Node),
            priority: place.priority,
            ..Row::new(parent, info, index, place.depth)
        });
        place.row = Some(row);
        if let Some(child) = child {
            self.tools(child, None, Some(row));
        }
    }

    fn begin_plain(
        &mut self,
        frame: &Frame<'_, 'a>,
        place: &Place<'_>,
        title: &'a Str,
        child: Option<&'a dyn Node>,
        level: i32,
        from: usize,
    ) -> OpenSection<'a> {
        let between = Between::Gap {
            lines: frame.info.container.heading.gap,
            is_tag: false,
            depth: frame.context.depth,
        };
        let page = &mut self.page;
        page.next(from, between);
        let may_vanish = child.is_some_and(|child| !child.info().sections.is_empty());
        let mut open = page.begin_section(place.row, level, may_vanish, Form::Full);
        page.hashes(level);
        page.literal(title);
        page.set_pending(if frame.context.is_tight { "\n" } else { "\n\n" });
        page.body(&mut open, true);
        open
    }

    /// Notes the row of a section that a node was asked for. Nothing where it is not there.
    fn visit(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &mut Place<'_>,
        index: usize,
        level: i32,
        asked: Section<'a>,
    ) -> Result<Option<Box<Unit<'a>>>, Fault> {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let keys: &'a SectionKeys = &info.said;
        let is_empty = asked.content.is_empty();
        if !asked.when || (is_empty && keys.empty.is_none()) {
            self.absent(frame, info, &asked);
            return Ok(None);
        }
        Self::check_depth(place)?;
        self.depends_if_reduced();
        let is_list = has_rows(&asked.content, keys);
        place.declared = asked.visibility.unwrap_or(keys.visibility);
        let own_priority = asked.priority.or(keys.policy.priority);
        place.priority = effective(place.priority, own_priority);
        let child = asked.content.node();
        let form = if let Some(again) = &self.again {
            let Some(row) = again.row(frame.row(), index) else {
                return Ok(None);
            };
            place.row = Some(row);
            again.form(row)
        } else {
            let (form, is_opened) = self.form(place, is_list);
            if self.notes {
                let row = self.note(Row {
                    content: RowContent::of(&asked.content),
                    declared: place.declared,
                    form,
                    is_opened,
                    priority: place.priority,
                    own_priority,
                    is_empty,
                    is_list,
                    ..Row::new(frame.row(), info, index, place.depth)
                });
                place.row = Some(row);
                self.tools(frame.node, Some(index), Some(row));
                if let Some(child) = child {
                    self.tools(child, None, Some(row));
                }
            }
            form
        };
        if place.depth == self.keys_at && form != Form::Gone {
            self.keys.push((index, &info.key));
        }
        if let Some(known) = frame.asked.get_mut(index) {
            *known = SectionState::Visited(form != Form::Gone);
        }
        let mut unit = self.new_unit(info, &frame.context, form);
        unit.child = child;
        unit.is_conditional = is_conditional(&asked);
        unit.is_list = is_list;
        unit.is_empty = is_empty;
        unit.content = asked.content;
        unit.context.level = match keys.heading.level {
            Some(level) => i32::from(level) + frame.shift,
            None => level,
        };
        self.find_summary(place, &mut unit)?;
        self.resolve(frame, place, &mut unit, index)?;
        Ok(Some(unit))
    }

    /// A section that was switched off, or is empty: the text depends on that from here on.
    fn absent(&mut self, frame: &Frame<'_, 'a>, info: &'a SectionInfo, asked: &Section<'a>) {
        if self.hidden == 0 {
            self.page.depends();
        }
        if self.titles.is_some() {
            self.rows.absent.push(Absent {
                parent: frame.row(),
                info,
                node: asked.content.node(),
                is_off: !asked.when,
            });
        }
    }

    /// Keeps it while it is printed: deep trees need little stack, and wide ones do not allocate for each section.
    pub(super) fn new_unit(
        &mut self,
        info: &'a SectionInfo,
        context: &Context<'a>,
        form: Form,
    ) -> Box<Unit<'a>> {
        let unit = Unit::new(info, context, form);
        match self.spare.pop() {
            Some(mut spare) => {
                *spare = unit;
                spare
            }
            None => Box::new(unit),
        }
    }

    /// What is closed has a short form, wherever it stands: not only once the model has opened what is around it.
    pub(super) fn find_summary(&self, place: &Place<'_>, unit: &mut Unit<'a>) -> Done {
        let again = self.again.as_ref();
        let is_wanted =
            unit.form == Form::Summary || again.is_some_and(|again| again.playing.with_summaries);
        if !is_wanted || unit.is_list || unit.is_empty {
            return Ok(());
        }
        let own = unit.info.summary.as_ref();
        let of_child = || unit.child?.info().container.summary.as_ref();
        unit.summary = own.or_else(of_child);
        let is_looked_at = self.titles.is_some() && !self.records;
        if unit.summary.is_none() && again.is_none() && !is_looked_at {
            let path = path(Some(place));
            return Err(PromptError::SummaryMissing { path }.into());
        }
        Ok(())
    }

    /// What stands around a section: its title, tag and number; where it is printed.
    fn resolve(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
        index: usize,
    ) -> Done {
        let (info, child) = (unit.info, unit.child);
        unit.is_hidden = self.hidden > 0 || unit.form == Form::Gone;
        if unit.is_hidden {
            if self.titles.is_some() {
                let title = self.section_title(frame, info, child, place);
                let title = title.map(|title| title.to_words()).map_err(|error| *error);
                self.titles.get_or_insert_default().push(title);
            }
            if unit.is_conditional && self.hidden == 0 {
                self.page.depends();
            }
            return Ok(());
        }
        unit.title = self.section_title(frame, info, child, place)?;
        if let Some(titles) = &mut self.titles {
            titles.push(Ok(unit.title.to_words()));
        }
        // A history is not part of the text.
        let is_spliced = matches!(unit.content, Content::Messages(_));
        unit.is_bare = is_spliced || (unit.is_list && holds_messages(&unit.content));
        let tag = tag_of(info, child.map(Node::info), self.page.style());
        unit.tag = tag.filter(|_| !unit.is_bare);
        let has_role = info.policy.role.is_some();
        unit.is_titled = !info.is_untitled()
            && unit.tag.is_none()
            && !has_role
            && !unit.is_bare
            && unit.has_title();
        if has_role {
            unit.context.level = i32::from(self.page.look().base_level);
        }
        unit.is_counted = unit.context.is_counted;
        // What is counted has no place in the declaration of the node whose sections have the numbers.
        unit.number = (unit.context.is_numbered && unit.is_titled).then(|| {
            if unit.is_counted {
                0
            } else {
                frame.declared_number(index)
            }
        });
        // What stands in a section without a heading is numbered behind the sections declared before it, shown or not.
        let holds_numbers = unit.context.is_numbered && !unit.is_titled && !unit.is_counted;
        if holds_numbers && !unit.is_bare {
            unit.numbered_before = frame.declared_number(index);
        }
        let lines = info.heading.gap.or(frame.info.container.heading.gap);
        unit.between = between(lines, unit);
        Ok(())
    }

    /// Prints a section, or an item, that was visited.
    pub(super) fn unit(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
        from: usize,
    ) -> Done {
        if unit.is_hidden {
            self.hidden += 1;
            let done = self.hidden_content(frame, place, unit);
            self.hidden -= 1;
            return done;
        }
        if unit.form == Form::Full && unit.summary.is_some() {
            self.short_form(frame, place, unit, from)?;
        }
        self.begin_unit(frame, place, unit, from)?;
        if unit.is_in_full() || unit.is_empty {
            self.content(frame, place, unit)?;
        } else {
            self.below_summary(frame, place, unit)?;
        }
        self.end_unit(frame, place, unit)
    }

    /// What is inside a section of which nothing is printed. Who walks for the first time visits it.
    fn hidden_content(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
    ) -> Done {
        if self.again.is_some() {
            return Ok(());
        }
        self.content(frame, place, unit)
    }

    /// What is inside a section that is shown short: nothing is printed, but its suffix names what is there.
    fn below_summary(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
    ) -> Done {
        let keys_at = std::mem::replace(&mut self.keys_at, place.depth + 1);
        self.keys.clear();
        self.hidden += 1;
        let done = self.hidden_content(frame, place, unit);
        self.hidden -= 1;
        self.keys_at = keys_at;
        done
    }

    /// Prints the short form of a section that is shown in full, in its place, and takes it back.
    #[inline(never)]
    fn short_form(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
        from: usize,
    ) -> Done {
        let Some(row) = place.row else {
            return Ok(());
        };
        let attempt = self.page.begin_attempt();
        let (context, is_conditional) = (unit.context, unit.is_conditional);
        unit.form = Form::Summary;
        self.begin_unit(frame, place, unit, from)?;
        self.end_unit(frame, place, unit)?;
        unit.form = Form::Full;
        (unit.context, unit.is_conditional) = (context, is_conditional);
        let (text, sources) = self.page.end_attempt(attempt);
        self.summaries.push(Short { row, text, sources });
        Ok(())
    }

    /// Heading and tag; and what is printed instead of nothing.
    fn begin_unit(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
        from: usize,
    ) -> Done {
        if unit.is_conditional {
            self.page.depends();
        }
        self.page.next(from, unit.between);
        let has_sections = unit
            .child
            .is_some_and(|child| !child.info().sections.is_empty());
        let may_vanish =
            (unit.is_list || has_sections) && !unit.is_empty && unit.form == Form::Full;
        let level = unit.context.level;
        let page = &mut self.page;
        let mut open = page.begin_section(place.row, level, may_vanish, unit.form);
        page.number_behind(unit.numbered_before);
        if let Some(number) = unit.number {
            page.begin_number(number, unit.is_counted);
        }
        let tag = match unit.tag {
            Some(name) => Some(self.tag(frame, place, unit, name)?),
            None => None,
        };
        if unit.is_titled {
            self.heading(frame, place, unit)?;
        }
        self.page.body(&mut open, unit.is_titled);
        unit.context
            .enter(&unit.info.said, unit.is_titled, tag.is_some());
        unit.context.is_counted = !unit.is_titled && !unit.is_bare;
        unit.open = Some((open, tag));
        Ok(())
    }

    fn heading(&mut self, frame: &mut Frame<'_, 'a>, place: &Place<'_>, unit: &Unit<'a>) -> Done {
        let keys = &unit.info.said;
        let context = &unit.context;
        let treatment = Treatment {
            block: false,
            guarding: context.guarding,
            untrusted: context.is_untrusted || keys.markup.untrusted,
            ..Treatment::default()
        };
        let is_numbered = unit.number.is_some();
        match keys.heading.form.as_ref().or(context.heading) {
            None => {
                self.page.hashes(context.level);
                let page = &mut self.page;
                page.title_of(&unit.title, is_numbered, &treatment, place.row);
            }
            Some(form) => {
                let fill = Fill::Title {
                    title: &unit.title,
                    is_numbered,
                    treatment,
                    row: place.row,
                };
                let at = (Some(place), frame.row());
                let item = unit.item.unwrap_or(0);
                self.template(form, Host::Frame(frame), at, item, context, fill)?;
            }
        }
        let is_tight = context.is_tight || keys.heading.tight;
        self.page.set_pending(if is_tight { "\n" } else { "\n\n" });
        Ok(())
    }

    /// The short form, and the end.
    fn end_unit(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
    ) -> Done {
        let Some((open, tag)) = unit.open.take() else {
            return Ok(());
        };
        if !unit.is_in_full()
            && let Some(summary) = unit.summary
        {
            self.summary(frame, place, unit, summary, &open)?;
        }
        if let Some(tag) = &tag {
            self.page.end_tag(tag);
        }
        if unit.number.is_some() {
            self.page.end_number();
        }
        self.page.end_section(&open, &unit.title);
        Ok(())
    }

    /// The short form, and how the model asks for the rest.
    fn summary(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &Unit<'a>,
        summary: &'a Text,
        open: &OpenSection<'a>,
    ) -> Done {
        let context = &unit.context;
        let at = (Some(place), place.row);
        let is_own = unit.info.summary.is_some();
        let (host, item) = match unit.child.filter(|_| !is_own) {
            Some(child) => (Host::Node(child), 0),
            None => (Host::Frame(frame), unit.item.unwrap_or(0)),
        };
        self.template(summary, host, at, item, context, Fill::Nothing)?;
        let has_sections = unit
            .child
            .is_some_and(|child| !child.info().sections.is_empty());
        if has_sections {
            self.page.depends();
        }
        self.page.suffix_gap(open);
        let mut keys = if has_sections {
            self.keys_below(place)
        } else {
            Vec::new()
        };
        keys.sort_unstable_by_key(|(index, _)| *index);
        let keys: Vec<&str> = keys.into_iter().map(|(_, key)| key).collect();
        let Some(wording) = context.suffix else {
            let in_tag = unit.tag.is_some();
            self.page.suffix(&|out| place.write(out), &keys, in_tag);
            return Ok(());
        };
        let (key, subsections) = (path(Some(place)), keys.join(", "));
        let fill = Fill::Suffix {
            key: &key,
            subsections: &subsections,
        };
        self.template(wording, Host::Node(&NoNode), at, 0, context, fill)
    }

    /// The keys of the sections below one that is shown short, with their places in the declaration.
    fn keys_below(&mut self, place: &Place<'_>) -> Vec<(usize, &'a str)> {
        match &self.again {
            Some(again) => again.keys(place.row),
            None => std::mem::take(&mut self.keys),
        }
    }

    /// The title of a section: explicit, the child's own, or made from the field's name.
    fn section_title(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        info: &'a SectionInfo,
        child: Option<&'a dyn Node>,
        place: &Place<'_>,
    ) -> Result<Title<'a>, Fault> {
        if let Named::Explicit(title) = &info.title {
            return self.words(title, Host::Frame(frame), Some(place), 0);
        }
        if let Some(child) = child
            && let Some(title) = &child.info().container.title
        {
            return self.words(title, Host::Node(child), Some(place), 0);
        }
        Ok(match &info.title {
            Named::Untitled(title) | Named::Fallback(title) => Title::Fixed(title),
            Named::Explicit(_) => Title::NONE,
        })
    }

    /// The introduction, and what stands between it and what is below it.
    pub(super) fn intro(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        intro: &'a Text,
        context: &Context<'a>,
    ) -> Done {
        let from = self.page.len();
        if let Some(words) = literal(intro) {
            self.page.note_open_angles(intro.angles);
            self.page.words(words);
        } else {
            let at = (Some(place), frame.row());
            self.template(intro, Host::Frame(frame), at, 0, context, Fill::Nothing)?;
        }
        self.page.next(from, Between::Words("\n\n"));
        Ok(())
    }
}

impl<'a> Frame<'_, 'a> {
    /// The title of a section without keys of which no value decided anything.
    #[inline]
    fn plain_title(&self, info: &'a SectionInfo, asked: &Section<'a>) -> Option<&'a Str> {
        if !self.is_plain || !matches!(info.said, Said::Nothing) || !asked.is_fixed() {
            return None;
        }
        let is_plain = match &asked.content {
            Content::Unit => true,
            Content::Node(node) => {
                let container = &node.info().container;
                container.title.is_none() && container.markup.tag.is_none()
            }
            _ => false,
        };
        match &info.title {
            Named::Fallback(title) if is_plain => Some(title),
            _ => None,
        }
    }
}

/// Whether a value decided that the section is there, or what it is.
fn is_conditional(asked: &Section<'_>) -> bool {
    asked.conditional || !matches!(asked.content, Content::Unit | Content::Node(_))
}

/// What stands between a section and what was printed before it.
pub(super) fn between<'a>(lines: Option<u8>, unit: &Unit<'a>) -> Between<'a> {
    Between::Gap {
        lines,
        is_tag: unit.tag.is_some() || (!unit.is_titled && unit.info.items.tag.is_some()),
        depth: unit.context.depth,
    }
}

/// Whether all that a list holds are messages: nodes without words of their own whose sections have roles.
pub(super) fn holds_messages(content: &Content<'_>) -> bool {
    match content {
        Content::List(entries) => {
            let mut there = entries.iter().filter(|entry| !entry.content.is_empty());
            there.clone().next().is_some() && there.all(|entry| holds_messages(&entry.content))
        }
        Content::Node(node) => are_turns(node.info()),
        Content::Messages(_) => true,
        _ => false,
    }
}

fn are_turns(info: &NodeInfo) -> bool {
    let container = &info.container;
    let is_turn = |info: &SectionInfo| info.policy.role.is_some() || info.policy.messages;
    !has_words(&info.text)
        && container.start.is_empty()
        && container.end.is_empty()
        && !info.sections.is_empty()
        && info.sections.iter().all(is_turn)
}

/// Whether the items of a list have rows: they are nodes, or have keys or titles of their own.
#[inline]
pub(super) fn has_rows(content: &Content<'_>, keys: &SectionKeys) -> bool {
    let is_named = || keys.items.key.is_some() || keys.items.title.is_some();
    matches!(content, Content::List(_))
        && (content.is_node_list() || (is_named() && !content.is_empty()))
}

/// `None` is required; a child is never kept longer than its parent.
fn effective(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}

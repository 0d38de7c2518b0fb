//! Sections: who they are, in which form they stand, and what is printed of them.

use super::template::ItemScope;
use super::{
    again::Short,
    frame::Frame,
    place::{Context, Done, Fault, NoNode, Place, literal, path},
    reading::{Fill, Host},
    tag::tag_of,
    unit::Unit,
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::{Between, Title, Treatment};
use crate::node::{
    Content, Form, NodeInfo, NodeRef, Priority, Section, SectionInfo, SectionKeys, Text,
    Title as Named, has_words,
};
use crate::print::rows::{Absent, Row, RowContent};

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
        if frame
            .reach
            .as_ref()
            .is_some_and(|reach| reach.is_away(index))
        {
            return Ok(());
        }
        if self.is_taken(frame, index) {
            return Ok(());
        }
        self.is_disordered |= index < frame.visited;
        frame.visited = frame.visited.max(index + 1);
        if frame.has_literals
            && !info.lead.is_empty()
            && !self.page.is_indented()
            && self.is_shown_in_full(frame, info, index, None)
        {
            self.literal_section(frame, index, level, from);
            return Ok(());
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
            self.unit(frame, &place, &mut unit, from, None)?;
            self.leave(&place);
            self.put_back(unit);
        }
        Ok(())
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
        let Some(form) = self.section_form(frame, place, index, &asked, is_list) else {
            return Ok(None);
        };
        if place.depth == self.keys_at && form != Form::Gone {
            self.keys.push((index, &info.key));
        }
        let mut unit = self.take_unit();
        let is_conditional = is_conditional(&asked);
        unit.begin(info, asked.content, &frame.context, form);
        unit.is_conditional = is_conditional;
        unit.is_list = is_list;
        unit.is_empty = is_empty;
        unit.context.level = match keys.heading.level {
            Some(level) => i32::from(level) + frame.shift,
            None => level,
        };
        self.find_summary(place, &mut unit)?;
        self.resolve(frame, place, &mut unit, index)?;
        Ok(Some(unit))
    }

    /// The form of a section, with its row: noted, or found again. Nothing where it was not there.
    fn section_form(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &mut Place<'_>,
        index: usize,
        asked: &Section<'a>,
        is_list: bool,
    ) -> Option<Form> {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let keys: &'a SectionKeys = &info.said;
        place.declared = asked.visibility.unwrap_or(keys.visibility.into());
        let own_priority = asked.priority.or(keys.policy.priority);
        place.priority = effective(place.priority, own_priority);
        if let Some(again) = &self.again {
            let row = again.row(frame.row(), index)?;
            let form = again.form(row);
            self.find_again(row);
            place.row = Some(row);
            return Some(form);
        }
        let (form, is_opened) = self.form(place, is_list);
        if !self.notes {
            return Some(form);
        }
        let is_asked_for = frame
            .reach
            .as_ref()
            .is_some_and(|reach| reach.is_shown(index));
        let row = self.rows.push(Row {
            leads_to_focus: form == Form::Gone && is_asked_for,
            content: RowContent::of(&asked.content),
            declared: place.declared,
            form,
            is_opened,
            priority: place.priority,
            own_priority,
            is_empty: asked.content.is_empty(),
            is_list,
            ..Row::new(frame.row(), info, index, place.depth)
        });
        place.row = Some(row);
        self.note_needs(frame, row, index);
        self.tools(frame.node, Some(index), Some(row));
        if let Some(child) = asked.content.node() {
            self.tools(child, None, Some(row));
        }
        Some(form)
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

    /// What is closed has a short form, wherever it stands: not only once the model has opened what is around it.
    #[inline]
    pub(super) fn find_summary(&self, place: &Place<'_>, unit: &mut Unit<'a>) -> Done {
        if unit.form != Form::Summary && self.again.is_none() {
            return Ok(());
        }
        self.find_wanted_summary(place, unit)
    }

    fn find_wanted_summary(&self, place: &Place<'_>, unit: &mut Unit<'a>) -> Done {
        let again = self.again.as_ref();
        let is_wanted =
            unit.form == Form::Summary || again.is_some_and(|again| again.playing.with_summaries);
        if !is_wanted || unit.is_list || unit.is_empty {
            return Ok(());
        }
        let own = unit.keys.summary.as_ref();
        let of_child = || unit.child_info?.container.summary.as_ref();
        unit.summary = own.or_else(of_child);
        if unit.summary.is_none() && again.is_none() && !self.is_looked_at() {
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
        let (info, keys, child) = (unit.info, unit.keys, unit.child);
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
        let tag = tag_of(info, keys, unit.child_info, self.page.style());
        unit.tag = tag.filter(|_| !unit.is_bare);
        let has_role = keys.policy.role.is_some();
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
        let lines = keys.heading.gap.or(frame.info.container.heading.gap);
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
        item: ItemScope<'_>,
    ) -> Done {
        if unit.is_hidden {
            self.hidden += 1;
            let done = self.hidden_content(frame, place, unit);
            self.hidden -= 1;
            return done;
        }
        if unit.form == Form::Full && unit.summary.is_some() {
            self.short_form(frame, place, unit, from, item)?;
        }
        self.begin_unit(frame, place, unit, from, item)?;
        if unit.is_in_full() || unit.is_empty {
            self.content(frame, place, unit)?;
        } else {
            self.below_summary(frame, place, unit)?;
        }
        self.end_unit(frame, place, unit, item)
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
        item: ItemScope<'_>,
    ) -> Done {
        let Some(row) = place.row else {
            return Ok(());
        };
        let attempt = self.page.begin_attempt();
        let (context, is_conditional) = (unit.context, unit.is_conditional);
        unit.form = Form::Summary;
        self.begin_unit(frame, place, unit, from, item)?;
        self.end_unit(frame, place, unit, item)?;
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
        item: ItemScope<'_>,
    ) -> Done {
        if unit.is_conditional {
            self.page.depends();
        }
        self.page.next(from, unit.between);
        let may_vanish =
            (unit.is_list || unit.has_sections()) && !unit.is_empty && unit.form == Form::Full;
        let level = unit.context.level;
        let page = &mut self.page;
        page.begin_section(&mut unit.open, place.row, level, may_vanish, unit.form);
        page.number_behind(unit.numbered_before);
        if let Some(number) = unit.number {
            page.begin_number(number, unit.is_counted);
        }
        if let Some(name) = unit.tag {
            unit.open_tag = Some(self.tag(frame, place, unit, name)?);
        }
        if unit.is_titled {
            self.heading(frame, place, unit, item)?;
        }
        self.page.body(&mut unit.open, unit.is_titled);
        unit.context
            .enter(unit.keys, unit.is_titled, unit.tag.is_some());
        unit.context.is_counted = !unit.is_titled && !unit.is_bare;
        Ok(())
    }

    fn heading(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &Unit<'a>,
        item: ItemScope<'_>,
    ) -> Done {
        let keys = unit.keys;
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
        item: ItemScope<'_>,
    ) -> Done {
        if !unit.is_in_full()
            && let Some(summary) = unit.summary
        {
            self.summary(frame, place, unit, summary, item)?;
        }
        if let Some(tag) = &unit.open_tag {
            self.page.end_tag(tag);
        }
        if unit.number.is_some() {
            self.page.end_number();
        }
        self.page.end_section(&unit.open, &unit.title);
        Ok(())
    }

    /// The short form, and how the model asks for the rest.
    fn summary(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &Unit<'a>,
        summary: &'a Text,
        item: ItemScope<'_>,
    ) -> Done {
        let context = &unit.context;
        let at = (Some(place), place.row);
        let is_own = unit.keys.summary.is_some();
        let (host, item) = match unit.child.filter(|_| !is_own) {
            Some(child) => (Host::Node(child), None),
            None => (Host::Frame(frame), item),
        };
        self.template(summary, host, at, item, context, Fill::Nothing)?;
        let has_sections = unit.has_sections();
        let mut keys = Vec::new();
        if has_sections {
            self.page.depends();
            keys = self.keys_below(place);
        }
        self.page.suffix_gap(&unit.open);
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
        self.template(
            wording,
            Host::Node(NodeRef::new(&NoNode)),
            at,
            None,
            context,
            fill,
        )
    }

    /// The keys of the sections below one that is shown short, in the order of their declaration.
    fn keys_below(&mut self, place: &Place<'_>) -> Vec<&'a str> {
        let mut keys = match &self.again {
            Some(again) => again.keys(place.row),
            None => std::mem::take(&mut self.keys),
        };
        keys.sort_unstable_by_key(|(index, _)| *index);
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// The title of a section: explicit, the child's own, or made from the field's name.
    fn section_title(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        info: &'a SectionInfo,
        child: Option<NodeRef<'a>>,
        place: &Place<'_>,
    ) -> Result<Title<'a>, Fault> {
        if let Named::Explicit(title) = &info.title {
            return self.words(title, Host::Frame(frame), Some(place), None);
        }
        if let Some(child) = child
            && let Some(title) = &child.info().container.title
        {
            return self.words(title, Host::Node(child), Some(place), None);
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
            self.template(intro, Host::Frame(frame), at, None, context, Fill::Nothing)?;
        }
        self.page.next(from, Between::Words("\n\n"));
        Ok(())
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
        is_tag: unit.tag.is_some() || (!unit.is_titled && unit.keys.items.tag.is_some()),
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

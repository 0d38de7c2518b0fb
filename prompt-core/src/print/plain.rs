//! Sections without keys: nothing has to be looked up, and what the derive has put together is printed as it is.

use super::{
    frame::Frame,
    place::{Context, Done, Place},
    walk::Walk,
};
use crate::layout::{Between, OpenSection, RowId, Style, Title, Words};
use crate::node::Form;
use crate::node::{Content, NodeRef, Said, Section, SectionInfo, Str, Title as Named};
use crate::print::rows::{Row, RowContent};

impl<'a> Walk<'_, '_, 'a> {
    /// Prints a section that is a title and fixed words, which the derive has put together.
    pub(super) fn literal_section(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        index: usize,
        level: i32,
        from: usize,
    ) {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let Named::Fallback(title) = &info.title else {
            return;
        };
        let row = if frame.is_noted {
            self.visit_plain(frame, (index, title, None))
        } else {
            None
        };
        self.page.note_open_angles(info.intro.angles);
        let depth = frame.context.depth;
        let is_tag = self.page.style() == Style::Xml;
        let lines = frame.info.container.heading.gap;
        let between = Between::Gap {
            lines,
            is_tag,
            depth,
        };
        let page = &mut self.page;
        page.next(from, between);
        if is_tag {
            let words = info.lead.get(title.len() + 2..).unwrap_or_default();
            let names = [&info.key, title];
            page.literal_tag(row, level, names, words, [depth, frame.context.indent]);
        } else {
            page.literal_heading(row, level, title, &info.lead);
        }
    }

    /// Prints a section without keys: nothing has to be looked up, its heading, its introduction and what it embeds stand
    /// one after the other.
    pub(super) fn plain_section(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        (index, title, child): (usize, &'a Str, Option<NodeRef<'a>>),
        level: i32,
        from: usize,
    ) -> Done {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let mut place = Place::new(frame.place, &info.key);
        Self::check_depth(&place)?;
        place.row = self.visit_plain(frame, (index, title, child));
        let mut open = OpenSection::default();
        self.begin_plain(frame, &place, &mut open, (title, child), level, from);
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
    pub(super) fn is_shown_in_full(
        &self,
        frame: &Frame<'_, 'a>,
        info: &SectionInfo,
        index: usize,
        child: Option<NodeRef<'_>>,
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
        frame: &mut Frame<'_, 'a>,
        (index, title, child): (usize, &'a Str, Option<NodeRef<'a>>),
    ) -> Option<RowId> {
        let parent = frame.row();
        self.depends_if_reduced();
        if let Some(again) = &self.again {
            let row = again.row(parent, index)?;
            self.find_again(row);
            return Some(row);
        }
        if let Some(titles) = &mut self.titles {
            titles.push(Ok(Words::name(title.clone())));
        }
        if !self.notes {
            return None;
        }
        let (depth, priority) = frame
            .place
            .map_or((1, None), |place| (place.depth + 1, place.priority));
        let row = self.rows.push(Row {
            content: child.map_or(RowContent::Other, RowContent::Node),
            priority,
            ..Row::new(parent, &frame.info.sections[index], index, depth)
        });
        self.note_needs(frame, row, index);
        if let Some(child) = child {
            self.tools(child, None, Some(row));
        }
        Some(row)
    }

    fn begin_plain(
        &mut self,
        frame: &Frame<'_, 'a>,
        place: &Place<'_>,
        open: &mut OpenSection<'a>,
        (title, child): (&'a Str, Option<NodeRef<'a>>),
        level: i32,
        from: usize,
    ) {
        let between = Between::Gap {
            lines: frame.info.container.heading.gap,
            is_tag: false,
            depth: frame.context.depth,
        };
        let page = &mut self.page;
        page.next(from, between);
        let may_vanish = child.is_some_and(|child| !child.info().sections.is_empty());
        page.begin_section(open, place.row, level, may_vanish, Form::Full);
        page.hashes(level);
        page.literal(title);
        page.set_pending(if frame.context.is_tight { "\n" } else { "\n\n" });
        page.body(open, true);
    }
}

impl<'a> Frame<'_, 'a> {
    /// The title of a section without keys of which no value decided anything.
    #[inline]
    pub(super) fn plain_title(
        &self,
        info: &'a SectionInfo,
        asked: &Section<'a>,
    ) -> Option<&'a Str> {
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

//! A node while its text is run, and what is known of its sections.

use super::{
    place::{Context, Place},
    reach::Reach,
};
use crate::layout::RowId;
use crate::node::{NodeInfo, NodeRef, Section, has_slot};
use prompt_syntax::Target;

/// A node while its text is run.
pub(super) struct Frame<'p, 'a> {
    pub(super) node: NodeRef<'a>,
    pub(super) info: &'a NodeInfo,
    /// The section that embeds it.
    pub(super) place: Option<&'p Place<'p>>,
    pub(super) context: Context<'a>,
    pub(super) shift: i32,
    /// Whether sections without keys stand as they are in it: in Markdown, as declared, without numbers or another form of
    /// heading.
    pub(super) is_plain: bool,
    /// Whether sections that are a title and fixed words stand as they are.
    pub(super) has_literals: bool,
    /// Whether such a section is noted, or found again.
    pub(super) is_noted: bool,
    pub(super) has_subtree: bool,
    /// One more than the index of the last section that was visited.
    pub(super) visited: usize,
    /// What is known of its sections, where a condition asks about one.
    pub(super) reach: Option<Box<Reach<'a>>>,
    /// The numbers of its sections, once one was asked for.
    numbers: Vec<u32>,
}

impl<'p, 'a> Frame<'p, 'a> {
    pub(super) fn new(
        node: NodeRef<'a>,
        place: Option<&'p Place<'p>>,
        context: &Context<'a>,
    ) -> Self {
        Self {
            node,
            info: node.info(),
            place,
            context: *context,
            shift: 0,
            is_plain: false,
            has_literals: false,
            is_noted: true,
            has_subtree: false,
            visited: 0,
            reach: None,
            numbers: Vec::new(),
        }
    }

    /// The row of the section that embeds it.
    pub(super) fn row(&self) -> Option<RowId> {
        self.place.and_then(|place| place.row)
    }

    /// Asks for a section, unless a condition has asked for it before.
    #[inline]
    pub(super) fn section(&mut self, index: usize) -> Section<'a> {
        let asked = self.reach.as_mut().and_then(|reach| reach.take(index));
        asked.unwrap_or_else(|| self.node.section(index))
    }

    /// The number of a section among those of its node that have a heading, switched-off ones included.
    pub(super) fn declared_number(&mut self, index: usize) -> u32 {
        if self.numbers.is_empty() {
            let sections = self.info.sections.iter();
            self.numbers.extend(sections.scan(0, |last, section| {
                *last += u32::from(section.is_numbered());
                Some(*last)
            }));
        }
        self.numbers[index]
    }

    /// The level of the sections that have no place in the text, if there are any.
    pub(super) fn level_of_rest(&self) -> Option<i32> {
        let info = self.info;
        let is_left = !self.has_subtree && info.sections.iter().any(|section| !section.placed);
        if !is_left || has_slot(&info.text, Target::Subtree) {
            return None;
        }
        let level = info.container.heading.level.unwrap_or(info.text.end);
        Some(i32::from(level) + self.shift)
    }
}

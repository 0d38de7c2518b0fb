//! A node while its text is run, and what is known of its sections.

use super::{
    place::{Context, Place},
    reach::Reach,
    tree::template,
};
use crate::layout::RowId;
use crate::node::{
    At, Content, Entry, NodeInfo, NodeRef, Output, Printed, Scope, Section, SectionInfo, Text,
    has_slot,
};
use prompt_syntax::{Inline, Target};
use std::{fmt, ptr};

/// Where a node stands in memory, and its description: a node may begin where the one around it does.
pub(super) type Identity = (*const (), *const NodeInfo);

pub(super) fn identity(node: NodeRef<'_>) -> Identity {
    (
        ptr::from_ref(node.parts().0).cast(),
        ptr::from_ref(node.info()),
    )
}

/// What is done with each item of a list that prints by a template.
type EachItem<'b> = dyn FnMut(&Text, &dyn Scope, At) -> fmt::Result + 'b;

/// Runs the items of a list that prints by a template.
pub(super) fn each_item(
    scope: &dyn Scope,
    info: &SectionInfo,
    body: &mut EachItem<'_>,
) -> fmt::Result {
    let items = &info.items;
    let (Some(list), Some(text)) = (items.list, &items.text) else {
        return Ok(());
    };
    scope.each(list.into(), &mut |scope, at| body(text, scope, at))
}

/// Prints an item by its template.
pub(super) fn print_item(text: &Text, scope: &dyn Scope, output: &mut Output<'_>) -> fmt::Result {
    // A value alone is no paragraph: it prints as it is, blank lines at its ends too.
    match text.only_piece() {
        Some(Inline::Value { index, .. }) => scope.value(usize::from(*index), output),
        _ => template(text, scope, output),
    }
}

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
        let mut asked = asked.unwrap_or_else(|| self.node.section(index));
        if let Content::Items { .. } = asked.content
            && !self.info.sections[index].items.whole
        {
            asked.content = self.printed_items(index);
        }
        asked
    }

    /// The items of a section, each printed by its template.
    fn printed_items(&self, index: usize) -> Content<'a> {
        let mut entries = Vec::new();
        let each = each_item(
            self.node.scope(),
            &self.info.sections[index],
            &mut |text, scope, _| {
                let mut printed = Printed::default();
                let output = &mut Output::tracking(&mut printed.text, &mut printed.values);
                let content = match print_item(text, scope, output) {
                    Ok(()) => Content::Printed(Box::new(printed)),
                    Err(_) => Content::Failed,
                };
                entries.push(Entry {
                    name: None,
                    content,
                });
                Ok(())
            },
        );
        match each {
            Ok(()) => Content::List(entries),
            Err(_) => Content::Failed,
        }
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

//! The walk where a text asks whether a section prints something.

use super::{
    frame::{Frame, identity},
    place::Place,
    reach::Reach,
    reading::Host,
    walk::Walk,
};
use crate::layout::RowId;
use crate::node::Form;
use crate::node::{NodeRef, Section, SectionInfo};

/// Whether a section that was asked for is there.
fn is_there(info: &SectionInfo, asked: &Section<'_>) -> bool {
    asked.when && (!asked.content.is_empty() || info.empty.is_some())
}

impl<'a> Walk<'_, '_, 'a> {
    /// Judges the sections of a node that asks about them. A title or an attribute of it may have asked before.
    pub(super) fn reach_of(
        &mut self,
        node: NodeRef<'a>,
        place: Option<&Place<'_>>,
    ) -> Box<Reach<'a>> {
        match self.reach.take() {
            Some((of, reach)) if of == identity(node) => reach,
            _ => Box::new(self.new_reach(node, place)),
        }
    }

    /// What is known of a node is kept for what is printed of it besides its text, until its section is left.
    pub(super) fn keep_reach(&mut self, node: NodeRef<'_>, reach: Box<Reach<'a>>) {
        self.reach = Some((identity(node), reach));
    }

    fn new_reach(&self, node: NodeRef<'a>, place: Option<&Place<'_>>) -> Reach<'a> {
        let info = node.info();
        if let Some(again) = &self.again {
            let row = place.and_then(|place| place.row);
            return Reach::of(node, &mut |index, _| again.is_shown(row, index));
        }
        let mut reach = Reach::of(node, &mut |index, known| {
            let asked = known.get_or_insert_with(|| node.section(index));
            is_there(&info.sections[index], asked)
        });
        if self.view.focus.is_some() {
            reach.focus(|index| {
                let place = Place::new(place, &info.sections[index].key);
                self.view.form_of(&place) == Form::Gone
            });
        }
        reach
    }

    /// Notes without which sections this one would not be reached, for a budget that may take them.
    pub(super) fn note_needs(&mut self, frame: &mut Frame<'_, 'a>, row: RowId, index: usize) {
        if let (true, Some(reach)) = (self.records, &mut frame.reach) {
            let needs = reach.needs(index).into_iter();
            let needs = needs.map(|index| (row, u32::try_from(index).unwrap_or(u32::MAX)));
            self.rows.needs.extend(needs);
        }
    }

    /// Whether a section of a node prints something.
    pub(super) fn is_shown(
        &mut self,
        host: &mut Host<'_, '_, 'a>,
        place: Option<&Place<'_>>,
        index: usize,
    ) -> bool {
        match host {
            Host::Apart(is_shown) => is_shown(index),
            Host::Frame(frame) => {
                let reach = frame.reach.as_ref();
                reach.is_some_and(|reach| reach.is_shown(index))
            }
            Host::Node(node) => {
                let node = *node;
                let reach = self.reach_of(node, place);
                let is_shown = reach.is_shown(index);
                self.keep_reach(node, reach);
                is_shown
            }
        }
    }
}

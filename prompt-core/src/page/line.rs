//! A text on a page of its own: a title, an item of a list, a derived type in a sentence.

use super::{Asked, Op, Page, Place, Runner, Slot, Treatment};
use crate::error::PromptError;
use crate::node::{Guarding, NodeInfo, ValueTreatment};
use prompt_syntax::{Special, ValuePlace};

/// Runs a text of a line on a page of its own: a title, an item.
pub(crate) struct Line<'r, 'w, 'a> {
    pub(crate) page: &'r mut Page<'w, 'a>,
    pub(crate) info: &'r NodeInfo,
    /// Whether a section of the node prints something.
    pub(crate) is_shown: &'r mut dyn FnMut(usize) -> bool,
}

impl<'a> Runner<'a> for Line<'_, '_, 'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn op(&mut self, op: Op<'a>) {
        self.page.apply(op);
    }

    fn value(
        &mut self,
        place: &Place<'_>,
        index: u16,
        at: &'a ValuePlace,
    ) -> Result<(), PromptError> {
        let own = treatment(self.info, index);
        let treatment = Treatment {
            block: at.block,
            hang: own.hang,
            raw: own.raw,
            untrusted: own.untrusted,
            guarding: Guarding::Default,
            quote: &at.quote,
        };
        let written = self.page.value(treatment, |output| {
            output.set_item(place.item);
            place.scope.value(usize::from(index), output)
        });
        written.map_err(|_| self.info.failed(usize::from(index)))
    }

    fn asks(&mut self, place: &Place<'_>, index: u16) -> Asked {
        let asked = self.info.conditions.get(usize::from(index));
        Asked::Known(match asked.and_then(|condition| condition.section) {
            Some(section) => (self.is_shown)(usize::from(section)),
            None => place.scope.ask(usize::from(index), place.item),
        })
    }

    fn slot(&mut self, _: &Slot) -> Result<(), PromptError> {
        Ok(())
    }

    fn special(&mut self, _: Special) {}
}

/// How a value is printed.
pub(crate) fn treatment(info: &NodeInfo, index: u16) -> ValueTreatment {
    let variable = info.variables.get(usize::from(index));
    variable.map_or(ValueTreatment::USUAL, |variable| variable.treatment)
}

//! Forms of sections as they are chosen, and what they add up to.

use super::cost::{Cost, Costs};
use crate::document::SectionId;
use crate::errors::PromptError;
use crate::node::Form;

/// The best form that a level may still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// As it would be without a budget.
    Full,
    /// Its summaries; what has none goes.
    Reduced,
    /// It goes.
    Gone,
}

/// Forms as they are chosen, and what they add up to. Rows are chosen from the outside in. A wrapper that is open may still
/// turn out to be empty.
pub(super) struct Tally<'c> {
    pub(super) costs: &'c Costs,
    /// What was not chosen is gone.
    pub(super) forms: Vec<Form>,
    /// Whether something of a row is printed.
    pub(super) is_counted: Vec<bool>,
    pub(super) used: usize,
    /// How many rows were added since that was counted in a text.
    pub(super) uncounted: usize,
    /// How many items of each list are lines.
    lines: Vec<u32>,
    /// Whether a summary is shown.
    offers: bool,
    /// What was done since the last decision, to be undone.
    log: Vec<Change>,
}

enum Change {
    Chosen(SectionId),
    Counted(SectionId),
}

impl<'c> Tally<'c> {
    pub(super) fn new(costs: &'c Costs) -> Self {
        let count = costs.rows.len();
        Self {
            lines: vec![0; count],
            costs,
            forms: vec![Form::Gone; count],
            is_counted: vec![false; count],
            used: costs.base(),
            uncounted: 0,
            offers: false,
            log: Vec::with_capacity(2 * count),
        }
    }

    /// Everything as it would be without a budget.
    pub(super) fn whole(costs: &'c Costs) -> Self {
        let mut tally = Self::new(costs);
        let there = (0..).zip(&costs.rows).filter(|(_, cost)| cost.is_there);
        tally.choose(there.map(|(id, _)| id), Wish::Full);
        tally
    }

    fn is_reachable(&self, cost: &Cost) -> bool {
        let is_open = |id: SectionId| self.forms[id as usize] == Form::Full;
        cost.parent.is_none_or(is_open)
    }

    /// Gives rows a form. Returns whether one of them goes for want of room.
    pub(super) fn choose(&mut self, rows: impl IntoIterator<Item = SectionId>, wish: Wish) -> bool {
        let mut is_lost = false;
        for id in rows {
            let cost = &self.costs.rows[id as usize];
            if !self.is_reachable(cost) {
                continue;
            }
            let (form, tokens) = match (wish, cost.form, cost.summary) {
                (Wish::Full, form, _) => (form, cost.own),
                (Wish::Reduced, Form::Summary, _) => (Form::Summary, cost.own),
                (Wish::Reduced, _, Some(tokens)) => (Form::Summary, tokens),
                _ if cost.is_wrapper => (Form::Full, cost.own),
                _ => (Form::Gone, 0),
            };
            is_lost |= form == Form::Gone;
            self.log.push(Change::Chosen(id));
            self.forms[id as usize] = form;
            if form == Form::Summary && !std::mem::replace(&mut self.offers, true) {
                self.used = self.used.saturating_add(self.costs.open_tool);
            }
            // A wrapper comes with the first thing in it.
            if form == Form::Summary || (form == Form::Full && !cost.is_wrapper) {
                self.count(id, tokens);
            }
        }
        is_lost
    }

    /// Counts a row, and the wrappers around it that had nothing in them so far.
    fn count(&mut self, id: SectionId, tokens: usize) {
        let (mut at, mut tokens) = (Some(id), tokens);
        while let Some(id) = at.filter(|id| !self.is_counted[*id as usize]) {
            self.is_counted[id as usize] = true;
            self.log.push(Change::Counted(id));
            let cost = &self.costs.rows[id as usize];
            self.used = self.used.saturating_add(tokens);
            self.uncounted += 1;
            at = cost.parent;
            if let Some(list) = self.list_of_line(id) {
                self.lines[list as usize] += 1;
                if self.lines[list as usize] == 1 {
                    let sentence = self.costs.rows[list as usize].catalogue;
                    let tokens = sentence.map_or(0, |sentence| sentence.tokens);
                    self.used = self.used.saturating_add(tokens);
                }
            }
            tokens = at.map_or(0, |id| self.costs.rows[id as usize].bare());
        }
    }

    /// The list of an item that is one of its lines.
    fn list_of_line(&self, id: SectionId) -> Option<SectionId> {
        let cost = &self.costs.rows[id as usize];
        let is_line = cost.is_catalogued && self.forms[id as usize] == Form::Summary;
        cost.parent.filter(|_| is_line)
    }

    /// Tries a form for rows; takes it back if it is too much. Returns what [`choose`](Self::choose) said if it fits.
    pub(super) fn attempt(
        &mut self,
        rows: &[SectionId],
        wish: Wish,
        fits: impl FnOnce(&mut Self) -> Result<bool, PromptError>,
    ) -> Result<Option<bool>, PromptError> {
        let (used, uncounted, offers) = (self.used, self.uncounted, self.offers);
        self.log.clear();
        let is_lost = self.choose(rows.iter().copied(), wish);
        if fits(self)? {
            return Ok(Some(is_lost));
        }
        while let Some(change) = self.log.pop() {
            match change {
                Change::Chosen(id) => self.forms[id as usize] = Form::Gone,
                Change::Counted(id) => {
                    if let Some(list) = self.list_of_line(id) {
                        self.lines[list as usize] -= 1;
                    }
                    self.is_counted[id as usize] = false;
                }
            }
        }
        (self.used, self.uncounted, self.offers) = (used, uncounted, offers);
        Ok(None)
    }

    /// Whether the last attempt brought anything that is printed.
    pub(super) fn has_added(&self) -> bool {
        let is_counted = |change: &Change| matches!(change, Change::Counted(_));
        self.log.iter().any(is_counted)
    }

    /// Whether a row is a wrapper of which nothing is left.
    pub(super) fn is_emptied(&self, id: SectionId) -> bool {
        let at = id as usize;
        self.costs.rows[at].is_wrapper && self.forms[at] == Form::Full && !self.is_counted[at]
    }

    /// The forms to print. What is not reached keeps the form that it would have: it counts if what is around it is
    /// opened.
    pub(super) fn printed_forms(&self) -> Vec<Form> {
        let form = |(id, cost): (SectionId, &Cost)| {
            if !cost.is_there || !self.is_reachable(cost) {
                cost.form
            } else if self.is_emptied(id) {
                Form::Gone
            } else {
                self.forms[id as usize]
            }
        };
        (0..).zip(&self.costs.rows).map(form).collect()
    }
}

//! The search for what fits.
//!
//! The tree is printed once in full, and its fragments are counted, each once. Where that is too much, sections are
//! taken back in the order of their priority. How far is found on whole texts, because the counts of parts do not add up
//! to that of the whole: the sums only say where to begin. What is done with the room below the cutoff is decided by sums
//! that begin at a counted text, and by another text where that is close: what stands between two sections is another once
//! those between them are gone, and a text may ask which of them are there. The outcome is counted again, and if it is too
//! much after all, the last additions go. So the limit holds with any counter, and with one whose counts add up the outcome
//! is exactly that of the rule.

use super::{
    Budget, Decision, Policy,
    cost::{Cost, Costs},
    scale::{Beside, Candidate, Scale, Used},
    sum,
    tally::{Tally, Wish},
};
use crate::document::SectionId;
use crate::errors::{PromptError, TooLarge};
use crate::node::{Form, Visibility};
use crate::select::{Forms, Resolved, Text, View};
use prompt_syntax::Code;
use std::{cmp::Reverse, ops::Range};

/// What fits.
pub(crate) struct Fitted<'a> {
    pub(crate) page: Text<'a>,
    pub(crate) forms: Vec<Form>,
    pub(crate) decision: Decision,
}

/// Prints a tree in the forms in which it fits. Who has printed it as it is without a budget hands that over.
///
/// # Errors
/// What must stay is too much, or something cannot be printed.
pub(crate) fn fit<'a>(
    tree: &Resolved<'a>,
    shown: &Forms,
    view: &View<'_>,
    budget: &Budget<'_>,
    with_sources: bool,
) -> Result<Fitted<'a>, PromptError> {
    let scale = Scale::new(tree, shown, view, budget, with_sources);
    let mut full = scale.print(shown.forms.clone(), Beside::Nothing)?;
    let mut costs = Costs::of(&scale);
    let mut used = None;
    if !scale.surely_fits(&full) {
        let own = scale.weigh_whole(&mut full);
        let is_too_much = full.used.total() > budget.available();
        if is_too_much && budget.reduces() && costs.may_reduce(&scale) {
            let used = full.used;
            full = scale.print(full.forms, Beside::Shorts)?;
            full.used = used;
        }
        costs.count(&scale, &full, own);
        if is_too_much {
            return Search::new(&scale, &costs).cut(&full);
        }
        used = Some(full.used);
    }
    let there = costs.rows.iter().filter(|cost| cost.is_there);
    let lowest = there.filter_map(|cost| cost.level).min();
    let tally = Tally::whole(&costs);
    Ok(full.fitted(budget, used, lowest, &tally))
}

impl<'a> Candidate<'a> {
    /// It is not counted yet.
    pub(super) fn of(page: Text<'a>, forms: Vec<Form>) -> Self {
        Self {
            page,
            forms,
            used: Used::default(),
        }
    }

    fn fitted(
        self,
        budget: &Budget<'_>,
        used: Option<Used>,
        lowest: Option<i32>,
        tally: &Tally<'_>,
    ) -> Fitted<'a> {
        let decision = Decision::of(budget, used, lowest, tally);
        Fitted {
            page: self.page,
            forms: self.forms,
            decision,
        }
    }
}

struct Search<'s, 'a> {
    scale: &'s Scale<'s, 'a>,
    costs: &'s Costs,
    limit: usize,
    /// Rows that never go, in document order.
    required: Vec<SectionId>,
    /// The others, by priority, then in document order.
    order: Vec<SectionId>,
    /// Where each group of them begins, and the end: levels for a cutoff, otherwise one by one.
    bounds: Vec<usize>,
    /// Where each part of a group begins, and the end: the items of lists that have summaries, each with what is in it,
    /// stand behind the rest of their level.
    parts: Vec<usize>,
}

/// How often an addition is printed to see whether it fits, at most.
const MOST_TRIES: u32 = 32;

/// Parts below the cutoff that are shown in some form, by where they begin, in their order.
type Additions = [(usize, Wish)];

impl<'s, 'a> Search<'s, 'a> {
    fn new(scale: &'s Scale<'s, 'a>, costs: &'s Costs) -> Self {
        let there = (0..).zip(&costs.rows).filter(|(_, cost)| cost.is_there);
        let there = there.map(|(id, _)| id);
        let level = |id: &SectionId| costs.rows[*id as usize].level;
        let (mut order, required): (Vec<SectionId>, Vec<SectionId>) =
            there.partition(|id| level(id).is_some());
        let items = costs.items();
        let item = |id: &SectionId| items.get(*id as usize).copied().flatten();
        order.sort_by_cached_key(|id| (Reverse(level(id)), item(id)));
        let is_one = |at: &usize| {
            let is_level = scale.budget.policy == Policy::Cutoff && *at > 0;
            is_level && level(&order[*at]) == level(&order[*at - 1])
        };
        let begins = (0..order.len()).filter(|at| !is_one(at));
        let bounds = begins.chain([order.len()]).collect();
        let is_part = |at: &usize| !is_one(at) || item(&order[*at]) != item(&order[*at - 1]);
        let begins = (0..order.len()).filter(is_part);
        let parts = begins.chain([order.len()]).collect();
        Self {
            scale,
            costs,
            limit: scale.budget.available(),
            required,
            order,
            bounds,
            parts,
        }
    }

    fn group(&self, index: usize) -> &[SectionId] {
        &self.order[self.bounds[index]..self.bounds[index + 1]]
    }

    /// The parts of the groups from one on, up to another: where each begins, and its rows.
    fn parts(&self, groups: Range<usize>) -> impl Iterator<Item = (usize, &[SectionId])> {
        let [from, to] = [groups.start, groups.end].map(|group| {
            let begin = self.bounds[group];
            self.parts.partition_point(|at| *at < begin)
        });
        let parts = self.parts[from..=to].windows(2);
        parts.map(|part| (part[0], &self.order[part[0]..part[1]]))
    }

    /// How many groups there are.
    fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The first `kept` groups in full; the others are not chosen yet.
    fn start(&self, kept: usize) -> Tally<'s> {
        let mut tally = Tally::new(self.costs);
        let full = self.required.iter().chain(&self.order[..self.bounds[kept]]);
        tally.choose(full.copied(), Wish::Full);
        tally
    }

    /// The first `kept` groups in full, the others as these additions say, or gone.
    fn tally(&self, kept: usize, additions: &Additions) -> Tally<'s> {
        let mut tally = self.start(kept);
        let mut additions = additions.iter().peekable();
        for (begin, rows) in self.parts(kept..self.count()) {
            let added = additions.next_if(|(at, _)| *at == begin);
            let wish = added.map_or(Wish::Gone, |(_, wish)| *wish);
            tally.choose(rows.iter().copied(), wish);
        }
        tally
    }

    fn print(&self, tally: &Tally<'_>) -> Result<Candidate<'a>, PromptError> {
        self.print_beside(tally, Beside::Nothing)
    }

    fn print_beside(
        &self,
        tally: &Tally<'_>,
        beside: Beside,
    ) -> Result<Candidate<'a>, PromptError> {
        let mut candidate = self.scale.print(tally.printed_forms(), beside)?;
        self.scale.weigh(&mut candidate);
        Ok(candidate)
    }

    /// What is kept where everything is too much.
    fn cut(&self, full: &Candidate<'_>) -> Result<Fitted<'a>, PromptError> {
        let Some(last) = self.count().checked_sub(1) else {
            return Err(self.too_large(full.used));
        };
        let most = if self.scale.budget.policy == Policy::Greedy {
            0
        } else {
            last
        };
        let (kept, mut best) = self.largest(most)?;
        let additions = self.additions(kept, best.used.total())?;
        // The most additions that fit: usually all; none is known to fit, and so is not printed again.
        let (mut low, mut high, mut at) = (0, additions.len() + 1, additions.len());
        let mut chosen = None;
        // Items may be many more than levels: after so many counts the best that is known to fit is taken.
        let mut tries = 2 * self.count().ilog2() + (additions.len() + 1).ilog2() + 4;
        while high > low + 1 && tries > 0 {
            tries -= 1;
            let tally = self.tally(kept, &additions[..at]);
            let candidate = self.print(&tally)?;
            if candidate.used.total() <= self.limit {
                (low, best, chosen) = (at, candidate, Some(tally));
            } else {
                high = at;
            }
            at = low + (high - low) / 2;
        }
        let lowest = kept.checked_sub(1).map(|last| self.group(last)[0]);
        let lowest = lowest.and_then(|id| self.costs.rows[id as usize].level);
        let mut tally = chosen.unwrap_or_else(|| self.tally(kept, &[]));
        if let Some(counted) = self.counting(kept, &additions[..low], &best)? {
            (best, tally) = counted;
        }
        let used = Some(best.used);
        Ok(best.fitted(self.scale.budget, used, lowest, &tally))
    }

    /// The same with lists that say how many of their items are left out, if there are any: as many of the additions as leave
    /// room for that.
    fn counting(
        &self,
        kept: usize,
        additions: &Additions,
        best: &Candidate<'a>,
    ) -> Result<Option<(Candidate<'a>, Tally<'s>)>, PromptError> {
        let costs = self.costs.rows.iter().zip(&best.forms);
        let is_left = |(cost, form): (&Cost, &Form)| {
            cost.is_catalogued && cost.is_there && *form == Form::Gone
        };
        let mut counted = None;
        if !costs.into_iter().any(is_left) {
            return Ok(counted);
        }
        let (mut from, mut to, mut at) = (0, additions.len() + 1, additions.len());
        while from < to {
            let tally = self.tally(kept, &additions[..at]);
            let candidate = self.print_beside(&tally, Beside::LeftOut)?;
            if !candidate.page.printed.has_left_out {
                from = at + 1;
            } else if candidate.used.total() <= self.limit {
                (from, counted) = (at + 1, Some((candidate, tally)));
            } else {
                to = at;
            }
            at = from + (to - from) / 2;
        }
        Ok(counted)
    }

    /// What can be shown of the groups past the first `kept`, which take `used` tokens. From the highest level
    /// down each takes the best form that still fits; nothing is shown in full below a level of which something went, so
    /// that nothing is lost for the sake of something less important. Of a level of which not all summaries fit the items
    /// of lists take theirs one by one.
    fn additions(&self, kept: usize, used: usize) -> Result<Vec<(usize, Wish)>, PromptError> {
        let (reduces, policy) = (self.scale.budget.reduces(), self.scale.budget.policy);
        let mut additions = Vec::new();
        if !reduces && policy != Policy::Greedy {
            return Ok(additions);
        }
        let mut tally = self.start(kept);
        (tally.used, tally.uncounted) = (used, 0);
        let mut tries = MOST_TRIES;
        let mut fits = |tally: &mut Tally<'_>| self.fits(tally, &mut tries);
        let mut is_lost = false;
        for index in kept..self.count() {
            let group = self.group(index);
            // The first one is known not to fit in full.
            let wishes: &[Wish] = if !reduces {
                &[Wish::Full]
            } else if is_lost || index == kept {
                &[Wish::Reduced]
            } else {
                &[Wish::Full, Wish::Reduced]
            };
            let mut fitting = None;
            for wish in wishes {
                if let Some(loses) = tally.attempt(group, *wish, &mut fits)? {
                    fitting = Some((*wish, loses));
                    break;
                }
            }
            if let Some((wish, loses)) = fitting {
                // A group of which nothing is left is no addition.
                if tally.has_added() {
                    let parts = self.parts(index..index + 1);
                    additions.extend(parts.map(|(begin, _)| (begin, wish)));
                }
                is_lost |= loses;
                continue;
            }
            let parts = || self.parts(index..index + 1);
            let is_split = parts().nth(1).is_some();
            for (begin, rows) in parts() {
                let loses = if is_split {
                    tally.attempt(rows, Wish::Reduced, &mut fits)?
                } else {
                    None
                };
                if loses.is_some() && tally.has_added() {
                    additions.push((begin, Wish::Reduced));
                }
                let mut drop = || tally.choose(rows.iter().copied(), Wish::Gone);
                is_lost |= loses.unwrap_or_else(&mut drop);
            }
        }
        Ok(additions)
    }

    /// Whether what was chosen fits. Where sums cannot tell, it is printed and counted, so many times at most.
    fn fits(&self, tally: &mut Tally<'_>, tries: &mut u32) -> Result<bool, PromptError> {
        let slack = self.slack(tally.uncounted);
        let is_close = tally.used.saturating_sub(slack) <= self.limit
            && self.limit < tally.used.saturating_add(slack);
        if is_close && *tries > 0 {
            *tries -= 1;
            tally.used = self.print(tally)?.used.total();
            tally.uncounted = 0;
        }
        Ok(tally.used <= self.limit)
    }

    /// By how much sums over so many sections may be wrong: what stands before each of them and before the next one is
    /// counted as in the whole text.
    fn slack(&self, sections: usize) -> usize {
        if self.scale.tree.is_open {
            usize::MAX
        } else {
            self.costs.between.saturating_mul(2 * sections)
        }
    }

    /// The most groups, `most` at best, that fit with all else gone, and that candidate.
    ///
    /// Gallops away from where the sums say it is, then bisects. Past the guess the smallest is tried first, so that a
    /// search in vain takes two counts: at most `2 * log2(most) + 2` in all.
    fn largest(&self, most: usize) -> Result<(usize, Candidate<'a>), PromptError> {
        let start = self.guess(most);
        let print = |kept| self.print(&self.tally(kept, &[]));
        let fits = |candidate: &Candidate<'_>| candidate.used.total() <= self.limit;
        let mut best = print(start)?;
        let up = fits(&best);
        if up && self.is_last(start, &best) {
            return Ok((start, best));
        }
        // The first fits, the second does not, or is past the end.
        let (mut low, mut high) = (start, most + 1);
        if !up {
            (low, high) = (0, start);
            if start > 0 {
                best = print(0)?;
            }
            if !fits(&best) {
                return Err(self.too_large(best.used));
            }
        }
        let (mut galloping, mut step) = (true, 1_usize);
        while high > low + 1 {
            let at = match (galloping, up) {
                (true, true) => low.saturating_add(step),
                (true, false) => high.saturating_sub(step),
                _ => low + (high - low) / 2,
            };
            let at = at.clamp(low + 1, high - 1);
            let candidate = print(at)?;
            let is_good = fits(&candidate);
            if is_good {
                (low, best) = (at, candidate);
            } else {
                high = at;
            }
            galloping &= is_good == up;
            step = step.saturating_mul(2);
        }
        Ok((low, best))
    }

    /// Whether the next group surely does not fit behind these, of which the candidate is known: the sums miss it by more than
    /// they were wrong about the candidate. With counts that add up they were right.
    fn is_last(&self, kept: usize, candidate: &Candidate<'_>) -> bool {
        if kept >= self.count() {
            return true;
        }
        let mut tally = self.start(kept);
        let (sum, uncounted, used) = (tally.used, tally.uncounted, candidate.used.total());
        tally.choose(self.group(kept).iter().copied(), Wish::Full);
        let next = used.saturating_add(tally.used - sum);
        let slack = self.slack(tally.uncounted - uncounted);
        next.saturating_sub(sum.abs_diff(used))
            .saturating_sub(slack)
            > self.limit
    }

    /// Where the sums say that the largest fitting candidate is. What the parts take by themselves is mostly more, or
    /// less, than what they take side by side: the limit is put into their measure.
    fn guess(&self, most: usize) -> usize {
        let costs = self.costs;
        let limit = self.limit as u128 * costs.parts as u128 / costs.whole.max(1) as u128;
        let mut tally = Tally::new(costs);
        tally.used = costs.parts.saturating_sub(costs.sections);
        tally.choose(self.required.iter().copied(), Wish::Full);
        let fits = |group: &usize| {
            tally.choose(self.group(*group).iter().copied(), Wish::Full);
            tally.used as u128 <= limit
        };
        (0..most).take_while(fits).count()
    }

    /// Names what is to blame: the largest section that was opened, or the histories where they take more, or else the
    /// largest section that must stay.
    fn too_large(&self, used: Used) -> PromptError {
        let (tree, scale) = (self.scale.tree, self.scale);
        let tally = self.tally(0, &[]);
        let stays = |id: SectionId| tally.is_counted[id as usize];
        let staying = || (0..tree.len()).filter(|id| stays(*id));
        let histories = scale.messages.iter();
        let histories = histories.filter(|(id, history)| history.sum > 0 && stays(*id));
        let history = sum(histories.clone().map(|(_, history)| history.sum));
        let history = history.saturating_add(scale.budget.history.sum);
        // What is closed by itself, or might go, would not be there if nobody had opened it.
        let by_choice = |id: &SectionId| {
            let row = tree.section(*id);
            let may_be_less = row.priority.is_some() || row.declared == Visibility::Summary;
            may_be_less && scale.shown.is_opened(*id)
        };
        let inside = tree.sums(self.costs.rows.iter().map(Cost::present).collect());
        let whole = |id: SectionId| inside[id as usize];
        let opened = staying().filter(by_choice);
        let opened = opened.max_by_key(|id| (whole(*id), Reverse(*id)));
        let mut texts: Vec<usize> = self.costs.rows.iter().map(|cost| cost.own).collect();
        for (id, history) in histories.clone() {
            texts[*id as usize] -= history.sum;
        }
        let text = |id: SectionId| texts[id as usize];
        let root = self.costs.base().saturating_sub(scale.budget.history.sum);
        let largest = staying().max_by_key(|id| (text(*id), Reverse(*id)));
        let largest = largest.filter(|id| text(*id) > root);
        let most = opened.map_or(largest.map_or(root, text), whole);
        let (cause, blamed) = if history > 0 && history >= most {
            let one = histories.clone().map(|(id, _)| *id);
            let behind = scale.budget.history;
            let mut one = one.filter(|_| behind.sum == 0);
            let only = one.next().filter(|_| one.next().is_none());
            let all = histories
                .clone()
                .map(|(_, history)| *history)
                .chain([behind]);
            let mut all = all.filter(|history| history.sum > 0);
            let whole = all.next().filter(|_| all.next().is_none());
            let cause = TooLarge::History {
                tokens: history,
                longest: whole.and_then(|whole| whole.longest),
            };
            (cause, only)
        } else if opened.is_some() {
            (TooLarge::Opened, opened)
        } else {
            (TooLarge::Required, largest)
        };
        PromptError::Budget {
            code: Code::BaseTooLarge,
            needed: used.total(),
            limit: self.limit,
            cause,
            path: blamed.map(|id| tree.path(Some(id))),
        }
    }
}

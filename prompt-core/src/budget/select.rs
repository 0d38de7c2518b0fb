//! The search for what fits. A candidate is judged by counting its whole text; estimates only say where to begin.

use super::{Budget, BudgetReport, BudgetedSection, Outcome, Policy, Reason, cost::Costs};
use crate::error::PromptError;
use crate::render::Printed;
use crate::render::Prompt;
use crate::render::plan::Action;
use crate::render::plan::Plan;
use crate::render::record::Record;
use crate::rendered::RenderedPrompt;
use prompt_syntax::Code;

/// A rendered candidate.
struct Candidate {
    text: String,
    record: Record,
    printed: Printed,
    actions: Vec<Action>,
    tokens: usize,
}

struct Search<'s, 'a> {
    prompt: &'s Prompt<'a>,
    budget: &'s Budget<'a>,
    costs: Costs,
    limit: usize,
}

/// Renders the prompt within its budget.
pub(crate) fn render<'a>(
    prompt: &Prompt<'a>,
    budget: &Budget<'a>,
) -> Result<RenderedPrompt, PromptError> {
    let mut text = String::new();
    let mut record = Record::default();
    let printed = prompt.print(&mut text, Some(&mut record), None)?;
    let tokens = budget.count(&text);
    let costs = Costs::of(prompt, budget, (&text, tokens), &record)?;
    let search = Search {
        prompt,
        budget,
        costs,
        limit: budget.available(),
    };
    let actions = vec![Action::Keep; record.entries.len()];
    let full = Candidate {
        text,
        record,
        printed,
        actions,
        tokens,
    };
    let chosen = if tokens <= search.limit {
        full
    } else {
        match budget.policy {
            Policy::Cutoff => search.cutoff()?,
            Policy::Prefix => search.prefix()?,
            Policy::Greedy => search.greedy()?,
        }
    };
    let report = search.report(&chosen);
    RenderedPrompt::new(
        prompt,
        chosen.text,
        chosen.record,
        chosen.printed,
        Some(report),
    )
}

impl Search<'_, '_> {
    fn try_plan(&self, actions: Vec<Action>) -> Result<Candidate, PromptError> {
        let plan = Plan {
            actions,
            ends: self.costs.ends.clone(),
        };
        let mut text = String::new();
        let mut record = Record::default();
        let printed = self
            .prompt
            .print(&mut text, Some(&mut record), Some(&plan))?;
        let tokens = self.budget.count(&text);
        Ok(Candidate {
            text,
            record,
            printed,
            actions: plan.actions,
            tokens,
        })
    }

    /// The priorities that occur, highest first.
    fn levels(&self) -> Vec<i32> {
        let mut levels: Vec<i32> = self
            .costs
            .items
            .iter()
            .filter_map(super::cost::Item::level)
            .collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels.dedup();
        levels
    }

    /// Sections of at least this priority stay (all optional ones go for `None`), the others take the form `below`.
    fn actions(
        &self,
        keep: Option<i32>,
        below: impl Fn(&super::cost::Item) -> Action,
    ) -> Vec<Action> {
        let kept =
            |level: Option<i32>| level.is_none_or(|level| keep.is_some_and(|keep| level >= keep));
        self.costs
            .items
            .iter()
            .map(|item| {
                if kept(item.level()) {
                    Action::Keep
                } else {
                    below(item)
                }
            })
            .collect()
    }

    /// The summary form where it is cheaper, nothing otherwise; a list is reduced item by item.
    fn reduced(item: &super::cost::Item) -> Action {
        match item.summary {
            Some(_) => Action::Summarise,
            None if item.reduces_items => Action::Keep,
            None => Action::Drop,
        }
    }

    fn cutoff(&self) -> Result<Candidate, PromptError> {
        let levels = self.levels();
        let plan = |kept: usize| {
            let keep = kept
                .checked_sub(1)
                .and_then(|last| levels.get(last).copied());
            self.actions(keep, Self::reduced)
        };
        // Everything was found too big, so the last level is not a candidate.
        if let Ok(candidate) = self.largest(levels.len().saturating_sub(1), plan)? {
            return Ok(candidate);
        }
        let plan = |kept: usize| {
            let keep = kept
                .checked_sub(1)
                .and_then(|last| levels.get(last).copied());
            let stays =
                |item: &super::cost::Item| keep.is_some_and(|keep| item.level() >= Some(keep));
            self.actions(None, |item| {
                if stays(item) {
                    Self::reduced(item)
                } else {
                    Action::Drop
                }
            })
        };
        self.largest(levels.len().saturating_sub(1), plan)?
            .map_err(|needed| self.too_large(needed))
    }

    /// Ordinals by priority, then in document order; required ones left out.
    fn order(&self) -> Vec<usize> {
        let optional = |index: &usize| {
            self.costs
                .items
                .get(*index)
                .is_some_and(|item| item.level().is_some())
        };
        let mut order: Vec<usize> = (0..self.costs.items.len()).filter(optional).collect();
        order.sort_by_key(|index| {
            std::cmp::Reverse(
                self.costs
                    .items
                    .get(*index)
                    .and_then(super::cost::Item::level),
            )
        });
        order
    }

    fn only(&self, kept: &[usize]) -> Vec<Action> {
        let mut actions = self.actions(None, |_| Action::Drop);
        for index in kept {
            if let Some(action) = actions.get_mut(*index) {
                *action = Action::Keep;
            }
        }
        actions
    }

    fn prefix(&self) -> Result<Candidate, PromptError> {
        let order = self.order();
        let plan = |kept: usize| self.only(order.get(..kept).unwrap_or_default());
        self.largest(order.len().saturating_sub(1), plan)?
            .map_err(|needed| self.too_large(needed))
    }

    fn greedy(&self) -> Result<Candidate, PromptError> {
        let mut kept: Vec<usize> = Vec::new();
        let mut best = self.try_plan(self.only(&kept))?;
        if best.tokens > self.limit {
            return Err(self.too_large(best.tokens));
        }
        for index in self.order() {
            let hidden = |end: (usize, &usize)| end.0 < index && *end.1 > index;
            let mut around = self
                .costs
                .ends
                .iter()
                .enumerate()
                .filter(|end| hidden(*end));
            if around.any(|(parent, _)| best.actions.get(parent) != Some(&Action::Keep)) {
                continue;
            }
            kept.push(index);
            let candidate = self.try_plan(self.only(&kept))?;
            if candidate.tokens <= self.limit {
                best = candidate;
            } else {
                kept.pop();
            }
        }
        Ok(best)
    }

    /// The candidate with the largest `kept` in `0..=most` whose whole text fits; the tokens of that with the smallest if
    /// none does. Larger is longer.
    ///
    /// Gallops away from the guess, then bisects. Past the guess the smallest is tried first, so that a search in vain
    /// takes two counts: at most `2 * log2(most) + 2` in all.
    fn largest(
        &self,
        most: usize,
        plan: impl Fn(usize) -> Vec<Action>,
    ) -> Result<Result<Candidate, usize>, PromptError> {
        let start = self.guess(most, &plan);
        let mut best = self.try_plan(plan(start))?;
        let up = best.tokens <= self.limit;
        // The first fits, the second does not, or is past the end.
        let (mut low, mut high) = (start, most + 1);
        if !up {
            (low, high) = (0, start);
            if start > 0 {
                best = self.try_plan(plan(0))?;
            }
            if best.tokens > self.limit {
                return Ok(Err(best.tokens));
            }
        }
        let (mut galloping, mut step) = (true, 1);
        while high > low + 1 {
            let at = match (galloping, up) {
                (true, true) => low + step,
                (true, false) => high.saturating_sub(step),
                _ => low + (high - low) / 2,
            };
            let at = at.clamp(low + 1, high - 1);
            let candidate = self.try_plan(plan(at))?;
            let fits = candidate.tokens <= self.limit;
            if fits {
                (low, best) = (at, candidate);
            } else {
                high = at;
            }
            galloping &= fits == up;
            step *= 2;
        }
        Ok(Ok(best))
    }

    /// Where the sums say that the largest fitting candidate is.
    fn guess(&self, most: usize, plan: &impl Fn(usize) -> Vec<Action>) -> usize {
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.estimate(&plan(middle)) <= self.limit {
                low = middle
            } else {
                high = middle - 1
            }
        }
        low
    }

    fn estimate(&self, actions: &[Action]) -> usize {
        let mut tokens = self.costs.base;
        let mut index = 0;
        while let (Some(item), Some(action)) = (self.costs.items.get(index), actions.get(index)) {
            tokens += match action {
                Action::Keep => item.own,
                Action::Summarise => item.summary.unwrap_or_default(),
                Action::Drop => 0,
            };
            let end = self.costs.ends.get(index).copied().unwrap_or(index + 1);
            index = if *action == Action::Keep {
                index + 1
            } else {
                end
            };
        }
        tokens
    }

    fn too_large(&self, needed: usize) -> PromptError {
        let opened = self
            .costs
            .items
            .iter()
            .rfind(|item| item.opened && item.priority.is_some());
        PromptError::Budget {
            code: Code::BaseTooLarge,
            needed,
            limit: self.limit,
            path: opened.map(|item| item.path.clone()),
        }
    }

    fn report(&self, chosen: &Candidate) -> BudgetReport {
        let mut sections = Vec::with_capacity(self.costs.items.len());
        let mut gone_until = 0;
        let mut cutoff: Option<i32> = None;
        for (index, item) in self.costs.items.iter().enumerate() {
            let action = chosen.actions.get(index).copied().unwrap_or(Action::Keep);
            let end = self.costs.ends.get(index).copied().unwrap_or_default();
            let below = chosen.actions.get(index + 1..end).unwrap_or_default();
            let reduced = item.reduces_items && below.iter().any(|action| *action != Action::Keep);
            let (outcome, reason, tokens) = match action {
                _ if index < gone_until => (Outcome::Dropped, Reason::Parent, item.own),
                Action::Keep if item.opened => (Outcome::Kept, Reason::Opened, item.own),
                Action::Keep if item.priority.is_none() => {
                    (Outcome::Kept, Reason::Required, item.own)
                }
                Action::Keep if reduced => (Outcome::Summarised, Reason::Priority, item.own),
                Action::Keep => (Outcome::Kept, Reason::Fits, item.own),
                Action::Summarise => (
                    Outcome::Summarised,
                    Reason::Priority,
                    item.summary.unwrap_or_default(),
                ),
                Action::Drop => (Outcome::Dropped, Reason::Priority, item.own),
            };
            if outcome != Outcome::Kept {
                gone_until = gone_until.max(if action == Action::Keep { 0 } else { end });
            } else if let Some(level) = item.level() {
                cutoff = Some(cutoff.map_or(level, |lowest| lowest.min(level)));
            }
            sections.push(BudgetedSection {
                path: item.path.clone(),
                priority: item.priority,
                outcome,
                reason,
                tokens,
            });
        }
        BudgetReport {
            limit: self.limit,
            used: chosen.tokens,
            cutoff,
            sections,
        }
    }
}

//! What became of each section. The report of it is made when somebody asks, with paths, and with counts if nothing had to be
//! counted before.

use super::{
    Budget, BudgetReport, BudgetedSection, Outcome, Policy, Reason,
    cost::Cost,
    scale::{Own, Used},
    tally::Tally,
};
use crate::document::SectionId;
use crate::node::Form;
use crate::page::Span;

/// What a budget did.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    limit: usize,
    /// Nothing where the text fits without being counted; then the tokens of the sections are not known either.
    used: Option<Used>,
    cutoff: Option<i32>,
    sections: Vec<Decided>,
}

/// What became of a section.
#[derive(Clone, Copy, Debug)]
struct Decided {
    row: SectionId,
    priority: Option<i32>,
    outcome: Outcome,
    reason: Reason,
    tokens: usize,
}

impl Decision {
    /// From what was chosen, the lowest level of which all was, and the rows to which no branch leads any more.
    pub(super) fn of(
        budget: &Budget<'_>,
        used: Option<Used>,
        lowest: Option<i32>,
        tally: &Tally<'_>,
    ) -> Self {
        let limit = budget.available();
        let rows = &tally.costs.rows;
        let free = limit.saturating_sub(used.map_or(0, Used::total));
        let mut sections = Vec::with_capacity(rows.len());
        let mut cutoff = None;
        // Why what is inside a row is not shown.
        let mut hides: Vec<Option<Reason>> = Vec::with_capacity(rows.len());
        for (id, cost) in (0..).zip(rows) {
            let hidden = cost.parent.and_then(|parent| hides[parent as usize]);
            let (outcome, reason, tokens) = match hidden {
                Some(reason) => (Outcome::Dropped, reason, cost.own),
                None => outcome(tally, id, cost, free),
            };
            hides.push(hidden.or(match outcome {
                Outcome::Kept => None,
                Outcome::Summarised => Some(Reason::Covered),
                Outcome::Dropped if reason == Reason::Emptied => None,
                Outcome::Dropped => Some(Reason::Parent),
            }));
            if cost.is_there {
                if let (Outcome::Kept, Some(level)) = (outcome, cost.level) {
                    cutoff = Some(cutoff.map_or(level, |lowest: i32| lowest.min(level)));
                }
                sections.push(Decided {
                    row: id,
                    priority: cost.priority,
                    outcome,
                    reason,
                    tokens,
                });
            }
        }
        Self {
            limit,
            used,
            cutoff: if budget.policy == Policy::Cutoff {
                lowest
            } else {
                cutoff
            },
            sections,
        }
    }

    /// The rows that are kept, in order.
    pub(crate) fn kept(&self) -> impl Iterator<Item = SectionId> {
        let kept = |section: &&Decided| section.outcome == Outcome::Kept;
        self.sections.iter().filter(kept).map(|section| section.row)
    }

    /// The report, of a text with these sections; `paths` are those of all rows.
    pub(crate) fn report(
        &self,
        paths: &[String],
        text: &str,
        spans: &[Span],
        is_below: impl Fn(SectionId, SectionId) -> bool,
    ) -> BudgetReport {
        let mut decided = self.sections.clone();
        let used = self.used.unwrap_or_else(|| {
            let own = Own::estimated(text, spans, is_below);
            for (span, tokens) in spans.iter().zip(own.sections) {
                if let Ok(at) = decided.binary_search_by_key(&span.section, |decided| decided.row) {
                    decided[at].tokens = tokens;
                }
            }
            Used::of_text(own.whole.unwrap_or_default())
        });
        let section = |decided: &Decided| BudgetedSection {
            path: paths[decided.row as usize].clone(),
            priority: decided.priority,
            outcome: decided.outcome,
            reason: decided.reason,
            tokens: decided.tokens,
        };
        BudgetReport {
            limit: self.limit,
            used: used.total(),
            text: used.text,
            messages: used.messages,
            tools: used.tools,
            cutoff: self.cutoff,
            sections: decided.iter().map(section).collect(),
            rows: decided.iter().map(|decided| decided.row).collect(),
        }
    }
}

/// What became of a section with open sections around it, where so many tokens are free.
fn outcome(tally: &Tally<'_>, id: SectionId, cost: &Cost, free: usize) -> (Outcome, Reason, usize) {
    let form = tally.forms[id as usize];
    // Why it is less than it would be, for the lack of so many tokens.
    let lacking = |tokens: usize| {
        if tokens <= free {
            Reason::Level
        } else {
            Reason::Priority
        }
    };
    if form == Form::Gone {
        return (Outcome::Dropped, lacking(cost.own), cost.own);
    }
    if tally.is_emptied(id) {
        return (Outcome::Dropped, Reason::Emptied, cost.own);
    }
    if form != cost.form {
        let tokens = cost.summary.unwrap_or(cost.own);
        let more = cost.own.saturating_sub(tokens);
        return (Outcome::Summarised, lacking(more), tokens);
    }
    let reason = if cost.is_opened {
        Reason::Opened
    } else if cost.level.is_none() {
        Reason::Required
    } else {
        Reason::Fits
    };
    (Outcome::Kept, reason, cost.own)
}

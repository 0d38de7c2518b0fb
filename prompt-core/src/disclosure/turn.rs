//! A turn of the model: its calls of `open_sections` are judged, limits are kept, and what was opened goes to the state. The
//! answers come out.

use super::delivered::{Opened, opened_text, print_alone};
use super::{
    Delivery, Disclosure, DisclosureError, ToolFault, ToolInvoked, ToolOutcome,
    ToolValidationError, TurnPlan, VisibilityExpansionRequired,
};
use crate::document::SectionId;
use crate::errors::PromptError;
use crate::messages::tool::{NOTHING_SHOWN, OPEN_SECTIONS, ToolCall, ToolResult, ToolSpec};
use crate::node::{Form, Overrides};
use crate::prompt::{Options, PromptNode};
use crate::select::budget::{self, Decision};
use crate::select::opening::{self, Judged, Named, Refusal, Verdict, now_shown};
use crate::select::telemetry::ToolSpan;
use crate::select::{Forms, Offers, Resolved, Table, Text as Printed, View, check_tools, openable};
use crate::tokens::{EstimatedTokens, TokenCounter};
use std::{cell::LazyCell, collections::BTreeSet};

/// What a request opens.
struct Opening {
    expansion: Box<VisibilityExpansionRequired>,
    /// The answer that goes with it.
    text: String,
    tokens: usize,
}

/// What comes of a request: something is opened, or the model is told why not; or the conversation may not go on.
type Outcome = Result<Result<Opening, Box<Refusal>>, DisclosureError>;

impl<N: PromptNode + ?Sized> Disclosure<'_, N> {
    /// Judges a turn, tells of it, and keeps what was opened. The tree is asked once, and only if there is something to
    /// judge. Where the plan is not handed out calls of tools that the prompt does not offer are answered, too.
    pub(super) fn turn<'c>(
        &mut self,
        calls: &'c [ToolCall],
        is_handed_out: bool,
    ) -> Result<TurnPlan<'c>, DisclosureError> {
        let requests = opening::opening_calls(calls);
        let mut plan = TurnPlan {
            calls,
            answers: vec![None; calls.len()],
            verdict: Verdict::NotMine,
        };
        if requests.is_empty() && is_handed_out {
            return Ok(plan);
        }
        let overrides = self.sent_overrides();
        let options = self.options(&overrides);
        let root = self.prompt.root;
        let tree = Resolved::of(root.embedded(), root.asked(), &options.view, true, true)?;
        check_tools(&tree)?;
        let meant = tree.forms();
        let (sent, decision) = match options.whole_budget() {
            Some(budget) => {
                let fitted = budget::fit(&tree, &meant, &options.view, &budget, false)?;
                (fitted.forms, Some(fitted.decision))
            }
            None => (meant.forms.clone(), None),
        };
        let unknown = if is_handed_out {
            Vec::new()
        } else {
            unknown(&tree, &options.view, &sent, calls)
        };
        if requests.is_empty() {
            if !calls.is_empty() && unknown.iter().all(Option::is_some) {
                self.count_round()?;
            }
        } else {
            let span = ToolSpan::start(&requests, &options.view.format.wording.description);
            let mut rows = Table::of(&tree, &options.view, &sent, &meant.forms);
            if self.is_appended() {
                self.deliver(&tree, &mut rows);
            }
            let judged = Judged::of(&rows, &requests);
            let mut outcome = self.outcome(&tree, &options, &judged, decision.as_ref());
            span.end(&self.listener, || event(judged.event(&requests), &outcome));
            if let (true, Ok(Ok(opening))) = (is_handed_out, &mut outcome) {
                opening.expansion.visibility = judged.visibility();
            }
            self.settle(&mut plan, outcome?);
        }
        for (answer, unknown) in plan.answers.iter_mut().zip(unknown) {
            *answer = answer.take().or(unknown);
        }
        Ok(plan)
    }

    /// Keeps what came of a request, and puts the answers into the plan.
    fn settle(&mut self, plan: &mut TurnPlan<'_>, outcome: Result<Opening, Box<Refusal>>) {
        let state = &mut self.state;
        state.rounds = state.rounds.saturating_add(1);
        match outcome {
            Ok(opening) => {
                state.opened_tokens = state.opened_tokens.saturating_add(opening.tokens);
                state.opened.merge(&opening.expansion.requested_overrides);
                let is_appended = state.delivery == Delivery::Append;
                plan.answers = opening::opened(plan.calls, &opening.text, is_appended);
                plan.verdict = Verdict::Open(opening.expansion);
            }
            Err(refusal) => {
                let is_over = |fault: &ToolFault| matches!(fault, ToolFault::OverOpened { .. });
                state.is_over |= refusal.error.faults().any(is_over);
                plan.answers = refusal.answers(plan.calls);
                plan.verdict = Verdict::Refused(refusal);
            }
        }
    }

    /// Counts a round without a request.
    fn count_round(&mut self) -> Result<(), DisclosureError> {
        let rounds = self.max_rounds;
        if self.state.rounds > rounds {
            return Err(DisclosureError::MaxRounds { rounds });
        }
        self.state.rounds = self.state.rounds.saturating_add(1);
        Ok(())
    }

    /// What a request opens, or the answer why it does not; an error if the conversation may not go on.
    fn outcome(
        &self,
        tree: &Resolved<'_>,
        options: &Options<'_>,
        judged: &Judged<'_>,
        sent: Option<&Decision>,
    ) -> Outcome {
        let mut expansion = match self.wanted(judged)? {
            Ok(expansion) => expansion,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let rows = self.chains(tree, &judged.opened, &mut expansion.requested_overrides);
        let shown = self.opened(tree, &expansion.requested_overrides);
        let (page, gone) = match next_text(tree, options, &shown, (&rows, sent))? {
            Ok(next) => next,
            Err(missing) => {
                let sections = paths(&expansion);
                return Ok(refused(ToolFault::OverBudget { sections, missing }));
            }
        };
        let Opened { text, blank } = opened_text(tree, &page, &options.view, &rows);
        let tokens = match self.counter {
            Some(counter) => counter.count(&text),
            None => EstimatedTokens::default().count(&text),
        };
        let needed = self.state.opened_tokens.saturating_add(tokens);
        if let Some(limit) = self.max_opened_tokens.filter(|limit| needed > *limit) {
            let (sections, missing) = (paths(&expansion), needed - limit);
            if !self.state.is_over {
                return Ok(refused(ToolFault::OverOpened { sections, missing }));
            }
            return Err(DisclosureError::OpenedTokens {
                sections,
                needed,
                limit,
            });
        }
        let blank: Vec<String> = blank.iter().map(|id| tree.path(Some(*id))).collect();
        let appended = options.view.is_appended.then_some(text);
        Ok(Ok(Opening {
            text: answer(appended, &expansion, &blank) + &room(&gone) + &judged.listed,
            expansion,
            tokens,
        }))
    }

    /// What a request asks for, within the rounds that the model has.
    fn wanted(
        &self,
        judged: &Judged<'_>,
    ) -> Result<Result<Box<VisibilityExpansionRequired>, Box<Refusal>>, DisclosureError> {
        let rounds = self.max_rounds;
        if self.state.rounds > rounds {
            return Err(if judged.asks_again() {
                let sections = judged.section_keys.clone();
                DisclosureError::AskedAgain { sections, rounds }
            } else {
                DisclosureError::MaxRounds { rounds }
            });
        }
        if self.state.rounds == rounds {
            return Ok(refused(ToolFault::RoundsUsedUp { rounds }));
        }
        Ok(match &judged.verdict {
            Verdict::Open(expansion) => Ok(expansion.clone()),
            Verdict::Refused(refusal) => Err(refusal.clone()),
            Verdict::NotMine => refused(ToolFault::NoKeys),
        })
    }

    /// These rows, and the closed sections around them that a budget dropped: they are opened, too, or what is in them would
    /// not be shown.
    fn chains(
        &self,
        tree: &Resolved<'_>,
        opened: &[SectionId],
        overrides: &mut Overrides,
    ) -> Vec<SectionId> {
        let mut rows = opened.to_vec();
        let so_far = LazyCell::new(|| self.opened(tree, &Overrides::default()));
        for around in opened.iter().flat_map(|id| tree.around(*id)) {
            if so_far.form(around) == Form::Summary && !rows.contains(&around) {
                overrides.open(tree.path(Some(around)));
                rows.push(around);
            }
        }
        rows
    }
}

fn refusal(fault: ToolFault) -> Refusal {
    ToolValidationError::of(vec![fault], &[]).into()
}

/// What is told of a request.
fn event(mut event: ToolInvoked, outcome: &Outcome) -> ToolInvoked {
    match outcome {
        Ok(Ok(opening)) => event.tokens_opened = Some(opening.tokens),
        Ok(Err(refusal)) => {
            event.outcome = ToolOutcome::refused(&refusal.error);
            event.tokens_opened = Some(0);
        }
        Err(error) => {
            event.outcome = ToolOutcome::Failed {
                code: error.code(),
                message: error.to_string(),
            }
        }
    }
    event
}

/// An unknown tool is compared with so many others.
const COMPARED: usize = 200;

/// The answers to calls of tools that are not offered.
fn unknown(
    tree: &Resolved<'_>,
    view: &View<'_>,
    forms: &[Form],
    calls: &[ToolCall],
) -> Vec<Option<ToolResult>> {
    let offers = Offers::of(tree, view, forms);
    let offered: BTreeSet<&str> = offers.tools(tree).map(ToolSpec::name).collect();
    let opens = openable(tree, view).contains(&true);
    let opening = opens.then_some(OPEN_SECTIONS);
    let answer = |call: &ToolCall| {
        let name = call.name.as_str();
        if name == OPEN_SECTIONS || offered.contains(name) {
            return None;
        }
        let tools = tree.tools.iter().map(|(_, tool)| tool.name());
        let named = tools.filter(|name| offered.contains(name)).take(COMPARED);
        let near = match prompt_syntax::nearest(name, named.chain(opening)) {
            Some(near) => format!(" Did you mean '{near}'?"),
            None => String::new(),
        };
        let text = format!("There is no tool '{name}'.{near}");
        Some(ToolResult::failed(call, text))
    };
    calls.iter().map(answer).collect()
}

fn refused<T>(fault: ToolFault) -> Result<T, Box<Refusal>> {
    Err(refusal(fault).into())
}

/// What the model reads: the text that was opened, or that it is shown; and of which sections there is nothing to show.
fn answer(
    appended: Option<String>,
    expansion: &VisibilityExpansionRequired,
    blank: &[String],
) -> String {
    let shown = expansion.paths().map(str::to_owned);
    let shown: Vec<String> = shown.filter(|path| !blank.contains(path)).collect();
    let (text, gap) = match appended {
        Some(text) => (text, "\n\n"),
        None if shown.is_empty() => (String::new(), ""),
        None => (now_shown(&shown), " "),
    };
    if blank.is_empty() {
        return text;
    }
    let gap = if text.is_empty() { "" } else { gap };
    format!("{text}{gap}{NOTHING_SHOWN}{}.", Named(blank))
}

/// The paths that are opened.
fn paths(expansion: &VisibilityExpansionRequired) -> Vec<String> {
    expansion.paths().map(str::to_owned).collect()
}

/// A text in which these sections stand as in the next prompt, and those that go for them under a budget, which protects what
/// is opened; or the tokens that are missing. What of them cannot be printed is told at once. Without a budget nothing has to
/// go, nor where the text travels in the answer.
fn next_text<'a>(
    tree: &Resolved<'a>,
    options: &Options<'_>,
    shown: &Forms,
    (rows, sent): (&[SectionId], Option<&Decision>),
) -> Result<Result<(Printed<'a>, Vec<String>), usize>, PromptError> {
    let budget = options.whole_budget();
    let Some(budget) = budget.filter(|_| !options.view.is_appended) else {
        return Ok(Ok((print_alone(tree, shown, rows)?, Vec::new())));
    };
    match budget::fit(tree, shown, &options.view, &budget, false) {
        Err(PromptError::Budget { needed, limit, .. }) => Ok(Err(needed.saturating_sub(limit))),
        fitted => {
            let fitted = fitted?;
            let gone = sent.map_or_else(Vec::new, |sent| made_room(tree, sent, &fitted.decision));
            Ok(Ok((fitted.page, gone)))
        }
    }
}

/// The sections that were shown as they are, and are not any more.
fn made_room(tree: &Resolved<'_>, sent: &Decision, now: &Decision) -> Vec<String> {
    let now: BTreeSet<SectionId> = now.kept().collect();
    let gone = sent.kept().filter(|row| !now.contains(row));
    gone.map(|row| tree.path(Some(row))).collect()
}

/// Tells the model what went.
fn room(gone: &[String]) -> String {
    if gone.is_empty() {
        return String::new();
    }
    format!(" To make room, shortened or left out: {}.", Named(gone))
}

impl ToolFault {
    /// The results of the calls of `open_sections` among these, in a program that refuses them for this fault.
    pub fn results(self, calls: &[ToolCall]) -> Vec<ToolResult> {
        let answers = refusal(self).answers(calls);
        answers.into_iter().flatten().collect()
    }
}

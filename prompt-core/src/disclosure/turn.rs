//! A turn of the model: its calls of `open_sections` are judged, limits are kept, and what was opened goes to the state. The
//! answers come out.

use super::delivered::opened_text;
use super::{Disclosure, DisclosureError, ToolFault, ToolOutcome, ToolValidationError};
use crate::budget::{self, BudgetReport, Outcome};
use crate::error::PromptError;
use crate::opening::{self, Judged, Named, Refusal, Verdict};
use crate::print::{Offers, Shown, Tape, View, openable, standing};
use crate::prompt::{Options, PromptNode};
use crate::telemetry::ToolSpan;
use crate::tokens::{EstimatedTokens, TokenCounter};
use crate::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use crate::visibility::{Form, Overrides};
use std::collections::BTreeSet;

/// What was made of a turn.
pub(super) struct Turn {
    /// For each call what is answered at once; nothing where it is to be run.
    pub(super) answers: Vec<Option<ToolResult>>,
    /// For each call whose tool the prompt does not offer what is answered.
    pub(super) unknown: Vec<Option<ToolResult>>,
}

/// What a request opens.
struct Opening {
    /// The answer that goes with it.
    text: String,
    tokens: usize,
    overrides: Overrides,
}

impl<N: PromptNode + ?Sized> Disclosure<'_, N> {
    /// Judges a turn, tells of it, and keeps what was opened. The tree is asked once, and only if there is something to
    /// judge.
    pub(super) fn turn(
        &mut self,
        calls: &[ToolCall],
        knows_tools: bool,
    ) -> Result<Turn, DisclosureError> {
        let requests = opening::opening_calls(calls);
        let mut turn = Turn {
            answers: vec![None; calls.len()],
            unknown: vec![None; calls.len()],
        };
        if requests.is_empty() && !knows_tools {
            return Ok(turn);
        }
        let overrides = self.sent_overrides();
        let options = self.options(&overrides);
        let tape = self.tape(&options)?;
        let meant = Shown::met(&tape.rows);
        let fitted = options
            .whole_budget()
            .map(|budget| budget::fit(&tape, &meant, &options.view, &budget, false))
            .transpose()?;
        let sent = fitted
            .as_ref()
            .map_or(&meant.forms, |fitted| &fitted.forms)
            .clone();
        let report = fitted.as_ref().map(|fitted| &fitted.report);
        if knows_tools {
            turn.unknown = unknown(&tape, &options.view, &sent, calls);
        }
        if requests.is_empty() {
            if !calls.is_empty() && turn.unknown.iter().all(Option::is_some) {
                self.count_round()?;
            }
            return Ok(turn);
        }
        let span = ToolSpan::start(&requests, &options.view.look.wording.description);
        let mut rows = standing(&tape.rows, &options.view, &sent, &meant.forms);
        if self.is_appended() {
            self.deliver(&tape, &mut rows);
        }
        let judged = Judged::of(&rows, &requests);
        let outcome = self.outcome(&tape, &options, &judged, report);
        let mut event = judged.event();
        match &outcome {
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
        span.finish(&event);
        self.listener.tell(&event);
        turn.answers = match outcome? {
            Ok(opening) => {
                let tokens = self.state.opened_tokens.saturating_add(opening.tokens);
                self.state.opened_tokens = tokens;
                self.state.opened.merge(&opening.overrides);
                opening::opened(calls, &opening.text, self.is_appended())
            }
            Err(refusal) => {
                let is_over = |fault: &ToolFault| matches!(fault, ToolFault::OverOpened { .. });
                self.state.is_over |= refusal.error.faults().any(is_over);
                refusal.answers(calls)
            }
        };
        self.state.rounds = self.state.rounds.saturating_add(1);
        Ok(turn)
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
        tape: &Tape<'_>,
        options: &Options<'_>,
        judged: &Judged,
        sent: Option<&BudgetReport>,
    ) -> Result<Result<Opening, Refusal>, DisclosureError> {
        let refuse = |fault| Ok(Err(ToolValidationError::of(vec![fault], &[]).into()));
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
            return refuse(ToolFault::RoundsUsedUp { rounds });
        }
        let expansion = match &judged.verdict {
            Verdict::Open(expansion) => expansion,
            Verdict::Refused(refusal) => return Ok(Err(refusal.as_ref().clone())),
            Verdict::NotMine => return refuse(ToolFault::NoKeys),
        };
        // A closed section around that a budget dropped is opened, too: what is in it would not be shown.
        let mut expansion = expansion.as_ref().clone();
        let mut rows = judged.opened.clone();
        let so_far = self.opened(tape, &Overrides::default());
        for id in &judged.opened {
            for around in tape.rows.around(*id) {
                if so_far.form(around) == Form::Summary && !rows.contains(&around) {
                    let path = tape.rows.path(around);
                    expansion.requested_overrides.open(path);
                    rows.push(around);
                }
            }
        }
        let overrides = &expansion.requested_overrides;
        let sections = || expansion.paths().map(str::to_owned).collect();
        let shown = self.opened(tape, overrides);
        let mut gone = Vec::new();
        if let Some(budget) = options.whole_budget().filter(|_| !options.view.is_appended) {
            // What was opened is protected: if the rest fits, it is shown.
            match budget::fit(tape, &shown, &options.view, &budget, false) {
                Err(PromptError::Budget { needed, limit, .. }) => {
                    return refuse(ToolFault::OverBudget {
                        sections: sections(),
                        missing: needed.saturating_sub(limit),
                    });
                }
                fitted => {
                    let now = fitted?.report;
                    gone = sent.map_or_else(Vec::new, |sent| made_room(sent, &now));
                }
            }
        }
        let text = opened_text(tape, &shown, &options.view, &rows)?;
        let tokens = self.counter.map_or_else(
            || EstimatedTokens::default().count(&text),
            |counter| counter.count(&text),
        );
        let needed = self.state.opened_tokens.saturating_add(tokens);
        if let Some(limit) = self.max_opened_tokens.filter(|limit| needed > *limit) {
            if !self.state.is_over {
                return refuse(ToolFault::OverOpened {
                    sections: sections(),
                    missing: needed - limit,
                });
            }
            return Err(DisclosureError::OpenedTokens {
                sections: sections(),
                needed,
                limit,
            });
        }
        let travels = options.view.is_appended && !text.is_empty();
        Ok(Ok(Opening {
            text: if travels {
                text
            } else {
                expansion.opened() + &room(&gone)
            },
            tokens,
            overrides: overrides.clone(),
        }))
    }
}

/// An unknown tool is compared with so many others.
const COMPARED: usize = 200;

/// The answers to calls of tools that are not offered.
fn unknown(
    tape: &Tape<'_>,
    view: &View<'_>,
    forms: &[Form],
    calls: &[ToolCall],
) -> Vec<Option<ToolResult>> {
    let offers = Offers::of(&tape.rows, view, forms);
    let tools = tape.rows.tools.iter();
    let offered: BTreeSet<&str> = tools
        .filter(|(row, _)| offers.are_of(*row))
        .map(|(_, tool)| tool.name())
        .collect();
    let opens = openable(&tape.rows, view).contains(&true);
    let opening = opens.then_some(OPEN_SECTIONS);
    let answer = |call: &ToolCall| {
        let name = call.name.as_str();
        if name == OPEN_SECTIONS || offered.contains(name) {
            return None;
        }
        let tools = tape.rows.tools.iter().map(|(_, tool)| tool.name());
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

/// The sections that were shown in full, and are not any more.
fn made_room(sent: &BudgetReport, now: &BudgetReport) -> Vec<String> {
    let kept = |report: &BudgetReport| -> BTreeSet<String> {
        let sections = report.sections.iter();
        let kept = sections.filter(|section| section.outcome == Outcome::Kept);
        kept.map(|section| section.path.clone()).collect()
    };
    let now = kept(now);
    let sections = sent.sections.iter().map(|section| &section.path);
    let sent = kept(sent);
    let gone = sections.filter(|path| sent.contains(*path) && !now.contains(*path));
    gone.cloned().collect()
}

/// Tells the model what went.
fn room(gone: &[String]) -> String {
    if gone.is_empty() {
        return String::new();
    }
    format!(" To make room, no longer shown in full: {}.", Named(gone))
}

/// The answers where what was to be opened does not fit after all.
pub(crate) fn refused_by_budget(
    calls: &[ToolCall],
    sections: Vec<String>,
    missing: usize,
) -> Vec<ToolResult> {
    let fault = ToolFault::OverBudget { sections, missing };
    let refusal = Refusal::from(ToolValidationError::of(vec![fault], &[]));
    refusal.answers(calls).into_iter().flatten().collect()
}

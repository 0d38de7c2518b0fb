//! The loop around a prompt whose sections the model opens: render, send, handle the calls, render again.

use crate::budget::{self, BudgetReport, Outcome};
use crate::error::PromptError;
use crate::message::{Content, Message};
use crate::opening::{
    self as verdict, DisclosureError, Judged, Listener, Refusal, ToolFault, ToolInvoked,
    ToolOutcome, ToolValidationError, Verdict,
};
use crate::page::{RowId, Span, Style};
use crate::print::{Offers, Played, Playing, Shown, Tape, View, Wanted, openable, standing};
use crate::prompt::{Options, Prompt, PromptNode, RenderedPrompt};
use crate::rows::{Rows, Standing};
use crate::telemetry::ToolSpan;
use crate::tokens::{EstimatedTokens, TokenCounter};
use crate::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use crate::visibility::{Form, Overrides, Visibility};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

/// Rounds that are allowed in a turn of the user unless said otherwise.
const MAX_ROUNDS: usize = 10;

/// How opened sections reach the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Delivery {
    /// The prompt is rendered anew with the sections open. The cached prefix ends at the first of them.
    #[default]
    Rerender,
    /// System text and tools never change, so that all of them stay cached: the tools of all openable sections are in
    /// the list from the first rendering on, and the opened text travels in the result of the call, at its own heading
    /// level.
    Append,
}

/// What is kept of a conversation: serialise it, and [`Disclosure::restore`] it later over an equal node with equal
/// options, and the same bytes are rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct DisclosureState {
    /// How opened sections reach the model.
    pub delivery: Delivery,
    /// The caller's overrides: they win over what is declared.
    pub overrides: Overrides,
    /// The sections that the model opened, in order: they win over the caller's overrides.
    pub opened: Overrides,
    /// Rounds so far in this turn of the user in which sections were asked for.
    pub rounds: usize,
    /// Tokens so far of the sections that were opened.
    pub opened_tokens: usize,
    /// Whether the model was told in this turn that what it asked for is more than it may open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_over: bool,
}

/// A conversation about a prompt whose sections the model may open. It does no I/O: render the prompt, send it, hand the
/// model's calls to [`handle`](Self::handle), send the results back. It works in synchronous and asynchronous programs
/// alike, and is `Send` where the node is `Sync`.
///
/// `open_sections` stays among the tools when everything is open, so that the list of tools does not change on its
/// account. Each rendering, and each handling, asks the node once.
///
/// ```
/// use prompt_core::{Disclosure, DynamicNode, ToolCall};
/// use serde_json::json;
///
/// let node = DynamicNode::from_json(r#"{ "key": "root", "sections": [
///     { "key": "rules", "body": "No glitter.", "summary": "House rules.", "visibility": "summary" }
/// ] }"#)?;
/// let mut disclosure = Disclosure::new(&node).max_rounds(3).max_opened_tokens(20_000);
/// assert!(disclosure.render()?.as_str().contains("House rules."));
///
/// // The model answers with a call:
/// let call = ToolCall::new("call_1", "open_sections", json!({ "section_keys": ["rules"], "reason": "to follow them" }));
/// let results = disclosure.handle(&[call])?;
/// assert_eq!(results[0].content, "Now shown in full in the prompt: 'rules'.");
/// assert_eq!(disclosure.render()?.as_str(), "# Rules\n\nNo glitter.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a conversation goes on by `render` and `handle`"]
pub struct Disclosure<'a, N: PromptNode + ?Sized> {
    prompt: Prompt<'a, N>,
    max_rounds: usize,
    max_opened_tokens: Option<usize>,
    counter: Option<&'a dyn TokenCounter>,
    listener: Listener<'a>,
    state: DisclosureState,
}

impl<'a, N: PromptNode + ?Sized> Disclosure<'a, N> {
    /// A conversation about this node: at most 10 rounds in a turn of the user, no limit of tokens,
    /// [`Delivery::Rerender`].
    pub fn new(node: &'a N) -> Self {
        Self {
            prompt: Prompt::new(node).keep_tool(true),
            max_rounds: MAX_ROUNDS,
            max_opened_tokens: None,
            counter: None,
            listener: Listener::default(),
            state: DisclosureState::default(),
        }
    }

    /// Rounds in which the model may ask for sections in one turn of the user, refused requests included. The request
    /// after the last one is answered that nothing more can be opened; a further one is the error
    /// [`DisclosureError::MaxRounds`], so that no loop is endless.
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Tokens that the model may open in all: the text of the opened sections, headings included, counted when they are
    /// opened. A request for more is answered with what is missing; a further one in the same turn is the error
    /// [`DisclosureError::OpenedTokens`].
    pub fn max_opened_tokens(mut self, tokens: usize) -> Self {
        self.max_opened_tokens = Some(tokens);
        self
    }

    /// Counts opened tokens with this counter ([`EstimatedTokens`] by default).
    pub fn counter(mut self, counter: &'a dyn TokenCounter) -> Self {
        self.counter = Some(counter);
        self
    }

    /// How opened sections reach the model. To be set before the first rendering: it is part of the state.
    pub fn delivery(mut self, delivery: Delivery) -> Self {
        self.state.delivery = delivery;
        self
    }

    /// The caller's overrides: they win over what is declared, and what the model opens wins over them.
    pub fn overrides(mut self, overrides: Overrides) -> Self {
        self.state.overrides = overrides;
        self
    }

    /// Sets options of the prompt: style, numbering, base level, budget, and so on. Under [`Delivery::Append`] a budget
    /// holds for the system text; limit what is opened with [`max_opened_tokens`](Self::max_opened_tokens).
    ///
    /// ```
    /// use prompt_core::{Disclosure, Style, prompt::Numbering};
    ///
    /// let disclosure = Disclosure::new("Be brief.")
    ///     .configure(|prompt| prompt.style(Style::Xml).numbering(Numbering::Decimal));
    /// ```
    pub fn configure(mut self, set: impl FnOnce(Prompt<'a, N>) -> Prompt<'a, N>) -> Self {
        self.prompt = set(self.prompt);
        if let Some(overrides) = self.prompt.options.view.overrides.take() {
            self.state.overrides.merge(overrides);
        }
        self
    }

    /// All options at once.
    pub(crate) fn options_of(self, options: Options<'a>) -> Self {
        self.configure(|prompt| Prompt { options, ..prompt })
    }

    /// Tells each request for sections to `callback`, before [`handle`](Self::handle) returns.
    pub fn on_tool(mut self, callback: impl Fn(&ToolInvoked) + Send + Sync + 'a) -> Self {
        self.listener = Listener::new(callback);
        self
    }

    /// Goes on where a conversation was saved, delivery and overrides included.
    pub fn restore(mut self, state: DisclosureState) -> Self {
        self.state = state;
        self
    }

    /// What there is to save.
    pub fn state(&self) -> &DisclosureState {
        &self.state
    }

    /// Closes what the model opened at `path`: it may ask for it again.
    pub fn close(&mut self, path: &str) {
        self.state.opened.clear(path);
    }

    /// The user speaks: the rounds are counted anew. What is open stays open.
    pub fn begin_turn(&mut self) {
        (self.state.rounds, self.state.is_over) = (0, false);
    }

    /// The prompt to send now.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        let overrides = self.sent_overrides();
        let options = self.options(&overrides);
        let tape = self.tape(&options)?;
        check_closed(&tape.rows, &self.state.overrides)?;
        let shown = Shown::met(&tape.rows);
        let mut rendered = options.render_tape(&tape, &shown, false)?;
        if self.is_appended() {
            self.deliver(&tape, &mut rendered.rows);
        }
        Ok(rendered)
    }

    /// Handles the calls of a turn: opens sections, or answers what is wrong with the request. Returns the results to
    /// send back, in the order of the calls.
    ///
    /// Calls of other tools of the prompt are the program's to run: they get no result here. Those after the first
    /// `open_sections` call are answered as not run if sections were opened, because the prompt changes first (not under
    /// [`Delivery::Append`]). ([`plan`](Self::plan) says which ones to run; [`handle_all`](Self::handle_all) runs
    /// them.) A call of a tool that the prompt does not offer is answered as unknown; hand over only the calls that are
    /// meant for this prompt if the program has more tools.
    ///
    /// # Errors
    /// See [`DisclosureError`]; nothing has changed then. A round is counted if sections were asked for, or if no call
    /// has anything to do with this prompt: no loop around it is endless.
    pub fn handle(&mut self, calls: &[ToolCall]) -> Result<Vec<ToolResult>, DisclosureError> {
        let turn = self.turn(calls, true)?;
        let answers = turn.answers.into_iter().zip(turn.unknown);
        Ok(answers
            .filter_map(|(answer, unknown)| answer.or(unknown))
            .collect())
    }

    /// Handles the calls of a turn, and runs those of other tools with `run`: see [`plan`](Self::plan) for which ones.
    /// Returns a result for every call, in order.
    ///
    /// # Errors
    /// See [`DisclosureError`]; nothing has changed and nothing was run then.
    ///
    /// # Panics
    /// Only if `run` does; then nothing was opened or counted.
    pub fn handle_all(
        &mut self,
        calls: &[ToolCall],
        mut run: impl FnMut(&ToolCall) -> ToolResult,
    ) -> Result<Vec<ToolResult>, DisclosureError> {
        let before = self.state.clone();
        let answers = self.turn(calls, false)?.answers.into_iter().zip(calls);
        let mut undo = Undo {
            state: &mut self.state,
            before: Some(before),
        };
        let results = answers.map(|(answer, call)| answer.unwrap_or_else(|| run(call)));
        let results = results.collect();
        undo.before = None;
        Ok(results)
    }

    /// Handles the calls of a turn for a program that runs its tools itself, one after the other, at once, or
    /// asynchronously: sections are opened, or the request is answered; the plan says which other calls are to be run,
    /// and takes their results. Those after the first `open_sections` call are answered as not run if sections were
    /// opened, because the prompt changes first; under [`Delivery::Append`], where it does not, all are run.
    ///
    /// ```
    /// use prompt_core::{Disclosure, PromptNode, ToolCall, ToolResult, disclosure::DisclosureError};
    ///
    /// # async fn run(call: &ToolCall) -> ToolResult { ToolResult::ok(call, "") }
    /// async fn answer<N: PromptNode>(
    ///     disclosure: &mut Disclosure<'_, N>,
    ///     calls: &[ToolCall],
    /// ) -> Result<Vec<ToolResult>, DisclosureError> {
    ///     let plan = disclosure.plan(calls)?;
    ///     let mut results = Vec::new();
    ///     for call in plan.run() {
    ///         results.push(run(call).await);
    ///     }
    ///     plan.finish(results)
    /// }
    /// ```
    ///
    /// # Errors
    /// See [`DisclosureError`]; nothing has changed then.
    pub fn plan<'c>(&mut self, calls: &'c [ToolCall]) -> Result<Plan<'c>, DisclosureError> {
        let answers = self.turn(calls, false)?.answers;
        Ok(Plan { calls, answers })
    }

    fn is_appended(&self) -> bool {
        self.state.delivery == Delivery::Append
    }

    /// What is overridden in the text that is sent.
    fn sent_overrides(&self) -> Overrides {
        let mut overrides = self.state.overrides.clone();
        if !self.is_appended() {
            overrides.merge(&self.state.opened);
        }
        overrides
    }

    fn options<'o>(&self, overrides: &'o Overrides) -> Options<'o>
    where
        'a: 'o,
    {
        let options = self.prompt.options.clone();
        Options {
            view: View {
                overrides: Some(overrides),
                is_appended: self.is_appended(),
                ..options.view
            },
            ..options
        }
    }

    /// What is shown with everything open that the model opened, and `more`.
    fn opened(&self, tape: &Tape<'_>, more: &Overrides) -> Shown {
        let focus = self.prompt.options.view.focus.as_deref();
        let overrides = [&self.state.overrides, &self.state.opened, more];
        Shown::of(&tape.rows, &overrides, focus)
    }

    /// Asks the tree once.
    fn tape(&self, options: &Options<'_>) -> Result<Tape<'_>, PromptError> {
        let wanted = Wanted {
            tools: true,
            sources: false,
        };
        Tape::record(self.prompt.root.embedded(), &options.view, wanted, true)
    }

    /// Notes in the rows of the text that was sent what the model was given in the results of calls.
    fn deliver(&self, tape: &Tape<'_>, rows: &mut [Standing]) {
        let opened = self.opened(tape, &Overrides::default());
        let index = tape.rows.index();
        let delivered = self
            .state
            .opened
            .iter()
            .filter(|(_, form)| *form == Visibility::Full);
        let mut delivered: Vec<RowId> =
            delivered.filter_map(|(path, _)| index.find(path)).collect();
        delivered.sort_unstable();
        let mut done = 0;
        for id in delivered {
            let end = tape.rows.row(id).end;
            if let Some(row) = rows.get_mut(id as usize) {
                row.is_delivered = true;
            }
            let (from, to) = (id.max(done) as usize, end as usize);
            let inside = rows.get_mut(from..to).unwrap_or_default();
            for (row, form) in inside.iter_mut().zip(opened.forms.iter().skip(from)) {
                (row.form, row.is_cut) = (*form, false);
            }
            done = done.max(end);
        }
    }

    /// Judges a turn, tells of it, and keeps what was opened. The tree is asked once, and only if there is something to
    /// judge.
    fn turn(&mut self, calls: &[ToolCall], knows_tools: bool) -> Result<Turn, DisclosureError> {
        let requests = verdict::opening_calls(calls);
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
        check_closed(&tape.rows, &self.state.overrides)?;
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
                verdict::opened(calls, &opening.text, self.is_appended())
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

/// Puts the state back if a tool panics: the model never sees the answer then.
struct Undo<'s> {
    state: &'s mut DisclosureState,
    before: Option<DisclosureState>,
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            *self.state = before;
        }
    }
}

/// What was made of a turn.
struct Turn {
    /// For each call what is answered at once; nothing where it is to be run.
    answers: Vec<Option<ToolResult>>,
    /// For each call whose tool the prompt does not offer what is answered.
    unknown: Vec<Option<ToolResult>>,
}

/// What a request opens.
struct Opening {
    /// The answer that goes with it.
    text: String,
    tokens: usize,
    overrides: Overrides,
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

/// The texts of these sections in declaration order, each once: one that stands in another of them is not repeated. One
/// alone stands for itself; several stand under the headings that lead to them, each of which is printed once.
fn opened_text(
    tape: &Tape<'_>,
    shown: &Shown,
    view: &View<'_>,
    opened: &[RowId],
) -> Result<String, PromptError> {
    let outline = &tape.rows;
    let mut outermost: Vec<(RowId, RowId)> = Vec::new();
    let mut sorted = opened.to_vec();
    sorted.sort_unstable();
    for id in sorted {
        let end = outline.row(id).end;
        if outermost.last().is_none_or(|(_, last)| id >= *last) {
            outermost.push((id, end));
        }
    }
    // Only they, and what leads to them, are printed.
    let mut forms = vec![Form::Gone; shown.forms.len()];
    for (id, end) in &outermost {
        let range = *id as usize..*end as usize;
        forms[range.clone()].copy_from_slice(&shown.forms[range]);
        for around in outline.around(*id) {
            let form = &mut forms[around as usize];
            if *form != Form::Gone {
                break;
            }
            *form = Form::Full;
        }
    }
    let Played { text, printed, .. } = tape.play(Playing::new(&view.look, &forms))?;
    let slice = |start, end| text.get(start..end).unwrap_or_default().trim_matches('\n');
    let mut pieces: Vec<String> = Vec::new();
    // The rows and close tags of the headings that are open.
    let mut open: Vec<(RowId, Option<String>)> = Vec::new();
    // In the order of the text, which need not be that of the rows: the rows are found by number, not one after the other.
    let wanted_at = |row: RowId| {
        let found = outermost.binary_search_by_key(&row, |(id, _)| *id);
        found.is_ok()
    };
    let leads_to_wanted = |row: RowId| {
        let next = outermost.partition_point(|(id, _)| *id <= row);
        outermost
            .get(next)
            .is_some_and(|(id, _)| outline.is_below(*id, row))
    };
    for span in &printed.spans {
        while let Some((_, close)) = open.pop_if(|(id, _)| !outline.is_below(span.row, *id)) {
            pieces.extend(close);
        }
        if wanted_at(span.row) {
            pieces.push(spoken(outline, &printed.spans, span, &text));
        } else if outermost.len() > 1 && leads_to_wanted(span.row) {
            let heading = slice(span.start, span.body);
            open.push((span.row, close_tag(heading)));
            pieces.push(heading.to_owned());
        }
    }
    pieces.extend(open.into_iter().rev().filter_map(|(_, close)| close));
    pieces.retain(|piece| !piece.is_empty());
    let gap = if view.look.style == Style::Xml {
        "\n"
    } else {
        "\n\n"
    };
    Ok(pieces.join(gap))
}

/// The text of an opened section. Sections with a role and histories in it are no part of the system text: who speaks
/// stands on a line before each.
fn spoken(rows: &Rows<'_>, spans: &[Span], section: &Span, text: &str) -> String {
    let slice = |from, to| text.get(from..to).unwrap_or_default().trim_matches('\n');
    let own = spans
        .iter()
        .filter(|span| span.row == section.row || rows.is_below(span.row, section.row));
    let (mut pieces, mut from) = (Vec::new(), section.start);
    for span in own {
        if span.start < from {
            continue;
        }
        let row = rows.row(span.row);
        if let Some(role) = row.policy().role.filter(|_| span.end > span.start) {
            pieces.push(slice(from, span.start).to_owned());
            pieces.push(format!("{role}:\n{}", slice(span.start, span.end)));
            from = span.end;
        }
        if let Some(messages) = row.messages() {
            pieces.push(slice(from, span.end.max(from)).to_owned());
            from = span.end.max(from);
            pieces.extend(
                messages
                    .iter()
                    .map(|message| format!("{}:\n{}", message.role, said(message))),
            );
        }
    }
    pieces.push(slice(from, section.end).to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces.join("\n\n")
}

/// What a message says, as text.
fn said(message: &Message) -> String {
    let piece = |piece: &Content| match piece {
        Content::Text { text } | Content::Resource { text, .. } => Some(text.clone()),
        Content::ToolCall {
            name, arguments, ..
        } => Some(format!("{name} {arguments}")),
        Content::ToolResult { content, .. } => Some(content.clone()),
        Content::Image { mime, .. } => Some(format!("({mime})")),
        _ => None,
    };
    message
        .content
        .iter()
        .filter_map(piece)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A section that the caller closed has a summary, wherever it stands: not only once the model has opened what is around.
fn check_closed(rows: &Rows<'_>, overrides: &Overrides) -> Result<(), PromptError> {
    if overrides.is_empty() {
        return Ok(());
    }
    let index = rows.index();
    for (path, visibility) in overrides.iter() {
        let row = index.find(path).map(|id| rows.row(id));
        let lacks = row.is_some_and(|row| !row.is_list && row.summary().is_none());
        if visibility == Visibility::Summary && lacks {
            let path = path.to_owned();
            return Err(PromptError::SummaryMissing { path });
        }
    }
    Ok(())
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
    format!(
        " To make room, no longer shown in full: {}.",
        verdict::Named(gone)
    )
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

/// What closes an open tag.
fn close_tag(open: &str) -> Option<String> {
    let (indent, tag) = open.split_once('<')?;
    let name = tag.split([' ', '>', '/']).next()?;
    indent
        .trim()
        .is_empty()
        .then(|| format!("{indent}</{name}>"))
}

/// What to do with the calls of a turn; made by [`Disclosure::plan`].
#[derive(Clone, Debug)]
#[must_use = "the calls of `run` are to be run, and their results handed to `finish`"]
pub struct Plan<'c> {
    calls: &'c [ToolCall],
    answers: Vec<Option<ToolResult>>,
}

impl<'c> Plan<'c> {
    /// The calls that are to be run, in order: those of other tools that are not answered already.
    pub fn run(&self) -> impl Iterator<Item = &'c ToolCall> + '_ {
        let calls = self.calls.iter().zip(&self.answers);
        calls
            .filter(|(_, answer)| answer.is_none())
            .map(|(call, _)| call)
    }

    /// Ends the turn with the results of the calls of [`run`](Self::run), in any order: gives the results of all calls
    /// in the order of the calls, each exactly once.
    ///
    /// # Errors
    /// [`DisclosureError::Results`] if a call that was to be run has no result or two, or if a result is that of no such
    /// call. What was opened stays open.
    pub fn finish(self, results: Vec<ToolResult>) -> Result<Vec<ToolResult>, DisclosureError> {
        let order: Vec<String> = results.iter().map(|result| result.id.clone()).collect();
        // Where the results for each call are that were not given yet, the next one last.
        let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, id) in order.iter().enumerate().rev() {
            by_id.entry(id.clone()).or_default().push(place);
        }
        let mut results: Vec<Option<ToolResult>> = results.into_iter().map(Some).collect();
        let mut finished = Vec::with_capacity(self.calls.len());
        for (call, answer) in self.calls.iter().zip(self.answers) {
            let result = || {
                let place = by_id.get_mut(&call.id)?.pop()?;
                results.get_mut(place)?.take()
            };
            let result = answer
                .or_else(result)
                .ok_or_else(|| DisclosureError::Results {
                    id: call.id.clone(),
                })?;
            finished.push(result);
        }
        let is_left = |id: &String| by_id.get(id).is_some_and(|places| !places.is_empty());
        match order.into_iter().find(is_left) {
            Some(id) => Err(DisclosureError::Results { id }),
            None => Ok(finished),
        }
    }
}

impl<N: PromptNode + ?Sized> Clone for Disclosure<'_, N> {
    fn clone(&self) -> Self {
        Self {
            prompt: self.prompt.clone(),
            max_rounds: self.max_rounds,
            max_opened_tokens: self.max_opened_tokens,
            counter: self.counter,
            listener: self.listener.clone(),
            state: self.state.clone(),
        }
    }
}

impl<N: PromptNode + ?Sized> fmt::Debug for Disclosure<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disclosure")
            .field("max_rounds", &self.max_rounds)
            .field("max_opened_tokens", &self.max_opened_tokens)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

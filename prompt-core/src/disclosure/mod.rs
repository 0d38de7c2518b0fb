//! Progressive disclosure: what the model may open, the tool `open_sections`, its calls, and the loop around them.
//!
//! There is one judgement: from the rows of a prompt, the forms they are shown in, and the calls of a turn to what
//! becomes of them. [`RenderedPrompt`] gives it as it is; [`Disclosure`] adds a state, limits and
//! events, and renders what is sent.

mod calls;
mod delivered;
mod turn;

pub use crate::select::opening::{
    DisclosureError, ToolError, ToolFault, ToolInvoked, ToolOutcome, ToolValidationError, TurnPlan,
    VisibilityExpansionRequired,
};

use crate::document::SectionId;
use crate::errors::PromptError;
use crate::messages::saved::Version;
use crate::messages::tool::{ToolCall, ToolResult};
use crate::node::{Overrides, Visibility};
use crate::prompt::{Options, Preview, Prompt, PromptNode, RenderedPrompt};
use crate::select::opening::Listener;
use crate::select::{Forms, Resolved, Table, View};
use crate::tokens::TokenCounter;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

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
/// options, and the same bytes are rendered. It is saved with a version; unknown and missing fields are errors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DisclosureState {
    version: Version,
    /// How opened sections reach the model.
    pub delivery: Delivery,
    /// The caller's overrides: they win over what is declared.
    pub overrides: Overrides,
    /// The sections that the model opened, in order: they win over the caller's overrides.
    #[serde(deserialize_with = "opened")]
    pub opened: Overrides,
    /// Rounds so far in this turn of the user in which sections were asked for.
    pub rounds: usize,
    /// Tokens so far of the sections that were opened.
    pub opened_tokens: usize,
    /// Whether the model was told in this turn that what it asked for is more than it may open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_over: bool,
}

/// What is open is shown in full.
fn opened<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Overrides, D::Error> {
    let opened = Overrides::deserialize(deserializer)?;
    let mut closed = opened.iter().filter(|(_, form)| *form != Visibility::Full);
    if let Some((path, _)) = closed.next() {
        let fault = format_args!("`{path}` was opened, and is not shown in full");
        return Err(D::Error::custom(fault));
    }
    drop(closed);
    Ok(opened)
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

    /// Counts opened tokens with this counter ([`EstimatedTokens`](crate::tokens::EstimatedTokens) by default).
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

    /// Closes what the model opened at `path` and below it: it may ask for it again.
    pub fn close(&mut self, path: &str) {
        self.state.opened.clear_from(path);
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
        let tree = options.resolve(self.prompt.parts(), true)?;
        let mut rendered = options.render_tree(&tree, &tree.forms(), false)?;
        if self.is_appended() {
            self.deliver(&tree, &mut rendered.rows);
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
    /// See [`DisclosureError`]; nothing has changed then. What was asked for and cannot be printed is one; what cannot be
    /// printed beside it is told by [`render`](Self::render). A round is counted if sections were asked for, or if no
    /// call has anything to do with this prompt: no loop around it is endless.
    pub fn handle(&mut self, calls: &[ToolCall]) -> Result<Vec<ToolResult>, DisclosureError> {
        let plan = self.turn(calls, false)?;
        Ok(plan.answers.into_iter().flatten().collect())
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
        run: impl FnMut(&ToolCall) -> ToolResult,
    ) -> Result<Vec<ToolResult>, DisclosureError> {
        let before = self.state.clone();
        let plan = self.turn(calls, true)?;
        // If a tool panics nothing was opened: the model never sees the answer then.
        let after = std::mem::replace(&mut self.state, before);
        let results = plan.complete(run);
        self.state = after;
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
    pub fn plan<'c>(&mut self, calls: &'c [ToolCall]) -> Result<TurnPlan<'c>, DisclosureError> {
        self.turn(calls, true)
    }

    fn is_appended(&self) -> bool {
        self.state.delivery == Delivery::Append
    }

    /// What [`render`](Self::render) prints, for a person: see [`Prompt::preview`].
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn preview(&self) -> Result<Preview, PromptError> {
        let overrides = self.sent_overrides();
        let (root, options) = (self.prompt.root, self.options(&overrides));
        let preview = Prompt { root, options }.preview()?;
        if !self.is_appended() || self.state.opened.is_empty() {
            return Ok(preview);
        }
        let options = self.options(&overrides);
        let tree = options.resolve(self.prompt.parts(), false)?;
        let forms = tree.forms();
        let mut rows = Table::of(&tree, &options.view, &forms.forms, &forms.forms);
        self.deliver(&tree, &mut rows);
        Ok(preview.appended(&rows))
    }

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
    fn opened(&self, tree: &Resolved<'_>, more: &Overrides) -> Forms {
        let focus = self.prompt.options.view.focus.as_deref();
        let overrides = [&self.state.overrides, &self.state.opened, more];
        Forms::with(tree, &overrides, focus)
    }

    /// Notes in the rows of the text that was sent what the model was given in the results of calls.
    fn deliver(&self, tree: &Resolved<'_>, table: &mut Table) {
        let opened = self.opened(tree, &Overrides::default());
        let index = tree.index();
        let asked = self.state.opened.iter();
        let full = asked.filter(|(_, form)| *form == Visibility::Full);
        let mut delivered: Vec<SectionId> = full.filter_map(|(path, _)| index.find(path)).collect();
        delivered.sort_unstable();
        let mut done = 0;
        for id in delivered {
            let end = tree.section(id).end;
            table.rows[id as usize].is_delivered = true;
            for inside in id.max(done)..end {
                let row = &mut table.rows[inside as usize];
                (row.form, row.is_cut) = (opened.form(inside), false);
            }
            done = done.max(end);
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

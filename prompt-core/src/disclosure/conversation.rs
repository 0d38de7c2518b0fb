//! The loop around a prompt whose sections the model opens: render, send, handle the calls, render again.

use super::{
    Delivery, DisclosureError, DisclosureState, ToolFault, ToolInvoked, ToolOutcome,
    ToolValidationError, TurnPlan,
    call::{Opening, opening_calls},
    event::Listener,
    expansion::answer,
    view::{View, opened_text},
};
use crate::error::PromptError;
use crate::node::PromptNode;
use crate::render::Options;
use crate::render::Prompt;
use crate::rendered::RenderedPrompt;
use crate::telemetry::ToolSpan;
use crate::tokens::EstimatedTokens;
use crate::tokens::TokenCounter;
use crate::tool::ToolCall;
use crate::tool::ToolResult;
use crate::tree;
use crate::visibility::Overrides;
use std::fmt;

/// Rounds that are allowed unless said otherwise.
const MAX_ROUNDS: usize = 10;

/// A conversation about a prompt whose sections the model may open. It does no I/O: render the prompt, send it, hand the
/// model's calls to [`handle`](Self::handle), send the results back. It works in synchronous and asynchronous programs
/// alike.
///
/// `open_sections` stays among the tools when everything is open, so that the list of tools does not change on its
/// account.
///
/// ```
/// use prompt_core::Disclosure;
/// use prompt_core::DynamicNode;
/// use prompt_core::ToolCall;
/// use serde_json::json;
///
/// let node = DynamicNode::from_json(r#"{ "key": "root", "sections": [
///     { "key": "rules", "body": "No glitter.", "summary": "House rules.", "visibility": "summary" }
/// ] }"#)?;
/// let mut disclosure = Disclosure::new(&node).max_rounds(3).max_opened_tokens(20_000);
/// assert!(disclosure.render()?.as_str().contains("House rules."));
///
/// // The model answers with a call:
/// let call = ToolCall {
///     id: "call_1".into(),
///     name: "open_sections".into(),
///     arguments: json!({ "section_keys": ["rules"], "reason": "to follow them" }),
/// };
/// let results = disclosure.handle(&[call])?;
/// assert_eq!(results[0].content, "Now shown in full in the prompt: 'rules'.");
/// assert_eq!(disclosure.render()?.as_str(), "# Rules\n\nNo glitter.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a conversation goes on by `render` and `handle`"]
pub struct Disclosure<'a, N: PromptNode + ?Sized> {
    node: &'a N,
    options: Options<'a>,
    max_rounds: usize,
    max_opened_tokens: Option<usize>,
    counter: Option<&'a dyn TokenCounter>,
    listener: Listener<'a>,
    state: DisclosureState,
}

impl<'a, N: PromptNode + ?Sized> Disclosure<'a, N> {
    /// A conversation about this node: at most 10 rounds, no limit of tokens, [`Delivery::Rerender`].
    pub fn new(node: &'a N) -> Self {
        let options = Prompt::new(tree::UNIT).keep_tool(true).options;
        let (counter, listener, state) = (None, Listener::default(), DisclosureState::default());
        Self {
            node,
            options,
            max_rounds: MAX_ROUNDS,
            max_opened_tokens: None,
            counter,
            listener,
            state,
        }
    }

    /// Turns in which the model may ask for sections, refused requests included.
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Tokens that the model may open in all: the text of the opened sections, headings included, counted when they are
    /// opened.
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
    /// use prompt_core::Disclosure;
    /// use prompt_core::prompt::Numbering;
    /// use prompt_core::Style;
    ///
    /// let node = "Be brief.";
    /// let disclosure = Disclosure::new(&node).configure(|prompt| prompt.style(Style::Xml).numbering(Numbering::Decimal));
    /// ```
    pub fn configure(mut self, set: impl FnOnce(Prompt<'a>) -> Prompt<'a>) -> Self {
        self.options = set(Prompt {
            root: tree::UNIT,
            options: self.options,
        })
        .options;
        if let Some(overrides) = self.options.overrides.take() {
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

    /// Closes what the model opened at `path`: it may ask for it again.
    pub fn close(&mut self, path: &str) {
        self.state.opened.clear(path);
    }

    /// The prompt to send now.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        self.view().sent()
    }

    /// Handles the calls of a turn: opens sections, or answers what is wrong with the request. Returns the results to
    /// send back, in the order of the calls.
    ///
    /// Calls of other tools of the prompt are the program's to run: those before the first `open_sections` call get no
    /// result here; those after it are answered as not run, if sections were opened. ([`RenderedPrompt::split`] says
    /// which ones to run; [`handle_all`](Self::handle_all) runs them.) A call of a tool that the prompt does not offer
    /// is answered as unknown; hand over only the calls that are meant for this prompt if the program has more tools.
    ///
    /// # Errors
    /// See [`DisclosureError`]; nothing has changed then. A turn counts as a round if sections were asked for, or if no
    /// call of it has anything to do with this prompt: no loop around it is endless.
    pub fn handle(&mut self, calls: &[ToolCall]) -> Result<Vec<ToolResult>, DisclosureError> {
        let opening = opening_calls(calls);
        if opening.len() == calls.len() && !calls.is_empty() {
            return self.turn(calls, |_| None);
        }
        let prompt = self.render()?;
        let offers = |call: &ToolCall| prompt.tools().iter().any(|tool| tool.name() == call.name);
        if opening.is_empty() && !calls.iter().any(offers) {
            if self.state.rounds >= self.max_rounds {
                return Err(DisclosureError::MaxRounds {
                    rounds: self.max_rounds,
                });
            }
            self.state.rounds += 1;
        }
        let unknown =
            |call: &ToolCall| answer(call, format!("There is no tool '{}'.", call.name), true);
        self.turn(calls, |call| (!offers(call)).then(|| unknown(call)))
    }

    /// Handles the calls of a turn, and runs those of other tools with `run`: see [`RenderedPrompt::call_all`] for which
    /// ones. Returns a result for every call, in order.
    ///
    /// # Errors
    /// See [`DisclosureError`]; nothing has changed and nothing was run then.
    pub fn handle_all(
        &mut self,
        calls: &[ToolCall],
        mut run: impl FnMut(&ToolCall) -> ToolResult,
    ) -> Result<Vec<ToolResult>, DisclosureError> {
        self.turn(calls, |call| Some(run(call)))
    }

    fn turn(
        &mut self,
        calls: &[ToolCall],
        run: impl FnMut(&ToolCall) -> Option<ToolResult>,
    ) -> Result<Vec<ToolResult>, DisclosureError> {
        let requests = opening_calls(calls);
        if requests.is_empty() {
            return Ok(calls.iter().filter_map(run).collect());
        }
        let (opening, text) = self.open(&requests)?;
        let plan = TurnPlan::new(calls, Some(opening.result));
        Ok(plan.results(&text, run))
    }

    /// Judges the request of a turn, tells of it, and keeps what was opened. Returns the answer that goes with it.
    fn open(&mut self, calls: &[&ToolCall]) -> Result<(Opening, String), DisclosureError> {
        let span = ToolSpan::start(calls);
        let opening = Opening::of(&self.view().current(&Overrides::default())?, calls);
        let opened = self.opened(&opening);
        let mut event = opening.event();
        match &opened {
            Ok((_, tokens)) => event.tokens_opened = Some(*tokens),
            Err(error) => {
                event.outcome = ToolOutcome::Failed {
                    code: error.code(),
                    message: error.to_string(),
                }
            }
        }
        span.finish(&event);
        self.listener.tell(&event);
        let (text, tokens) = opened?;
        self.state.rounds += 1;
        self.state.opened_tokens += tokens;
        if let Ok(expansion) = &opening.result {
            self.state.opened.merge(&expansion.requested_overrides);
        }
        Ok((opening, text))
    }

    /// The answer to a request, and the tokens it opens, if the conversation may go on.
    fn opened(&self, opening: &Opening) -> Result<(String, usize), DisclosureError> {
        self.check_rounds(opening)?;
        let expansion = match &opening.result {
            Ok(expansion) => expansion,
            Err(refusal) => return Ok((refusal.to_string(), 0)),
        };
        let prompt = self.view().current(&expansion.requested_overrides)?;
        let text = opened_text(&prompt, &expansion.requested_overrides);
        let tokens = self.counter.map_or_else(
            || EstimatedTokens::default().count(&text),
            |counter| counter.count(&text),
        );
        let needed = self.state.opened_tokens.saturating_add(tokens);
        if let Some(limit) = self.max_opened_tokens.filter(|limit| needed > *limit) {
            let sections = expansion.paths().map(str::to_owned).collect();
            return Err(DisclosureError::OpenedTokens {
                sections,
                needed,
                limit,
            });
        }
        match self.state.delivery {
            Delivery::Append if !text.is_empty() => Ok((text, tokens)),
            _ => Ok((expansion.opened(), tokens)),
        }
    }

    /// Whether there is a round left.
    fn check_rounds(&self, opening: &Opening) -> Result<(), DisclosureError> {
        let rounds = self.max_rounds;
        if self.state.rounds < rounds {
            return Ok(());
        }
        let again = opening.result.as_ref().err().map(ToolValidationError::kind);
        if let Some(ToolFault::AlreadyExpanded { .. }) = again {
            return Err(DisclosureError::AskedAgain {
                sections: opening.request.section_keys.clone(),
                rounds,
            });
        }
        Err(DisclosureError::MaxRounds { rounds })
    }

    fn view(&self) -> View<'_> {
        View {
            root: &self.node,
            options: &self.options,
            state: &self.state,
        }
    }
}

impl<N: PromptNode + ?Sized> Clone for Disclosure<'_, N> {
    fn clone(&self) -> Self {
        let Self {
            node,
            max_rounds,
            max_opened_tokens,
            counter,
            ..
        } = *self;
        let (options, listener, state) = (
            self.options.clone(),
            self.listener.clone(),
            self.state.clone(),
        );
        Self {
            node,
            options,
            max_rounds,
            max_opened_tokens,
            counter,
            listener,
            state,
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

//! Rendering a conversation's prompt: the model's calls of `open_sections` are judged first, and the answer is kept.

use super::{AFTER_OPENING, Conversation};
use prompt_core::disclosure::{DisclosureError, DisclosureState, ToolFault};
use prompt_core::message::CachePoint;
use prompt_core::prompt::{Document, Preview, Prompt, PromptNode, RenderedPrompt};
use prompt_core::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use prompt_core::{Budget, Code, Disclosure, Message, PromptError};
use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, fmt};

/// The answer to the calls of a message among which sections were asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settled {
    /// Of all calls that the program did not answer.
    pub(super) results: Vec<ToolResult>,
    /// What is open from now on.
    pub(super) state: DisclosureState,
}

/// The next prompt of a conversation: [`Conversation::prompt`] begins it. It is `Send` where the node is `Sync`.
#[must_use = "a prompt is printed by `render` or `text`"]
pub struct ConversationPrompt<'a, N: PromptNode + ?Sized> {
    conversation: &'a Conversation,
    prompt: Prompt<'a, N>,
}

impl<'a, N: PromptNode + ?Sized> ConversationPrompt<'a, N> {
    pub(super) fn new(conversation: &'a Conversation, node: &'a N) -> Self {
        let prompt = Prompt::new(node).keep_tool(true);
        Self {
            conversation,
            prompt,
        }
    }

    /// Keeps the text, or the whole request with the history, within a number of tokens.
    pub fn budget(self, budget: Budget<'a>) -> Self {
        self.configure(|prompt| prompt.budget(budget))
    }

    /// Sets other options of the prompt, as [`Disclosure::configure`] does.
    ///
    /// ```
    /// use prompt_agent::Conversation;
    /// use prompt_core::Style;
    ///
    /// let conversation = Conversation::default();
    /// let prompt = conversation.prompt("Be brief.").configure(|prompt| prompt.style(Style::Xml));
    /// assert_eq!(prompt.text()?, "Be brief.\n");
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    pub fn configure(mut self, set: impl FnOnce(Prompt<'a, N>) -> Prompt<'a, N>) -> Self {
        self.prompt = set(self.prompt);
        self
    }

    /// Answers the model's calls of `open_sections`, if there are any, and prints the prompt with what is open now. The node
    /// is asked once.
    ///
    /// # Errors
    /// See [`PromptError`]; nothing is printed or kept then.
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        let document = self.prompt.document()?;
        self.conversation.render(&self.prompt.over(&document))
    }

    /// What [`render`](Self::render) prints, for a person, with the messages of the conversation: a page of it tells which of
    /// the turn is cached. A cache point that the program sets by itself goes to `preview.messages`, too.
    ///
    /// ```
    /// use prompt_agent::Conversation;
    ///
    /// let mut conversation = Conversation::default();
    /// conversation.begin("How deep is it?");
    /// let preview = conversation.prompt("Be brief.").preview()?;
    /// assert_eq!(preview.messages[1].0.text(), "How deep is it?");
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub fn preview(&self) -> Result<Preview, PromptError> {
        let document = self.prompt.document()?;
        let (conversation, prompt) = (self.conversation, self.prompt.over(&document));
        conversation.render(&prompt)?;
        conversation
            .turn(&prompt, conversation.settled.get())
            .preview()
    }

    /// Only the text.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn text(&self) -> Result<String, PromptError> {
        self.render().map(RenderedPrompt::into_string)
    }
}

impl<N: PromptNode + ?Sized> Clone for ConversationPrompt<'_, N> {
    fn clone(&self) -> Self {
        Self {
            conversation: self.conversation,
            prompt: self.prompt.clone(),
        }
    }
}

impl<N: PromptNode + ?Sized> fmt::Debug for ConversationPrompt<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationPrompt")
            .field("conversation", self.conversation)
            .field("prompt", &self.prompt)
            .finish()
    }
}

/// A prompt of a node that may be rendered several times.
type DocumentPrompt<'k, 'n> = Prompt<'k, Document<'n>>;

/// An answer, and whether it calls a section shown that it does not open.
type Judged = (Settled, bool);

impl Conversation {
    /// Renders the prompt, and keeps the answer to the model's calls.
    fn render(&self, prompt: &DocumentPrompt<'_, '_>) -> Result<RenderedPrompt, PromptError> {
        let _span = self.span();
        let settled = self.settled.get();
        let is_due = settled.is_none() && self.open_calls().is_empty();
        let Some(calls) = self.asked_sections().filter(|_| is_due) else {
            return self.shown(prompt, settled);
        };
        let settled = self.settle(prompt, &calls)?;
        let (settled, rendered) = match self.shown(prompt, Some(&settled)) {
            // What was opened is protected: with the answer itself, or the text in it, it does not fit after all.
            Err(PromptError::Budget { needed, limit, .. })
                if settled.state.opened != self.disclosure.opened =>
            {
                let refused = self.refuse(&calls, &settled, needed.saturating_sub(limit));
                let rendered = self.shown(prompt, Some(&refused))?;
                (refused, rendered)
            }
            rendered => (settled, rendered?),
        };
        // Another thread has rendered the same, or the same again: the first answer stands.
        match self.settled.set(settled) {
            Ok(()) => Ok(rendered),
            Err(_) => self.shown(prompt, self.settled.get()),
        }
    }

    /// Judges the calls of the last message: first by the prompt that the model was sent. Under a budget the history with
    /// the calls and the answer may push out what was shown there, so the answer is judged again with itself in the history,
    /// until it stands.
    fn settle(
        &self,
        prompt: &DocumentPrompt<'_, '_>,
        calls: &[ToolCall],
    ) -> Result<Settled, PromptError> {
        const TRIES: usize = 4;
        let mut sent = self.sent(prompt);
        let own = sent.pop();
        let mut judged = self.judge(prompt, calls, sent.clone())?;
        if !prompt.has_budget() {
            return Ok(judged.0);
        }
        sent.extend(own);
        // Of answers that take turns, since one pushes out what the other leaves, the one to keep: what is opened is protected,
        // and stands; else one that calls nothing shown.
        let rank = |(settled, claims): &Judged| {
            let opens = settled.state.opened != self.disclosure.opened;
            (opens, !claims)
        };
        let mut best = judged.clone();
        for _ in 0..TRIES {
            if rank(&judged) > rank(&best) {
                best = judged.clone();
            }
            let answer = Message::tool(self.in_order(calls, &judged.0.results));
            let answer = self.guarded(prompt, vec![answer]);
            let next = sent.iter().cloned().chain(answer).collect();
            match self.judge(prompt, calls, next) {
                Ok(again) if again.0.results != judged.0.results => judged = again,
                // It stands; or what is closed now fits no more, and only what it opens can.
                _ => return Ok(judged.0),
            }
        }
        if rank(&judged) > rank(&best) {
            best = judged;
        }
        Ok(best.0)
    }

    /// Judges the calls by the prompt with these messages behind it.
    fn judge(
        &self,
        prompt: &DocumentPrompt<'_, '_>,
        calls: &[ToolCall],
        messages: Vec<Message>,
    ) -> Result<Judged, PromptError> {
        let rounds = self.disclosure.rounds;
        let of_prompt = |error| of_prompt(error, rounds);
        let mut disclosure = self.over(prompt, &self.disclosure, messages);
        let plan = disclosure.plan(calls).map_err(of_prompt)?;
        let is_claim = |fault: &ToolFault| fault.code() == Code::AlreadyExpanded;
        let claims = plan
            .refusal()
            .is_some_and(|refusal| refusal.faults().any(is_claim));
        // The program's own calls have their results by now; later ones are not run.
        let mut given = self.by_id();
        let results = plan.run().map(|call| {
            let given = given
                .get_mut(call.id.as_str())
                .and_then(VecDeque::pop_front);
            given.map_or_else(|| ToolResult::failed(call, AFTER_OPENING), Clone::clone)
        });
        let results: Vec<ToolResult> = results.collect();
        let results = plan.finish(results).map_err(of_prompt)?;
        let is_new = |result: &ToolResult| !given.contains_key(result.id.as_str());
        let settled = Settled {
            results: results.into_iter().filter(is_new).collect(),
            state: disclosure.state().clone(),
        };
        Ok((settled, claims))
    }

    /// The same answer, but that nothing was opened.
    fn refuse(&self, calls: &[ToolCall], settled: &Settled, missing: usize) -> Settled {
        let opened = settled.state.opened.iter();
        let is_new = |path: &str| self.disclosure.opened.get(path).is_none();
        let sections = opened.filter(|(path, _)| is_new(path));
        let sections = sections.map(|(path, _)| path.to_owned()).collect();
        let refusals = ToolFault::OverBudget { sections, missing }.results(calls);
        let given = self.by_id();
        let is_given = |call: &&ToolCall| given.contains_key(call.id.as_str());
        let is_skipped = |call: &&ToolCall| call.name != OPEN_SECTIONS && !is_given(call);
        let skipped = calls.iter().filter(is_skipped);
        let skipped = skipped.map(|call| ToolResult::failed(call, AFTER_OPENING));
        let mut state = self.disclosure.clone();
        state.rounds = settled.state.rounds;
        Settled {
            results: refusals.into_iter().chain(skipped).collect(),
            state,
        }
    }

    /// Renders the prompt with what is settled.
    fn shown(
        &self,
        prompt: &DocumentPrompt<'_, '_>,
        settled: Option<&Settled>,
    ) -> Result<RenderedPrompt, PromptError> {
        self.turn(prompt, settled).render()
    }

    /// The history as it is sent with this prompt.
    fn sent(&self, prompt: &DocumentPrompt<'_, '_>) -> Vec<Message> {
        self.guarded(prompt, self.history.view().messages())
    }

    /// Messages as they are sent with this prompt.
    fn guarded(&self, prompt: &DocumentPrompt<'_, '_>, messages: Vec<Message>) -> Vec<Message> {
        if self.unguarded {
            return messages;
        }
        let tags = prompt.tags();
        let messages = messages.into_iter();
        messages.map(|message| message.guarded(&tags)).collect()
    }

    /// The prompt with what is settled.
    fn turn<'k, 'n>(
        &self,
        prompt: &DocumentPrompt<'k, 'n>,
        settled: Option<&Settled>,
    ) -> Disclosure<'k, Document<'n>> {
        let mut messages = self.sent(prompt);
        let calls = self.calls();
        if settled.is_some() && !calls.is_empty() {
            messages.extend(self.guarded(prompt, vec![self.answer_to(&calls, settled)]));
        }
        if !self.uncached {
            self.mark_stable(&mut messages);
        }
        let state = settled.map_or(&self.disclosure, |settled| &settled.state);
        self.over(prompt, state, messages)
    }

    /// Sets cache points after what the next request begins with again: the compacted part, and all that is said so far.
    fn mark_stable(&self, messages: &mut [Message]) {
        let points = self.history.view().cache_points();
        for at in points.into_iter().chain(messages.len().checked_sub(1)) {
            if let Some(message) = messages.get_mut(at) {
                message.cache.get_or_insert_default();
            }
        }
    }

    fn over<'k, 'n>(
        &self,
        prompt: &DocumentPrompt<'k, 'n>,
        state: &DisclosureState,
        messages: Vec<Message>,
    ) -> Disclosure<'k, Document<'n>> {
        let mut prompt = prompt.clone().history(messages);
        if !self.uncached {
            prompt = prompt.cached(CachePoint::default());
        }
        let disclosure = Disclosure::new(prompt.node()).restore(state.clone());
        let mut disclosure = disclosure.configure(|_| prompt);
        if let Some(rounds) = self.limits.max_rounds {
            disclosure = disclosure.max_rounds(rounds);
        }
        if let Some(tokens) = self.limits.max_opened_tokens {
            disclosure = disclosure.max_opened_tokens(tokens);
        }
        disclosure
    }
}

fn of_prompt(error: DisclosureError, rounds: usize) -> PromptError {
    let (rounds, sections) = match error {
        DisclosureError::Prompt(error) => return error,
        DisclosureError::AskedAgain { sections, rounds } => (rounds, sections),
        DisclosureError::MaxRounds { rounds } => (rounds, Vec::new()),
        // Told once that it is too much, the model asked for too much again.
        _ => (rounds, Vec::new()),
    };
    PromptError::MaxRounds { rounds, sections }
}

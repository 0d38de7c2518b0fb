//! Rendering a conversation's prompt: the model's calls of `open_sections` are judged first, and the answer is kept.

use super::{AFTER_OPENING, Conversation};
use crate::disclosure::{
    ALREADY_EXPANDED, Disclosure, DisclosureError, DisclosureState, refused_by_budget,
};
use crate::error::PromptError;
use crate::message::Message;
use crate::node::Embedded;
use crate::prompt::{Options, PromptNode, RenderedPrompt, Talk};
use crate::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// The answer to the calls of a message among which sections were asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settled {
    /// Of all calls that the program did not answer.
    pub(super) results: Vec<ToolResult>,
    /// What is open from now on.
    pub(super) state: DisclosureState,
}

/// A node that is asked through a prompt of it.
struct Root<'r, 'n>(&'r dyn Fn() -> Embedded<'n>);

impl PromptNode for Root<'_, '_> {
    fn embedded(&self) -> Embedded<'_> {
        (self.0)()
    }
}

impl Talk for Conversation {
    fn render<'n>(
        &self,
        root: &dyn Fn() -> Embedded<'n>,
        options: &Options<'_>,
    ) -> Result<RenderedPrompt, PromptError> {
        let _span = self.span();
        let node = Root(root);
        let settled = self.settled.get();
        let is_due = settled.is_none() && self.open_calls().is_empty();
        let Some(calls) = self.asked_sections().filter(|_| is_due) else {
            return self.shown(&node, options, settled);
        };
        let settled = self.settle(&node, options, &calls)?;
        let (settled, rendered) = match self.shown(&node, options, Some(&settled)) {
            // What was opened is protected: with the answer itself, or the text in it, it does not fit after all.
            Err(PromptError::Budget { needed, limit, .. })
                if settled.state.opened != self.disclosure.opened =>
            {
                let refused = self.refuse(&calls, &settled, needed.saturating_sub(limit));
                let rendered = self.shown(&node, options, Some(&refused))?;
                (refused, rendered)
            }
            rendered => (settled, rendered?),
        };
        // Another thread has rendered the same, or the same again: the first answer stands.
        match self.settled.set(settled) {
            Ok(()) => Ok(rendered),
            Err(_) => self.shown(&node, options, self.settled.get()),
        }
    }
}

impl Conversation {
    /// Judges the calls of the last message: first by the prompt that the model was sent. Under a budget the history with
    /// the calls and the answer may push out what was shown there, so the answer is judged again with itself in the history,
    /// until it stands.
    fn settle(
        &self,
        node: &Root<'_, '_>,
        options: &Options<'_>,
        calls: &[ToolCall],
    ) -> Result<Settled, PromptError> {
        const TRIES: usize = 4;
        let mut sent = self.history.view().messages();
        let own = sent.pop();
        let mut settled = self.judge(node, options, calls, sent.clone())?;
        if options.budget.is_none() {
            return Ok(settled);
        }
        sent.extend(own);
        // Of answers that take turns, since one pushes out what the other leaves, the one to keep: what is opened is protected,
        // and stands; else one that calls nothing shown.
        let rank = |settled: &Settled| {
            let claims = |result: &ToolResult| result.content.contains(ALREADY_EXPANDED);
            let opens = settled.state.opened != self.disclosure.opened;
            (opens, !settled.results.iter().any(claims))
        };
        let mut best = settled.clone();
        for _ in 0..TRIES {
            if rank(&settled) > rank(&best) {
                best = settled.clone();
            }
            let answer = Message::tool(self.in_order(calls, &settled.results));
            let next = sent.iter().cloned().chain([answer]).collect();
            match self.judge(node, options, calls, next) {
                Ok(again) if again.results != settled.results => settled = again,
                // It stands; or what is closed now fits no more, and only what it opens can.
                _ => return Ok(settled),
            }
        }
        if rank(&settled) > rank(&best) {
            best = settled;
        }
        Ok(best)
    }

    /// Judges the calls by the prompt with these messages behind it.
    fn judge(
        &self,
        node: &Root<'_, '_>,
        options: &Options<'_>,
        calls: &[ToolCall],
        messages: Vec<Message>,
    ) -> Result<Settled, PromptError> {
        let rounds = self.disclosure.rounds;
        let of_prompt = |error| of_prompt(error, rounds);
        let mut disclosure = self.over(node, options, &self.disclosure, messages);
        let plan = disclosure.plan(calls).map_err(of_prompt)?;
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
        Ok(Settled {
            results: results.into_iter().filter(is_new).collect(),
            state: disclosure.state().clone(),
        })
    }

    /// The same answer, but that nothing was opened.
    fn refuse(&self, calls: &[ToolCall], settled: &Settled, missing: usize) -> Settled {
        let opened = settled.state.opened.iter();
        let is_new = |path: &str| self.disclosure.opened.get(path).is_none();
        let sections = opened.filter(|(path, _)| is_new(path));
        let sections = sections.map(|(path, _)| path.to_owned()).collect();
        let refusals = refused_by_budget(calls, sections, missing);
        let given = self.by_id();
        let is_given = |call: &&ToolCall| given.contains_key(call.id.as_str());
        let is_skipped = |call: &&ToolCall| call.name != OPEN_SECTIONS && !is_given(call);
        let skipped = calls.iter().filter(is_skipped);
        let skipped = skipped.map(|call| ToolResult::failed(call, AFTER_OPENING));
        Settled {
            results: refusals.into_iter().chain(skipped).collect(),
            state: DisclosureState {
                rounds: settled.state.rounds,
                ..self.disclosure.clone()
            },
        }
    }

    /// Renders the prompt with what is settled.
    fn shown(
        &self,
        node: &Root<'_, '_>,
        options: &Options<'_>,
        settled: Option<&Settled>,
    ) -> Result<RenderedPrompt, PromptError> {
        let mut messages = self.history.view().messages();
        let calls = self.calls();
        if settled.is_some() && !calls.is_empty() {
            messages.push(self.answer_to(&calls, settled));
        }
        let state = settled.map_or(&self.disclosure, |settled| &settled.state);
        self.over(node, options, state, messages).render()
    }

    fn over<'d, 'r, 'n>(
        &self,
        node: &'d Root<'r, 'n>,
        options: &Options<'d>,
        state: &DisclosureState,
        messages: Vec<Message>,
    ) -> Disclosure<'d, Root<'r, 'n>> {
        let options = Options {
            talk: None,
            history: Some(Arc::from(messages)),
            ..options.clone()
        };
        let disclosure = Disclosure::new(node).restore(state.clone());
        let mut disclosure = disclosure.options_of(options);
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
        DisclosureError::OpenedTokens { .. } | DisclosureError::Results { .. } => {
            (rounds, Vec::new())
        }
    };
    PromptError::MaxRounds { rounds, sections }
}

/// What is settled, saved as it is or not at all.
pub(super) mod saved {
    use super::Settled;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::OnceLock;

    pub(in super::super) fn is_none(settled: &OnceLock<Settled>) -> bool {
        settled.get().is_none()
    }

    pub(in super::super) fn serialize<S: Serializer>(
        settled: &OnceLock<Settled>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        settled.get().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<OnceLock<Settled>, D::Error> {
        let settled = Option::<Settled>::deserialize(deserializer)?;
        Ok(settled.map_or_else(OnceLock::new, OnceLock::from))
    }
}

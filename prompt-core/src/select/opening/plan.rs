//! The plan of a turn: which calls the program runs, and where their results stand among the answers.

use super::fault::{DisclosureError, ToolValidationError, VisibilityExpansionRequired};
use super::verdict::Verdict;
use crate::messages::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use std::collections::HashMap;

/// What to do with the calls of a turn; made by [`Disclosure::plan`](crate::Disclosure::plan), and, for programs that keep
/// what is open themselves, by [`RenderedPrompt::split`](crate::RenderedPrompt::split).
///
/// ```
/// # use prompt_core::{Overrides, RenderedPrompt, ToolCall, ToolResult, disclosure::DisclosureError};
/// # async fn run(call: &ToolCall) -> ToolResult { unimplemented!() }
/// async fn answer(
///     prompt: &RenderedPrompt,
///     open: &mut Overrides,
///     calls: &[ToolCall],
/// ) -> Result<Vec<ToolResult>, DisclosureError> {
///     let plan = prompt.split(calls);
///     let mut results = Vec::new();
///     for call in plan.run() {
///         results.push(run(call).await);
///     }
///     if let Some(expansion) = plan.expansion() {
///         open.merge(&expansion.requested_overrides); // The next prompt is rendered with them.
///     }
///     plan.finish(results)
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "the calls of `run` are to be run, and their results handed to `finish`"]
pub struct TurnPlan<'c> {
    pub(crate) calls: &'c [ToolCall],
    /// For each call what is answered at once; nothing where it is to be run.
    pub(crate) answers: Vec<Option<ToolResult>>,
    pub(crate) verdict: Verdict,
}

impl<'c> TurnPlan<'c> {
    /// The calls that are to be run, in order: those of other tools that are not answered already.
    pub fn run(&self) -> impl Iterator<Item = &'c ToolCall> {
        self.others(false)
    }

    /// Calls of other tools that are not run, because sections are opened first.
    pub fn skipped(&self) -> impl Iterator<Item = &'c ToolCall> {
        self.others(true)
    }

    fn others(&self, is_answered: bool) -> impl Iterator<Item = &'c ToolCall> {
        let calls = self.calls.iter().zip(&self.answers);
        let others = calls.filter(move |(call, answer)| {
            call.name != OPEN_SECTIONS && answer.is_some() == is_answered
        });
        others.map(|(call, _)| call)
    }

    /// The sections to open, if the model asked for some and the request is good. [`Disclosure`](crate::Disclosure) has
    /// opened them by itself.
    pub fn expansion(&self) -> Option<&VisibilityExpansionRequired> {
        match &self.verdict {
            Verdict::Open(expansion) => Some(expansion),
            _ => None,
        }
    }

    /// Why the request to open sections was refused, if it was.
    pub fn refusal(&self) -> Option<&ToolValidationError> {
        match &self.verdict {
            Verdict::Refused(refusal) => Some(&refusal.error),
            _ => None,
        }
    }

    /// Ends the turn with the results of the calls of [`run`](Self::run), in any order: gives the results of all calls
    /// in the order of the calls, each exactly once.
    ///
    /// # Errors
    /// [`DisclosureError::Results`] if a call that was to be run has no result or two, or if a result is that of no such
    /// call. What was opened stays open.
    pub fn finish(self, results: Vec<ToolResult>) -> Result<Vec<ToolResult>, DisclosureError> {
        // The results by call; those of one id in their order, the next one last.
        let mut by_id: HashMap<String, Vec<ToolResult>> = HashMap::new();
        let order: Vec<String> = results.iter().map(|result| result.id.clone()).collect();
        for result in results.into_iter().rev() {
            by_id.entry(result.id.clone()).or_default().push(result);
        }
        let answers = self.answers.into_iter().zip(self.calls);
        let finished = answers.map(|(answer, call)| {
            let mut given = || by_id.get_mut(&call.id)?.pop();
            let lacking = || DisclosureError::Results {
                id: call.id.clone(),
            };
            answer.or_else(&mut given).ok_or_else(lacking)
        });
        let finished = finished.collect::<Result<_, _>>()?;
        let is_left = |id: &String| !by_id[id].is_empty();
        match order.into_iter().find(is_left) {
            Some(id) => Err(DisclosureError::Results { id }),
            None => Ok(finished),
        }
    }

    /// Runs what is to be run; gives the results of all calls.
    pub(crate) fn complete(self, mut run: impl FnMut(&ToolCall) -> ToolResult) -> Vec<ToolResult> {
        let answers = self.answers.into_iter().zip(self.calls);
        let results = answers.map(|(answer, call)| answer.unwrap_or_else(|| run(call)));
        results.collect()
    }
}

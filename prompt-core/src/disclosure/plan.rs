//! The plan of a turn, for programs that run their tools themselves.

use super::DisclosureError;
use crate::tool::{ToolCall, ToolResult};
use std::collections::HashMap;

/// What to do with the calls of a turn; made by [`Disclosure::plan`](super::Disclosure::plan).
#[derive(Clone, Debug)]
#[must_use = "the calls of `run` are to be run, and their results handed to `finish`"]
pub struct Plan<'c> {
    pub(super) calls: &'c [ToolCall],
    pub(super) answers: Vec<Option<ToolResult>>,
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

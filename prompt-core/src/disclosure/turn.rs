//! The plan for a turn in which the model makes several calls.

use super::{ToolError, ToolValidationError, VisibilityExpansionRequired, expansion::answer, openable::OPEN_SECTIONS};
use crate::{ToolCall, ToolResult};

type Opened = Result<Box<VisibilityExpansionRequired>, ToolValidationError>;

/// What to do with the calls of a turn; made by [`RenderedPrompt::split`](crate::RenderedPrompt::split).
///
/// ```
/// # use prompt_core::{RenderedPrompt, ToolCall, ToolError, ToolResult};
/// # async fn run(call: &ToolCall) -> ToolResult { unimplemented!() }
/// async fn answer(prompt: &RenderedPrompt, calls: &[ToolCall]) -> Result<Vec<ToolResult>, ToolError> {
///     let plan = prompt.split(calls);
///     let mut results = Vec::new();
///     for call in plan.run() {
///         results.push(run(call).await);
///     }
///     plan.finish(results)
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "the calls of `run` are to be run, and their results handed to `finish`"]
pub struct TurnPlan<'c> {
    calls: &'c [ToolCall],
    opening: Option<Opened>,
}

impl<'c> TurnPlan<'c> {
    pub(crate) fn new(calls: &'c [ToolCall], opening: Option<Opened>) -> Self {
        Self { calls, opening }
    }

    /// Calls of other tools that are to be run now, in order.
    pub fn run(&self) -> impl Iterator<Item = &'c ToolCall> + use<'c> {
        self.calls.iter().take(self.reach()).filter(|call| call.name != OPEN_SECTIONS)
    }

    /// Calls of other tools that are not run, because sections are opened first.
    pub fn skipped(&self) -> impl Iterator<Item = &'c ToolCall> + use<'c> {
        self.calls.iter().skip(self.reach()).filter(|call| call.name != OPEN_SECTIONS)
    }

    /// The sections to open, if the model asked for some and the request is good.
    pub fn expansion(&self) -> Option<&VisibilityExpansionRequired> {
        match &self.opening {
            Some(Ok(expansion)) => Some(expansion),
            _ => None,
        }
    }

    /// Why the request to open sections was refused, if it was.
    pub fn refusal(&self) -> Option<&ToolValidationError> {
        match &self.opening {
            Some(Err(error)) => Some(error),
            _ => None,
        }
    }

    /// Ends the turn with the results of the calls of [`run`](Self::run), in the same order: the results of all calls
    /// in the order of the calls, a refusal among them.
    ///
    /// # Errors
    /// [`ToolError::Expansion`] if sections are to be opened; the results are in its `completed`.
    pub fn finish(self, results: Vec<ToolResult>) -> Result<Vec<ToolResult>, ToolError> {
        match self.opening {
            None => Ok(results),
            Some(Ok(mut expansion)) => {
                expansion.completed = results;
                Err(ToolError::Expansion(expansion))
            }
            Some(Err(error)) => Ok(refused(self.calls, &error, results)),
        }
    }

    /// How many calls come before sections are opened.
    fn reach(&self) -> usize {
        let first = || self.calls.iter().position(|call| call.name == OPEN_SECTIONS);
        self.expansion().and_then(|_| first()).unwrap_or(self.calls.len())
    }
}

/// The results of a turn whose request was refused.
fn refused(calls: &[ToolCall], error: &ToolValidationError, results: Vec<ToolResult>) -> Vec<ToolResult> {
    let mut results = results.into_iter();
    let result = |call: &ToolCall| {
        if call.name == OPEN_SECTIONS { Some(answer(call, error.to_string(), true)) } else { results.next() }
    };
    calls.iter().filter_map(result).collect()
}

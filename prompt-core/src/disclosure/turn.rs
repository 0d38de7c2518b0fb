//! The plan for a turn in which the model makes several calls.

use super::{
    ToolError, ToolValidationError, VisibilityExpansionRequired, expansion::answer,
    openable::OPEN_SECTIONS,
};
use crate::tool::ToolCall;
use crate::tool::ToolResult;

type Opened = Result<Box<VisibilityExpansionRequired>, ToolValidationError>;

/// What to do with the calls of a turn; made by [`RenderedPrompt::split`](crate::rendered::RenderedPrompt::split).
///
/// ```
/// # use prompt_core::RenderedPrompt;
/// # use prompt_core::ToolCall;
/// # use prompt_core::disclosure::ToolError;
/// # use prompt_core::ToolResult;
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
        self.calls
            .iter()
            .take(self.reach())
            .filter(|call| call.name != OPEN_SECTIONS)
    }

    /// Calls of other tools that are not run, because sections are opened first.
    pub fn skipped(&self) -> impl Iterator<Item = &'c ToolCall> + use<'c> {
        self.calls
            .iter()
            .skip(self.reach())
            .filter(|call| call.name != OPEN_SECTIONS)
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
            Some(Err(error)) => {
                let mut results = results.into_iter();
                let refusal = |call: &ToolCall| answer(call, error.to_string(), true);
                Ok(self::results(self.calls, self.calls.len(), refusal, |_| {
                    results.next()
                }))
            }
        }
    }

    /// Ends the turn where it was opened, or refused, with this text; `run` answers the other calls.
    pub(crate) fn results(
        &self,
        text: &str,
        run: impl FnMut(&ToolCall) -> Option<ToolResult>,
    ) -> Vec<ToolResult> {
        if self.expansion().is_some() {
            return results(self.calls, self.reach(), opened(text), run);
        }
        results(
            self.calls,
            self.reach(),
            |call| answer(call, text, true),
            run,
        )
    }

    /// How many calls come before sections are opened.
    fn reach(&self) -> usize {
        if self.expansion().is_some() {
            reach(self.calls)
        } else {
            self.calls.len()
        }
    }
}

/// A result for each call of a turn, in order: `opening` answers those of `open_sections`, `other` those before `reach`,
/// and the ones after it were not run.
pub(crate) fn results(
    calls: &[ToolCall],
    reach: usize,
    mut opening: impl FnMut(&ToolCall) -> ToolResult,
    mut other: impl FnMut(&ToolCall) -> Option<ToolResult>,
) -> Vec<ToolResult> {
    let result = |(place, call): (usize, &ToolCall)| match call.name == OPEN_SECTIONS {
        true => Some(opening(call)),
        false if place < reach => other(call),
        false => Some(answer(call, NOT_RUN, true)),
    };
    calls.iter().enumerate().filter_map(result).collect()
}

/// Answers the first `open_sections` call of a turn with `text`, and the ones that were merged into it.
pub(crate) fn opened(text: &str) -> impl FnMut(&ToolCall) -> ToolResult {
    let mut text = Some(text);
    move |call| answer(call, text.take().unwrap_or(OPENED_TOGETHER), false)
}

/// How many calls of a turn come before sections are opened.
pub(crate) fn reach(calls: &[ToolCall]) -> usize {
    calls
        .iter()
        .position(|call| call.name == OPEN_SECTIONS)
        .unwrap_or(calls.len())
}

const OPENED_TOGETHER: &str = "Opened together with the first call of this turn.";
const NOT_RUN: &str = "Not run: sections were opened first. Call it again if it is still needed.";

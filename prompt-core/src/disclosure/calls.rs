//! A rendered prompt answers the calls of `open_sections`.

use crate::messages::tool::{ToolCall, ToolResult};
use crate::node::Visibility;
use crate::prompt::RenderedPrompt;
use crate::select::opening::{
    Board, Judged, Listener, ToolError, ToolInvoked, TurnPlan, Verdict, opened, opening_calls,
};
use crate::select::telemetry::ToolSpan;
use std::collections::BTreeMap;
use std::convert::Infallible;

impl RenderedPrompt {
    /// How every section of the prompt is shown, by path.
    pub fn visibility(&self) -> BTreeMap<String, Visibility> {
        Board::new(&self.rows).visibility()
    }

    /// Tells each call of `open_sections` that this prompt answers to `callback`, before the answer is returned.
    #[must_use]
    pub fn on_tool(mut self, callback: impl Fn(&ToolInvoked) + Send + Sync + 'static) -> Self {
        self.listener = Listener::new(callback);
        self
    }

    /// Answers a call of `open_sections`.
    ///
    /// The answer is always an error value, the good one being [`ToolError::Expansion`], and nothing changes: the prompt has
    /// to be rendered again. So there is no `Ok`, and `let Err(..) = prompt.call(..)` needs no `else`.
    ///
    /// # Errors
    /// [`ToolError::Expansion`] if sections are to be opened, [`ToolError::Validation`] with an answer for the model if
    /// the call is refused, [`ToolError::OtherTool`] if another tool is called.
    ///
    /// ```
    /// use prompt_core::disclosure::ToolError;
    /// use prompt_core::{DynamicNode, PromptNode, ToolCall};
    /// use serde_json::json;
    ///
    /// let node = DynamicNode::from_json(r#"{ "key": "root", "sections": [
    ///     { "key": "rules", "body": "No glitter.", "summary": "House rules.", "visibility": "summary" }
    /// ] }"#)?;
    /// let call = |key: &str| ToolCall::new("call_1", "open_sections", json!({ "section_keys": [key], "reason": "to follow them" }));
    ///
    /// let prompt = node.prompt().render()?;
    /// let Err(ToolError::Expansion(expansion)) = prompt.call(&call("rules")) else { panic!() };
    /// let prompt = node.prompt().overrides(&expansion.requested_overrides).render()?;
    /// assert_eq!(prompt.as_str(), "# Rules\n\nNo glitter.");
    ///
    /// let Err(ToolError::Validation(refused)) = prompt.call(&call("rulez")) else { panic!() };
    /// assert!(refused.to_string().contains("section 'rulez' does not exist"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(&self, call: &ToolCall) -> Result<Infallible, ToolError> {
        match self.judge(std::slice::from_ref(call)).0 {
            Verdict::Open(expansion) => Err(ToolError::Expansion(expansion)),
            Verdict::Refused(refusal) => Err(ToolError::Validation(refusal.error)),
            Verdict::NotMine => Err(ToolError::OtherTool {
                name: call.name.clone(),
            }),
        }
    }

    /// Plans a turn with several calls, for programs that run their tools themselves: which ones to run, which sections
    /// to open, and what [`TurnPlan::finish`] makes of the results. All `open_sections` calls of the turn are one request.
    pub fn split<'c>(&self, calls: &'c [ToolCall]) -> TurnPlan<'c> {
        let (verdict, listed) = self.judge(calls);
        let answers = match &verdict {
            Verdict::Open(expansion) => {
                opened(calls, &(expansion.opened() + &listed), self.runs_later)
            }
            Verdict::Refused(refusal) => refusal.answers(calls),
            Verdict::NotMine => vec![None; calls.len()],
        };
        TurnPlan {
            calls,
            answers,
            verdict,
        }
    }

    /// Answers a turn with several calls, in any order.
    ///
    /// If sections are to be opened, the calls before the first `open_sections` are run with `run` and their results
    /// kept in `completed`; those after it are not run, because the prompt changes first. Where it does not
    /// ([`Delivery::Append`](crate::disclosure::Delivery::Append)) all are run. If the request is refused, or there is none,
    /// everything is run, and the results of all calls come back in order, the refusal among them.
    ///
    /// # Errors
    /// [`ToolError::Expansion`] if sections are to be opened.
    pub fn call_all(
        &self,
        calls: &[ToolCall],
        run: impl FnMut(&ToolCall) -> ToolResult,
    ) -> Result<Vec<ToolResult>, ToolError> {
        let mut plan = self.split(calls);
        if let Verdict::Open(mut expansion) = std::mem::replace(&mut plan.verdict, Verdict::NotMine)
        {
            expansion.completed = plan.run().map(run).collect();
            return Err(ToolError::Expansion(expansion));
        }
        Ok(plan.complete(run))
    }

    /// What becomes of calls, and the keys of lists that were asked for beside what is opened.
    fn judge(&self, calls: &[ToolCall]) -> (Verdict, String) {
        let requests = opening_calls(calls);
        if requests.is_empty() {
            return (Verdict::NotMine, String::new());
        }
        let span = ToolSpan::start(&requests, &self.wording.description);
        let mut judged = Judged::of(&self.rows, &requests);
        let visibility = judged.visibility();
        if let Verdict::Open(expansion) = &mut judged.verdict {
            expansion.visibility = visibility;
        }
        span.end(&self.listener, || judged.event(&requests));
        (judged.verdict, judged.listed)
    }
}

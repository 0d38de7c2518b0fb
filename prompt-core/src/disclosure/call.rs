//! The answer of a rendered prompt to the calls of a model.

use super::{
    ToolError, ToolInvoked, ToolOutcome, ToolValidationError, TurnPlan,
    VisibilityExpansionRequired,
    event::Listener,
    openable::OPEN_SECTIONS,
    request::{Request, Standing},
};
use crate::rendered::RenderedPrompt;
use crate::telemetry::ToolSpan;
use crate::tool::ToolCall;
use crate::tool::ToolResult;
use crate::visibility::Overrides;
use crate::visibility::Visibility;
use std::collections::BTreeMap;

/// A request to open sections, judged.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    id: String,
    pub(crate) request: Request,
    visibility: BTreeMap<String, Visibility>,
    pub(crate) result: Result<Box<VisibilityExpansionRequired>, ToolValidationError>,
}

impl Opening {
    /// Judges the `open_sections` calls of a turn as one request.
    pub(crate) fn of(prompt: &RenderedPrompt, calls: &[&ToolCall]) -> Self {
        let request = Request::of(calls.iter().copied());
        let visibility = prompt.visibility();
        let standing = Standing::new(&visibility, &prompt.openables);
        let faults = if request.faults.is_empty() {
            standing.check(&request.section_keys)
        } else {
            Err(request.faults.clone())
        };
        let result = match faults {
            Ok(paths) => Ok(Box::new(expansion(&request, &paths, &visibility))),
            Err(faults) => match ToolValidationError::of(faults, standing.closed()) {
                Some(error) => Err(error),
                None => Ok(Box::new(expansion(&request, &[], &visibility))),
            },
        };
        let id = calls
            .first()
            .map(|call| call.id.clone())
            .unwrap_or_default();
        Self {
            id,
            request,
            visibility,
            result,
        }
    }

    pub(crate) fn event(&self) -> ToolInvoked {
        ToolInvoked {
            id: self.id.clone(),
            tool: OPEN_SECTIONS,
            section_keys: self.request.section_keys.clone(),
            reason: self.request.reason.clone(),
            visibility: self.visibility.clone(),
            outcome: ToolOutcome::of(&self.result),
            tokens_opened: None,
        }
    }
}

fn expansion(
    request: &Request,
    paths: &[&str],
    visibility: &BTreeMap<String, Visibility>,
) -> VisibilityExpansionRequired {
    VisibilityExpansionRequired {
        requested_overrides: paths
            .iter()
            .map(|path| (*path, Visibility::Full))
            .collect::<Overrides>(),
        reason: request.reason.clone(),
        section_keys: request.section_keys.clone(),
        visibility: visibility.clone(),
        completed: Vec::new(),
    }
}

impl RenderedPrompt {
    /// How every section of the prompt is shown, by path.
    pub fn visibility(&self) -> BTreeMap<String, Visibility> {
        if let Some(shown) = &self.openables.shown {
            return shown.clone();
        }
        let entries = self.record.entries.iter().enumerate();
        entries
            .map(|(index, entry)| (self.record.path(index), entry.visibility))
            .collect()
    }

    /// Tells each call of `open_sections` that this prompt answers to `callback`, before the answer is returned.
    #[must_use]
    pub fn on_tool(mut self, callback: impl Fn(&ToolInvoked) + Send + Sync + 'static) -> Self {
        self.listener = Listener::new(callback);
        self
    }

    /// Answers a call of `open_sections`.
    ///
    /// The answer is always an error value, the good one being [`ToolError::Expansion`]; nothing changes. The signature
    /// is that of any tool handler, so that a program can pass calls of its own tools through the same place.
    ///
    /// # Errors
    /// [`ToolError::Expansion`] if sections are to be opened, [`ToolError::Validation`] with an answer for the model if
    /// the call is refused, [`ToolError::OtherTool`] if another tool is called.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_core::PromptNode;
    /// use prompt_core::ToolCall;
    /// use prompt_core::disclosure::ToolError;
    /// use serde_json::json;
    ///
    /// let node = DynamicNode::from_json(r#"{ "key": "root", "sections": [
    ///     { "key": "rules", "body": "No glitter.", "summary": "House rules.", "visibility": "summary" }
    /// ] }"#)?;
    /// let call = |key: &str| ToolCall {
    ///     id: "call_1".into(),
    ///     name: "open_sections".into(),
    ///     arguments: json!({ "section_keys": [key], "reason": "to follow them" }),
    /// };
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
    pub fn call(&self, call: &ToolCall) -> Result<ToolResult, ToolError> {
        if call.name != OPEN_SECTIONS {
            return Err(ToolError::OtherTool {
                name: call.name.clone(),
            });
        }
        match self.open(&[call]).result {
            Ok(expansion) => Err(ToolError::Expansion(expansion)),
            Err(error) => Err(ToolError::Validation(error)),
        }
    }

    /// Plans a turn with several calls, for programs that run their tools themselves: which ones to run, and what
    /// [`TurnPlan::finish`] makes of their results. All `open_sections` calls of the turn are one request.
    pub fn split<'c>(&self, calls: &'c [ToolCall]) -> TurnPlan<'c> {
        let opening = opening_calls(calls);
        TurnPlan::new(
            calls,
            (!opening.is_empty()).then(|| self.open(&opening).result),
        )
    }

    /// Answers a turn with several calls, in any order.
    ///
    /// If sections are to be opened, the calls before the first `open_sections` are run with `run` and their results
    /// kept in `completed`; those after it are not run, because the prompt changes first. If the request is refused, or
    /// there is none, everything is run, and the results of all calls come back in order, the refusal among them.
    ///
    /// # Errors
    /// [`ToolError::Expansion`] if sections are to be opened.
    pub fn call_all(
        &self,
        calls: &[ToolCall],
        run: impl FnMut(&ToolCall) -> ToolResult,
    ) -> Result<Vec<ToolResult>, ToolError> {
        let plan = self.split(calls);
        let results = plan.run().map(run).collect();
        plan.finish(results)
    }

    fn open(&self, calls: &[&ToolCall]) -> Opening {
        let span = ToolSpan::start(calls);
        let opening = Opening::of(self, calls);
        let event = opening.event();
        span.finish(&event);
        self.listener.tell(&event);
        opening
    }
}

/// The `open_sections` calls among these.
pub(crate) fn opening_calls(calls: &[ToolCall]) -> Vec<&ToolCall> {
    calls
        .iter()
        .filter(|call| call.name == OPEN_SECTIONS)
        .collect()
}

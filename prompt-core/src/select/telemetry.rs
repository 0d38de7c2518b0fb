//! Telemetry, if the feature `tracing` is on: the names of the OpenTelemetry conventions for generative AI, and the spans
//! that carry them. Source: <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span>.

use crate::messages::tool::ToolCall;
use crate::select::opening::{Listener, ToolInvoked};

/// The span around a call of `open_sections`: `execute_tool open_sections`.
pub(crate) struct ToolSpan {
    #[cfg(feature = "tracing")]
    span: tracing::span::EnteredSpan,
}

#[cfg(not(feature = "tracing"))]
#[allow(clippy::unused_self, reason = "the same calls as with the feature")]
impl ToolSpan {
    pub(crate) fn start(_calls: &[&ToolCall], _description: &str) -> Self {
        Self {}
    }

    fn is_on(&self) -> bool {
        false
    }

    fn finish(self, _event: &ToolInvoked) {}
}

impl ToolSpan {
    /// Ends the span with what came of the call, and tells it to `listener`; it is put together if either is there.
    pub(crate) fn end(self, listener: &Listener<'_>, event: impl FnOnce() -> ToolInvoked) {
        if self.is_on() || listener.is_there() {
            let event = event();
            self.finish(&event);
            listener.tell(&event);
        }
    }
}

/// Names of these conventions.
#[cfg(feature = "tracing")]
pub(crate) mod names {
    pub(crate) const OPERATION: &str = "gen_ai.operation.name";
    pub(crate) const EXECUTE_TOOL: &str = "execute_tool";
    pub(crate) const TOOL_NAME: &str = "gen_ai.tool.name";
    pub(crate) const TOOL_TYPE: &str = "gen_ai.tool.type";
    pub(crate) const FUNCTION: &str = "function";
    pub(crate) const TOOL_DESCRIPTION: &str = "gen_ai.tool.description";
    pub(crate) const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
    pub(crate) const TOOL_CALL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
    pub(crate) const ERROR_TYPE: &str = "error.type";
    /// Ours: the paths that were opened, as JSON.
    pub(crate) const OPENED: &str = "prompt_core.disclosure.opened";
    /// Ours: their tokens.
    pub(crate) const TOKENS_OPENED: &str = "prompt_core.disclosure.tokens_opened";
}

/// The arguments of a call, in the order of the tool's schema.
#[cfg(feature = "tracing")]
#[derive(serde::Serialize)]
struct Arguments<'e> {
    section_keys: &'e [String],
    reason: &'e str,
}

#[cfg(feature = "tracing")]
impl ToolSpan {
    pub(crate) fn start(calls: &[&ToolCall], description: &str) -> Self {
        use crate::messages::tool::OPEN_SECTIONS;
        use tracing::field::Empty;
        let id = calls.first().map_or("", |call| call.id.as_str());
        let span = tracing::info_span!(
            target: "prompt_core::disclosure",
            "execute_tool open_sections",
            { names::OPERATION } = names::EXECUTE_TOOL,
            { names::TOOL_NAME } = OPEN_SECTIONS,
            { names::TOOL_TYPE } = names::FUNCTION,
            { names::TOOL_DESCRIPTION } = description,
            { names::TOOL_CALL_ID } = id,
            { names::TOOL_CALL_ARGUMENTS } = Empty,
            { names::ERROR_TYPE } = Empty,
            { names::OPENED } = Empty,
            { names::TOKENS_OPENED } = Empty,
        );
        Self {
            span: span.entered(),
        }
    }

    /// Whether anybody hears of it.
    fn is_on(&self) -> bool {
        !self.span.is_disabled()
    }

    fn finish(self, event: &ToolInvoked) {
        use crate::select::opening::ToolOutcome;
        let arguments = Arguments {
            section_keys: &event.section_keys,
            reason: &event.reason,
        };
        self.span.record(
            names::TOOL_CALL_ARGUMENTS,
            serde_json::to_string(&arguments).unwrap_or_default(),
        );
        // That of every section is much, and is told on every call; what changes is in the span.
        tracing::debug!(
            target: "prompt_core::disclosure",
            visibility = serde_json::json!(event.visibility).to_string(),
            "sections as the call found them"
        );
        match &event.outcome {
            ToolOutcome::Expanded { sections } => {
                self.span
                    .record(names::OPENED, serde_json::json!(sections).to_string());
            }
            ToolOutcome::Refused { code, .. } | ToolOutcome::Failed { code, .. } => {
                self.span.record(names::ERROR_TYPE, code.as_str());
            }
        }
        if let Some(tokens) = event.tokens_opened {
            self.span.record(names::TOKENS_OPENED, tokens);
        }
    }
}

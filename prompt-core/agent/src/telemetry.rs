//! Telemetry, if the feature `tracing` is on: a span around each step of a conversation.
//! Source: <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/>.

/// The name of these conventions.
#[cfg(feature = "tracing")]
const CONVERSATION_ID: &str = "gen_ai.conversation.id";

/// The span around a step of a conversation: what happens in it names the conversation.
pub(crate) struct ConversationSpan {
    #[cfg(feature = "tracing")]
    _span: Option<tracing::span::EnteredSpan>,
}

impl ConversationSpan {
    /// Only a conversation with a name has one.
    #[cfg(feature = "tracing")]
    pub(crate) fn enter(name: Option<&str>) -> Self {
        let span = |name| {
            tracing::info_span!(
                target: "prompt_agent::conversation",
                "conversation",
                { CONVERSATION_ID } = name
            )
            .entered()
        };
        Self {
            _span: name.map(span),
        }
    }

    #[cfg(not(feature = "tracing"))]
    pub(crate) fn enter(_name: Option<&str>) -> Self {
        Self {}
    }
}

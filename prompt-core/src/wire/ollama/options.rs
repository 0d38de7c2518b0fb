use super::FORMAT;
use crate::wire::Alternation;
use crate::wire::turn::Rules;
use serde_json::{Map, Value};

/// What a request says beside messages and tools.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The model.
    pub model: String,
    /// Most tokens of the answer.
    pub max_tokens: Option<u32>,
    /// Whether the answer comes piece by piece. Always written, because the server streams when nothing is said.
    pub stream: bool,
    /// Whether the ids of calls are written.
    pub call_ids: bool,
    /// Whether neighbours of one role are merged.
    pub alternation: Alternation,
    /// The user text put in front where [`Alternation::Strict`] needs one.
    pub opening: String,
    /// Further fields of the body.
    pub extra: Map<String, Value>,
}

impl Options {
    /// Options for a model, without streaming.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            max_tokens: None,
            stream: false,
            call_ids: false,
            alternation: Alternation::AsIs,
            opening: crate::wire::OPENING.into(),
            extra: Map::new(),
        }
    }

    /// Most tokens of the answer, as `options.num_predict`.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Whether the answer comes piece by piece, as one JSON object per line.
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// Whether the ids of calls are written, for servers that give them.
    #[must_use]
    pub fn call_ids(mut self, call_ids: bool) -> Self {
        self.call_ids = call_ids;
        self
    }

    /// Whether neighbours of one role are merged, as the chat templates of some models demand.
    #[must_use]
    pub fn alternation(mut self, alternation: Alternation) -> Self {
        self.alternation = alternation;
        self
    }

    /// The user text put in front of a conversation that starts with the model, under [`Alternation::Strict`].
    #[must_use]
    pub fn opening(mut self, text: impl Into<String>) -> Self {
        self.opening = text.into();
        self
    }

    /// Adds a field to the body, such as `keep_alive`. It wins over a field of ours with the same name.
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    pub(super) fn rules(&self) -> Rules {
        Rules::new(FORMAT, self.alternation)
    }
}

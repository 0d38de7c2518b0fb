use super::FORMAT;
use crate::message::CachePoint;
use crate::wire::Alternation;
use crate::wire::LateSystem;
use crate::wire::ToolChoice;
use crate::wire::turn::Rules;
use serde_json::{Map, Value};

/// What a request says beside messages and tools.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The model.
    pub model: String,
    /// Most tokens of the answer; the provider demands a number.
    pub max_tokens: u32,
    /// Whether the answer comes piece by piece.
    pub stream: Option<bool>,
    /// Which tool to call; left out when there are no tools.
    pub tool_choice: Option<ToolChoice>,
    /// A cache point after the tools.
    pub cache_tools: Option<CachePoint>,
    /// What becomes of system messages after the start.
    pub late_system: LateSystem,
    /// Whether neighbours of one role are merged.
    pub alternation: Alternation,
    /// The user text put in front of a conversation that the model would open.
    pub opening: String,
    /// Further fields of the body.
    pub extra: Map<String, Value>,
}

impl Options {
    /// Options for a model, with the most tokens its answer may have.
    pub fn new(model: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            model: model.into(),
            max_tokens,
            stream: None,
            tool_choice: None,
            cache_tools: None,
            late_system: LateSystem::Refuse,
            alternation: Alternation::Strict,
            opening: crate::wire::OPENING.into(),
            extra: Map::new(),
        }
    }

    /// Whether the answer comes piece by piece, as server-sent events.
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }

    /// Which tool to call. Left out by default, which is as the model likes.
    #[must_use]
    pub fn tool_choice(mut self, choice: impl Into<Option<ToolChoice>>) -> Self {
        self.tool_choice = choice.into();
        self
    }

    /// Puts a cache point after the tools. It is the first of the four.
    #[must_use]
    pub fn cache_tools(mut self, point: CachePoint) -> Self {
        self.cache_tools = Some(point);
        self
    }

    /// What becomes of system messages after the start: newer models take them, older ones want user text.
    #[must_use]
    pub fn late_system(mut self, late: LateSystem) -> Self {
        self.late_system = late;
        self
    }

    /// Whether neighbours of one role are merged. They are by default.
    #[must_use]
    pub fn alternation(mut self, alternation: Alternation) -> Self {
        self.alternation = alternation;
        self
    }

    /// The user text put in front of a conversation that starts with the model, as compacted ones do.
    #[must_use]
    pub fn opening(mut self, text: impl Into<String>) -> Self {
        self.opening = text.into();
        self
    }

    /// Adds a field to the body, such as `thinking`. It wins over a field of ours with the same name.
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    pub(super) fn rules(&self) -> Rules {
        Rules {
            results_in_user_turn: true,
            late_system: self.late_system,
            ..Rules::new(FORMAT, self.alternation)
        }
    }
}

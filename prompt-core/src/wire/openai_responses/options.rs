use super::FORMAT;
use crate::wire::Alternation;
use crate::wire::SystemRole;
use crate::wire::ToolChoice;
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
    /// Whether the answer comes piece by piece.
    pub stream: Option<bool>,
    /// Which tool to call; left out when there are no tools.
    pub tool_choice: Option<ToolChoice>,
    /// How system messages of the input are sent.
    pub system_role: SystemRole,
    /// Whether neighbours of one role are merged.
    pub alternation: Alternation,
    /// Whether cache points are written as breakpoints.
    pub breakpoints: bool,
    /// Groups requests that share a prefix.
    pub cache_key: Option<String>,
    /// Whether system messages at the start travel as `instructions`.
    pub instructions: bool,
    /// Whether the provider keeps the answer.
    pub store: bool,
    /// The answer this request follows; the provider remembers what came before.
    pub previous_response_id: Option<String>,
    /// The user text put in front where [`Alternation::Strict`] needs one.
    pub opening: String,
    /// Further fields of the body.
    pub extra: Map<String, Value>,
}

impl Options {
    /// Options for a model; tools are called as the model likes.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            max_tokens: None,
            stream: None,
            tool_choice: Some(ToolChoice::Auto),
            system_role: SystemRole::Developer,
            alternation: Alternation::AsIs,
            breakpoints: false,
            cache_key: None,
            instructions: true,
            store: false,
            previous_response_id: None,
            opening: crate::wire::OPENING.into(),
            extra: Map::new(),
        }
    }

    /// Most tokens of the answer, as `max_output_tokens`.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Whether the answer comes piece by piece, as server-sent events.
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }

    /// Which tool to call. `None` leaves the field out.
    #[must_use]
    pub fn tool_choice(mut self, choice: impl Into<Option<ToolChoice>>) -> Self {
        self.tool_choice = choice.into();
        self
    }

    /// How system messages of the input are sent; those at the start are `instructions` unless
    /// [`Options::instructions`] or breakpoints say otherwise.
    #[must_use]
    pub fn system_role(mut self, role: SystemRole) -> Self {
        self.system_role = role;
        self
    }

    /// Whether neighbours of one role are merged.
    #[must_use]
    pub fn alternation(mut self, alternation: Alternation) -> Self {
        self.alternation = alternation;
        self
    }

    /// Whether cache points are written as explicit breakpoints, at most four. Only gpt-5.6 and later know them; older
    /// models cache the longest common prefix by themselves. System messages at the start travel in the input then,
    /// neighbours as parts of one. A point after a message of the model has no place and is left out.
    #[must_use]
    pub fn breakpoints(mut self, breakpoints: bool) -> Self {
        self.breakpoints = breakpoints;
        self
    }

    /// Groups requests that share a prefix (`prompt_cache_key`).
    #[must_use]
    pub fn cache_key(mut self, key: impl Into<String>) -> Self {
        self.cache_key = Some(key.into());
        self
    }

    /// Whether system messages at the start travel as `instructions` (they do by default) or in the input.
    #[must_use]
    pub fn instructions(mut self, instructions: bool) -> Self {
        self.instructions = instructions;
        self
    }

    /// Whether the provider keeps the answer; it does not by default.
    #[must_use]
    pub fn store(mut self, store: bool) -> Self {
        self.store = store;
        self
    }

    /// The answer this request follows. The messages given are only the new ones then (tool results may answer calls
    /// that the provider remembers), but the instructions must be given again.
    #[must_use]
    pub fn previous_response_id(mut self, id: impl Into<String>) -> Self {
        self.previous_response_id = Some(id.into());
        self
    }

    /// The user text put in front of a conversation that starts with the model, under [`Alternation::Strict`].
    #[must_use]
    pub fn opening(mut self, text: impl Into<String>) -> Self {
        self.opening = text.into();
        self
    }

    /// Adds a field to the body, such as `temperature`. It wins over a field of ours with the same name.
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    pub(super) fn rules(&self) -> Rules {
        Rules {
            merge_system: self.breakpoints,
            remembered_calls: self.previous_response_id.is_some(),
            ..Rules::new(FORMAT, self.alternation)
        }
    }
}

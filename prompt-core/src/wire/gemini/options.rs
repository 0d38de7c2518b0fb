use super::FORMAT;
use crate::wire::Alternation;
use crate::wire::LateSystem;
use crate::wire::ToolChoice;
use crate::wire::turn::Rules;
use serde_json::{Map, Value};

/// What a request says beside messages and tools.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Most tokens of the answer.
    pub max_tokens: Option<u32>,
    /// Which tool to call; left out when there are no tools.
    pub tool_choice: Option<ToolChoice>,
    /// Whether schemas travel as real JSON Schema.
    pub json_schema: bool,
    /// Whether the ids of calls are written.
    pub call_ids: bool,
    /// What becomes of system messages after the start.
    pub late_system: LateSystem,
    /// Whether neighbours of one role are merged.
    pub alternation: Alternation,
    /// The user text put in front of a conversation that the model would open.
    pub opening: String,
    /// Further fields of the body.
    pub extra: Map<String, Value>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_tokens: None,
            tool_choice: Some(ToolChoice::Auto),
            json_schema: false,
            call_ids: false,
            late_system: LateSystem::Refuse,
            alternation: Alternation::Strict,
            opening: crate::wire::OPENING.into(),
            extra: Map::new(),
        }
    }
}

impl Options {
    /// Options without any limit; tools are called as the model likes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Most tokens of the answer.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Which tool to call. `None` leaves the field out.
    #[must_use]
    pub fn tool_choice(mut self, choice: impl Into<Option<ToolChoice>>) -> Self {
        self.tool_choice = choice.into();
        self
    }

    /// Whether schemas travel unchanged as `parametersJsonSchema`, which newer models take, instead of `parameters` in
    /// the provider's own subset.
    #[must_use]
    pub fn json_schema(mut self, json_schema: bool) -> Self {
        self.json_schema = json_schema;
        self
    }

    /// Whether the ids of calls are written, for models that give them.
    #[must_use]
    pub fn call_ids(mut self, call_ids: bool) -> Self {
        self.call_ids = call_ids;
        self
    }

    /// What becomes of system messages after the start.
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

    /// Adds a field to the body, such as `safetySettings`. It wins over a field of ours with the same name.
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    pub(super) fn rules(&self) -> Rules {
        let late_system = match self.late_system {
            LateSystem::User => LateSystem::User,
            LateSystem::Refuse | LateSystem::System => LateSystem::Refuse,
        };
        Rules {
            results_in_user_turn: true,
            late_system,
            ..Rules::new(FORMAT, self.alternation)
        }
    }
}

//! The options of a request: the settings that all formats share, and a place for those of one format (`Options<S>`). A
//! format reads them while it writes the body; `finish` adds the fields that a caller set by hand.

use super::reply::present;
use super::{Body, WireError};
use prompt_core::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// Whether and which tool the model shall call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// As the model likes.
    #[default]
    Auto,
    /// No tool.
    None,
    /// Some tool.
    Required,
    /// This tool.
    Tool(String),
}

/// The role under which system messages are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SystemRole {
    /// As the format says it: `system`, the `system` field, `systemInstruction`.
    #[default]
    System,
    /// `developer`, its name for `OpenAI`'s reasoning models; elsewhere the same as [`SystemRole::System`].
    Developer,
    /// `user`, for models that know no system role: the system text at the start opens the first user message,
    /// `system + "\n\n" + user`, and a cache point after it is kept; later system messages are user text.
    User,
}

impl fmt::Display for SystemRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
        })
    }
}

/// Whether turns of one role may follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Alternation {
    /// Every message stays by itself.
    #[default]
    AsIs,
    /// Neighbours of one role are merged into one message, piece by piece; nothing is dropped. The first message after
    /// the system text is the user's.
    Strict,
}

/// What becomes of system messages after the first user or assistant message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LateSystem {
    /// A [`WireError::Unsupported`](super::WireError::Unsupported).
    #[default]
    Refuse,
    /// They are sent as user text.
    User,
    /// They are sent as system messages: newer models of Anthropic take them. Gemini has none and refuses.
    System,
}

/// What a request says beside messages and tools, for any provider.
///
/// A provider's own `Options` are made from it, and know more.
///
/// ```
/// # #[cfg(feature = "anthropic")] {
/// use prompt_agent::wire::{RequestOptions, anthropic};
/// let shared = RequestOptions::new("claude-sonnet-4-6").max_tokens(500).stream(true);
/// let options = anthropic::Options::from(shared);
/// assert_eq!(options.max_tokens, Some(500));
/// # }
/// ```
pub type RequestOptions = Options<Shared>;

/// The answer that a request asks for; see `Options::answer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Output {
    /// The schema of the answer, and the tool that carries it.
    pub tool: ToolSpec,
    /// Why strict mode cannot say the type, if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the answer is the call of the tool.
    #[serde(default)]
    pub forced: bool,
}

impl Output {
    /// The tool, unless strict mode cannot say its schema.
    pub(super) fn strict(&self, format: &'static str) -> Result<&ToolSpec, WireError> {
        match &self.fault {
            None => Ok(&self.tool),
            Some(fault) => Err(WireError::Schema {
                tool: self.tool.name().to_owned(),
                format,
                path: String::new(),
                reason: format!("{fault}; say the type in the prompt, with `AnswerMode::Prompt`"),
            }),
        }
    }
}

/// What only one format knows: nothing, in [`RequestOptions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {}

/// What one format knows beside what all share.
pub trait Own: Default {}

/// What a request says beside messages and tools. `S` is what only one format knows.
///
/// In JSON every field may be left out; those of `own` stand beside the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "S: Default + Deserialize<'de>"))]
#[non_exhaustive]
pub struct Options<S> {
    /// The model. Gemini names it in the address instead.
    pub model: String,
    /// Most tokens of the answer. Anthropic demands a number: 4,096 where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Whether the answer comes piece by piece. Gemini has another address for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// Which tool to call; `None` says nothing about it. Never said when there are no tools.
    pub tool_choice: Option<ToolChoice>,
    /// How system messages are sent; `None` for the format's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_role: Option<SystemRole>,
    /// Whether neighbours of one role are merged; `None` for the format's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternation: Option<Alternation>,
    /// What becomes of system messages after the start; `None` for the format's default: refused where the format has
    /// no place for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_system: Option<LateSystem>,
    /// The user text put in front of a conversation that the model would open, where the user must open it.
    pub opening: String,
    /// The typed answer that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Output>,
    /// Further fields of the body; null takes a field out.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// What only this format knows.
    #[serde(flatten)]
    pub own: S,
}

impl<S: Default> Default for Options<S> {
    fn default() -> Self {
        Self {
            model: String::new(),
            max_tokens: None,
            stream: None,
            tool_choice: Some(ToolChoice::Auto),
            system_role: None,
            alternation: None,
            late_system: None,
            opening: super::OPENING.into(),
            answer: None,
            extra: Map::new(),
            own: S::default(),
        }
    }
}

impl RequestOptions {
    /// Options for a model; tools are called as the model likes.
    pub fn new(model: impl Into<String>) -> Self {
        Self::of(model)
    }
}

impl<S: Own> From<RequestOptions> for Options<S> {
    fn from(shared: RequestOptions) -> Self {
        Self {
            model: shared.model,
            max_tokens: shared.max_tokens,
            stream: shared.stream,
            tool_choice: shared.tool_choice,
            system_role: shared.system_role,
            alternation: shared.alternation,
            late_system: shared.late_system,
            opening: shared.opening,
            answer: shared.answer,
            extra: shared.extra,
            own: S::default(),
        }
    }
}

impl<S: Own> From<&RequestOptions> for Options<S> {
    fn from(shared: &RequestOptions) -> Self {
        shared.clone().into()
    }
}

impl<S> Options<S> {
    /// Options for a model.
    pub(super) fn of(model: impl Into<String>) -> Self
    where
        S: Default,
    {
        Self {
            model: model.into(),
            ..Self::default()
        }
    }

    /// Most tokens of the answer. A server of `OpenAI`'s format that only knows `max_tokens` gets it through
    /// [`Options::set`].
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Whether the answer comes piece by piece.
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

    /// How system messages are sent: some models want `developer`, some know neither.
    #[must_use]
    pub fn system_role(mut self, role: SystemRole) -> Self {
        self.system_role = Some(role);
        self
    }

    /// Whether neighbours of one role are merged. They are by default for Anthropic and Gemini; the chat templates of
    /// some open models demand it too.
    #[must_use]
    pub fn alternation(mut self, alternation: Alternation) -> Self {
        self.alternation = Some(alternation);
        self
    }

    /// What becomes of system messages after the start.
    #[must_use]
    pub fn late_system(mut self, late: LateSystem) -> Self {
        self.late_system = Some(late);
        self
    }

    /// The user text put in front of a conversation that starts with the model, as compacted ones do, under
    /// [`Alternation::Strict`].
    #[must_use]
    pub fn opening(mut self, text: impl Into<String>) -> Self {
        self.opening = text.into();
        self
    }

    /// Adds a field to the body, such as `temperature`. It wins over a field of ours with the same name; null takes
    /// that out.
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    /// The body with the entries that the caller added by hand, and without those that are null.
    pub(super) fn finish(&self, mut body: Value) -> Body {
        if let Value::Object(map) = &mut body {
            map.extend(self.extra.clone());
        }
        present(body).into()
    }

    /// The tool with the schema of the answer that is asked for, if one is, as strict mode takes it.
    pub(super) fn answer_tool(&self, format: &'static str) -> Result<Option<&ToolSpec>, WireError> {
        let output = self.answer.as_ref();
        output.map(|output| output.strict(format)).transpose()
    }

    /// What is said about the choice among tools: nothing where there are none.
    pub(super) fn choice(&self, tools: &[ToolSpec]) -> Option<&ToolChoice> {
        self.tool_choice.as_ref().filter(|_| !tools.is_empty())
    }
}

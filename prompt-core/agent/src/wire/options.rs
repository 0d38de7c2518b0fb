//! The options of a request: the settings that all formats share, and those that one provider knows and the others pass over.
//! A format reads them while it writes the body; `finish` adds the fields that a caller set by hand.

use super::WireError;
use super::reply::present;
use prompt_core::message::CachePoint;
use prompt_core::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The user text put in front of a conversation that the model would open, where a provider wants the user first.
pub(super) const OPENING: &str = "(continued)";

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

/// The answer that a request asks for; see `RequestOptions::answer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Output {
    /// The schema of the answer, and the tool that carries it.
    pub(super) tool: ToolSpec,
    /// Why strict mode cannot say the type, if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<String>,
    /// Whether the answer is the call of the tool.
    #[serde(default)]
    pub(super) forced: bool,
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

/// What a request says beside messages and tools. What a provider does not know, it passes over: options that are set for
/// one may be sent to another.
///
/// In JSON every field may be left out.
///
/// ```
/// # #[cfg(feature = "openai")] {
/// use prompt_agent::wire::{Alternation, LateSystem, Provider, RequestOptions, SystemRole, ToolChoice};
/// use prompt_core::Message;
/// use prompt_core::message::CachePoint;
///
/// // What a server behind a format may want:
/// let options = RequestOptions::new("a-model")
///     .max_tokens(500)
///     .alternation(Alternation::Strict)
///     .system_role(SystemRole::Developer)
///     .late_system(LateSystem::User)
///     .tool_choice(ToolChoice::Required)
///     .cache_tools(CachePoint::default())
///     .set("temperature", 0.2);
/// let log = [Message::system("Be brief."), Message::user("How deep?"), Message::user("At low water.")];
/// let body = Provider::OpenAiChat.request(&log, &[], &options)?;
/// assert_eq!(body["messages"][0]["role"], "developer");
/// assert_eq!(body["messages"].as_array().map(Vec::len), Some(2));
/// # }
/// # Ok::<(), prompt_agent::wire::WireError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RequestOptions {
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
    /// The typed answer that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Output>,
    /// Further fields of the body; null takes a field out.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// `OpenAI`: whether cache points are written as breakpoints.
    pub breakpoints: bool,
    /// `OpenAI`'s Responses: whether system messages at the start travel as `instructions`.
    pub instructions: bool,
    /// `OpenAI`'s Responses: whether the provider keeps the answer.
    pub store: bool,
    /// `OpenAI`'s Responses: the answer this request follows; the provider remembers what came before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_response_id: Option<String>,
    /// Anthropic: a cache point after the tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_tools: Option<CachePoint>,
    /// Gemini: whether schemas travel as real JSON Schema.
    pub json_schema: bool,
    /// Gemini and Ollama: whether the ids of calls are written.
    pub call_ids: bool,
}

impl Default for RequestOptions {
    fn default() -> Self {
        Self {
            model: String::new(),
            max_tokens: None,
            stream: None,
            tool_choice: Some(ToolChoice::Auto),
            system_role: None,
            alternation: None,
            late_system: None,
            answer: None,
            extra: Map::new(),
            breakpoints: false,
            instructions: true,
            store: false,
            previous_response_id: None,
            cache_tools: None,
            json_schema: false,
            call_ids: false,
        }
    }
}

impl RequestOptions {
    /// Options for a model; tools are called as the model likes.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            ..Self::default()
        }
    }

    /// Most tokens of the answer. A server of `OpenAI`'s format that only knows `max_tokens` gets it through
    /// [`RequestOptions::set`].
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

    /// `OpenAI`: whether cache points are written as explicit breakpoints, at most four. Only gpt-5.6 and later know them;
    /// older models cache the longest common prefix by themselves. All texts travel as content parts then, neighbouring
    /// system messages as parts of one, and in Responses those at the start in the input. A point after a message of
    /// the model has no place in Responses and is left out.
    #[must_use]
    pub fn breakpoints(mut self, breakpoints: bool) -> Self {
        self.breakpoints = breakpoints;
        self
    }

    /// `OpenAI`'s Responses: whether system messages at the start travel as `instructions` (they do by default) or in the
    /// input.
    #[must_use]
    pub fn instructions(mut self, instructions: bool) -> Self {
        self.instructions = instructions;
        self
    }

    /// `OpenAI`'s Responses: whether the provider keeps the answer; it does not by default.
    #[must_use]
    pub fn store(mut self, store: bool) -> Self {
        self.store = store;
        self
    }

    /// `OpenAI`'s Responses: the answer this request follows. The messages given are only the new ones then (tool results
    /// may answer calls that the provider remembers), but the instructions must be given again.
    #[must_use]
    pub fn previous_response_id(mut self, id: impl Into<String>) -> Self {
        self.previous_response_id = Some(id.into());
        self
    }

    /// Anthropic: puts a cache point after the tools. It is the first of the four.
    #[must_use]
    pub fn cache_tools(mut self, point: CachePoint) -> Self {
        self.cache_tools = Some(point);
        self
    }

    /// Gemini: whether schemas travel unchanged as `parametersJsonSchema`, which newer models take, instead of `parameters`
    /// in the provider's own subset.
    #[must_use]
    pub fn json_schema(mut self, json_schema: bool) -> Self {
        self.json_schema = json_schema;
        self
    }

    /// Gemini and Ollama: whether the ids of calls are written, for models and servers that give them.
    #[must_use]
    pub fn call_ids(mut self, call_ids: bool) -> Self {
        self.call_ids = call_ids;
        self
    }

    /// Adds a field to the body, such as `temperature`. It takes the place of a field of ours with the same name; null removes
    /// that. The settings that Gemini keeps in `generationConfig`, and Ollama in `options`, are added to ours one by one.
    ///
    /// ```
    /// # #[cfg(feature = "ollama")] {
    /// use prompt_agent::wire::{Provider, RequestOptions};
    /// use prompt_core::Message;
    /// use serde_json::json;
    ///
    /// let options = RequestOptions::new("a-model").max_tokens(500).set("options", json!({ "temperature": 0.2 }));
    /// let body = Provider::Ollama.request(&[Message::user("How deep?")], &[], &options)?;
    /// assert_eq!(body["options"], json!({ "num_predict": 500, "temperature": 0.2 }));
    /// # }
    /// # Ok::<(), prompt_agent::wire::WireError>(())
    /// ```
    #[must_use]
    pub fn set(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    /// The body with the entries that the caller added by hand, and without those that are null.
    pub(super) fn finish(&self, mut body: Value) -> Value {
        if let Value::Object(map) = &mut body {
            for (field, value) in self.extra.clone() {
                match (map.get_mut(&field), value) {
                    (Some(Value::Object(ours)), Value::Object(more)) if is_settings(&field) => {
                        ours.extend(more);
                    }
                    (_, value) => {
                        map.insert(field, value);
                    }
                }
            }
        }
        present(body)
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

/// Whether a field of a body is a list of settings: `generationConfig` in requests to Gemini
/// (<https://ai.google.dev/api/generate-content>), `options` in those to Ollama (<https://docs.ollama.com/api>).
fn is_settings(field: &str) -> bool {
    matches!(field, "generationConfig" | "options")
}

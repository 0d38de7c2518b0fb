//! Typed answers: the model's final reply as a Rust type.
//!
//! [`Answer`] says in the prompt, or by the provider's own means, what the answer looks like; it reads a reply as
//! tolerantly as can be done without guessing, and says what it did; what does not fit comes back as a message with all
//! faults at once, in words that a model can act on.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::answer::{Answer, Ending, Read};
//!
//! #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
//! struct Berth {
//!     ship: String,
//!     /// Counted from the mole.
//!     number: u32,
//!     note: Option<String>,
//! }
//!
//! let mut answer = Answer::<Berth>::new();
//! assert_eq!(
//!     answer.format().to_string(),
//!     "{\n  ship: string\n  number: integer // Counted from the mole.\n  note?: string\n}"
//! );
//!
//! let said = Message::assistant("Sure: {\"ship\": \"Tern\", \"number\": \"four\"}");
//! let Read::Again(message) = answer.read_message(&said, Ending::Own)? else { unreachable!() };
//! assert_eq!(
//!     message.text(),
//!     "Your answer was not accepted:\n- /number: \"four\" is not of the type integer.\n\
//!      Answer with the corrected JSON value only."
//! );
//!
//! let said = Message::assistant("```json\n{ship: \"Tern\", \"number\": 4,}\n```");
//! let Read::Accepted(accepted) = answer.read_message(&said, Ending::Own)? else { unreachable!() };
//! let repairs: Vec<String> = accepted.repairs().iter().map(ToString::to_string).collect();
//! assert_eq!(repairs, ["fence", "trailing_comma", "unquoted_key"]);
//! assert_eq!(accepted.into_value(), Berth { ship: "Tern".into(), number: 4, note: None });
//! # Ok::<(), prompt_agent::answer::AnswerError>(())
//! ```
//!
//! # What is read, and how
//!
//! - **Where**: the whole text; else the values in fences and in prose. The last word counts: the last that fits, unless
//!   one behind it was to be the answer and breaks off, is no JSON, or has a mistake in it. Reasoning is never the answer:
//!   what stands before a closing tag (`</think>`, `</thinking>`, `</reasoning>`, `</thought>`, `</scratchpad>`,
//!   `[/THINK]`, and those of single models), or behind an opening one that is not closed. With [`AnswerMode::Tool`] the arguments of the call.
//! - **Valid JSON is read as `serde_json` reads it**, by `serde_json`. The type is asked first: what it accepts is
//!   accepted, but for the bounds in its schema and [`Answer::check`].
//! - **Repaired**: what [`Repair`] lists; [`Accepted::repairs`] says what was done. Closing brackets are only added where
//!   the model ended by itself, behind a string, a literal or a bracket, and not in a comment. What breaks off is never
//!   closed, and what goes on behind its last bracket is refused.
//! - **Coerced**, by the schema: `"30"` for a number and back, `"yes"` for a boolean, `3.0` for an integer, one value for
//!   a list of one, a variant in another spelling where one is meant, null for a field that may be left out; a whole text
//!   that is a variant of an enum of words.
//! - **Faults** ([`Fault`]): those of the whole value, in the order of the text; what an object lacks stands behind what it
//!   has. The schema is only asked once serde has refused. It covers what `schemars` writes; [`Answer::unchecked`] names
//!   the rest, and serde's own error comes with its path where the schema explains nothing.
//!
//! # In a conversation
//!
//! The messages that ask again are marked: once an answer follows that is not refused, a [`History`](prompt_core::History)
//! leaves the tries before it and these messages out of its view, and keeps them in its log. A provider's cache is lost
//! from there on once.

pub(crate) mod arguments;
mod check;
mod choose;
mod fault;
mod find;
mod format;
mod formats;
mod json;
mod partial;
mod print;
mod read;
mod reasoning;
mod serde_error;
mod shape;
mod wording;

use choose::{Outcome, own_tree, parse};
use prompt_core::message::{Message, Verdict};
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use shape::{Shape, Shapes, What};
use std::fmt;
use std::sync::Arc;

pub use fault::{AnswerError, Fault, FaultKind, Repair};
pub use format::AnswerFormat;
pub use partial::{Partial, Shown};
pub use wording::AnswerWording;

/// Name of the tool whose call is the answer, with [`AnswerMode::Tool`], and of the schema in a request.
pub const ANSWER_TOOL: &str = "answer";

/// Tries that the model has, unless [`Answer::max_tries`] says otherwise.
const MOST_TRIES: usize = 3;

/// How the model learns what to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerMode {
    /// By the provider's own structured output, where the request says so (`RequestOptions::answer`).
    #[default]
    Provider,
    /// By a tool that the model must call, for models without structured output. The call is the answer. Ollama cannot be told that
    /// a tool must be called: its request is an error, and [`Prompt`](Self::Prompt) the way there.
    Tool,
    /// By the prompt alone: nothing is said in the request.
    Prompt,
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The model had nothing more to say.
    Own,
    /// The limit of the answer was reached.
    Length,
    /// It is not known.
    #[default]
    Unknown,
}

/// What became of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Read<T> {
    /// It fits.
    Accepted(Accepted<T>),
    /// It does not; the message tells the model why. Push it behind the reply, and send.
    Again(Message),
    /// It was stopped by its length; the message asks for the whole value, shorter.
    CutOff(Message),
}

/// An answer that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted<T> {
    value: T,
    json: Value,
    repairs: Vec<Repair>,
    results: Option<Message>,
}

impl<T> Accepted<T> {
    /// The answer.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The answer.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The answer as JSON, as the type read it.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// What was done before it fitted; nothing, where it was JSON and nothing else.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// What the call of the tool is answered with, if the answer was one: to be pushed behind the reply where the
    /// conversation goes on.
    pub fn results(&self) -> Option<&Message> {
        self.results.as_ref()
    }
}

/// A question put to the type, and what it says.
type Check<T> = Arc<dyn Fn(&T) -> Result<(), String> + Send + Sync>;

/// A typed answer: its form, its reading, and how often it was refused.
///
/// It is serde: tries and settings are stored, so a restarted program goes on counting. A [`check`](Self::check) is code,
/// and is given again after loading.
pub struct Answer<T> {
    settings: Settings,
    check: Option<Check<T>>,
    faults: Vec<Fault>,
    kind: Arc<AnswerType>,
}

/// The part of an answer that is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Settings {
    tries: usize,
    max_tries: usize,
    strict: bool,
    mode: AnswerMode,
    wording: AnswerWording,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tries: 0,
            max_tries: MOST_TRIES,
            strict: false,
            mode: AnswerMode::default(),
            wording: AnswerWording::default(),
        }
    }
}

/// The shapes, the schema and the tool of a type, worked out once.
#[derive(Debug)]
struct AnswerType {
    shapes: Shapes,
    schema: Value,
    tool: Result<ToolSpec, String>,
}

impl<T: DeserializeOwned + JsonSchema> Answer<T> {
    /// Answers of this type: three tries, tolerant reading, the provider's structured output.
    pub fn new() -> Self {
        let generator = SchemaSettings::draft2020_12().into_generator();
        let schema = generator.into_root_schema_for::<T>().to_value();
        let tool = ToolSpec::of::<T>(ANSWER_TOOL);
        let tool = tool.map_err(|error| error.to_string());
        Self {
            settings: Settings::default(),
            check: None,
            faults: Vec::new(),
            kind: Arc::new(AnswerType {
                shapes: Shapes::of(&schema),
                schema,
                tool,
            }),
        }
    }

    /// Reads the text of a model, for who has nothing but that: [`read_message`](Self::read_message) of a message that says it.
    ///
    /// ```
    /// use prompt_agent::answer::{Answer, Read};
    ///
    /// let mut answer = Answer::<Vec<u8>>::new();
    /// let read = answer.read_text("[3, 4]")?;
    /// assert!(matches!(read, Read::Accepted(accepted) if *accepted.value() == [3, 4]));
    /// # Ok::<(), prompt_agent::answer::AnswerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AnswerError::TooManyTries`] if this was the last try.
    pub fn read_text(&mut self, text: &str) -> Result<Read<T>, AnswerError> {
        self.read_message(&Message::assistant(text), Ending::Unknown)
    }

    /// Reads the message of a model.
    ///
    /// # Errors
    ///
    /// [`AnswerError::TooManyTries`] if this was the last try, [`AnswerError::PendingCalls`] if it calls
    /// tools, which come first.
    pub fn read_message(
        &mut self,
        message: &Message,
        ending: Ending,
    ) -> Result<Read<T>, AnswerError> {
        let calls: Vec<ToolCall> = message.tool_calls().collect();
        let is_answer =
            |call: &&ToolCall| self.settings.mode == AnswerMode::Tool && call.name == ANSWER_TOOL;
        let text = match calls.iter().rfind(is_answer) {
            Some(call) => match &call.arguments {
                Value::String(text) => text.clone(),
                arguments => arguments.to_string(),
            },
            None if calls.is_empty() => message.text(),
            None => {
                let names = calls.into_iter().map(|call| call.name).collect();
                return Err(AnswerError::PendingCalls { names });
            }
        };
        let (faults, cut_off) = match self.judge(&text, ending) {
            Outcome::Fits(value, json, repairs) => {
                self.settings.tries = 0;
                self.faults.clear();
                let words = &self.settings.wording.accepted;
                let results =
                    (!calls.is_empty()).then(|| self.reply(&calls, Verdict::Accepted, words));
                return Ok(Read::Accepted(Accepted {
                    value,
                    json,
                    repairs,
                    results,
                }));
            }
            Outcome::Faults(faults) => (faults, None),
            Outcome::CutOff(place) => (Vec::new(), Some(place)),
        };
        self.faults = faults;
        let tries = self.settings.tries.saturating_add(1);
        if tries >= self.settings.max_tries {
            return Err(AnswerError::TooManyTries {
                tries,
                faults: self.faults.clone(),
            });
        }
        self.settings.tries = tries;
        let wording = &self.settings.wording;
        let again = |words: &str| self.reply(&calls, Verdict::Refused, words);
        Ok(match cut_off {
            Some(place) => Read::CutOff(again(&wording.cut_off(&place))),
            None => Read::Again(again(&wording.refusal(&self.faults))),
        })
    }

    /// What the model is told: a user message, or the result of its call.
    fn reply(&self, calls: &[ToolCall], verdict: Verdict, words: &str) -> Message {
        if calls.is_empty() {
            return Message::user(words).marked(verdict);
        }
        // Every call is answered; the last that answers is the one that was read.
        let read = calls.iter().rposition(|call| call.name == ANSWER_TOOL);
        let not_run = self.settings.wording.not_run.as_str();
        let results = calls.iter().enumerate().map(|(at, call)| match verdict {
            _ if Some(at) != read => ToolResult::failed(call, not_run),
            Verdict::Refused => ToolResult::failed(call, words),
            Verdict::Accepted => ToolResult::ok(call, words),
        });
        Message::tool(results.collect::<Vec<_>>()).marked(verdict)
    }

    /// An example of the answer as the form in the prompt. It is checked against the type.
    ///
    /// # Errors
    ///
    /// [`AnswerError::Example`] with all faults.
    pub fn format_as_example(&self, example: &Value) -> Result<AnswerFormat, AnswerError> {
        let text = serde_json::to_string_pretty(example).unwrap_or_default();
        let fault = match parse::<T>(&text) {
            Ok(value) => match self.accept(value, &mut own_tree(&text).0, Vec::new()) {
                Outcome::Faults(mut faults) => faults.swap_remove(0),
                _ => return Ok(AnswerFormat(text.into())),
            },
            Err(fault) => fault,
        };
        let faults = self.refuse(&text, fault);
        Err(AnswerError::Example { faults })
    }
}

impl<T> Answer<T> {
    /// How often the model may try: the refusal of the last try is an error. 3 by default, and at least once.
    #[must_use]
    pub fn max_tries(mut self, tries: usize) -> Self {
        self.settings.max_tries = tries;
        self
    }

    /// Goes on counting where a stored program stopped.
    #[must_use]
    pub fn tried(mut self, tries: usize) -> Self {
        self.settings.tries = tries;
        self
    }

    /// Repairs and coerces nothing: the answer is the whole text, or what stands in the one fence around it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.settings.strict = true;
        self
    }

    /// How the model learns what to answer.
    #[must_use]
    pub fn mode(mut self, mode: AnswerMode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// What the model is told when it is asked again.
    #[must_use]
    pub fn wording(mut self, wording: AnswerWording) -> Self {
        self.settings.wording = wording;
        self
    }

    /// A question to each answer that the type accepts; what it says is a fault of the whole value.
    ///
    /// ```
    /// use prompt_core::Message;
    /// use prompt_agent::answer::{Answer, Ending, Read};
    /// let even = |number: &u32| if number % 2 == 0 { Ok(()) } else { Err("an odd number".to_owned()) };
    /// let mut answer = Answer::<u32>::new().check(even);
    /// assert!(matches!(answer.read_message(&Message::assistant("3"), Ending::Own)?, Read::Again(_)));
    /// assert!(matches!(answer.read_message(&Message::assistant("4"), Ending::Own)?, Read::Accepted(_)));
    /// # Ok::<(), prompt_agent::answer::AnswerError>(())
    /// ```
    #[must_use]
    pub fn check(
        mut self,
        check: impl Fn(&T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Arc::new(check));
        self
    }

    /// Refusals since the last answer that was accepted.
    pub fn tries(&self) -> usize {
        self.settings.tries
    }

    /// The faults of what was read last; none where it fitted or was cut off.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The type as a person would write it, for the prompt.
    pub fn format(&self) -> AnswerFormat {
        AnswerFormat(print::print(&self.kind.shapes).into())
    }

    /// The type as JSON Schema, for the prompt: longer, and for programs rather than models.
    pub fn format_as_schema(&self) -> AnswerFormat {
        let schema = serde_json::to_string_pretty(&self.kind.schema);
        AnswerFormat(schema.unwrap_or_default().into())
    }

    /// What the schema says beyond what is checked: `not`, a `pattern` with look-around, and the like, each with its place.
    pub fn unchecked(&self) -> &[String] {
        &self.kind.shapes.unchecked
    }

    /// What can be said of a text that is still being written. For a stream see [`partial_stream`](Self::partial_stream).
    pub fn partial(&self, text: &str) -> Option<Value> {
        let mut partial = self.partial_stream();
        partial.push(text);
        partial.value()
    }

    /// Reads a stream as far as it has come.
    pub fn partial_stream(&self) -> Partial {
        let is_call = self.settings.mode == AnswerMode::Tool;
        Partial::of(self.wants_list(), is_call)
    }

    /// How the model learns of the answer, and the tool or schema for it; the reason where strict mode cannot say the
    /// type.
    pub(crate) fn asked(&self) -> (AnswerMode, Result<&ToolSpec, &str>, &Value) {
        (
            self.settings.mode,
            self.kind.tool.as_ref().map_err(String::as_str),
            &self.kind.schema,
        )
    }

    /// Whether a list may be the whole answer.
    fn wants_list(&self) -> bool {
        fn is_list(shapes: &Shapes, shape: &Shape) -> bool {
            match &shapes.resolve(shape).what {
                What::List(_) | What::Tuple(_) | What::Any => true,
                What::Either(list) => list.iter().any(|shape| is_list(shapes, shape)),
                _ => false,
            }
        }
        is_list(&self.kind.shapes, &self.kind.shapes.root)
    }
}

impl<T: DeserializeOwned + JsonSchema> Default for Answer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Self {
            settings: self.settings.clone(),
            check: self.check.clone(),
            faults: self.faults.clone(),
            kind: self.kind.clone(),
        }
    }
}

impl<T> fmt::Debug for Answer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl<T> Serialize for Answer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.settings.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned + JsonSchema> Deserialize<'de> for Answer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let settings = Settings::deserialize(deserializer)?;
        Ok(Self {
            settings,
            ..Self::new()
        })
    }
}

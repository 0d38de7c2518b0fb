//! Tools: the specification that a model is offered, its calls, and the results. Prompts and requests carry specifications,
//! replies bring calls, and `Tools` of `prompt-agent` runs them.

#[cfg(feature = "schemars")]
mod derived;
pub mod schema;

use prompt_syntax::Code;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

pub use crate::messages::message::{ToolCall, ToolResult};
pub(crate) use schema::properties;

/// Name of the tool with which a model asks for sections.
pub const OPEN_SECTIONS: &str = "open_sections";

/// How the result of `open_sections` begins where the sections stand in the prompt, not in the result.
pub const NOW_SHOWN: &str = "Now shown in full in the prompt: ";

/// How it goes on, or begins, where what was opened prints nothing.
pub(crate) const NOTHING_SHOWN: &str = "Opened, with nothing in it to show: ";

/// The result of a second call of `open_sections` in one message.
pub(crate) const OPENED_TOGETHER: &str = "Opened together with the first call of this turn.";

/// How the result of `open_sections` begins that opens nothing and names the keys of lists.
pub(crate) const LISTED: &str = "Items are opened one by one: ";

/// Whether a result of `open_sections` is a notice, and no text of a section.
pub(crate) fn is_notice(result: &str) -> bool {
    let begins = |notice: &&str| result.starts_with(*notice);
    let notices = [NOW_SHOWN, NOTHING_SHOWN, LISTED];
    notices.iter().any(begins) || result == OPENED_TOGETHER
}

/// A tool as the model sees it.
///
/// Its name is `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, and its schema is legal in the strict mode of every provider (see
/// [`ToolSpec::new`]) unless it was made by [`ToolSpec::loose`]. What was checked stays so: there is no way to change it
/// afterwards, and reading one from JSON makes the same checks.
///
/// The keys of the schema keep the order in which they were declared, also in requests: models read the properties one after
/// the other, and most fill them in so.
///
/// A copy shares what it says with the original: tools are handed from prompt to request as they are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct ToolSpec {
    said: Arc<Said>,
}

/// What is said of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Said {
    name: String,
    description: String,
    parameters: Value,
    #[serde(skip_serializing_if = "is_true")]
    strict: bool,
    #[serde(flatten)]
    listing: ToolListing,
    #[serde(skip_serializing_if = "is_false")]
    untrusted: bool,
    #[serde(skip)]
    lines: Lines,
    #[serde(skip)]
    full: Full,
}

/// The schema of the type that it was made of, where it says more than the one that is sent. It is no part of what is said.
#[derive(Clone, Debug, Default)]
struct Full(Option<Value>);

impl PartialEq for Full {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// How its parameters read in a list of tools, made once. It follows from the schema, and so is no part of what is said.
#[derive(Clone, Debug, Default)]
struct Lines(OnceLock<Vec<String>>);

impl PartialEq for Lines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Serialize for ToolSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.said.serialize(serializer)
    }
}

/// What a list of tools in a prompt shows of a tool beside its name and description, and where. It is part of no wire format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolListing {
    /// When the model should reach for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<String>,
    /// The group that it is listed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Its rank in the list, higher first. A tool without one comes last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// A specification before the checks.
#[derive(Deserialize)]
struct Unchecked {
    name: String,
    #[serde(default)]
    description: String,
    parameters: Value,
    #[serde(default = "yes")]
    strict: bool,
    #[serde(flatten)]
    listing: ToolListing,
    #[serde(default)]
    untrusted: bool,
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_true(flag: &bool) -> bool {
    *flag
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[cfg(not(feature = "schemars"))]
impl ToolSpec {
    /// A tool from a type; there with the feature `schemars`.
    ///
    /// # Errors
    ///
    /// It never returns.
    pub fn of<T: crate::errors::feature::NeedsSchemars>(
        _: impl Into<String>,
    ) -> Result<Self, ToolSpecError> {
        T::never()
    }

    /// A tool from a type that strict mode has no form for; there with the feature `schemars`.
    ///
    /// # Errors
    ///
    /// It never returns.
    pub fn loose_of<T: crate::errors::feature::NeedsSchemars>(
        _: impl Into<String>,
    ) -> Result<Self, ToolSpecError> {
        T::never()
    }
}

impl ToolSpec {
    /// A tool whose schema is legal by construction.
    pub(crate) fn trusted(name: &str, description: &str, parameters: Value) -> Self {
        let said = Said {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
            strict: true,
            listing: ToolListing::default(),
            untrusted: false,
            lines: Lines::default(),
            full: Full::default(),
        };
        Self {
            said: Arc::new(said),
        }
    }

    /// What is said, to be changed: where others share it they keep what they have.
    fn said(&mut self) -> &mut Said {
        Arc::make_mut(&mut self.said)
    }

    /// A tool with a schema that every provider takes in strict mode.
    ///
    /// The schema may say `type`, `description`, `properties`, `required`, `additionalProperties`, `items`, `enum`,
    /// `const`, `anyOf`, `pattern`, `format` (date-time, time, date, duration, email, hostname, ipv4, ipv6, uuid) and
    /// `minItems` 0 or 1. Its root is an object; every object is closed and lists all its properties as required; an
    /// optional one has the type `["string", "null"]`. Property names are `^[a-zA-Z0-9_.-]{1,64}$`, as Anthropic asks.
    ///
    /// Limits, documented by `OpenAI` for structured outputs: 10 levels of objects, 5000 properties, 1000 enum values,
    /// 15 000 characters in an enum of more than 250 values, 120 000 characters in all names and values.
    ///
    /// ```
    /// use prompt_core::ToolSpec;
    /// use serde_json::json;
    ///
    /// let spec = ToolSpec::new("find", "Finds a file.", json!({
    ///     "type": "object",
    ///     "properties": { "name": { "type": "string" }, "folder": { "type": ["string", "null"] } },
    ///     "required": ["name", "folder"],
    ///     "additionalProperties": false
    /// }))?;
    /// assert_eq!(spec.name(), "find");
    ///
    /// let open = ToolSpec::new("find", "", json!({ "type": "object", "properties": {}, "required": [] }));
    /// assert_eq!(open.unwrap_err().to_string(), "schema at ``: `additionalProperties` must be false");
    /// # Ok::<(), prompt_core::tool::ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::InvalidName`], or [`ToolSpecError::Schema`] with the place of the first violation.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
    ) -> Result<Self, ToolSpecError> {
        let name = legal_name(name.into())?;
        schema::check(&parameters)?;
        Ok(Self::trusted(&name, &description.into(), parameters))
    }

    /// A tool with any schema of an object, such as those of MCP servers and existing catalogues. It is sent without
    /// strict mode, so the model's arguments may not fit it.
    ///
    /// The root must have the type `object` and none of `anyOf`, `oneOf`, `allOf`, `enum`, `not` beside it, which
    /// `OpenAI` and Anthropic refuse there. What a single provider refuses below is found when a request is written.
    ///
    /// ```
    /// use prompt_core::ToolSpec;
    /// use serde_json::json;
    ///
    /// let schema = json!({ "type": "object", "properties": { "depth": { "type": "integer", "minimum": 1 } } });
    /// assert!(ToolSpec::new("walk", "Walks.", schema.clone()).is_err());
    /// assert!(!ToolSpec::loose("walk", "Walks.", schema)?.is_strict());
    /// # Ok::<(), prompt_core::tool::ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::InvalidName`], or [`ToolSpecError::Schema`] with the place.
    pub fn loose(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
    ) -> Result<Self, ToolSpecError> {
        let name = legal_name(name.into())?;
        schema::check_loose(&parameters)?;
        let mut tool = Self::trusted(&name, &description.into(), parameters);
        tool.said().strict = false;
        Ok(tool)
    }

    /// A tool without arguments.
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::InvalidName`].
    pub fn closed(
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Result<Self, ToolSpecError> {
        let nothing = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        Self::new(name, description, nothing)
    }

    /// Says when to use the tool: [`ToolListing::when_to_use`].
    #[must_use]
    pub fn when_to_use(mut self, hint: impl Into<String>) -> Self {
        self.said().listing.when_to_use = Some(hint.into());
        self
    }

    /// Puts the tool into a group: [`ToolListing::category`].
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.said().listing.category = Some(category.into());
        self
    }

    /// Ranks the tool: [`ToolListing::priority`].
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        self.said().listing.priority = Some(priority);
        self
    }

    /// Says that what the tool gives back is somebody else's words, such as a web page or a mail: its
    /// [results](ToolResult::untrusted) are guarded in a conversation. Those of other tools are sent byte for byte, as a coding
    /// agent needs the files that it reads.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.said().untrusted = true;
        self
    }

    /// Whether [`untrusted`](Self::untrusted) was said.
    pub fn is_untrusted(&self) -> bool {
        self.said.untrusted
    }

    /// The name that the model calls.
    pub fn name(&self) -> &str {
        &self.said.name
    }

    /// What it does, for the model.
    pub fn description(&self) -> &str {
        &self.said.description
    }

    /// JSON Schema of the arguments: an object.
    pub fn parameters(&self) -> &Value {
        &self.said.parameters
    }

    /// JSON Schema of the arguments with everything that the type says: [`ToolSpec::of`] has limits such as `minimum` here, which
    /// strict mode does not know. It is what arguments are checked against.
    pub fn full_parameters(&self) -> &Value {
        self.said.full.0.as_ref().unwrap_or(&self.said.parameters)
    }

    /// How its parameters read in a list of tools, as `make` says it of their schema.
    pub(crate) fn lines(&self, make: impl FnOnce(&Value) -> Vec<String>) -> &[String] {
        let Lines(once) = &self.said.lines;
        once.get_or_init(|| make(&self.said.parameters))
    }

    /// Whether the schema is legal in strict mode, and sent so: not for one made by [`ToolSpec::loose`].
    pub fn is_strict(&self) -> bool {
        self.said.strict
    }

    /// What [`when_to_use`](Self::when_to_use), [`category`](Self::category) and [`priority`](Self::priority) said.
    pub fn listing(&self) -> &ToolListing {
        &self.said.listing
    }
}

impl TryFrom<Unchecked> for ToolSpec {
    type Error = ToolSpecError;

    fn try_from(raw: Unchecked) -> Result<Self, ToolSpecError> {
        let build = if raw.strict { Self::new } else { Self::loose };
        let mut checked = build(raw.name, raw.description, raw.parameters)?;
        checked.said().listing = raw.listing;
        checked.said().untrusted = raw.untrusted;
        Ok(checked)
    }
}

fn legal_name(name: String) -> Result<String, ToolSpecError> {
    if ToolSpec::is_name(&name) {
        Ok(name)
    } else {
        Err(ToolSpecError::InvalidName(name))
    }
}

impl ToolSpec {
    /// Longest name of a tool, in bytes.
    pub const LONGEST_NAME: usize = 64;

    /// Whether every provider accepts a tool of this name.
    ///
    /// ```
    /// use prompt_core::ToolSpec;
    ///
    /// assert!(ToolSpec::is_name("read_gauge") && !ToolSpec::is_name("read gauge"));
    /// ```
    pub fn is_name(name: &str) -> bool {
        let head = name
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        head && name.len() <= Self::LONGEST_NAME && name.bytes().all(is_name_byte)
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Why a tool cannot be offered to a model.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolSpecError {
    /// The name is not `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    #[error(
        "`{0}` is no legal tool name: letters, digits, `_` and `-`, not starting with a digit or `-`, at most {longest}",
        longest = ToolSpec::LONGEST_NAME
    )]
    InvalidName(String),
    /// There is a tool of this name already.
    #[error("two tools are named `{0}`; name one of them otherwise")]
    Duplicate(String),
    /// The schema breaks a rule.
    #[error("schema at `{path}`: {reason}")]
    Schema {
        /// JSON pointer to the offending place, such as `/properties/path`; empty for the schema itself.
        path: String,
        /// The rule, in plain words.
        reason: String,
    },
}

impl ToolSpecError {
    /// The stable name of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::InvalidName(_) => Code::InvalidToolName,
            Self::Duplicate(_) => Code::DuplicateTool,
            Self::Schema { .. } => Code::InvalidSchema,
        }
    }
}

crate::errors::debug_as_display!(ToolSpecError);

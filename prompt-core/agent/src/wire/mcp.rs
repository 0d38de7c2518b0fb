//! The Model Context Protocol: a server that offers prompts and tools to a client, which talks to the model.
//!
//! There is no request with messages here. A server answers `prompts/list` with [`prompts_list`], `prompts/get` with
//! [`prompts_get`], `tools/list` with [`tools_list`] and `tools/call` with [`tool_results`]; it reads what was asked
//! with [`tool_calls`]. [`call`] and [`reply`] put the JSON-RPC envelope around.
//!
//! - Messages have only the roles user and assistant, and one block each: system text travels as a user message, and a
//!   message of several pieces becomes several messages.
//! - The arguments of a prompt are strings.
//! - The shape is that of version 2025-11-25; [`McpOptions::stateless`] gives that of 2026-07-28.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::wire::mcp;
//!
//! let options = mcp::McpOptions::new();
//! let result = mcp::prompts_get("Reviews code.", &[Message::system("You review code.")], &options)?;
//! assert_eq!(result["messages"][0]["role"], "user");
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::WireError;
use super::arguments::arguments;
use super::options::RequestOptions;
use super::piece::{Picture, Piece, Says};
use super::reply::{Cursor, beside, check_error, native, present};
use super::turn::{Rules, conversation};
use prompt_core::message::{Content, ImageSource, Message, Role};
use prompt_core::prompt::{PromptNode, Signature};
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::iter;

const FORMAT: &str = "mcp";

/// The version of the protocol, and what its later version wants to be told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct McpOptions {
    /// Whether the version is 2026-07-28, which has no handshake: every request carries `_meta`, every result `resultType`,
    /// lists `ttlMs` and `cacheScope`.
    pub stateless: bool,
    /// Name and version of the client, for the `_meta` of its requests.
    pub client: (String, String),
    /// How long a list stays fresh, in milliseconds; 0 by default.
    pub ttl_ms: u64,
    /// Whether a cached list may be shared between users; it may not by default.
    pub shared: bool,
}

impl Default for McpOptions {
    fn default() -> Self {
        let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        Self {
            stateless: false,
            client: (name.to_owned(), version.to_owned()),
            ttl_ms: 0,
            shared: false,
        }
    }
}

impl McpOptions {
    /// Options for version 2025-11-25.
    pub fn new() -> Self {
        Self::default()
    }

    /// Options for version 2026-07-28.
    pub fn stateless() -> Self {
        Self {
            stateless: true,
            ..Self::default()
        }
    }

    /// Name and version of the client, for the `_meta` of its requests.
    #[must_use]
    pub fn client(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.client = (name.into(), version.into());
        self
    }

    /// The `_meta` of a request.
    fn meta(&self) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": self.client.0, "version": self.client.1 },
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }
}

/// A prompt that a server offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpPrompt {
    /// Identifies the prompt.
    pub name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it needs to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<McpArgument>,
}

/// An argument of a prompt; its value is a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpArgument {
    /// Identifies the argument.
    pub name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
}

impl McpPrompt {
    /// The prompt that a node is: `key` (or the type's name in snake case), `title` and `description` of its container,
    /// and an argument for each field that its texts print, described by the field's doc comment; an `Option` may be left
    /// out.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_agent::wire::mcp::McpPrompt;
    ///
    /// let node = DynamicNode::builder("reviewer").body("Review {code}.").build()?;
    /// let prompt = McpPrompt::of(&node);
    /// assert_eq!((prompt.name.as_str(), prompt.arguments[0].name.as_str()), ("reviewer", "code"));
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn of(node: &(impl PromptNode + ?Sized)) -> Self {
        let Signature {
            name,
            title,
            description,
            values,
            ..
        } = Signature::of(node);
        let arguments = values.into_iter().map(|value| McpArgument {
            name: value.name.to_owned(),
            title: None,
            description: value.description.map(str::to_owned),
            required: !value.optional,
        });
        Self {
            arguments: arguments.collect(),
            name,
            title,
            description,
        }
    }

    /// A prompt without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl McpArgument {
    /// An argument that must be given.
    pub fn required(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            required: true,
            ..Self::default()
        }
    }

    /// An argument that may be left out.
    pub fn optional(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// A tool that a server offers, with the hints of the protocol. What is not said is left out.
///
/// ```
/// use prompt_core::ToolSpec;
/// use prompt_agent::wire::mcp::McpTool;
/// let tool = McpTool::new(ToolSpec::closed("now", "The time.")?).title("Time").read_only(true);
/// assert_eq!(tool.title.as_deref(), Some("Time"));
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct McpTool {
    /// The tool itself.
    pub spec: ToolSpec,
    /// The name for people.
    pub title: Option<String>,
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it twice is like calling it once.
    pub idempotent: Option<bool>,
    /// It reaches out of the program, as a web search does.
    pub open_world: Option<bool>,
}

impl McpTool {
    /// A tool without title and hints.
    pub fn new(spec: ToolSpec) -> Self {
        Self {
            spec,
            title: None,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.read_only = Some(hint);
        self
    }

    fn to_json(&self) -> Value {
        let annotations = present(json!({
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }));
        present(json!({
            "name": self.spec.name(),
            "title": self.title,
            "description": self.spec.description(),
            "inputSchema": self.spec.parameters(),
            "annotations": Some(annotations).filter(|hints| *hints != json!({})),
        }))
    }
}

impl From<ToolSpec> for McpTool {
    fn from(spec: ToolSpec) -> Self {
        Self::new(spec)
    }
}

/// A JSON-RPC request of a client, such as `call(1, "tools/list", None, &options)`.
pub fn call(
    id: impl Into<Value>,
    method: &str,
    params: Option<Map<String, Value>>,
    options: &McpOptions,
) -> Value {
    let mut params = params;
    if options.stateless {
        let params = params.get_or_insert_default();
        params.insert("_meta".into(), options.meta());
    }
    let mut request = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    request = present(request);
    request["id"] = id.into();
    request
}

/// The JSON-RPC answer of a server to the request with this id.
pub fn reply(id: impl Into<Value>, result: Value) -> Value {
    let mut reply = json!({ "jsonrpc": "2.0", "id": id.into() });
    reply["result"] = result;
    reply
}

/// The result of `prompts/list`.
pub fn prompts_list(prompts: &[McpPrompt], options: &McpOptions) -> Value {
    list("prompts", json!(prompts), options)
}

/// The result of `tools/list`.
pub fn tools_list(tools: &[McpTool], options: &McpOptions) -> Value {
    let tools = tools.iter().map(McpTool::to_json).collect();
    list("tools", tools, options)
}

/// The result of `prompts/get`: what the prompt is for, and its messages. An empty description is left out.
///
/// # Errors
///
/// [`WireError`], naming the message that the format cannot express, such as one with tool calls.
pub fn prompts_get(
    description: &str,
    messages: &[Message],
    options: &McpOptions,
) -> Result<Value, WireError> {
    let rules = Rules::new(FORMAT, &RequestOptions::default());
    let mut written = Vec::with_capacity(messages.len());
    let turns = match messages {
        [] => Vec::new(),
        messages => conversation(messages, &rules)?,
    };
    for turn in &turns {
        let is_model = turn.role == Role::Assistant;
        let role = if is_model { "assistant" } else { "user" };
        for piece in &turn.pieces {
            let block = piece.complete(block(piece, &rules)?);
            written.push(json!({ "role": role, "content": block }));
        }
    }
    let description = Some(description).filter(|text| !text.is_empty());
    let result = json!({ "messages": written, "description": description });
    Ok(complete(present(result), options))
}

/// The results of `tools/call`, one per call. A tool that failed answers with `isError`, so that the model sees why.
pub fn tool_results(results: &[ToolResult], options: &McpOptions) -> Vec<Value> {
    let answer = |result: &ToolResult| {
        let content = json!([{ "type": "text", "text": result.content }]);
        complete(
            json!({ "content": content, "isError": result.is_error }),
            options,
        )
    };
    results.iter().map(answer).collect()
}

fn list(key: &str, items: Value, options: &McpOptions) -> Value {
    let mut result = json!({});
    result[key] = items;
    if options.stateless {
        result["ttlMs"] = options.ttl_ms.into();
        result["cacheScope"] = if options.shared { "public" } else { "private" }.into();
    }
    complete(result, options)
}

/// From 2026-07-28 on a result says that it is one.
fn complete(mut result: Value, options: &McpOptions) -> Value {
    if options.stateless {
        result["resultType"] = "complete".into();
    }
    result
}

fn block(piece: &Piece<'_>, rules: &Rules) -> Result<Value, WireError> {
    Ok(match piece.says() {
        Says::Text(text) => json!({ "type": "text", "text": text }),
        Says::Image(mime, Picture::Bytes(data)) => {
            json!({ "type": "image", "data": data, "mimeType": mime })
        }
        Says::Image(..) => {
            return Err(rules.unsupported(piece.message, "an image by its address; send its bytes"));
        }
        Says::Resource(uri, mime, text) => {
            let resource = json!({ "uri": uri, "text": text, "mimeType": mime });
            json!({ "type": "resource", "resource": present(resource) })
        }
        Says::Native(value) => value.clone(),
        _ => return Err(rules.refuse(piece)),
    })
}

/// The call in a `tools/call` request. Its id is that of the JSON-RPC request, as text.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON.
pub fn tool_calls(request: &Value) -> Result<Vec<ToolCall>, WireError> {
    let root = Cursor::new(request);
    let params = root.need("params", "the parameters")?;
    let id = root.need("id", "a request id")?.value;
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let arguments = arguments(params.value.get("arguments"));
    Ok(vec![ToolCall::new(id, params.text("name")?, arguments)])
}

/// The messages of a `prompts/get` result (with or without its envelope), of a list of messages or of a single one.
/// System text comes back as the user message it was sent as.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON; [`WireError::Api`] for the error of a server.
pub fn messages(json: &Value) -> Result<Vec<Message>, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    if root.get("role").is_some() {
        return Ok(vec![read_message(&root)?]);
    }
    let list = if json.is_array() {
        root
    } else {
        root.get("result")
            .unwrap_or(root)
            .need("messages", "a list of messages")?
    };
    let messages = list.messages()?;
    messages.map(|message| read_message(&message)).collect()
}

fn read_message(message: &Cursor<'_>) -> Result<Message, WireError> {
    let role = match message.text("role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => {
            let role = message.need("role", "a role")?;
            return Err(role.expected("user or assistant"));
        }
    };
    let content = read_block(&message.need("content", "a block")?)?;
    Ok(Message {
        role,
        content,
        cache: None,
    })
}

/// A block, and the fields beside what is known of it. A resource of bytes is kept as it is.
fn read_block(block: &Cursor<'_>) -> Result<Vec<Content>, WireError> {
    let resource = block.get("resource");
    let resource = resource.filter(|resource| resource.get("text").is_some());
    let (piece, known): (_, &[&str]) = match (block.text("type")?, resource) {
        ("text", _) => (Content::text(block.text("text")?), &["/type", "/text"]),
        ("image", _) => {
            let mime = block.text("mimeType")?.to_owned();
            let source = ImageSource::Data(block.text("data")?.to_owned());
            let known = &["/type", "/mimeType", "/data"];
            (Content::Image { mime, source }, known)
        }
        ("resource", Some(resource)) => {
            let resource = Content::Resource {
                uri: resource.text("uri")?.to_owned(),
                mime: resource.text_if_any("mimeType")?.map(str::to_owned),
                text: resource.text("text")?.to_owned(),
            };
            let known = &[
                "/type",
                "/resource/uri",
                "/resource/mimeType",
                "/resource/text",
            ];
            (resource, known)
        }
        _ => return Ok(vec![native(FORMAT, block.value.clone())]),
    };
    let beside = beside(FORMAT, block.value, known);
    Ok(iter::once(piece).chain(beside).collect())
}

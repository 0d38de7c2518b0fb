//! One door to all formats: the provider as a value, which calls the functions of its module.

use super::WireError;
use super::options::RequestOptions;
use super::piece::{LeftOut, left_out};
use super::reply::Reply;
use super::stream::{Assemble, StreamReader};
use prompt_core::Code;
use prompt_core::diagnostics::UnknownName;
use prompt_core::message::Message;
use prompt_core::tool::{ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A provider's format. Each is there with the feature of its name, such as `anthropic`: where a variant is not found, that
/// feature is missing in `Cargo.toml`.
///
/// ```
/// use prompt_agent::wire::Provider;
/// for provider in Provider::ALL {
///     assert_eq!(provider.to_string().parse(), Ok(*provider));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Provider {
    /// `OpenAI`'s Chat Completions, and the many servers that speak it. Needs the feature `openai`.
    #[cfg(feature = "openai")]
    #[serde(rename = "openai_chat")]
    OpenAiChat,
    /// `OpenAI`'s Responses. Needs the feature `openai`.
    #[cfg(feature = "openai")]
    #[serde(rename = "openai_responses")]
    OpenAiResponses,
    /// Anthropic's Messages. Needs the feature `anthropic`.
    #[cfg(feature = "anthropic")]
    Anthropic,
    /// Google's Gemini. Needs the feature `gemini`.
    #[cfg(feature = "gemini")]
    Gemini,
    /// Ollama's chat. Needs the feature `ollama`.
    #[cfg(feature = "ollama")]
    Ollama,
}

type Request = fn(&[Message], &[ToolSpec], &RequestOptions) -> Result<Value, WireError>;

/// What the module of a format gives.
struct Module {
    name: &'static str,
    request: Request,
    reply: fn(&Value) -> Result<Reply, WireError>,
    assembly: fn() -> Box<dyn Assemble>,
    tool_results: fn(&[ToolResult]) -> Vec<Value>,
}

#[allow(unused_macros, reason = "without a format there is none to name")]
macro_rules! module {
    ($format:ident) => {
        Module {
            name: stringify!($format),
            request: super::$format::request,
            reply: super::$format::reply,
            assembly: || Box::<super::$format::Assembly>::default(),
            tool_results: super::$format::tool_results,
        }
    };
}

impl Provider {
    /// Those whose feature is on.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "openai")]
        Self::OpenAiChat,
        #[cfg(feature = "openai")]
        Self::OpenAiResponses,
        #[cfg(feature = "anthropic")]
        Self::Anthropic,
        #[cfg(feature = "gemini")]
        Self::Gemini,
        #[cfg(feature = "ollama")]
        Self::Ollama,
    ];

    const fn module(self) -> Module {
        match self {
            #[cfg(feature = "openai")]
            Self::OpenAiChat => module!(openai_chat),
            #[cfg(feature = "openai")]
            Self::OpenAiResponses => module!(openai_responses),
            #[cfg(feature = "anthropic")]
            Self::Anthropic => module!(anthropic),
            #[cfg(feature = "gemini")]
            Self::Gemini => module!(gemini),
            #[cfg(feature = "ollama")]
            Self::Ollama => module!(ollama),
        }
    }

    /// The name of its module, such as `openai_chat`.
    pub const fn as_str(self) -> &'static str {
        self.module().name
    }

    /// The body of a request.
    ///
    /// # Errors
    ///
    /// [`WireError`], naming the message or the tool that the format cannot express.
    pub fn request(
        self,
        messages: &[Message],
        tools: &[ToolSpec],
        options: &RequestOptions,
    ) -> Result<Value, WireError> {
        (self.module().request)(messages, tools, options)
    }

    /// Reads a whole reply.
    ///
    /// # Errors
    ///
    /// [`WireError::Api`] for an error body, [`WireError::Shape`] for what is no reply.
    pub fn reply(self, json: &Value) -> Result<Reply, WireError> {
        (self.module().reply)(json)
    }

    /// Reads what came back over HTTP: the status, the headers as pairs of names and values (such as `response.headers()` of
    /// `reqwest` or `ureq`), and the body, a whole answer or all of a stream.
    ///
    /// What is no answer is an error that says [whether](WireError::is_transient) and [when](WireError::retry_after) to try
    /// again: the page of a gateway and an empty 503 as well as what the provider says of itself. With the status 200, a
    /// body that is no JSON is worth another try, too: something stood between.
    ///
    /// ```
    /// # #[cfg(feature = "openai")] {
    /// use prompt_agent::wire::Provider;
    /// use std::time::Duration;
    ///
    /// // let response = client.post(url).json(&body).send().await?;
    /// // let (status, headers) = (response.status().as_u16(), response.headers().clone());
    /// let (status, headers) = (429, [("retry-after", "20")]);
    /// let body = br#"{ "error": { "code": "429", "message": "Rate limit is exceeded." } }"#;
    ///
    /// let error = Provider::OpenAiChat.read(status, headers, body).unwrap_err();
    /// assert!(error.is_transient());
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(20)));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`WireError::Api`] for what the server says of its error, [`WireError::NoReply`] for what is no JSON,
    /// [`WireError::Unfinished`] for what breaks off, [`WireError::Shape`] for JSON that is no reply.
    pub fn read<K: AsRef<str>, V: AsRef<[u8]>>(
        self,
        status: u16,
        headers: impl IntoIterator<Item = (K, V)>,
        body: &[u8],
    ) -> Result<Reply, WireError> {
        let mut reader = self.stream().response(status, headers);
        // What is wrong with it, the end says again.
        drop(reader.push_bytes(body));
        reader.finish()
    }

    /// A reader for a reply that comes piece by piece.
    pub fn stream(self) -> StreamReader {
        StreamReader::over((self.module().assembly)())
    }

    /// What a request to this provider leaves out of the messages, because only another one understands it: thoughts,
    /// signatures, native pieces and fields. So a conversation can change its provider at any time.
    ///
    /// ```
    /// # #[cfg(feature = "anthropic")] {
    /// use prompt_agent::wire::Provider;
    /// use prompt_core::{Content, Message};
    /// let mut answer = Message::assistant("42");
    /// answer.content.insert(0, Content::Thought { text: "six times seven".into() });
    /// let left_out = Provider::Anthropic.left_out(&[answer]);
    /// assert_eq!((left_out[0].message, left_out[0].what), (0, "a thought"));
    /// # }
    /// ```
    pub fn left_out(self, messages: &[Message]) -> Vec<LeftOut> {
        left_out(messages, self.as_str())
    }

    /// What answers tool calls: messages, or items, for the list of the next request.
    pub fn tool_results(self, results: &[ToolResult]) -> Vec<Value> {
        (self.module().tool_results)(results)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Reads the name of a provider's module.
impl FromStr for Provider {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|provider| provider.as_str() == name);
        found.ok_or_else(|| {
            let fact = format!("`{name}` is no provider whose feature is on");
            UnknownName::new(
                Code::UnknownProvider,
                fact,
                name,
                Self::ALL.iter().map(|it| it.as_str()),
            )
        })
    }
}

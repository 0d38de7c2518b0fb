//! An agent on any server that speaks `OpenAI`'s Chat Completions, with the client crate `async-openai`.
//!
//! The conversation is a list of [`Message`]s. Each turn goes out as `wire::openai_chat` writes it, the answer is
//! gathered while it streams, and calls go to the caller's function; that repeats until the model answers with text
//! alone. A turn enters the conversation only when it is complete, so after an error the agent can simply be asked to
//! go on.

mod error;

pub use error::LiveError;

use async_openai::config::OpenAIConfig;
use async_openai::middleware::ReqwestService;
use futures::StreamExt;
use prompt_core::Message;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::answer::{Answer, Read};
use prompt_core::wire::openai_chat;
use prompt_core::wire::{Delta, Reply, StopReason, WireError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// Where the agent connects to, and how patient it is.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address before `/chat/completions`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The key, for servers that want one.
    pub api_key: Option<String>,
    /// How often a failed turn is tried again. 0: an error is an error.
    pub retries: u32,
    /// The pause before the first retry; it doubles each time.
    pub retry_pause: Duration,
    /// How long the server may stay silent.
    pub silence: Duration,
    /// How many turns with tool calls the model may take for one answer.
    pub rounds: u32,
    /// Whether the answer comes piece by piece, or whole.
    pub stream: bool,
}

impl Settings {
    /// Settings for a server: no key, no retries, a minute of silence, 10 rounds, streamed.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            retries: 0,
            retry_pause: Duration::from_millis(500),
            silence: Duration::from_secs(60),
            rounds: 10,
            stream: true,
        }
    }
}

/// What happens while the agent works.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The next piece of the answer.
    Text(&'a str),
    /// The model calls a tool.
    Call(&'a ToolCall),
    /// The tool has answered.
    Result(&'a ToolResult),
    /// The turn failed and is tried again; text shown for it so far does not count.
    Retry(&'a LiveError),
}

/// A conversation with a model.
pub struct Agent {
    client: async_openai::Client<OpenAIConfig>,
    settings: Settings,
    options: openai_chat::Options,
    tools: Vec<ToolSpec>,
    messages: Vec<Message>,
}

impl Agent {
    /// An agent that has said nothing yet.
    ///
    /// # Errors
    ///
    /// [`LiveError::Connection`] if the HTTP client cannot be set up.
    pub fn new(
        settings: Settings,
        options: openai_chat::Options,
        tools: Vec<ToolSpec>,
        messages: Vec<Message>,
    ) -> Result<Self, LiveError> {
        let mut http = reqwest::Client::builder()
            .read_timeout(settings.silence)
            .connect_timeout(settings.silence);
        if is_local(&settings.base_url) {
            http = http.no_proxy();
        }
        let http = http
            .build()
            .map_err(|error| LiveError::Connection(error.to_string()))?;
        let config = OpenAIConfig::new()
            .with_api_base(settings.base_url.trim_end_matches('/'))
            .with_api_key(settings.api_key.as_deref().unwrap_or_default());
        // The plain service: the client would retry by itself, unasked and unseen.
        let service = ReqwestService::new(http.clone());
        let client = async_openai::Client::build(http, config).with_http_service(service);
        Ok(Self {
            client,
            options: options.stream(settings.stream),
            settings,
            tools,
            messages,
        })
    }

    /// The conversation so far: complete turns only.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Adds a message, such as the next question.
    pub fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The body of the next request.
    ///
    /// # Errors
    ///
    /// [`WireError`], naming the message that the format cannot express.
    pub fn body(&self) -> Result<Value, WireError> {
        openai_chat::request(&self.messages, &self.tools, &self.options)
    }

    /// Lets the model answer. Its calls are answered by `answer_calls`, one result for each.
    ///
    /// # Errors
    ///
    /// [`LiveError`]. The conversation keeps all turns that were completed; calling this again goes on from there.
    pub async fn run(
        &mut self,
        mut answer_calls: impl FnMut(&[ToolCall]) -> Vec<ToolResult>,
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<String, LiveError> {
        for _ in 0..self.settings.rounds {
            let answer = self.turn(true, &mut on_event).await?.message;
            let text = answer.text();
            if !self.answered(answer, &mut answer_calls, &mut on_event) {
                return Ok(text);
            }
        }
        Err(LiveError::Rounds(self.settings.rounds))
    }

    /// Lets the model answer as a type: what does not fit, or is cut off, is asked for again, as often as `answer` allows.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run); [`LiveError::Answer`] when the model has had its tries.
    pub async fn run_typed<T: DeserializeOwned + JsonSchema>(
        &mut self,
        answer: &mut Answer<T>,
        mut answer_calls: impl FnMut(&[ToolCall]) -> Vec<ToolResult>,
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<T, LiveError> {
        for _ in 0..self.settings.rounds {
            let reply = self.turn(false, &mut on_event).await?;
            if self.answered(reply.message.clone(), &mut answer_calls, &mut on_event) {
                continue;
            }
            match answer.read(&reply).map_err(LiveError::Answer)? {
                Read::Accepted(accepted) => {
                    self.messages.extend(accepted.results().cloned());
                    return Ok(accepted.into_value());
                }
                Read::Again(message) | Read::CutOff(message) => self.messages.push(message),
            }
        }
        Err(LiveError::Rounds(self.settings.rounds))
    }

    /// Adds a turn to the conversation, and the results of its calls; whether it made any.
    fn answered(
        &mut self,
        turn: Message,
        answer_calls: &mut impl FnMut(&[ToolCall]) -> Vec<ToolResult>,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> bool {
        let calls: Vec<ToolCall> = turn.tool_calls().collect();
        self.messages.push(turn);
        if calls.is_empty() {
            return false;
        }
        for call in &calls {
            on_event(Event::Call(call));
        }
        let results = answer_calls(&calls);
        for result in &results {
            on_event(Event::Result(result));
        }
        self.messages.push(Message::tool(results));
        true
    }

    /// One answer of the model, tried as often as the settings allow. A `whole` one is not stopped by its length.
    async fn turn(
        &self,
        whole: bool,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let body = self.body().map_err(LiveError::Request)?;
        let mut pause = self.settings.retry_pause;
        for _ in 0..self.settings.retries {
            match self.attempt(&body, whole, on_event).await {
                Err(error) if error.is_passing() => on_event(Event::Retry(&error)),
                outcome => return outcome,
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2);
        }
        self.attempt(&body, whole, on_event).await
    }

    async fn attempt(
        &self,
        body: &Value,
        whole: bool,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let reply = if self.settings.stream {
            self.streamed(body, on_event).await?
        } else {
            let answer: Value = self.client.chat().create_byot(body).await?;
            let reply = openai_chat::reply(&answer).map_err(LiveError::of_answer)?;
            on_event(Event::Text(&reply.message.text()));
            reply
        };
        match reply.stop {
            StopReason::Length if whole => Err(LiveError::Cut {
                partial: reply.message.text(),
                reason: "the limit of the answer is reached".into(),
            }),
            StopReason::Filtered => Err(LiveError::Filtered {
                partial: reply.message.text(),
                reason: reply.refusal.unwrap_or_default(),
            }),
            _ => Ok(reply),
        }
    }

    async fn streamed(
        &self,
        body: &Value,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let mut reader = openai_chat::StreamReader::new();
        let (mut begun, mut text) = (false, String::new());
        let chat = self.client.chat();
        let mut stream = chat.create_stream_byot::<_, Value>(body).await?;
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|error| LiveError::in_stream(error, &text))?;
            for delta in reader.push(&chunk).map_err(LiveError::of_answer)? {
                if let Delta::Text(piece) = delta {
                    text.push_str(&piece);
                    on_event(Event::Text(&piece));
                }
            }
            begun |= chunk.get("choices").is_some();
        }
        match reader.finish() {
            Err(error @ WireError::Unfinished) if begun => Err(LiveError::Cut {
                partial: text,
                reason: error.to_string(),
            }),
            Err(WireError::Unfinished) => Err(LiveError::Malformed(
                "the reply holds no event of a stream".into(),
            )),
            finished => finished.map_err(LiveError::Reply),
        }
    }
}

/// A server on this machine is reached directly, whatever proxy the environment names.
fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| host.starts_with(local))
}

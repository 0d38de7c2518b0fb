//! A client for any server that speaks `OpenAI`'s Chat Completions, with the crate `async-openai`: a body goes out, and a whole
//! [`Reply`] comes back, gathered while it streams where the body asks for a stream. After an error the same body can
//! simply be sent again: nothing has entered the conversation.

mod error;

pub use error::LiveError;

use async_openai::config::OpenAIConfig;
use async_openai::middleware::ReqwestService;
use futures::StreamExt;
use prompt_core::wire::openai_chat;
use prompt_core::wire::{Delta, Reply, StopReason, WireError};
use serde_json::Value;
use std::time::Duration;

/// Where the client connects to, and how patient it is.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address before `/chat/completions`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The key, for servers that want one.
    pub api_key: Option<String>,
    /// How often a failed request is tried again. 0: an error is an error.
    pub retries: u32,
    /// The pause before the first retry; it doubles each time.
    pub retry_pause: Duration,
    /// How long the server may stay silent.
    pub silence: Duration,
}

impl Settings {
    /// Settings for a server: no key, no retries, a minute of silence.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            retries: 0,
            retry_pause: Duration::from_millis(500),
            silence: Duration::from_secs(60),
        }
    }
}

/// What happens while the model answers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The next piece of the answer.
    Text(&'a str),
    /// The request failed and is tried again; text shown for it so far does not count.
    Retry(&'a LiveError),
}

/// A connection to a server.
pub struct Client {
    client: async_openai::Client<OpenAIConfig>,
    settings: Settings,
}

impl Client {
    /// A client that has asked nothing yet.
    ///
    /// # Errors
    ///
    /// [`LiveError::Connection`] if the HTTP client cannot be set up.
    pub fn new(settings: Settings) -> Result<Self, LiveError> {
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
        Ok(Self { client, settings })
    }

    /// One reply of the model, tried as often as the settings allow.
    ///
    /// # Errors
    ///
    /// [`LiveError`].
    pub async fn ask(
        &self,
        body: &Value,
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let mut pause = self.settings.retry_pause;
        for _ in 0..self.settings.retries {
            match self.attempt(body, &mut on_event).await {
                Err(error) if error.is_passing() => on_event(Event::Retry(&error)),
                outcome => return outcome,
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2);
        }
        self.attempt(body, &mut on_event).await
    }

    async fn attempt(
        &self,
        body: &Value,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let reply = if body["stream"] == true {
            self.streamed(body, on_event).await?
        } else {
            let answer: Value = self.client.chat().create_byot(body).await?;
            let reply = openai_chat::reply(&answer).map_err(LiveError::of_answer)?;
            on_event(Event::Text(&reply.message.text()));
            reply
        };
        match reply.stop {
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

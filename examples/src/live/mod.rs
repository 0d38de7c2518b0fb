//! A client for any server that speaks `OpenAI`'s Chat Completions, with the HTTP crate `reqwest`: a body goes out, and a whole
//! [`Reply`] comes back, gathered while it streams where the body asks for a stream. After an error the same body can
//! simply be sent again: nothing has entered the conversation.

mod error;

pub use error::LiveError;

use prompt_agent::wire::{Delta, Provider, Reply, StopReason};
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
    /// The pause before the first retry, where the server names none; it doubles each time.
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
    http: reqwest::Client,
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
        let http = http.build()?;
        Ok(Self { http, settings })
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
            let wait = match self.attempt(body, &mut on_event).await {
                Err(error) if error.is_passing() => {
                    on_event(Event::Retry(&error));
                    error.retry_after().unwrap_or(pause)
                }
                outcome => return outcome,
            };
            tokio::time::sleep(wait).await;
            pause = pause.saturating_mul(2);
        }
        self.attempt(body, &mut on_event).await
    }

    async fn attempt(
        &self,
        body: &Value,
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<Reply, LiveError> {
        let base = self.settings.base_url.trim_end_matches('/');
        let mut request = self.http.post(format!("{base}/chat/completions"));
        if let Some(key) = &self.settings.api_key {
            request = request.bearer_auth(key);
        }
        let mut response = request.json(body).send().await?;
        let mut reader = Provider::OpenAiChat
            .stream()
            .response(response.status().as_u16(), response.headers());
        while let Some(bytes) = response.chunk().await? {
            for delta in reader.push_bytes(&bytes)? {
                if let Delta::Text(piece) = delta {
                    on_event(Event::Text(&piece));
                }
            }
        }
        let reply = reader.finish()?;
        match reply.stop {
            StopReason::Filtered => Err(LiveError::Filtered {
                partial: reply.message.text(),
                reason: reply.refusal.unwrap_or_default(),
            }),
            _ => Ok(reply),
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

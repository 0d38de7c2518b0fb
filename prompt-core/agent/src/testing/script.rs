//! The script: what the model does, request by request.

use super::formats::{self, Answer, Sent};
use super::response::Response;
use crate::wire::{Provider, StopReason, WireError};
use prompt_core::message::{Content, Message, Role};
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use prompt_core::tool::{OPEN_SECTIONS, ToolCall};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

/// A model that plays what was written beforehand: one step for each request. See the [module](super).
///
/// [`says`](Self::says), [`calls`](Self::calls), [`opens`](Self::opens), [`fails`](Self::fails) and
/// [`limited`](Self::limited) each write the next step; what begins with `and_` adds to the last one. Calls are numbered
/// through the whole script (`call_1`, `call_2`, ..), where the format has ids. When the steps have run out, every further
/// request gets an error that says so.
#[derive(Clone, Debug, Default)]
pub struct Script {
    steps: VecDeque<Step>,
    requests: Vec<Value>,
    calls: usize,
}

/// What becomes of one request.
#[derive(Clone, Debug)]
enum Step {
    Answer(Answer),
    Failure {
        status: u16,
        retry_after: Option<Duration>,
        message: String,
    },
}

impl Script {
    /// A script without a step.
    pub fn new() -> Self {
        Self::default()
    }

    /// The model answers with this text.
    #[must_use]
    pub fn says(self, text: impl Into<String>) -> Self {
        self.answer_with(Answer {
            text: text.into(),
            ..Answer::default()
        })
    }

    /// The model calls this tool; it need not exist. Arguments that are a string instead of an object are sent as they
    /// stand: as the broken JSON of a model.
    #[must_use]
    pub fn calls(self, name: impl Into<String>, arguments: impl Into<Value>) -> Self {
        self.answer_with(Answer::default())
            .and_calls(name, arguments)
    }

    /// The model calls `open_sections` with these keys.
    #[must_use]
    pub fn opens<K: Into<String>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        self.answer_with(Answer::default()).and_opens(keys)
    }

    /// In the same message the model also calls this tool.
    #[must_use]
    pub fn and_calls(mut self, name: impl Into<String>, arguments: impl Into<Value>) -> Self {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let call = ToolCall::new(id, name, arguments.into());
        self.change(|answer| answer.calls.push(call))
    }

    /// In the same message the model also calls `open_sections`.
    #[must_use]
    pub fn and_opens<K: Into<String>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        let keys: Vec<String> = keys.into_iter().map(Into::into).collect();
        let arguments = json!({ "section_keys": keys, "reason": "to answer the question" });
        self.and_calls(OPEN_SECTIONS, arguments)
    }

    /// The model stops for this reason: by [`Length`](StopReason::Length) in mid-sentence, by a filter. Without it an answer
    /// with calls waits for their results, any other is at its end.
    #[must_use]
    pub fn and_stops(self, reason: StopReason) -> Self {
        self.change(|answer| answer.stop = Some(reason))
    }

    /// The connection is cut in the middle of the answer.
    #[must_use]
    pub fn and_hangs_up(self) -> Self {
        self.change(|answer| answer.is_cut = true)
    }

    /// The server answers with this status and an error body.
    #[must_use]
    pub fn fails(self, status: u16, message: impl Into<String>) -> Self {
        self.then(Step::Failure {
            status,
            retry_after: None,
            message: message.into(),
        })
    }

    /// The server answers with status 429 and asks to come back later, by the header `retry-after` (whole seconds).
    #[must_use]
    pub fn limited(self, retry_after: Duration) -> Self {
        self.then(Step::Failure {
            status: 429,
            retry_after: Some(Duration::from_secs(retry_after.as_secs())),
            message: "Too many requests.".to_owned(),
        })
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push_back(step);
        self
    }

    fn answer_with(self, answer: Answer) -> Self {
        self.then(Step::Answer(answer))
    }

    /// Changes the last answer; a failure, or the beginning, is followed by a new one.
    fn change(mut self, change: impl FnOnce(&mut Answer)) -> Self {
        if let Some(Step::Answer(answer)) = self.steps.back_mut() {
            change(answer);
            return self;
        }
        let mut answer = Answer::default();
        change(&mut answer);
        self.answer_with(answer)
    }

    /// The bodies of the requests so far.
    pub fn requests(&self) -> &[Value] {
        &self.requests
    }

    /// Steps that were not asked for yet.
    pub fn left(&self) -> usize {
        self.steps.len()
    }

    /// The next step as the body of a whole answer; a failure as the error's body, a connection that is cut as null.
    pub fn reply(&mut self, provider: Provider, request: &Value) -> Value {
        match self.next(request) {
            Step::Failure {
                status, message, ..
            } => formats::error(provider, status, &message),
            Step::Answer(answer) if answer.is_cut => Value::Null,
            Step::Answer(answer) => formats::whole(provider, &self.sent(&answer, request)),
        }
    }

    /// The next step over HTTP: as a stream where the request asks for one by its field `stream`, whole elsewhere.
    pub fn respond(&mut self, provider: Provider, request: &Value) -> Response {
        let streams = request.get("stream") == Some(&Value::Bool(true));
        self.next_response(provider, request, streams)
    }

    /// The next step over HTTP, as a stream: for Gemini, which has another address for it.
    pub fn stream(&mut self, provider: Provider, request: &Value) -> Response {
        self.next_response(provider, request, true)
    }

    /// The next step as a message, for programs without a wire format.
    ///
    /// # Errors
    ///
    /// [`WireError::Api`] for a failure and at the end of the script, [`WireError::Unfinished`] for a connection that is
    /// cut.
    pub fn message(&mut self) -> Result<Message, WireError> {
        match self.next(&Value::Null) {
            Step::Failure {
                status,
                message,
                retry_after,
            } => Err(WireError::Api {
                status: Some(status),
                code: None,
                message,
                retry_after,
            }),
            Step::Answer(answer) if answer.is_cut => Err(WireError::Unfinished),
            Step::Answer(answer) => {
                let text = Some(answer.text).filter(|text| !text.is_empty());
                let calls = answer.calls.into_iter().map(Content::from);
                Ok(Message {
                    role: Role::Assistant,
                    content: text.map(Content::from).into_iter().chain(calls).collect(),
                    cache: None,
                })
            }
        }
    }

    fn next(&mut self, request: &Value) -> Step {
        self.requests.push(request.clone());
        let count = self.requests.len();
        self.steps.pop_front().unwrap_or_else(|| Step::Failure {
            status: 500,
            retry_after: None,
            message: format!("The script is at its end: it has no answer to request {count}."),
        })
    }

    fn sent<'s>(&self, answer: &'s Answer, request: &'s Value) -> Sent<'s> {
        let model = request.get("model").and_then(Value::as_str);
        let count = |text: &str| EstimatedTokens::default().count(text);
        Sent {
            answer,
            number: self.requests.len(),
            model: model.unwrap_or("scripted"),
            input: count(&request.to_string()),
            output: count(&answer.text),
        }
    }

    fn next_response(&mut self, provider: Provider, request: &Value, streams: bool) -> Response {
        let mut response = Response {
            status: 200,
            retry_after: None,
            content_type: "application/json",
            body: Vec::new(),
            is_cut: false,
        };
        match self.next(request) {
            Step::Failure {
                status,
                retry_after,
                message,
            } => {
                let body = formats::error(provider, status, &message).to_string();
                (response.status, response.retry_after) = (status, retry_after);
                response.body = body.into_bytes();
            }
            Step::Answer(answer) => {
                let sent = self.sent(&answer, request);
                response.body = if streams {
                    response.content_type = formats::stream_type(provider);
                    formats::stream(provider, &sent).into_bytes()
                } else {
                    formats::whole(provider, &sent).to_string().into_bytes()
                };
                response.is_cut = answer.is_cut;
                if answer.is_cut {
                    response.body.truncate(response.body.len() / 2);
                }
            }
        }
        response
    }
}

//! What can be said of an answer that is still being written, for a user interface: the reader of whole answers reads what has
//! come, and keeps what it has where that ends.

use super::Accepted;
use super::json::Json;
use super::read::{Reader, Stop, is_blank};
use super::reasoning::{self, Start};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A stream of text in which a value is being written.
///
/// [`push`](Self::push) costs what it is given; [`value`](Self::value) reads what has come. [`show`](Self::show) does both for the
/// deltas of a stream, and tells what a person is to see.
///
/// A string that is still being written is given as it is; a number, a key or an escape that may go on is held back. Of reasoning nothing is shown. Every value shown is a prefix of the final one, where the answer is JSON: with prose
/// before it, as soon as the first bracket belongs to it, and with a draft that only a closing tag of reasoning ends, behind
/// that tag.
///
/// ```
/// use prompt_agent::answer::Partial;
/// use serde_json::json;
///
/// let mut partial = Partial::new();
/// partial.push("Here: {\"name\": \"Nor");
/// assert_eq!(partial.value(), Some(json!({ "name": "Nor" })));
/// partial.push("th\", \"number\": 1");
/// assert_eq!(partial.value(), Some(json!({ "name": "North" })));
/// partial.push("2}");
/// assert_eq!(partial.value(), Some(json!({ "name": "North", "number": 12 })));
/// ```
#[derive(Clone, Debug)]
pub struct Partial {
    text: String,
    /// Whether a list may be the answer.
    lists: bool,
    /// What a person sees.
    shown: Option<Value>,
    /// Whether the answer may be the call of a tool, and which one is.
    may_be_call: bool,
    call: Option<usize>,
}

/// What a person is to see of an answer that is being written: an event for wherever it is shown.
///
/// ```
/// use prompt_agent::answer::Shown;
///
/// let event = serde_json::to_string(&Shown::Value(serde_json::json!({ "reply": "It is" })))?;
/// assert_eq!(event, r#"{"value":{"reply":"It is"}}"#);
/// assert_eq!(serde_json::to_string(&Shown::Withdrawn)?, r#""withdrawn""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The answer so far. It takes the place of what was shown before.
    Value(Value),
    /// What was shown so far does not hold: the model is asked again, the stream broke off, or it was a draft.
    Withdrawn,
}

impl Default for Partial {
    fn default() -> Self {
        Self::new()
    }
}

impl Partial {
    /// Nothing has come yet. The first bracket begins the value.
    pub fn new() -> Self {
        Self::of(true, false)
    }

    /// The same where a list may be the answer or not (then `[1]` in prose begins none), or the call of a tool.
    pub(super) fn of(lists: bool, may_be_call: bool) -> Self {
        Self {
            text: String::new(),
            lists,
            shown: None,
            may_be_call,
            call: None,
        }
    }

    /// Takes the next piece of the stream.
    pub fn push(&mut self, delta: &str) {
        self.text.push_str(delta);
    }

    /// What can be said so far; `None` before the value begins.
    pub fn value(&self) -> Option<Value> {
        self.read().map(Json::into_value)
    }

    /// The reply was read, or could not be: the last word for a person. An accepted answer is shown as the type read it, where
    /// something else is shown; of any other, what was shown does not hold. Then the next answer begins.
    ///
    /// ```
    /// use prompt_agent::Conversation;
    /// use prompt_agent::answer::{Answer, Shown};
    /// use prompt_agent::wire::Delta;
    /// use serde_json::json;
    ///
    /// let answer = Answer::<Vec<u8>>::new();
    /// let mut partial = answer.partial_stream();
    /// partial.show(&Delta::Text("[1, 2".into()));
    /// let broken: Result<Option<_>, &str> = Err("the connection is cut");
    /// assert_eq!(partial.settle::<Vec<u8>, _>(&broken), Some(Shown::Withdrawn));
    /// ```
    pub fn settle<T, E>(&mut self, read: &Result<Option<Accepted<T>>, E>) -> Option<Shown> {
        let Ok(Some(accepted)) = read else {
            return self.withdraw();
        };
        self.begin(None);
        let json = Some(accepted.json());
        let is_new = self.shown.take().as_ref() != json;
        json.filter(|_| is_new).cloned().map(Shown::Value)
    }

    /// The answer is given up: the next one begins, and a person who has seen something of this one is told so.
    ///
    /// ```
    /// use prompt_agent::answer::{Partial, Shown};
    /// use prompt_agent::wire::Delta;
    ///
    /// let mut partial = Partial::new();
    /// assert_eq!(partial.withdraw(), None);
    /// partial.show(&Delta::Text("{\"number\": 1, ".into()));
    /// assert_eq!(partial.withdraw(), Some(Shown::Withdrawn));
    /// ```
    pub fn withdraw(&mut self) -> Option<Shown> {
        self.begin(None);
        self.shown.take().map(|_| Shown::Withdrawn)
    }

    /// What comes next is the answer: the arguments of this call, if it is one.
    pub(crate) fn begin(&mut self, call: Option<usize>) {
        self.text.clear();
        self.call = call;
    }

    /// Whether the call of a tool may be the answer.
    pub(crate) fn may_be_call(&self) -> bool {
        self.may_be_call
    }

    /// The call that is the answer, if it is one.
    pub(crate) fn call(&self) -> Option<usize> {
        self.call
    }

    /// Takes the next piece, and tells what changes for a person.
    pub(crate) fn grow(&mut self, delta: &str) -> Option<Shown> {
        self.push(delta);
        let value = self.value();
        if value == self.shown {
            return None;
        }
        self.shown.clone_from(&value);
        Some(value.map_or(Shown::Withdrawn, Shown::Value))
    }

    fn read(&self) -> Option<Json> {
        // It may begin a comment.
        let text = self.text.strip_suffix('/').unwrap_or(&self.text);
        let first = |at: usize| text.len() - text[at..].trim_start_matches(is_blank).len();
        let mut shown = None;
        // The answer may begin with a string here.
        let mut start = first(0);
        let mut at = start;
        // What comes next is not the answer, unless reasoning ends before.
        let mut is_over = false;
        loop {
            if is_over || at != start || !text[at..].starts_with('"') {
                let Some(found) = memchr::memchr3(b'{', b'[', b'<', &text.as_bytes()[at..]) else {
                    return shown;
                };
                at += found;
            }
            let is_value = match text.as_bytes()[at] {
                b'[' => self.lists,
                byte => byte != b'<',
            };
            match reasoning::start(&text[at..]) {
                Start::Tag(tag) if tag.closes => {
                    start = first(at + tag.length);
                    (at, shown, is_over) = (start, None, false);
                    continue;
                }
                Start::Tag(_) => is_over = true,
                Start::Open => return shown,
                Start::Other if is_over || !is_value => {}
                Start::Other => {
                    let mut reader = Reader::at(text, at);
                    match reader.value() {
                        Ok(value) => (shown, is_over) = (Some(value), true),
                        Err(Stop::Cut) => return reader.so_far,
                        Err(Stop::Bad(..)) => {}
                    }
                    // What broke it may begin another one.
                    at = reader.at.max(at + 1);
                    continue;
                }
            }
            at += 1;
        }
    }
}

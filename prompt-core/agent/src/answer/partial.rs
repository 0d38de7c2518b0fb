//! What can be said of an answer that is still being written, for a user interface: the reader of whole answers reads what has
//! come, and keeps what it has where that ends.

use super::json::Json;
use super::read::{Reader, Stop, is_blank};
use super::reasoning::{self, Start};
use serde_json::Value;

/// A stream of text in which a value is being written.
///
/// [`push`](Self::push) costs what it is given; [`value`](Self::value) reads what has come.
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
}

impl Default for Partial {
    fn default() -> Self {
        Self::new()
    }
}

impl Partial {
    /// Nothing has come yet. The first bracket begins the value.
    pub fn new() -> Self {
        Self {
            text: String::new(),
            lists: true,
        }
    }

    /// The same where only an object may be the answer: `[1]` in prose begins none.
    pub(super) fn of_object() -> Self {
        Self {
            lists: false,
            ..Self::new()
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

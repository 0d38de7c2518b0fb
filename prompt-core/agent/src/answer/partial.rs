//! What can be said of an answer that is still being written, for a user interface.
//!
//! The words of JSON are read by the reader of whole answers; here is the push-down automaton around them, which stops
//! wherever the text does and goes on when more has come. Nothing is read twice.

use super::json::MOST_LEVELS;
use super::read::{Reader, Stop, is_blank};
use super::reasoning::{self, Start};
use serde_json::{Map, Value};

/// A stream of text in which a value is being written.
///
/// [`push`](Self::push) costs what it is given, over a whole stream however it is cut; [`value`](Self::value) costs what
/// it gives.
///
/// A string that is still being written is given as it is; a number, a word, a key or an escape that may go on is held
/// back. Of reasoning nothing is shown. Every value shown is a prefix of the final one, where the answer is JSON: with prose
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
    /// Where the text behind the reasoning begins.
    start: usize,
    /// What is before it has been read.
    at: usize,
    /// What is before it belongs to the word that is being read.
    held: usize,
    state: State,
    /// What is open, from the outside in.
    frames: Vec<Frame>,
    /// The value, once it is whole.
    whole: Option<Value>,
    /// Whether a list may be the answer.
    lists: bool,
}

#[derive(Clone, Debug)]
enum Frame {
    List(Vec<Value>),
    /// The entries, and the key whose value comes next.
    Object(Map<String, Value>, Option<String>),
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
enum State {
    /// The first bracket.
    Search,
    /// The tag that ends the reasoning.
    Reasoning,
    /// A value, or the end of a list.
    Value,
    /// A key, or the end of an object.
    Key,
    Colon,
    /// A comma or a bracket.
    Comma,
    /// The rest of a string that is a value.
    Text(char, String),
    /// The rest of a string that is a key.
    KeyText(char, String),
    /// The rest of a comment, by what ends it; then what came next before.
    Comment(&'static str, Box<State>),
    /// Nothing, unless all of it was reasoning.
    Done,
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
            start: 0,
            at: 0,
            held: 0,
            state: State::Search,
            frames: Vec::new(),
            whole: None,
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
        let mut text = std::mem::take(&mut self.text);
        text.push_str(delta);
        while self.step(&text) {}
        self.text = text;
    }

    /// What can be said so far; `None` before the value begins.
    pub fn value(&self) -> Option<Value> {
        if let Some(whole) = &self.whole {
            return Some(whole.clone());
        }
        let state = match &self.state {
            State::Comment(_, state) => state,
            state => state,
        };
        let mut inner = match state {
            State::Text(_, text) => Some(Value::from(text.as_str())),
            _ => None,
        };
        for frame in self.frames.iter().rev() {
            inner = Some(match frame {
                Frame::List(items) => {
                    let mut items = items.clone();
                    items.extend(inner);
                    Value::Array(items)
                }
                Frame::Object(entries, key) => {
                    let mut entries = entries.clone();
                    if let (Some(key), Some(value)) = (key, inner) {
                        entries.insert(key.clone(), value);
                    }
                    Value::Object(entries)
                }
            });
        }
        inner
    }

    /// Reads one word; whether there may be another.
    fn step(&mut self, text: &str) -> bool {
        match self.state {
            State::Text(..) | State::KeyText(..) => return self.string(text),
            State::Comment(..) => return self.comment(text),
            State::Search => return self.search(text),
            State::Reasoning | State::Done => return self.reasoning(text),
            State::Value | State::Key | State::Colon | State::Comma => {}
        }
        let rest = text[self.at..].trim_start_matches(is_blank);
        self.at = text.len() - rest.len();
        self.held = self.held.max(self.at);
        let Some(c) = rest.chars().next() else {
            return false;
        };
        if let Some(end) = comment_end(rest) {
            if !end.is_empty() {
                let state = std::mem::replace(&mut self.state, State::Done);
                self.state = State::Comment(end, Box::new(state));
                self.at += end.len();
            }
            return !end.is_empty();
        }
        if self.closes(c) {
            self.at += 1;
            match self.frames.pop() {
                Some(Frame::List(items)) => self.put(Value::Array(items)),
                Some(Frame::Object(entries, _)) => self.put(Value::Object(entries)),
                None => {}
            }
            return true;
        }
        match (&self.state, c) {
            (State::Comma, ',') => {
                self.at += 1;
                self.state = match self.frames.last() {
                    Some(Frame::Object(..)) => State::Key,
                    _ => State::Value,
                };
            }
            (State::Colon, ':') => {
                self.at += 1;
                self.state = State::Value;
            }
            (State::Value, '{' | '[') => self.open(c),
            (State::Value, '"' | '\'') => {
                self.at += 1;
                self.state = State::Text(c, String::new());
            }
            (State::Key, '"' | '\'') => {
                self.at += 1;
                self.state = State::KeyText(c, String::new());
            }
            (State::Value | State::Key, _) => return self.word(text, c),
            _ => self.give_up(),
        }
        true
    }

    /// Whether a character ends what is open.
    fn closes(&self, c: char) -> bool {
        match self.frames.last() {
            Some(Frame::List(_)) => c == ']' && matches!(self.state, State::Value | State::Comma),
            Some(Frame::Object(..)) => c == '}' && matches!(self.state, State::Key | State::Comma),
            None => false,
        }
    }

    /// Passes the rest of a comment.
    fn comment(&mut self, text: &str) -> bool {
        let State::Comment(end, state) = &mut self.state else {
            return false;
        };
        let rest = &text[self.at..];
        if let Some(found) = rest.find(*end) {
            self.at += found + end.len();
            self.state = std::mem::replace(state, State::Done);
            return true;
        }
        // All of it but what may be the beginning of the end.
        self.at = text.len() - usize::from(rest.ends_with('*'));
        false
    }

    /// Looks for the first bracket, or a string that the answer begins with.
    fn search(&mut self, text: &str) -> bool {
        let rest = text.get(self.at..).unwrap_or_default();
        let before = text.get(self.start..self.at).unwrap_or_default();
        if before.trim_start_matches(is_blank).is_empty() {
            let trimmed = rest.trim_start_matches(is_blank);
            if trimmed.starts_with('"') {
                self.at = text.len() - trimmed.len() + 1;
                self.state = State::Text('"', String::new());
                return true;
            }
        }
        let Some(found) = memchr::memchr3(b'{', b'[', b'<', rest.as_bytes()) else {
            self.at = text.len();
            return false;
        };
        self.at += found;
        match (reasoning::start(&rest[found..]), rest.as_bytes()[found]) {
            (Start::Tag(tag), _) if tag.closes => self.begin(self.at + tag.length),
            (Start::Tag(_), _) => self.state = State::Reasoning,
            (Start::Open, _) => return false,
            (Start::Other, b'{') => self.open('{'),
            (Start::Other, b'[') if self.lists => self.open('['),
            (Start::Other, _) => self.at += 1,
        }
        true
    }

    /// Looks for the tag that ends reasoning.
    fn reasoning(&mut self, text: &str) -> bool {
        let rest = text.get(self.at..).unwrap_or_default();
        let Some(found) = memchr::memchr2(b'[', b'<', rest.as_bytes()) else {
            self.at = text.len();
            return false;
        };
        self.at += found;
        match reasoning::start(&rest[found..]) {
            Start::Tag(tag) if tag.closes => self.begin(self.at + tag.length),
            Start::Open => return false,
            Start::Tag(_) | Start::Other => self.at += 1,
        }
        true
    }

    /// The answer begins here.
    fn begin(&mut self, start: usize) {
        self.start = start;
        self.at = start;
        self.whole = None;
        self.state = State::Search;
    }

    fn open(&mut self, bracket: char) {
        self.at += 1;
        if self.frames.len() >= MOST_LEVELS {
            return self.give_up();
        }
        let (frame, state) = match bracket {
            '{' => (Frame::Object(Map::new(), None), State::Key),
            _ => (Frame::List(Vec::new()), State::Value),
        };
        self.frames.push(frame);
        self.state = state;
    }

    fn string(&mut self, text: &str) -> bool {
        let (State::Text(quote, said) | State::KeyText(quote, said)) = &mut self.state else {
            return false;
        };
        let mut reader = Reader::at(text, self.at);
        let read = reader.string_rest(*quote, said);
        self.at = reader.at;
        match read {
            Ok(()) => {
                let said = std::mem::take(said);
                match self.state {
                    State::KeyText(..) => self.put_key(said),
                    _ => self.put(Value::String(said)),
                }
                true
            }
            Err(Stop::Cut) => false,
            Err(Stop::Bad(..)) => {
                self.give_up();
                true
            }
        }
    }

    /// A number, a literal, a key without quotes: known as soon as something else follows.
    fn word(&mut self, text: &str, first: char) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '+' | '.');
        let from = self.held.max(self.at);
        let more = text.get(from..).unwrap_or_default();
        if more.find(|c| !is_part(c)).is_none() {
            self.held = text.len();
            return false;
        }
        let mut reader = Reader::at(text, self.at);
        let read = match self.state {
            State::Key => match reader.key() {
                Ok(key) => {
                    self.at = reader.at;
                    self.put_key(key);
                    return true;
                }
                Err(_) => None,
            },
            _ if first == '-' || first.is_ascii_digit() => reader.number().ok(),
            _ => reader.literal().ok(),
        };
        match read {
            Some(value) => {
                self.at = reader.at;
                // A number that no float holds is refused in the end.
                self.put(serde_json::from_str(&value.to_text()).unwrap_or_default());
            }
            None => self.give_up(),
        }
        true
    }

    fn put_key(&mut self, name: String) {
        if let Some(Frame::Object(_, key)) = self.frames.last_mut() {
            *key = Some(name);
        }
        self.state = State::Colon;
    }

    fn put(&mut self, value: Value) {
        self.state = State::Comma;
        match self.frames.last_mut() {
            Some(Frame::List(items)) => items.push(value),
            Some(Frame::Object(entries, key)) => {
                if let Some(key) = key.take() {
                    entries.insert(key, value);
                }
            }
            None => {
                self.whole = Some(value);
                self.state = State::Done;
            }
        }
    }

    /// What began is no value; perhaps the next bracket begins one.
    fn give_up(&mut self) {
        self.frames.clear();
        self.state = State::Search;
    }
}

/// What ends the comment at the start of a text; empty where it takes one more character to know.
fn comment_end(text: &str) -> Option<&'static str> {
    match text.as_bytes() {
        [b'#', ..] | [b'/', b'/', ..] => Some("\n"),
        [b'/', b'*', ..] => Some("*/"),
        [b'/'] => Some(""),
        _ => None,
    }
}

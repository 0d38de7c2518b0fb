//! The keys of front matter in YAML. The parser tells what is written and where; here it becomes data, within limits: nothing
//! is nested deeper than [`DEEPEST`], and aliases copy no more than [`MOST_COPIED`] bytes.

use super::SkillError;
use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};
use serde_json::{Map, Number, Value};
use std::{borrow::Cow, collections::BTreeMap};

/// Levels of lists and maps.
const DEEPEST: usize = 64;
/// Bytes that all aliases together may copy: a few lines can ask for any number of them.
const MOST_COPIED: usize = 1 << 20;

/// A key of the front matter, and what it has.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Line of the front matter, from 1.
    line: usize,
    /// A scalar as it is written, whatever it means.
    written: Option<String>,
    pub(super) value: Value,
}

/// A node of the document.
#[derive(Clone)]
struct Node {
    written: Option<String>,
    value: Value,
    /// Bytes that a copy takes, about.
    size: usize,
}

/// What is wrong, and in which line of the front matter, from 1.
struct Fault {
    line: usize,
    reason: String,
}

type Read<T> = Result<T, Fault>;

/// The keys of front matter that begins in the second line of a file.
pub(super) fn entries(data: &str) -> Result<Vec<Entry>, SkillError> {
    let read = read(data).or_else(|fault| quoted(data).map_or(Err(fault), |data| read(&data)));
    read.map_err(|Fault { line, reason }| SkillError::Yaml {
        line: line + 1,
        reason,
    })
}

/// Takes out a key that has a text, with its line in the file.
pub(super) fn take(
    entries: &mut Vec<Entry>,
    key: &'static str,
) -> Result<(String, usize), SkillError> {
    let at = entries.iter().position(|entry| entry.key == key);
    let found = entries.remove(at.ok_or(SkillError::Missing { key })?);
    let line = found.line + 1;
    match found.written {
        Some(text) if !found.value.is_null() && !text.trim().is_empty() => Ok((text, line)),
        Some(_) => Err(SkillError::Empty { key, line }),
        None => Err(SkillError::NotText { key, line }),
    }
}

fn read(data: &str) -> Read<Vec<Entry>> {
    let mut reader = Reader {
        parser: Parser::new_from_str(data),
        line: 1,
        anchors: BTreeMap::new(),
        left: MOST_COPIED,
    };
    reader.document()
}

/// The same front matter with quotes around each text without them that has a colon and a blank in it, on the line of its key.
/// That is never YAML, so nothing else can be meant.
fn quoted(data: &str) -> Option<String> {
    let mut is_changed = false;
    let mut lines = String::with_capacity(data.len());
    for line in data.split_inclusive('\n') {
        let content = line.trim_end();
        let quoted = content.split_once(": ").and_then(|(key, text)| {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            let is_key = key.chars().all(is_part);
            // Blanks before a hash begin a comment.
            let text = text.split(" #").next().unwrap_or_default().trim();
            let is_plain = !text.starts_with(|c: char| "\"'[]{}|>&*!%@`#,?-:".contains(c));
            let has_colon = text.contains(": ") || text.ends_with(':');
            (is_key && is_plain && has_colon)
                .then(|| format!("{key}: '{}'", text.replace('\'', "''")))
        });
        is_changed |= quoted.is_some();
        lines.push_str(quoted.as_deref().unwrap_or(content));
        lines.push_str(&line[content.len()..]);
    }
    is_changed.then_some(lines)
}

/// Reads the events of one document.
struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// Of the last event.
    line: usize,
    /// What aliases stand for, by the numbers of the parser.
    anchors: BTreeMap<usize, Node>,
    left: usize,
}

impl<'t> Reader<'t> {
    fn event(&mut self) -> Read<Event<'t>> {
        match self.parser.next() {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => {
                let (line, reason) = (error.marker().line(), error.info());
                // The slip of most files that are refused.
                let reason = format!("{reason}; put a text that has signs in it between quotes");
                Err(Fault { line, reason })
            }
            None => Ok(Event::StreamEnd),
        }
    }

    fn fault<T>(&self, reason: impl Into<String>) -> Read<T> {
        Err(Fault {
            line: self.line,
            reason: reason.into(),
        })
    }

    fn document(&mut self) -> Read<Vec<Entry>> {
        let mut entries = Vec::new();
        loop {
            match self.event()? {
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd => return Ok(entries),
                Event::MappingStart(..) => {
                    self.map(1, |key, line, node| {
                        entries.push(Entry {
                            key,
                            line,
                            written: node.written,
                            value: node.value,
                        });
                    })?;
                    break;
                }
                _ => return self.fault("write keys with values, such as `name: ..`"),
            }
        }
        loop {
            match self.event()? {
                Event::StreamEnd => return Ok(entries),
                Event::Nothing | Event::DocumentEnd => {}
                _ => return self.fault("a second document begins"),
            }
        }
    }

    /// Hands over the keys of a map, each with its line and value.
    fn map(&mut self, depth: usize, mut put: impl FnMut(String, usize, Node)) -> Read<()> {
        let mut keys = std::collections::BTreeSet::new();
        loop {
            let event = self.event()?;
            if event == Event::MappingEnd {
                return Ok(());
            }
            let line = self.line;
            let node = self.node(event, depth)?;
            let at_key = |reason: String| Err(Fault { line, reason });
            let Some(key) = node.written.filter(|key| !key.is_empty()) else {
                return at_key("a key is missing, or is no text".to_owned());
            };
            if !keys.insert(key.clone()) {
                return at_key(format!("the key `{key}` stands twice"));
            }
            let event = self.event()?;
            let value = self.node(event, depth)?;
            put(key, line, value);
        }
    }

    fn list(&mut self, depth: usize, mut put: impl FnMut(Node)) -> Read<()> {
        loop {
            let event = self.event()?;
            if event == Event::SequenceEnd {
                return Ok(());
            }
            put(self.node(event, depth)?);
        }
    }

    /// The node that an event begins, with so many lists and maps around it.
    fn node(&mut self, event: Event<'t>, depth: usize) -> Read<Node> {
        if depth > DEEPEST {
            return self.fault(format!("more than {DEEPEST} levels are nested"));
        }
        let mut size = 1;
        let (written, value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                size += text.len();
                let value = scalar(&text, style, tag.as_ref());
                (Some(text.into_owned()), value, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                let mut list = Vec::new();
                self.list(depth + 1, |node| {
                    size += node.size;
                    list.push(node.value);
                })?;
                (None, Value::Array(list), anchor)
            }
            Event::MappingStart(anchor, _) => {
                let mut map = Map::new();
                self.map(depth + 1, |key, _, node| {
                    size += key.len() + node.size;
                    map.insert(key, node.value);
                })?;
                (None, Value::Object(map), anchor)
            }
            Event::Alias(anchor) => return self.alias(anchor),
            _ => return self.fault("a value is missing"),
        };
        let node = Node {
            written,
            value,
            size,
        };
        if anchor > 0 {
            self.copies(node.size)?;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize) -> Read<Node> {
        // An alias inside of what it stands for comes before that is known.
        let Some(node) = self.anchors.get(&anchor).cloned() else {
            return self.fault("an alias stands for what it is in");
        };
        self.copies(node.size)?;
        Ok(node)
    }

    /// Notes that so many bytes are copied.
    fn copies(&mut self, bytes: usize) -> Read<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => return self.fault("aliases make it larger than a megabyte"),
        }
        Ok(())
    }
}

/// What a scalar means in the core schema of YAML 1.2. What JSON has no number for is text.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Cow<'_, Tag>>) -> Value {
    let is_text = |tag: &Cow<'_, Tag>| tag.is_yaml_core_schema() && tag.suffix == "str";
    let plain = match text {
        _ if style != ScalarStyle::Plain || tag.is_some_and(is_text) => None,
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => number(text).map(Value::Number),
    };
    plain.unwrap_or_else(|| Value::String(text.to_owned()))
}

fn number(text: &str) -> Option<Number> {
    let based = |digits: &str, base| {
        let is_digits = digits.chars().all(|c| c.is_digit(base));
        let number = is_digits.then(|| u64::from_str_radix(digits, base));
        number?.ok().map(Number::from)
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let positive = text.strip_prefix('+').unwrap_or(text);
    if unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        let small = positive.parse::<i64>().map(Number::from);
        return small
            .or_else(|_| positive.parse::<u64>().map(Number::from))
            .ok();
    }
    // `inf` and `nan` are words.
    let is_part =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+');
    let has_digit = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_float = has_digit && unsigned.bytes().all(is_part);
    Number::from_f64(is_float.then(|| positive.parse().ok())??)
}

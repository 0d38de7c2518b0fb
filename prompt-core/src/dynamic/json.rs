//! JSON with places. `serde_json` has checked the text before, so that all that is left is to note what stands where; the
//! words of strings and numbers are its own, too.

use super::{
    given::{DEEPEST, Data, Entry, Given, Span},
    place::Unreadable,
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Deserializer, Error};
use std::ops::Range;

/// Reads a text. What cannot be kept, such as half of a surrogate pair, is told and stands as [`Data::Wrong`].
///
/// # Errors
/// What is no JSON.
pub(super) fn read(text: &str) -> Result<(Given, Vec<Unreadable>), Unreadable> {
    let mut json = Deserializer::from_str(text);
    IgnoredAny::deserialize(&mut json)
        .and_then(|_| json.end())
        .map_err(|error| Unreadable {
            at: byte_of(text, &error),
            fact: fact_of(&error),
        })?;
    let mut reader = Reader {
        text,
        at: 0,
        unreadable: Vec::new(),
    };
    Ok((reader.value(0), reader.unreadable))
}

/// The words of an error without its place.
fn fact_of(error: &Error) -> String {
    let message = error.to_string();
    let fact = message.rsplit_once(" at line ");
    fact.map_or(message.as_str(), |(fact, _)| fact).to_owned()
}

/// The byte that an error speaks of: its columns are bytes, and the first one is 1.
fn byte_of(text: &str, error: &Error) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.take(error.line().max(1) - 1).map(str::len).sum();
    before + error.column().max(1) - 1
}

/// Goes through a text that is sound.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    unreadable: Vec<Unreadable>,
}

impl Reader<'_> {
    /// The next byte that is no white space; the value that is read begins or ends with it.
    fn next(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        bytes[self.at]
    }

    fn value(&mut self, depth: usize) -> Given {
        let first = self.next();
        let start = self.at;
        let data = match first {
            b'{' | b'[' if depth == DEEPEST => self.skip(),
            b'{' => self.map(depth + 1),
            b'[' => self.list(depth + 1),
            b'"' => match self.string() {
                Some(text) => Data::Text(text),
                None => Data::Wrong,
            },
            _ => self.word(),
        };
        Given {
            data,
            span: Span {
                start,
                end: self.at,
            },
        }
    }

    fn list(&mut self, depth: usize) -> Data {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            match self.next() {
                b']' => break,
                b',' => self.at += 1,
                _ => items.push(self.value(depth)),
            }
        }
        self.at += 1;
        Data::List(items)
    }

    fn map(&mut self, depth: usize) -> Data {
        let mut entries = Vec::new();
        self.at += 1;
        loop {
            match self.next() {
                b'}' => break,
                b',' => self.at += 1,
                _ => {
                    let at = self.at;
                    let name = self.string().unwrap_or_default();
                    self.next();
                    // The colon.
                    self.at += 1;
                    let value = self.value(depth);
                    entries.push(Entry { name, value, at });
                }
            }
        }
        self.at += 1;
        Data::Map(entries)
    }

    /// Passes a string with its quotes.
    fn pass_string(&mut self) -> Range<usize> {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        self.at += 1;
        loop {
            match bytes[self.at] {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        start..self.at
    }

    fn string(&mut self) -> Option<String> {
        let range = self.pass_string();
        self.read(range)
    }

    /// `null`, `true`, `false` or a number.
    fn word(&mut self) -> Data {
        let rest = &self.text[self.at..];
        let ends = |c: char| matches!(c, ',' | ']' | '}') || c.is_ascii_whitespace();
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let range = self.at..self.at + word.len();
        self.at = range.end;
        match word {
            "null" => Data::Null,
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            _ => self.read(range).map_or(Data::Wrong, Data::Number),
        }
    }

    fn read<T: for<'de> Deserialize<'de>>(&mut self, range: Range<usize>) -> Option<T> {
        let at = range.start;
        match serde_json::from_str(&self.text[range]) {
            Ok(value) => Some(value),
            Err(error) => {
                let fact = fact_of(&error);
                self.unreadable.push(Unreadable { at, fact });
                None
            }
        }
    }

    /// Passes a list or map with all that is in it, which may be nested as deep as it likes.
    fn skip(&mut self) -> Data {
        let mut open = 0_usize;
        loop {
            match self.next() {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                b'"' => {
                    self.pass_string();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Data::Deep;
            }
        }
    }
}

//! Prompt files: a tree in JSON or TOML, with the lines on which its parts stand.

use super::{
    value::{Value, Values},
    written::{self, Raw, Read},
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use prompt_syntax::Code;
use serde::Serialize;
use std::{collections::VecDeque, sync::Arc};

/// Reads a tree from JSON.
///
/// # Errors
/// What is no JSON, or no tree, with line and column.
pub(super) fn read_json(text: &str) -> Result<Read, Diagnostics> {
    let text = without_mark(text);
    let mut json = serde_json::Deserializer::from_str(text);
    let raw = written::raw(&mut json)
        .and_then(|raw| json.end().map(|()| raw))
        .map_err(|error| {
            let place = Some((error.line(), error.column())).filter(|(line, _)| *line > 0);
            let message = error.to_string();
            let fact = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(fact, _)| fact);
            unreadable(fact.to_owned(), place)
        })?;
    Ok(written::read(with_json_lines(raw, text)))
}

/// A text or values that are nothing that can be read.
pub(super) fn unreadable(message: String, place: Option<(usize, usize)>) -> Diagnostics {
    Diagnostic {
        place,
        line: place.map(|(line, _)| line),
        ..Diagnostic::new(Code::InvalidInput, "", "", message, "")
    }
    .into()
}

/// A byte-order mark is no part of a text.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Puts in the lines on which the values of keys begin. `serde_json` has read the text before, so it is sound, and the
/// keys of sections come in the order in which they were read.
fn with_json_lines(mut raw: Raw, text: &str) -> Raw {
    if !is_cut(&raw) {
        put_lines(&mut raw, &mut VecDeque::from(json_lines(text)));
    }
    raw
}

/// Whether some sections were too deep to be kept.
fn is_cut(raw: &Raw) -> bool {
    raw.is_cut || raw.sections.iter().any(is_cut)
}

fn put_lines(raw: &mut Raw, lines: &mut VecDeque<KeyLine>) {
    // The lines of a section come before those of the sections in it: see `json_lines`.
    let mut own: VecDeque<usize> = VecDeque::new();
    while let Some(next) = lines.pop_front() {
        match next {
            KeyLine::Key(line) => own.push_back(line),
            KeyLine::End => break,
        }
    }
    for entry in &mut raw.entries {
        entry.lines.extend(own.pop_front());
    }
    for section in &mut raw.sections {
        put_lines(section, lines);
    }
}

enum KeyLine {
    /// The value of a key of a section begins on this line.
    Key(usize),
    /// The section has no more keys.
    End,
}

/// What is open in a JSON text.
enum Open {
    /// A section, with the lines of its keys so far and what its sections gave.
    Section(Vec<KeyLine>, Vec<KeyLine>),
    /// A list under the key `sections`.
    Sections,
    /// Anything else.
    Other,
}

/// The lines of the keys of all sections, parents before children. One pass over the text, with a stack of its own.
fn json_lines(text: &str) -> Vec<KeyLine> {
    let (mut open, mut done): (Vec<Open>, Vec<KeyLine>) = (Vec::new(), Vec::new());
    let (mut line, mut key) = (1, String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\n' => line += 1,
            '"' => {
                let end = string_end(rest);
                let inside = rest.get(..end).unwrap_or_default();
                rest = rest.get(end + 1..).unwrap_or_default();
                let is_key = rest.trim_start().starts_with(':');
                if is_key && matches!(open.last(), Some(Open::Section(..))) {
                    key.clear();
                    key.push_str(inside);
                }
            }
            ':' => {
                if let Some(Open::Section(own, _)) = open.last_mut()
                    && key != "sections"
                {
                    let blank = rest.len() - rest.trim_start().len();
                    let breaks = rest.get(..blank).unwrap_or_default().matches('\n').count();
                    own.push(KeyLine::Key(line + breaks));
                }
            }
            '{' => open.push(match open.last() {
                None | Some(Open::Sections) => Open::Section(Vec::new(), Vec::new()),
                Some(_) => Open::Other,
            }),
            '[' => open.push(match open.last() {
                Some(Open::Section(..)) if key == "sections" => Open::Sections,
                _ => Open::Other,
            }),
            '}' | ']' => {
                if let Some(Open::Section(mut own, inner)) = open.pop() {
                    own.push(KeyLine::End);
                    own.extend(inner);
                    let around = open.iter_mut().rev().find_map(|open| match open {
                        Open::Section(_, inner) => Some(inner),
                        _ => None,
                    });
                    around.unwrap_or(&mut done).extend(own);
                }
            }
            _ => {}
        }
    }
    done
}

/// Where a string ends whose opening quote has been read.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.unwrap_or(text.len())
}

/// Reads a tree from TOML.
///
/// # Errors
/// Everything that is no TOML, with line and column.
#[cfg(feature = "toml")]
pub(super) fn read_toml(text: &str) -> Result<Read, Diagnostics> {
    use toml::de::DeTable;
    let text = without_mark(text);
    let places = from_toml::Places::of(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut faults = Diagnostics::default();
    for error in errors {
        let place = error.span().map(|span| places.of_byte(span.start));
        faults.extend(unreadable(error.message().to_owned(), place));
    }
    let raw = from_toml::section(table.into_inner(), &places, 0, &mut faults);
    faults.or(raw).map(written::read)
}

/// From TOML's tables to sections.
#[cfg(feature = "toml")]
mod from_toml {
    use super::{Raw, unreadable};
    use crate::diagnostics::Diagnostics;
    use crate::dynamic::{MAX_DEPTH, attributes::Given, written::RawEntry};
    use serde_json::Value;
    use std::ops::Range;
    use toml::{
        Spanned,
        de::{DeString, DeTable, DeValue},
    };

    type Entry<'t> = (Spanned<DeString<'t>>, Spanned<DeValue<'t>>);

    /// Where the lines of a file begin.
    pub(super) struct Places<'t> {
        text: &'t str,
        starts: Vec<usize>,
    }

    impl<'t> Places<'t> {
        pub(super) fn of(text: &'t str) -> Self {
            let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
            Self {
                text,
                starts: std::iter::once(0).chain(breaks).collect(),
            }
        }

        fn line(&self, byte: usize) -> usize {
            self.starts.partition_point(|start| *start <= byte)
        }

        pub(super) fn of_byte(&self, byte: usize) -> (usize, usize) {
            let line = self.line(byte);
            let start = line.checked_sub(1).and_then(|at| self.starts.get(at));
            let before = self.text.get(start.copied().unwrap_or(0)..byte);
            (line, before.unwrap_or_default().chars().count() + 1)
        }

        /// The line of the file for each line of a text that is written over this range: a line break between three
        /// quotes is both, `\n` is one of the text alone, and a break behind a backslash one of the file alone.
        fn lines(&self, range: Range<usize>) -> Vec<usize> {
            let mut at = self.line(range.start);
            let written = self.text.get(range).unwrap_or_default();
            let quotes = if written.starts_with('\'') {
                "'''"
            } else {
                "\"\"\""
            };
            let Some(inside) = written.strip_prefix(quotes) else {
                return vec![at];
            };
            let first = inside.strip_prefix("\r\n").or(inside.strip_prefix('\n'));
            at += usize::from(first.is_some());
            let mut lines = vec![at];
            let mut characters = first.unwrap_or(inside).chars().peekable();
            while let Some(c) = characters.next() {
                match c {
                    '\n' => {
                        at += 1;
                        lines.push(at);
                    }
                    '\\' if quotes == "\"\"\"" => match characters.next() {
                        Some('n') => lines.push(at),
                        Some(c) if c.is_whitespace() => {
                            at += usize::from(c == '\n');
                            while let Some(c) = characters.next_if(|c| c.is_whitespace()) {
                                at += usize::from(c == '\n');
                            }
                        }
                        _ => {}
                    },
                    _ => {}
                }
            }
            lines
        }
    }

    /// A section. The parser nests no deeper than 80 levels.
    pub(super) fn section(
        table: DeTable<'_>,
        places: &Places<'_>,
        depth: usize,
        faults: &mut Diagnostics,
    ) -> Raw {
        let mut raw = Raw::default();
        for (name, value) in in_order(table) {
            if name.get_ref() == "sections" {
                raw.lists += 1;
                sections(value, places, depth + 1, &mut raw, faults);
                continue;
            }
            let mut range = value.span();
            if range.is_empty() || matches!(value.get_ref(), DeValue::Table(_)) {
                range = name.span();
            }
            let value = match value.into_inner() {
                DeValue::Table(table) if name.get_ref() == "attr" => {
                    let entries = in_order(table).into_iter();
                    let entries = entries.map(|(name, value)| {
                        (name.into_inner().into_owned(), json(value.into_inner()))
                    });
                    Given::Attributes(entries.collect())
                }
                value => Given::Other(json(value)),
            };
            raw.entries.push(RawEntry {
                lines: places.lines(range),
                name: name.into_inner().into_owned(),
                value,
            });
        }
        raw
    }

    /// The entries of a table as the file writes them.
    fn in_order(table: DeTable<'_>) -> Vec<Entry<'_>> {
        let mut entries: Vec<_> = table.into_iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        entries
    }

    fn sections(
        value: Spanned<DeValue<'_>>,
        places: &Places<'_>,
        depth: usize,
        host: &mut Raw,
        faults: &mut Diagnostics,
    ) {
        let place = Some(places.of_byte(value.span().start));
        let DeValue::Array(list) = value.into_inner() else {
            let message = "`sections` is a list of sections: write `[[sections]]`".to_owned();
            faults.extend(unreadable(message, place));
            return;
        };
        if depth > MAX_DEPTH {
            host.is_cut |= list.iter().next().is_some();
            return;
        }
        for item in list {
            let place = Some(places.of_byte(item.span().start));
            match item.into_inner() {
                DeValue::Table(table) => {
                    let section = section(table, places, depth, faults);
                    host.sections.push(section);
                }
                _ => faults.extend(unreadable(
                    "a section is a table of its keys".to_owned(),
                    place,
                )),
            }
        }
    }

    /// The same value as JSON: a date is a text.
    fn json(value: DeValue<'_>) -> Value {
        match value {
            DeValue::String(text) => Value::String(text.into_owned()),
            DeValue::Integer(number) => {
                let text = number.as_str().to_owned();
                let number = i64::from_str_radix(number.as_str(), number.radix());
                number.map_or_else(|_| Value::String(text), Value::from)
            }
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(finite) if finite.is_finite() => Value::from(finite),
                _ => Value::String(number.as_str().to_owned()),
            },
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::Datetime(date) => Value::String(date.to_string()),
            DeValue::Array(items) => Value::Array(
                items
                    .into_iter()
                    .map(|item| json(item.into_inner()))
                    .collect(),
            ),
            DeValue::Table(table) => Value::Object(
                table
                    .into_iter()
                    .map(|(key, value)| (key.into_inner().into_owned(), json(value.into_inner())))
                    .collect(),
            ),
        }
    }
}

/// Names and values, from whatever serialises to a map.
pub(super) fn values_of(values: &impl Serialize) -> Result<Arc<Values>, Diagnostics> {
    let value = Value::of(values).map_err(|error| unreadable(error.to_string(), None))?;
    match value.into_values() {
        Some(values) => Ok(Arc::new(values)),
        None => Err(unreadable(
            "values must be a map from names to values".to_owned(),
            None,
        )),
    }
}

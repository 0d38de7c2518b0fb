//! What a repair may change, told a second time: a text is rewritten token by token by the repairs that were listed, and by no
//! other, and `serde_json` reads what comes of it. And JSON as models write it, with every repair that it needs.

use super::Source;
use prompt_agent::answer::{Answer, Ending, Read, Repair};
use prompt_core::Message;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// Whether a value stands in a text so that only these repairs were needed to read it.
pub(super) fn stands_in<T: DeserializeOwned + PartialEq>(
    text: &str,
    value: &T,
    repairs: &[Repair],
) -> bool {
    // At a bracket, or behind a tag.
    let start = |(at, c)| match c {
        '{' | '[' => Some(at),
        '>' | ']' => Some(at + 1),
        _ => None,
    };
    let starts = text.char_indices().filter_map(start);
    std::iter::once(0).chain(starts).any(|at| {
        let mended = Mend::new(&text[at..], repairs).run();
        mended.is_some_and(|mended| {
            serde_json::from_str::<T>(&mended).is_ok_and(|read| read == *value)
        })
    })
}

struct Mend<'t> {
    rest: &'t str,
    repairs: &'t [Repair],
    out: String,
    closers: Vec<char>,
}

impl<'t> Mend<'t> {
    fn new(text: &'t str, repairs: &'t [Repair]) -> Self {
        Self {
            rest: text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}'),
            repairs,
            out: String::new(),
            closers: Vec::new(),
        }
    }

    fn may(&self, repair: &Repair) -> Option<()> {
        self.repairs.contains(repair).then_some(())
    }

    /// The first value, as JSON if it is one now.
    fn run(mut self) -> Option<String> {
        loop {
            self.blanks()?;
            let Some(c) = self.rest.chars().next() else {
                self.may(&Repair::MissingCloser)?;
                self.out.extend(self.closers.iter().rev());
                return Some(self.out);
            };
            match c {
                '{' | '[' => {
                    self.closers.push(if c == '{' { '}' } else { ']' });
                    self.put(c);
                }
                '}' | ']' => {
                    if self.out.ends_with(',') {
                        self.may(&Repair::TrailingComma)?;
                        self.out.pop();
                    }
                    (self.closers.pop()? == c).then_some(())?;
                    self.put(c);
                }
                ',' | ':' => self.put(c),
                '"' | '\'' => self.string(c)?,
                _ => self.word()?,
            }
            if self.closers.is_empty() {
                return Some(self.out);
            }
        }
    }

    fn put(&mut self, c: char) {
        self.out.push(c);
        self.rest = &self.rest[c.len_utf8()..];
    }

    fn blanks(&mut self) -> Option<()> {
        loop {
            let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
            let rest = self.rest.trim_start_matches(is_blank);
            let blanks = &self.rest[..self.rest.len() - rest.len()];
            if blanks.contains(|c| !matches!(c, ' ' | '\t' | '\r' | '\n'))
                && !self.closers.is_empty()
            {
                self.may(&Repair::Blank)?;
            }
            self.rest = rest;
            let end = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n')?
            } else if rest.starts_with("/*") {
                rest.find("*/")? + 2
            } else {
                return Some(());
            };
            self.may(&Repair::Comment)?;
            self.rest = &rest[end..];
        }
    }

    fn string(&mut self, quote: char) -> Option<()> {
        if quote == '\'' {
            self.may(&Repair::SingleQuotes)?;
        }
        self.out.push('"');
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.out.push('"');
                    self.rest = &self.rest[at + 2..];
                    return Some(());
                }
                '\\' => match chars.next()?.1 {
                    '\'' if quote == '\'' => self.out.push('\''),
                    c => self.out.extend(['\\', c]),
                },
                '\n' | '\r' | '\t' => {
                    self.may(&Repair::RawNewline)?;
                    self.out
                        .push_str(&Value::from(c.to_string()).to_string().replace('"', ""));
                }
                '"' => self.out.push_str("\\\""),
                c => self.out.push(c),
            }
        }
        None
    }

    fn word(&mut self) -> Option<()> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '+' | '.');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end.max(1))?;
        let is_key = self.closers.last() == Some(&'}') && self.out.ends_with(['{', ',']);
        let literal = [("True", "true"), ("False", "false"), ("None", "null")];
        let literal = literal.iter().find(|(python, _)| *python == word);
        match literal {
            _ if is_key => {
                self.may(&Repair::UnquotedKey)?;
                self.out.push_str(&Value::from(word).to_string());
            }
            Some((_, json)) => {
                self.may(&Repair::PythonLiteral)?;
                self.out.push_str(json);
            }
            None => self.out.push_str(word),
        }
        self.rest = rest;
        Some(())
    }
}

/// JSON as models write it comes back as what it was, with all that was done to it listed.
pub(super) fn read_back(object: &Value, source: &mut Source<'_>) -> Result<(), String> {
    let mut damage = Damage {
        done: BTreeSet::new(),
        out: String::new(),
    };
    damage.value(object, source);
    let (mut text, mut done) = (damage.out, damage.done);
    if source.chance(20) {
        text = format!("```json\n{text}\n```");
        done.insert(Repair::Fence);
    } else if source.chance(20) {
        text = format!("Here: {text}\nDone (see {{it}}).");
        done.insert(Repair::Prose);
    } else if source.chance(20) && text.pop().is_some() {
        // The last closer; a number may go on, and a comma wants more.
        let last = text.trim_end().chars().last().unwrap_or_default();
        if matches!(last, '"' | '\'' | '}' | ']') {
            done.insert(Repair::MissingCloser);
        } else {
            text.push('}');
        }
    }
    if source.chance(20) {
        let tags = source.pick(&[
            "<think>{\"a\": 1}</think>",
            "So {\"a\": </THOUGHT>",
            "[THINK][1][/THINK]\n",
        ]);
        text = format!("{tags}{text}");
        if !done.contains(&Repair::Fence) {
            done.insert(Repair::Prose);
        }
    }
    let mut answer = Answer::<Value>::new();
    let read = answer.read_message(&Message::assistant(text.as_str()), Ending::Own);
    match read {
        Ok(Read::Accepted(accepted)) if accepted.value() == object => {
            let repairs: BTreeSet<Repair> = accepted.repairs().iter().cloned().collect();
            if repairs != done {
                return Err(format!("{text:?}: repairs {repairs:?}, not {done:?}"));
            }
            Ok(())
        }
        read => Err(format!("{text:?} is read as {read:?}")),
    }
}

/// Writes JSON with what is repaired.
struct Damage {
    done: BTreeSet<Repair>,
    out: String,
}

impl Damage {
    fn value(&mut self, value: &Value, source: &mut Source<'_>) {
        match value {
            Value::Object(map) => {
                self.out.push('{');
                for (at, (key, value)) in map.iter().enumerate() {
                    self.between(at, source);
                    self.key(key, source);
                    self.blank(source);
                    self.out.push(':');
                    self.blank(source);
                    self.value(value, source);
                }
                self.close('}', map.is_empty(), source);
            }
            Value::Array(list) => {
                self.out.push('[');
                for (at, value) in list.iter().enumerate() {
                    self.between(at, source);
                    self.value(value, source);
                }
                self.close(']', list.is_empty(), source);
            }
            Value::String(text) => self.string(text, source),
            Value::Null | Value::Bool(_) if source.chance(20) => {
                self.done.insert(Repair::PythonLiteral);
                let word = value.to_string().replace("null", "none");
                let (first, rest) = word.split_at(1);
                self.out.extend([&first.to_uppercase(), rest]);
            }
            plain => self.out.push_str(&plain.to_string()),
        }
    }

    fn between(&mut self, at: usize, source: &mut Source<'_>) {
        self.blank(source);
        if at > 0 {
            self.out.push(',');
            self.blank(source);
        }
    }

    fn close(&mut self, closer: char, is_empty: bool, source: &mut Source<'_>) {
        self.blank(source);
        if !is_empty && source.chance(15) {
            self.done.insert(Repair::TrailingComma);
            self.out.push(',');
            self.blank(source);
        }
        self.out.push(closer);
    }

    fn blank(&mut self, source: &mut Source<'_>) {
        match source.below(40) {
            0 | 1 => self.out.push(' '),
            2 => self.out.push_str("\r\n\t"),
            3 => {
                self.done.insert(Repair::Blank);
                self.out
                    .push_str(source.pick(&["\u{a0}", "\u{feff}", "\u{2003}", "\u{c}"]));
            }
            4 => {
                self.done.insert(Repair::Comment);
                self.out.push_str(source.pick(&[
                    "// so \"x\": {\n",
                    "# not [ here\n",
                    "/* ,} </think> */",
                ]));
            }
            _ => {}
        }
    }

    fn key(&mut self, key: &str, source: &mut Source<'_>) {
        let is_name =
            key.starts_with(char::is_alphabetic) && key.chars().all(char::is_alphanumeric);
        if is_name && source.chance(25) {
            self.done.insert(Repair::UnquotedKey);
            self.out.push_str(key);
        } else {
            self.string(key, source);
        }
    }

    fn string(&mut self, text: &str, source: &mut Source<'_>) {
        let mut json = Value::from(text).to_string();
        if text.contains('\n') && source.chance(50) {
            self.done.insert(Repair::RawNewline);
            json = json.replace("\\n", "\n");
        }
        if source.chance(25) {
            self.done.insert(Repair::SingleQuotes);
            let inner = &json[1..json.len() - 1];
            json = format!("'{}'", inner.replace("\\\"", "\"").replace('\'', "\\'"));
        }
        self.out.push_str(&json);
    }
}

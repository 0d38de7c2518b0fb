//! What a value is: one recursive descent over the text, which takes everything that models do to JSON and notes what it
//! took. Where it begins is known.

use super::fault::Repair;
use super::json::{Json, MOST_LEVELS, push_step, shown};
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Characters of a comment that a message shows.
const COMMENT: usize = 20;

/// A value that may be the answer.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) value: Json,
    pub(super) range: Range<usize>,
    pub(super) repairs: BTreeSet<Repair>,
    /// The text ends before the last bracket is closed, behind something complete.
    pub(super) open: bool,
    /// A path into what is open, for a message.
    pub(super) place: String,
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether a text is a number of JSON and nothing else, whatever its range.
pub(super) fn is_number(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    begins && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// A value, or what was to be one.
#[derive(Debug)]
pub(super) enum Seen {
    Value(Candidate),
    /// Something stands in it that is no JSON: the place in it, and what it is.
    Broken(String, String),
    /// It breaks off at the end of the text: the place in it, and the comment that runs to the end.
    Cut(String, Option<String>),
}

impl Seen {
    pub(super) fn framed(&mut self, frame: Repair) {
        if let Self::Value(candidate) = self {
            candidate.repairs.insert(frame);
        }
    }
}

/// Why no value could be read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// The text ends in it.
    Cut,
    /// At this place stands something that is no JSON, and nothing that is repaired: what it does.
    Bad(usize, &'static str),
}

pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) at: usize,
    repairs: BTreeSet<Repair>,
    /// JSON pointer of the place. It is not taken back when reading stops: then it says where.
    pub(super) path: String,
    levels: usize,
    /// Entries of objects, and texts and brackets in lists, that were read.
    parts: usize,
    /// Elements of lists that were read.
    pub(super) items: usize,
    /// Where a comment begins that runs to the end of the text.
    comment: Option<usize>,
    /// The text has ended behind something complete, with brackets open.
    open: bool,
    /// The deepest place that was open then.
    place: String,
    /// Where the text is cut in a value: what has come of it.
    pub(super) so_far: Option<Json>,
}

impl<'t> Reader<'t> {
    pub(super) fn at(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            repairs: BTreeSet::new(),
            path: String::new(),
            levels: 0,
            parts: 0,
            items: 0,
            comment: None,
            open: false,
            place: String::new(),
            so_far: None,
        }
    }

    pub(super) fn candidate(self, value: Json, start: usize) -> Candidate {
        Candidate {
            value,
            range: start..self.at,
            repairs: self.repairs,
            open: self.open,
            place: self.place,
        }
    }

    /// What breaks off here.
    pub(super) fn cut(self) -> Seen {
        let comment = self.comment.and_then(|at| self.text.get(at..));
        let comment = comment.map(|comment| {
            let mut cut: String = comment.chars().take(COMMENT).collect();
            if cut.len() < comment.len() {
                cut.push_str("..");
            }
            shown(&cut)
        });
        Seen::Cut(self.path, comment)
    }

    /// Whether what was read is a value that somebody began, and no bracket in prose.
    pub(super) fn begins_value(&self, start: usize) -> bool {
        let mut rest = self.text.get(start..).unwrap_or_default().chars();
        let bracket = rest.next();
        let first = rest.find(|c| !c.is_whitespace());
        self.parts > 0
            || self.levels > 1
            || bracket == Some('"')
            || (bracket == Some('{') && matches!(first, None | Some('"')))
            || (bracket == Some('[') && first.is_none())
    }

    /// Whether a list is one of prose: `[1]`, `[]`.
    pub(super) fn is_aside(&self, value: &Json) -> bool {
        matches!(value, Json::List(_)) && self.parts == 0
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        if is {
            self.at += c.len_utf8();
        }
        is
    }

    /// What stands here is wrong; at the end of the text it may only be missing.
    fn bad<T>(&self, what: &'static str) -> Result<T, Stop> {
        if self.at >= self.text.len() {
            return Err(Stop::Cut);
        }
        Err(Stop::Bad(self.at, what))
    }

    /// Passes white space.
    pub(super) fn pass_blanks(&mut self) {
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
        let is_odd = |c: char| !matches!(c, ' ' | '\t' | '\n' | '\r');
        if self.levels > 0 && rest[..blanks].contains(is_odd) {
            self.repairs.insert(Repair::Blank);
        }
        self.at += blanks;
    }

    /// Passes white space and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            self.pass_blanks();
            let rest = self.rest();
            let end = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n')
            } else if rest.starts_with("/*") {
                rest.find("*/").map(|end| end + 2)
            } else {
                return;
            };
            if end.is_none() {
                self.comment = Some(self.at);
            }
            self.at += end.unwrap_or(rest.len());
            self.repairs.insert(Repair::Comment);
        }
    }

    pub(super) fn value(&mut self) -> Result<Json, Stop> {
        match self.peek() {
            None => Err(Stop::Cut),
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::list),
            Some(quote @ ('"' | '\'')) => {
                let mut text = String::new();
                let read = self.string(quote, &mut text);
                self.as_far(read, Json::Text(text))
            }
            Some('-' | '0'..='9') => self.number(),
            Some(c) if c.is_alphabetic() => self.literal(),
            Some(_) => self.bad("begins no value"),
        }
    }

    /// A value that was read whole; or cut, and kept as far as it has come.
    fn as_far(&mut self, read: Result<(), Stop>, value: Json) -> Result<Json, Stop> {
        match read {
            Ok(()) => Ok(value),
            Err(stop) => {
                self.so_far = matches!(stop, Stop::Cut).then_some(value);
                Err(stop)
            }
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Json, Stop>) -> Result<Json, Stop> {
        self.levels += 1;
        if self.levels > MOST_LEVELS {
            return self.bad("is nested more than 127 deep");
        }
        self.at += 1;
        let value = read(self)?;
        self.levels -= 1;
        Ok(value)
    }

    /// Reads what stands under a step, and what follows it: whether the bracket goes on.
    fn part(&mut self, step: &str, closer: char) -> Result<(Json, bool), Stop> {
        let length = self.path.len();
        push_step(&mut self.path, step);
        let value = self.value()?;
        let end = self.at;
        let may_end = !matches!(value, Json::Number(_));
        let is_part = closer == '}' || value.is_container() || matches!(value, Json::Text(_));
        self.parts += usize::from(is_part);
        self.items += usize::from(closer == ']');
        if !self.open {
            self.blanks();
        }
        if self.at >= self.text.len() {
            // The digits of a number may go on; everything else that is complete may be followed by a bracket, unless it
            // stands in the comment that runs to the end.
            if !may_end || self.comment.is_some() {
                self.so_far = (may_end || end < self.at).then_some(value);
                return Err(Stop::Cut);
            }
            if !self.open {
                self.open = true;
                self.place.clone_from(&self.path);
                self.repairs.insert(Repair::MissingCloser);
            }
            self.path.truncate(length);
            return Ok((value, false));
        }
        if self.take(closer) {
            self.path.truncate(length);
            return Ok((value, false));
        }
        if !self.take(',') {
            return self.bad("stands where a comma or a closing bracket is expected");
        }
        self.path.truncate(length);
        self.blanks();
        let ends = self.take(closer);
        if ends {
            self.repairs.insert(Repair::TrailingComma);
        }
        Ok((value, !ends))
    }

    fn list(&mut self) -> Result<Json, Stop> {
        let mut items = Vec::new();
        let read = self.items(&mut items);
        self.as_far(read, Json::List(items))
    }

    fn items(&mut self, items: &mut Vec<Json>) -> Result<(), Stop> {
        self.blanks();
        let mut goes_on = !self.take(']');
        while goes_on {
            let part = self.part(&items.len().to_string(), ']');
            items.extend(self.so_far.take());
            let (item, more) = part?;
            items.push(item);
            goes_on = more;
        }
        Ok(())
    }

    fn object(&mut self) -> Result<Json, Stop> {
        let mut entries = Vec::new();
        let read = self.entries(&mut entries);
        self.as_far(read, Json::Object(entries))
    }

    fn entries(&mut self, entries: &mut Vec<(String, Json)>) -> Result<(), Stop> {
        // Only asked, never listed.
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        self.blanks();
        let mut goes_on = !self.take('}');
        while goes_on {
            let key = self.key()?;
            self.blanks();
            if !self.take(':') {
                return self.bad("stands where a colon is expected");
            }
            self.blanks();
            let part = self.part(&key, '}');
            entries.extend(self.so_far.take().map(|value| (key.clone(), value)));
            let (value, more) = part?;
            goes_on = more;
            match places.get(&key).and_then(|&place| entries.get(place)) {
                Some((_, before)) => {
                    self.repairs.insert(Repair::DuplicateKey);
                    if *before == value {
                        continue;
                    }
                }
                None => drop(places.insert(key.clone(), entries.len())),
            }
            entries.push((key, value));
        }
        Ok(())
    }

    pub(super) fn key(&mut self) -> Result<String, Stop> {
        match self.peek() {
            None => Err(Stop::Cut),
            Some(quote @ ('"' | '\'')) => {
                let mut name = String::new();
                self.string(quote, &mut name)?;
                Ok(name)
            }
            Some(c) if c.is_alphabetic() || matches!(c, '_' | '$') => {
                let rest = self.rest();
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                let name = rest.get(..end).unwrap_or_default();
                self.at += end;
                self.repairs.insert(Repair::UnquotedKey);
                Ok(name.to_owned())
            }
            Some(_) => self.bad("begins no key"),
        }
    }

    fn number(&mut self) -> Result<Json, Stop> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let digits = rest.get(..end).unwrap_or_default();
        if is_number(digits) {
            self.at += end;
            Ok(Json::Number(digits.to_owned()))
        } else if end == rest.len() {
            Err(Stop::Cut)
        } else {
            self.bad("is no number of JSON")
        }
    }

    fn literal(&mut self) -> Result<Json, Stop> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        let value = match word {
            "null" | "None" => Json::Null,
            "true" | "True" => Json::Bool(true),
            "false" | "False" => Json::Bool(false),
            _ => {
                let begun = ["null", "true", "false", "None", "True", "False"];
                let begins = begun.iter().any(|literal| literal.starts_with(word));
                if end == rest.len() && begins {
                    return Err(Stop::Cut);
                }
                return self.bad("is no value of JSON");
            }
        };
        if word.starts_with(char::is_uppercase) {
            self.repairs.insert(Repair::PythonLiteral);
        }
        self.at += end;
        Ok(value)
    }

    /// Reads a string. Where the text is cut, `text` holds what is complete.
    fn string(&mut self, quote: char, text: &mut String) -> Result<(), Stop> {
        if quote == '\'' {
            self.repairs.insert(Repair::SingleQuotes);
        }
        self.at += 1;
        loop {
            let rest = self.rest();
            let special = |c: char| c == quote || c == '\\' || c < ' ';
            let end = rest.find(special).unwrap_or(rest.len());
            let (plain, rest) = rest.split_at(end);
            text.push_str(plain);
            self.at += end;
            let start = self.at;
            self.at += usize::from(!rest.is_empty());
            match rest.chars().next() {
                None => return Err(Stop::Cut),
                Some('\\') => match self.escape(quote) {
                    Err(Stop::Cut) => {
                        self.at = start;
                        return Err(Stop::Cut);
                    }
                    escaped => text.push(escaped?),
                },
                Some(c @ ('\n' | '\r' | '\t')) => {
                    self.repairs.insert(Repair::RawNewline);
                    text.push(c);
                }
                Some(c) if c == quote => return Ok(()),
                Some(_) => return Err(Stop::Bad(start, "stands in a string as it is")),
            }
        }
    }

    /// What is written behind a backslash.
    fn escape(&mut self, quote: char) -> Result<char, Stop> {
        let Some(c) = self.peek() else {
            return Err(Stop::Cut);
        };
        self.at += c.len_utf8();
        Ok(match c {
            '"' | '\\' | '/' => c,
            '\'' if quote == '\'' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.code(),
            c => {
                let at = self.at - c.len_utf8();
                return Err(Stop::Bad(at, "is no escape of JSON"));
            }
        })
    }

    /// Four digits, or a pair of surrogates.
    fn code(&mut self) -> Result<char, Stop> {
        let first = self.unit()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        let lone = Err(Stop::Bad(self.at - 4, "is a lone surrogate"));
        if !(0xD800..0xDC00).contains(&first) {
            return lone;
        }
        if "\\u".starts_with(self.rest()) {
            return Err(Stop::Cut);
        }
        if !self.rest().starts_with("\\u") {
            return lone;
        }
        self.at += 2;
        let second = self.unit()?;
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
        let code = low.map(|low| 0x10000 + ((first - 0xD800) << 10) + low);
        code.and_then(char::from_u32).map_or(lone, Ok)
    }

    fn unit(&mut self) -> Result<u32, Stop> {
        let rest = self.rest();
        let four = rest.bytes().take(4);
        let digits = four.take_while(u8::is_ascii_hexdigit).count();
        if digits == rest.len() && digits < 4 {
            return Err(Stop::Cut);
        }
        let code = rest.get(..4).filter(|_| digits == 4);
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.bad("stands where four hexadecimal digits are expected"),
        }
    }
}

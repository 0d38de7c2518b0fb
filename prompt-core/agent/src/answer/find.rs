//! Where the values are in an answer, in one pass over the text: the whole of it, those in fences, those in prose; what breaks
//! off and what is broken keeps its place among them, so that the last word counts. Reasoning is passed over.
//!
//! A value is tried at the beginning of the text, else at each bracket in it. What an attempt has read is read again only
//! if it was no attempt at a value at all (`{I think}`), and then only as long as the repeated bytes are a small multiple
//! of the text: so the whole is linear, whatever stands in it.

use super::fault::Repair;
use super::json::{Json, shown};
use super::read::{Reader, Seen, Stop, is_blank};
use super::reasoning::{self, Start};

/// How many times the length of the text may be spent on what is read again.
const MOST_REPEATED: usize = 4;

/// Values that are looked at: of more, the last.
const MOST_FOUND: usize = 200;

/// Characters of a key that is not closed.
const SHOWN: usize = 20;

/// Elements behind a closed list that are looked at for a second closing bracket.
const MOST_BEHIND: usize = 16;

/// What was found in a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the order of the text.
    pub(super) values: Vec<Seen>,
    /// The bracket that came nearest to a value, and why it begins none.
    pub(super) stray: Option<(usize, String)>,
    /// Where the text behind the reasoning begins.
    pub(super) start: usize,
    /// The last tag of reasoning.
    pub(super) reasoning: Option<usize>,
    /// Whether that reasoning does not end.
    pub(super) in_reasoning: bool,
}

/// Finds the values in a text.
///
/// Lists of plain values in prose (`[1]`) are none, unless the type `wants_list`.
pub(super) fn find(text: &str, wants_list: bool) -> Found {
    let start = text.len() - text.trim_start_matches(is_blank).len();
    if let Some(whole) = whole(text, start) {
        return Found {
            values: vec![whole],
            start,
            ..Found::default()
        };
    }
    let mut scan = Scan {
        text,
        wants_list,
        at: start,
        passed: start,
        is_first: true,
        in_fence: false,
        ends: Ends::default(),
        repeated: 0,
        furthest: 0,
        found: Found {
            start,
            ..Found::default()
        },
    };
    scan.run();
    let mut found = scan.found;
    // What begins with no bracket is a value only if it is all that follows the reasoning.
    if found.values.is_empty() && found.reasoning.is_some() && !found.in_reasoning {
        let rest = text.get(found.start..).unwrap_or_default();
        let behind = text.len() - rest.trim_start_matches(is_blank).len();
        found.values.extend(whole(text, behind));
        for seen in &mut found.values {
            seen.framed(Repair::Prose);
        }
    }
    found
}

/// For strict reading: the whole text, or what is in the one fence around it.
pub(super) fn find_strictly(text: &str) -> (&str, bool) {
    let text = text.trim_matches(is_blank);
    let inside = || {
        let rest = text.strip_prefix("```")?.strip_suffix("```")?;
        let (word, inside) = rest.split_once('\n')?;
        (!word.contains(['{', '[', '"', '`'])).then(|| inside.trim_matches(is_blank))
    };
    match inside() {
        Some(inside) => (inside, true),
        None => (text, false),
    }
}

/// Whether a text stops where a fence was opened: what it was to hold is missing.
pub(super) fn ends_in_fence_head(text: &str) -> bool {
    let fences = |line: &&str| line.trim_start().starts_with("```");
    let lines = text.trim_end_matches(is_blank).lines();
    let Some(word) = lines
        .clone()
        .next_back()
        .and_then(|last| last.trim().strip_prefix("```"))
    else {
        return false;
    };
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // Without a word it may be the end of the fence before, or of one whose head is not there.
    let count = lines.filter(fences).count();
    is_word || (word.is_empty() && count % 2 == 1 && count > 1)
}

/// The value that the whole text is from a place on, if it is one or would be if it went on.
pub(super) fn whole(text: &str, start: usize) -> Option<Seen> {
    // Single quotes around everything are those of a shell.
    if text.get(start..).is_some_and(|text| text.starts_with('\'')) {
        return None;
    }
    let mut reader = Reader::at(text, start);
    let value = reader.value();
    let end = reader.at;
    match value {
        Ok(value) => {
            reader.blanks();
            if !reader.rest().is_empty() {
                return None;
            }
            reader.at = end;
            Some(Seen::Value(reader.candidate(value, start)))
        }
        Err(Stop::Cut) if reader.begins_value(start) => Some(reader.cut()),
        Err(_) => None,
    }
}

/// Whether a value is part of another one.
enum Torn {
    No,
    /// Of the one that was met before.
    OfBroken,
    /// Of one whose beginning is missing; how it ends.
    Of(char),
}

/// The closing tags of a text, each looked for once.
#[derive(Default)]
struct Ends {
    /// The first one from a place on that was asked for: its place, and the place behind it.
    next: Option<(usize, usize)>,
    /// There is none behind this place.
    none_from: Option<usize>,
}

impl Ends {
    fn from(&mut self, text: &str, at: usize) -> Option<(usize, usize)> {
        if self.none_from.is_some_and(|none| at >= none) {
            return None;
        }
        if self.next.is_none_or(|(place, _)| place < at) {
            self.next = reasoning::next_end(text, at);
            if self.next.is_none() {
                self.none_from = Some(at);
            }
        }
        self.next
    }
}

/// The values at the brackets of a text.
struct Scan<'t> {
    text: &'t str,
    wants_list: bool,
    at: usize,
    /// Fences are known up to here.
    passed: usize,
    /// Nothing but blanks and the head of a fence stood before.
    is_first: bool,
    in_fence: bool,
    ends: Ends,
    repeated: usize,
    /// The bytes that were read of the bracket that came nearest to a value.
    furthest: usize,
    found: Found,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mark = |at: usize| memchr::memchr3(b'{', b'[', b'<', bytes.get(at..)?);
        while let Some(offset) = mark(self.at) {
            let place = self.at + offset;
            match reasoning::start(self.rest(place)) {
                Start::Tag(tag) if tag.closes => self.reasoned(place, place + tag.length),
                Start::Tag(_) => {
                    let Some((tag, behind)) = self.ends.from(self.text, place) else {
                        self.found.reasoning = Some(place);
                        self.found.in_reasoning = true;
                        return;
                    };
                    self.reasoned(tag, behind);
                }
                _ if bytes[place] == b'<' => self.at = place + 1,
                _ => self.bracket(place),
            }
        }
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    /// What stood before was reasoning.
    fn reasoned(&mut self, tag: usize, end: usize) {
        self.found = Found {
            start: end,
            reasoning: Some(tag),
            ..Found::default()
        };
        (self.at, self.passed) = (end, end);
        (self.is_first, self.in_fence, self.furthest) = (true, false, 0);
    }

    fn bracket(&mut self, opening: usize) {
        let before = self.text.get(self.passed..opening).unwrap_or_default();
        self.in_fence ^= is_odd_fences(before);
        self.passed = opening;
        // A fence's head may stand before the first; nothing else.
        let head = before.trim_matches(is_blank);
        let word = head.trim_start_matches(['`', '~']);
        let is_head = word.is_empty() || (word.len() < head.len() && !word.contains(is_blank));
        let is_first = std::mem::take(&mut self.is_first) && is_head;
        if !is_first && let Some(odd) = never_begins(self.rest(opening)) {
            self.stray(opening, 1, || {
                reason(self.text, odd + opening, "begins no key")
            });
            self.at = opening + 1;
            return;
        }
        let mut reader = Reader::at(self.text, opening);
        match reader.value() {
            Ok(value) if !self.wants_list && reader.is_aside(&value) => {
                self.at = reader.at;
                self.stray(opening, 1, || "it is a list".into());
            }
            Ok(value) => self.value(value, reader, opening),
            Err(stop) if is_first || reader.begins_value(opening) || self.is_list(&reader) => {
                self.unfinished(opening, stop, reader);
            }
            Err(stop) => {
                let read = reader.at - opening;
                self.at = if self.repeats(read) {
                    opening + 1
                } else {
                    reader.at.max(opening + 1)
                };
                self.stray(opening, read, || match stop {
                    Stop::Bad(place, what) => reason(self.text, place, what),
                    Stop::Cut => "it stops in the middle".into(),
                });
            }
        }
        if self.at > opening + 1 {
            self.passed = self.at;
        }
    }

    /// Whether so many bytes may be read again.
    fn repeats(&mut self, bytes: usize) -> bool {
        self.repeated += bytes;
        self.repeated <= MOST_REPEATED * self.text.len()
    }

    /// Whether a list has begun where one is wanted.
    fn is_list(&self, reader: &Reader<'_>) -> bool {
        self.wants_list && reader.items > 0
    }

    fn stray(&mut self, opening: usize, read: usize, why: impl FnOnce() -> String) {
        if read > self.furthest {
            self.furthest = read;
            self.found.stray = Some((opening, why()));
        }
    }

    fn push(&mut self, seen: Seen) {
        self.found.values.push(seen);
        if self.found.values.len() >= 2 * MOST_FOUND {
            self.found.values.drain(..MOST_FOUND);
        }
    }

    fn value(&mut self, value: Json, reader: Reader<'_>, opening: usize) {
        let end = reader.at;
        self.at = end;
        let (next, looked) = goes_on(self.text, &value, end);
        // Who makes us look again and again is not read.
        let next = next.or_else(|| (!self.repeats(looked - end)).then(String::new));
        if let Some(next) = next {
            let bracket = self.text.get(end - 1..end).unwrap_or_default();
            let why = format!("`{bracket}` closes the value before `{next}`");
            self.at = self.skip(end, 1);
            return self.push(Seen::Broken(String::new(), why));
        }
        match self.torn_out(opening, end) {
            Torn::No => {}
            Torn::OfBroken => return,
            Torn::Of(closer) => {
                let why = format!("`{closer}` closes what nothing opens");
                return self.push(Seen::Broken(String::new(), why));
            }
        }
        let mut seen = Seen::Value(reader.candidate(value, opening));
        seen.framed(if self.in_fence {
            Repair::Fence
        } else {
            Repair::Prose
        });
        self.push(seen);
    }

    /// Whether a value is part of another one that could not be read. What looks like the end of something broken may stand in
    /// one of its strings.
    fn torn_out(&self, opening: usize, end: usize) -> Torn {
        let before = self.text.get(self.found.start..opening).unwrap_or_default();
        let before = before.trim_end_matches(is_blank);
        let name = before
            .strip_suffix(':')
            .map(|name| name.trim_end_matches(is_blank));
        let is_entry = name.is_some_and(|name| name.ends_with(['"', '\'']));
        let is_item = before.ends_with([',', '[']);
        let behind = self.rest(end).trim_start_matches(is_blank).chars().next();
        let closer = behind.filter(|c| matches!(c, '}' | ']'));
        let in_broken = matches!(self.found.values.last(), Some(Seen::Broken(..)));
        match closer {
            _ if in_broken && (closer.is_some() || is_item) => Torn::OfBroken,
            Some(closer) if is_entry || is_item => Torn::Of(closer),
            _ => Torn::No,
        }
    }

    /// A value that breaks off, or in which something stands that is no JSON. If reasoning ends in it, it was a draft.
    fn unfinished(&mut self, opening: usize, stop: Stop, reader: Reader<'_>) {
        let read = reader.at;
        match stop {
            Stop::Cut => {
                self.at = self.text.len();
                self.push(reader.cut());
                if let Some((tag, _)) = self.ends.from(self.text, opening)
                    && self.repeats(read - tag)
                {
                    self.at = tag;
                }
            }
            Stop::Bad(place, what) => {
                self.push(Seen::Broken(reader.path, reason(self.text, place, what)));
                self.at = self.skip(opening, 0);
            }
        }
    }

    /// The end of something broken: where its bracket is closed again, strings left out, or a closing tag before.
    fn skip(&mut self, from: usize, depth: usize) -> usize {
        let tag = self.ends.from(self.text, from);
        let end = tag.map_or(self.text.len(), |(tag, _)| tag);
        balanced(self.text.get(..end).unwrap_or_default(), from, depth)
    }
}

/// Whether the marks of fences in a text open or close one.
fn is_odd_fences(text: &str) -> bool {
    let mut rest = text;
    let mut is_odd = false;
    while let Some(at) = rest.find("```").into_iter().chain(rest.find("~~~")).min() {
        let from = rest.get(at..).unwrap_or_default();
        let mark = if from.starts_with('`') { '`' } else { '~' };
        rest = from.trim_start_matches(mark);
        is_odd = !is_odd;
    }
    is_odd
}

/// The place in a text of what never stands behind a brace: a glance, before anything is read.
fn never_begins(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('{')?;
    let rest = inside.trim_start_matches(is_blank);
    let first = rest.chars().next()?;
    let may = first.is_alphabetic() || matches!(first, '"' | '\'' | '}' | '/' | '#' | '_' | '$');
    (!may).then(|| text.len() - rest.len())
}

/// What a value goes on to behind its last bracket, which came too early: `}, "note": "late"}`; and how far was looked.
/// Prose has commas and colons, too.
fn goes_on(text: &str, value: &Json, end: usize) -> (Option<String>, usize) {
    let mut reader = Reader::at(text, end);
    reader.pass_blanks();
    let comma = reader.take(',');
    // Not JSON, but what some write for it.
    let _ = !comma && reader.take(';');
    reader.pass_blanks();
    let next = match value {
        Json::Object(_) => next_key(&mut reader, comma),
        _ if comma => next_item(&mut reader),
        _ => None,
    };
    (next, reader.at)
}

/// The key of an entry that stands behind an object.
fn next_key(reader: &mut Reader<'_>, comma: bool) -> Option<String> {
    if comma && reader.rest().starts_with('"') {
        let begun: String = reader.rest().chars().skip(1).take(SHOWN).collect();
        return Some(reader.key().unwrap_or(begun));
    }
    let is_quoted = reader.rest().starts_with(['"', '\'']);
    let key = reader.key().ok()?;
    reader.pass_blanks();
    if !reader.take(':') && !reader.take('=') {
        return None;
    }
    if is_quoted {
        return Some(key);
    }
    reader.pass_blanks();
    let value = reader.value().ok()?;
    let is_plain = !matches!(value, Json::Text(_)) && !value.is_container();
    reader.pass_blanks();
    let is_entry = match reader.rest().chars().next() {
        Some('}') => true,
        Some(',') | None => comma,
        Some(_) => comma && !is_plain,
    };
    is_entry.then_some(key)
}

/// The first of the elements that stand behind a list and end with a bracket which nothing opens.
fn next_item(reader: &mut Reader<'_>) -> Option<String> {
    let first = reader.value().ok()?;
    for _ in 0..MOST_BEHIND {
        reader.pass_blanks();
        if reader.take(']') {
            return Some(first.excerpt());
        }
        if !reader.take(',') {
            return None;
        }
        reader.pass_blanks();
        reader.value().ok()?;
    }
    None
}

/// The end of what is open at a place, strings left out.
fn balanced(text: &str, from: usize, depth: usize) -> usize {
    let (mut depth, mut in_string, mut escaped) = (depth, false, false);
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// What stands at a place and what is wrong with it.
fn reason(text: &str, at: usize, what: &str) -> String {
    let rest = text.get(at..).unwrap_or_default();
    let is_word = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-');
    let mut word: String = rest.chars().take_while(is_word).take(20).collect();
    if word.is_empty() {
        word = rest.chars().take(1).collect();
    }
    format!("`{}` {what}", shown(&word))
}

//! The lines of a source, and the markers in them.

use super::page::Event;

pub(super) struct Line {
    pub(super) text: String,
    pub(super) is_code: bool,
    /// Bytes of indentation, quote markers, list marker and task box.
    pub(super) head: usize,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        is_blank(&self.text)
    }

    /// What it is as a blank line: in code it is a line like others.
    pub(super) fn blank(&self) -> Event {
        if self.is_code {
            let text = self.text.clone();
            Event::Line { text, kept: None }
        } else {
            Event::Blank(self.text.clone())
        }
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.trim_matches([' ', '\t', '\n']).is_empty()
}

pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// Bytes of indentation and quote markers.
pub(super) fn quote(text: &str) -> usize {
    let mut end = indent(text);
    while text[end..].starts_with('>') {
        end += 1 + indent(&text[end + 1..]);
    }
    end
}

/// Bytes of a list marker and the blanks behind it.
pub(super) fn item(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if digits > 0 {
        digits + usize::from(text[digits..].starts_with(['.', ')']))
    } else {
        usize::from(text.starts_with(['-', '*', '+']))
    };
    let has_mark = mark > digits && (text.len() == mark || text[mark..].starts_with(' '));
    if has_mark {
        mark + indent(&text[mark..])
    } else {
        0
    }
}

pub(super) fn head(text: &str, is_code: bool, is_quoted: bool) -> usize {
    let start = if is_code && !is_quoted {
        indent(text)
    } else {
        quote(text)
    };
    let list = start + item(&text[start..]);
    let is_task = !is_code
        && list > start
        && ["[ ] ", "[x] "]
            .iter()
            .any(|task| text[list..].starts_with(task));
    if is_task {
        list + 3 + indent(&text[list + 3..])
    } else {
        list
    }
}

/// The marks of a line that opens a fence, behind list markers and quote markers.
pub(super) fn fence(text: &str) -> Option<&str> {
    let content = &text[head(text, false, false)..];
    let mark = content.chars().next().filter(|mark| "`~".contains(*mark))?;
    let rest = content.trim_start_matches(mark);
    let marks = &content[..content.len() - rest.len()];
    (marks.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(marks)
}

/// One line that holds nothing but a marker.
pub(super) fn is_marker(text: &str) -> bool {
    let content = text[quote(text)..].trim();
    content
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|inner| Marker::read(inner).is_some())
}

/// The lines without notes, and without the indentation that all of them have.
pub(super) fn source_lines(text: &str) -> Vec<Line> {
    let common = text
        .split('\n')
        .filter(|line| !is_blank(line))
        .map(indent)
        .min()
        .unwrap_or(0);
    let mut lines: Vec<Line> = Vec::new();
    let mut open: Option<(String, bool)> = None;
    let mut given = text
        .split('\n')
        .map(|line| line.get(common..).unwrap_or_default())
        .peekable();
    while let Some(line) = given.next() {
        if open.is_none() && line.trim_start().starts_with("<!--#") {
            let mut last = line;
            while !last.contains("-->") {
                last = given.next().expect("a note is closed");
            }
            // A note that is a paragraph of its own takes the blank lines behind it along; as the last one of a branch or
            // body those before it.
            if given.peek().is_some_and(|next| is_end(next)) {
                while lines.pop_if(|line| line.is_blank()).is_some() {}
            } else if lines.last().is_none_or(Line::is_blank) {
                while given.next_if(|next| is_blank(next)).is_some() {}
            }
            continue;
        }
        let closes = |(marks, _): &(String, bool)| {
            let content = line[quote(line)..].trim_end();
            content.starts_with(&**marks) && content.trim_start_matches(&marks[..1]).is_empty()
        };
        let closes_fence = open.as_ref().is_some_and(closes);
        let is_quoted = open.as_ref().is_some_and(|(_, is_quoted)| *is_quoted);
        let is_code = open.is_some() && !closes_fence;
        let opens = fence(line).filter(|_| open.is_none());
        lines.push(Line {
            head: head(line, is_code, is_quoted),
            text: line.to_owned(),
            is_code,
        });
        if closes_fence {
            open = None;
        } else if let Some(marks) = opens {
            open = Some((marks.to_owned(), line.trim_start().starts_with('>')));
        }
    }
    lines
}

pub(super) fn is_end(line: &str) -> bool {
    let content = line.trim();
    content == "{else}" || content.starts_with("{/") && is_marker(line)
}

/// Level and words of a heading.
pub(super) fn heading(text: &str) -> Option<(usize, &str)> {
    let inner = text.trim_start_matches(' ');
    let text = if text.len() - inner.len() < 4 {
        inner
    } else {
        text
    };
    let words = text.trim_start_matches('#');
    let level = text.len() - words.len();
    let is_heading = (1..=6).contains(&level) && words.starts_with([' ', '\t']);
    is_heading.then(|| (level, without_closing_run(words.trim())))
}

/// The words of a heading without the hashes that close it: these stand behind a blank.
fn without_closing_run(words: &str) -> &str {
    let open = words.trim_end_matches('#');
    if open.ends_with([' ', '\t']) {
        open.trim_end()
    } else {
        words
    }
}

#[derive(Clone, Copy)]
pub(super) enum Marker<'t> {
    If { path: &'t str, negated: bool },
    Each { path: &'t str, alias: &'t str },
    Else,
    End,
}

impl<'t> Marker<'t> {
    pub(super) fn read(inner: &'t str) -> Option<Self> {
        if inner == "else" {
            return Some(Self::Else);
        }
        let rest = inner.get(1..)?;
        match inner.as_bytes()[0] {
            b'/' => Some(Self::End),
            b'?' => Some(Self::If {
                path: rest.trim_start_matches('!'),
                negated: rest.starts_with('!'),
            }),
            b'*' => {
                let (path, alias) = rest.split_once(" as ").unwrap_or((rest, "item"));
                Some(Self::Each { path, alias })
            }
            _ => None,
        }
    }

    /// What it opens.
    pub(super) fn path(self) -> Option<&'t str> {
        match self {
            Self::If { path, .. } | Self::Each { path, .. } => Some(path),
            Self::Else | Self::End => None,
        }
    }
}

/// What stands within a line or a phrase.
pub(super) enum Piece<'t> {
    Words(&'t str),
    Value(&'t str),
    /// `{_}`.
    There,
    Group(Marker<'t>, Vec<Piece<'t>>, Vec<Piece<'t>>),
}

/// A piece of a line as it is printed.
#[derive(Clone)]
pub(super) struct Atom {
    pub(super) text: String,
    pub(super) is_value: bool,
    pub(super) is_there: bool,
    /// Continuation lines take the column of the first.
    pub(super) hangs: bool,
    /// It stands under a condition or loop.
    pub(super) is_under: bool,
}

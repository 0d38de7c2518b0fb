//! One line of a text, and the two shapes of a line that need nothing but the line: headings and fences.

use crate::scan::{find, run};
use alloc::string::String;
use core::ops::Range;

/// A line without its line break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// Position of the first byte in the text.
    pub(crate) start: usize,
    /// The line.
    pub(crate) text: &'t str,
}

impl<'t> Line<'t> {
    /// The rest of the line that `start` lies on; `None` past the end of the text.
    pub(crate) fn at(text: &'t str, start: usize) -> Option<Self> {
        let end = find(text, start..text.len(), [b'\n']).unwrap_or(text.len());
        Some(Self {
            start,
            text: text.get(start..end)?,
        })
    }

    /// Position of the line break.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Position of the next line.
    pub(crate) fn next(&self) -> usize {
        self.end() + 1
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.bytes().all(is_blank)
    }
}

/// Space and tab: what Markdown calls blank inside a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Bytes of blanks at the start of a text.
pub(crate) fn indentation(text: &str) -> usize {
    text.bytes().take_while(|&byte| is_blank(byte)).count()
}

/// A text without the blanks at its start.
pub(crate) fn without_indentation(text: &str) -> &str {
    text.get(indentation(text)..).unwrap_or_default()
}

/// A text without the blanks at its end.
pub(crate) fn without_trail(text: &str) -> &str {
    let trail = text.bytes().rev().take_while(|&byte| is_blank(byte));
    text.get(..text.len() - trail.count()).unwrap_or_default()
}

/// A line that looks like a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    /// One to six hashes and the place of the text, in bytes of the line.
    Title { level: u8, text: Range<usize> },
    /// Hashes without text.
    Empty,
    /// Seven hashes or more, and text.
    TooDeep { hashes: usize },
}

/// Reads what follows the indentation of a line; ranges count from `offset`.
pub(crate) fn heading(content: &str, offset: usize) -> Option<Heading> {
    let hashes = run(content, b'#');
    let rest = content.get(hashes..)?;
    if hashes == 0 || !rest.bytes().next().is_none_or(is_blank) {
        return None;
    }
    let lead = indentation(rest);
    let text = without_closing_run(rest.get(lead..)?);
    match u8::try_from(hashes).ok().filter(|level| *level <= 6) {
        // A row of hashes alone is a banner, not a heading.
        None if rest.len() == lead => None,
        None => Some(Heading::TooDeep { hashes }),
        Some(_) if text.is_empty() => Some(Heading::Empty),
        Some(level) => {
            let start = offset + hashes + lead;
            Some(Heading::Title {
                level,
                text: start..start + text.len(),
            })
        }
    }
}

/// Drops trailing blanks and a closing run of hashes, which counts only after a blank or alone.
pub(crate) fn without_closing_run(text: &str) -> &str {
    let text = without_trail(text);
    if !text.ends_with('#') {
        return text;
    }
    let open = text.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) {
        without_trail(open)
    } else {
        text
    }
}

/// The opening line of a fence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// A backtick or a tilde.
    mark: u8,
    /// The row of them, in bytes of the line.
    pub(crate) marks: Range<usize>,
    /// The info string without outer blanks, in bytes of the line.
    pub(crate) info: Range<usize>,
}

impl Fence {
    /// Reads what follows the indentation of a line; ranges count from `offset`.
    pub(crate) fn open(content: &str, offset: usize) -> Option<Self> {
        let mark = content
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'`' | b'~'))?;
        let count = run(content, mark);
        let rest = content.get(count..)?;
        if count < 3 || (mark == b'`' && rest.contains('`')) {
            return None;
        }
        let lead = indentation(rest);
        let info = without_trail(without_indentation(rest));
        let start = offset + count + lead;
        Some(Self {
            mark,
            marks: offset..offset + count,
            info: start..start + info.len(),
        })
    }

    /// Whether what follows the indentation of a line closes the fence.
    pub(crate) fn is_closed_by(&self, content: &str) -> bool {
        let count = run(content, self.mark);
        count >= self.marks.len() && content.bytes().skip(count).all(is_blank)
    }
}

/// Bytes of the list marker (`-`, `*`, `+`, `1.`, `1)`) that a text starts with; it needs a blank or the line end after.
pub fn list_marker(content: &str) -> Option<usize> {
    let digits = content.bytes().take(10).take_while(u8::is_ascii_digit);
    let digits = Some(digits.count()).filter(|digits| *digits < 10)?;
    let marks: &[char] = if digits > 0 {
        &['.', ')']
    } else {
        &['-', '*', '+']
    };
    let behind = content[digits..].strip_prefix(marks)?;
    (behind.is_empty() || behind.starts_with([' ', '\t', '\n'])).then_some(digits + 1)
}

/// Bytes of what a line may begin with before its words: indentation, quote markers, a list marker, a task box, each with
/// the blanks behind it.
pub(crate) fn line_head(line: &str) -> usize {
    let quote = quote_head(line);
    let item = quote + item_head(&line[quote..]);
    let content = &line[item..];
    let is_box = list_marker(&line[quote..]).is_some()
        && ["[ ]", "[x]", "[X]"]
            .iter()
            .any(|task| content.starts_with(task));
    match content.get(3..).map(indentation) {
        Some(blanks) if is_box && (blanks > 0 || content.len() == 3) => item + 3 + blanks,
        _ => item,
    }
}

/// Bytes of indentation and list marker at the start of a line of code, with the blanks behind it.
pub(crate) fn code_head(line: &str) -> usize {
    let indent = indentation(line);
    indent + item_head(&line[indent..])
}

/// Bytes of a list marker with the blanks behind it, or of these blanks alone.
fn item_head(content: &str) -> usize {
    let marker = list_marker(content).unwrap_or(0);
    marker + indentation(&content[marker..])
}

/// Bytes of indentation and quote markers at the start of a line, with the blanks behind them.
pub(crate) fn quote_head(line: &str) -> usize {
    let mut end = indentation(line);
    while let Some(rest) = line.get(end..).and_then(|rest| rest.strip_prefix('>')) {
        end += 1 + indentation(rest);
    }
    end
}

/// The quote markers at the start of a line, with one blank behind the last: what the next lines of the quote begin with.
/// Empty outside of quotes; a list marker before them counts as indentation.
pub(crate) fn quote_marker(line: &str) -> String {
    let mut quoted = line;
    while let Some(marker) = list_marker(without_indentation(quoted)) {
        quoted = &without_indentation(quoted)[marker..];
    }
    let head = &quoted[..quote_head(quoted)];
    let Some(last) = head.rfind('>') else {
        return String::new();
    };
    let blank = if head.len() > last + 1 { " " } else { "" };
    let indent = " ".repeat(line.len() - quoted.len());
    [&indent, &head[..=last], blank].concat()
}

/// Columns of white space, with tab stops of four.
///
/// ```
/// assert_eq!(prompt_syntax::columns(" \t "), 5);
/// ```
pub fn columns(blanks: &str) -> usize {
    blanks.bytes().fold(0, |column, byte| {
        if byte == b'\t' {
            column + 4 - column % 4
        } else {
            column + 1
        }
    })
}

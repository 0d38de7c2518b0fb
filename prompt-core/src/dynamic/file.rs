//! Places of faults in a prompt file: from a line and column of a text to those of the file in which it is written.

use super::{
    fault::{Fault, Faults},
    given::Span,
};
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use prompt_syntax::{Code, LineCounter};
use std::str::CharIndices;

/// A prompt file.
#[derive(Debug)]
pub(super) struct File {
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    #[cfg(feature = "toml")]
    Toml,
}

/// Something that is not even written in the format of the file.
pub(super) struct Malformed {
    /// A byte, which need not begin a character.
    pub(super) at: usize,
    /// In the words of its reader.
    pub(super) fact: String,
}

/// Why a text holds no values.
pub(super) enum Unreadable {
    /// It is not written in its format.
    Malformed(Vec<Malformed>),
    /// Tables are nested deeper than the parser goes, first at this byte. What it says of the rest is not true then.
    #[cfg(feature = "toml")]
    TooDeep(usize),
}

impl File {
    pub(super) fn new(text: &str) -> Self {
        let text = text.to_owned();
        Self { text }
    }

    /// The file is none at all.
    pub(super) fn malformed(&self, found: Vec<Malformed>) -> Diagnostics {
        let mut faults = Diagnostics::none();
        for Malformed { at, fact } in found {
            let mut at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            let (line, column) = LineCounter::new(&self.text).line_and_column(at);
            faults.extend(Diagnostics::from(Diagnostic {
                place: Some((line, column)),
                line: Some(line),
                column: Some(column),
                ..Diagnostic::new(Code::InvalidInput, "", "", fact, "")
            }));
        }
        faults
    }

    /// Finds the places of faults, and puts the faults in their order. The faults of a text are looked for in one pass
    /// over that text, and their lines in one pass over the file, so that their number does not matter.
    pub(super) fn locate(&self, faults: &mut [Fault]) {
        faults.sort_by_key(|fault| (fault.span.start, fault.diagnostic.place));
        for of_text in faults.chunk_by_mut(|left, right| left.span == right.span) {
            let mut literal: Option<Literal<'_>> = None;
            for fault in of_text {
                fault.at = fault.span.start;
                if let Some(place) = fault.diagnostic.place {
                    let literal = literal.get_or_insert_with(|| Literal::new(self, fault.span));
                    (fault.at, fault.diagnostic.is_exact) = literal.find(place);
                }
            }
        }
        faults.sort_by_key(|fault| fault.at);
        let mut lines = LineCounter::new(&self.text);
        for fault in faults {
            let (line, column) = lines.line_and_column(fault.at);
            fault.diagnostic.line = Some(line);
            fault.diagnostic.column = Some(column);
        }
    }
}

impl Faults {
    /// All of them in the order of the file, or of the tree where there is none.
    pub(super) fn located(mut self, file: Option<&File>) -> Diagnostics {
        self.sort();
        if let Some(file) = file {
            file.locate(&mut self.0);
        }
        let mut faults = Diagnostics::none();
        faults.extend(self.0.into_iter().map(|fault| fault.diagnostic));
        faults
    }
}

/// A text as it is written in a file, from which its characters come one by one.
struct Literal<'s> {
    file: &'s str,
    start: usize,
    characters: CharIndices<'s>,
    /// Whether a backslash means something.
    has_escapes: bool,
    /// Whether a line break may stand in it: between three quotes.
    has_lines: bool,
    /// The place of the next character in the text.
    line: usize,
    column: usize,
    is_exact: bool,
}

impl<'s> Literal<'s> {
    fn new(source: &'s File, span: Span) -> Self {
        let written = &source.text[span.start..span.end];
        // Only TOML has these: a text of JSON that begins with two quotes is empty.
        let is_long = written.starts_with("\"\"\"") || written.starts_with("'''");
        let quotes = if is_long { 3 } else { 1 }.min(written.len());
        let inside = &written[quotes..];
        let first = inside.strip_prefix("\r\n").or(inside.strip_prefix('\n'));
        let text = first.filter(|_| is_long).unwrap_or(inside);
        Self {
            file: &source.text,
            start: span.end - text.len(),
            characters: text.char_indices(),
            has_escapes: written.starts_with('"'),
            has_lines: is_long,
            line: 1,
            column: 1,
            is_exact: true,
        }
    }

    /// The byte of the next character, or of the end.
    fn at(&self) -> usize {
        let at = self.start + self.characters.offset();
        debug_assert!(self.file.is_char_boundary(at));
        at
    }

    /// The byte of the character at this line and column, both from 1, at or behind the one before; and whether that line of
    /// the text begins a line of the file, or the text.
    fn find(&mut self, place: (usize, usize)) -> (usize, bool) {
        while (self.line, self.column) < place {
            let Some((_, c)) = self.characters.next() else {
                break;
            };
            match c {
                '\\' if self.has_escapes => self.escape(),
                '\n' => self.end_line(true),
                _ => self.column += 1,
            }
        }
        (self.at(), self.is_exact)
    }

    fn end_line(&mut self, is_exact: bool) {
        self.line += 1;
        self.column = 1;
        self.is_exact = is_exact;
    }

    /// What stands behind a backslash. Half of a surrogate pair counts for nothing, so that the two are one character;
    /// a line break, with the white space behind it, is none of the text.
    fn escape(&mut self) {
        let digits = match self.characters.next() {
            Some((_, 'n')) => return self.end_line(false),
            // A return alone ends a line, too.
            Some((_, 'r')) if !self.characters.as_str().starts_with("\\n") => {
                return self.end_line(false);
            }
            Some((_, 'u')) => 4,
            Some((_, 'U')) => 8,
            Some((_, 'x')) => 2,
            Some((_, c)) if self.has_lines && c.is_whitespace() => {
                let rest = self.characters.as_str();
                let blanks = rest.len() - rest.trim_start().len();
                while self.characters.as_str().len() > rest.len() - blanks {
                    self.characters.next();
                }
                return;
            }
            _ => 0,
        };
        let rest = self.characters.as_str();
        let hex = rest.get(..digits).unwrap_or_default();
        let code = u32::from_str_radix(hex, 16).unwrap_or_default();
        for _ in 0..hex.len() {
            self.characters.next();
        }
        match code {
            0xD800..0xDC00 => {}
            0xA => self.end_line(false),
            _ => self.column += 1,
        }
    }
}

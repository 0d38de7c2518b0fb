//! Values: as they are written, or with what their place asks of their further lines.

use super::{
    printed::Sourced,
    sheet::{Further, Page},
    space::Space,
};
use crate::document::{Marks, SectionId, Treatment, Value};
use crate::node::{Guarding, Hang, Mark, MarkKind};
use crate::xml::{self, ValuePolicy, ValueRange};
use std::ops::Range;

/// A text that is not the author's, or not all of it.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    words: &'t str,
    /// What is not just the author's words, counted from `offset`; all is a value for `None`.
    marks: Option<&'t [Mark]>,
    offset: usize,
    treatment: Treatment,
    hang: Hang,
    is_raw: bool,
    is_code: bool,
    quote: &'t str,
}

impl<'t> Text<'t> {
    pub(super) fn value(text: &'t str, treatment: Treatment) -> Self {
        Self {
            words: text,
            marks: None,
            offset: 0,
            treatment,
            hang: Hang::None,
            is_raw: false,
            is_code: false,
            quote: "",
        }
    }

    /// Words of the author.
    pub(super) fn words(text: &'t str) -> Self {
        Self {
            marks: Some(&[]),
            ..Self::value(text, Treatment::default())
        }
    }
}

impl<'a> Page<'_, 'a> {
    /// Prints a value. Of a quotation the line that its last break begins has its marker then: gives the blanks behind it.
    /// In what a value is worded as, the marker waits for what follows.
    #[inline]
    pub(super) fn value(
        &mut self,
        number: u32,
        range: crate::document::Range,
        further: &mut Further<'a>,
    ) -> &'a str {
        let document = self.document;
        let value: &Value<'a> = &document.values[number as usize];
        let text = document.words(range);
        self.depends();
        self.indent_line();
        let from = self.len();
        let head = further.head().filter(|_| value.quote.is_empty());
        let is_plain = value.quote.is_empty()
            && head.is_none()
            && value.hang == Hang::None
            && self.indent == 0
            && value.marks == Marks::All
            && !value.treatment.escapes();
        if is_plain {
            self.out.push_str(text);
            if !value.is_raw {
                self.note(from, value.treatment, value.is_code);
            }
        } else {
            let text = Text {
                words: text,
                marks: match value.marks {
                    Marks::All => None,
                    Marks::Of(marks) => Some(&document.marks[marks.usize()]),
                },
                offset: range.usize().start,
                treatment: value.treatment,
                hang: value.hang,
                is_raw: value.is_raw,
                is_code: value.is_code,
                quote: head.map_or(value.quote, |(quote, _)| quote),
            };
            if let Some(head) = head {
                self.begin_value(text.words, head, &mut further.after_break);
            }
            let own = (text.quote, self.hang_columns(text.hang, text.quote));
            match head {
                Some(head) if value.hang == Hang::None => {
                    self.put(text, head, &mut further.after_break);
                }
                Some(_) => self.put(text, own, &mut further.after_break),
                None => self.put(text, own, &mut false),
            }
        }
        if self.printing.with_sources && !value.name.is_empty() {
            self.note_trimmed(from, value.name, value.owner);
        }
        if value.quote.is_empty() || !text.ends_with('\n') {
            return "";
        }
        let (marker, blanks) = value.quote.split_at(value.quote.trim_end().len());
        self.out.push_str(marker);
        blanks
    }

    /// The bytes since then are a value.
    fn note(&mut self, from: usize, treatment: Treatment, is_code: bool) {
        let range = from - self.start..self.len() - self.start;
        if range.is_empty() || treatment.is_raw() {
            return;
        }
        let policy = ValuePolicy {
            strict: treatment.guarding == Guarding::Strict,
            untrusted: treatment.is_untrusted,
            in_code: is_code,
        };
        self.values.push(ValueRange { range, policy });
    }

    /// A text in no line of anybody else's.
    pub(super) fn put_alone(&mut self, text: Text<'_>) {
        self.put(text, ("", self.indent), &mut false);
    }

    /// A text with what its place asks of its further lines.
    pub(super) fn put(&mut self, text: Text<'_>, head: (&str, usize), after_break: &mut bool) {
        let whole = [Mark {
            range: text.offset..text.offset + text.words.len(),
            kind: MarkKind::Value,
        }];
        let marks = text.marks.unwrap_or(&whole);
        self.indent_line();
        let mut at = 0;
        for Mark { range, kind } in marks {
            // At an end of its text a value may have lost what is marked.
            let end_of_text = text.offset + text.words.len();
            let [start, end] = [range.start, range.end]
                .map(|place| place.clamp(text.offset, end_of_text) - text.offset);
            self.put_lines(&text.words[at..start], head, after_break);
            let marked = &text.words[start..end];
            at = end;
            // What the place puts before a line is the author's.
            let from = self.begin_value(marked, head, after_break);
            if text.treatment.escapes() && !text.is_raw {
                self.put_lines(&xml::escape_text(marked), head, after_break);
            } else {
                self.put_lines(marked, head, after_break);
            }
            if !text.is_raw {
                let is_code = text.is_code || *kind == MarkKind::Code;
                self.note(from, text.treatment, is_code);
            }
        }
        self.put_lines(&text.words[at..], head, after_break);
    }

    /// Words of the author in what a value is worded as.
    pub(super) fn put_words(&mut self, words: &str, further: &mut Further<'a>) {
        let Some(head) = further.head() else {
            return self.push(words);
        };
        self.indent_line();
        self.put_lines(words, head, &mut further.after_break);
    }

    /// What a value is worded as begins.
    pub(super) fn begin_further(&mut self, number: u32, further: &mut Further<'a>) {
        let (quote, hang) = self.document.heads[number as usize];
        let columns = self.hang_columns(hang, quote);
        further.heads.push((quote, columns));
    }

    /// It ends. Behind a break the author's words go on in the quotation: gives the blanks behind its marker.
    pub(super) fn end_further(&mut self, further: &mut Further<'a>) -> &'a str {
        let head = further.heads.pop();
        let Some((quote, _)) = head.filter(|_| further.heads.is_empty() && further.after_break)
        else {
            return "";
        };
        further.after_break = false;
        let (marker, blanks) = quote.split_at(quote.trim_end().len());
        self.out.push_str(marker);
        blanks
    }

    /// Where a value begins: behind what its line begins with.
    fn begin_value(&mut self, value: &str, head: (&str, usize), after_break: &mut bool) -> usize {
        if *after_break && !value.is_empty() {
            self.line_head(head, value.starts_with('\n'));
            *after_break = false;
        }
        self.len()
    }

    fn line_head(&mut self, (quote, columns): (&str, usize), is_blank: bool) {
        if is_blank {
            self.out.push_str(quote.trim_end());
        } else {
            self.out.push_str(quote);
            self.blanks(columns);
        }
    }

    fn put_lines(&mut self, text: &str, head: (&str, usize), after_break: &mut bool) {
        for line in text.split_inclusive('\n') {
            if std::mem::take(after_break) {
                self.line_head(head, line == "\n");
            }
            self.out.push_str(line);
            *after_break = line.ends_with('\n');
        }
    }

    /// The column of the further lines of a text, behind its quote marker.
    fn hang_columns(&self, hang: Hang, quote: &str) -> usize {
        match hang {
            Hang::None => self.indent,
            Hang::Column(column) => self.indent + usize::from(column),
            Hang::First => {
                let line = &self.out[self.start..];
                let line = &line[line.rfind('\n').map_or(0, |at| at + 1)..];
                line.chars().count().saturating_sub(quote.chars().count())
            }
        }
    }

    /// A Markdown text that a value gave: in every style it is printed as Markdown, and all of it is a value.
    pub(super) fn markdown(
        &mut self,
        events: Range<usize>,
        level: i32,
        (name, owner): (&str, Option<SectionId>),
        treatment: Treatment,
    ) {
        if events.is_empty() {
            return;
        }
        self.line_break();
        self.indent_line();
        let from = self.len();
        let outer = std::mem::replace(&mut self.space, Space::at(""));
        let style = std::mem::replace(&mut self.is_markdown, true);
        let titles = self.titles.len();
        self.run(events, level, titles);
        self.is_markdown = style;
        self.space = outer;
        self.space.is_started = true;
        self.note(from, treatment, false);
        if let Some(source) = self.note_trimmed(from, name, owner) {
            source.is_aligned = true;
        }
    }

    // Sources.

    pub(super) fn note_source(&mut self, from: usize, name: &str) {
        if self.printing.with_sources && from < self.len() {
            self.printed.sources.push(Sourced {
                range: from - self.start..self.len() - self.start,
                section: self.at,
                name: name.to_owned(),
                is_aligned: false,
            });
        }
    }

    /// What was printed since then, without white space at its ends, is what this gave.
    pub(super) fn note_trimmed(
        &mut self,
        from: usize,
        name: &str,
        owner: Option<SectionId>,
    ) -> Option<&mut Sourced> {
        if !self.printing.with_sources {
            return None;
        }
        let printed = &self.out[from..];
        let start = self.len() - printed.trim_start().len();
        let range = start..start + printed.trim().len();
        if range.is_empty() {
            return None;
        }
        self.printed.sources.push(Sourced {
            range: range.start - self.start..range.end - self.start,
            section: owner,
            name: name.to_owned(),
            is_aligned: false,
        });
        self.printed.sources.last_mut()
    }
}

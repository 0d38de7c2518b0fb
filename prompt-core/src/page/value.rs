//! Values: as they are written, or with what their place asks of their further lines.

use super::{
    printed::Sourced,
    sheet::{Further, Page},
};
use crate::document::{Marks, SectionId, Treatment, Value};
use crate::node::{Guarding, Hang, Mark, MarkPlace, has_byte};
use crate::xml::{self, ValuePolicy, ValueRange};
use prompt_syntax::TagPlace;
use std::{borrow::Cow, ops::Range};

/// A text that is not the author's, or not all of it.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    words: &'t str,
    /// What is not just the author's words, counted from `offset`; all is a value for `None`.
    marks: Option<&'t [Mark]>,
    offset: usize,
    treatment: Treatment,
    is_raw: bool,
    is_code: bool,
    tag: TagPlace,
}

impl<'t> Text<'t> {
    pub(super) fn value(text: &'t str, treatment: Treatment) -> Self {
        Self {
            words: text,
            marks: None,
            offset: 0,
            treatment,
            is_raw: false,
            is_code: false,
            tag: TagPlace::Outside,
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
        let is_inside = !further.heads.is_empty();
        if is_inside && !text.is_empty() {
            self.begin_further_line(text, further);
        }
        let from = self.len();
        let is_at_margin = value.quote.is_empty() && value.hang == Hang::None && self.indent == 0;
        let is_plain = !is_inside
            && (is_at_margin || !has_byte(text.as_bytes(), b'\n'))
            && value.marks == Marks::All
            && value.tag == TagPlace::Outside
            && !value.treatment.escapes();
        if is_plain {
            self.out.push_str(text);
            if !value.is_raw {
                self.note(from, value.treatment, value.is_code, TagPlace::Outside);
            }
        } else {
            let head = self.further_head(value.quote, value.hang, further);
            let text = Text {
                words: text,
                marks: match value.marks {
                    Marks::All => None,
                    Marks::Of(marks) => Some(&document.marks[marks.usize()]),
                },
                offset: range.usize().start,
                treatment: value.treatment,
                is_raw: value.is_raw,
                is_code: value.is_code,
                tag: value.tag,
            };
            let is_empty = text.words.is_empty();
            let after_break = self.put(text, &head);
            further.after_break = is_inside && (after_break || is_empty && further.after_break);
        }
        if self.printing.with_sources && !value.name.is_empty() {
            self.note_trimmed(from, value.name, value.owner);
        }
        if is_inside || value.quote.is_empty() || !text.ends_with('\n') {
            return "";
        }
        self.marker(value.quote)
    }

    /// The marker of a quotation, on a line whose words are still to come: gives the blanks behind it.
    fn marker<'q>(&mut self, quote: &'q str) -> &'q str {
        let (marker, blanks) = quote.split_at(quote.trim_end().len());
        if !marker.is_empty() {
            self.indent_line();
        }
        self.out.push_str(marker);
        blanks
    }

    /// The bytes since then are a value. Guarding looks at those that it has to change, that hold a `<` or stand where one could
    /// reach them, and at all behind one of these, which may be a part of its tag.
    fn note(&mut self, from: usize, treatment: Treatment, is_code: bool, place: TagPlace) {
        let range = from - self.start..self.len() - self.start;
        if range.is_empty() || treatment.is_raw() {
            return;
        }
        let is_untrusted = treatment.is_untrusted;
        self.first_value.get_or_insert((range.start, is_untrusted));
        let is_first = self.values.is_empty() && !self.with_values && !is_untrusted;
        let is_safe = match place {
            TagPlace::Outside => is_first && !has_byte(&self.out.as_bytes()[from..], b'<'),
            TagPlace::Attribute { is_open, .. } => is_first && !is_open,
            TagPlace::Open | TagPlace::Name | TagPlace::Comment => false,
        };
        if is_safe {
            return;
        }
        let policy = ValuePolicy {
            strict: treatment.guarding == Guarding::Strict,
            untrusted: is_untrusted,
            in_code: is_code,
            place,
        };
        let around = self.text_from.saturating_sub(self.start)..usize::MAX;
        self.values.push(ValueRange {
            range,
            around,
            policy,
        });
    }

    /// A text begins or ends, and with it what stands around the values since the last one did.
    pub(super) fn part_text(&mut self) {
        let end = self.len() - self.start;
        let values = self.values.iter_mut().rev();
        for value in values.take_while(|value| value.around.end == usize::MAX) {
            value.around.end = end;
        }
        self.text_from = self.len();
    }

    /// A text in no line of anybody else's.
    pub(super) fn put_alone(&mut self, text: Text<'_>) {
        self.put(text, &" ".repeat(self.indent));
    }

    /// A text whose further lines begin with these words. Gives whether a line is still to be begun.
    pub(super) fn put(&mut self, text: Text<'_>, head: &str) -> bool {
        let whole = [Mark {
            range: text.offset..text.offset + text.words.len(),
            place: MarkPlace::default(),
        }];
        let marks = text.marks.unwrap_or(&whole);
        self.indent_line();
        let (mut at, mut after_break) = (0, false);
        for Mark { range, place } in marks {
            // At an end of its text a value may have lost what is marked.
            let end_of_text = text.offset + text.words.len();
            let [start, end] = [range.start, range.end]
                .map(|place| place.clamp(text.offset, end_of_text) - text.offset);
            self.put_lines(&text.words[at..start], head, &mut after_break);
            let marked = &text.words[start..end];
            at = end;
            // What the place puts before a line is the author's.
            self.begin_line(marked, head, &mut after_break);
            let from = self.len();
            let tag = match text.tag {
                TagPlace::Outside | TagPlace::Open if place.tag != TagPlace::Outside => place.tag,
                tag => tag,
            };
            // Of a name entities would be letters.
            let escaped = text.treatment.escapes() && !text.is_raw && tag != TagPlace::Name;
            let marked = if escaped {
                xml::escape_text(marked)
            } else {
                Cow::Borrowed(marked)
            };
            let is_raw = text.is_raw || text.treatment.is_raw();
            if is_raw || !self.put_in_tag(&marked, tag, text.treatment) {
                self.put_lines(&marked, head, &mut after_break);
            }
            if !text.is_raw {
                self.note(from, text.treatment, text.is_code || place.is_code, tag);
            }
        }
        self.put_lines(&text.words[at..], head, &mut after_break);
        after_break
    }

    /// A value in a tag of the author's, which has no lines. Gives whether it stands in one.
    fn put_in_tag(&mut self, words: &str, tag: TagPlace, treatment: Treatment) -> bool {
        let changed = match tag {
            TagPlace::Name => xml::write_name(words, &mut self.out),
            TagPlace::Attribute { rest, is_last, .. } => {
                xml::write_attribute(words, rest, is_last, &mut self.out)
            }
            TagPlace::Outside | TagPlace::Open | TagPlace::Comment => return false,
        };
        if let Some(at) = changed.filter(|_| treatment.guarding == Guarding::Strict) {
            self.violation.get_or_insert(at - self.start);
        }
        true
    }

    /// Words of the author in what a value is worded as.
    pub(super) fn put_words(&mut self, words: &str, further: &mut Further<'a>) {
        let Some((head, _)) = further.heads.last() else {
            return self.push(words);
        };
        self.indent_line();
        self.put_lines(words, head, &mut further.after_break);
    }

    /// What a value is worded as begins.
    pub(super) fn begin_further(&mut self, number: u32, further: &mut Further<'a>) {
        let (quote, hang) = self.document.heads[number as usize];
        let head = self.further_head(quote, hang, further);
        further.heads.push((head, quote));
    }

    /// It ends. Behind a break the author's words go on in the quotation: gives the blanks behind its marker.
    pub(super) fn end_further(&mut self, further: &mut Further<'a>) -> &'a str {
        let head = further.heads.pop();
        match head.filter(|_| further.heads.is_empty() && further.after_break) {
            Some((_, quote)) => {
                further.after_break = false;
                self.marker(quote)
            }
            None => "",
        }
    }

    /// How the further lines of a value begin: as those around it, in its quotation, in its column.
    fn further_head(&self, quote: &str, hang: Hang, further: &Further<'a>) -> String {
        let around = further.heads.last().map(|(head, _)| &**head);
        let mut head = around.map_or_else(|| " ".repeat(self.indent), str::to_owned);
        head.push_str(quote);
        let column = match hang {
            Hang::None => 0,
            Hang::Column(column) => self.indent + quote.len() + usize::from(column),
            Hang::First => {
                let line = match around.filter(|_| further.after_break) {
                    Some(around) => around,
                    None => self.out[self.start..]
                        .rsplit('\n')
                        .next()
                        .unwrap_or_default(),
                };
                line.chars().count()
            }
        };
        let more = column.saturating_sub(head.chars().count());
        head.extend(std::iter::repeat_n(' ', more));
        head
    }

    fn begin_further_line(&mut self, words: &str, further: &mut Further<'a>) {
        if let Some((head, _)) = further.heads.last() {
            self.begin_line(words, head, &mut further.after_break);
        }
    }

    /// What a line begins with that these words go on, if it is still to be begun.
    fn begin_line(&mut self, words: &str, head: &str, after_break: &mut bool) {
        if !words.is_empty() && std::mem::take(after_break) {
            let is_blank = words.starts_with('\n');
            self.out
                .push_str(if is_blank { head.trim_end() } else { head });
        }
    }

    fn put_lines(&mut self, text: &str, head: &str, after_break: &mut bool) {
        for line in text.split_inclusive('\n') {
            self.begin_line(line, head, after_break);
            self.out.push_str(line);
            *after_break = line.ends_with('\n');
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
        self.space.begin("");
        let style = std::mem::replace(&mut self.is_markdown, true);
        let titles = self.titles.len();
        self.run(events, level, titles);
        self.is_markdown = style;
        self.space.go_on();
        self.note(from, treatment, false, TagPlace::Outside);
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

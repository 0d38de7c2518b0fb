//! Where a text of the user was written: doc attributes, a string literal or a file, as one text with a map from its
//! bytes to spans.

use super::value::{literal, ungrouped};
use proc_macro2::{Literal, Span};
use prompt_syntax::lower::with_line_feeds;
use syn::{Attribute, Lit, LitStr, spanned::Spanned};

/// A text of the user.
#[derive(Clone)]
pub(crate) struct Source {
    /// The text, without common indentation and without blank lines at its ends.
    pub(crate) text: String,
    /// Whether rustdoc sees it.
    pub(crate) doc_comment: bool,
    /// For texts that are not in the Rust file.
    pub(crate) file: Option<String>,
    /// For texts that are one string literal.
    pub(crate) literal: Option<LitStr>,
    /// Whether it stands on the enum around a variant, for which it is read.
    pub(crate) inherited: bool,
    lines: Vec<Line>,
}

/// The doc attributes of an item.
#[derive(Clone, Default)]
pub(crate) struct Docs {
    /// Their text, if there is any.
    pub(crate) source: Option<Source>,
    /// Where a macro makes a text that a derive cannot see: `#[doc = include_str!(..)]`.
    pub(crate) hidden: Option<Span>,
}

impl Docs {
    /// Reads the doc attributes of an item.
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut raw = Vec::new();
        let mut hidden = None;
        let docs = attributes.iter();
        let docs = docs.filter(|attribute| attribute.path().is_ident("doc"));
        for meta in docs.filter_map(|attribute| attribute.meta.require_name_value().ok()) {
            match literal(&meta.value) {
                Some(Lit::Str(literal)) => raw.extend(doc_lines(literal)),
                _ => hidden = hidden.or(Some(ungrouped(&meta.value).span())),
            }
        }
        remove_indentation(&mut raw);
        let source = Source {
            doc_comment: true,
            ..Source::of(raw)
        };
        Self {
            source: (!source.text.is_empty()).then_some(source),
            hidden,
        }
    }

    /// The text, if there is any.
    pub(crate) fn text(&self) -> Option<String> {
        self.source.as_ref().map(|source| source.text.clone())
    }
}

/// A line of the text, and where it comes from.
#[derive(Clone)]
struct Line {
    /// Its first byte in the text.
    start: usize,
    /// The literal that has it.
    literal: Literal,
    /// Where the line begins in that literal.
    origin: Origin,
    /// Bytes of the literal's line that are not in the text: indentation.
    skipped: usize,
}

/// Where a line of a literal begins.
#[derive(Clone, Copy)]
enum Origin {
    /// The only line of a doc attribute: mostly a `///` comment.
    Doc,
    /// The line of a longer literal, from 1.
    Line(usize),
}

/// Where something in a text stands.
pub(crate) struct Location {
    /// The narrowest span there is.
    pub(crate) span: Span,
    /// Line and column, where the span does not say them.
    pub(crate) place: Option<String>,
}

impl Source {
    /// The text of a string literal, without the indentation that all its lines share.
    pub(crate) fn literal(literal: &LitStr) -> Self {
        let mut raw = raw_lines(&literal.value(), literal);
        remove_indentation(&mut raw);
        Self {
            literal: Some(literal.clone()),
            ..Self::of(raw)
        }
    }

    /// The text of a file that `literal` names.
    pub(crate) fn file(name: String, content: &str, literal: &LitStr) -> Self {
        let content = content.strip_prefix('\u{feff}').unwrap_or(content);
        Self {
            file: Some(name),
            ..Self::of(raw_lines(content, literal))
        }
    }

    /// A text to the byte: a `title`, an `item`.
    pub(crate) fn verbatim(literal: &LitStr) -> Self {
        Self {
            literal: Some(literal.clone()),
            ..Self::of_lines(raw_lines(&literal.value(), literal))
        }
    }

    /// Lines without the blank ones at their ends.
    fn of(mut raw: Vec<RawLine>) -> Self {
        let blank = |line: &RawLine| is_blank_line(&line.text);
        while raw.pop_if(|line| blank(line)).is_some() {}
        let leading = raw.iter().take_while(|line| blank(line)).count();
        raw.drain(..leading);
        Self::of_lines(raw)
    }

    fn of_lines(raw: Vec<RawLine>) -> Self {
        let mut text = String::new();
        let mut lines = Vec::with_capacity(raw.len());
        for (index, raw) in raw.into_iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            lines.push(Line {
                start: text.len(),
                ..raw.line
            });
            text.push_str(&raw.text);
        }
        Self {
            text,
            doc_comment: false,
            file: None,
            literal: None,
            inherited: false,
            lines,
        }
    }

    /// Where these bytes of the text were written.
    pub(crate) fn locate(&self, start: usize, end: usize) -> Location {
        let index = self
            .lines
            .partition_point(|line| line.start <= start)
            .saturating_sub(1);
        let Some(line) = self.lines.get(index) else {
            return Location {
                span: Span::call_site(),
                place: None,
            };
        };
        let before = self.text.get(line.start..start).unwrap_or_default();
        let column = line.skipped + before.chars().count() + 1;
        let span = line.literal.span();
        let (span, place) = match line.origin {
            Origin::Doc if writing(&line.literal) == Writing::Slashes => {
                let from = SLASHES + line.skipped + (start - line.start);
                let range = from..from + end.saturating_sub(start).max(1);
                // The column at which the text of the comment begins, from 0.
                let begin = span.start().column + SLASHES;
                let place = || Some(format!("column {}", begin + column));
                let part = line.literal.subspan(range);
                part.map_or_else(|| (span, place()), |part| (part, None))
            }
            Origin::Doc => (span, Some(format!("column {column}"))),
            Origin::Line(number) => {
                let place = match &self.file {
                    Some(file) => format!("{file}:{number}:{column}"),
                    None if self.lines.len() == 1 => format!("column {column}"),
                    None => format!("line {number}, column {column}"),
                };
                (span, Some(place))
            }
        };
        Location { span, place }
    }
}

/// Bytes of `///`.
const SLASHES: usize = 3;

/// A line before the common indentation is gone.
struct RawLine {
    text: String,
    line: Line,
}

/// The lines of a literal or file, to the byte.
fn raw_lines(text: &str, literal: &LitStr) -> Vec<RawLine> {
    let text = with_line_feeds(text);
    let lines = text.split('\n').enumerate();
    lines
        .map(|(index, text)| RawLine {
            text: text.to_owned(),
            line: Line {
                start: 0,
                literal: literal.token(),
                origin: Origin::Line(index + 1),
                skipped: 0,
            },
        })
        .collect()
}

/// The lines of one doc attribute.
fn doc_lines(literal: &LitStr) -> Vec<RawLine> {
    let mut lines = raw_lines(&literal.value(), literal);
    if let [line] = lines.as_mut_slice() {
        line.line.origin = Origin::Doc;
        trim_before_star(line);
        return lines;
    }
    if writing(&literal.token()) == Writing::Stars {
        lines.last_mut().into_iter().for_each(trim_before_star);
        remove_stars(&mut lines);
        lines.pop_if(|line| line.text.trim_matches([' ', '\t', '*']).is_empty());
    }
    lines
}

/// How a doc text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// `/// ..`
    Slashes,
    /// `/** .. */`
    Stars,
    /// `#[doc = ".."]`
    Attribute,
}

/// How a doc text is written. This asks the compiler for the source, so it is not asked of every line.
fn writing(literal: &Literal) -> Writing {
    let source = literal.span().source_text().unwrap_or_default();
    match source.get(..3) {
        Some("///" | "//!") => Writing::Slashes,
        Some("/**" | "/*!") => Writing::Stars,
        _ => Writing::Attribute,
    }
}

/// Takes the blank before `*/` away, which nobody means as text.
fn trim_before_star(line: &mut RawLine) {
    let end = line.text.trim_end_matches([' ', '\t']).len();
    if end < line.text.len() && end > 0 && writing(&line.line.literal) == Writing::Stars {
        line.text.truncate(end);
    }
}

/// Takes indentation and star off the lines of a block comment, where every line after the first has one.
fn remove_stars(lines: &mut [RawLine]) {
    let star = |text: &str| text.trim_start_matches([' ', '\t']).starts_with('*');
    let goes_on = |line: &RawLine| star(&line.text) || is_blank_line(&line.text);
    if lines.iter().skip(1).all(goes_on) {
        for line in lines.iter_mut().skip(1).filter(|line| star(&line.text)) {
            let gone = line.text.find('*').map_or(0, |at| at + 1);
            line.text.drain(..gone);
            line.line.skipped += gone;
        }
    }
}

/// Only spaces and tabs are blank, as in the grammar.
fn is_blank_line(line: &str) -> bool {
    line.trim_matches([' ', '\t', '\r']).is_empty()
}

/// Takes the indentation that all lines with text share off every line, as rustdoc does: where comments and attributes
/// meet, the blank after the slashes of a comment counts for the attributes too.
fn remove_indentation(raw: &mut [RawLine]) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let indentation = |line: &RawLine| line.text.bytes().take_while(is_blank).count();
    let flush = |line: &RawLine| !is_blank_line(&line.text) && indentation(line) == 0;
    let is_indented = raw.iter().any(|line| indentation(line) > 0);
    let may_be_mixed = is_indented && raw.iter().any(flush);
    let is_attribute =
        |line: &RawLine| may_be_mixed && writing(&line.line.literal) == Writing::Attribute;
    let extra = raw.iter().map(|line| usize::from(is_attribute(line)));
    let mut extra: Vec<usize> = extra.collect();
    if !extra.contains(&0) {
        extra.fill(0);
    }
    let texts = raw
        .iter()
        .zip(&extra)
        .filter(|(line, _)| !is_blank_line(&line.text));
    let common = texts
        .map(|(line, extra)| indentation(line) + extra)
        .min()
        .unwrap_or(0);
    for (line, extra) in raw.iter_mut().zip(extra) {
        let gone = common.saturating_sub(extra).min(indentation(line));
        line.text.drain(..gone);
        line.line.skipped += gone;
    }
}

//! Tag balance of a text.

use super::{
    TagError, TagErrorKind, TagErrors,
    scan::{Form, Scanned, scan},
    walk::{Stop, Walk},
};
use std::collections::{BTreeSet, HashMap};

/// Checks that the tags of any text are balanced.
///
/// A tag is `<`, an optional `/`, a name `[A-Za-z_][A-Za-z0-9_.-]*`, attributes `name=value`, an optional `/`, and `>`;
/// anything else is text, such as `a < b` or `<your name here>`. Names are case-sensitive. Comments, CDATA, processing
/// instructions, closed fenced code blocks and inline code are skipped; an opener of one of these that never ends hides
/// nothing. An open tag without attributes that is glued to an identifier, as in `Vec<T>` or `Vec::<T>`, counts as a tag
/// only if a close tag follows that matches it.
///
/// Time is linear in the text.
///
/// # Errors
///
/// Every mistake of the text, in text order, each with kind, line, column and the expected name. A tag whose missing end
/// was named by a [`Mismatched`](TagErrorKind::Mismatched) error is not reported once more as unclosed.
///
/// ```
/// use prompt_core::xml;
/// use prompt_core::xml::TagErrorKind;
///
/// assert!(xml::validate("<rules>Return Vec<T>, see `<b>`.</rules>").is_ok());
///
/// let errors = xml::validate("<rules>\nBe kind.\n</rule>").unwrap_err();
/// let error = &errors.errors()[0];
/// assert_eq!((error.kind, error.line, error.column), (TagErrorKind::Mismatched, 3, 1));
/// assert_eq!(error.expected.as_deref(), Some("rules"));
/// ```
pub fn validate(text: &str) -> Result<(), TagErrors> {
    let mut balance = Balance::default();
    let mut walk = Walk::new(text);
    while let Some(stop) = walk.next() {
        match stop {
            Stop::UnclosedComment(at) => {
                balance.report(TagErrorKind::UnclosedComment, at, "!--", Some("-->"))
            }
            Stop::UnclosedCdata(at) => {
                balance.report(TagErrorKind::UnclosedCdata, at, "![CDATA[", Some("]]>"))
            }
            Stop::Angle(at) => {
                if let Some(scanned) = scan(text, at)
                    && balance.take(&scanned, at, scanned.bare && is_glued(text, at))
                {
                    walk.skip_to(scanned.end);
                }
            }
        }
    }
    balance.finish(text)
}

/// Checks that the tags with the given names are balanced; other tags are text, and nothing is skipped.
///
/// This is the check for the output of the renderer: a stray backtick, fence or comment opener in a value cannot hide a real
/// tag. Names are case-sensitive. Time is linear in the text.
///
/// # Errors
///
/// As for [`validate`].
///
/// ```
/// use prompt_core::xml::validate_known;
///
/// assert!(validate_known("<page_text><p>Hello<br>world ` </page_text>", ["page_text"]).is_ok());
/// assert!(validate_known("<page_text><p>Hello", ["page_text"]).is_err());
/// ```
pub fn validate_known<N: AsRef<str>>(
    text: &str,
    names: impl IntoIterator<Item = N>,
) -> Result<(), TagErrors> {
    let names: Vec<N> = names.into_iter().collect();
    let names: BTreeSet<&str> = names.iter().map(AsRef::as_ref).collect();
    let mut balance = Balance::default();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find('<')) {
        at += offset;
        let taken = scan(text, at)
            .filter(|scanned| names.contains(scanned.name) || balance.closes_in_other_case(scanned))
            .filter(|scanned| balance.take(scanned, at, false));
        at = taken.map_or(at + 1, |scanned| scanned.end);
    }
    balance.finish(text)
}

/// Whether the `<` stands right after an identifier or after `::`: `Vec<T>`, `Vec::<T>`.
fn is_glued(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.ends_with("::") || before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
}

/// The open tags and the mistakes so far.
#[derive(Default)]
struct Balance<'t> {
    open: Vec<Open<'t>>,
    /// Indices of the firm tags among `open`.
    firm: Vec<usize>,
    /// Indices among `open` by name, so that no close tag has to search.
    by_name: HashMap<&'t str, Vec<usize>>,
    found: Vec<Found<'t>>,
}

struct Open<'t> {
    name: &'t str,
    at: usize,
    /// Counts as a tag whether it is closed or not.
    firm: bool,
    /// An error has named its missing end.
    named: bool,
}

struct Found<'t> {
    kind: TagErrorKind,
    at: usize,
    tag: &'t str,
    expected: Option<&'t str>,
}

impl<'t> Balance<'t> {
    fn report(&mut self, kind: TagErrorKind, at: usize, tag: &'t str, expected: Option<&'t str>) {
        self.found.push(Found {
            kind,
            at,
            tag,
            expected,
        });
    }

    /// Takes what was scanned into account; false if it is text.
    fn take(&mut self, scanned: &Scanned<'t>, at: usize, glued: bool) -> bool {
        let Scanned {
            name,
            close,
            bare,
            form,
            ..
        } = *scanned;
        match (form, close) {
            (Form::Text, _) => return false,
            (Form::Broken, _) => {
                self.report(TagErrorKind::MalformedTag, at, name, None);
                // It was meant to open something: its close tag, if there is one, is no mistake of its own.
                if !close {
                    self.push(name, at, false);
                }
                return false;
            }
            (Form::Plain, false) => self.push(name, at, !glued),
            (Form::Plain, true) if bare => self.close(name, at),
            (_, true) => {
                self.report(TagErrorKind::MalformedTag, at, name, None);
                if let Some(index) = self.closable(name) {
                    self.pop_to(index);
                }
            }
            (Form::SelfClosing, false) => {}
        }
        true
    }

    fn push(&mut self, name: &'t str, at: usize, firm: bool) {
        let index = self.open.len();
        self.open.push(Open {
            name,
            at,
            firm,
            named: false,
        });
        self.by_name.entry(name).or_default().push(index);
        if firm {
            self.firm.push(index);
        }
    }

    /// The innermost open tag of this name, wherever it is.
    fn innermost(&self, name: &str) -> Option<usize> {
        self.by_name.get(name)?.last().copied()
    }

    /// The open tag that a close tag of this name may close: no firm tag stands above it.
    fn closable(&self, name: &str) -> Option<usize> {
        self.innermost(name)
            .filter(|index| self.firm.last().is_none_or(|firm| index >= firm))
    }

    fn close(&mut self, name: &'t str, at: usize) {
        if let Some(index) = self.closable(name) {
            return self.pop_to(index);
        }
        let innermost = self.innermost(name);
        let Some(&index) = self.firm.last() else {
            return self.report(TagErrorKind::UnexpectedClose, at, name, None);
        };
        let Some(expected) = self.open.get_mut(index) else {
            return;
        };
        let expected_name = expected.name;
        expected.named = true;
        if expected_name.eq_ignore_ascii_case(name) {
            self.report(TagErrorKind::CaseMismatch, at, name, Some(expected_name));
            return self.pop_to(index);
        }
        self.report(TagErrorKind::Mismatched, at, name, Some(expected_name));
        // The tag that was meant is open further out: what stands above it is lost. A mere candidate loses nothing.
        if let Some(outer) =
            innermost.filter(|&outer| self.open.get(outer).is_some_and(|open| open.firm))
        {
            self.pop_to(outer);
        }
    }

    /// Closes the tag with this index and everything inside it.
    fn pop_to(&mut self, index: usize) {
        while self.open.len() > index
            && let Some(open) = self.open.pop()
        {
            if let Some(indices) = self.by_name.get_mut(open.name) {
                indices.pop();
            }
            if open.firm {
                self.firm.pop();
            }
        }
    }

    fn closes_in_other_case(&self, scanned: &Scanned<'t>) -> bool {
        let innermost = self.firm.last().and_then(|&index| self.open.get(index));
        scanned.close && innermost.is_some_and(|open| open.name.eq_ignore_ascii_case(scanned.name))
    }

    fn finish(mut self, text: &str) -> Result<(), TagErrors> {
        let unclosed = self
            .open
            .iter()
            .filter(|open| open.firm && !open.named)
            .map(|open| Found {
                kind: TagErrorKind::Unclosed,
                at: open.at,
                tag: open.name,
                expected: Some(open.name),
            });
        self.found.extend(unclosed);
        self.found.sort_by_key(|found| found.at);
        let mut place = Place::default();
        TagErrors::check(
            self.found
                .iter()
                .map(|found| place.error(text, found))
                .collect(),
        )
    }
}

/// Turns rising offsets into lines and columns in one pass.
struct Place {
    offset: usize,
    line: usize,
    column: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            offset: 0,
            line: 1,
            column: 1,
        }
    }
}

impl Place {
    fn error(&mut self, text: &str, found: &Found<'_>) -> TagError {
        for character in text.get(self.offset..found.at).unwrap_or_default().chars() {
            if character == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.offset = found.at;
        TagError {
            kind: found.kind,
            line: self.line,
            column: self.column,
            offset: found.at,
            tag: found.tag.to_owned(),
            expected: found.expected.map(ToOwned::to_owned),
        }
    }
}

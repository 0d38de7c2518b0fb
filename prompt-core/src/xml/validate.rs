//! Tag balance of a text: where the tags are, and which of them do not match.

use super::{
    names::{is_name_byte, is_name_start},
    regions::{Stop, Walk},
    tag_error::{TagError, TagErrorKind, TagErrors},
};
use memchr::{memchr, memchr_iter};
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
    if memchr(b'<', text.as_bytes()).is_none() {
        return Ok(());
    }
    let mut balance = Balance::default();
    let mut walk = Walk::new(text);
    while let Some(stop) = walk.next() {
        match stop {
            Stop::UnclosedComment(at) => {
                balance.report(TagErrorKind::UnclosedComment, at, "!--", Some("-->"));
            }
            Stop::UnclosedCdata(at) => {
                balance.report(TagErrorKind::UnclosedCdata, at, "![CDATA[", Some("]]>"));
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

/// Checks that the tags with the given names are balanced; other tags are text, and nothing is skipped. An open tag with words
/// in it that are no attributes, as in `<task number 17>`, counts as a tag if a close tag follows that matches it.
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
/// assert!(validate_known("<task number 17>Sweep.</task>", ["task"]).is_ok());
/// ```
pub fn validate_known<N: AsRef<str>>(
    text: &str,
    names: impl IntoIterator<Item = N>,
) -> Result<(), TagErrors> {
    let names: Vec<N> = names.into_iter().collect();
    let names: BTreeSet<&str> = names.iter().map(AsRef::as_ref).collect();
    let mut balance = Balance::default();
    let mut next = 0;
    for at in memchr_iter(b'<', text.as_bytes()) {
        if at < next {
            continue;
        }
        let taken = scan(text, at)
            .filter(|scanned| names.contains(scanned.name) || balance.closes_in_other_case(scanned))
            .map(|scanned| with_words(text, scanned))
            .filter(|scanned| balance.take(scanned, at, false));
        next = taken.map_or(at, |scanned| scanned.end);
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
    /// The innermost open tag of each name, so that no close tag has to search.
    innermost: HashMap<&'t str, usize>,
    found: Vec<Found<'t>>,
}

struct Open<'t> {
    name: &'t str,
    at: usize,
    /// The next open tag of this name further out.
    outer: Option<usize>,
    /// Counts as a tag whether it is closed or not.
    firm: bool,
    /// An error has named its missing end.
    named: bool,
}

impl<'t> Open<'t> {
    fn unclosed(&self) -> Found<'t> {
        Found {
            kind: TagErrorKind::Unclosed,
            at: self.at,
            tag: self.name,
            expected: Some(self.name),
        }
    }
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
            (Form::Words, false) => self.push(name, at, false),
            (Form::Words, true) => match self.closable(name) {
                Some(index) => self.pop_to(index),
                None => return false,
            },
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
        let outer = self.innermost.insert(name, index);
        self.open.push(Open {
            name,
            at,
            outer,
            firm,
            named: false,
        });
        if firm {
            self.firm.push(index);
        }
    }

    /// The innermost open tag of this name, wherever it is.
    fn innermost(&self, name: &str) -> Option<usize> {
        self.innermost.get(name).copied()
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
            match open.outer {
                Some(outer) => self.innermost.insert(open.name, outer),
                None => self.innermost.remove(open.name),
            };
            if open.firm {
                self.firm.pop();
            }
        }
    }

    fn closes_in_other_case(&self, scanned: &Scanned<'t>) -> bool {
        let innermost = self.firm.last().and_then(|&index| self.open.get(index));
        scanned.close && innermost.is_some_and(|open| open.name.eq_ignore_ascii_case(scanned.name))
    }

    /// The mistakes and the tags that are still open, merged in text order.
    fn finish(mut self, text: &str) -> Result<(), TagErrors> {
        if !self.found.is_sorted_by_key(|found| found.at) {
            self.found.sort_by_key(|found| found.at);
        }
        self.open.retain(|open| open.firm && !open.named);
        let mut errors = Vec::with_capacity(self.found.len() + self.open.len());
        let mut unclosed = self.open.iter().map(Open::unclosed).peekable();
        let mut place = Place::default();
        for found in &self.found {
            while let Some(open) = unclosed.next_if(|open| open.at < found.at) {
                errors.push(place.error(text, &open));
            }
            errors.push(place.error(text, found));
        }
        errors.extend(unclosed.map(|open| place.error(text, &open)));
        TagErrors::check(errors)
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

/// What stands at a `<` that is followed by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scanned<'t> {
    name: &'t str,
    /// Whether it begins with `</`.
    close: bool,
    /// Whether it has no attributes.
    bare: bool,
    /// One past the name.
    name_end: usize,
    /// One past the last byte looked at.
    end: usize,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Ends with `>`.
    Plain,
    /// Ends with `/>`.
    SelfClosing,
    /// Ends with `>`, with words in it that are no attributes.
    Words,
    /// Has a quoted attribute, so it was meant as a tag, and meets `<` or the end of the text before its `>`.
    Broken,
    /// No tag after all.
    Text,
}

/// One tag at one place: the grammar `<` `/`? name (blanks name=value)* blanks `/`? `>`.
///
/// A scan never passes a `<` outside quotes. Hence at any place of a text at most three scans that began earlier are still
/// under way (one outside quotes, one in each kind of quotes), and scanning at every `<` is linear in the text.
///
/// `None` if no name follows.
fn scan(text: &str, at: usize) -> Option<Scanned<'_>> {
    let mut cursor = Cursor { text, at: at + 1 };
    let close = cursor.eat(b'/');
    let name = cursor.name()?;
    let mut scanned = Scanned {
        name,
        close,
        bare: true,
        name_end: cursor.at,
        end: cursor.at,
        form: Form::Text,
    };
    let mut quoted = false;
    scanned.form = loop {
        let blank = cursor.blanks();
        match cursor.peek() {
            Some(b'>') => break cursor.end(1, Form::Plain),
            Some(b'/') if cursor.follows("/>") => break cursor.end(2, Form::SelfClosing),
            Some(byte) if blank && is_name_start(byte) => scanned.bare = false,
            None | Some(b'<') if quoted => break Form::Broken,
            _ => break Form::Text,
        }
        match cursor.attribute() {
            Attribute::Plain => {}
            Attribute::Quoted => quoted = true,
            Attribute::Open => break Form::Broken,
            Attribute::None => break Form::Text,
        }
    };
    scanned.end = cursor.at;
    Some(scanned)
}

enum Attribute {
    Quoted,
    Plain,
    /// A quote that never closes.
    Open,
    None,
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn follows(&self, expected: &str) -> bool {
        self.text
            .as_bytes()
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(expected.as_bytes()))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn end(&mut self, bytes: usize, form: Form) -> Form {
        self.at += bytes;
        form
    }

    fn while_byte(&mut self, accept: impl Fn(u8) -> bool) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn blanks(&mut self) -> bool {
        !self
            .while_byte(|byte| byte.is_ascii_whitespace())
            .is_empty()
    }

    fn name(&mut self) -> Option<&'t str> {
        self.peek().filter(|&byte| is_name_start(byte))?;
        Some(self.while_byte(is_name_byte))
    }

    /// `name=value`. Blanks around the `=` are for quoted values only: `i <n k = 3>` is a comparison.
    fn attribute(&mut self) -> Attribute {
        self.while_byte(|byte| is_name_byte(byte) || byte == b':');
        let mut spaced = self.blanks();
        if !self.eat(b'=') {
            return Attribute::None;
        }
        spaced |= self.blanks();
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            Some(_) if !spaced => self.unquoted(),
            _ => Attribute::None,
        }
    }

    fn quoted(&mut self, quote: u8) -> Attribute {
        self.at += 1;
        self.while_byte(|byte| byte != quote);
        if self.eat(quote) {
            Attribute::Quoted
        } else {
            Attribute::Open
        }
    }

    fn unquoted(&mut self) -> Attribute {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let ends =
                byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`');
            if ends || self.follows("/>") {
                break;
            }
            self.at += 1;
        }
        if self.at == start {
            Attribute::None
        } else {
            Attribute::Plain
        }
    }
}

/// A tag with words in it that are no attributes: what ends it is the first `>` outside quotes, and those open behind an `=`.
///
/// As a scan, this never passes a `<` outside quotes, and after a stray quote it looks at none.
fn with_words<'t>(text: &str, scanned: Scanned<'t>) -> Scanned<'t> {
    if scanned.form != Form::Text {
        return scanned;
    }
    let bytes = text.as_bytes();
    let (mut at, mut before, mut plain) = (scanned.name_end, b' ', false);
    let mut after_equals = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'<' => break,
            b'>' => {
                let form = match before {
                    b'/' => Form::SelfClosing,
                    _ => Form::Words,
                };
                let end = at + 1;
                return Scanned {
                    end,
                    form,
                    ..scanned
                };
            }
            b'"' | b'\'' if after_equals && !plain => {
                let rest = bytes.get(at + 1..).unwrap_or_default();
                let Some(length) = memchr(byte, rest) else {
                    break;
                };
                at += length + 1;
            }
            b'"' | b'\'' => plain = true,
            _ => {}
        }
        after_equals = byte == b'=' || (after_equals && byte.is_ascii_whitespace());
        before = byte;
        at += 1;
    }
    scanned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Option<Form> {
        scan(text, 0).map(|scanned| scanned.form)
    }

    #[test]
    fn tags() {
        for text in [
            "<a>",
            "</a>",
            "<a >",
            "<a_b.c-d>",
            "<a x=\">\">",
            "<a\n x='1'\n y = \"2\">",
            "<a x=1 y=a/b>",
            "<a xml:lang=\"de\">",
        ] {
            assert_eq!(form(text), Some(Form::Plain), "{text}");
        }
        assert_eq!(form("<a/>"), Some(Form::SelfClosing));
        assert_eq!(form("<a x=1 />"), Some(Form::SelfClosing));
        assert_eq!(form("<a x=1/>"), Some(Form::SelfClosing));
    }

    #[test]
    fn text() {
        for text in [
            "<a",
            "<a b>",
            "<a, b>",
            "<your name here>",
            "<a x=>",
            "<a x= 1>",
            "<a x=1",
            "<a x=\"1\"y=\"2\">",
            "<https://x.y>",
        ] {
            assert_eq!(form(text), Some(Form::Text), "{text}");
        }
        for text in ["< a>", "<3>", "<=", "<", "</", "<!x>", "<é>"] {
            assert_eq!(form(text), None, "{text}");
        }
    }

    #[test]
    fn broken_tags() {
        for text in ["<a x=\"1>", "<a x=\"1\"", "<a x='1' <b>", "<a x=\"1\" y='"] {
            assert_eq!(form(text), Some(Form::Broken), "{text}");
        }
    }
}

//! One tag at one place: the grammar `<` `/`? name (blanks name=value)* blanks `/`? `>`.
//!
//! A scan never passes a `<` outside quotes. Hence at any place of a text at most three scans that began earlier are still
//! under way (one outside quotes, one in each kind of quotes), and scanning at every `<` is linear in the text.

use super::name::{is_name_byte, is_name_start};

/// What stands at a `<` that is followed by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned<'t> {
    pub(super) name: &'t str,
    /// Whether it begins with `</`.
    pub(super) close: bool,
    /// Whether it has no attributes.
    pub(super) bare: bool,
    /// One past the last byte looked at.
    pub(super) end: usize,
    pub(super) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Ends with `>`.
    Plain,
    /// Ends with `/>`.
    SelfClosing,
    /// Has a quoted attribute, so it was meant as a tag, and meets `<` or the end of the text before its `>`.
    Broken,
    /// No tag after all.
    Text,
}

/// Scans at the `<` at byte `at`. `None` if no name follows.
pub(super) fn scan(text: &str, at: usize) -> Option<Scanned<'_>> {
    let mut cursor = Cursor { text, at: at + 1 };
    let close = cursor.eat(b'/');
    let name = cursor.name()?;
    let mut scanned = Scanned {
        name,
        close,
        bare: true,
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

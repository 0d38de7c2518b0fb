//! Tags in a text, by the grammar that prompts use: `<`, perhaps `/`, a name, attributes `name=value`, perhaps `/`, `>`.
//! Comments, CDATA and processing instructions are told apart. Anything else after a `<` is text.
//!
//! A scan never passes a `<` outside of quotes. Hence at any place of a text at most three scans that began earlier are
//! under way (one outside of quotes, one in each kind of quotes), and scanning at every `<` is linear in the text.

use crate::{
    Element, Elements, Inline,
    code_span::{CodeKind, code},
    name::is_tag_byte,
    scan::find,
};
use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops::Range;

/// A tag, or what begins like one. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag {
    /// What it is.
    pub kind: TagKind,
    /// From the `<` to behind the `>`; for what is broken or unclosed to where the scan stopped.
    pub range: Range<usize>,
    /// The name; empty for comments, CDATA and processing instructions.
    pub name: Range<usize>,
    /// The attributes, in order.
    pub attributes: Vec<Attribute>,
}

/// The kinds of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TagKind {
    /// `<name ..>`
    Open,
    /// `</name>`
    Close,
    /// `<name ../>`
    SelfClosing,
    /// `<!-- .. -->`
    Comment,
    /// `<![CDATA[ .. ]]>`
    CData,
    /// `<? .. ?>`
    Instruction,
    /// A tag with a quoted attribute, so it was meant as one, that meets `<` or the end of the text before its `>`; or
    /// a closing tag with attributes or `/>`.
    Malformed,
    /// A `<!--` without `-->`; it hides nothing.
    UnclosedComment,
    /// A `<![CDATA[` without `]]>`; it hides nothing.
    UnclosedCData,
}

/// An attribute of a tag. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// Its name.
    pub name: Range<usize>,
    /// Its value, without quotes.
    pub value: Range<usize>,
    /// The quote it stands in.
    pub quote: Option<char>,
}

/// What stands for a variable where the text of a prompt is scanned: U+FFFC, the object replacement character. As the
/// value of an attribute it needs no quotes.
pub const PLACEHOLDER: char = '\u{FFFC}';

/// The tag at the `<` at a byte; `None` if it is text.
///
/// Line breaks and blanks are allowed where XML allows them; blanks around a `=` only before a quoted value, since
/// `i <n k = 3>` is a comparison.
///
/// ```
/// use prompt_syntax::{TagKind, tag_at};
///
/// let text = "see <file path=\"a>b\"\n lines=3 >";
/// let tag = tag_at(text, 4).unwrap();
/// assert_eq!((tag.kind, &text[tag.name], tag.range.end), (TagKind::Open, "file", text.len()));
/// assert_eq!(&text[tag.attributes[0].value.clone()], "a>b");
/// assert_eq!(tag_at("Vec<T, U>", 3), None);
/// assert_eq!(tag_at("<your name here>", 0), None);
/// ```
pub fn tag_at(text: &str, at: usize) -> Option<Tag> {
    let mut cursor = Cursor { text, at };
    if !cursor.eat(b'<') {
        return None;
    }
    let is_close = cursor.eat(b'/');
    let name = cursor.name()?;
    let mut attributes: Vec<Attribute> = Vec::new();
    let kind = loop {
        let has_blanks = cursor.blanks();
        let is_quoted = || attributes.iter().any(|attribute| attribute.quote.is_some());
        match cursor.peek() {
            Some(b'>') => {
                cursor.at += 1;
                break if is_close {
                    TagKind::Close
                } else {
                    TagKind::Open
                };
            }
            Some(b'/') if cursor.follows("/>") => {
                cursor.at += 2;
                break TagKind::SelfClosing;
            }
            Some(byte) if has_blanks && is_name_start(byte) => {}
            None | Some(b'<') if is_quoted() => break TagKind::Malformed,
            _ => return None,
        }
        match cursor.attribute() {
            Found::Attribute(attribute) => attributes.push(attribute),
            Found::OpenQuote => break TagKind::Malformed,
            Found::Nothing => return None,
        }
    };
    let is_wrong_close = is_close && (kind == TagKind::SelfClosing || !attributes.is_empty());
    Some(Tag {
        kind: if is_wrong_close {
            TagKind::Malformed
        } else {
            kind
        },
        range: at..cursor.at,
        name,
        attributes,
    })
}

/// The tags of a text, in order, comments, CDATA and processing instructions among them. What stands in these, in closed
/// fences and in inline code is skipped. The time is linear in the length of the text.
///
/// ```
/// use prompt_syntax::{TagKind, tags};
///
/// let text = "<rules>\n<!-- <no> --> `<code>` Vec<T, U>\n</rules>";
/// let kinds: Vec<_> = tags(text).map(|tag| tag.kind).collect();
/// assert_eq!(kinds, [TagKind::Open, TagKind::Comment, TagKind::Close]);
/// ```
pub fn tags(text: &str) -> Tags<'_> {
    let is_hidden =
        |kind: CodeKind| matches!(kind, CodeKind::Inline | CodeKind::Fence { is_closed: true });
    let hidden = if text.contains('<') {
        let ranges = code(text).into_iter().filter(|code| is_hidden(code.kind));
        ranges.map(|code| code.range).collect()
    } else {
        Vec::new()
    };
    Tags {
        text,
        at: 0,
        hidden,
        next_hidden: 0,
        missing: [false; 3],
    }
}

/// See [`tags`].
#[derive(Clone, Debug)]
pub struct Tags<'t> {
    text: &'t str,
    at: usize,
    /// Code, in order.
    hidden: Vec<Range<usize>>,
    next_hidden: usize,
    /// For comments, CDATA and instructions: no end follows any more, so none needs to be searched for.
    missing: [bool; 3],
}

/// What begins with these, ends with those.
const REGIONS: [(&str, &str, TagKind); 3] = [
    ("<!--", "-->", TagKind::Comment),
    ("<![CDATA[", "]]>", TagKind::CData),
    ("<?", "?>", TagKind::Instruction),
];

impl Tags<'_> {
    /// What stands at a `<`.
    fn read(&mut self, at: usize) -> Option<Tag> {
        self.at = at + 1;
        let rest = self.text.get(at..).unwrap_or_default();
        let mut regions = REGIONS.iter().zip(&mut self.missing);
        let region = regions.find(|((open, ..), _)| rest.starts_with(open));
        let Some(((open, close, kind), missing)) = region else {
            let tag = tag_at(self.text, at)?;
            if !matches!(tag.kind, TagKind::Malformed) {
                self.at = tag.range.end;
            }
            return Some(tag);
        };
        let from = at + open.len();
        if *missing {
            return None;
        }
        let found = self.text.get(from..).and_then(|rest| rest.find(close));
        *missing = found.is_none();
        let kind = match (found, kind) {
            (Some(_), kind) => *kind,
            (None, TagKind::Comment) => TagKind::UnclosedComment,
            (None, TagKind::CData) => TagKind::UnclosedCData,
            (None, _) => return None,
        };
        let end = found.map_or(from, |found| from + found + close.len());
        self.at = end;
        Some(Tag {
            kind,
            range: at..end,
            name: at + 1..at + 1,
            attributes: Vec::new(),
        })
    }

    /// The end of the code that a position lies in.
    fn hidden_end(&mut self, at: usize) -> Option<usize> {
        let rest = self.hidden.get(self.next_hidden..).unwrap_or_default();
        self.next_hidden += rest.iter().take_while(|code| code.end <= at).count();
        let code = self.hidden.get(self.next_hidden)?;
        (code.start <= at).then_some(code.end)
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        loop {
            let at = find(self.text, self.at..self.text.len(), [b'<'])?;
            if let Some(end) = self.hidden_end(at) {
                self.at = end;
            } else if let Some(tag) = self.read(at) {
                return Some(tag);
            }
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

enum Found {
    Attribute(Attribute),
    /// A quote that never closes.
    OpenQuote,
    Nothing,
}

/// A place in a text.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn follows(&self, expected: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..);
        rest.is_some_and(|rest| rest.starts_with(expected.as_bytes()))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn while_byte(&mut self, accept: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        while self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        start..self.at
    }

    fn blanks(&mut self) -> bool {
        !self
            .while_byte(|byte| byte.is_ascii_whitespace())
            .is_empty()
    }

    fn name(&mut self) -> Option<Range<usize>> {
        self.peek().filter(|&byte| is_name_start(byte))?;
        Some(self.while_byte(is_tag_byte))
    }

    /// `name=value`. Blanks around the `=` are for quoted values only.
    fn attribute(&mut self) -> Found {
        let name = self.while_byte(|byte| is_tag_byte(byte) || byte == b':');
        let mut is_spaced = self.blanks();
        if !self.eat(b'=') {
            return Found::Nothing;
        }
        is_spaced |= self.blanks();
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.while_byte(|byte| byte != quote);
                if !self.eat(quote) {
                    return Found::OpenQuote;
                }
                Found::Attribute(Attribute {
                    name,
                    value,
                    quote: Some(char::from(quote)),
                })
            }
            Some(_) if !is_spaced => self.unquoted(name),
            _ => Found::Nothing,
        }
    }

    fn unquoted(&mut self, name: Range<usize>) -> Found {
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
            return Found::Nothing;
        }
        Found::Attribute(Attribute {
            name,
            value: start..self.at,
            quote: None,
        })
    }
}

/// A set of names that keeps their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Each name with its place.
    places: BTreeMap<String, usize>,
}

impl Names {
    fn insert(&mut self, name: &str) {
        let place = self.places.len();
        self.places.entry(name.to_string()).or_insert(place);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut names = vec![""; self.places.len()];
        for (name, &place) in &self.places {
            if let Some(slot) = names.get_mut(place) {
                *slot = name;
            }
        }
        names.into_iter()
    }
}

/// The names of the tags that texts open and close outside of code.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagNames {
    pub(crate) opens: Names,
    pub(crate) closes: Names,
    /// A variable stands inside of a tag.
    pub(crate) hold_values: bool,
}

impl TagNames {
    /// Adds the tags of one text. Each title and each run of text is scanned by itself: no tag reaches from one into
    /// another, since those that do not end are none.
    pub(crate) fn read(&mut self, elements: &Elements) {
        for text in elements.all().filter_map(plain_text) {
            self.read_text(&text);
        }
    }

    fn read_text(&mut self, text: &str) {
        let hidden = code(text);
        let mut hidden = hidden.iter().map(|code| &code.range).peekable();
        let mut at = 0;
        while let Some(found) = find(text, at..text.len(), [b'<']) {
            at = found + 1;
            while hidden.next_if(|code| code.end <= found).is_some() {}
            if let Some(code) = hidden.peek().filter(|code| code.start <= found) {
                at = code.end;
                continue;
            }
            let tag = tag_at(text, found).filter(|tag| tag.kind != TagKind::Malformed);
            match tag {
                Some(tag) => {
                    let name = text.get(tag.name).unwrap_or_default();
                    match tag.kind {
                        TagKind::Open => self.opens.insert(name),
                        TagKind::Close => self.closes.insert(name),
                        _ => {}
                    }
                    let written = text.get(tag.range).unwrap_or_default();
                    self.hold_values |= written.contains(PLACEHOLDER);
                }
                None => self.read_loose(text, found),
            }
        }
    }

    /// A tag with words in it is one if a variable stands among them: `<Task ID {id}>`.
    fn read_loose(&mut self, text: &str, at: usize) {
        let mut cursor = Cursor { text, at: at + 1 };
        let Some(name) = cursor.name() else { return };
        let Some(end) = find(text, cursor.at..text.len(), [b'<', b'>']) else {
            return;
        };
        let inner = text.get(cursor.at..end).unwrap_or_default();
        let is_tag = text.as_bytes().get(end) == Some(&b'>')
            && inner.starts_with(|first: char| first.is_ascii_whitespace())
            && inner.contains(PLACEHOLDER);
        if is_tag {
            self.hold_values = true;
            if !inner.ends_with('/') {
                self.opens.insert(text.get(name).unwrap_or_default());
            }
        }
    }
}

/// What a title or a text prints that may have tags, with placeholders for variables.
fn plain_text(element: &Element) -> Option<String> {
    if !matches!(element, Element::Title { .. } | Element::Text { .. }) {
        return None;
    }
    let text = element.inline_texts().next()?;
    if !has_angle(&text.0) {
        return None;
    }
    let mut plain = String::new();
    push_plain(&text.0, &mut plain);
    Some(plain)
}

fn has_angle(list: &[Inline]) -> bool {
    list.iter().any(|piece| match piece {
        Inline::Literal(text) => find(text, 0..text.len(), [b'<']).is_some(),
        piece => piece.parts().any(|part| has_angle(&part.list)),
    })
}

fn push_plain(list: &[Inline], plain: &mut String) {
    for piece in list {
        match piece {
            Inline::Literal(text)
            | Inline::Escaped(text)
            | Inline::Break(text)
            | Inline::Line { head: text } => plain.push_str(text),
            Inline::Value { .. } | Inline::Special(_) => plain.push(PLACEHOLDER),
            Inline::Nothing => {}
            Inline::If(_) | Inline::Each(_) => {
                piece.parts().for_each(|part| push_plain(&part.list, plain));
            }
        }
    }
}

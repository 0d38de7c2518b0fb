//! Tags in a text, by the grammar that prompts use: `<`, perhaps `/`, a name, attributes `name=value`, perhaps `/`, `>`.
//! Comments, CDATA and processing instructions are told apart. Anything else after a `<` is text.
//!
//! A scan never passes a `<` outside of quotes. Hence at any place of a text at most three scans that began earlier are
//! under way (one outside of quotes, one in each kind of quotes), and scanning at every `<` is linear in the text.

use crate::{
    code_span::{CodeKind, CodeRange, code},
    name::{is_tag_byte, is_tag_start},
    scan::find,
};
use alloc::vec::{self, Vec};
use core::{iter::Peekable, ops::Range};

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
    /// What stands behind its name.
    pub inside: TagInside,
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
    /// A tag with a quoted attribute, so it was meant as one, that meets `<` or the end of the text before its `>`.
    Malformed,
    /// A closing tag with attributes or `/>`.
    MalformedClose,
    /// A `<!--` without `-->`; it hides nothing.
    UnclosedComment,
    /// A `<![CDATA[` without `]]>`; it hides nothing.
    UnclosedCData,
}

/// What stands in a tag behind its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TagInside {
    /// Nothing.
    Nothing,
    /// Attributes.
    Attributes,
    /// Words that are no attributes: see [`loose_tag_at`].
    Words,
}

/// The tag at the `<` at a byte; `None` if it is text.
///
/// Line breaks and blanks are allowed where XML allows them; blanks around a `=` only before a quoted value, since
/// `i <n k = 3>` is a comparison.
///
/// ```
/// use prompt_syntax::{TagInside, TagKind, tag_at};
///
/// let text = "see <file path=\"a>b\"\n lines=3 >";
/// let tag = tag_at(text, 4).unwrap();
/// assert_eq!((tag.kind, &text[tag.name], tag.range.end), (TagKind::Open, "file", text.len()));
/// assert_eq!(tag.inside, TagInside::Attributes);
/// assert_eq!(tag_at("Vec<T, U>", 3), None);
/// assert_eq!(tag_at("<your name here>", 0), None);
/// ```
pub fn tag_at(text: &str, at: usize) -> Option<Tag> {
    let mut cursor = Cursor { text, at };
    let (is_close, name) = cursor.head()?;
    let (mut inside, mut is_quoted) = (TagInside::Nothing, false);
    let kind = loop {
        let has_blanks = cursor.blanks();
        match cursor.peek() {
            Some(b'>') => {
                cursor.at += 1;
                break tag_kind(is_close, false, inside);
            }
            Some(b'/') if cursor.follows("/>") => {
                cursor.at += 2;
                break tag_kind(is_close, true, inside);
            }
            Some(byte) if has_blanks && is_tag_start(byte) => inside = TagInside::Attributes,
            None | Some(b'<') if is_quoted => break TagKind::Malformed,
            _ => return None,
        }
        match cursor.attribute()? {
            Value::Plain => {}
            Value::Quoted => is_quoted = true,
            Value::OpenQuote => break TagKind::Malformed,
        }
    };
    Some(Tag {
        kind,
        range: at..cursor.at,
        name,
        inside,
    })
}

/// The tag at the `<` at a byte, also where words stand in it that are no attributes, as in `<task number 17>`. It ends
/// with the first `>` outside of quotes, and those open behind an `=`.
///
/// ```
/// use prompt_syntax::{TagInside, loose_tag_at};
///
/// assert_eq!(loose_tag_at("<your name here>", 0).map(|tag| tag.inside), Some(TagInside::Words));
/// assert_eq!(loose_tag_at("a <b", 2), None);
/// ```
pub fn loose_tag_at(text: &str, at: usize) -> Option<Tag> {
    tag_at(text, at).or_else(|| {
        let (is_close, name) = Cursor { text, at }.head()?;
        let TagEnd::Closed(last) = TagRest::default().read(text, name.end..text.len())? else {
            return None;
        };
        let is_self_closing = text[name.end..last].ends_with('/');
        let inside = TagInside::Words;
        Some(Tag {
            kind: tag_kind(is_close, is_self_closing, inside),
            range: at..last + 1,
            name,
            inside,
        })
    })
}

fn tag_kind(is_close: bool, is_self_closing: bool, inside: TagInside) -> TagKind {
    match (is_close, is_self_closing) {
        (false, false) => TagKind::Open,
        (false, true) => TagKind::SelfClosing,
        (true, false) if inside != TagInside::Attributes => TagKind::Close,
        (true, _) => TagKind::MalformedClose,
    }
}

/// A tag behind its name, as far as it has been read: only its `>` and a `<` outside of quotes end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TagRest {
    /// The quote that is open.
    pub quote: Option<u8>,
    /// Nothing but blanks since an `=`: a quote would open a quotation.
    pub after_equals: bool,
    /// A stray quote was met, and quotes are looked at no more.
    pub is_plain: bool,
}

/// What ends a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagEnd {
    /// The `>` at this byte.
    Closed(usize),
    /// The `<` at this byte.
    BrokenOff(usize),
}

impl TagRest {
    /// Reads on in a range of a text; gives where the tag ends in it.
    ///
    /// ```
    /// use prompt_syntax::{TagEnd, TagRest};
    ///
    /// let mut rest = TagRest::default();
    /// assert_eq!(rest.read(" path=\"a>b", 0..10), None);
    /// assert_eq!(rest.read("\">", 0..2), Some(TagEnd::Closed(1)));
    /// ```
    pub fn read(&mut self, text: &str, range: Range<usize>) -> Option<TagEnd> {
        let mut at = range.start;
        while at < range.end {
            let byte = *text.as_bytes().get(at)?;
            if let Some(quote) = self.quote {
                at = find(text, at..range.end, [quote])?;
                self.quote = None;
            } else {
                match byte {
                    b'>' => return Some(TagEnd::Closed(at)),
                    b'<' => return Some(TagEnd::BrokenOff(at)),
                    b'"' | b'\'' if self.after_equals && !self.is_plain => self.quote = Some(byte),
                    b'"' | b'\'' => self.is_plain = true,
                    _ => {}
                }
                let goes_on = self.after_equals && byte.is_ascii_whitespace();
                self.after_equals = byte == b'=' || goes_on;
            }
            at += 1;
        }
        None
    }
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
    let first = find(text, 0..text.len(), [b'<']);
    let code = first.map(|_| code(text)).unwrap_or_default().into_iter();
    let is_hidden = |code: &CodeRange| {
        matches!(
            code.kind,
            CodeKind::Inline | CodeKind::Fence { is_closed: true }
        )
    };
    let hidden: Vec<_> = code.filter(is_hidden).map(|code| code.range).collect();
    Tags {
        text,
        at: first.unwrap_or(text.len()),
        hidden: hidden.into_iter().peekable(),
        missing: [false; 3],
    }
}

/// See [`tags`].
#[derive(Clone, Debug)]
pub struct Tags<'t> {
    text: &'t str,
    at: usize,
    /// The code that hides what stands in it, in order.
    hidden: Peekable<vec::IntoIter<Range<usize>>>,
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
        let text = self.text;
        let mut regions = REGIONS.iter().zip(&mut self.missing);
        let region = regions.find(|((open, ..), _)| text[at..].starts_with(open));
        let Some(((open, close, kind), missing)) = region else {
            let tag = tag_at(text, at)?;
            if tag.kind != TagKind::Malformed {
                self.at = tag.range.end;
            }
            return Some(tag);
        };
        let from = at + open.len();
        if *missing {
            return None;
        }
        let found = text[from..].find(close);
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
            inside: TagInside::Nothing,
        })
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        loop {
            let at = find(self.text, self.at..self.text.len(), [b'<'])?;
            while self.hidden.next_if(|code| code.end <= at).is_some() {}
            if let Some(code) = self.hidden.peek().filter(|code| code.start <= at) {
                self.at = code.end;
                continue;
            }
            self.at = at + 1;
            if let Some(tag) = self.read(at) {
                return Some(tag);
            }
        }
    }
}

/// How the value of an attribute is written.
enum Value {
    Plain,
    Quoted,
    /// Its quote never closes.
    OpenQuote,
}

/// A position in a text.
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

    /// `<name` or `</name`; whether it closes, and the name.
    fn head(&mut self) -> Option<(bool, Range<usize>)> {
        if !self.eat(b'<') {
            return None;
        }
        let is_close = self.eat(b'/');
        self.peek().filter(|&byte| is_tag_start(byte))?;
        Some((is_close, self.while_byte(is_tag_byte)))
    }

    /// `name=value`. Blanks around the `=` are for quoted values only.
    fn attribute(&mut self) -> Option<Value> {
        self.while_byte(|byte| is_tag_byte(byte) || byte == b':');
        let mut is_spaced = self.blanks();
        if !self.eat(b'=') {
            return None;
        }
        is_spaced |= self.blanks();
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                self.while_byte(|byte| byte != quote);
                Some(if self.eat(quote) {
                    Value::Quoted
                } else {
                    Value::OpenQuote
                })
            }
            _ if is_spaced => None,
            _ => {
                let start = self.at;
                while let Some(byte) = self.peek() {
                    let is_end = matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`');
                    if is_end || byte.is_ascii_whitespace() || self.follows("/>") {
                        break;
                    }
                    self.at += 1;
                }
                (self.at > start).then_some(Value::Plain)
            }
        }
    }
}

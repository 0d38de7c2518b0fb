//! Inline text: the pieces a line of a prompt is made of.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    borrow::Cow,
    fmt,
    hash::{Hash, Hasher},
};

/// A piece of a text. `Display` prints its source.
///
/// In serde it is an object with one field: `literal`, `escaped`, `variable` or `guard` (`name` or `!name`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Piece", into = "Piece")]
pub enum Inline {
    /// Printed as it stands.
    Literal(Cow<'static, str>),
    /// Braces that the author doubled; this is the printed form, with one brace less on each side.
    Escaped(Cow<'static, str>),
    /// `{name}`, `{name.path}`, `{name:spec}`.
    Variable {
        /// The name before dot and colon.
        name: Cow<'static, str>,
        /// What follows the first dot: `name` or `0.title`; empty without a dot.
        path: Cow<'static, str>,
        /// The format spec after the colon; empty without one.
        spec: Cow<'static, str>,
    },
    /// `{?name}` or `{?!name}`: keeps or drops its line.
    Guard {
        /// The field it asks.
        name: Cow<'static, str>,
        /// Whether it was written with `!`.
        negated: bool,
    },
}

impl Inline {
    /// Text that is printed as it stands.
    pub const fn literal(text: &'static str) -> Self {
        Self::Literal(Cow::Borrowed(text))
    }

    /// A variable without path and format spec.
    pub const fn variable(name: &'static str) -> Self {
        Self::Variable {
            name: Cow::Borrowed(name),
            path: Cow::Borrowed(""),
            spec: Cow::Borrowed(""),
        }
    }

    /// A line guard.
    pub const fn guard(name: &'static str, negated: bool) -> Self {
        Self::Guard {
            name: Cow::Borrowed(name),
            negated,
        }
    }

    /// The variable whose text between the braces this is.
    #[expect(clippy::ptr_arg, reason = "a static text has static parts")]
    pub(super) fn from_source(source: &Cow<'static, str>) -> Self {
        let colon = source.find(':').unwrap_or(source.len());
        let dot = source
            .get(..colon)
            .and_then(|head| head.find('.'))
            .unwrap_or(colon);
        let after = |at: usize| (at + 1).min(source.len());
        Self::Variable {
            name: part(source, 0, dot),
            path: part(source, after(dot).min(colon), colon),
            spec: part(source, after(colon), source.len()),
        }
    }
}

/// A part of a text, borrowed where the whole is.
#[expect(clippy::ptr_arg, reason = "a static text has static parts")]
pub(super) fn part(text: &Cow<'static, str>, start: usize, end: usize) -> Cow<'static, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(start..end).unwrap_or_default().to_owned()),
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(text),
            Self::Escaped(text) => write!(f, "{{{text}}}"),
            Self::Variable { name, path, spec } => {
                write!(f, "{{{name}")?;
                if !path.is_empty() {
                    write!(f, ".{path}")?;
                }
                if !spec.is_empty() {
                    write!(f, ":{spec}")?;
                }
                f.write_str("}")
            }
            Self::Guard { name, negated } => {
                write!(f, "{{?{}{name}}}", if *negated { "!" } else { "" })
            }
        }
    }
}

/// An inline piece as data: what stands between the braces.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Piece {
    Literal(Cow<'static, str>),
    Escaped(Cow<'static, str>),
    Variable(Cow<'static, str>),
    Guard(Cow<'static, str>),
}

impl From<Inline> for Piece {
    fn from(piece: Inline) -> Self {
        match piece {
            Inline::Literal(text) => Self::Literal(text),
            Inline::Escaped(text) => Self::Escaped(text),
            Inline::Guard {
                name,
                negated: false,
            } => Self::Guard(name),
            Inline::Guard {
                name,
                negated: true,
            } => Self::Guard(format!("!{name}").into()),
            Inline::Variable { name, path, spec } if path.is_empty() && spec.is_empty() => {
                Self::Variable(name)
            }
            variable @ Inline::Variable { .. } => {
                let source = variable.to_string();
                let source = source
                    .strip_prefix('{')
                    .and_then(|source| source.strip_suffix('}'));
                Self::Variable(source.unwrap_or_default().to_owned().into())
            }
        }
    }
}

impl From<Piece> for Inline {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Literal(text) => Self::Literal(text),
            Piece::Escaped(text) => Self::Escaped(text),
            Piece::Variable(source) => Self::from_source(&source),
            Piece::Guard(name) => match name.strip_prefix('!') {
                Some(name) => Self::Guard {
                    name: name.to_owned().into(),
                    negated: true,
                },
                None => Self::Guard {
                    name,
                    negated: false,
                },
            },
        }
    }
}

/// A run of inline pieces. `Display` prints its source, so `to_string` gives what the author wrote.
///
/// Neighbouring literals are one piece, and no literal is empty, but for the text of a code block that consists of one
/// empty line: that is a single empty literal, where a block without any line has no piece. In serde it is the list of
/// pieces.
///
/// ```
/// use prompt_core::elements::Inline;
/// use prompt_core::elements::InlineText;
///
/// const GREETING: InlineText = InlineText::new(const { &[Inline::literal("Dear "), Inline::variable("name")] });
/// assert_eq!(GREETING.to_string(), "Dear {name}");
/// ```
#[derive(Clone, Debug, Default)]
pub struct InlineText(Pieces);

/// Most texts are one literal, which needs no list.
#[derive(Clone, Debug)]
enum Pieces {
    One(Inline),
    List(Cow<'static, [Inline]>),
}

impl Default for Pieces {
    fn default() -> Self {
        Self::List(Cow::Borrowed(&[]))
    }
}

impl InlineText {
    /// No text.
    pub const EMPTY: Self = Self::new(&[]);

    /// A text from static pieces, which are taken as they are. In a constant, write the list as `const { &[..] }`.
    pub const fn new(pieces: &'static [Inline]) -> Self {
        Self(Pieces::List(Cow::Borrowed(pieces)))
    }

    /// A text in which braces mean nothing.
    pub const fn literal(text: &'static str) -> Self {
        if text.is_empty() {
            Self::EMPTY
        } else {
            Self(Pieces::One(Inline::literal(text)))
        }
    }

    /// One empty line of code.
    pub(super) const EMPTY_LINE: Self = Self(Pieces::One(Inline::literal("")));

    /// The pieces, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Inline> {
        match &self.0 {
            Pieces::One(piece) => std::slice::from_ref(piece).iter(),
            Pieces::List(pieces) => pieces.iter(),
        }
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.iter().as_slice().is_empty()
    }

    /// The names of its variables, in order, as often as they are used.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().filter_map(|piece| match piece {
            Inline::Variable { name, .. } => Some(name.as_ref()),
            _ => None,
        })
    }
}

impl PartialEq for InlineText {
    fn eq(&self, other: &Self) -> bool {
        self.iter().as_slice() == other.iter().as_slice()
    }
}

impl Eq for InlineText {}

impl Hash for InlineText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.iter().as_slice().hash(state);
    }
}

impl From<Cow<'static, str>> for InlineText {
    /// A text in which braces mean nothing.
    fn from(text: Cow<'static, str>) -> Self {
        Self::from_iter([Inline::Literal(text)])
    }
}

impl From<&'static str> for InlineText {
    /// A text in which braces mean nothing.
    fn from(text: &'static str) -> Self {
        Self::from(Cow::Borrowed(text))
    }
}

impl From<String> for InlineText {
    /// A text in which braces mean nothing.
    fn from(text: String) -> Self {
        Self::from(Cow::Owned(text))
    }
}

impl FromIterator<Inline> for InlineText {
    fn from_iter<I: IntoIterator<Item = Inline>>(pieces: I) -> Self {
        let is_empty = |piece: &Inline| matches!(piece, Inline::Literal(text) if text.is_empty());
        let mut pieces = pieces.into_iter().filter(|piece| !is_empty(piece));
        let Some(mut last) = pieces.next() else {
            return Self::EMPTY;
        };
        let mut joined: Vec<Inline> = Vec::new();
        for piece in pieces {
            match (&mut last, piece) {
                (Inline::Literal(before), Inline::Literal(text)) => before.to_mut().push_str(&text),
                (_, piece) => joined.push(std::mem::replace(&mut last, piece)),
            }
        }
        if joined.is_empty() {
            return Self(Pieces::One(last));
        }
        joined.push(last);
        Self(Pieces::List(Cow::Owned(joined)))
    }
}

impl<'a> IntoIterator for &'a InlineText {
    type Item = &'a Inline;
    type IntoIter = std::slice::Iter<'a, Inline>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for InlineText {
    type Item = Inline;
    type IntoIter = std::vec::IntoIter<Inline>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            Pieces::One(piece) => vec![piece].into_iter(),
            Pieces::List(pieces) => pieces.into_owned().into_iter(),
        }
    }
}

impl fmt::Display for InlineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|piece| piece.fmt(f))
    }
}

impl Serialize for InlineText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for InlineText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pieces: Vec<Inline> = Vec::deserialize(deserializer)?;
        let is_empty_line = pieces.as_slice() == Self::EMPTY_LINE.iter().as_slice();
        Ok(if is_empty_line {
            Self::EMPTY_LINE
        } else {
            pieces.into_iter().collect()
        })
    }
}

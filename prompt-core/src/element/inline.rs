//! Inline text: the pieces a line of a prompt is made of.

use std::{borrow::Cow, fmt};

/// A piece of a text. `Display` prints its source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        Self::Variable { name: Cow::Borrowed(name), path: Cow::Borrowed(""), spec: Cow::Borrowed("") }
    }

    /// A line guard.
    pub const fn guard(name: &'static str, negated: bool) -> Self {
        Self::Guard { name: Cow::Borrowed(name), negated }
    }

    /// The variable whose text between the braces this is.
    pub(super) fn from_source(source: &Cow<'static, str>) -> Self {
        let colon = source.find(':').unwrap_or(source.len());
        let dot = source.get(..colon).and_then(|head| head.find('.')).unwrap_or(colon);
        let after = |at: usize| (at + 1).min(source.len());
        Self::Variable {
            name: part(source, 0, dot),
            path: part(source, after(dot).min(colon), colon),
            spec: part(source, after(colon), source.len()),
        }
    }
}

/// A part of a text, borrowed where the whole is.
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
            Self::Guard { name, negated } => write!(f, "{{?{}{name}}}", if *negated { "!" } else { "" }),
        }
    }
}

/// A run of inline pieces. `Display` prints its source, so `to_string` gives what the author wrote.
///
/// Neighbouring literals are one piece, and no literal is empty, but for the text of a code block that consists of one
/// empty line: that is a single empty literal, where a block without any line has no piece.
///
/// ```
/// use prompt_core::{Inline, InlineText};
///
/// const GREETING: InlineText = InlineText::new(&[Inline::literal("Dear "), Inline::variable("name")]);
/// assert_eq!(GREETING.to_string(), "Dear {name}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InlineText(Cow<'static, [Inline]>);

impl InlineText {
    /// No text.
    pub const EMPTY: Self = Self::new(&[]);

    /// A text from static pieces, which are taken as they are.
    pub const fn new(pieces: &'static [Inline]) -> Self {
        Self(Cow::Borrowed(pieces))
    }

    /// The pieces, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Inline> {
        self.0.iter()
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of its variables, in order, as often as they are used.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().filter_map(|piece| match piece {
            Inline::Variable { name, .. } => Some(name.as_ref()),
            _ => None,
        })
    }

    /// One empty line of code.
    pub(super) fn empty_line() -> Self {
        const LINE: &[Inline] = &[Inline::Literal(Cow::Borrowed(""))];
        Self::new(LINE)
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
        let mut list: Vec<Inline> = Vec::new();
        for piece in pieces {
            match (list.last_mut(), piece) {
                (_, Inline::Literal(text)) if text.is_empty() => {}
                (Some(Inline::Literal(last)), Inline::Literal(text)) => last.to_mut().push_str(&text),
                (_, piece) => list.push(piece),
            }
        }
        Self(Cow::Owned(list))
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
        self.0.into_owned().into_iter()
    }
}

impl fmt::Display for InlineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|piece| piece.fmt(f))
    }
}

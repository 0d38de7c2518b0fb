//! Inline text: the pieces a line of a prompt is made of.

use crate::{
    Each, Element, Form, If, List, Part, Str, TagPlace, branches::BranchesRef, element::fmt_list,
};
use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{
    fmt,
    hash::{Hash, Hasher},
};

/// A piece of a line, paragraph, heading or piece of code. `Display` prints its source.
#[derive(Clone, Debug)]
pub enum Inline {
    /// Printed as it stands.
    Literal(Str),
    /// Braces that the author doubled; this is the printed form, each brace of which stands twice in the source.
    Escaped(Str),
    /// `{_}`: prints nothing and is there.
    Nothing,
    /// `{name}`, `{name.path}`, `{name:spec}`.
    Value {
        /// What stands between the braces.
        source: Str,
        /// Number in the table of values.
        index: u16,
        /// The quote marker (`"> "`) that its further lines get; empty outside of quotes.
        quote: Str,
        /// Where it stands in the tags of the words around it: found when the text is numbered.
        tag: TagPlace,
    },
    /// A text of a value that holds more than lines, in what the value is worded as: its first line goes on in the line of
    /// the value. No text of an author's has it.
    Blocks(List<Element>),
    /// What only the renderer knows, in templates that have it.
    Special(Special),
    /// A line begins that goes, with its break, if nothing but `head` and blanks is printed of it. It ends at the next
    /// [`Break`](Inline::Break) of the same list, or at the end of the list.
    Line {
        /// Indentation, quote markers, list marker and task box; may be empty.
        head: Str,
    },
    /// The end of a line, and blank lines, exactly as written (`"\n"`, `"\n\n"`): they wait until something follows. It
    /// stands only where the line before or behind it may go; elsewhere line breaks are inside literals.
    Break(Str),
    /// A fence that stands in a list item or quotation begins, or ends: what is between is code. It has no source.
    Fence {
        /// Whether it begins.
        is_open: bool,
    },
    /// `{?name}`: what is printed if a condition holds.
    If(If<Inline>),
    /// `{*name}`: what is printed for each item of a list.
    Each(Each<Inline>),
}

/// What a text prints that is no value of its node, but of the place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Special {
    /// `{title}`: the title of a section.
    Title,
    /// `{key}`: its key.
    Key,
    /// `{subsections}`: what stands below it.
    Subsections,
}

impl Special {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Title, Self::Key, Self::Subsections];

    /// How it is written between braces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Key => "key",
            Self::Subsections => "subsections",
        }
    }
}

impl PartialEq for Inline {
    /// Numbers are not compared: the source says what they stand for.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Literal(left), Self::Literal(right))
            | (Self::Escaped(left), Self::Escaped(right))
            | (Self::Break(left), Self::Break(right))
            | (Self::Line { head: left }, Self::Line { head: right }) => left == right,
            (Self::Nothing, Self::Nothing) => true,
            (Self::Fence { is_open: left }, Self::Fence { is_open: right }) => left == right,
            (
                Self::Value { source, quote, .. },
                Self::Value {
                    source: other,
                    quote: marker,
                    ..
                },
            ) => source == other && quote == marker,
            (Self::Blocks(left), Self::Blocks(right)) => left == right,
            (Self::Special(left), Self::Special(right)) => left == right,
            (Self::If(left), Self::If(right)) => left == right,
            (Self::Each(left), Self::Each(right)) => left == right,
            _ => false,
        }
    }
}

impl Eq for Inline {}

impl Inline {
    /// Text that is printed as it stands.
    pub const fn literal(text: &'static str) -> Self {
        Self::Literal(Cow::Borrowed(text))
    }

    /// A value within a line; `source` is what stands between the braces.
    pub const fn value(source: &'static str) -> Self {
        Self::Value {
            source: Cow::Borrowed(source),
            index: 0,
            quote: Cow::Borrowed(""),
            tag: TagPlace::Outside,
        }
    }

    /// The lists under its condition or loop; none of other pieces.
    pub fn parts(&self) -> impl Iterator<Item = &Part<Inline>> {
        self.branches()
            .into_iter()
            .flat_map(|branches| branches.parts())
    }

    /// Its condition or loop.
    pub(crate) fn branches(&self) -> Option<BranchesRef<'_, Inline>> {
        match self {
            Self::If(branches) => Some(branches.branches()),
            Self::Each(branches) => Some(branches.branches()),
            _ => None,
        }
    }
}

/// The name at the start of what stands between braces: `name` of `name.path:spec`.
pub(crate) fn name_of(source: &str) -> &str {
    let end = source.find(['.', ':']).unwrap_or(source.len());
    &source[..end]
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) | Self::Break(text) | Self::Line { head: text } => {
                f.write_str(text)
            }
            Self::Escaped(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Fence { .. } => Ok(()),
            Self::Nothing => f.write_str("{_}"),
            Self::Value { source, .. } => write!(f, "{{{source}}}"),
            Self::Blocks(list) => fmt_list(list, f),
            Self::Special(special) => write!(f, "{{{}}}", special.name()),
            Self::If(_) | Self::Each(_) => {
                let moved = loop_head(self);
                f.write_str(moved.unwrap_or_default())?;
                fmt_branches(self, moved.is_some(), f)
            }
        }
    }
}

/// The head of a line under line loops. It is repeated with the line, so it stands inside, where the author writes it
/// before the loops.
fn loop_head(piece: &Inline) -> Option<&str> {
    let branches = piece.branches().filter(|it| it.form == Form::Line)?;
    match branches.first.list.first()? {
        Inline::Line { head } if branches.negated.is_none() => Some(head),
        first => loop_head(first),
    }
}

/// Prints a condition or loop. Where the head of its line has been printed already, it is left out.
fn fmt_branches(piece: &Inline, without_head: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(branches) = piece.branches() else {
        return Ok(());
    };
    branches.fmt(f, |part, f| {
        let mut list = &*part.list;
        if let (true, [first, rest @ ..]) = (without_head, list) {
            list = rest;
            if !matches!(first, Inline::Line { .. }) {
                fmt_branches(first, true, f)?;
            }
        }
        list.iter().try_for_each(|piece| write!(f, "{piece}"))
    })
}

/// A run of inline pieces. `Display` prints its source, so `to_string` gives what the author wrote.
///
/// Neighbouring literals are one piece, and no literal is empty, but where a line of code begins that is there whatever is
/// printed of it. So the text of a code block that consists of one empty line is an empty literal, and that of a block
/// without any line has no piece.
///
/// ```
/// use prompt_syntax::{Inline, InlineText};
///
/// const GREETING: InlineText = InlineText::new(const { &[Inline::literal("Dear "), Inline::value("name")] });
/// assert_eq!(GREETING.to_string(), "Dear {name}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineText(pub(crate) List<Inline>);

impl InlineText {
    /// No text.
    pub const EMPTY: Self = Self::new(&[]);

    /// One empty line of code.
    pub const EMPTY_LINE: Self = Self::new(const { &[Inline::literal("")] });

    /// A text from static pieces, which are taken as they are. In a constant, write the list as `const { &[..] }`.
    pub const fn new(pieces: &'static [Inline]) -> Self {
        Self(Cow::Borrowed(pieces))
    }

    /// A text in which braces mean nothing. In a constant, write `InlineText::new(const { &[Inline::literal(..)] })`.
    pub fn literal(text: &'static str) -> Self {
        Self::from(text)
    }

    /// The pieces, in order.
    pub fn iter(&self) -> core::slice::Iter<'_, Inline> {
        self.0.iter()
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of its values, in order, as often as they are used, those under conditions and loops included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names = Vec::new();
        each_name(&self.0, &mut |name| names.push(name));
        names.into_iter()
    }
}

/// Gives the names of the values of a list.
pub(crate) fn each_name<'l>(list: &'l [Inline], give: &mut impl FnMut(&'l str)) {
    for piece in list {
        match piece {
            Inline::Value { source, .. } => give(name_of(source)),
            Inline::Special(special) => give(special.name()),
            piece => piece.parts().for_each(|part| each_name(&part.list, give)),
        }
    }
}

impl Hash for InlineText {
    /// By the source: equal texts have one.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
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
        let mut joined: Vec<Inline> = Vec::new();
        pieces
            .into_iter()
            .for_each(|piece| join(&mut joined, piece));
        Self(joined.into())
    }
}

/// Adds a piece; literals that meet become one.
pub(crate) fn join(joined: &mut Vec<Inline>, piece: Inline) {
    match (joined.last_mut(), piece) {
        (_, Inline::Literal(text)) if text.is_empty() => {}
        (Some(Inline::Literal(before)), Inline::Literal(text)) => {
            before.to_mut().push_str(&text);
        }
        (_, piece) => joined.push(piece),
    }
}

impl<'a> IntoIterator for &'a InlineText {
    type Item = &'a Inline;
    type IntoIter = core::slice::Iter<'a, Inline>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for InlineText {
    type Item = Inline;
    type IntoIter = vec::IntoIter<Inline>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_owned().into_iter()
    }
}

impl fmt::Display for InlineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|piece| piece.fmt(f))
    }
}

//! Inline text: the pieces a line of a prompt is made of.

use crate::ConditionForm;
use alloc::string::String;
use alloc::{
    borrow::{Cow, ToOwned},
    vec,
    vec::Vec,
};
use core::{
    fmt,
    hash::{Hash, Hasher},
};

/// A piece of a text. `Display` prints its source.
///
/// In serde (feature `serde`) it is an object with one field: `literal`, `escaped`, `variable`, `if`, `else` or `end`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    /// Printed as it stands.
    Literal(Cow<'static, str>),
    /// Braces that the author doubled; this is the printed form, each brace of which stands twice in the source.
    Escaped(Cow<'static, str>),
    /// `{name}`, `{name.path}`, `{name:spec}`.
    Variable {
        /// The name before dot and colon.
        name: Cow<'static, str>,
        /// What follows the first dot: `name` or `0.title`; empty without a dot.
        path: Cow<'static, str>,
        /// The format spec after the colon, if there is one.
        spec: Option<Cow<'static, str>>,
    },
    /// `{?name}`, `{?!name.path}`: what follows is printed if the condition holds.
    If {
        /// The name before the dot.
        name: Cow<'static, str>,
        /// What follows the first dot; empty without a dot.
        path: Cow<'static, str>,
        /// Whether it was written with `!`.
        negated: bool,
        /// How far it reaches. In block form its line holds nothing else: the piece is the line without its break.
        form: ConditionForm,
    },
    /// `{else}`: what follows is printed if the condition does not hold.
    Else {
        /// The form of its condition.
        form: ConditionForm,
    },
    /// `{/name}`: the end of a condition. A condition in line form ends with its line, without a piece.
    End {
        /// The name of its condition, before the dot.
        name: Cow<'static, str>,
        /// What follows the first dot; empty without a dot.
        path: Cow<'static, str>,
        /// The form of its condition.
        form: ConditionForm,
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
            spec: None,
        }
    }

    /// A condition without a path.
    pub const fn condition(name: &'static str, negated: bool, form: ConditionForm) -> Self {
        Self::If {
            name: Cow::Borrowed(name),
            path: Cow::Borrowed(""),
            negated,
            form,
        }
    }

    /// The end of a condition without a path.
    pub const fn end(name: &'static str, form: ConditionForm) -> Self {
        Self::End {
            name: Cow::Borrowed(name),
            path: Cow::Borrowed(""),
            form,
        }
    }

    /// The variable with this text between its braces.
    #[expect(clippy::ptr_arg, reason = "a static text has static parts")]
    pub fn variable_of(source: &Cow<'static, str>) -> Self {
        let colon = source.find(':').unwrap_or(source.len());
        let (name, path) = name_and_path(&part(source, 0, colon));
        Self::Variable {
            name,
            path,
            spec: (colon < source.len()).then(|| part(source, colon + 1, source.len())),
        }
    }

    /// How the piece stands in its line, if it is a part of a condition.
    pub const fn form(&self) -> Option<ConditionForm> {
        match self {
            Self::If { form, .. } | Self::Else { form } | Self::End { form, .. } => Some(*form),
            _ => None,
        }
    }

    /// Whether the piece is a line of its own that is not printed.
    pub(crate) fn is_marker_line(&self) -> bool {
        matches!(self.form(), Some(ConditionForm::Block { .. }))
    }
}

/// `ship.name` as `ship` and `name`.
#[expect(clippy::ptr_arg, reason = "a static text has static parts")]
pub(crate) fn name_and_path(source: &Cow<'static, str>) -> (Cow<'static, str>, Cow<'static, str>) {
    let dot = source.find('.').unwrap_or(source.len());
    let after = (dot + 1).min(source.len());
    (part(source, 0, dot), part(source, after, source.len()))
}

/// A part of a text, borrowed where the whole is.
#[expect(clippy::ptr_arg, reason = "a static text has static parts")]
pub(crate) fn part(text: &Cow<'static, str>, start: usize, end: usize) -> Cow<'static, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(start..end).unwrap_or_default().to_owned()),
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = |path: &str| if path.is_empty() { "" } else { "." };
        if let Some(ConditionForm::Block { indent }) = self.form() {
            write!(f, "{:1$}", "", usize::from(indent))?;
        }
        match self {
            Self::Literal(text) => f.write_str(text),
            Self::Escaped(text) => text.split_inclusive(['{', '}']).try_for_each(|part| {
                let brace = part
                    .get(part.len() - 1..)
                    .filter(|last| matches!(*last, "{" | "}"));
                write!(f, "{part}{}", brace.unwrap_or_default())
            }),
            Self::Variable { name, path, spec } => {
                write!(f, "{{{name}{}{path}", dot(path))?;
                spec.iter().try_for_each(|spec| write!(f, ":{spec}"))?;
                f.write_str("}")
            }
            Self::If {
                name,
                path,
                negated,
                ..
            } => {
                let not = if *negated { "!" } else { "" };
                write!(f, "{{?{not}{name}{}{path}}}", dot(path))
            }
            Self::Else { .. } => f.write_str("{else}"),
            Self::End { name, path, .. } => write!(f, "{{/{name}{}{path}}}", dot(path)),
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
/// use prompt_syntax::{Inline, InlineText};
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
    pub const EMPTY_LINE: Self = Self(Pieces::One(Inline::literal("")));

    /// The pieces, in order.
    pub fn iter(&self) -> core::slice::Iter<'_, Inline> {
        match &self.0 {
            Pieces::One(piece) => core::slice::from_ref(piece).iter(),
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

    /// A text of one piece.
    pub(crate) const fn of_piece(piece: Inline) -> Self {
        Self(Pieces::One(piece))
    }

    /// Pieces that are already as the type promises.
    pub(crate) fn of_pieces(mut pieces: Vec<Inline>) -> Self {
        match pieces.pop() {
            None => Self::EMPTY,
            Some(piece) if pieces.is_empty() => Self(Pieces::One(piece)),
            Some(piece) => {
                pieces.push(piece);
                Self(Pieces::List(Cow::Owned(pieces)))
            }
        }
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
        let mut joined: Vec<Inline> = Vec::new();
        pieces
            .into_iter()
            .for_each(|piece| join(&mut joined, piece));
        Self::of_pieces(joined)
    }
}

/// Adds a piece; literals that meet become one.
fn join(joined: &mut Vec<Inline>, piece: Inline) {
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

//! The static description of a node: its text, variables and sections. A derive emits it as one `static`; a dynamic
//! node builds it at run time. Everything is data.

use crate::message::Role;
use crate::visibility::Visibility;
use prompt_syntax::Mark;
use std::borrow::Cow;

/// A parsed text: one literal and a table of places in it. See [`prompt_syntax::MarkKind`].
///
/// Variables, guards and slots in the marks count through the lists of the [`NodeInfo`] that the text belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Everything that is printed as it stands.
    pub literal: Cow<'static, str>,
    /// Where something else happens, sorted by position.
    pub marks: Cow<'static, [Mark]>,
    /// The smallest level among titles and slots; 1 without any.
    pub base: u8,
    /// The level of a slot at the end of the text.
    pub end: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Text {
    /// No text. Spelled out: a constant made by a function call could not be overwritten in a struct update inside a
    /// `static`.
    pub const EMPTY: Self = Self {
        literal: Cow::Borrowed(""),
        marks: Cow::Borrowed(&[]),
        base: 1,
        end: 1,
    };

    /// The heading's text, in a `heading` template.
    pub const TITLE: u16 = u16::MAX;
    /// The section path, in a `summary_suffix` template.
    pub const KEY: u16 = u16::MAX - 1;
    /// The keys of the subsections, in a `summary_suffix` template.
    pub const SUBSECTIONS: u16 = u16::MAX - 2;

    /// A text in which nothing happens.
    pub const fn plain(literal: &'static str) -> Self {
        Self {
            literal: Cow::Borrowed(literal),
            marks: Cow::Borrowed(&[]),
            base: 1,
            end: 1,
        }
    }

    /// Whether there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.literal.is_empty() && self.marks.is_empty()
    }
}

/// A variable of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What stands between the braces: `name`, `name:spec`, `item.name`.
    pub source: Cow<'static, str>,
    /// Its documentation, never printed.
    pub description: Option<Cow<'static, str>>,
    /// Not guarded.
    pub raw: bool,
    /// Headings, fences and chat tokens in it are defused too.
    pub untrusted: bool,
    /// Continuation lines take the column of the first.
    pub hang: bool,
    /// It has no value yet: rendering fails.
    pub missing: bool,
    /// It may have no value, as an `Option` says: one who gives the values may leave it out.
    pub optional: bool,
}

impl Variable {
    /// A variable with the usual treatment.
    pub const DEFAULT: Self = Self {
        source: Cow::Borrowed(""),
        description: None,
        raw: false,
        untrusted: false,
        hang: false,
        missing: false,
        optional: false,
    };

    /// The same variable, which may have no value.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }
}

/// The description of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo {
    /// Name of the type, or of the variant, as written.
    pub name: Cow<'static, str>,
    /// Name towards the outside (MCP); the type's name in snake case otherwise.
    pub key: Option<Cow<'static, str>>,
    /// Title where it is embedded; a template.
    pub title: Option<Text>,
    /// What the prompt is for; never printed.
    pub description: Option<Cow<'static, str>>,
    /// The node's own text.
    pub text: Text,
    /// The variables of all texts of this node.
    pub variables: Cow<'static, [Variable]>,
    /// The names that guards of this node ask.
    pub guards: Cow<'static, [Cow<'static, str>]>,
    /// The sections, in declaration order.
    pub sections: Cow<'static, [SectionInfo]>,
    /// Tag around the node.
    pub tag: Option<Cow<'static, str>>,
    /// Tag around the node where it is an item of a list in XML and has no `tag`; `item` otherwise.
    pub item_tag: Option<Cow<'static, str>>,
    /// Attributes of that tag.
    pub attributes: Cow<'static, [Attribute]>,
    /// Tag and text on one line.
    pub inline: bool,
    /// Level of sections without a place.
    pub level: Option<u8>,
    /// Form of the generated headings of its sections; `Text::TITLE` is the title.
    pub heading: Option<Text>,
    /// Numbers before the generated headings of the tree below: `Some(true)` for decimal numbers.
    pub numbered: Option<bool>,
    /// Generated headings stand directly above their body.
    pub tight: bool,
    /// Appended after everything.
    pub end: Cow<'static, str>,
    /// Whether `PromptNode::tools(None)` has any.
    pub has_tools: bool,
    /// Wording of the summary suffix; `Text::KEY` and `Text::SUBSECTIONS` are its variables.
    pub summary_suffix: Option<Text>,
    /// Names of tags that stand literally in the static texts.
    pub tags: Cow<'static, [Cow<'static, str>]>,
}

impl Variable {
    /// Whether it is printed as it is, and guarded like any value.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        !(self.raw | self.untrusted | self.hang)
    }
}

impl NodeInfo {
    /// A node without text and sections: the base of struct updates.
    pub const DEFAULT: Self = Self {
        name: Cow::Borrowed(""),
        key: None,
        title: None,
        description: None,
        text: Text::EMPTY,
        variables: Cow::Borrowed(&[]),
        guards: Cow::Borrowed(&[]),
        sections: Cow::Borrowed(&[]),
        tag: None,
        item_tag: None,
        attributes: Cow::Borrowed(&[]),
        inline: false,
        level: None,
        heading: None,
        numbered: None,
        tight: false,
        end: Cow::Borrowed(""),
        has_tools: false,
        summary_suffix: None,
        tags: Cow::Borrowed(&[]),
    };

    /// The same, by reference.
    pub const EMPTY: &'static Self = &Self::DEFAULT;
}

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The variable that writes its value (or calls [`Output::omit`](crate::node::Output::omit)); [`Text::TITLE`] for the title.
    pub variable: u16,
}

/// The heading of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Title {
    /// Written in the attribute: a template over the variables of the node that has the section.
    Explicit(Text),
    /// The child's own title, or else this one, made from the field's name.
    Fallback(Cow<'static, str>),
}

/// How long a section is kept under a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Never dropped.
    Required,
    /// Higher is kept longer.
    Level(i32),
}

impl From<i32> for Priority {
    fn from(level: i32) -> Self {
        Self::Level(level)
    }
}

/// What happens to tags in the values of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guarding {
    /// `<` of a tag of this document becomes `&lt;`.
    #[default]
    Default,
    /// All markup is escaped.
    Escaped,
    /// The section's text stands in CDATA.
    Cdata,
    /// A tag of this document in a value is an error.
    Strict,
}

/// A place in the source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    /// As `file!()` gives it.
    pub file: &'static str,
    /// From 1.
    pub line: u32,
}

/// The description of a section.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent switches, one per attribute key"
)]
#[derive(Clone, Debug, PartialEq)]
pub struct SectionInfo {
    /// Unique among siblings.
    pub key: Cow<'static, str>,
    /// Name of its slot: the field.
    pub field: Cow<'static, str>,
    /// The heading.
    pub title: Title,
    /// Whether the heading is left out.
    pub untitled: bool,
    /// The introduction: variables of the node that has the section.
    pub intro: Text,
    /// Short form, with the same variables.
    pub summary: Option<Text>,
    /// Declared visibility.
    pub visibility: Visibility,
    /// Printed instead of nothing.
    pub empty: Option<Text>,
    /// Whether a slot of the node's text names it.
    pub placed: bool,
    /// Level where it has no slot of its own.
    pub level: Option<u8>,
    /// Form of the heading; `Text::TITLE` is the title.
    pub heading: Option<Text>,
    /// The heading stands directly above its body.
    pub tight: bool,
    /// Tag instead of a heading.
    pub tag: Option<Cow<'static, str>>,
    /// Attributes of the tag.
    pub attributes: Cow<'static, [Attribute]>,
    /// Tag and text on one line.
    pub inline: bool,
    /// Columns by which tags inside it are indented, where given.
    pub indent: Option<u8>,
    /// What happens to tags in values.
    pub guarding: Guarding,
    /// Its values are defused.
    pub untrusted: bool,
    /// How long it is kept; as the parent if absent.
    pub priority: Option<Priority>,
    /// It becomes a message of this role.
    pub role: Option<Role>,
    /// A cache point after it: seconds, or 0 for the provider's default.
    pub cache: Option<u32>,
    /// It changes from call to call.
    pub volatile: bool,
    /// Whether `PromptNode::tools(Some(index))` has any.
    pub has_tools: bool,
    /// How the items of a list stand.
    pub item: ItemInfo,
    /// Where it was declared.
    pub location: Option<Location>,
}

impl SectionInfo {
    /// A section without anything: the base of struct updates.
    pub const DEFAULT: Self = Self {
        key: Cow::Borrowed(""),
        field: Cow::Borrowed(""),
        title: Title::Fallback(Cow::Borrowed("")),
        untitled: false,
        intro: Text::EMPTY,
        summary: None,
        visibility: Visibility::Full,
        empty: None,
        placed: false,
        level: None,
        heading: None,
        tight: false,
        tag: None,
        attributes: Cow::Borrowed(&[]),
        inline: false,
        indent: None,
        guarding: Guarding::Default,
        untrusted: false,
        priority: None,
        role: None,
        cache: None,
        volatile: false,
        has_tools: false,
        item: ItemInfo::DEFAULT,
        location: None,
    };
}

/// How the items of a list section stand. Templates are written with [`Output::item`](crate::node::Output::item) set.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemInfo {
    /// Heading of an item.
    pub title: Option<Text>,
    /// The variable that writes an item's key.
    pub key: Option<u16>,
    /// Tag around each item.
    pub tag: Option<Cow<'static, str>>,
    /// Between two items.
    pub join: Option<Cow<'static, str>>,
    /// Between the last two items.
    pub last: Option<Cow<'static, str>>,
    /// Visibility and summary speak of each item, and the list itself stays full.
    pub summarised: bool,
}

impl ItemInfo {
    /// Nothing said.
    pub const DEFAULT: Self = Self {
        title: None,
        key: None,
        tag: None,
        join: None,
        last: None,
        summarised: false,
    };
}

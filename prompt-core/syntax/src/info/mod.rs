//! The static description of a node: its texts, variables and sections. A derive emits it as one constant; a run-time
//! tree builds it. Everything is data, and everything is a detail of lowering: users never see it.

pub mod make;

use crate::{Code, Element, Inline, List, LoopName, Str, Target, Text};
use alloc::{borrow::Cow, boxed::Box};
use core::ops::Deref;

/// Whose message a section becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions of the application.
    System,
    /// The person, or the program that stands for one.
    User,
    /// The model.
    Assistant,
}

/// How a section is declared to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// In full.
    Full,
    /// As its summary.
    Summary,
}

/// What happens to tags in the values of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guarding {
    /// `<` of a tag of this document becomes `&lt;`.
    #[default]
    Default,
    /// All markup is escaped.
    Escaped,
    /// A tag of this document in a value is an error.
    Strict,
    /// Values are printed as they are: texts of the author's own.
    Raw,
}

/// A variable of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What stands between the braces: `name`, `name:spec`, `item.name`.
    pub source: Str,
    /// Its documentation, never printed.
    pub description: Option<Str>,
    /// How its value is treated.
    pub treatment: ValueTreatment,
    /// What is left of what it prints.
    pub cut: Cut,
    /// What it is where its keys say how it is worded: the conditions and loops that they say. Otherwise its value is asked.
    pub worded: List<Inline>,
    /// It has no value yet: rendering fails.
    pub missing: bool,
    /// It may have no value, as an `Option` says: one who gives the values may leave it out.
    pub optional: bool,
    /// The loop whose item, or whose place in the list, it is about.
    pub item_of: Option<u16>,
    /// It is the place of that item, which the renderer knows.
    pub place: Option<LoopName>,
}

/// How a value is treated on its way into the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueTreatment {
    /// Not guarded.
    pub raw: bool,
    /// Headings, fences and chat tokens in it are defused too.
    pub untrusted: bool,
    /// The column of its continuation lines.
    pub hang: Hang,
}

/// Where the continuation lines of a value stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hang {
    /// Where the value puts them.
    #[default]
    None,
    /// In the column of the first line.
    First,
    /// In this column.
    Column(u16),
}

/// What is left of what a value prints: without white space at its ends, at most so many characters, and then these words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// White space at its ends goes.
    pub trim: bool,
    /// At most so many characters, blanks at the cut not kept.
    pub max: Option<usize>,
    /// Stands where characters went.
    pub more: Str,
}

impl Cut {
    /// All of it.
    pub const NONE: Self = Self {
        trim: false,
        max: None,
        more: Cow::Borrowed(""),
    };

    /// Whether all of it is left.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        !self.trim && self.max.is_none()
    }
}

impl ValueTreatment {
    /// Guarded, and nothing else.
    pub const USUAL: Self = Self {
        raw: false,
        untrusted: false,
        hang: Hang::None,
    };
}

impl Variable {
    /// A variable with the usual treatment: the base of struct updates.
    pub const DEFAULT: Self = Self {
        source: Cow::Borrowed(""),
        description: None,
        treatment: ValueTreatment::USUAL,
        cut: Cut::NONE,
        worded: Cow::Borrowed(&[]),
        missing: false,
        optional: false,
        item_of: None,
        place: None,
    };
}

/// What a `{?name}` asks.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionInfo {
    /// What stands behind the question mark: `name`, `name.path`.
    pub source: Str,
    /// The section with this index, if it asks whether that prints something; a value otherwise.
    pub section: Option<u16>,
    /// It asks whether the value is there, and not whether it is true.
    pub is_presence: bool,
    /// The loop whose item, or whose place in the list, it is about.
    pub item_of: Option<u16>,
    /// It asks for the place of that item, which the renderer knows.
    pub place: Option<LoopName>,
}

/// What a `{*name}` goes over.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopInfo {
    /// What stands behind the star, without `as`: `name`, `name.path`.
    pub source: Str,
    /// The loop whose item the list is a part of.
    pub item_of: Option<u16>,
}

/// The description of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo {
    /// Name of the type, or of the variant, as written.
    pub name: Str,
    /// The node's own text.
    pub text: Text,
    /// The variables of all texts of this node.
    pub variables: List<Variable>,
    /// What the conditions of all texts of this node ask.
    pub conditions: List<ConditionInfo>,
    /// The loops of all texts of this node.
    pub loops: List<LoopInfo>,
    /// The sections, in declaration order.
    pub sections: List<SectionInfo>,
    /// What the attribute of the type says.
    pub container: Container,
    /// The names of the tags in its texts, and in what its keys print as it stands.
    pub tags: List<Str>,
    /// What looks like a slip in its texts and stops no build.
    pub hints: List<Hint>,
}

/// What looks like a slip in a text of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The rule.
    pub code: Code,
    /// The section of the node whose text it is in, by its key; empty for a text of the node's own, and where nothing says so.
    pub section: Str,
    /// The text that it is in; may be empty.
    pub part: Str,
    /// The line of that text, from 1; 0 where it is about no line.
    pub line: u32,
    /// The fact.
    pub message: Str,
    /// The remedy.
    pub help: Str,
}

impl NodeInfo {
    /// A node without text and sections: the base of struct updates.
    pub const DEFAULT: Self = Self {
        name: Cow::Borrowed(""),
        text: Text::EMPTY,
        variables: Cow::Borrowed(&[]),
        conditions: Cow::Borrowed(&[]),
        loops: Cow::Borrowed(&[]),
        sections: Cow::Borrowed(&[]),
        container: Container::DEFAULT,
        tags: Cow::Borrowed(&[]),
        hints: Cow::Borrowed(&[]),
    };

    /// [`NodeInfo::DEFAULT`] by reference.
    pub const EMPTY: &'static Self = &Self::DEFAULT;
}

/// What `#[prompt(..)]` says of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Name towards the outside (MCP); the type's name in snake case otherwise.
    pub key: Option<Str>,
    /// Title where it is embedded; a template.
    pub title: Option<Text>,
    /// What the prompt is for; never printed.
    pub description: Option<Str>,
    /// Short form where a section that embeds it gives none.
    pub summary: Option<Text>,
    /// Wording of the summary suffix.
    pub summary_suffix: Option<Text>,
    /// Tag around the node.
    pub markup: Markup,
    /// Tag around the node where it is an item of a list in XML and has no tag; `item` otherwise.
    pub item_tag: Option<Str>,
    /// How the headings of its sections stand: form, tightness, gap, and level of those without a place.
    pub heading: Heading,
    /// Numbers before the generated headings of the tree below: `Some(true)` for decimal numbers.
    pub numbered: Option<bool>,
    /// Put before everything.
    pub start: Str,
    /// Appended after everything.
    pub end: Str,
    /// Whether it has tools of its own.
    pub has_tools: bool,
    /// The rules that what it prints need not follow.
    pub allow: List<Code>,
}

impl Container {
    /// Nothing said: the base of struct updates.
    pub const DEFAULT: Self = Self {
        key: None,
        title: None,
        description: None,
        summary: None,
        summary_suffix: None,
        markup: Markup::NONE,
        item_tag: None,
        heading: Heading::DEFAULT,
        numbered: None,
        start: Cow::Borrowed(""),
        end: Cow::Borrowed(""),
        has_tools: false,
        allow: Cow::Borrowed(&[]),
    };
}

/// How headings stand: of one section, or of all sections of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// Another form than hashes.
    pub form: Option<Text>,
    /// Level in the node's own text.
    pub level: Option<u8>,
    /// Directly above its body.
    pub tight: bool,
    /// Blank lines between sections.
    pub gap: Option<u8>,
}

impl Heading {
    /// Nothing said: the base of struct updates.
    pub const DEFAULT: Self = Self {
        form: None,
        level: None,
        tight: false,
        gap: None,
    };
}

/// The tag around a node or section, and what happens to values in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Markup {
    /// Tag instead of a heading.
    pub tag: Option<Str>,
    /// Attributes of the tag.
    pub attributes: List<Attribute>,
    /// Tag and text on one line.
    pub inline: bool,
    /// Columns by which tags inside it are indented, where given.
    pub indent: Option<u8>,
    /// What happens to tags in values.
    pub guarding: Guarding,
    /// Its values are defused.
    pub untrusted: bool,
}

impl Markup {
    /// No tag: the base of struct updates.
    pub const NONE: Self = Self {
        tag: None,
        attributes: Cow::Borrowed(&[]),
        inline: false,
        indent: None,
        guarding: Guarding::Default,
        untrusted: false,
    };
}

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: Str,
    /// What its value is.
    pub value: AttributeSource,
}

/// What the value of an attribute is.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeSource {
    /// A text.
    Text(Text),
    /// What this variable writes, unless it leaves the attribute out.
    Variable(u16),
    /// The title.
    Title,
}

/// The heading of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Title {
    /// Written in the attribute: a template over the variables of the node that has the section.
    Explicit(Text),
    /// The child's own title, or else this one, made from the field's name.
    Fallback(Str),
    /// No heading; the name stands for it in reports.
    Untitled(Str),
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

/// A place in the source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// As `file!()` gives it.
    pub file: &'static str,
    /// From 1.
    pub line: u32,
}

/// The description of a section. It dereferences to its [`SectionKeys`].
#[derive(Clone, Debug, PartialEq)]
pub struct SectionInfo {
    /// Unique among siblings.
    pub key: Str,
    /// Name of its slot: the field.
    pub field: Str,
    /// The heading's words.
    pub title: Title,
    /// The introduction: variables of the node that has the section.
    pub intro: Text,
    /// What else is said of it.
    pub said: Said,
    /// Where it was declared.
    pub location: Option<Location>,
    /// Title and introduction in one, where it is nothing else.
    pub lead: Str,
}

/// The keys of a section other than title and introduction. Most sections have none, and all of those share one static.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// By a derive, or nothing.
    Static(&'static SectionKeys),
    /// At run time.
    Own(Box<SectionKeys>),
}

/// The keys of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionKeys {
    /// How the heading stands.
    pub heading: Heading,
    /// Short form: variables of the node that has the section.
    pub summary: Option<Text>,
    /// Declared visibility.
    pub visibility: Visibility,
    /// Printed instead of nothing.
    pub empty: Option<Text>,
    /// Whether a slot of the node's text names it.
    pub placed: bool,
    /// Its tag.
    pub markup: Markup,
    /// What becomes of it.
    pub policy: Policy,
    /// How the items of a list stand.
    pub items: Items,
}

impl SectionKeys {
    /// Nothing said: the base of struct updates.
    pub const DEFAULT: Self = Self {
        heading: Heading::DEFAULT,
        summary: None,
        visibility: Visibility::Full,
        empty: None,
        placed: false,
        markup: Markup::NONE,
        policy: Policy::DEFAULT,
        items: Items::DEFAULT,
    };
}

impl Said {
    /// Nothing.
    pub const NOTHING: Self = Self::Static(&SectionKeys::DEFAULT);
}

impl From<SectionKeys> for Said {
    fn from(keys: SectionKeys) -> Self {
        if keys == SectionKeys::DEFAULT {
            Self::NOTHING
        } else {
            Self::Own(Box::new(keys))
        }
    }
}

impl Deref for Said {
    type Target = SectionKeys;

    #[inline]
    fn deref(&self) -> &SectionKeys {
        match self {
            Self::Static(keys) => keys,
            Self::Own(keys) => keys,
        }
    }
}

impl Deref for SectionInfo {
    type Target = SectionKeys;

    #[inline]
    fn deref(&self) -> &SectionKeys {
        &self.said
    }
}

impl SectionInfo {
    /// A section without anything: the base of struct updates.
    pub const DEFAULT: Self = Self {
        key: Cow::Borrowed(""),
        field: Cow::Borrowed(""),
        title: Title::Fallback(Cow::Borrowed("")),
        intro: Text::EMPTY,
        said: Said::NOTHING,
        location: None,
        lead: Cow::Borrowed(""),
    };

    /// [`SectionInfo::DEFAULT`] by reference.
    pub const EMPTY: &'static Self = &Self::DEFAULT;

    /// Whether the heading is left out.
    #[must_use]
    pub fn is_untitled(&self) -> bool {
        matches!(self.title, Title::Untitled(_))
    }

    /// Whether its heading is one of those that are numbered.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        let SectionKeys { policy, markup, .. } = &*self.said;
        let is_turn = policy.role.is_some() || policy.messages;
        !self.is_untitled() && markup.tag.is_none() && !is_turn
    }
}

/// What becomes of a section outside of its own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How long it is kept; as the parent if absent.
    pub priority: Option<Priority>,
    /// It becomes a message of this role.
    pub role: Option<Role>,
    /// A cache point after it: seconds, or 0 for the provider's default.
    pub cache: Option<u32>,
    /// It changes from call to call.
    pub volatile: bool,
    /// Whether it has tools.
    pub has_tools: bool,
    /// Whether it is a history that is spliced in.
    pub messages: bool,
}

impl Policy {
    /// Nothing said: the base of struct updates.
    pub const DEFAULT: Self = Self {
        priority: None,
        role: None,
        cache: None,
        volatile: false,
        has_tools: false,
        messages: false,
    };
}

/// How the items of a list section stand. Templates of the items run in the scope of the item, as the bodies of loops do.
#[derive(Clone, Debug, PartialEq)]
pub struct Items {
    /// The loop over the section's own list, where a template sees its items: it hands out one scope for each item, also
    /// for one that is absent.
    pub list: Option<u16>,
    /// What each item prints, where the items are no nodes: the content of such a section.
    pub text: Option<Text>,
    /// Heading of an item.
    pub title: Option<Text>,
    /// The items have none.
    pub untitled: bool,
    /// The variable that writes an item's key, asked in the scope of the item.
    pub key: Option<u16>,
    /// Tag around each item.
    pub tag: Option<Str>,
    /// Between two items.
    pub join: Option<Str>,
    /// Between the last two items.
    pub last: Option<Str>,
}

impl Items {
    /// Nothing said: the base of struct updates.
    pub const DEFAULT: Self = Self {
        list: None,
        text: None,
        title: None,
        untitled: false,
        key: None,
        tag: None,
        join: None,
        last: None,
    };
}

/// Whether a text prints something besides what is embedded in it.
#[must_use]
pub fn has_words(text: &Text) -> bool {
    any(&text.elements, &|element| {
        !matches!(element, Element::Slot { .. })
    })
}

/// Whether a slot of this kind stands somewhere in a text.
#[must_use]
pub fn has_slot(text: &Text, kind: Target) -> bool {
    any(
        &text.elements,
        &|element| matches!(element, Element::Slot { target, .. } if *target == kind),
    )
}

/// Whether this is true of an element, those in conditions and loops included. It is asked of each section that is
/// printed, and allocates nothing.
fn any(elements: &[Element], is_it: &dyn Fn(&Element) -> bool) -> bool {
    elements.iter().any(|element| match element.branches() {
        Some(branches) => branches.parts().any(|part| any(&part.list, is_it)),
        None => is_it(element),
    })
}

//! Short constructors for the static descriptions that derived code is made of.

use super::{
    Attribute, AttributeSource, ConditionInfo, Container, Hang, Heading, Hint, Items, Location,
    LoopInfo, Markup, NodeInfo, Policy, SectionInfo, SectionKeys, Variable,
};
use crate::{
    Code, Each, Element, Form, If, Inline, InlineText, LoopName, Margins, Metadata, Part, TagPlace,
    TagRest, Target, Text,
};
use alloc::borrow::Cow;

/// The base of struct updates.
pub const NODE: NodeInfo = NodeInfo::DEFAULT;
/// The base of struct updates.
pub const SECTION: SectionInfo = SectionInfo::DEFAULT;
/// The base of struct updates.
pub const KEYS: SectionKeys = SectionKeys::DEFAULT;
/// The base of struct updates.
pub const CONTAINER: Container = Container::DEFAULT;
/// The base of struct updates.
pub const HEADING: Heading = Heading::DEFAULT;
/// The base of struct updates.
pub const MARKUP: Markup = Markup::NONE;
/// The base of struct updates.
pub const POLICY: Policy = Policy::DEFAULT;
/// The base of struct updates.
pub const ITEMS: Items = Items::DEFAULT;

/// A static string.
pub const fn str(text: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(text)
}

/// A static list.
pub const fn list<T: Clone>(list: &'static [T]) -> Cow<'static, [T]> {
    Cow::Borrowed(list)
}

/// A text.
pub const fn text(elements: &'static [Element]) -> Text {
    Text::new(elements)
}

/// Lines of a text, up to the next heading, code block, slot or marker line.
pub const fn paragraph(line: u32, pieces: &'static [Inline]) -> Element {
    Element::Text {
        text: InlineText::new(pieces),
        metadata: Metadata::at(line, 1),
    }
}

/// A heading.
pub const fn title(line: u32, level: u8, pieces: &'static [Inline]) -> Element {
    spaced_title(line, level, ["", " ", ""], pieces)
}

/// A heading with what stands before its hashes, behind them, and behind its words.
pub const fn spaced_title(
    line: u32,
    level: u8,
    [before, behind, close]: [&'static str; 3],
    pieces: &'static [Inline],
) -> Element {
    Element::Title {
        level,
        text: InlineText::new(pieces),
        margins: Margins {
            before: Cow::Borrowed(before),
            behind: Cow::Borrowed(behind),
            close: Cow::Borrowed(close),
        },
        metadata: Metadata::at(line, 1),
    }
}

/// A slot.
pub const fn slot(line: u32, name: &'static str, target: Target, level: u8) -> Element {
    optional(Element::Slot {
        name: Cow::Borrowed(name),
        target,
        level,
        indent: 0,
        metadata: Metadata::at(line, 1),
    })
}

/// An element on the line below the one before, where others have a blank line between them.
pub const fn directly_below(mut element: Element) -> Element {
    element.metadata_mut().blank_lines = 0;
    element
}

/// An element below so many blank lines, with these blanks in them, if there are some.
pub const fn below(blank_lines: u32, blanks: &'static str, mut element: Element) -> Element {
    let metadata = element.metadata_mut();
    metadata.blank_lines = blank_lines;
    // A constant cannot drop a text, also none that is empty.
    core::mem::forget(core::mem::replace(&mut metadata.blanks, str(blanks)));
    element
}

/// A slot that moves what is embedded to the right by so many columns.
pub const fn indented(columns: u16, mut slot: Element) -> Element {
    if let Element::Slot { indent, .. } = &mut slot {
        *indent = columns;
    }
    slot
}

/// A heading or slot that goes where what is embedded comes out empty.
pub const fn optional(mut element: Element) -> Element {
    element.metadata_mut().optional = true;
    element
}

/// Words that are printed as they stand.
pub const fn words(text: &'static str) -> Inline {
    Inline::Literal(Cow::Borrowed(text))
}

/// Braces that were doubled, as they are printed.
pub const fn escaped(text: &'static str) -> Inline {
    Inline::Escaped(Cow::Borrowed(text))
}

/// A value: what stands between the braces, and its number.
pub const fn value(source: &'static str, index: u16) -> Inline {
    Inline::Value {
        source: Cow::Borrowed(source),
        index,
        quote: Cow::Borrowed(""),
        tag: TagPlace::Outside,
    }
}

/// A value in a quotation, and the marker that its further lines get.
pub const fn quoted_value(source: &'static str, index: u16, quote: &'static str) -> Inline {
    Inline::Value {
        source: Cow::Borrowed(source),
        index,
        quote: Cow::Borrowed(quote),
        tag: TagPlace::Outside,
    }
}

/// A value in a tag of the words around it.
pub const fn in_tag(mut value: Inline, place: TagPlace) -> Inline {
    if let Inline::Value { tag, .. } = &mut value {
        *tag = place;
    }
    value
}

/// In an attribute with this quote, and whether a `<` stands before it there.
pub const fn quoted(quote: u8, is_open: bool) -> TagPlace {
    TagPlace::Attribute {
        rest: TagRest {
            quote: Some(quote),
            after_equals: false,
            is_plain: false,
        },
        is_last: false,
        is_open,
    }
}

/// Behind the name of a tag and in no quotes: whether only blanks stand since an `=`, quotes are looked at no more, and the `>`
/// follows.
pub const fn unquoted(after_equals: bool, is_plain: bool, is_last: bool) -> TagPlace {
    TagPlace::Attribute {
        rest: TagRest {
            quote: None,
            after_equals,
            is_plain,
        },
        is_last,
        is_open: false,
    }
}

/// A text of a value that holds more than lines.
pub const fn blocks(list: &'static [Element]) -> Inline {
    Inline::Blocks(Cow::Borrowed(list))
}

/// The beginning or the end of a fence that stands in a list item or quotation.
pub const fn fence(is_open: bool) -> Inline {
    Inline::Fence { is_open }
}

/// The beginning of a line that goes if nothing but this head is left of it.
pub const fn line(head: &'static str) -> Inline {
    Inline::Line {
        head: Cow::Borrowed(head),
    }
}

/// The end of a line that may go, and the blank lines behind it.
pub const fn line_break(text: &'static str) -> Inline {
    Inline::Break(Cow::Borrowed(text))
}

/// A branch of a condition, or the body of a loop: the marker before it, and what stands between the markers.
pub const fn part<T: Clone>(marker: &'static str, list: &'static [T]) -> Part<T> {
    spaced_part(marker, "", list, "")
}

/// The same with blank lines at its ends, or with what joins the items of a loop.
pub const fn spaced_part<T: Clone>(
    marker: &'static str,
    lead: &'static str,
    list: &'static [T],
    trail: &'static str,
) -> Part<T> {
    Part {
        marker: Cow::Borrowed(marker),
        lead: Cow::Borrowed(lead),
        list: Cow::Borrowed(list),
        trail: Cow::Borrowed(trail),
    }
}

/// A variable: what stands between the braces, and the documentation or nothing.
pub const fn variable(source: &'static str, description: &'static str) -> Variable {
    Variable {
        source: Cow::Borrowed(source),
        description: if description.is_empty() {
            None
        } else {
            Some(Cow::Borrowed(description))
        },
        ..Variable::DEFAULT
    }
}

/// A variable whose keys say how it is worded: what that is.
pub const fn worded(
    source: &'static str,
    description: &'static str,
    pieces: &'static [Inline],
) -> Variable {
    let mut variable = variable(source, description);
    core::mem::forget(core::mem::replace(
        &mut variable.worded,
        Cow::Borrowed(pieces),
    ));
    variable
}

/// A condition: its number, and its branches.
pub const fn condition_on<T: Clone>(
    form: Form,
    index: u16,
    negated: bool,
    then: Part<T>,
    otherwise: Option<Part<T>>,
    end: &'static str,
) -> If<T> {
    If {
        form,
        index,
        negated,
        then,
        otherwise,
        end: Cow::Borrowed(end),
    }
}

/// A loop: its number, its body, what stands there where nothing is gone through, and what joins the last two items.
pub const fn each_of<T: Clone>(
    form: Form,
    index: u16,
    body: Part<T>,
    otherwise: Option<Part<T>>,
    last: Option<Cow<'static, str>>,
    end: &'static str,
) -> Each<T> {
    Each {
        form,
        index,
        body,
        otherwise,
        last,
        end: Cow::Borrowed(end),
    }
}

impl Variable {
    /// Marks a variable that may have no value.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Switches guarding off.
    #[must_use]
    pub const fn raw(mut self) -> Self {
        self.treatment.raw = true;
        self
    }

    /// Has its value defused.
    #[must_use]
    pub const fn untrusted(mut self) -> Self {
        self.treatment.untrusted = true;
        self
    }

    /// Sets the column of continuation lines.
    #[must_use]
    pub const fn hang(mut self, hang: Hang) -> Self {
        self.treatment.hang = hang;
        self
    }

    /// Keeps no white space at the ends of the value, and at most so many characters of it; `more` stands where some went.
    #[must_use]
    pub const fn cut(mut self, trim: bool, max: Option<usize>, more: &'static str) -> Self {
        self.cut.trim = trim;
        self.cut.max = max;
        // A constant cannot drop a text, also none that is empty.
        core::mem::forget(core::mem::replace(&mut self.cut.more, Cow::Borrowed(more)));
        self
    }

    /// Names the loop whose item the variable reads.
    #[must_use]
    pub const fn item_of(mut self, list: u16) -> Self {
        self.item_of = Some(list);
        self
    }

    /// Prints the place of the item.
    #[must_use]
    pub const fn place(mut self, place: LoopName) -> Self {
        self.place = Some(place);
        self
    }
}

/// A condition that asks a value.
pub const fn condition(source: &'static str) -> ConditionInfo {
    ConditionInfo {
        source: Cow::Borrowed(source),
        section: None,
        is_presence: false,
        item_of: None,
        place: None,
    }
}

impl ConditionInfo {
    /// Asks whether the value is there, and not whether it is true.
    #[must_use]
    pub const fn presence(mut self) -> Self {
        self.is_presence = true;
        self
    }

    /// Asks whether the section with this number prints something, instead of a value.
    #[must_use]
    pub const fn section(mut self, section: u16) -> Self {
        self.section = Some(section);
        self
    }

    /// Names the loop whose item the condition reads.
    #[must_use]
    pub const fn item_of(mut self, list: u16) -> Self {
        self.item_of = Some(list);
        self
    }

    /// Asks for the place of the item.
    #[must_use]
    pub const fn place(mut self, place: LoopName) -> Self {
        self.place = Some(place);
        self
    }
}

/// What looks like a slip in the node's own text, or in another one of its texts.
pub const fn hint(
    code: Code,
    part: &'static str,
    line: u32,
    message: &'static str,
    help: &'static str,
) -> Hint {
    Hint {
        code,
        section: Cow::Borrowed(""),
        part: Cow::Borrowed(part),
        line,
        message: Cow::Borrowed(message),
        help: Cow::Borrowed(help),
    }
}

/// A loop: what it goes over, as written.
pub const fn loop_over(source: &'static str) -> LoopInfo {
    LoopInfo {
        source: Cow::Borrowed(source),
        item_of: None,
    }
}

impl LoopInfo {
    /// Names the outer loop of whose item the list is a part.
    #[must_use]
    pub const fn item_of(mut self, list: u16) -> Self {
        self.item_of = Some(list);
        self
    }
}

/// An attribute of a tag that a variable writes.
pub const fn attribute_of(name: &'static str, variable: u16) -> Attribute {
    Attribute {
        name: Cow::Borrowed(name),
        value: AttributeSource::Variable(variable),
    }
}

/// An attribute of a tag that has the title.
pub const fn attribute_of_title(name: &'static str) -> Attribute {
    Attribute {
        name: Cow::Borrowed(name),
        value: AttributeSource::Title,
    }
}

/// A place in the source code.
pub const fn location(file: &'static str, line: u32) -> Option<Location> {
    Some(Location { file, line })
}

//! Short constructors for the static descriptions that derived code is made of.

use super::{
    Attribute, Embedded, ItemInfo, Location, NodeInfo, Section, SectionInfo, Text, Title, Variable,
};
use crate::message::Message;
use prompt_syntax::{Mark, MarkKind, Target};
use std::borrow::Cow;

/// The base of struct updates.
pub const NODE: NodeInfo = NodeInfo::DEFAULT;
/// The base of struct updates.
pub const SECTION: SectionInfo = SectionInfo::DEFAULT;
/// The base of struct updates.
pub const VARIABLE: Variable = Variable::DEFAULT;

/// No variables. A name for it is cheaper to compile than `&[]` in every type.
pub const NO_VARIABLES: &[Variable] = &[];
/// No sections.
pub const NO_SECTIONS: &[SectionInfo] = &[];

/// The base of struct updates.
pub const ITEM: ItemInfo = ItemInfo::DEFAULT;

/// A node with a text, variables and sections, and nothing else.
pub const fn node(
    name: &'static str,
    text: Text,
    variables: &'static [Variable],
    sections: &'static [SectionInfo],
) -> NodeInfo {
    NodeInfo {
        name: Cow::Borrowed(name),
        text,
        variables: Cow::Borrowed(variables),
        sections: Cow::Borrowed(sections),
        ..NODE
    }
}

/// A section with an introduction, and nothing else.
pub const fn section(
    [key, field, title]: [&'static str; 3],
    intro: Text,
    file: &'static str,
    line: u32,
) -> SectionInfo {
    SectionInfo {
        key: Cow::Borrowed(key),
        field: Cow::Borrowed(field),
        title: Title::Fallback(Cow::Borrowed(title)),
        intro,
        location: location(file, line),
        ..SECTION
    }
}

/// A static text.
pub const fn s(text: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(text)
}

/// A static list.
pub const fn all<T: Clone>(list: &'static [T]) -> Cow<'static, [T]> {
    Cow::Borrowed(list)
}

/// A parsed text.
pub const fn text(literal: &'static str, marks: &'static [Mark], base: u8, end: u8) -> Text {
    Text {
        literal: Cow::Borrowed(literal),
        marks: Cow::Borrowed(marks),
        base,
        end,
    }
}

/// A text in which nothing happens.
pub const fn plain(literal: &'static str) -> Text {
    Text::plain(literal)
}

/// A variable with the usual treatment.
pub const fn named(source: &'static str) -> Variable {
    Variable {
        source: Cow::Borrowed(source),
        ..Variable::DEFAULT
    }
}

/// The same, with its documentation.
pub const fn described(source: &'static str, description: &'static str) -> Variable {
    Variable {
        source: Cow::Borrowed(source),
        description: Some(Cow::Borrowed(description)),
        raw: false,
        untrusted: false,
        hang: false,
        missing: false,
        optional: false,
    }
}

/// An attribute of a tag.
pub const fn attr(name: &'static str, variable: u16) -> Attribute {
    Attribute {
        name: Cow::Borrowed(name),
        variable,
    }
}

/// A title made from the field's name.
pub const fn fallback(title: &'static str) -> Title {
    Title::Fallback(Cow::Borrowed(title))
}

/// Where a section was declared.
pub const fn location(file: &'static str, line: u32) -> Option<Location> {
    Some(Location { file, line })
}

/// A text element.
pub const fn paragraph(at: u32, line: u32) -> Mark {
    Mark {
        at,
        kind: MarkKind::Text { line },
    }
}

/// A heading.
pub const fn title(at: u32, line: u32, level: u8, optional: bool, len: u32, marks: u16) -> Mark {
    Mark {
        at,
        kind: MarkKind::Title {
            line,
            level,
            optional,
            len,
            marks,
        },
    }
}

/// A fenced code block.
pub const fn code(at: u32, line: u32, indent: u8, fence: u32) -> Mark {
    Mark {
        at,
        kind: MarkKind::Code {
            line,
            indent,
            fence,
        },
    }
}

/// Its closing line.
pub const fn code_end(at: u32, len: u32) -> Mark {
    Mark {
        at,
        kind: MarkKind::CodeEnd { len },
    }
}

/// White space beside something that may come out empty.
pub const fn gap(at: u32, len: u32) -> Mark {
    Mark {
        at,
        kind: MarkKind::Gap { len },
    }
}

/// A variable inside a line.
pub const fn variable(at: u32, index: u16) -> Mark {
    Mark {
        at,
        kind: MarkKind::Variable(index),
    }
}

/// A variable that is a paragraph.
pub const fn block(at: u32, index: u16) -> Mark {
    Mark {
        at,
        kind: MarkKind::Block(index),
    }
}

/// A line guard.
pub const fn guard(at: u32, guard: u16, negated: bool, len: u32, offset: u16, marks: u16) -> Mark {
    Mark {
        at,
        kind: MarkKind::Guard {
            guard,
            negated,
            len,
            offset,
            marks,
        },
    }
}

/// Doubled braces.
pub const fn escape(at: u32, len: u32) -> Mark {
    Mark {
        at,
        kind: MarkKind::Escape { len },
    }
}

/// A slot.
pub const fn slot(at: u32, target: Target, line: u32, level: u8, indent: u16) -> Mark {
    Mark {
        at,
        kind: MarkKind::Slot {
            target,
            line,
            level,
            indent,
        },
    }
}

/// A section that does not exist.
pub fn absent() -> Section<'static> {
    Section::new(Embedded::Absent)
}

/// A history that is spliced in.
pub fn messages(messages: &[Message]) -> Section<'_> {
    Section::new(Embedded::Messages(messages))
}

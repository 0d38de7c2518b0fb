//! Short constructors for the static descriptions that derived code is made of.

use super::{
    Attribute, AttributeSource, ConditionInfo, Container, Hang, Heading, Items, Location, Markup,
    NodeInfo, Policy, Said, Section, SectionInfo, SectionKeys, Tags, Text, Title, ValueTreatment,
    Variable,
};
use prompt_syntax::{ConditionForm, Mark, MarkKind, Special, Target};
use std::{borrow::Cow, mem};

/// The base of struct updates.
pub const NODE: NodeInfo = NodeInfo::DEFAULT;
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

/// No variables. A name for it is cheaper to compile than `&[]` in every type.
pub const NO_VARIABLES: &[Variable] = &[];
/// No sections.
pub const NO_SECTIONS: &[SectionInfo] = &[];

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
    said([key, field], fallback(title), intro, (file, line), &KEYS)
}

/// A section of which something is said.
pub const fn said(
    [key, field]: [&'static str; 2],
    title: Title,
    intro: Text,
    (file, line): (&'static str, u32),
    keys: &'static SectionKeys,
) -> SectionInfo {
    SectionInfo {
        key: Cow::Borrowed(key),
        field: Cow::Borrowed(field),
        title,
        intro,
        said: Said::Static(keys),
        location: Some(Location { file, line }),
    }
}

/// A section under a condition: where it fails, nothing else of the section is asked.
pub fn when<'a>(holds: bool, section: impl FnOnce() -> Section<'a>) -> Section<'a> {
    if holds {
        section().conditional()
    } else {
        Section::hidden()
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

/// A text of one paragraph.
pub const fn words(literal: &'static str) -> Text {
    const MARKS: &[Mark] = &[paragraph(0, 1)];
    text(literal, MARKS, 1, 1)
}

/// A text in which nothing happens.
pub const fn plain(literal: &'static str) -> Text {
    Text::plain(literal)
}

/// Variables with the usual treatment: what stands between the braces, and the documentation or nothing. One call for
/// all of them: a call for each is what a build spends most of its time on.
pub const fn variables<const N: usize>(words: [(&'static str, &'static str); N]) -> [Variable; N] {
    let mut list = [const { Variable::DEFAULT }; N];
    let mut index = 0;
    while index < N {
        let (source, description) = words[index];
        // What is replaced holds nothing; in a constant it cannot be dropped.
        mem::forget(mem::replace(&mut list[index], usual(source, description)));
        index += 1;
    }
    list
}

/// A variable with the usual treatment.
pub const fn usual(source: &'static str, description: &'static str) -> Variable {
    treated(source, description, ValueTreatment::USUAL)
}

/// A variable with a treatment of its own.
pub const fn treated(
    source: &'static str,
    description: &'static str,
    treatment: ValueTreatment,
) -> Variable {
    Variable {
        source: Cow::Borrowed(source),
        description: if description.is_empty() {
            None
        } else {
            Some(Cow::Borrowed(description))
        },
        treatment,
        missing: false,
        optional: false,
    }
}

/// A treatment: `raw`, `untrusted`, and the column of continuation lines.
pub const fn treatment(raw: bool, untrusted: bool, hang: Hang) -> ValueTreatment {
    ValueTreatment {
        raw,
        untrusted,
        hang,
    }
}

/// A condition that asks a value.
pub const fn asks(source: &'static str) -> ConditionInfo {
    ConditionInfo {
        source: Cow::Borrowed(source),
        section: None,
    }
}

/// A condition that asks whether a section prints something.
pub const fn asks_section(source: &'static str, section: u16) -> ConditionInfo {
    ConditionInfo {
        source: Cow::Borrowed(source),
        section: Some(section),
    }
}

/// Tags that static texts open and close, and whether a value stands inside one.
pub const fn tags(
    opens: &'static [Cow<'static, str>],
    closes: &'static [Cow<'static, str>],
    values: bool,
) -> Tags {
    Tags {
        opens: Cow::Borrowed(opens),
        closes: Cow::Borrowed(closes),
        values,
    }
}

/// An attribute of a tag that a variable writes.
pub const fn attr(name: &'static str, variable: u16) -> Attribute {
    Attribute {
        name: Cow::Borrowed(name),
        value: AttributeSource::Variable(variable),
    }
}

/// An attribute of a tag that has the title.
pub const fn attr_title(name: &'static str) -> Attribute {
    Attribute {
        name: Cow::Borrowed(name),
        value: AttributeSource::Title,
    }
}

/// A title made from the field's name.
pub const fn fallback(title: &'static str) -> Title {
    Title::Fallback(Cow::Borrowed(title))
}

/// No heading; the name for reports.
pub const fn untitled(title: &'static str) -> Title {
    Title::Untitled(Cow::Borrowed(title))
}

const fn mark(at: u32, kind: MarkKind) -> Mark {
    Mark { at, kind }
}

/// The marks of a text with nothing but paragraphs and variables in it: a place, and the index of the variable, or the
/// line of the paragraph as a negative number. One call for all of them: a call for each is what a build spends its time
/// on.
#[allow(
    clippy::cast_possible_truncation,
    reason = "indexes of variables have 16 bits in every mark"
)]
pub const fn marks<const N: usize>(places: [(u32, i32); N]) -> [Mark; N] {
    let mut list = [mark(0, MarkKind::Text { line: 0 }); N];
    let mut index = 0;
    while index < N {
        let (at, what) = places[index];
        list[index] = if what < 0 {
            paragraph(at, what.unsigned_abs())
        } else {
            variable(at, what.unsigned_abs() as u16)
        };
        index += 1;
    }
    list
}

/// A text element.
pub const fn paragraph(at: u32, line: u32) -> Mark {
    mark(at, MarkKind::Text { line })
}

/// A heading.
pub const fn title(at: u32, line: u32, level: u8, optional: bool, len: u32, marks: u16) -> Mark {
    let kind = MarkKind::Title {
        line,
        level,
        optional,
        len,
        marks,
    };
    mark(at, kind)
}

/// A fenced code block.
pub const fn code(at: u32, line: u32, indent: u8, fence: u32) -> Mark {
    let kind = MarkKind::Code {
        line,
        indent,
        fence,
    };
    mark(at, kind)
}

/// Its closing line.
pub const fn code_end(at: u32, len: u32) -> Mark {
    mark(at, MarkKind::CodeEnd { len })
}

/// White space beside something that may come out empty.
pub const fn gap(at: u32, len: u32, ends_line: bool) -> Mark {
    mark(at, MarkKind::Gap { len, ends_line })
}

/// A line that goes when it comes out empty.
pub const fn line(at: u32, head: u16) -> Mark {
    mark(at, MarkKind::Line { head })
}

/// A variable inside a line.
pub const fn variable(at: u32, index: u16) -> Mark {
    mark(at, MarkKind::Variable(index))
}

/// A variable that is a paragraph.
pub const fn block(at: u32, index: u16) -> Mark {
    mark(at, MarkKind::Block(index))
}

/// What only the renderer knows.
pub const fn special(at: u32, special: Special) -> Mark {
    mark(at, MarkKind::Special(special))
}

/// A condition.
pub const fn cond(at: u32, condition: u16, negated: bool, form: ConditionForm, end: u32) -> Mark {
    let kind = MarkKind::If {
        condition,
        negated,
        form,
        end,
    };
    mark(at, kind)
}

/// Its other branch.
pub const fn otherwise(at: u32, form: ConditionForm, end: u32) -> Mark {
    mark(at, MarkKind::Else { form, end })
}

/// Its end.
pub const fn end(at: u32, form: ConditionForm) -> Mark {
    mark(at, MarkKind::End { form })
}

/// Doubled braces.
pub const fn escape(at: u32, len: u32) -> Mark {
    mark(at, MarkKind::Escape { len })
}

/// A slot.
pub const fn slot(at: u32, target: Target, line: u32, level: u8, indent: u16) -> Mark {
    let kind = MarkKind::Slot {
        target,
        line,
        level,
        indent,
    };
    mark(at, kind)
}

//! Elements as data: the JSON form, with `content` as source text.

use super::{
    Element, Elements, FENCE, Inline, InlineText, Metadata,
    read::{names, parse_free},
};
use crate::{Code, Diagnostic, Diagnostics};
use prompt_syntax::{Options, Parsed, Place, Specs};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, collections::BTreeSet};

/// An element as it is written down. Fields after the kind's own ones stand there only where they are not the usual.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Written<'a> {
    Title {
        level: u8,
        content: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<Cow<'a, str>>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        #[serde(default, skip_serializing)]
        line: u32,
    },
    Text {
        content: Cow<'a, str>,
        /// The names that count in code and after `$`, where `content` alone does not tell.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<Cow<'a, str>>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        #[serde(default, skip_serializing)]
        line: u32,
    },
    Code {
        #[serde(default)]
        info: Cow<'a, str>,
        content: Cow<'a, str>,
        #[serde(default = "fence", skip_serializing_if = "is_fence")]
        fence: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "str::is_empty")]
        after_info: Cow<'a, str>,
        /// The closing line, where it is not like the fence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        close: Option<Cow<'a, str>>,
        /// How many lines: 1 if there is one and it is empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u32>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<Cow<'a, str>>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        #[serde(default, skip_serializing)]
        line: u32,
    },
    Slot {
        level: u8,
        name: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "is_zero")]
        indent: u16,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        #[serde(default, skip_serializing)]
        line: u32,
    },
}

const fn one() -> u32 {
    Metadata::DEFAULT.blank_lines
}

const fn fence() -> Cow<'static, str> {
    Cow::Borrowed(FENCE)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_one(number: &u32) -> bool {
    *number == one()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &u16) -> bool {
    *number == 0
}

fn is_fence(text: &str) -> bool {
    text == FENCE
}

impl<'a> Written<'a> {
    fn new(element: &'a Element) -> Self {
        let Metadata { line, blank_lines } = element.metadata();
        match element {
            Element::Title { level, text, .. } => {
                let content = text.to_string().into();
                Self::Title { level: *level, content, names: names_to_say(element), blank_lines, line }
            }
            Element::Text { text, .. } => {
                Self::Text { content: text.to_string().into(), names: names_to_say(element), blank_lines, line }
            }
            Element::Code { fence, info, after_info, text, close, .. } => Self::Code {
                info: info.to_string().into(),
                content: text.to_string().into(),
                fence: Cow::Borrowed(fence),
                after_info: Cow::Borrowed(after_info),
                close: (*close != usual_close(fence)).then_some(Cow::Borrowed(close)),
                lines: (*text == InlineText::EMPTY_LINE).then_some(1),
                names: names_to_say(element),
                blank_lines,
                line,
            },
            Element::Slot { name, level, indent, .. } => {
                Self::Slot { level: *level, name: Cow::Borrowed(name), indent: *indent, blank_lines, line }
            }
        }
    }

    fn element(self) -> Result<Element, String> {
        match self {
            Self::Title { level: 0, .. } | Self::Slot { level: 0, .. } => Err("levels count from 1".to_owned()),
            Self::Title { level, content, names, blank_lines, line } => {
                let text = literal(content.trim_matches([' ', '\t']).to_owned());
                resolve(Element::Title { level, text, metadata: Metadata { line, blank_lines } }, &names)
            }
            Self::Text { content, names, blank_lines, line } => {
                let text = literal(content.into_owned());
                resolve(Element::Text { text, metadata: Metadata { line, blank_lines } }, &names)
            }
            Self::Code { info, content, fence, after_info, close, lines, names, blank_lines, line } => {
                let close = close.map_or_else(|| usual_close(&fence).to_owned(), Cow::into_owned).into();
                let is_line = content.is_empty() && lines == Some(1);
                let element = Element::Code {
                    fence: fence.into_owned().into(),
                    info: literal(info.into_owned()),
                    after_info: after_info.into_owned().into(),
                    text: if is_line { InlineText::EMPTY_LINE } else { literal(content.into_owned()) },
                    close,
                    metadata: Metadata { line, blank_lines },
                };
                resolve(element, &names)
            }
            Self::Slot { level, name, indent, blank_lines, line } => Ok(Element::Slot {
                name: name.into_owned().into(),
                level,
                indent,
                metadata: Metadata { line, blank_lines },
            }),
        }
    }
}

fn literal(text: String) -> InlineText {
    InlineText::from(text)
}

/// The closing line that a fence usually has.
fn usual_close(fence: &str) -> &str {
    fence.trim_end_matches([' ', '\t'])
}

/// Finds variables, guards and doubled braces in an element whose texts are still literals.
fn resolve(element: Element, names: &[Cow<'_, str>]) -> Result<Element, String> {
    let source = element.to_string();
    let known: Vec<&str> = names.iter().map(Cow::as_ref).collect();
    let Parsed { blocks, problems } = match names {
        [] => parse_free(&source, Specs::Compiled),
        _ => prompt_syntax::parse(&source, &Options { names: &known, ..Options::new(Place::Free) }),
    };
    let mut list = Elements::from_blocks(&blocks).into_iter();
    let read = list.next().filter(|read| list.len() == 0 && is_alike(read, &element) && read.to_string() == source);
    let Some(read) = read else { return resolve_context(element, &source, known, &blocks) };
    let is_open = matches!(&element, Element::Code { close, .. } if close.is_empty());
    let is_fault = |code: Code| !code.is_lint() && !(is_open && code == Code::UnclosedFence);
    let mut faults = Diagnostics::default();
    let problems = problems.into_iter().filter(|problem| is_fault(problem.code));
    faults.extend(problems.map(|problem| Diagnostic::of_text(problem, "", "")));
    let read = read.with_metadata(element.metadata());
    let read = element.level().map_or(read.clone(), |level| read.with_level(level));
    faults.or(read).map_err(|faults| faults.to_string())
}

/// A text that reads differently by itself than in its context: what stands in a list item that goes on, for one.
fn resolve_context<'a>(
    element: Element,
    source: &str,
    mut known: Vec<&'a str>,
    blocks: &'a [prompt_syntax::Block],
) -> Result<Element, String> {
    match element {
        Element::Text { metadata, .. } => {
            known.extend(names(blocks));
            let options = Options { names: &known, ..Options::new(Place::Inline) };
            let list = Elements::from_blocks(&prompt_syntax::parse(source, &options).blocks);
            let pieces = list.texts().flatten().cloned().collect();
            Ok(Element::Text { text: pieces, metadata })
        }
        Element::Title { .. } => Err("the content of a title is one line that is not empty".to_owned()),
        _ => Err("`fence`, `info`, `content` and `close` do not make one code block".to_owned()),
    }
}

fn is_alike(left: &Element, right: &Element) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// The names that must be said with an element, because its source text alone reads differently.
fn names_to_say(element: &Element) -> Vec<Cow<'_, str>> {
    if element.pieces().all(|piece| matches!(piece, Inline::Literal(text) if !text.contains('{'))) {
        return Vec::new();
    }
    let plain = element.clone();
    let plain = match plain {
        Element::Title { level, text, metadata } => {
            Element::Title { level, text: literal(text.to_string()), metadata }
        }
        Element::Text { text, metadata } => Element::Text { text: literal(text.to_string()), metadata },
        Element::Code { fence, info, after_info, text, close, metadata } => Element::Code {
            fence,
            info: literal(info.to_string()),
            after_info,
            text: literal(text.to_string()),
            close,
            metadata,
        },
        slot @ Element::Slot { .. } => slot,
    };
    if resolve(plain, &[]).is_ok_and(|read| read == *element) {
        return Vec::new();
    }
    let names: BTreeSet<&str> = element.pieces().filter_map(name).collect();
    names.into_iter().map(Cow::Borrowed).collect()
}

/// The name that a piece speaks of.
fn name(piece: &Inline) -> Option<&str> {
    match piece {
        Inline::Literal(_) => None,
        Inline::Variable { name, .. } | Inline::Guard { name, .. } => Some(name),
        Inline::Escaped(text) => text.trim_matches(['{', '}', '?', '!']).split(['.', ':']).next(),
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::new(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?.element().map_err(de::Error::custom)
    }
}

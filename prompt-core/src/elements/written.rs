//! Elements as data: the JSON form, with `content` as source text.

use super::{
    Element, Elements, FENCE, InlineText, Metadata,
    read::{names, parse_free},
};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use prompt_syntax::Code;
use prompt_syntax::{Block, Options, Parsed, Place, Specs};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;

/// An element as it is written down. Fields after the kind's own ones stand there only where they are not the usual.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Written<'a> {
    Title {
        level: u8,
        content: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<InlineText>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        #[serde(default, skip_serializing)]
        line: u32,
    },
    Text {
        content: Cow<'a, str>,
        /// What `content` is made of, where it would be read differently by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<InlineText>,
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<InlineText>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        info_pieces: Option<InlineText>,
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

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_one(number: &u32) -> bool {
    *number == one()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_zero(number: &u16) -> bool {
    *number == 0
}

fn is_fence(text: &str) -> bool {
    text == FENCE
}

impl<'a> Written<'a> {
    fn new(element: &'a Element) -> Self {
        let Metadata { line, blank_lines } = element.metadata();
        let is_plain = reads_alike(element);
        let pieces = |text: &InlineText| (!is_plain).then(|| text.clone());
        match element {
            Element::Title { level, text, .. } => {
                let content = text.to_string().into();
                Self::Title {
                    level: *level,
                    content,
                    pieces: pieces(text),
                    blank_lines,
                    line,
                }
            }
            Element::Text { text, .. } => Self::Text {
                content: text.to_string().into(),
                pieces: pieces(text),
                blank_lines,
                line,
            },
            Element::Code {
                fence,
                info,
                after_info,
                text,
                close,
                ..
            } => Self::Code {
                info: info.to_string().into(),
                content: text.to_string().into(),
                fence: Cow::Borrowed(fence),
                after_info: Cow::Borrowed(after_info),
                close: (*close != usual_close(fence)).then_some(Cow::Borrowed(close)),
                lines: (*text == InlineText::EMPTY_LINE).then_some(1),
                pieces: pieces(text),
                info_pieces: pieces(info),
                blank_lines,
                line,
            },
            Element::Slot {
                name,
                level,
                indent,
                ..
            } => Self::Slot {
                level: *level,
                name: Cow::Borrowed(name),
                indent: *indent,
                blank_lines,
                line,
            },
        }
    }

    fn element(self) -> Result<Element, String> {
        match self {
            Self::Title { level: 0, .. } | Self::Slot { level: 0, .. } => {
                Err("levels count from 1".to_owned())
            }
            Self::Title {
                level,
                content,
                pieces,
                blank_lines,
                line,
            } => {
                let is_known = pieces.is_some();
                let text = inline_text(content.trim_matches([' ', '\t']).to_owned(), pieces)?;
                let element = Element::Title {
                    level,
                    text,
                    metadata: Metadata { line, blank_lines },
                };
                if is_known {
                    Ok(element)
                } else {
                    resolve(&element)
                }
            }
            Self::Text {
                content,
                pieces,
                blank_lines,
                line,
            } => {
                let is_known = pieces.is_some();
                let text = inline_text(content.into_owned(), pieces)?;
                let element = Element::Text {
                    text,
                    metadata: Metadata { line, blank_lines },
                };
                if is_known {
                    Ok(element)
                } else {
                    resolve(&element)
                }
            }
            Self::Code {
                info,
                content,
                fence,
                after_info,
                close,
                lines,
                pieces,
                info_pieces,
                blank_lines,
                line,
            } => {
                let close = close
                    .map_or_else(|| usual_close(&fence).to_owned(), Cow::into_owned)
                    .into();
                let is_known = pieces.is_some() || info_pieces.is_some();
                let is_line = content.is_empty() && lines == Some(1);
                let text = inline_text(content.into_owned(), pieces)?;
                let element = Element::Code {
                    fence: fence.into_owned().into(),
                    info: inline_text(info.into_owned(), info_pieces)?,
                    after_info: after_info.into_owned().into(),
                    text: if is_line {
                        InlineText::EMPTY_LINE
                    } else {
                        text
                    },
                    close,
                    metadata: Metadata { line, blank_lines },
                };
                if is_known {
                    Ok(element)
                } else {
                    resolve(&element)
                }
            }
            Self::Slot {
                level,
                name,
                indent,
                blank_lines,
                line,
            } => Ok(Element::Slot {
                name: name.into_owned().into(),
                level,
                indent,
                metadata: Metadata { line, blank_lines },
            }),
        }
    }
}

/// The closing line that a fence usually has.
fn usual_close(fence: &str) -> &str {
    fence.trim_end_matches([' ', '\t'])
}

/// The pieces, if they are given, or else the source text as one literal.
fn inline_text(source: String, pieces: Option<InlineText>) -> Result<InlineText, String> {
    match pieces {
        None => Ok(InlineText::from(source)),
        Some(pieces) if pieces.to_string() == source => Ok(pieces),
        Some(pieces) => Err(format!("the pieces print `{pieces}`, and not `{source}`")),
    }
}

/// Finds variables, guards and doubled braces in an element whose texts are still literals.
fn resolve(element: &Element) -> Result<Element, String> {
    let source = element.to_string();
    let Parsed { blocks, problems } = parse_free(&source, Specs::Compiled);
    let mut list = Elements::from_blocks(&blocks).into_iter();
    let read = list
        .next()
        .filter(|read| list.len() == 0 && is_alike(read, element) && read.to_string() == source);
    let Some(read) = read else {
        return resolve_in_context(element, &source, &blocks);
    };
    let is_open = matches!(element, Element::Code { close, .. } if close.is_empty());
    let is_fault = |code: Code| !(code.is_lint() || is_open && code == Code::UnclosedFence);
    let mut faults = Diagnostics::default();
    let problems = problems
        .into_iter()
        .filter(|problem| is_fault(problem.code));
    faults.extend(problems.map(|problem| Diagnostic::of_text(problem, "", "")));
    let level = element.level().unwrap_or_default();
    faults
        .or(read.with_metadata(element.metadata()).with_level(level))
        .map_err(|faults| faults.to_string())
}

/// A text that is something else by itself: what goes on in a list item may look like a heading.
fn resolve_in_context(
    element: &Element,
    source: &str,
    blocks: &[Block],
) -> Result<Element, String> {
    match element {
        Element::Text { metadata, .. } => {
            let options = Options {
                names: &names(blocks),
                ..Options::new(Place::Inline)
            };
            let list = Elements::from_blocks(&prompt_syntax::parse(source, &options).blocks);
            let text = list.texts().flatten().cloned().collect();
            Ok(Element::Text {
                text,
                metadata: *metadata,
            })
        }
        Element::Title { .. } => {
            Err("the content of a title is one line that is not empty".to_owned())
        }
        _ => Err("`fence`, `info`, `content` and `close` do not make one code block".to_owned()),
    }
}

fn is_alike(left: &Element, right: &Element) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// Whether the source text of an element, read by itself, gives the element.
fn reads_alike(element: &Element) -> bool {
    let mut plain = element.clone();
    let flatten = |text: &mut InlineText| {
        if *text != InlineText::EMPTY_LINE {
            *text = InlineText::from(text.to_string());
        }
    };
    match &mut plain {
        Element::Title { text, .. } | Element::Text { text, .. } => flatten(text),
        Element::Code { info, text, .. } => {
            flatten(info);
            flatten(text);
        }
        Element::Slot { .. } => return true,
    }
    resolve(&plain).is_ok_and(|read| read == *element)
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::new(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?
            .element()
            .map_err(de::Error::custom)
    }
}

//! Elements as data: the JSON form, with `content` as source text.

use crate::{
    Code, ConditionForm, Element, Elements, Inline, InlineText, Metadata, Options, Parsed, Place,
    Problem,
    element::FENCE,
    inline_text::name_and_path,
    parse::{parse, read_free},
};
use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An inline piece as data: what stands between the braces.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Piece {
    Literal(Cow<'static, str>),
    Escaped(Cow<'static, str>),
    Variable(Cow<'static, str>),
    If(Cow<'static, str>, Form),
    Else(Form),
    End(Cow<'static, str>, Form),
}

/// The form of a condition as data: `line`, `inline`, or the columns that a marker line is indented by.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    Line,
    Inline,
    Block(u16),
}

impl From<ConditionForm> for Form {
    fn from(form: ConditionForm) -> Self {
        match form {
            ConditionForm::Line => Self::Line,
            ConditionForm::Inline => Self::Inline,
            ConditionForm::Block { indent } => Self::Block(indent),
        }
    }
}

impl From<Form> for ConditionForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Line => Self::Line,
            Form::Inline => Self::Inline,
            Form::Block(indent) => Self::Block { indent },
        }
    }
}

fn dotted(name: Cow<'static, str>, path: &str) -> Cow<'static, str> {
    if path.is_empty() {
        name
    } else {
        format!("{name}.{path}").into()
    }
}

impl From<Inline> for Piece {
    fn from(piece: Inline) -> Self {
        match piece {
            Inline::Literal(text) => Self::Literal(text),
            Inline::Escaped(text) => Self::Escaped(text),
            Inline::Variable { name, path, spec } => {
                let name = dotted(name, &path);
                Self::Variable(match spec {
                    Some(spec) => format!("{name}:{spec}").into(),
                    None => name,
                })
            }
            Inline::If {
                name,
                path,
                negated,
                form,
            } => {
                let name = dotted(name, &path);
                let asks = if negated {
                    format!("!{name}").into()
                } else {
                    name
                };
                Self::If(asks, form.into())
            }
            Inline::Else { form } => Self::Else(form.into()),
            Inline::End { name, path, form } => Self::End(dotted(name, &path), form.into()),
        }
    }
}

impl From<Piece> for Inline {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Literal(text) => Self::Literal(text),
            Piece::Escaped(text) => Self::Escaped(text),
            Piece::Variable(source) => Self::variable_of(&source),
            Piece::If(asks, form) => {
                let negated = asks.starts_with('!');
                let asked = asks.strip_prefix('!').unwrap_or(&asks);
                let (name, path) = name_and_path(&Cow::Owned(asked.to_owned()));
                Self::If {
                    name,
                    path,
                    negated,
                    form: form.into(),
                }
            }
            Piece::Else(form) => Self::Else { form: form.into() },
            Piece::End(asked, form) => {
                let (name, path) = name_and_path(&asked);
                Self::End {
                    name,
                    path,
                    form: form.into(),
                }
            }
        }
    }
}

impl Serialize for Inline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Piece::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Inline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Piece::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for InlineText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for InlineText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pieces: Vec<Inline> = Vec::deserialize(deserializer)?;
        let is_empty_line = pieces.as_slice() == Self::EMPTY_LINE.iter().as_slice();
        Ok(if is_empty_line {
            Self::EMPTY_LINE
        } else {
            pieces.into_iter().collect()
        })
    }
}

/// An element as it is written down. Fields after the kind's own ones stand there only where they are not the usual.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Written<'a> {
    Title {
        level: u8,
        content: Cow<'a, str>,
        /// The conditions before the hashes.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        conditions: Cow<'a, str>,
        /// What these are made of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition_pieces: Option<InlineText>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<InlineText>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        blank_lines: u32,
        /// These lines, where one of them holds blanks.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        blanks: Cow<'a, str>,
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
        /// These lines, where one of them holds blanks.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        blanks: Cow<'a, str>,
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
        /// These lines, where one of them holds blanks.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        blanks: Cow<'a, str>,
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
        /// These lines, where one of them holds blanks.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        blanks: Cow<'a, str>,
        #[serde(default, skip_serializing)]
        line: u32,
    },
}

const fn one() -> u32 {
    1
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
        let Metadata {
            line,
            blank_lines,
            blanks,
        } = element.metadata();
        let (line, blank_lines, blanks) = (*line, *blank_lines, Cow::Borrowed(&**blanks));
        let is_plain = reads_alike(element);
        let pieces = |text: &InlineText| (!is_plain).then(|| text.clone());
        match element {
            Element::Title {
                level,
                conditions,
                text,
                ..
            } => Self::Title {
                level: *level,
                content: text.to_string().into(),
                conditions: conditions.to_string().into(),
                condition_pieces: pieces(conditions),
                pieces: pieces(text),
                blank_lines,
                blanks,
                line,
            },
            Element::Text { text, .. } => Self::Text {
                content: text.to_string().into(),
                pieces: pieces(text),
                blank_lines,
                blanks,
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
                blanks,
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
                blanks,
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
                conditions,
                condition_pieces,
                pieces,
                blank_lines,
                blanks,
                line,
            } => {
                let is_known = pieces.is_some() || condition_pieces.is_some();
                let content = content.trim_matches([' ', '\t']).to_owned();
                let element = Element::Title {
                    level,
                    conditions: inline_text(conditions.into_owned(), condition_pieces)?,
                    text: inline_text(content, pieces)?,
                    metadata: metadata(line, blank_lines, blanks),
                };
                settled(element, is_known)
            }
            Self::Text {
                content,
                pieces,
                blank_lines,
                blanks,
                line,
            } => {
                let is_known = pieces.is_some();
                let element = Element::Text {
                    text: inline_text(content.into_owned(), pieces)?,
                    metadata: metadata(line, blank_lines, blanks),
                };
                settled(element, is_known)
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
                blanks,
                line,
            } => {
                let close = close.map_or_else(|| usual_close(&fence).to_owned(), Cow::into_owned);
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
                    close: close.into(),
                    metadata: metadata(line, blank_lines, blanks),
                };
                settled(element, is_known)
            }
            Self::Slot {
                level,
                name,
                indent,
                blank_lines,
                blanks,
                line,
            } => Ok(Element::Slot {
                name: name.into_owned().into(),
                level,
                indent,
                metadata: metadata(line, blank_lines, blanks),
            }),
        }
    }
}

fn metadata(line: u32, blank_lines: u32, blanks: Cow<'_, str>) -> Metadata {
    Metadata {
        line,
        blank_lines,
        blanks: blanks.into_owned().into(),
    }
}

/// The element, with its pieces found if they were not given.
fn settled(element: Element, is_known: bool) -> Result<Element, String> {
    if is_known {
        Ok(element)
    } else {
        resolve(&element)
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

/// Finds variables, conditions and doubled braces in an element whose texts are still literals.
fn resolve(element: &Element) -> Result<Element, String> {
    let source = element.to_string();
    let Parsed {
        elements,
        problems,
        uses,
    } = read_free(&source, &Options::new(Place::Free), true);
    let mut list = elements.into_iter();
    let read = list
        .next()
        .filter(|read| list.len() == 0 && is_alike(read, element) && read.to_string() == source);
    let Some(read) = read else {
        let names: Vec<&str> = uses.iter().map(|used| used.name.as_str()).collect();
        return resolve_in_context(element, &source, &names);
    };
    let is_open = matches!(element, Element::Code { close, .. } if close.is_empty());
    let is_fault = |code: Code| !(code.is_lint() || is_open && code == Code::UnclosedFence);
    let problems: Vec<String> = problems
        .iter()
        .filter(|problem| is_fault(problem.code))
        .map(Problem::to_string)
        .collect();
    if problems.is_empty() {
        let level = element.level().unwrap_or_default();
        Ok(read
            .with_metadata(element.metadata().clone())
            .with_level(level))
    } else {
        Err(problems.join("\n"))
    }
}

/// A text that is something else by itself: what goes on in a list item may look like a heading.
fn resolve_in_context(element: &Element, source: &str, names: &[&str]) -> Result<Element, String> {
    match element {
        Element::Text { metadata, .. } => {
            let options = Options {
                names,
                ..Options::new(Place::Inline)
            };
            let list = parse(source, &options).elements;
            let text = list.texts().flatten().cloned().collect();
            Ok(Element::Text {
                text,
                metadata: metadata.clone(),
            })
        }
        Element::Title { .. } => {
            Err("the content of a title is one line that is not empty".to_owned())
        }
        _ => Err("`fence`, `info`, `content` and `close` do not make one code block".to_owned()),
    }
}

fn is_alike(left: &Element, right: &Element) -> bool {
    core::mem::discriminant(left) == core::mem::discriminant(right)
}

/// Whether the source text of an element, read by itself, gives the element.
fn reads_alike(element: &Element) -> bool {
    let mut plain = element.clone();
    let flatten = |text: &mut InlineText| {
        if *text != InlineText::EMPTY_LINE {
            *text = InlineText::from(text.to_string());
        }
    };
    if matches!(plain, Element::Slot { .. }) {
        return true;
    }
    plain.texts_mut().for_each(flatten);
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

impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for Elements {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|elements: Vec<Element>| Self::from(elements))
    }
}

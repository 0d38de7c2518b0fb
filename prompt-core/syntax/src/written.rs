//! Elements as data: the JSON form, with `content` as source text.
//!
//! Written out by hand: what a derive would make of it is the longest part of the crate to compile, and would let the
//! whole library wait for the derive.

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
use core::fmt;
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IgnoredAny, MapAccess, Visitor},
    ser::SerializeMap,
};

/// The kinds of inline pieces as data.
const PIECES: &[&str] = &["literal", "escaped", "variable", "if", "else", "end"];

/// The form of a condition as data: `line`, `inline`, or the columns that a marker line is indented by.
struct Form(ConditionForm);

const FORMS: &[&str] = &["line", "inline", "block"];

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ConditionForm::Line => serializer.serialize_str("line"),
            ConditionForm::Inline => serializer.serialize_str("inline"),
            ConditionForm::Block { indent } => serializer.collect_map([("block", indent)]),
        }
    }
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FormReader)
    }
}

struct FormReader;

impl<'de> Visitor<'de> for FormReader {
    type Value = Form;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`line`, `inline` or an object with the field `block`")
    }

    fn visit_str<E: de::Error>(self, form: &str) -> Result<Form, E> {
        match form {
            "line" => Ok(Form(ConditionForm::Line)),
            "inline" => Ok(Form(ConditionForm::Inline)),
            other => Err(E::unknown_variant(other, FORMS)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Form, A::Error> {
        let form = match map.next_key::<String>()?.as_deref() {
            Some("block") => Form(ConditionForm::Block {
                indent: map.next_value()?,
            }),
            Some(other) => return Err(de::Error::unknown_variant(other, FORMS)),
            None => return Err(de::Error::invalid_length(0, &self)),
        };
        is_all(&mut map, &self)?;
        Ok(form)
    }
}

/// An object with one field has no other.
fn is_all<'de, A: MapAccess<'de>>(
    map: &mut A,
    expected: &impl Visitor<'de>,
) -> Result<(), A::Error> {
    match map.next_key::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(de::Error::invalid_length(2, expected)),
    }
}

fn dotted(name: &str, path: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{name}.{path}")
    }
}

impl Serialize for Inline {
    /// What stands between the braces, under the kind.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Literal(text) => map.serialize_entry("literal", text)?,
            Self::Escaped(text) => map.serialize_entry("escaped", text)?,
            Self::Variable { name, path, spec } => {
                let mut source = dotted(name, path);
                if let Some(spec) = spec {
                    source = format!("{source}:{spec}");
                }
                map.serialize_entry("variable", &source)?;
            }
            Self::If {
                name,
                path,
                negated,
                form,
            } => {
                let mark = if *negated { "!" } else { "" };
                let asks = format!("{mark}{}", dotted(name, path));
                map.serialize_entry("if", &(asks, Form(*form)))?;
            }
            Self::Else { form } => map.serialize_entry("else", &Form(*form))?,
            Self::End { name, path, form } => {
                map.serialize_entry("end", &(dotted(name, path), Form(*form)))?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Inline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InlineReader)
    }
}

struct InlineReader;

impl<'de> Visitor<'de> for InlineReader {
    type Value = Inline;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose one field is the kind of the piece")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Inline, A::Error> {
        let Some(kind) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &self));
        };
        let piece = match kind.as_str() {
            "literal" => Inline::Literal(map.next_value::<String>()?.into()),
            "escaped" => Inline::Escaped(map.next_value::<String>()?.into()),
            "variable" => Inline::variable_of(&map.next_value::<String>()?.into()),
            "if" => {
                let (asks, Form(form)): (String, Form) = map.next_value()?;
                let asked = asks.strip_prefix('!');
                let (name, path) = name_and_path(&asked.unwrap_or(&asks).to_owned().into());
                Inline::If {
                    name,
                    path,
                    negated: asked.is_some(),
                    form,
                }
            }
            "else" => {
                let Form(form) = map.next_value()?;
                Inline::Else { form }
            }
            "end" => {
                let (asked, Form(form)): (String, Form) = map.next_value()?;
                let (name, path) = name_and_path(&asked.into());
                Inline::End { name, path, form }
            }
            other => return Err(de::Error::unknown_variant(other, PIECES)),
        };
        is_all(&mut map, &self)?;
        Ok(piece)
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

/// The kinds of elements as data, each with its fields. Those behind a kind's own ones stand there only where they are
/// not the usual.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "title",
        &[
            "level",
            "content",
            "conditions",
            "condition_pieces",
            "pieces",
            "blank_lines",
            "blanks",
            "line",
        ],
    ),
    (
        "text",
        &["content", "pieces", "blank_lines", "blanks", "line"],
    ),
    (
        "code",
        &[
            "info",
            "content",
            "fence",
            "after_info",
            "close",
            "lines",
            "pieces",
            "info_pieces",
            "blank_lines",
            "blanks",
            "line",
        ],
    ),
    (
        "slot",
        &["level", "name", "indent", "blank_lines", "blanks", "line"],
    ),
];

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_plain = reads_alike(self);
        let pieces = |text| (!is_plain).then_some(text);
        let mut map = serializer.serialize_map(None)?;
        let fields = &mut map;
        match self {
            Self::Title {
                level,
                conditions,
                text,
                ..
            } => {
                put(fields, "type", Some("title"))?;
                put(fields, "level", Some(level))?;
                put(fields, "content", Some(text.to_string()))?;
                put(fields, "conditions", some(&conditions.to_string()))?;
                put(fields, "condition_pieces", pieces(conditions))?;
                put(fields, "pieces", pieces(text))?;
            }
            Self::Text { text, .. } => {
                put(fields, "type", Some("text"))?;
                put(fields, "content", Some(text.to_string()))?;
                put(fields, "pieces", pieces(text))?;
            }
            Self::Code {
                fence,
                info,
                after_info,
                text,
                close,
                ..
            } => {
                let own_close = (*close != usual_close(fence)).then_some(close);
                let is_empty_line = *text == InlineText::EMPTY_LINE;
                put(fields, "type", Some("code"))?;
                put(fields, "info", Some(info.to_string()))?;
                put(fields, "content", Some(text.to_string()))?;
                put(fields, "fence", (*fence != FENCE).then_some(fence))?;
                put(fields, "after_info", some(after_info))?;
                put(fields, "close", own_close)?;
                put(fields, "lines", is_empty_line.then_some(1))?;
                put(fields, "pieces", pieces(text))?;
                put(fields, "info_pieces", pieces(info))?;
            }
            Self::Slot {
                name,
                level,
                indent,
                ..
            } => {
                put(fields, "type", Some("slot"))?;
                put(fields, "level", Some(level))?;
                put(fields, "name", Some(name))?;
                put(fields, "indent", (*indent != 0).then_some(indent))?;
            }
        }
        let lines = self.metadata();
        let blank_lines = (lines.blank_lines != 1).then_some(lines.blank_lines);
        put(fields, "blank_lines", blank_lines)?;
        put(fields, "blanks", some(&lines.blanks))?;
        map.end()
    }
}

/// Writes a field that is there.
fn put<M: SerializeMap>(
    map: &mut M,
    key: &str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// A text that is not empty.
fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The fields of an element, of whatever kind.
#[derive(Default)]
struct Written {
    kind: Option<String>,
    level: Option<u8>,
    content: Option<String>,
    /// The conditions before the hashes.
    conditions: String,
    /// What these are made of.
    condition_pieces: Option<InlineText>,
    /// What `content` is made of, where it would be read differently by itself.
    pieces: Option<InlineText>,
    info: String,
    info_pieces: Option<InlineText>,
    fence: Option<String>,
    after_info: String,
    /// The closing line, where it is not like the fence.
    close: Option<String>,
    /// How many lines of code: 1 if there is one and it is empty.
    lines: Option<u32>,
    name: Option<String>,
    indent: u16,
    blank_lines: Option<u32>,
    /// These lines, where one of them holds blanks.
    blanks: String,
    line: u32,
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ElementReader)
    }
}

struct ElementReader;

impl<'de> Visitor<'de> for ElementReader {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an element: an object with its `type`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        let mut written = Written::default();
        let mut given: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if given.contains(&key) {
                return Err(de::Error::custom(format_args!("duplicate field `{key}`")));
            }
            match key.as_str() {
                "type" => written.kind = Some(map.next_value()?),
                "level" => written.level = Some(map.next_value()?),
                "content" => written.content = Some(map.next_value()?),
                "conditions" => written.conditions = map.next_value()?,
                "condition_pieces" => written.condition_pieces = map.next_value()?,
                "pieces" => written.pieces = map.next_value()?,
                "info" => written.info = map.next_value()?,
                "info_pieces" => written.info_pieces = map.next_value()?,
                "fence" => written.fence = Some(map.next_value()?),
                "after_info" => written.after_info = map.next_value()?,
                "close" => written.close = map.next_value()?,
                "lines" => written.lines = map.next_value()?,
                "name" => written.name = Some(map.next_value()?),
                "indent" => written.indent = map.next_value()?,
                "blank_lines" => written.blank_lines = Some(map.next_value()?),
                "blanks" => written.blanks = map.next_value()?,
                "line" => written.line = map.next_value()?,
                // Which fields there are depends on the type, which may come later.
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
            given.push(key);
        }
        let kind = written.kind.take();
        let kind = kind.ok_or_else(|| de::Error::missing_field("type"))?;
        let Some((kind, fields)) = KINDS.iter().find(|(known, _)| *known == kind) else {
            const NAMES: &[&str] = &[KINDS[0].0, KINDS[1].0, KINDS[2].0, KINDS[3].0];
            return Err(de::Error::unknown_variant(&kind, NAMES));
        };
        let is_strange = |key: &&String| *key != "type" && !fields.contains(&key.as_str());
        if let Some(key) = given.iter().find(is_strange) {
            return Err(de::Error::unknown_field(key, fields));
        }
        let missing = fields.iter().find(|field| written.misses(field));
        match missing {
            Some(field) => Err(de::Error::missing_field(field)),
            None => written.element(kind).map_err(de::Error::custom),
        }
    }
}

impl Written {
    /// Whether a field that has no usual value is not there.
    fn misses(&self, field: &str) -> bool {
        match field {
            "level" => self.level.is_none(),
            "content" => self.content.is_none(),
            "name" => self.name.is_none(),
            _ => false,
        }
    }

    fn element(self, kind: &str) -> Result<Element, String> {
        let level = self.level.unwrap_or(1);
        if level == 0 {
            return Err("levels count from 1".to_owned());
        }
        let content = self.content.unwrap_or_default();
        let metadata = Metadata {
            line: self.line,
            blank_lines: self.blank_lines.unwrap_or(1),
            blanks: self.blanks.into(),
        };
        let mut is_known = self.pieces.is_some();
        let element = match kind {
            "title" => {
                is_known |= self.condition_pieces.is_some();
                let content = content.trim_matches([' ', '\t']).to_owned();
                Element::Title {
                    level,
                    conditions: inline_text(self.conditions, self.condition_pieces)?,
                    text: inline_text(content, self.pieces)?,
                    metadata,
                }
            }
            "code" => {
                is_known |= self.info_pieces.is_some();
                let fence = self.fence.map_or(Cow::Borrowed(FENCE), Cow::Owned);
                let close = self.close;
                let close = close.unwrap_or_else(|| usual_close(&fence).to_owned());
                let is_line = content.is_empty() && self.lines == Some(1);
                let text = inline_text(content, self.pieces)?;
                Element::Code {
                    info: inline_text(self.info, self.info_pieces)?,
                    after_info: self.after_info.into(),
                    text: if is_line {
                        InlineText::EMPTY_LINE
                    } else {
                        text
                    },
                    close: close.into(),
                    fence,
                    metadata,
                }
            }
            "slot" => {
                return Ok(Element::Slot {
                    name: self.name.unwrap_or_default().into(),
                    level,
                    indent: self.indent,
                    metadata,
                });
            }
            _ => Element::Text {
                text: inline_text(content, self.pieces)?,
                metadata,
            },
        };
        settled(element, is_known)
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

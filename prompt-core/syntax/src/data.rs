//! Elements as data, to be looked at: `content` and `source` are pieces of the text that was read. What is read is always the
//! text.

use crate::{Element, Elements, Form, Metadata, branches::BranchesRef, element::FENCE};
use alloc::string::ToString;
use serde_core::{Serialize, Serializer, ser::SerializeMap};

impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Title { level, text, .. } => {
                map.serialize_entry("type", "title")?;
                map.serialize_entry("level", level)?;
                map.serialize_entry("content", &text.to_string())?;
            }
            Self::Text { text, .. } => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("content", &text.to_string())?;
            }
            Self::Code {
                fence, info, text, ..
            } => {
                map.serialize_entry("type", "code")?;
                map.serialize_entry("info", &info.to_string())?;
                map.serialize_entry("content", &text.to_string())?;
                put(&mut map, "fence", (*fence != FENCE).then_some(fence))?;
            }
            Self::Slot {
                name,
                level,
                indent,
                ..
            } => {
                map.serialize_entry("type", "slot")?;
                map.serialize_entry("level", level)?;
                map.serialize_entry("name", name)?;
                put(&mut map, "indent", (*indent != 0).then_some(indent))?;
            }
            Self::If { branches, .. } => put_branches(&mut map, "if", &branches.branches())?,
            Self::Each { branches, .. } => put_branches(&mut map, "each", &branches.branches())?,
        }
        let Metadata {
            blank_lines,
            blanks,
            ..
        } = self.metadata();
        put(
            &mut map,
            "blank_lines",
            (*blank_lines != 1).then_some(blank_lines),
        )?;
        put(&mut map, "blanks", (!blanks.is_empty()).then_some(blanks))?;
        map.end()
    }
}

fn put_branches<M: SerializeMap>(
    map: &mut M,
    kind: &str,
    branches: &BranchesRef<'_, Element>,
) -> Result<(), M::Error> {
    let form = match branches.form {
        Form::Line => "line",
        Form::Inline => "inline",
        Form::Block => "block",
    };
    map.serialize_entry("type", kind)?;
    map.serialize_entry("form", form)?;
    map.serialize_entry("source", &branches.first.marker)?;
    map.serialize_entry("elements", &branches.first.list)?;
    put(map, "else", branches.otherwise.map(|part| &part.list))
}

/// Writes a field that is there.
fn put<M: SerializeMap>(
    map: &mut M,
    key: &str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

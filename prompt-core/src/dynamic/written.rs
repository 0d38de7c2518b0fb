//! A tree as written: what a builder makes, and what a file holds.

use super::{
    MAX_DEPTH,
    deep::{Branch, Deep},
    spec::NodeSpec,
};
use crate::diagnostics::Diagnostic;
use prompt_syntax::Code;
use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// A node as written, with its sections.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Written {
    pub(super) spec: NodeSpec,
    pub(super) sections: Deep<Written>,
}

impl Branch for Written {
    fn below(&self) -> &Deep<Self> {
        &self.sections
    }

    fn below_mut(&mut self) -> &mut Deep<Self> {
        &mut self.sections
    }

    fn alone(&self) -> Self {
        Self {
            spec: self.spec.clone(),
            sections: Deep::default(),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

/// What was read, and what is wrong with it: each fault with the position of its section among all.
pub(super) struct Read {
    pub(super) tree: Written,
    pub(super) faults: Vec<(usize, Diagnostic)>,
}

impl From<Written> for Read {
    fn from(tree: Written) -> Self {
        Self {
            tree,
            faults: Vec::new(),
        }
    }
}

/// Reads a tree of any format. Keys and values are checked one by one, so that one fault hides no other.
///
/// # Errors
/// Of the format itself.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Read, D::Error> {
    let raw = RawSeed { depth: 0 }.deserialize(deserializer)?;
    let mut reader = Reader {
        faults: Vec::new(),
        visited: 0,
    };
    let tree = reader.tree(raw, "");
    Ok(Read {
        tree,
        faults: reader.faults,
    })
}

/// A section as it stands in a file. At most [`MAX_DEPTH`] levels are kept, so recursion ends.
#[derive(Default)]
struct Raw {
    entries: Vec<(String, Value)>,
    sections: Vec<Raw>,
    /// How often `sections` is given.
    lists: usize,
    /// Its sections would be too deep.
    is_cut: bool,
}

impl Raw {
    fn key(&self) -> &str {
        let key = self.entries.iter().find(|(name, _)| name == "key");
        key.and_then(|(_, key)| key.as_str()).unwrap_or_default()
    }
}

struct RawSeed {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for RawSeed {
    type Value = Raw;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RawSeed {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a section: a map of its keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut raw = Raw::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == "sections" {
                raw.lists += 1;
                map.next_value_seed(ListSeed {
                    depth: self.depth + 1,
                    host: &mut raw,
                })?;
            } else {
                raw.entries.push((key, map.next_value()?));
            }
        }
        Ok(raw)
    }
}

/// Reads `sections` into its section.
struct ListSeed<'r> {
    depth: usize,
    host: &'r mut Raw,
}

impl<'de> DeserializeSeed<'de> for ListSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of sections")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.depth > MAX_DEPTH {
            while list.next_element::<IgnoredAny>()?.is_some() {
                self.host.is_cut = true;
            }
            return Ok(());
        }
        while let Some(section) = list.next_element_seed(RawSeed { depth: self.depth })? {
            self.host.sections.push(section);
        }
        Ok(())
    }
}

struct Reader {
    faults: Vec<(usize, Diagnostic)>,
    visited: usize,
}

impl Reader {
    fn tree(&mut self, raw: Raw, path: &str) -> Written {
        let order = self.visited;
        self.visited += 1;
        if raw.is_cut {
            self.faults.push((order, too_deep(path)));
        }
        if raw.lists > 1 {
            self.add(
                order,
                path,
                "sections",
                "`sections` stands twice".into(),
                "join the two lists",
            );
        }
        let spec = self.spec(raw.entries, order, path);
        let mut sections = Vec::with_capacity(raw.sections.len());
        for section in raw.sections {
            let path = join(path, section.key());
            sections.push(self.tree(section, &path));
        }
        Written {
            spec,
            sections: sections.into(),
        }
    }

    /// The keys of one section, each by itself.
    fn spec(&mut self, entries: Vec<(String, Value)>, order: usize, path: &str) -> NodeSpec {
        let mut good = Map::with_capacity(entries.len());
        for (key, value) in entries {
            let Some(part) = NodeSpec::KEYS.iter().copied().find(|known| *known == key) else {
                self.unknown_key(&key, order, path);
                continue;
            };
            if good.contains_key(part) {
                self.add(
                    order,
                    path,
                    part,
                    format!("`{part}` stands twice"),
                    "keep one of the two",
                );
                continue;
            }
            let alone: Map<String, Value> = [(key, value)].into_iter().collect();
            match NodeSpec::read(alone.clone()) {
                Ok(_) => good.extend(alone),
                Err(error) => self.add(order, path, part, error.to_string(), ""),
            }
        }
        NodeSpec::read(good).unwrap_or_default()
    }

    fn unknown_key(&mut self, key: &str, order: usize, path: &str) {
        let help = match prompt_syntax::nearest(key, NodeSpec::KEYS.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!(
                "the keys of a section are `{}` and `sections`",
                NodeSpec::KEYS.join("`, `")
            ),
        };
        self.add(order, path, "", format!("there is no key `{key}`"), &help);
    }

    fn add(&mut self, order: usize, path: &str, part: &'static str, message: String, help: &str) {
        self.faults.push((
            order,
            Diagnostic::new(Code::InvalidInput, path, part, message, help),
        ));
    }
}

/// The path of a section below another.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// The fault of a tree that a format does not carry.
pub(super) fn too_deep(path: &str) -> Diagnostic {
    let message = format!("the tree is nested more than {MAX_DEPTH} levels deep");
    Diagnostic::new(
        Code::TooDeep,
        path,
        "",
        message,
        "build deeper trees with `DynamicNode::builder`",
    )
}

//! A tree as written: what a builder makes, and what a file holds.

use super::{
    MAX_DEPTH,
    attributes::Given,
    deep::{Branch, Deep},
    spec::{Key, NodeSpec},
};
use crate::diagnostics::Diagnostic;
use crate::prompt::PromptNode;
use prompt_syntax::Code;
use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt, sync::Arc};

/// A typed node that stands in a tree.
pub(super) type Typed = Arc<dyn PromptNode + Send + Sync>;

/// A node as written, with its sections.
#[derive(Clone, Default)]
pub(super) struct Written {
    pub(super) spec: NodeSpec,
    pub(super) typed: Option<Typed>,
    pub(super) lines: Lines,
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
            typed: self.typed.clone(),
            lines: self.lines.clone(),
            sections: Deep::default(),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.spec == other.spec && is_same(self.typed.as_ref(), other.typed.as_ref())
    }
}

/// Whether two typed nodes are one.
pub(super) fn is_same(left: Option<&Typed>, right: Option<&Typed>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => Arc::ptr_eq(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// The lines of a file, from 1, where the parts of a section stand; empty where nobody knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(Vec<(&'static str, Vec<usize>)>);

impl Lines {
    /// The line of the file in which a part begins.
    pub(super) fn of(&self, part: &str) -> Option<usize> {
        self.of_text(part, 1).map(|(line, _)| line)
    }

    /// The line of the file in which a line (from 1) of a part stands, and whether it is its own: a text may stand on one
    /// line of the file with line breaks as `\n`.
    pub(super) fn of_text(&self, part: &str, line: usize) -> Option<(usize, bool)> {
        let Some((_, lines)) = self.0.iter().find(|(name, _)| *name == part) else {
            let (_, lines) = self.0.first()?;
            return Some((*lines.first()?, false));
        };
        match lines.get(line.saturating_sub(1)) {
            Some(own) => Some((*own, true)),
            None => Some((*lines.last()?, false)),
        }
    }

    fn add(&mut self, part: &'static str, lines: Vec<usize>) {
        if !lines.is_empty() {
            self.0.push((part, lines));
        }
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

/// A section as it stands in a file. At most [`MAX_DEPTH`] levels are kept, so recursion ends.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) entries: Vec<RawEntry>,
    pub(super) sections: Vec<Raw>,
    /// How often `sections` is given.
    pub(super) lists: usize,
    /// Its sections would be too deep.
    pub(super) is_cut: bool,
}

/// A key of a section, with its value.
pub(super) struct RawEntry {
    pub(super) name: String,
    pub(super) value: Given,
    /// The line of the file for each line of its value, or only for the first.
    pub(super) lines: Vec<usize>,
}

impl Raw {
    fn key(&self) -> &str {
        let key = self.entries.iter().find(|entry| entry.name == "key");
        key.and_then(|entry| entry.value.as_str())
            .unwrap_or_default()
    }
}

/// Reads a tree of any format.
///
/// # Errors
/// Of the format itself.
pub(super) fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
    RawSeed { depth: 0 }.deserialize(deserializer)
}

/// Checks keys and values one by one, so that one fault hides no other.
pub(super) fn read(raw: Raw) -> Read {
    let mut reader = Reader {
        faults: Vec::new(),
        visited: 0,
    };
    let tree = reader.tree(raw, "");
    Read {
        tree,
        faults: reader.faults,
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
        while let Some(name) = map.next_key::<String>()? {
            if name == "sections" {
                raw.lists += 1;
                map.next_value_seed(ListSeed {
                    depth: self.depth + 1,
                    host: &mut raw,
                })?;
            } else {
                let value = if name == "attr" {
                    map.next_value()?
                } else {
                    Given::Other(map.next_value()?)
                };
                raw.entries.push(RawEntry {
                    name,
                    value,
                    lines: Vec::new(),
                });
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
            let message = "`sections` stands twice".to_owned();
            self.add(order, path, "sections", None, message, "join the two lists");
        }
        let (spec, lines) = self.spec(raw.entries, order, path);
        let mut sections = Vec::with_capacity(raw.sections.len());
        for (index, section) in raw.sections.into_iter().enumerate() {
            let path = join(path.to_owned(), &step(section.key(), index));
            sections.push(self.tree(section, &path));
        }
        Written {
            spec,
            typed: None,
            lines,
            sections: sections.into(),
        }
    }

    /// The keys of one section, each by itself.
    fn spec(&mut self, entries: Vec<RawEntry>, order: usize, path: &str) -> (NodeSpec, Lines) {
        let (mut spec, mut lines) = (NodeSpec::default(), Lines::default());
        let mut seen: Vec<&'static str> = Vec::with_capacity(entries.len());
        for entry in entries {
            let line = entry.lines.first().copied();
            let Some(key) = Key::find(&entry.name) else {
                self.unknown_key(&entry.name, order, path, line);
                continue;
            };
            if seen.contains(&key.name) {
                let message = format!("`{}` stands twice", key.name);
                self.add(order, path, key.name, line, message, "keep one of the two");
                continue;
            }
            seen.push(key.name);
            let help = match entry.value.as_str() {
                Some(text @ ("true" | "false")) => format!("write `{text}` without quotes"),
                _ => String::new(),
            };
            match key.read(&mut spec, entry.value) {
                Ok(()) => lines.add(key.name, entry.lines),
                Err(error) => self.add(order, path, key.name, line, error.to_string(), &help),
            }
        }
        (spec, lines)
    }

    fn unknown_key(&mut self, name: &str, order: usize, path: &str, line: Option<usize>) {
        let known = Key::names().chain(["sections"]);
        let help = if let Some(nearest) = prompt_syntax::nearest(name, known) {
            format!("did you mean `{nearest}`?")
        } else {
            let is_root = order == 0;
            let names: Vec<&str> = Key::names_of(is_root).collect();
            let names = names.join("`, `");
            let whose = if is_root { "the root" } else { "a section" };
            format!("the keys of {whose} are `{names}` and `sections`")
        };
        let message = format!("there is no key `{name}`");
        self.add(order, path, "", line, message, &help);
    }

    fn add(
        &mut self,
        order: usize,
        path: &str,
        part: &'static str,
        line: Option<usize>,
        message: String,
        help: &str,
    ) {
        let fault = Diagnostic::new(Code::InvalidInput, path, part, message, help);
        self.faults.push((order, Diagnostic { line, ..fault }));
    }
}

/// The last part of the path of a section in faults: where it has no key, its place among its siblings.
pub(super) fn step(key: &str, index: usize) -> Cow<'_, str> {
    if key.is_empty() {
        Cow::Owned(format!("#{}", index + 1))
    } else {
        Cow::Borrowed(key)
    }
}

/// The path of a section below another.
pub(super) fn join(mut path: String, key: &str) -> String {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
    path
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

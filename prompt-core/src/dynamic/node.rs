//! A node that was built or loaded at run time.

use super::{
    MAX_DEPTH,
    build::{self, Values},
    builder::DynamicNodeBuilder,
    deep::{Branch, Deep},
    format::{is_truthy, write_value},
    spec::NodeSpec,
    written::{self, Read, Written, too_deep},
};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use crate::node::Embedded;
use crate::node::NodeInfo;
use crate::node::Output;
use crate::node::PromptNode;
use crate::node::Section;
use crate::tool::ToolSpec;
use prompt_syntax::Code;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::{collections::BTreeMap, fmt, sync::Arc};

/// A prompt built or loaded at run time, with the checks, codes and output of a derived type.
///
/// As JSON or TOML a node is a map. All keys but `key` may be left out, and the root needs not even that one:
///
/// | key | meaning |
/// |---|---|
/// | `key` | last part of the path: small letters, digits, `_` and `-` |
/// | `body` | the text, with headings, variables, guards and slots; common indentation goes |
/// | `sections` | the nodes below; `{key}`, `{PROMPT_SUBTREE}` or the end of the body is their place |
/// | `title`, `untitled`, `heading`, `level`, `tight` | heading: its text (a template; else from the key), none, its form (with `{title}`), 1 to 6 where no slot says so, directly above the body |
/// | `visibility`, `summary`, `summary_suffix` | `"full"` or `"summary"`, the short text, the wording of the suffix (with `{key}` and `{subsections}`) |
/// | `when` | `false`: no trace of it |
/// | `tag`, `attr`, `inline`, `indent`, `guard`, `untrusted` | a tag instead of a heading, a map of its attributes, on one line, columns, `"escaped"`, `"cdata"` or `"strict"`, defused values |
/// | `priority` | a number, or `"required"` |
/// | `role`, `cache`, `volatile`, `tools` | message of its own, cache point (`true` or seconds), changes from call to call, names of tools |
/// | `description`, `numbering`, `end` | what it is for (never printed), `"decimal"`, what is appended |
///
/// On the root `heading` and `tight` speak of its sections, as they do on a derived type. Keys that need Rust (`with`,
/// `vars`), or a list (`item`, `join`, `empty`, `item_title`, ..) do not exist here: a list in the values prints as JSON.
///
/// Values come from [`bind`](Self::bind) as anything that serialises to a map: text prints as it is, numbers in decimal,
/// `null` as nothing, lists and maps as JSON, and `{name.field}` or `{name.0}` reaches into them. Specs are fill, align,
/// width and precision. A guard holds for `true`, numbers, and text, lists and maps that are not empty. Until its
/// variables have values a node can be looked at, walked through and saved, but not rendered.
///
/// Trees of any depth can be built, bound, rendered, copied and compared; JSON and TOML carry 60 levels.
///
/// ```
/// use prompt_core::DynamicNode;
/// use prompt_core::PromptNode;
///
/// let node = DynamicNode::from_json(r#"{
///     "key": "memo",
///     "body": "Write to {reader}.",
///     "sections": [{ "key": "tone", "body": "Be kind." }]
/// }"#)?;
/// let node = node.bind([("reader", "Ada")].into_iter().collect::<std::collections::BTreeMap<_, _>>())?;
/// assert_eq!(node.prompt().text().unwrap(), "Write to Ada.\n\n# Tone\n\nBe kind.");
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct DynamicNode {
    pub(super) spec: NodeSpec,
    pub(super) sections: Deep<DynamicNode>,
    pub(super) info: NodeInfo,
    pub(super) variables: Vec<Slot>,
    pub(super) values: Arc<Values>,
    pub(super) tools: Vec<ToolSpec>,
}

/// Where a variable finds its value.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Name, fields, format spec.
    Value(prompt_syntax::Variable),
    /// An attribute of a section, or of the node itself.
    Attribute(Value),
}

impl DynamicNode {
    /// Begins a node with this key.
    pub fn builder(key: impl Into<String>) -> DynamicNodeBuilder {
        DynamicNodeBuilder::new(key.into())
    }

    /// Reads a node from JSON.
    ///
    /// # Errors
    /// Every fault of the tree at once; one that is no tree at all with its line and column.
    pub fn from_json(text: &str) -> Result<Self, Diagnostics> {
        Self::from_read(read_json(text)?)
    }

    /// Reads a node from JSON and fills its variables: [`from_json`](Self::from_json) and [`bind`](Self::bind) in one,
    /// so that the faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn from_json_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        build::build(read_json(text)?, Some(values_of(values)?), &BTreeMap::new())
    }

    /// Reads a node from TOML.
    ///
    /// # Errors
    /// Every fault of the tree at once; one that is no tree at all with its line and column.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, Diagnostics> {
        Self::from_read(read_toml(text)?)
    }

    /// Reads a node from TOML and fills its variables, as [`from_json_with`](Self::from_json_with).
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    #[cfg(feature = "toml")]
    pub fn from_toml_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        build::build(read_toml(text)?, Some(values_of(values)?), &BTreeMap::new())
    }

    fn from_read(read: Read) -> Result<Self, Diagnostics> {
        build::build(read, None, &BTreeMap::new())
    }

    /// The same node with its variables filled. `values` is anything that serialises to a map: a map, a struct, a JSON
    /// object. A value that no text uses is fine.
    /// Values from before are gone.
    ///
    /// # Errors
    /// Every variable without a value, at once, with the nearest name.
    pub fn bind(self, values: impl Serialize) -> Result<Self, Diagnostics> {
        let values = values_of(values)?;
        let tools = self.all_tools();
        build::build(self.into_written().into(), Some(values), &tools)
    }

    /// The same node with tools in place of their names. A name that is not among them keeps an empty closed schema.
    ///
    /// # Errors
    /// As for [`bind`](Self::bind).
    pub fn with_tools(
        self,
        tools: impl IntoIterator<Item = ToolSpec>,
    ) -> Result<Self, Diagnostics> {
        let mut known = self.all_tools();
        known.extend(tools.into_iter().map(|tool| (tool.name().to_owned(), tool)));
        let values = (!self.values.is_empty()).then(|| Arc::clone(&self.values));
        build::build(self.into_written().into(), values, &known)
    }

    /// Its key.
    pub fn key(&self) -> &str {
        &self.spec.key
    }

    /// Its sections, in order.
    pub fn sections(&self) -> &[DynamicNode] {
        &self.sections
    }

    fn all_tools(&self) -> BTreeMap<String, ToolSpec> {
        let mut tools = BTreeMap::new();
        let mut todo = vec![self];
        while let Some(node) = todo.pop() {
            tools.extend(
                node.tools
                    .iter()
                    .map(|tool| (tool.name().to_owned(), tool.clone())),
            );
            todo.extend(node.sections.iter());
        }
        tools
    }

    /// As written.
    pub(super) fn into_written(mut self) -> Written {
        let mut parents: Vec<(Written, std::vec::IntoIter<Self>)> = Vec::new();
        let mut todo = self.sections.take().into_iter();
        let mut written = Written {
            spec: self.spec,
            ..Written::default()
        };
        loop {
            if let Some(mut child) = todo.next() {
                let sections = std::mem::replace(&mut todo, child.sections.take().into_iter());
                let child = Written {
                    spec: child.spec,
                    ..Written::default()
                };
                parents.push((std::mem::replace(&mut written, child), sections));
            } else {
                let Some((mut parent, sections)) = parents.pop() else {
                    return written;
                };
                parent.sections.push(written);
                (written, todo) = (parent, sections);
            }
        }
    }

    /// Levels of sections below it.
    fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut todo = vec![(self, 0)];
        while let Some((node, depth)) = todo.pop() {
            deepest = deepest.max(depth);
            todo.extend(node.sections.iter().map(|section| (section, depth + 1)));
        }
        deepest
    }

    /// As written, as a map. Recursion ends: see [`MAX_DEPTH`].
    fn to_value(&self) -> serde_json::Result<Value> {
        let mut value = serde_json::to_value(&self.spec)?;
        if let (Some(keys), false) = (value.as_object_mut(), self.sections.is_empty()) {
            let sections = self
                .sections
                .iter()
                .map(Self::to_value)
                .collect::<Result<_, _>>()?;
            keys.insert("sections".to_owned(), Value::Array(sections));
        }
        Ok(value)
    }

    fn value(&self, variable: &prompt_syntax::Variable) -> Option<&Value> {
        let root = self.values.get(&variable.name)?;
        variable
            .path
            .iter()
            .try_fold(root, |value, field| match value {
                Value::Array(items) => items.get(field.parse::<usize>().ok()?),
                value => value.get(field),
            })
    }
}

impl PromptNode for DynamicNode {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Node(self)
    }

    fn info(&self) -> &NodeInfo {
        &self.info
    }

    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        match self.variables.get(index) {
            None => Err(fmt::Error),
            Some(Slot::Value(variable)) => match self.value(variable) {
                Some(value) => write_value(value, &variable.spec, output),
                None => Err(fmt::Error),
            },
            Some(Slot::Attribute(Value::Null | Value::Bool(false))) => {
                output.omit();
                Ok(())
            }
            Some(Slot::Attribute(value)) => write_value(value, "", output),
        }
    }

    fn guard(&self, index: usize) -> bool {
        let name = self.info.guards.get(index);
        is_truthy(name.and_then(|name| self.values.get(name.as_ref())))
    }

    fn section(&self, index: usize) -> Section<'_> {
        match self.sections.get(index) {
            None => Section::new(Embedded::Absent),
            Some(child) if child.spec.when => Section::new(Embedded::Node(child)),
            Some(child) => Section::new(Embedded::Node(child)).when(false),
        }
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let owner = section.map_or(Some(self), |index| self.sections.get(index));
        owner.map(|node| node.tools.clone()).unwrap_or_default()
    }
}

impl Serialize for DynamicNode {
    /// The tree as written, without values.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.depth() > MAX_DEPTH {
            return Err(serde::ser::Error::custom(too_deep("")));
        }
        self.to_value()
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DynamicNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_read(written::read(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Branch for DynamicNode {
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
            info: self.info.clone(),
            variables: self.variables.clone(),
            values: Arc::clone(&self.values),
            tools: self.tools.clone(),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        let same_values = Arc::ptr_eq(&self.values, &other.values) || self.values == other.values;
        self.spec == other.spec && same_values
    }
}

impl PartialEq for DynamicNode {
    /// Equal as written and with equal values.
    fn eq(&self, other: &Self) -> bool {
        self.is_like(other) && self.sections == other.sections
    }
}

impl fmt::Debug for DynamicNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&str> = self.sections.iter().map(Self::key).collect();
        f.debug_struct("DynamicNode")
            .field("key", &self.spec.key)
            .field("sections", &keys)
            .finish_non_exhaustive()
    }
}

fn unreadable(code: Code, message: String, place: Option<(usize, usize)>) -> Diagnostics {
    Diagnostic {
        place,
        ..Diagnostic::new(code, "", "", message, "")
    }
    .into()
}

/// Names and values, from whatever serialises to a map.
pub(super) fn values_of(values: impl Serialize) -> Result<Arc<Values>, Diagnostics> {
    match serde_json::to_value(values) {
        Ok(Value::Object(values)) => Ok(Arc::new(values)),
        Ok(_) => Err(unreadable(
            Code::InvalidInput,
            "values must be a map from names to values".into(),
            None,
        )),
        Err(error) => Err(unreadable(Code::InvalidInput, error.to_string(), None)),
    }
}

fn read_json(text: &str) -> Result<Read, Diagnostics> {
    let mut json = serde_json::Deserializer::from_str(text);
    written::read(&mut json)
        .and_then(|read| json.end().map(|()| read))
        .map_err(|error| {
            let place = Some((error.line(), error.column())).filter(|(line, _)| *line > 0);
            let message = error.to_string();
            let fact = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(fact, _)| fact);
            unreadable(Code::InvalidInput, fact.to_owned(), place)
        })
}

#[cfg(feature = "toml")]
fn read_toml(text: &str) -> Result<Read, Diagnostics> {
    let refused = |error: &toml::de::Error| {
        let place = error.span().map(|span| line_and_column(text, span.start));
        unreadable(Code::InvalidInput, error.message().to_owned(), place)
    };
    let toml = toml::Deserializer::parse(text).map_err(|error| refused(&error))?;
    written::read(toml).map_err(|error| refused(&error))
}

#[cfg(feature = "toml")]
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

//! A node that was built or loaded at run time.

use super::{
    MAX_DEPTH,
    course::Course,
    deep::{Branch, Deep},
    spec::{NodeSpec, When},
    template::{Forms, ListForm, Scope, Use},
    value::{Item, Value, Values},
    written::{Lines, Typed, Written, is_same, too_deep},
};
use crate::diagnostics::Diagnostic;
use crate::node::{Describe, Embedded, NodeInfo, Output, Section};
use crate::prompt::PromptNode;
use crate::tool::ToolSpec;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{
    fmt,
    sync::{Arc, LazyLock},
};

/// A prompt built or loaded at run time, with the checks, codes and output of a derived type.
///
/// As JSON or TOML a node is a map. All keys but `key` may be left out, and the root needs not even that one:
///
/// | key | meaning |
/// |---|---|
/// | `key` | last part of the path: small letters, digits, `_` and `-` |
/// | `body` | the text, with headings, variables, conditions and slots; common indentation goes |
/// | `sections` | the nodes below; `{key}`, `{PROMPT_SUBTREE}` or the end of the body is their place |
/// | `append` | `false`: a section without a place is a fault |
/// | `title`, `untitled`, `heading`, `level`, `tight`, `gap` | heading: its text (a template; else from the key), none, its form (with `{title}`), 1 to 6 where no slot says so, directly above the body, blank lines around it |
/// | `visibility`, `summary`, `summary_suffix` | `"full"` or `"summary"`, the short text, the wording of the suffix (with `{key}` and `{subsections}`) |
/// | `when` | `false`: no trace of it; or a value decides: `"fog"`, `"!fog"`, `"ship.is_late"` |
/// | `value` | the section embeds this value (`"log"`, `"ship.log"`): a text as it is, a list as bullets; the body is its introduction |
/// | `item`, `join`, `last`, `item_title`, `untitled_items`, `item_key`, `item_tag`, `empty` | how the items of a list stand, as in the derive; without `value` the list is that of the section's key |
/// | `tag`, `attr`, `inline`, `indent`, `guard`, `untrusted` | a tag instead of a heading, a map of its attributes, on one line, columns, `"escaped"`, `"cdata"` or `"strict"`, defused values |
/// | `priority` | a number, or `"required"` |
/// | `role`, `cache`, `volatile`, `tools` | message of its own, cache point (`true` or seconds), changes from call to call, names of tools |
/// | `description`, `numbering`, `start`, `end` | what it is for (never printed), `"decimal"`, what is put before and after |
/// | `vars` | on the root: a map from names of values to how they print in the whole tree: `default`, `some`, `yes`, `no`, `item`, `join`, `last`, `json`, `hang`, `raw`, `untrusted`, as in `#[var(..)]` |
///
/// On the root `heading`, `level`, `tight` and `gap` speak of its sections, as they do on a derived type, and keys that
/// only a section can have are faults.
///
/// Values come from [`bind`](Self::bind) as anything that serialises to a map, and print as in a derived type: text as it
/// is, numbers as Rust prints them (`1`, `0.1`, `NaN`), `null` as nothing, dates as they are written, and lists and maps
/// as JSON where `vars` says nothing else. `{name.field}` and `{name.0}` reach into them: a field that is not there is a
/// fault, and so is an `{item.field}` that no item of the list has; one that some have prints nothing for the others. What
/// a condition asks for, and what stands behind it, may be missing, unless a field with a name so near is there that it
/// must have been meant. Specs are fill, align, width and precision. A condition holds for `true`, numbers, and text, lists and maps that are not empty; `{?key}` asks whether
/// that section prints something. Until its variables have values a node can be looked at, walked through and saved, but
/// not rendered. It is saved as written: bound values and typed nodes are not part of it.
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
    /// What it embeds instead of a text of its own.
    pub(super) typed: Option<Typed>,
    pub(super) lines: Lines,
    pub(super) sections: Deep<DynamicNode>,
    pub(super) built: Arc<Built>,
    pub(super) values: Option<Arc<Values>>,
    pub(super) forms: Arc<Forms>,
    pub(super) tools: Vec<ToolSpec>,
}

/// The description of a node, and where its parts find their values.
pub(super) struct Built {
    pub(super) info: Arc<NodeInfo>,
    /// What the variables write.
    pub(super) sources: Vec<Source>,
    /// What the conditions ask.
    pub(super) conditions: Vec<Source>,
    /// What the sections embed.
    pub(super) embeds: Vec<Embeds>,
    /// What looks like a slip in its texts.
    pub(super) hints: Vec<Diagnostic>,
    /// How it is printed in one go, if it can be.
    pub(super) course: Option<Course>,
}

/// What a variable writes.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A value.
    Value(Use),
    /// Something about an item of the list of this section.
    Item(Use, usize),
    /// The whole list of this section.
    List(usize),
    /// An attribute of a tag.
    Attribute(Value),
}

/// What a section embeds.
pub(super) enum Embeds {
    /// Its own text and sections.
    Own,
    /// A typed node.
    Typed(Typed),
    /// A value.
    Value(Box<EmbeddedValue>),
}

/// A value that a section embeds.
pub(super) struct EmbeddedValue {
    pub(super) value: Use,
    /// How its items print, if it is a list.
    pub(super) list: ListForm,
    /// The variable that writes all of it.
    pub(super) variable: u16,
}

/// The values of a node that is not bound.
static NO_VALUES: LazyLock<Values> = LazyLock::new(Values::default);

impl Use {
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            path: Vec::new(),
            spec: String::new(),
        }
    }

    /// From `name.field`.
    pub(super) fn path(source: &str) -> Self {
        let mut names = source.split('.').map(str::to_owned);
        Self {
            name: names.next().unwrap_or_default(),
            path: names.collect(),
            spec: String::new(),
        }
    }
}

impl DynamicNode {
    /// Its key.
    pub fn key(&self) -> &str {
        &self.spec.key
    }

    /// Its sections, in order.
    pub fn sections(&self) -> &[DynamicNode] {
        &self.sections
    }

    /// As written.
    pub(super) fn into_written(mut self) -> Written {
        let alone = |node: Self| Written {
            spec: node.spec,
            typed: node.typed,
            lines: node.lines,
            sections: Deep::default(),
        };
        let mut parents: Vec<(Written, std::vec::IntoIter<Self>)> = Vec::new();
        let mut todo = self.sections.take().into_iter();
        let mut written = alone(self);
        loop {
            if let Some(mut child) = todo.next() {
                let sections = std::mem::replace(&mut todo, child.sections.take().into_iter());
                parents.push((std::mem::replace(&mut written, alone(child)), sections));
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

    fn scope(&self) -> Scope<'_> {
        Scope {
            values: self.values.as_deref().unwrap_or(&NO_VALUES),
            forms: &self.forms,
            item: None,
        }
    }

    /// The list that a section embeds.
    fn list(&self, section: usize) -> Option<(&Value, &ListForm)> {
        let Some(Embeds::Value(embedded)) = self.built.embeds.get(section) else {
            return None;
        };
        Some((self.value_of(embedded)?, &embedded.list))
    }

    /// Whether a section is there. Until a value is bound it is, so that it can be walked through.
    pub(super) fn shows(&self, section: &Self) -> bool {
        let when = &section.spec.when;
        let Some((negated, name, path)) = when.asks() else {
            return *when == When::Always(true);
        };
        self.values.as_ref().is_none_or(|values| {
            let value = values.get(name).and_then(|value| value.reach(&path));
            value.is_some_and(Value::holds) != negated
        })
    }

    /// The value that a section embeds.
    pub(super) fn value_of(&self, embedded: &EmbeddedValue) -> Option<&Value> {
        let Use { name, path, .. } = &embedded.value;
        self.scope().values.get(name)?.reach(path)
    }

    /// What names stand for in a template about an item of the list of a section.
    fn scope_of_item(&self, section: usize, item: usize) -> Scope<'_> {
        let scope = self.scope();
        match self.list(section) {
            Some((list, _)) => scope.with_item(list, item),
            None => scope,
        }
    }

    /// What a section embeds that embeds a value.
    fn embedded_value(&self, section: usize, variable: u16) -> Section<'_> {
        let Some((value, form)) = self.list(section) else {
            return Section::new(Embedded::absent());
        };
        if *value == Value::Null {
            return Section::new(Embedded::absent());
        }
        if !value.is_list() {
            return Section::new(Embedded::text(value.text()));
        }
        let info = self.built.info.sections.get(section);
        if info.is_some_and(|info| info.items.whole) {
            return Section::written(variable, value.len() == 0);
        }
        let (scope, count) = (self.scope(), value.len());
        if form.item.is_some() {
            let items = (0..count)
                .map(|index| move |out: &mut Output<'_>| form.write_item(value, index, scope, out));
            return Section::new(Embedded::printed(items));
        }
        let items = (0..count).filter_map(|index| value.item(index));
        let is_map = matches!(value, Value::Map(_));
        Section::new(if is_map {
            Embedded::map(items.filter_map(|item| match item {
                Item::Entry(key, value) => Some((key, Embedded::text(value.text()))),
                Item::One(_) => None,
            }))
        } else {
            Embedded::list(items.map(|item| Embedded::text(item.value().text())))
        })
    }
}

impl PromptNode for DynamicNode {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::straight(self)
    }
}

impl Describe for DynamicNode {
    fn info(&self) -> &NodeInfo {
        &self.built.info
    }

    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let source = self.built.sources.get(index);
        let is_written = matches!(source, Some(Source::Attribute(_)));
        if self.values.is_none() && !is_written {
            return Err(fmt::Error);
        }
        match source {
            Some(Source::Value(used)) => self.scope().put(used, output),
            Some(Source::Item(used, section)) => self
                .scope_of_item(*section, output.item())
                .put(used, output),
            Some(Source::List(section)) => match self.list(*section) {
                Some((list, form)) => form.write(list, self.scope(), output),
                None => Ok(()),
            },
            Some(Source::Attribute(Value::Null | Value::Bool(false))) => {
                output.omit();
                Ok(())
            }
            Some(Source::Attribute(value)) => value.write("", output),
            None => Err(fmt::Error),
        }
    }

    fn condition(&self, index: usize, item: usize) -> bool {
        match self.built.conditions.get(index) {
            Some(Source::Value(used)) => self.scope().holds(used),
            Some(Source::Item(used, section)) => self.scope_of_item(*section, item).holds(used),
            _ => false,
        }
    }

    fn section(&self, index: usize) -> Section<'_> {
        let (Some(child), Some(embeds)) = (self.sections.get(index), self.built.embeds.get(index))
        else {
            return Section::hidden();
        };
        if !self.shows(child) {
            return Section::hidden();
        }
        let section = match embeds {
            Embeds::Own => Section::new(Embedded::described(child)),
            Embeds::Typed(node) => Section::new(node.embedded()),
            Embeds::Value(embedded) => self.embedded_value(index, embedded.variable),
        };
        match child.spec.when {
            When::Always(_) => section,
            When::Value(_) => section.conditional(),
        }
    }

    fn hints(&self) -> &[Diagnostic] {
        &self.built.hints
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let owner = section.map_or(Some(self), |index| self.sections.get(index));
        owner.map(|node| node.tools.clone()).unwrap_or_default()
    }
}

impl Serialize for DynamicNode {
    /// The tree as written, without values and typed nodes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.depth() > MAX_DEPTH {
            return Err(serde::ser::Error::custom(too_deep("")));
        }
        AsWritten(self).serialize(serializer)
    }
}

/// A node as a map of its keys. Recursion ends: see [`MAX_DEPTH`].
struct AsWritten<'n>(&'n DynamicNode);

impl Serialize for AsWritten<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, given) in self.0.spec.written() {
            map.serialize_entry(key, &given)?;
        }
        let sections: Vec<_> = self.0.sections.iter().map(AsWritten).collect();
        if !sections.is_empty() {
            map.serialize_entry("sections", &sections)?;
        }
        map.end()
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
            typed: self.typed.clone(),
            lines: self.lines.clone(),
            sections: Deep::default(),
            built: Arc::clone(&self.built),
            values: self.values.clone(),
            forms: Arc::clone(&self.forms),
            tools: self.tools.clone(),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        let is_shared = match (&self.values, &other.values) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        self.spec == other.spec
            && is_same(self.typed.as_ref(), other.typed.as_ref())
            && (is_shared || self.values == other.values)
    }
}

impl PartialEq for DynamicNode {
    /// Equal as written and with equal values; typed nodes are equal if they are one.
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

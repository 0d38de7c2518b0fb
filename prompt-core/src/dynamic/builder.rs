//! Builds a dynamic node in code, to any depth.

use super::{
    MAX_DEPTH,
    bound::Values,
    build,
    fault::Faults,
    given::{Data, Entry, Given},
    node::DynamicNode,
    serializer::values_of,
};
use crate::errors::diagnostics::Diagnostics;
use crate::messages::message::Role;
use crate::node::Visibility;
use crate::node::{Guarding, Priority};
use crate::page::Numbering;
use crate::prompt::PromptNode;
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
};

/// A node in the making. [`build`](Self::build) checks it.
///
/// ```
/// use prompt_core::DynamicNode;
/// use prompt_core::PromptNode;
///
/// let node = DynamicNode::builder("memo")
///     .body("Write a memo.")
///     .section(DynamicNode::builder("tone").body("Be kind."))
///     .build()?;
/// assert_eq!(node.prompt().text().unwrap(), "Write a memo.\n\n# Tone\n\nBe kind.");
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone)]
#[must_use = "a node is made by `build`"]
pub struct DynamicNodeBuilder {
    node: DynamicNode,
    /// Levels of sections below it.
    depth: usize,
    /// Where the sections stand, the first of each key.
    places: BTreeMap<String, usize>,
}

impl DynamicNodeBuilder {
    pub(super) fn new(key: String) -> Self {
        Self::of(DynamicNode::default()).text("key", key)
    }

    fn of(node: DynamicNode) -> Self {
        let mut builder = Self {
            depth: node.depth(),
            node,
            places: BTreeMap::new(),
        };
        (0..builder.node.sections.len()).for_each(|place| builder.note(place));
        builder
    }

    /// Notes where a section stands.
    fn note(&mut self, place: usize) {
        let key = self.node.sections[place].key().to_owned();
        self.places.entry(key).or_insert(place);
    }

    fn set(mut self, key: &'static str, given: impl Into<Given>) -> Self {
        self.node.keys.set(key, given);
        self
    }

    fn text(self, key: &'static str, text: impl Into<String>) -> Self {
        self.set(key, text.into())
    }

    fn number(self, key: &'static str, number: impl Into<i64>) -> Self {
        self.set(key, Data::Number(number.into().into()))
    }

    fn on(self, key: &'static str) -> Self {
        self.set(key, Data::Bool(true))
    }

    /// Adds an entry to the map under a key; one that is there already gets the value and keeps its place.
    fn entry(mut self, key: &'static str, name: String, value: impl Into<Value>) -> Self {
        let mut map = self.node.keys.map(key).to_vec();
        let value = Given::from(value.into());
        match map.iter_mut().find(|entry| entry.name == name) {
            Some(entry) => entry.value = value,
            None => map.push(Entry { name, value, at: 0 }),
        }
        self.node.keys.set(key, Data::Map(map));
        self
    }

    /// Adds a text to the list under a key.
    fn listed(mut self, key: &'static str, text: impl Into<String>) -> Self {
        let mut list = self.node.keys.list(key).to_vec();
        list.push(Given::from(text.into()));
        self.node.keys.set(key, Data::List(list));
        self
    }

    /// How it is shown.
    pub fn visibility(self, visibility: Visibility) -> Self {
        let word = match visibility {
            Visibility::Full => "full",
            Visibility::Summary => "summary",
        };
        self.text("visibility", word)
    }

    /// Whether it is there at all.
    pub fn when(self, condition: bool) -> Self {
        self.set("when", Data::Bool(condition))
    }

    /// A value decides whether it is there: `"fog"`, `"!fog"`, `"ship.is_late"`.
    pub fn when_value(self, name: impl Into<String>) -> Self {
        self.text("when", name)
    }

    /// Numbers before the headings below it.
    pub fn numbering(self, numbering: Numbering) -> Self {
        let word = match numbering {
            Numbering::Decimal => "decimal",
            Numbering::None => "none",
        };
        self.text("numbering", word)
    }

    /// Whether sections without a place follow at the end (the default), or are a fault.
    pub fn append(self, append: bool) -> Self {
        self.set("append", Data::Bool(append))
    }

    /// How a value prints in the whole tree, on the root: a map with the keys of `#[var(..)]`.
    ///
    /// ```
    /// use prompt_core::{DynamicNode, PromptNode};
    /// use serde_json::json;
    ///
    /// let node = DynamicNode::builder("memo")
    ///     .body("Ask {names}.")
    ///     .var("names", json!({ "join": ", ", "last": " or " }))
    ///     .build_with(json!({ "names": ["Ada", "Bo", "Cy"] }))?;
    /// assert_eq!(node.prompt().text().unwrap(), "Ask Ada, Bo or Cy.");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn var(self, name: impl Into<String>, form: impl Into<Value>) -> Self {
        self.entry("vars", name.into(), form)
    }

    /// An attribute of the tag: text (a template), number, or `bool`; `null` and `false` are left out, and `true` under
    /// the name `title` is the title.
    pub fn attr(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.entry("attr", name.into(), value)
    }

    /// What happens to tags in its values.
    pub fn guard(self, guarding: Guarding) -> Self {
        match guarding {
            Guarding::Default => self.set("guard", Data::Null),
            Guarding::Escaped => self.text("guard", "escaped"),
            Guarding::Strict => self.text("guard", "strict"),
            Guarding::Raw => self.on("raw"),
        }
    }

    /// How long it is kept under a budget.
    pub fn priority(self, priority: impl Into<Priority>) -> Self {
        match priority.into() {
            Priority::Required => self.text("priority", "required"),
            Priority::Level(level) => self.number("priority", level),
        }
    }

    /// Makes it a message of this role.
    pub fn role(self, role: Role) -> Self {
        self.text("role", role.as_str())
    }

    /// A cache point after it: seconds to live, or 0 for the provider's default.
    pub fn cache(self, seconds: u32) -> Self {
        match seconds {
            0 => self.on("cache"),
            seconds => self.number("cache", seconds),
        }
    }

    /// A tool that is offered where it is shown in full; see [`DynamicNode::bind_tools`].
    pub fn tool(self, name: impl Into<String>) -> Self {
        self.listed("tools", name)
    }

    /// A section, after those before. A tree has at most 128 levels of them: what is deeper is not kept, and
    /// [`build`](Self::build) says where.
    pub fn section(mut self, section: impl Into<Self>) -> Self {
        let mut section: Self = section.into();
        if section.depth == MAX_DEPTH {
            cut(&mut section.node, MAX_DEPTH - 1);
            section.depth -= 1;
        }
        self.depth = self.depth.max(section.depth + 1);
        self.node.sections.push(section.node);
        self.note(self.node.sections.len() - 1);
        self
    }

    /// A section that embeds a typed node: that with this key, or a new one after those before. See
    /// [`DynamicNode::embed`].
    pub fn embed(
        mut self,
        key: impl Into<String>,
        node: Arc<dyn PromptNode + Send + Sync>,
    ) -> Self {
        let key = key.into();
        if let Some(&place) = self.places.get(&key) {
            self.node.sections[place].typed = Some(node);
            return self;
        }
        let mut section = Self::new(key);
        section.node.typed = Some(node);
        self.section(section)
    }

    /// Checks the tree.
    ///
    /// # Errors
    /// Every fault at once, each with its path and code.
    pub fn build(self) -> Result<DynamicNode, Diagnostics> {
        self.build_of(None)
    }

    /// Checks the tree and fills its variables: [`build`](Self::build) and [`DynamicNode::bind`] in one, so that the
    /// faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn build_with(self, values: impl Serialize) -> Result<DynamicNode, Diagnostics> {
        self.build_of(Some(values_of(&values)?))
    }

    fn build_of(self, values: Option<Arc<Values>>) -> Result<DynamicNode, Diagnostics> {
        build::build(self.node, Faults::default(), None, values, HashMap::new())
    }
}

/// Methods that say one key of the book each: the key has the name of the method.
macro_rules! setters {
    ($($(#[$about:meta])+ $set:ident $key:ident($($value:ident: $type:ty)?);)+) => {
        impl DynamicNodeBuilder {
            $($(#[$about])+
            pub fn $key(self $(, $value: $type)?) -> Self {
                self.$set(stringify!($key) $(, $value)?)
            })+
        }
    };
}

setters! {
    /// The heading; made from the key otherwise. A template.
    text title(title: impl Into<String>);
    /// What the prompt is for; never printed.
    text description(description: impl Into<String>);
    /// Its text.
    text body(body: impl Into<String>);
    /// Its short form. A template.
    text summary(summary: impl Into<String>);
    /// Leaves the heading out.
    on untitled();
    /// Another form for the heading (on a section), or for the headings of its sections (on the root): `{title}` is the
    /// title.
    text heading(form: impl Into<String>);
    /// The level of its heading where no slot says so, 1 to 6.
    number level(level: u8);
    /// Sets the heading directly above its body.
    on tight();
    /// Blank lines between it and its neighbours, or (on the root) between its sections: 0 to 9.
    number gap(lines: u8);
    /// Put before everything.
    text start(start: impl Into<String>);
    /// Appended after everything.
    text end(end: impl Into<String>);
    /// Wording of the summary suffix, with `{key}` and `{subsections}`.
    text summary_suffix(wording: impl Into<String>);
    /// Switches a rule off in the whole tree, on the root: `"skipped_level"`.
    listed allow(rule: impl Into<String>);
    /// Makes a hint a fault in the whole tree, on the root: `"doubled_braces"`.
    listed deny(rule: impl Into<String>);
    /// The value that the section embeds: a text as it is, a list as bullets. Its body becomes the introduction.
    text value(name: impl Into<String>);
    /// How an item of its list prints: `- {item.name}`.
    text item(template: impl Into<String>);
    /// What stands between two items.
    text join(join: impl Into<String>);
    /// What stands between the last two items.
    text last(last: impl Into<String>);
    /// The heading of an item.
    text item_title(template: impl Into<String>);
    /// The items have no headings.
    on untitled_items();
    /// The field of an item that is its key.
    text item_key(field: impl Into<String>);
    /// The tag around each item.
    text item_tag(tag: impl Into<String>);
    /// Printed instead of a value that is empty.
    text empty(text: impl Into<String>);
    /// A tag instead of a heading.
    text tag(tag: impl Into<String>);
    /// Tag and text on one line.
    on inline();
    /// Columns by which tags inside it are indented.
    number indent(columns: u8);
    /// Defuses headings, fences and chat tokens in its values.
    on untrusted();
    /// Says that it changes from call to call.
    on volatile();
}

/// Takes out what is more levels below a node than that, and notes where it was.
fn cut(node: &mut DynamicNode, levels: usize) {
    if levels > 0 {
        let sections = node.sections.iter_mut();
        sections.for_each(|section| cut(section, levels - 1));
    } else if let Some(first) = node.sections.first() {
        node.cut = Some(first.key().to_owned());
        node.sections.clear();
    }
}

impl From<DynamicNode> for DynamicNodeBuilder {
    fn from(node: DynamicNode) -> Self {
        Self::of(node)
    }
}

impl fmt::Debug for DynamicNodeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.write_keys("DynamicNodeBuilder", f)
    }
}

//! Builds a dynamic node in code, to any depth.

use super::{
    build,
    file::values_of,
    node::DynamicNode,
    spec::{Append, Cache, NodeSpec, PrioritySpec, When},
    written::Written,
};
use crate::diagnostics::Diagnostics;
use crate::message::Role;
use crate::node::{Guarding, Priority};
use crate::print::Numbering;
use crate::prompt::PromptNode;
use crate::visibility::Visibility;
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
    written: Written,
    /// Where the sections that were last looked at stand, the first of each key: all before `placed`.
    places: BTreeMap<String, usize>,
    placed: usize,
}

impl DynamicNodeBuilder {
    pub(super) fn new(key: String) -> Self {
        Self::of(Written {
            spec: NodeSpec::new(key),
            ..Written::default()
        })
    }

    fn of(written: Written) -> Self {
        Self {
            written,
            places: BTreeMap::new(),
            placed: 0,
        }
    }

    /// The place of the section with this key. Each section is looked at once, however often something is embedded.
    fn place(&mut self, key: &str) -> Option<usize> {
        for section in self.written.sections.iter().skip(self.placed) {
            let key = section.spec.key.clone();
            self.places.entry(key).or_insert(self.placed);
            self.placed += 1;
        }
        self.places.get(key).copied()
    }

    /// The heading; made from the key otherwise. A template.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.written.spec.title = Some(title.into());
        self
    }

    /// What the prompt is for; never printed.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.written.spec.description = Some(description.into());
        self
    }

    /// Its text.
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.written.spec.body = body.into();
        self
    }

    /// Its short form. A template.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.written.spec.summary = Some(summary.into());
        self
    }

    /// How it is shown.
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.written.spec.visibility = visibility;
        self
    }

    /// Whether it is there at all.
    pub fn when(mut self, condition: bool) -> Self {
        self.written.spec.when = When::Always(condition);
        self
    }

    /// A value decides whether it is there: `"fog"`, `"!fog"`, `"ship.is_late"`.
    pub fn when_value(mut self, name: impl Into<String>) -> Self {
        self.written.spec.when = When::Value(name.into());
        self
    }

    /// Leaves the heading out.
    pub fn untitled(mut self) -> Self {
        self.written.spec.untitled = true;
        self
    }

    /// Another form for the heading (on a section), or for the headings of its sections (on the root): `{title}` is the
    /// title.
    pub fn heading(mut self, form: impl Into<String>) -> Self {
        self.written.spec.heading.form = Some(form.into());
        self
    }

    /// The level of its heading where no slot says so, 1 to 6.
    pub fn level(mut self, level: u8) -> Self {
        self.written.spec.heading.level = Some(level);
        self
    }

    /// Sets the heading directly above its body.
    pub fn tight(mut self) -> Self {
        self.written.spec.heading.tight = true;
        self
    }

    /// Blank lines between it and its neighbours, or (on the root) between its sections: 0 to 2.
    pub fn gap(mut self, lines: u8) -> Self {
        self.written.spec.heading.gap = Some(lines);
        self
    }

    /// Put before everything.
    pub fn start(mut self, start: impl Into<String>) -> Self {
        self.written.spec.node.start = start.into();
        self
    }

    /// Appended after everything.
    pub fn end(mut self, end: impl Into<String>) -> Self {
        self.written.spec.node.end = end.into();
        self
    }

    /// Numbers before the headings below it.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.written.spec.node.numbering = Some(numbering);
        self
    }

    /// Wording of the summary suffix, with `{key}` and `{subsections}`.
    pub fn summary_suffix(mut self, wording: impl Into<String>) -> Self {
        self.written.spec.node.summary_suffix = Some(wording.into());
        self
    }

    /// Whether sections without a place follow at the end (the default), or are a fault.
    pub fn append(mut self, append: bool) -> Self {
        self.written.spec.node.append = Append(append);
        self
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
    pub fn var(mut self, name: impl Into<String>, form: impl Into<Value>) -> Self {
        self.written.spec.node.vars.insert(name.into(), form.into());
        self
    }

    /// The value that the section embeds: a text as it is, a list as bullets. Its body becomes the introduction.
    pub fn value(mut self, name: impl Into<String>) -> Self {
        self.written.spec.items.value = Some(name.into());
        self
    }

    /// How an item of its list prints: `- {item.name}`.
    pub fn item(mut self, template: impl Into<String>) -> Self {
        self.written.spec.items.item = Some(template.into());
        self
    }

    /// What stands between two items.
    pub fn join(mut self, join: impl Into<String>) -> Self {
        self.written.spec.items.join = Some(join.into());
        self
    }

    /// What stands between the last two items.
    pub fn last(mut self, last: impl Into<String>) -> Self {
        self.written.spec.items.last = Some(last.into());
        self
    }

    /// The heading of an item.
    pub fn item_title(mut self, template: impl Into<String>) -> Self {
        self.written.spec.items.title = Some(template.into());
        self
    }

    /// The items have no headings.
    pub fn untitled_items(mut self) -> Self {
        self.written.spec.items.untitled = true;
        self
    }

    /// The field of an item that is its key.
    pub fn item_key(mut self, field: impl Into<String>) -> Self {
        self.written.spec.items.key = Some(field.into());
        self
    }

    /// The tag around each item.
    pub fn item_tag(mut self, tag: impl Into<String>) -> Self {
        self.written.spec.items.tag = Some(tag.into());
        self
    }

    /// Printed instead of a value that is empty.
    pub fn empty(mut self, text: impl Into<String>) -> Self {
        self.written.spec.items.empty = Some(text.into());
        self
    }

    /// A tag instead of a heading.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.written.spec.markup.tag = Some(tag.into());
        self
    }

    /// An attribute of the tag: text, number, or `bool`; `null` and `false` are left out.
    pub fn attr(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        let attributes = &mut self.written.spec.markup.attr;
        attributes.insert(name.into(), value.into());
        self
    }

    /// Tag and text on one line.
    pub fn inline(mut self) -> Self {
        self.written.spec.markup.inline = true;
        self
    }

    /// Columns by which tags inside it are indented.
    pub fn indent(mut self, columns: u8) -> Self {
        self.written.spec.markup.indent = Some(columns);
        self
    }

    /// What happens to tags in its values.
    pub fn guard(mut self, guarding: Guarding) -> Self {
        self.written.spec.markup.guard = guarding.into();
        self
    }

    /// Defuses headings, fences and chat tokens in its values.
    pub fn untrusted(mut self) -> Self {
        self.written.spec.markup.untrusted = true;
        self
    }

    /// How long it is kept under a budget.
    pub fn priority(mut self, priority: impl Into<Priority>) -> Self {
        self.written.spec.policy.priority = Some(PrioritySpec(priority.into()));
        self
    }

    /// Makes it a message of this role.
    pub fn role(mut self, role: Role) -> Self {
        self.written.spec.policy.role = Some(role);
        self
    }

    /// A cache point after it: seconds to live, or 0 for the provider's default.
    pub fn cache(mut self, seconds: u32) -> Self {
        self.written.spec.policy.cache = Some(Cache(seconds));
        self
    }

    /// Says that it changes from call to call.
    pub fn volatile(mut self) -> Self {
        self.written.spec.policy.volatile = true;
        self
    }

    /// A tool that is offered where it is shown in full; see [`DynamicNode::with_tools`].
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.written.spec.policy.tools.push(name.into());
        self
    }

    /// A section, after those before.
    pub fn section(mut self, section: impl Into<Self>) -> Self {
        self.written.sections.push(section.into().written);
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
        let place = self.place(&key);
        let sections = &mut self.written.sections;
        match place.and_then(|place| sections.get_mut(place)) {
            Some(section) => section.typed = Some(node),
            None => sections.push(Written {
                spec: NodeSpec::new(key),
                typed: Some(node),
                ..Written::default()
            }),
        }
        self
    }

    /// Checks the tree.
    ///
    /// # Errors
    /// Every fault at once, each with its path and code.
    pub fn build(self) -> Result<DynamicNode, Diagnostics> {
        build::build(self.written.into(), None, &HashMap::new())
    }

    /// Checks the tree and fills its variables: [`build`](Self::build) and [`DynamicNode::bind`] in one, so that the
    /// faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn build_with(self, values: impl Serialize) -> Result<DynamicNode, Diagnostics> {
        build::build(
            self.written.into(),
            Some(values_of(&values)?),
            &HashMap::new(),
        )
    }
}

impl From<DynamicNode> for DynamicNodeBuilder {
    fn from(node: DynamicNode) -> Self {
        Self::of(node.into_written())
    }
}

impl fmt::Debug for DynamicNodeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&str> = self
            .written
            .sections
            .iter()
            .map(|section| section.spec.key.as_str())
            .collect();
        f.debug_struct("DynamicNodeBuilder")
            .field("key", &self.written.spec.key)
            .field("sections", &keys)
            .finish_non_exhaustive()
    }
}

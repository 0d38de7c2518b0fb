//! Builds a dynamic node in code, to any depth.

use super::{
    build,
    node::DynamicNode,
    spec::{CacheSpec, GuardSpec, NodeSpec, PrioritySpec},
};
use crate::{Diagnostics, Guarding, Numbering, Priority, Role, Visibility};
use serde_json::Value;
use std::collections::BTreeMap;

/// A node in the making. [`build`](Self::build) checks it.
///
/// ```
/// use prompt_core::{DynamicNode, PromptNode};
///
/// let node = DynamicNode::builder("memo")
///     .body("Write a memo.")
///     .section(DynamicNode::builder("tone").body("Be kind."))
///     .build()?;
/// assert_eq!(node.prompt().to_string(), "Write a memo.\n\n# Tone\n\nBe kind.");
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a node is made by `build`"]
pub struct DynamicNodeBuilder {
    spec: NodeSpec,
}

impl DynamicNodeBuilder {
    pub(super) fn new(key: String) -> Self {
        Self { spec: NodeSpec::new(key) }
    }

    /// The heading; made from the key otherwise. A template.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.spec.title = Some(title.into());
        self
    }

    /// What the prompt is for; never printed.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.spec.description = Some(description.into());
        self
    }

    /// Its text.
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.spec.body = body.into();
        self
    }

    /// Its short form. A template.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.spec.summary = Some(summary.into());
        self
    }

    /// How it is shown.
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.spec.visibility = visibility;
        self
    }

    /// Whether it is there at all.
    pub fn when(mut self, condition: bool) -> Self {
        self.spec.when = condition;
        self
    }

    /// Leaves the heading out.
    pub fn untitled(mut self) -> Self {
        self.spec.untitled = true;
        self
    }

    /// Another form for the heading (on a section), or for the headings of its sections (on the root): `{title}` is the
    /// title.
    pub fn heading(mut self, form: impl Into<String>) -> Self {
        self.spec.heading = Some(form.into());
        self
    }

    /// The level of its heading where no slot says so.
    pub fn level(mut self, level: u8) -> Self {
        self.spec.level = Some(level);
        self
    }

    /// Sets the heading directly above its body.
    pub fn tight(mut self) -> Self {
        self.spec.tight = true;
        self
    }

    /// Appended after everything.
    pub fn end(mut self, end: impl Into<String>) -> Self {
        self.spec.end = end.into();
        self
    }

    /// Numbers before the headings below it.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.spec.numbering = Some(numbering);
        self
    }

    /// Wording of the summary suffix, with `{key}` and `{subsections}`.
    pub fn summary_suffix(mut self, wording: impl Into<String>) -> Self {
        self.spec.summary_suffix = Some(wording.into());
        self
    }

    /// A tag instead of a heading.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.spec.tag = Some(tag.into());
        self
    }

    /// An attribute of the tag: text, number, or `bool`; `null` and `false` are left out.
    pub fn attr(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.spec.attr.insert(name.into(), value.into());
        self
    }

    /// Tag and text on one line.
    pub fn inline(mut self) -> Self {
        self.spec.inline = true;
        self
    }

    /// What happens to tags in its values.
    pub fn guard(mut self, guarding: Guarding) -> Self {
        self.spec.guard = match guarding {
            Guarding::Default => None,
            Guarding::Escaped => Some(GuardSpec::Escaped),
            Guarding::Cdata => Some(GuardSpec::Cdata),
            Guarding::Strict => Some(GuardSpec::Strict),
        };
        self
    }

    /// Defuses headings, fences and chat tokens in its values.
    pub fn untrusted(mut self) -> Self {
        self.spec.untrusted = true;
        self
    }

    /// How long it is kept under a budget.
    pub fn priority(mut self, priority: impl Into<Priority>) -> Self {
        self.spec.priority = Some(match priority.into() {
            Priority::Required => PrioritySpec::Required,
            Priority::Level(level) => PrioritySpec::Level(level),
        });
        self
    }

    /// Makes it a message of this role.
    pub fn role(mut self, role: Role) -> Self {
        self.spec.role = Some(role);
        self
    }

    /// A cache point after it: seconds to live, or 0 for the provider's default.
    pub fn cache(mut self, seconds: u32) -> Self {
        self.spec.cache = Some(CacheSpec(seconds));
        self
    }

    /// Says that it changes from call to call.
    pub fn volatile(mut self) -> Self {
        self.spec.volatile = true;
        self
    }

    /// A tool that is offered where it is shown in full; see [`DynamicNode::with_tools`].
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.spec.tools.push(name.into());
        self
    }

    /// A section, after those before.
    pub fn section(mut self, section: impl Into<Self>) -> Self {
        self.spec.sections.push(section.into().spec);
        self
    }

    /// Checks the tree.
    ///
    /// # Errors
    /// Every fault at once, each with its path and code.
    pub fn build(self) -> Result<DynamicNode, Diagnostics> {
        build::build(self.spec, None, &BTreeMap::new())
    }
}

impl From<DynamicNode> for DynamicNodeBuilder {
    fn from(node: DynamicNode) -> Self {
        Self { spec: node.into_spec() }
    }
}

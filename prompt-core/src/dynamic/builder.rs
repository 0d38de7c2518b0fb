//! Builds a dynamic node in code, to any depth.

use super::{
    build,
    node::{DynamicNode, values_of},
    spec::{CacheSpec, GuardSpec, NodeSpec, PrioritySpec},
    written::Written,
};
use crate::diagnostics::Diagnostics;
use crate::message::Role;
use crate::node::Guarding;
use crate::node::Priority;
use crate::render::Numbering;
use crate::visibility::Visibility;
use serde::Serialize;
use serde_json::Value;
use std::{collections::BTreeMap, fmt};

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
}

impl DynamicNodeBuilder {
    pub(super) fn new(key: String) -> Self {
        Self {
            written: Written {
                spec: NodeSpec::new(key),
                ..Written::default()
            },
        }
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
        self.written.spec.when = condition;
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
        self.written.spec.heading = Some(form.into());
        self
    }

    /// The level of its heading where no slot says so.
    pub fn level(mut self, level: u8) -> Self {
        self.written.spec.level = Some(level);
        self
    }

    /// Sets the heading directly above its body.
    pub fn tight(mut self) -> Self {
        self.written.spec.tight = true;
        self
    }

    /// Appended after everything.
    pub fn end(mut self, end: impl Into<String>) -> Self {
        self.written.spec.end = end.into();
        self
    }

    /// Numbers before the headings below it.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.written.spec.numbering = Some(numbering);
        self
    }

    /// Wording of the summary suffix, with `{key}` and `{subsections}`.
    pub fn summary_suffix(mut self, wording: impl Into<String>) -> Self {
        self.written.spec.summary_suffix = Some(wording.into());
        self
    }

    /// A tag instead of a heading.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.written.spec.tag = Some(tag.into());
        self
    }

    /// An attribute of the tag: text, number, or `bool`; `null` and `false` are left out.
    pub fn attr(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.written.spec.attr.insert(name.into(), value.into());
        self
    }

    /// Tag and text on one line.
    pub fn inline(mut self) -> Self {
        self.written.spec.inline = true;
        self
    }

    /// What happens to tags in its values.
    pub fn guard(mut self, guarding: Guarding) -> Self {
        self.written.spec.guard = match guarding {
            Guarding::Default => None,
            Guarding::Escaped => Some(GuardSpec::Escaped),
            Guarding::Cdata => Some(GuardSpec::Cdata),
            Guarding::Strict => Some(GuardSpec::Strict),
        };
        self
    }

    /// Defuses headings, fences and chat tokens in its values.
    pub fn untrusted(mut self) -> Self {
        self.written.spec.untrusted = true;
        self
    }

    /// How long it is kept under a budget.
    pub fn priority(mut self, priority: impl Into<Priority>) -> Self {
        self.written.spec.priority = Some(match priority.into() {
            Priority::Required => PrioritySpec::Required,
            Priority::Level(level) => PrioritySpec::Level(level),
        });
        self
    }

    /// Makes it a message of this role.
    pub fn role(mut self, role: Role) -> Self {
        self.written.spec.role = Some(role);
        self
    }

    /// A cache point after it: seconds to live, or 0 for the provider's default.
    pub fn cache(mut self, seconds: u32) -> Self {
        self.written.spec.cache = Some(CacheSpec(seconds));
        self
    }

    /// Says that it changes from call to call.
    pub fn volatile(mut self) -> Self {
        self.written.spec.volatile = true;
        self
    }

    /// A tool that is offered where it is shown in full; see [`DynamicNode::with_tools`].
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.written.spec.tools.push(name.into());
        self
    }

    /// A section, after those before.
    pub fn section(mut self, section: impl Into<Self>) -> Self {
        self.written.sections.push(section.into().written);
        self
    }

    /// Checks the tree.
    ///
    /// # Errors
    /// Every fault at once, each with its path and code.
    pub fn build(self) -> Result<DynamicNode, Diagnostics> {
        build::build(self.written.into(), None, &BTreeMap::new())
    }

    /// Checks the tree and fills its variables: [`build`](Self::build) and [`DynamicNode::bind`] in one, so that the
    /// faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn build_with(self, values: impl Serialize) -> Result<DynamicNode, Diagnostics> {
        build::build(
            self.written.into(),
            Some(values_of(values)?),
            &BTreeMap::new(),
        )
    }
}

impl From<DynamicNode> for DynamicNodeBuilder {
    fn from(node: DynamicNode) -> Self {
        Self {
            written: node.into_written(),
        }
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

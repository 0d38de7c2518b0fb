//! The ways to a node: from a file, with values, with tools, with typed nodes in it. Each checks the whole tree.

use super::{
    build,
    builder::DynamicNodeBuilder,
    file::{self, values_of},
    node::DynamicNode,
    written::{self, Read, Written},
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::outline::nearest_of;
use crate::prompt::PromptNode;
use crate::tool::ToolSpec;
use prompt_syntax::Code;
use serde::{Deserialize, Deserializer, Serialize};
use std::{borrow::Cow, collections::HashMap, sync::Arc};

impl DynamicNode {
    /// Begins a node with this key.
    pub fn builder(key: impl Into<String>) -> DynamicNodeBuilder {
        DynamicNodeBuilder::new(key.into())
    }

    /// Reads a node from JSON.
    ///
    /// # Errors
    /// Every fault of the tree at once, each with its line of the text; one that is no tree at all with line and column.
    pub fn from_json(text: &str) -> Result<Self, Diagnostics> {
        Self::from_read(file::read_json(text)?)
    }

    /// Reads a node from JSON and fills its variables: [`from_json`](Self::from_json) and [`bind`](Self::bind) in one,
    /// so that the faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn from_json_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        let read = file::read_json(text)?;
        build::build(read, Some(values_of(&values)?), &HashMap::new())
    }

    /// Reads a node from TOML. (With `toml::from_str` instead, attributes come sorted, and faults have no lines.)
    ///
    /// # Errors
    /// Every fault of the tree at once, each with its line of the text; one that is no tree at all with line and column.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, Diagnostics> {
        Self::from_read(file::read_toml(text)?)
    }

    /// Reads a node from TOML; there with the feature `toml`.
    ///
    /// # Errors
    /// It never returns.
    #[cfg(not(feature = "toml"))]
    #[expect(clippy::needless_pass_by_value, reason = "nothing can be passed")]
    pub fn from_toml(text: impl crate::feature::NeedsToml) -> Result<Self, Diagnostics> {
        text.never()
    }

    /// Reads a node from TOML and fills its variables, as [`from_json_with`](Self::from_json_with).
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    #[cfg(feature = "toml")]
    pub fn from_toml_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        let read = file::read_toml(text)?;
        build::build(read, Some(values_of(&values)?), &HashMap::new())
    }

    fn from_read(read: Read) -> Result<Self, Diagnostics> {
        build::build(read, None, &HashMap::new())
    }

    /// The same node with its variables filled. `values` is anything that serialises to a map: a map, a struct, a JSON
    /// object. A value that no text uses is fine.
    /// Values from before are gone.
    ///
    /// # Errors
    /// Every variable without a value, at once, with the nearest name.
    pub fn bind(self, values: impl Serialize) -> Result<Self, Diagnostics> {
        let values = values_of(&values)?;
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
        let values = self.values.clone();
        build::build(self.into_written().into(), values, &known)
    }

    /// The same node in which the section at `path` embeds a typed node: a prompt file says where it stands, its title,
    /// priority and so on, and the type what it says. The section's body becomes its introduction.
    ///
    /// ```
    /// use prompt_core::{DynamicNode, PromptNode};
    /// use std::sync::Arc;
    ///
    /// /// Keep {count} rules.
    /// #[derive(PromptNode)]
    /// struct Rules {
    ///     count: u8,
    /// }
    ///
    /// let file = r#"{ "body": "Work.", "sections": [{ "key": "rules", "title": "House Rules" }] }"#;
    /// let node = DynamicNode::from_json(file)?.embed("rules", Arc::new(Rules { count: 3 }))?;
    /// assert_eq!(node.prompt().text().unwrap(), "Work.\n\n# House Rules\n\nKeep 3 rules.");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A path that is not in the tree, with the nearest; a section that has sections of its own, or embeds a value.
    pub fn embed(
        self,
        path: &str,
        node: Arc<dyn PromptNode + Send + Sync>,
    ) -> Result<Self, Diagnostics> {
        let (tools, values) = (self.all_tools(), self.values.clone());
        let mut written = self.into_written();
        let Some(section) = section_at(&mut written, path) else {
            return Err(unknown_path(&written, path).into());
        };
        section.typed = Some(node);
        build::build(written.into(), values, &tools)
    }

    fn all_tools(&self) -> HashMap<String, ToolSpec> {
        let mut tools = HashMap::new();
        let mut todo = vec![self];
        while let Some(node) = todo.pop() {
            let named = node
                .tools
                .iter()
                .map(|tool| (tool.name().to_owned(), tool.clone()));
            tools.extend(named);
            todo.extend(node.sections.iter());
        }
        tools
    }
}

impl<'de> Deserialize<'de> for DynamicNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = written::raw(deserializer)?;
        Self::from_read(written::read(raw)).map_err(serde::de::Error::custom)
    }
}

/// The section at a path.
pub(super) fn section_at<'w>(root: &'w mut Written, path: &str) -> Option<&'w mut Written> {
    let mut at = root;
    for key in path.split('.') {
        let index = at
            .sections
            .iter()
            .position(|section| section.spec.key == key)?;
        at = at.sections.get_mut(index)?;
    }
    Some(at)
}

fn unknown_path(root: &Written, path: &str) -> Diagnostic {
    let mut paths: Vec<String> = Vec::new();
    let mut todo = vec![(root, Cow::Borrowed(""))];
    while let Some((node, around)) = todo.pop() {
        for section in node.sections.iter() {
            let path = written::join(around.clone().into_owned(), &section.spec.key);
            todo.push((section, Cow::Owned(path.clone())));
            paths.push(path);
        }
    }
    let help = match nearest_of(path, paths.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "declare a section with this key first".to_owned(),
    };
    let message = format!("there is no section `{path}`");
    Diagnostic::new(Code::UnknownPath, path, "", message, help)
}

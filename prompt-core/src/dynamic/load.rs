//! The ways to a node: from a file, with values, with tools, with typed nodes in it. Each checks the whole tree.

use super::{
    build,
    builder::DynamicNodeBuilder,
    fault::{Faults, Spot},
    file::Format,
    given::Span,
    node::DynamicNode,
    read,
    serializer::values_of,
};
use crate::document::nearest_of;
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::messages::tool::ToolSpec;
use crate::prompt::PromptNode;
use prompt_syntax::Code;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

impl DynamicNode {
    /// Where things stand in the file that the tree was read from, each as line and column from 1: of each the path of a section,
    /// its part, such as `body`, `tag` or `vars.name`, and the line of that text; without such a part it is the key of the
    /// section. `None` of what no file has. It is for what [`lint`](crate::Prompt::lint) says: faults have their places.
    ///
    /// ```
    /// use prompt_core::{DynamicNode, PromptNode};
    ///
    /// let file = "{\n  \"body\": \"One.\",\n  \"sections\": [{ \"key\": \"a\", \"body\": \"Two.\\n{{x}}\" }]\n}";
    /// let node = DynamicNode::from_json(file)?;
    /// let lint = &node.prompt().lint()[0];
    /// assert_eq!((lint.path.as_str(), lint.part.as_str(), lint.line), ("a", "body", Some(2)));
    /// assert_eq!(node.places([(&*lint.path, &*lint.part, lint.line)]), [Some((3, 45))]);
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn places<'a>(
        &self,
        asked: impl IntoIterator<Item = (&'a str, &'a str, Option<usize>)>,
    ) -> Vec<Option<(usize, usize)>> {
        let mut found = Faults::default();
        let mut places = Vec::new();
        for (order, (path, part, line)) in asked.into_iter().enumerate() {
            places.push(None);
            if let Some((span, has_text)) = self.span_of(path, part) {
                let mut diagnostic = Diagnostic::new(Code::InvalidInput, "", "", String::new(), "");
                diagnostic.place = line.filter(|_| has_text).map(|line| (line, 1));
                let spot = Spot::new("", "", span);
                found.push(Spot { order, ..spot }, diagnostic);
            }
        }
        let built = self.built.as_ref();
        if let Some(file) = built.and_then(|built| built.tree.file.as_ref()) {
            file.locate(&mut found.0);
            for fault in found.0 {
                places[fault.order] = fault.diagnostic.line.zip(fault.diagnostic.column);
            }
        }
        places
    }

    /// Where a part of a section stands, and whether there is such a part, which may have lines.
    fn span_of(&self, path: &str, part: &str) -> Option<(Span, bool)> {
        let mut node = self;
        for key in path.split('.').filter(|key| !key.is_empty()) {
            node = node.sections.iter().find(|section| section.key() == key)?;
        }
        if let Some(name) = part.strip_prefix("vars.") {
            let mut entries = node.keys.map("vars").iter();
            let entry = entries.find(|entry| entry.name == name)?;
            return Some((Span::at(entry.at), false));
        }
        let text = node.keys.get(part);
        let given = text.or_else(|| node.keys.get("key"));
        Some((given.map_or(node.span, |given| given.span), text.is_some()))
    }

    /// Begins a node with this key.
    pub fn builder(key: impl Into<String>) -> DynamicNodeBuilder {
        DynamicNodeBuilder::new(key.into())
    }

    /// Reads a node from JSON.
    ///
    /// # Errors
    /// Every fault of the tree at once, each with its place in the text.
    pub fn from_json(text: &str) -> Result<Self, Diagnostics> {
        let (given, file) = read::file(text, Format::Json)?;
        read::tree(given, Some(file), None)
    }

    /// Reads a node from JSON and fills its variables: [`from_json`](Self::from_json) and [`bind`](Self::bind) in one,
    /// so that the faults of both come out together.
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    pub fn from_json_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        let (given, file) = read::file(text, Format::Json)?;
        read::tree(given, Some(file), Some(values_of(&values)?))
    }

    /// Reads a node from TOML. (With `toml::from_str` instead, attributes come sorted, and faults have no places.)
    ///
    /// # Errors
    /// Every fault of the tree at once, each with its place in the text.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, Diagnostics> {
        let (given, file) = read::file(text, Format::Toml)?;
        read::tree(given, Some(file), None)
    }

    /// Reads a node from TOML; there with the feature `toml`.
    ///
    /// # Errors
    /// It never returns.
    #[cfg(not(feature = "toml"))]
    #[expect(clippy::needless_pass_by_value, reason = "nothing can be passed")]
    pub fn from_toml(text: impl crate::errors::feature::NeedsToml) -> Result<Self, Diagnostics> {
        text.never()
    }

    /// Reads a node from TOML and fills its variables, as [`from_json_with`](Self::from_json_with).
    ///
    /// # Errors
    /// Every fault of the tree and every variable without a value.
    #[cfg(feature = "toml")]
    pub fn from_toml_with(text: &str, values: impl Serialize) -> Result<Self, Diagnostics> {
        let (given, file) = read::file(text, Format::Toml)?;
        read::tree(given, Some(file), Some(values_of(&values)?))
    }

    /// The same node with its variables filled. `values` is anything that serialises to a map: a map, a struct, a JSON
    /// object. A value that no text uses is fine.
    /// Values from before are gone.
    ///
    /// # Errors
    /// Every variable without a value, at once, with the nearest name.
    pub fn bind(&self, values: impl Serialize) -> Result<Self, Diagnostics> {
        let values = Some(values_of(&values)?);
        build::again(self.clone(), values, self.built().tree.tools.clone())
    }

    /// The same node with tools in place of their names. A name that is not among them keeps an empty closed schema.
    ///
    /// # Errors
    /// As for [`bind`](Self::bind).
    pub fn bind_tools(
        &self,
        tools: impl IntoIterator<Item = ToolSpec>,
    ) -> Result<Self, Diagnostics> {
        let tree = &self.built().tree;
        let mut known = tree.tools.clone();
        known.extend(tools.into_iter().map(|tool| (tool.name().to_owned(), tool)));
        build::again(self.clone(), tree.values.clone(), known)
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
        &self,
        path: &str,
        embedded: Arc<dyn PromptNode + Send + Sync>,
    ) -> Result<Self, Diagnostics> {
        let tree = &self.built().tree;
        let mut node = self.clone();
        let Some(section) = node.section_at(path) else {
            return Err(self.unknown_path(path).into());
        };
        section.typed = Some(embedded);
        build::again(node, tree.values.clone(), tree.tools.clone())
    }

    /// The section at a path.
    fn section_at(&mut self, path: &str) -> Option<&mut Self> {
        path.split('.').try_fold(self, |node, key| {
            let mut sections = node.sections.iter_mut();
            sections.find(|section| section.key() == key)
        })
    }

    fn unknown_path(&self, path: &str) -> Diagnostic {
        let mut paths = Vec::new();
        self.add_paths(&mut paths);
        let help = match nearest_of(path, paths.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "declare a section with this key first".to_owned(),
        };
        let message = format!("there is no section `{path}`");
        Diagnostic::new(Code::UnknownPath, path, "", message, help)
    }

    fn add_paths<'n>(&'n self, paths: &mut Vec<&'n str>) {
        for section in &self.sections {
            section.add_paths(paths);
            paths.push(&section.path);
        }
    }
}

impl<'de> Deserialize<'de> for DynamicNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Deserialize::deserialize(deserializer)?;
        read::tree(given, None, None).map_err(serde::de::Error::custom)
    }
}

//! What a server lists: prompts with their arguments, and tools.

use crate::node::PromptNode;
use crate::tool::ToolSpec;
use prompt_syntax::MarkKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A prompt that a server offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPrompt {
    /// Identifies the prompt.
    pub name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it needs to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<McpArgument>,
}

/// An argument of a prompt; its value is a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpArgument {
    /// Identifies the argument.
    pub name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
}

impl McpPrompt {
    /// The prompt that a node is: `key` (or the type's name in snake case), `title` and `description` of its container,
    /// and an argument for each field that its texts print, described by the field's doc comment.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_core::wire::mcp::McpPrompt;
    ///
    /// let node = DynamicNode::builder("reviewer").body("Review {code}.").build()?;
    /// let prompt = McpPrompt::of(&node);
    /// assert_eq!((prompt.name.as_str(), prompt.arguments[0].name.as_str()), ("reviewer", "code"));
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn of(node: &dyn PromptNode) -> Self {
        let info = node.info();
        let name = info
            .key
            .as_deref()
            .map_or_else(|| prompt_syntax::key_case(&info.name), str::to_owned);
        let title = info
            .title
            .as_ref()
            .filter(|title| title.marks.is_empty() || !title.literal.is_empty());
        let mut arguments: Vec<McpArgument> = Vec::new();
        for variable in info.variables.iter() {
            let name = variable.source.split(':').next().unwrap_or_default();
            let is_field = !name.contains('.')
                && !matches!(name, "" | "index" | "item")
                && is_printed(node, &variable.source);
            if !is_field || arguments.iter().any(|argument| argument.name == name) {
                continue;
            }
            let description = variable.description.as_deref().map(str::to_owned);
            arguments.push(McpArgument {
                name: name.to_owned(),
                title: None,
                description,
                required: true,
            });
        }
        Self {
            name,
            title: title.map(|title| title.literal.to_string()),
            description: info.description.as_deref().map(str::to_owned),
            arguments,
        }
    }

    /// A prompt without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl McpArgument {
    /// An argument that must be given.
    pub fn required(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            required: true,
            ..Self::default()
        }
    }

    /// An argument that may be left out.
    pub fn optional(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// A tool that a server offers, with the hints of the protocol. What is not said is left out.
///
/// ```
/// use prompt_core::ToolSpec;
/// use prompt_core::wire::mcp::McpTool;
/// let tool = McpTool::new(ToolSpec::closed("now", "The time.")?).title("Time").read_only(true);
/// assert_eq!(tool.title.as_deref(), Some("Time"));
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct McpTool {
    /// The tool itself.
    pub spec: ToolSpec,
    /// The name for people.
    pub title: Option<String>,
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it twice is like calling it once.
    pub idempotent: Option<bool>,
    /// It reaches out of the program, as a web search does.
    pub open_world: Option<bool>,
}

impl McpTool {
    /// A tool without title and hints.
    pub fn new(spec: ToolSpec) -> Self {
        Self {
            spec,
            title: None,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.read_only = Some(hint);
        self
    }

    /// Whether it may destroy something.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> Self {
        self.destructive = Some(hint);
        self
    }

    /// Whether calling it twice is like calling it once.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent = Some(hint);
        self
    }

    /// Whether it reaches out of the program.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> Self {
        self.open_world = Some(hint);
        self
    }

    pub(super) fn to_json(&self) -> Value {
        let mut tool = Map::new();
        tool.insert("name".into(), self.spec.name.clone().into());
        if let Some(title) = &self.title {
            tool.insert("title".into(), title.clone().into());
        }
        tool.insert("description".into(), self.spec.description.clone().into());
        tool.insert("inputSchema".into(), self.spec.parameters.clone());
        let hints = [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ];
        let said: Map<String, Value> = hints
            .into_iter()
            .filter_map(|(name, hint)| Some((name.to_owned(), hint?.into())))
            .collect();
        if !said.is_empty() {
            tool.insert("annotations".into(), said.into());
        }
        Value::Object(tool)
    }
}

impl From<ToolSpec> for McpTool {
    fn from(spec: ToolSpec) -> Self {
        Self::new(spec)
    }
}

/// Whether a text of the node prints this variable; attributes and item keys have variables too.
fn is_printed(node: &dyn PromptNode, source: &str) -> bool {
    let info = node.info();
    let texts = info
        .sections
        .iter()
        .flat_map(|section| [Some(&section.intro), section.summary.as_ref()]);
    let mut texts = texts.flatten().chain([&info.text]);
    texts.any(|text| {
        text.marks.iter().any(|mark| match mark.kind {
            MarkKind::Variable(index) | MarkKind::Block(index) => info
                .variables
                .get(usize::from(index))
                .is_some_and(|variable| variable.source == source),
            _ => false,
        })
    })
}

//! Tools as part of a prompt's text: a tool is a node, and a list of them is grouped by category.

use super::builder::PromptNode;
use crate::messages::tool::ToolSpec;
use crate::node::{
    Container, Embedded, HasType, Markup, Node, NodeInfo, Output, Said, Scope, Section,
    SectionInfo, SectionKeys, Title,
};
use prompt_syntax::info::make::{attribute_of, list, paragraph, str, text, value, variable};
use serde_json::Value;
use std::{cmp::Reverse, collections::HashMap, fmt};

const NAME: usize = 0;
const DESCRIPTION: usize = 1;
const WHEN_TO_USE: usize = 0;
const PARAMETERS: usize = 1;

static TOOL: NodeInfo = NodeInfo {
    name: str("ToolSpec"),
    text: text(const { &[paragraph(1, const { &[value("description", 1)] })] }),
    variables: list(const { &[variable("name", ""), variable("description", "")] }),
    sections: list(
        const {
            &[
                SectionInfo {
                    key: str("when_to_use"),
                    field: str("when_to_use"),
                    title: Title::Fallback(str("When to use")),
                    said: Said::Static(&INLINE),
                    ..SectionInfo::DEFAULT
                },
                SectionInfo {
                    key: str("parameters"),
                    field: str("parameters"),
                    title: Title::Fallback(str("Parameters")),
                    ..SectionInfo::DEFAULT
                },
            ]
        },
    ),
    container: Container {
        title: Some(text(
            const { &[paragraph(1, const { &[value("name", 0)] })] },
        )),
        item_tag: Some(str("tool")),
        markup: Markup {
            attributes: list(const { &[attribute_of("name", 0)] }),
            ..Markup::NONE
        },
        ..Container::DEFAULT
    },
    ..NodeInfo::DEFAULT
};

static INLINE: SectionKeys = SectionKeys {
    markup: Markup {
        inline: true,
        ..Markup::NONE
    },
    ..SectionKeys::DEFAULT
};

/// A tool is described by its description, [`when_to_use`](ToolSpec::when_to_use) and parameters, under its name; in
/// XML its tag is `<tool name="..">`.
///
/// A list of tools (`Vec`, slice, array) is grouped by category. Tools without one come first; categories follow by
/// their tool of the highest priority, and within each the tools by priority, higher first, without one last. Equals
/// keep their order. A category is a heading, and in XML the tag `<group name="..">`.
///
/// Being listed does not offer a tool to the model: that is what `tools = expr` is for.
///
/// ```
/// use prompt_core::PromptNode;
/// use prompt_core::ToolSpec;
///
/// /// You review code.
/// #[derive(PromptNode)]
/// struct Reviewer {
///     #[section]
///     tools: Vec<ToolSpec>,
/// }
///
/// let find = ToolSpec::closed("find", "Finds a file.")?.category("Search").when_to_use("A file must be located.");
/// assert_eq!(
///     Reviewer { tools: vec![find] }.prompt().text().unwrap(),
///     "You review code.\n\n# Tools\n\n## Search\n\n### find\n\nFinds a file.\n\n#### When to use\n\nA file must be located."
/// );
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
impl PromptNode for ToolSpec {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::described(self)
    }

    fn embedded_list(list: &[Self]) -> Option<Embedded<'_>> {
        Some(by_category(list))
    }
}

impl Scope for ToolSpec {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        match index {
            NAME => output.push_str(self.name()),
            DESCRIPTION => output.push_str(self.description()),
            _ => {}
        }
        Ok(())
    }
}

impl HasType for ToolSpec {}

impl Node for ToolSpec {
    fn info(&self) -> &NodeInfo {
        &TOOL
    }

    fn section(&self, index: usize) -> Section<'_> {
        Section::new(match index {
            WHEN_TO_USE => {
                let hint = self.listing().when_to_use.as_deref();
                hint.map_or_else(Embedded::absent, Embedded::text)
            }
            PARAMETERS => {
                let lines = self.lines(|schema| properties(schema, 0));
                Embedded::list(lines.iter().map(|line| Embedded::text(line.as_str())))
            }
            _ => Embedded::absent(),
        })
    }
}

/// The tools of no category, then each category in the order of its first tool.
fn by_category(tools: &[ToolSpec]) -> Embedded<'_> {
    let mut ranked: Vec<&ToolSpec> = tools.iter().collect();
    ranked.sort_by_key(|tool| Reverse(tool.listing().priority));
    let mut alone = Vec::new();
    let mut groups: Vec<(&str, Vec<Embedded<'_>>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for tool in ranked {
        let category = tool.listing().category.as_deref().unwrap_or_default();
        if category.trim().is_empty() {
            alone.push((None, tool.embedded()));
            continue;
        }
        let place = *places.entry(category).or_insert(groups.len());
        if place == groups.len() {
            groups.push((category, Vec::new()));
        }
        groups[place].1.push(tool.embedded());
    }
    let group = |(category, tools)| (Some(category), Embedded::list(Vec::into_iter(tools)));
    Embedded::entries(alone.into_iter().chain(groups.into_iter().map(group)))
}

/// Levels of objects that are written out.
const DEEPEST: usize = 10;

/// A line for each property of an object, with lines for those of objects in it.
fn properties(schema: &Value, depth: usize) -> Vec<String> {
    if depth > DEEPEST {
        return Vec::new();
    }
    let line = |(name, schema): (&str, &Value)| {
        let optional = if is_nullable(schema) {
            ", optional"
        } else {
            ""
        };
        let mut line = format!("`{name}` ({}{optional})", kind(schema));
        if let Some(description) = schema["description"].as_str() {
            line.extend([": ", description]);
        }
        for property in inner_objects(schema).flat_map(|inner| properties(inner, depth + 1)) {
            line.extend(["\n- ", &property.replace('\n', "\n  ")]);
        }
        line
    };
    let properties = schema.as_object().map(crate::messages::tool::properties);
    properties.into_iter().flatten().map(line).collect()
}

/// The schemas in a list under a keyword.
fn listed<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> {
    schema[keyword].as_array().into_iter().flatten()
}

/// The objects that a value of this schema may be, or hold.
fn inner_objects(schema: &Value) -> impl Iterator<Item = &Value> {
    let choices = listed(schema, "anyOf");
    let schemas = std::iter::once(schema).chain(schema.get("items"));
    schemas
        .chain(choices)
        .filter(|schema| schema.get("properties").is_some())
}

/// What a value of this schema is, in words.
fn kind(schema: &Value) -> String {
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if schema["enum"].is_array() {
        let values = listed(schema, "enum").filter(|value| !value.is_null());
        let values: Vec<String> = values.map(|value| format!("`{value}`")).collect();
        return format!("one of {}", values.join(", "));
    }
    if schema["anyOf"].is_array() {
        let kinds = listed(schema, "anyOf").map(kind);
        let kinds: Vec<String> = kinds.filter(|kind| kind != "null").collect();
        return kinds.join(" or ");
    }
    let of_type = |name: &str| match (name, schema.get("items")) {
        ("array", Some(items)) => format!("array of {}", kind(items)),
        _ => name.to_owned(),
    };
    let named = types(schema).filter(|name| *name != "null").map(of_type);
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        // `null` where that is the only type.
        types(schema).next().unwrap_or("any value").to_owned()
    } else {
        named.join(" or ")
    }
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let names = match &schema["type"] {
        Value::Array(names) => names.as_slice(),
        one => std::slice::from_ref(one),
    };
    names.iter().filter_map(Value::as_str)
}

fn is_nullable(schema: &Value) -> bool {
    let has_null = |schema: &Value| types(schema).any(|name| name == "null");
    has_null(schema)
        || listed(schema, "enum").any(Value::is_null)
        || listed(schema, "anyOf").any(has_null)
}

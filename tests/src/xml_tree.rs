//! The trees of `xml.json` as dynamic nodes: each `text` is a value, as the file's header says.

use prompt_core::{Diagnostics, DynamicNode};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt::Display};

/// A tree and what its sections are called in the cases.
pub struct XmlTree {
    /// The root has no text of its own.
    pub node: DynamicNode,
    /// Path -> name.
    pub names: BTreeMap<String, String>,
}

/// Builds the tree of a case.
pub fn xml_tree(input: &Value) -> Result<XmlTree, Diagnostics> {
    let mut values = Map::new();
    let mut names = BTreeMap::new();
    let sections = sections(input, "", &mut values, &mut names);
    let node = DynamicNode::from_json(&format!(r#"{{"key":"root","sections":{sections}}}"#))?;
    Ok(XmlTree {
        node: node.bind(values)?,
        names,
    })
}

/// The list of sections as JSON text: a map of `serde_json` would sort the attributes.
fn sections(
    input: &Value,
    parent: &str,
    values: &mut Map<String, Value>,
    names: &mut BTreeMap<String, String>,
) -> String {
    let mut sections = Vec::new();
    for (index, given) in input.as_array().into_iter().flatten().enumerate() {
        let own = given["key"].as_str();
        let key = own.map_or_else(|| format!("s{index}"), str::to_owned);
        let path = if parent.is_empty() {
            key.clone()
        } else {
            format!("{parent}.{key}")
        };
        let name = given["id"]
            .as_str()
            .or(own)
            .or(given["tag"].as_str())
            .unwrap_or_default();
        names.insert(path.clone(), name.to_owned());
        let mut section = Vec::new();
        let mut set = |name: &str, value: &dyn Display| section.push(format!("{name:?}:{value}"));
        set("key", &Value::from(key));
        set("when", &given["when"].as_bool().unwrap_or(true));
        if let Some(text) = given.get("text").filter(|text| text.is_string()) {
            let variable = format!("v{}", values.len());
            set("body", &format_args!("\"{{{variable}}}\""));
            values.insert(variable, text.clone());
        }
        for name in ["tag", "summary", "visibility", "untitled", "priority"] {
            if !given[name].is_null() {
                set(name, &given[name]);
            }
        }
        if let Some(attributes) = given["attrs"].as_array() {
            let pairs = attributes.iter();
            let pairs: Vec<_> = pairs.map(|p| format!("{}:{}", p[0], p[1])).collect();
            set("attr", &format_args!("{{{}}}", pairs.join(",")));
        }
        if given["layout"] == "inline" {
            set("inline", &true);
        }
        if !matches!(given["text_policy"].as_str(), None | Some("guarded")) {
            set("guard", &given["text_policy"]);
        }
        let children = self::sections(&given["children"], &path, values, names);
        set("sections", &children);
        sections.push(format!("{{{}}}", section.join(",")));
    }
    format!("[{}]", sections.join(","))
}

//! The trees of `xml.json` as dynamic nodes: each `text` is a value, as the file's header says.

use prompt_core::Diagnostics;
use prompt_core::DynamicNode;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

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
    let node = DynamicNode::from_json(&json!({ "key": "root", "sections": sections }).to_string())?;
    Ok(XmlTree {
        node: node.bind(values)?,
        names,
    })
}

fn sections(
    input: &Value,
    parent: &str,
    values: &mut Map<String, Value>,
    names: &mut BTreeMap<String, String>,
) -> Vec<Value> {
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
        let mut section = json!({ "key": key, "when": given["when"].as_bool().unwrap_or(true) });
        let mut set = |name: &str, value: Value| {
            section
                .as_object_mut()
                .into_iter()
                .for_each(|section| drop(section.insert(name.into(), value.clone())));
        };
        if let Some(text) = given.get("text").filter(|text| text.is_string()) {
            let variable = format!("v{}", values.len());
            set("body", json!(format!("{{{variable}}}")));
            values.insert(variable, text.clone());
        }
        for name in ["tag", "summary", "visibility", "untitled"] {
            if !given[name].is_null() {
                set(name, given[name].clone());
            }
        }
        if let Some(attributes) = given["attrs"].as_array() {
            let pairs = attributes.iter().map(|pair| {
                (
                    pair[0].as_str().unwrap_or_default().to_owned(),
                    pair[1].clone(),
                )
            });
            set("attr", Value::Object(pairs.collect()));
        }
        if !given["priority"].is_null() {
            set("priority", given["priority"].clone());
        }
        if given["layout"] == "inline" {
            set("inline", json!(true));
        }
        if let Some(policy) = given["text_policy"]
            .as_str()
            .filter(|policy| *policy != "guarded")
        {
            set("guard", json!(policy));
        }
        let children = self::sections(&given["children"], &path, values, names);
        if !children.is_empty() {
            set("sections", Value::Array(children));
        }
        sections.push(section);
    }
    sections
}

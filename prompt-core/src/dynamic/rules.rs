//! The rules for the keys of a node that need no look at its texts: those that the derive has too, and those for what only
//! a tree can have.

use super::{
    MAX_DEPTH,
    fault::{Faults, Spot},
    given::{Data, Entry},
    node::{DynamicNode, join, step, too_deep},
};
use prompt_syntax::Code;

/// The keys that say how the items of a list stand.
const OF_ITEMS: [&str; 7] = [
    "item",
    "join",
    "last",
    "item_title",
    "untitled_items",
    "item_key",
    "item_tag",
];

impl DynamicNode {
    /// The first key that says how the items of a list stand.
    fn key_of_items(&self) -> Option<&'static str> {
        OF_ITEMS.into_iter().find(|key| self.keys.has(key))
    }

    /// The name of the value that it embeds: the one it says, or its key, if it says how items of a list stand, or what
    /// an empty value prints and nothing else.
    pub(super) fn value_name(&self) -> Option<&str> {
        let says_nothing_else = !self.keys.has("body") && self.sections.is_empty();
        let is_for_items = self.key_of_items().is_some()
            || self.keys.has("empty") && says_nothing_else && self.typed.is_none();
        match self.keys.get("value") {
            Some(value) => value.text(),
            None => is_for_items.then(|| self.key()),
        }
    }
}

/// Checks all nodes of a tree; each gets its number and its path.
pub(super) fn check(root: &mut DynamicNode, faults: &mut Faults) {
    check_node(root, String::new(), &mut 0, faults);
}

fn check_node(node: &mut DynamicNode, path: String, count: &mut usize, faults: &mut Faults) {
    (node.path, node.order) = (path, *count);
    *count += 1;
    let spot = Spot {
        order: node.order,
        ..Spot::new(&node.path, "", node.span)
    };
    let holder = node.holder();
    node.keys.check(holder, spot, faults);
    check_attributes(node, faults);
    check_content(node, faults);
    check_depth(node, faults);
    if node.is_root() && node.typed.is_some() {
        let (message, help) = ("the root embeds a typed node", "embed it in a section");
        faults.add(node.spot(""), Code::InvalidValue, message, help);
    }
    for (index, section) in node.sections.iter_mut().enumerate() {
        let path = join(&node.path, &step(section.key(), index));
        check_node(section, path, count, faults);
    }
}

/// The value of an attribute is one word of JSON.
fn check_attributes(node: &DynamicNode, faults: &mut Faults) {
    for Entry { name, value, .. } in node.keys.map("attr") {
        if matches!(value.data, Data::List(_) | Data::Map(_) | Data::Deep) {
            let spot = node.spot("attr").at(value.span);
            let message = format!("the attribute `{name}` holds a list or a map");
            let help = "text, a number, `true` or `false`";
            faults.add(spot, Code::InvalidValue, message, help);
        }
    }
}

/// A section that embeds a value or a typed node has no sections of its own, and not both.
fn check_content(node: &DynamicNode, faults: &mut Faults) {
    let of_value = Some("value").filter(|key| node.keys.has(key));
    let of_value = of_value.or_else(|| node.key_of_items());
    if let (Some(key), Some(_)) = (of_value, &node.typed) {
        let message = format!("`{key}` and a typed node exclude each other");
        let help = "remove one of the two";
        faults.add(node.spot(key), Code::ConflictingAttributes, message, help);
    }
    let embeds = match (&node.typed, node.value_name()) {
        (Some(_), _) => "a typed node",
        (None, Some(_)) => "a value",
        (None, None) => return,
    };
    if !node.sections.is_empty() {
        let message = format!("the section embeds {embeds} and has sections of its own");
        let (spot, help) = (
            node.spot("sections"),
            "put a section of its own around them",
        );
        faults.add(spot, Code::ConflictingAttributes, message, help);
    }
}

/// A tree has an end.
fn check_depth(node: &DynamicNode, faults: &mut Faults) {
    if let Some(key) = &node.cut {
        let path = join(&node.path, &step(key, 0));
        let spot = Spot {
            path: &path,
            ..node.spot("")
        };
        faults.push(spot, too_deep(&path, MAX_DEPTH));
    }
}

//! The rules for the keys of a node that need no look at its texts: the same that the derive checks.

use super::{
    MAX_DEPTH,
    fault::{Faults, Spot},
    given::{Data, Entry},
    node::{DynamicNode, join, step, too_deep},
};
use crate::prompt::PromptNode;
use prompt_syntax::{Code, KEY_RULE, TAG_RULE, book::Holder};
use std::collections::BTreeSet;

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
    /// A part of it of which something is said.
    pub(super) fn spot<'s>(&'s self, path: &'s str, part: &'static str) -> Spot<'s> {
        let span = self.keys.get(part).map_or(self.span, |given| given.span);
        Spot::new(path, part, span)
    }

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

/// All rules for one node.
pub(super) fn check(node: &mut DynamicNode, path: &str, holder: Holder, faults: &mut Faults) {
    node.keys
        .check(holder, Spot::new(path, "", node.span), faults);
    let node = &*node;
    check_tags(node, path, faults);
    check_attributes(node, path, faults);
    check_title(node, path, faults);
    check_content(node, path, faults);
    check_depth(node, path, faults);
    if holder == Holder::FileRoot {
        check_root(node, faults);
    } else {
        check_summary(node, path, faults);
    }
}

/// A tag is `[A-Za-z_][A-Za-z0-9_.-]*`.
fn check_tags(node: &DynamicNode, path: &str, faults: &mut Faults) {
    for part in ["tag", "item_tag"] {
        let tag = node.keys.text(part);
        if let Some(tag) = tag.filter(|tag| !prompt_syntax::is_tag(tag)) {
            let message = format!("`{tag}` is no valid tag name");
            faults.add(node.spot(path, part), Code::InvalidTag, message, TAG_RULE);
        }
    }
}

/// The name of an attribute is written like that of a tag, and stands once; its value is one word of JSON.
fn check_attributes(node: &DynamicNode, path: &str, faults: &mut Faults) {
    let Some(attributes) = node.keys.get("attr") else {
        return;
    };
    let spot = node.spot(path, "attr");
    let mut seen = BTreeSet::new();
    for Entry { name, value, .. } in attributes.map() {
        if !prompt_syntax::is_tag(name) {
            let message = format!("`{name}` is no valid name of an attribute");
            faults.add(spot.at(value.span), Code::InvalidTag, message, TAG_RULE);
        }
        if !seen.insert(name) {
            let message = format!("the attribute `{name}` is given twice");
            let help = "keep one of them";
            faults.add(spot.at(value.span), Code::DuplicateAttribute, message, help);
        }
        if matches!(value.data, Data::List(_) | Data::Map(_) | Data::Deep) {
            let message = format!("the attribute `{name}` holds a list or a map");
            let help = "text, a number, `true` or `false`";
            faults.add(spot.at(value.span), Code::InvalidValue, message, help);
        }
    }
}

/// `deny` of names and of the order of caches, as the derive checks them: of tags, and of keys, which are tags in XML.
pub(super) fn check_denied(node: &DynamicNode, path: &str, deny: &[Code], faults: &mut Faults) {
    if deny.is_empty() {
        return;
    }
    let named = |node: &DynamicNode, part: &'static str, path: &str, faults: &mut Faults| {
        let name = match part {
            "key" => Some(node.key()),
            part => node.keys.text(part),
        };
        for (code, help) in name.into_iter().flat_map(prompt_syntax::tag_lints) {
            if deny.contains(&code) {
                let name = name.unwrap_or_default();
                let message = format!("the tag `{name}` is not a good name");
                faults.add(node.spot(path, part), code, message, help);
            }
        }
    };
    named(node, "tag", path, faults);
    named(node, "item_tag", path, faults);
    let caches = node
        .sections
        .iter()
        .rposition(|section| section.keys.has("cache"));
    for (index, section) in node.sections.iter().enumerate() {
        let path = &join(path, section.key());
        if !section.keys.has("tag") {
            named(section, "key", path, faults);
        }
        let is_before = caches.is_some_and(|cache| index < cache);
        if is_before && section.keys.flag("volatile") && deny.contains(&Code::VolatileBeforeCache) {
            let message = "it changes from call to call and stands before a cache point";
            let help = "move it behind the section with `cache`";
            let spot = section.spot(path, "volatile");
            faults.add(spot, Code::VolatileBeforeCache, message, help);
        }
        check_denied(section, path, deny, faults);
    }
}

/// A title is not empty.
fn check_title(node: &DynamicNode, path: &str, faults: &mut Faults) {
    let title = node.keys.text("title");
    if title.is_some_and(|title| title.trim().is_empty()) {
        let help = "write `untitled = true`";
        let spot = node.spot(path, "title");
        faults.add(spot, Code::InvalidValue, "the title is empty", help);
    }
}

/// A section that embeds a value or a typed node has no sections of its own, and not both.
fn check_content(node: &DynamicNode, path: &str, faults: &mut Faults) {
    let of_value = Some("value").filter(|key| node.keys.has(key));
    let of_value = of_value.or_else(|| node.key_of_items());
    if let (Some(key), Some(_)) = (of_value, &node.typed) {
        let message = format!("`{key}` and a typed node exclude each other");
        let help = "remove one of the two";
        let spot = node.spot(path, key);
        faults.add(spot, Code::ConflictingAttributes, message, help);
    }
    let embeds = match (&node.typed, node.value_name()) {
        (Some(_), _) => "a typed node",
        (None, Some(_)) => "a value",
        (None, None) => return,
    };
    if !node.sections.is_empty() {
        let message = format!("the section embeds {embeds} and has sections of its own");
        let help = "put a section of its own around them";
        let spot = node.spot(path, "sections");
        faults.add(spot, Code::ConflictingAttributes, message, help);
    }
}

/// A tree has an end.
fn check_depth(node: &DynamicNode, path: &str, faults: &mut Faults) {
    if let Some(key) = &node.cut {
        let path = join(path, &step(key, 0));
        let spot = Spot::new(&path, "", node.span);
        faults.push(spot, too_deep(&path, MAX_DEPTH));
    }
}

/// The root has a legal key, or none, and a text of its own.
fn check_root(node: &DynamicNode, faults: &mut Faults) {
    let key = node.key();
    if !key.is_empty() && !prompt_syntax::is_key(key) {
        let message = format!("`{key}` is no legal key");
        faults.add(node.spot("", "key"), Code::InvalidKey, message, KEY_RULE);
    }
    if node.typed.is_some() {
        let help = "embed it in a section";
        let spot = node.spot("", "");
        faults.add(
            spot,
            Code::InvalidValue,
            "the root embeds a typed node",
            help,
        );
    }
}

/// A section that is to be summarised has something to say in short.
fn check_summary(node: &DynamicNode, path: &str, faults: &mut Faults) {
    let has_summary = || {
        let typed = node.typed.as_ref()?;
        let node = typed.embedded().content.node()?;
        node.info().container.summary.as_ref().map(drop)
    };
    let is_summarised = node.keys.text("visibility") == Some("summary");
    if is_summarised && !node.keys.has("summary") && has_summary().is_none() {
        let message = "a summarised section has no `summary`";
        let help = "add a `summary`, or show the section in full";
        let spot = node.spot(path, "visibility");
        faults.add(spot, Code::SummaryMissing, message, help);
    }
}

/// The keys of sections are legal, and siblings have different ones.
pub(super) fn check_key<'n>(
    around: &str,
    index: usize,
    section: &'n DynamicNode,
    seen: &mut BTreeSet<&'n str>,
    faults: &mut Faults,
) {
    let key = section.key();
    let path = join(around, key);
    let spot = section.spot(&path, "key");
    if key.is_empty() {
        let is_said = section
            .keys
            .get("key")
            .is_some_and(|key| key.data == Data::Wrong);
        if !is_said {
            let message = format!("number {} has no key", index + 1);
            let spot = Spot {
                path: around,
                part: "sections",
                ..spot
            };
            faults.add(spot, Code::InvalidKey, message, KEY_RULE);
        }
    } else if !prompt_syntax::is_key(key) {
        let message = format!("`{key}` is no legal key");
        faults.add(spot, Code::InvalidKey, message, KEY_RULE);
    } else if !seen.insert(key) {
        let message = format!("the key `{key}` stands twice");
        faults.add(spot, Code::DuplicateKey, message, "rename one of the two");
    }
}

/// Under `append = false` every section has a place.
pub(super) fn check_place(path: &str, section: &DynamicNode, faults: &mut Faults) {
    let key = section.key();
    let message = format!("the section `{key}` has no place in the text");
    let help = format!("write `{{{key}}}` or `{{PROMPT_SUBTREE}}` into the body");
    let spot = section.spot(path, "key");
    faults.add(spot, Code::UnplacedSection, message, help);
}

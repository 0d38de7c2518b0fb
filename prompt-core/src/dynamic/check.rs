//! The rules for the keys of one section that need no look at its texts: the same that the derive checks.

use super::{build::Faults, node::DynamicNode, spec::NodeSpec};
use prompt_syntax::Code;
use serde_json::Value;
use std::collections::BTreeSet;

/// Checks all of them.
pub(super) fn check(spec: &NodeSpec, faults: &mut Faults<'_>) {
    check_level(spec, faults);
    check_tag(spec, faults);
    check_attributes(spec, faults);
    check_untitled(spec, faults);
}

/// A level is one of Markdown's.
fn check_level(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if let Some(level) = spec.level.filter(|level| !(1..=6).contains(level)) {
        faults.add(
            Code::InvalidValue,
            "level",
            format!("there is no heading level {level}"),
            "levels go from 1 to 6",
        );
    }
}

/// A tag is `[A-Za-z_][A-Za-z0-9_.-]*`.
fn check_tag(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if let Some(tag) = spec
        .tag
        .as_deref()
        .filter(|tag| !prompt_syntax::is_tag(tag))
    {
        faults.add(
            Code::InvalidTag,
            "tag",
            format!("`{tag}` is no valid tag name"),
            TAG_HELP,
        );
    }
}

/// The name of an attribute is written like that of a tag; its value is one word of JSON.
fn check_attributes(spec: &NodeSpec, faults: &mut Faults<'_>) {
    for (name, value) in &spec.attr {
        if !prompt_syntax::is_tag(name) {
            faults.add(
                Code::InvalidTag,
                "attr",
                format!("`{name}` is no valid name of an attribute"),
                TAG_HELP,
            );
        }
        if matches!(value, Value::Array(_) | Value::Object(_)) {
            let help = "text, a number, `true` or `false`";
            faults.add(
                Code::InvalidValue,
                "attr",
                format!("the attribute `{name}` holds a list or a map"),
                help,
            );
        }
    }
}

/// Without a heading there is nothing to say about it.
fn check_untitled(spec: &NodeSpec, faults: &mut Faults<'_>) {
    let about_heading = [
        ("title", spec.title.is_some()),
        ("heading", spec.heading.is_some()),
        ("tight", spec.tight),
    ];
    for (part, _) in about_heading
        .into_iter()
        .filter(|(_, given)| *given && spec.untitled)
    {
        let message = format!("`untitled` and `{part}` exclude each other");
        faults.add(
            Code::ConflictingAttributes,
            part,
            message,
            "remove one of the two",
        );
    }
}

/// Keys are legal, and siblings have different ones.
pub(super) fn check_keys(sections: &[DynamicNode], faults: &mut Faults<'_>) {
    let mut seen = BTreeSet::new();
    for key in sections.iter().map(DynamicNode::key) {
        if !prompt_syntax::is_key(key) {
            faults.add_at(
                key,
                Code::InvalidKey,
                "key",
                format!("`{key}` is no legal key"),
                KEY_HELP,
            );
        } else if !seen.insert(key) {
            faults.add_at(
                key,
                Code::DuplicateKey,
                "key",
                format!("the key `{key}` stands twice"),
                "rename one of the two",
            );
        }
    }
}

/// A root needs no key; one that it has is legal.
pub(super) fn check_root_key(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if !spec.key.is_empty() && !prompt_syntax::is_key(&spec.key) {
        faults.add(
            Code::InvalidKey,
            "key",
            format!("`{}` is no legal key", spec.key),
            KEY_HELP,
        );
    }
}

const KEY_HELP: &str =
    "small letters, digits, `_` and `-`, starting with a letter or digit, at most 64 characters";
const TAG_HELP: &str = "letters, digits, `_`, `.` and `-`, starting with a letter or `_`";

//! The rules for the keys of one section that need no look at its texts: the same that the derive checks.

use super::{build::Faults, spec::NodeSpec};
use crate::Code;
use serde_json::Value;

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
        faults.add(Code::InvalidValue, "level", format!("there is no heading level {level}"), "levels go from 1 to 6");
    }
}

/// A tag is `[A-Za-z_][A-Za-z0-9_.-]*`.
fn check_tag(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if let Some(tag) = spec.tag.as_deref().filter(|tag| !prompt_syntax::is_tag(tag)) {
        faults.add(Code::InvalidTag, "tag", format!("`{tag}` is no valid tag name"), TAG_HELP);
    }
}

/// The name of an attribute is written like that of a tag; its value is one word of JSON.
fn check_attributes(spec: &NodeSpec, faults: &mut Faults<'_>) {
    for (name, value) in &spec.attr {
        if !prompt_syntax::is_tag(name) {
            faults.add(Code::InvalidTag, "attr", format!("`{name}` is no valid name of an attribute"), TAG_HELP);
        }
        if matches!(value, Value::Array(_) | Value::Object(_)) {
            let help = "text, a number, `true` or `false`";
            faults.add(Code::InvalidValue, "attr", format!("the attribute `{name}` holds a list or a map"), help);
        }
    }
}

/// Without a heading there is nothing to say about it.
fn check_untitled(spec: &NodeSpec, faults: &mut Faults<'_>) {
    let about_heading = [("title", spec.title.is_some()), ("heading", spec.heading.is_some()), ("tight", spec.tight)];
    for (part, _) in about_heading.into_iter().filter(|(_, given)| *given && spec.untitled) {
        let message = format!("`untitled` and `{part}` exclude each other");
        faults.add(Code::ConflictingAttributes, part, message, "remove one of the two");
    }
}

const TAG_HELP: &str = "letters, digits, `_`, `.` and `-`, starting with a letter or `_`";

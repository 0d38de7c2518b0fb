//! The words of rules that the doors look at themselves, because they need types or values.

use super::Holder;
use crate::{Code, Problem};
use alloc::{borrow::ToOwned, format};

/// The problem of a section without a place under `append = false`.
pub fn unplaced(slot: &str) -> Problem {
    let message = format!("`{slot}` has no place in the text");
    let help = format!(
        "write `{{{slot}}}` or `{{PROMPT_SUBTREE}}` on a line of its own, or remove `append = false`"
    );
    Problem::new(Code::UnplacedSection, message, help)
}

/// The problem of a heading in the template of an item that has a place of its own.
pub fn heading_in_item() -> Problem {
    let message = "the heading of an item with a place of its own stands in `item_title`";
    let help = "write it there: `item_title = \"{item.name}\"`";
    Problem::new(Code::InvalidValue, message, help)
}

/// The problem of a format spec that says nothing of what a key prints.
pub fn idle_spec(spec: &str, key: &str, holder: Holder) -> Problem {
    let help = match (key, holder) {
        ("item", _) => format!("write it in the template: `{{item:{spec}}}`"),
        (_, Holder::FileVar) => "drop one of the two".to_owned(),
        _ => "drop one of the two; `with` takes both".to_owned(),
    };
    let message = format!("the spec `:{spec}` says nothing of what `{key}` prints");
    Problem::new(Code::UnsupportedSpec, message, help)
}

/// The problem of a key that says how a list prints, on what is no list.
pub fn no_list(key: &str) -> Problem {
    let fact = format!("`{key}` has no effect here: this is no list");
    let help = "make it a list, or remove the key; an `Option` is printed with `some` and `default`, a `bool` with `yes` and `no`";
    Problem::new(Code::InvalidValue, fact, help)
}

/// The problem of a key that says how a flag prints, on what is no flag.
pub fn no_flag(key: &str) -> Problem {
    let fact = format!("`{key}` has no effect here: this is neither true nor false");
    let help = "remove it; what may be absent is printed with `some` and `default`, a list with `join` or `item`";
    Problem::new(Code::InvalidValue, fact, help)
}

/// The problem of an entry of `vars` that no text uses.
pub fn unused(name: &str) -> Problem {
    let help = format!("write `{{{name}}}` in a text, or remove it");
    Problem::new(Code::UnusedVariable, format!("no text uses `{name}`"), help)
}

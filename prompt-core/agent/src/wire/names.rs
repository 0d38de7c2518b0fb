//! Names that every provider takes, for those that a model made up.

use prompt_core::ToolSpec;
use std::borrow::Cow;

/// A name that every provider takes, for one that a model made up: what is no letter, digit, `_` or `-` becomes `_`.
pub(crate) fn plain_name(name: &str) -> Cow<'_, str> {
    if ToolSpec::is_name(name) {
        return name.into();
    }
    let plain = plain(name, ToolSpec::LONGEST_NAME - 1, "unnamed");
    if ToolSpec::is_name(&plain) {
        plain.into()
    } else {
        format!("_{plain}").into()
    }
}

/// A text of letters, digits, `_` and `-` with at most so many bytes, and not none.
pub(crate) fn plain(text: &str, longest: usize, empty: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain = text.chars().map(|c| if is_plain(&c) { c } else { '_' });
    let plain: String = plain.take(longest).collect();
    if plain.is_empty() {
        empty.to_owned()
    } else {
        plain
    }
}

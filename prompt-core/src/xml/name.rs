//! Names of tags: `[A-Za-z_][A-Za-z0-9_.-]*`.

use prompt_syntax::Code;
use std::{cmp::Ordering, fmt};

/// Whether `name` can be the name of a tag: `[A-Za-z_][A-Za-z0-9_.-]*`.
///
/// ```
/// use prompt_core::xml::is_valid_name;
///
/// assert!(is_valid_name("critical_rules"));
/// assert!(!is_valid_name("3_rules") && !is_valid_name("two words") && !is_valid_name(""));
/// ```
pub fn is_valid_name(name: &str) -> bool {
    name.as_bytes().first().copied().is_some_and(is_name_start) && name.bytes().all(is_name_byte)
}

pub(super) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// A tag name outside `[A-Za-z_][A-Za-z0-9_.-]*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTag {
    /// The name as given.
    pub name: String,
}

impl InvalidTag {
    /// Always [`Code::InvalidTag`].
    pub const fn code(&self) -> Code {
        Code::InvalidTag
    }

    /// The error, unless the name is valid.
    pub(super) fn check(name: &str) -> Result<(), Self> {
        if is_valid_name(name) {
            Ok(())
        } else {
            Err(Self {
                name: name.to_owned(),
            })
        }
    }
}

impl fmt::Display for InvalidTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        write!(
            f,
            "`{name}` is no legal tag name: letters, digits, `_`, `.` and `-`, starting with a letter or `_`"
        )
    }
}

impl std::error::Error for InvalidTag {}

/// The reserved tag names of a document, compared without regard to ASCII case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// In lower case, sorted, each once.
    names: Vec<String>,
}

impl Names {
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether `name`, in any case, is reserved.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.names
            .binary_search_by(|known| compare_to_lower(known.as_bytes(), name))
            .is_ok()
    }
}

/// `known` is in lower case; `name` is lowered on the fly, and no further than the first difference.
fn compare_to_lower(known: &[u8], name: &[u8]) -> Ordering {
    known
        .iter()
        .copied()
        .cmp(name.iter().map(u8::to_ascii_lowercase))
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut names: Vec<String> = names
            .into_iter()
            .map(|name| name.as_ref().to_ascii_lowercase())
            .collect();
        names.sort_unstable();
        names.dedup();
        Self { names }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case() {
        let names: Names = ["User_Input", "rules", "RULES"].iter().collect();
        assert!(names.contains(b"user_INPUT") && names.contains(b"Rules"));
        assert!(
            !names.contains(b"user") && !names.contains(b"user_input_") && !names.contains(b"")
        );
    }
}

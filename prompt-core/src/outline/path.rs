//! Section paths: keys joined by dots. The only place that knows the dot.

use std::{fmt, ops::Deref};

/// A section path. Keys never hold a dot, so a path has one reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SectionPath(String);

impl SectionPath {
    /// From the keys of a section and of those around it, the innermost first.
    pub(crate) fn from_inside_out<'k>(keys: impl Iterator<Item = &'k str>) -> Self {
        let mut keys: Vec<&str> = keys.collect();
        keys.reverse();
        Self(keys.join("."))
    }
}

impl Deref for SectionPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<SectionPath> for String {
    fn from(path: SectionPath) -> Self {
        path.0
    }
}

impl fmt::Display for SectionPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The path among these that a mistaken one most likely means: the most similar one, or the first that ends in the same
/// key.
pub(crate) fn nearest_of<'p>(
    path: &str,
    paths: impl Iterator<Item = &'p str> + Clone,
) -> Option<&'p str> {
    fn last(path: &str) -> &str {
        path.rsplit('.').next().unwrap_or_default().trim()
    }
    let mut same_key = paths.clone().filter(|known| last(known) == last(path));
    prompt_syntax::nearest(path.trim(), paths).or_else(|| same_key.next())
}

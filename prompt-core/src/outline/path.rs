//! Section paths: keys joined by dots. The only place that knows the dot.

use super::{Outline, RowId};
use std::{collections::HashMap, fmt, ops::Deref};

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

    /// The path with one more key.
    pub(crate) fn join(&self, key: &str) -> Self {
        if self.0.is_empty() {
            return Self(key.to_owned());
        }
        Self([&self.0, ".", key].concat())
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

/// Whether `path` is that of a section inside the one at `outer`.
pub(crate) fn is_below(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Rows by path. It costs one entry for each row, however deep the tree is: a path is looked up key by key.
pub(crate) struct Index<'o> {
    rows: HashMap<(Option<RowId>, &'o str), RowId>,
}

impl<'o> Index<'o> {
    pub(crate) fn of(outline: &'o Outline<'_>) -> Self {
        let rows = outline
            .iter()
            .map(|(id, row)| ((row.parent, row.key.as_ref()), id));
        Self {
            rows: rows.collect(),
        }
    }

    /// The row at a path.
    pub(crate) fn find(&self, path: &str) -> Option<RowId> {
        let mut at = None;
        for key in path.split('.') {
            at = Some(*self.rows.get(&(at, key))?);
        }
        at
    }
}

/// The path of the tree that a mistaken one most likely means: the most similar one, or the first that ends in the same
/// key.
pub(crate) fn nearest(outline: &Outline<'_>, path: &str) -> Option<String> {
    let paths: Vec<String> = outline.iter().map(|(id, _)| outline.path(id).into()).collect();
    nearest_of(path, paths.iter().map(String::as_str)).map(str::to_owned)
}

/// The same among these paths.
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

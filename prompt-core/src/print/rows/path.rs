//! Section paths: keys joined by dots. Keys never hold a dot, so a path has one reading.

use super::{RowId, Rows};

/// The path of a row, of which `row` gives the parent and the key.
pub(crate) fn of<'k, I>(id: I, row: impl Fn(I) -> (Option<I>, &'k str)) -> String {
    let mut path = String::with_capacity(32);
    append(id, &row, &mut path);
    path
}

/// As deep as the tree, at most.
fn append<'k, I>(id: I, row: &impl Fn(I) -> (Option<I>, &'k str), path: &mut String) {
    let (parent, key) = row(id);
    if let Some(parent) = parent {
        append(parent, row, path);
        path.push('.');
    }
    path.push_str(key);
}

/// The paths of all rows, parents before children, each made from its parent's.
pub(crate) fn all<'k>(rows: impl Iterator<Item = (Option<RowId>, &'k str)>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for (parent, key) in rows {
        let path = match parent {
            Some(parent) => [&paths[parent as usize], ".", key].concat(),
            None => key.to_owned(),
        };
        paths.push(path);
    }
    paths
}

/// The path of the tree that a mistaken one most likely means.
pub(crate) fn nearest(rows: &Rows<'_>, path: &str) -> Option<String> {
    let paths = rows.paths();
    nearest_of(path, paths.iter().map(String::as_str)).map(str::to_owned)
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

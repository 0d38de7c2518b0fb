//! Finds rows by their paths.

use super::{
    path::nearest_of,
    rows::{Outline, RowId},
};
use std::collections::HashMap;

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
    let paths: Vec<String> = outline
        .iter()
        .map(|(id, _)| outline.path(id).into())
        .collect();
    nearest_of(path, paths.iter().map(String::as_str)).map(str::to_owned)
}

//! Finds sections by their paths.

use super::{Step, visit, visit::Flow};
use crate::error::PromptError;
use crate::node::PromptNode;
use std::{collections::BTreeSet, ops::Bound};

/// A section that was found.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) path: String,
    pub(crate) steps: Vec<Step>,
    /// Titles of the sections on the way, its own last.
    pub(crate) titles: Vec<String>,
    /// For the root and each section on the way but the last: whether its text has a slot for what was collected.
    pub(crate) collects: Vec<bool>,
}

/// The section at `path`.
pub(crate) fn resolve(root: &dyn PromptNode, path: &str) -> Result<Resolved, PromptError> {
    let mut found = resolve_all(root, &[path])?;
    found.pop().ok_or_else(|| PromptError::UnknownPath {
        path: path.to_owned(),
        nearest: None,
    })
}

/// The sections at these paths, in declaration order. One pass, which enters only what leads to one of them.
///
/// # Errors
/// The first path that is not in the tree, with the nearest one that is.
pub(crate) fn resolve_all(
    root: &dyn PromptNode,
    paths: &[&str],
) -> Result<Vec<Resolved>, PromptError> {
    let mut missing: BTreeSet<&str> = paths.iter().copied().collect();
    let wanted = missing.clone();
    let mut found: Vec<Resolved> = Vec::with_capacity(wanted.len());
    let mut titles: Vec<String> = Vec::new();
    let mut collects = vec![super::collects(super::info_of(&root.embedded()))];
    let mut prefix = String::new();
    visit(root, |section| {
        let depth = section.steps.len();
        let is_wanted = wanted.contains(section.path);
        let leads_on = leads_on(&wanted, section.path, &mut prefix);
        if !is_wanted && !leads_on {
            return Ok(Flow::Past);
        }
        titles.truncate(depth - 1);
        titles.push(section.title()?);
        collects.truncate(depth);
        if is_wanted && missing.remove(section.path) {
            let (path, steps) = (section.path.to_owned(), section.steps.to_vec());
            found.push(Resolved {
                path,
                steps,
                titles: titles.clone(),
                collects: collects.clone(),
            });
        }
        collects.push(super::collects(super::info_of(section.content)));
        Ok(if leads_on { Flow::Into } else { Flow::Past })
    })?;
    match paths.iter().find(|path| missing.contains(**path)) {
        None => Ok(found),
        Some(path) => Err(PromptError::UnknownPath {
            path: (*path).to_owned(),
            nearest: nearest(root, path),
        }),
    }
}

/// Whether a wanted path lies below this one. `buffer` is kept from call to call.
fn leads_on(wanted: &BTreeSet<&str>, path: &str, buffer: &mut String) -> bool {
    buffer.clear();
    buffer.extend([path, "."]);
    let next = wanted
        .range::<str, _>((Bound::Excluded(buffer.as_str()), Bound::Unbounded))
        .next();
    next.is_some_and(|next| next.starts_with(buffer.as_str()))
}

/// The path in the tree that looks most like this one.
pub(crate) fn nearest(root: &dyn PromptNode, path: &str) -> Option<String> {
    let mut paths: Vec<String> = Vec::new();
    let visited = visit(root, |section| {
        paths.push(section.path.to_owned());
        Ok(Flow::Into)
    });
    visited.ok()?;
    let last = path.rsplit('.').next().unwrap_or(path);
    let same_key = paths
        .iter()
        .find(|candidate| candidate.rsplit('.').next() == Some(last));
    prompt_syntax::nearest(path, paths.iter().map(String::as_str))
        .or(same_key.map(String::as_str))
        .map(str::to_owned)
}

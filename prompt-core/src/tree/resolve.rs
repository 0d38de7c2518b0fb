//! Finds sections by their paths.

use super::{Step, visit, visit::Flow};
use crate::{PromptError, PromptNode};

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
    found.pop().ok_or_else(|| PromptError::UnknownPath { path: path.to_owned(), nearest: None })
}

/// The sections at these paths, in declaration order. One pass.
///
/// # Errors
/// The first path that is not in the tree, with the nearest one that is.
pub(crate) fn resolve_all(root: &dyn PromptNode, paths: &[&str]) -> Result<Vec<Resolved>, PromptError> {
    let mut found: Vec<Resolved> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    let mut collects = vec![super::collects(super::info_of(&root.embedded()))];
    visit(root, |section| {
        let depth = section.steps.len();
        titles.truncate(depth - 1);
        titles.push(section.title()?);
        collects.truncate(depth);
        if paths.contains(&section.path) {
            let (path, steps) = (section.path.to_owned(), section.steps.to_vec());
            found.push(Resolved { path, steps, titles: titles.clone(), collects: collects.clone() });
        }
        collects.push(super::collects(super::info_of(section.content)));
        let prefix = |path: &&&str| path.strip_prefix(section.path).is_some_and(|rest| rest.starts_with('.'));
        Ok(if paths.iter().any(|path| prefix(&path)) { Flow::Into } else { Flow::Past })
    })?;
    match paths.iter().find(|path| !found.iter().any(|section| section.path == **path)) {
        None => Ok(found),
        Some(path) => Err(PromptError::UnknownPath { path: (*path).to_owned(), nearest: nearest(root, path) }),
    }
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
    let same_key = paths.iter().find(|candidate| candidate.rsplit('.').next() == Some(last));
    prompt_syntax::nearest(path, paths.iter().map(String::as_str)).or(same_key.map(String::as_str)).map(str::to_owned)
}

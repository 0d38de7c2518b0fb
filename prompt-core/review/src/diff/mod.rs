//! What changed between two previews: section by section, line by line, with tokens.

mod page;

use crate::rows::own_texts;
use prompt_core::prompt::{Preview, PreviewForm};
use serde::Serialize;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// What changed between two previews: see [`diff`]. `Display` prints it as a text, [`page`](Diff::page) as a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// Tokens of the old prompt.
    pub old_tokens: usize,
    /// Tokens of the new prompt.
    pub new_tokens: usize,
    /// The sections of both, the new order first, the root's own text before them.
    pub sections: Vec<SectionDiff>,
    /// Whether sections that both have stand in another order.
    pub is_reordered: bool,
}

/// A section in two versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SectionDiff {
    /// Its dotted path; empty for the root's own text.
    pub path: String,
    /// Its title in the new version, or in the old one.
    pub title: String,
    /// What became of it.
    pub change: Change,
    /// How it was shown; `None` where it was not there.
    pub old_form: Option<PreviewForm>,
    /// How it is shown; `None` where it is not there.
    pub new_form: Option<PreviewForm>,
    /// Tokens of its own text before.
    pub old_tokens: usize,
    /// Tokens of its own text now.
    pub new_tokens: usize,
    /// Its own text, line by line: without its subsections, and without blank lines at its ends.
    pub lines: Vec<LineChange>,
}

/// What became of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// Nothing.
    Same,
    /// It says something else, or is shown otherwise.
    Changed,
    /// It is new in the text.
    Added,
    /// It is gone from the text.
    Removed,
}

/// A line of a section.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    /// In both.
    Kept(String),
    /// Only in the old version.
    Removed(String),
    /// Only in the new version.
    Added(String),
}

/// What changed from one preview to a newer one: two versions of a prompt, or one in two renderings. Sections are compared
/// by their paths, each by its own text.
///
/// ```
/// use prompt_core::{DynamicNode, PromptNode};
///
/// let version = |tone: &str| {
///     let tone = DynamicNode::builder("tone").body(format!("Answer in full.\n{tone}"));
///     DynamicNode::builder("memo").body("Write.").section(tone).build()
/// };
/// let (old, new) = (version("Be kind.")?, version("Be brief.")?);
/// let diff = prompt_review::diff(&old.prompt().preview()?, &new.prompt().preview()?);
/// assert!(!diff.is_empty());
/// assert!(diff.to_string().starts_with("~ tone: "));
/// assert!(diff.to_string().contains("    - Be kind.\n    + Be brief.\n"));
/// assert!(diff.page().contains("Be <del>kind.</del>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn diff(old: &Preview, new: &Preview) -> Diff {
    let (old_tokens, new_tokens) = (old.tokens, new.tokens);
    let (old, new) = (Side::all(old), Side::all(new));
    let before: HashMap<&str, &Side> = old.iter().map(|it| (it.path.as_str(), it)).collect();
    let after: HashSet<&str> = new.iter().map(|side| side.path.as_str()).collect();
    let of_new = new
        .iter()
        .map(|side| section(before.get(side.path.as_str()).copied(), Some(side)));
    let gone = old
        .iter()
        .filter(|side| !after.contains(side.path.as_str()));
    let sections = of_new.chain(gone.map(|side| section(Some(side), None)));
    let sections = sections.collect();
    let old_order = old.iter().map(|side| side.path.as_str());
    let old_order = old_order.filter(|path| after.contains(path));
    let new_order = new.iter().map(|side| side.path.as_str());
    let new_order = new_order.filter(|path| before.contains_key(path));
    Diff {
        old_tokens,
        new_tokens,
        is_reordered: !new_order.eq(old_order),
        sections,
    }
}

impl Diff {
    /// Whether both say the same in the same order.
    pub fn is_empty(&self) -> bool {
        !self.is_reordered && self.sections.iter().all(|it| it.change == Change::Same)
    }
}

impl fmt::Display for Diff {
    /// A line for each section that is new, gone or changed, with its tokens; below it the lines that differ, indented
    /// by four columns; then whether the order changed, and the sum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            let name = match section.path.as_str() {
                "" => "(own text)",
                path => path,
            };
            let (was, is) = (section.old_tokens, section.new_tokens);
            match section.change {
                Change::Same => continue,
                Change::Added => writeln!(f, "+ {name}: {is} tokens")?,
                Change::Removed => writeln!(f, "- {name}: {was} tokens")?,
                Change::Changed => writeln!(f, "~ {name}: {}", Tokens(was, is))?,
            }
            for line in &section.lines {
                match line {
                    LineChange::Kept(_) => {}
                    LineChange::Removed(line) => writeln!(f, "    - {line}")?,
                    LineChange::Added(line) => writeln!(f, "    + {line}")?,
                }
            }
        }
        if self.is_reordered {
            writeln!(f, "the order of the sections changed")?;
        } else if self.is_empty() {
            writeln!(f, "no section changed")?;
        }
        write!(f, "total: {}", Tokens(self.old_tokens, self.new_tokens))
    }
}

/// Tokens before and now.
struct Tokens(usize, usize);

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(was, is) = *self;
        let sign = if is < was { '-' } else { '+' };
        write!(f, "{was} -> {is} tokens ({sign}{})", is.abs_diff(was))
    }
}

/// A section of one version that stands in the text.
struct Side {
    path: String,
    title: String,
    form: PreviewForm,
    tokens: usize,
    text: String,
}

impl Side {
    /// The root's own text, then the sections, as they are declared.
    fn all(preview: &Preview) -> Vec<Self> {
        let mut texts = own_texts(preview);
        let root = Self {
            path: String::new(),
            title: preview.name.clone(),
            form: PreviewForm::Full,
            tokens: preview.own.unwrap_or_default(),
            text: texts.pop().unwrap_or_default(),
        };
        let rows = preview.rows.iter().enumerate().zip(texts);
        let rows = rows.filter(|((_, row), _)| row.range.is_some());
        let sections = rows.map(|((index, row), text)| Self {
            path: preview.path(index),
            title: row.title.clone(),
            form: row.form,
            tokens: row.tokens,
            text,
        });
        std::iter::once(root).chain(sections).collect()
    }
}

fn section<'s>(old: Option<&'s Side>, new: Option<&'s Side>) -> SectionDiff {
    let text = |side: Option<&'s Side>| side.map_or("", |side| side.text.trim());
    let lines = |side| -> Vec<&'s str> { text(side).lines().collect() };
    let tokens = |side: Option<&Side>| side.map_or(0, |side| side.tokens);
    let lines = changes(&lines(old), &lines(new));
    let form = |side: Option<&Side>| side.map(|side| side.form);
    let is_kept = |line: &LineChange| matches!(line, LineChange::Kept(_));
    let change = match (old, new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ if form(old) == form(new) && lines.iter().all(is_kept) => Change::Same,
        _ => Change::Changed,
    };
    let (path, title) = new.or(old).map_or_else(Default::default, |side| {
        (side.path.clone(), side.title.clone())
    });
    SectionDiff {
        path,
        title,
        change,
        old_form: form(old),
        new_form: form(new),
        old_tokens: tokens(old),
        new_tokens: tokens(new),
        lines,
    }
}

/// The lines of two texts.
fn changes(old: &[&str], new: &[&str]) -> Vec<LineChange> {
    let mut lines = Vec::with_capacity(old.len().max(new.len()));
    for step in capture_diff_slices(Algorithm::Patience, old, new) {
        let mut add = |list: &[&str], change: fn(String) -> LineChange| {
            lines.extend(list.iter().map(|line| change((*line).to_owned())));
        };
        let (tag, was, is) = step.as_tag_tuple();
        if tag == DiffTag::Equal {
            add(&new[is], LineChange::Kept);
        } else {
            add(&old[was], LineChange::Removed);
            add(&new[is], LineChange::Added);
        }
    }
    lines
}

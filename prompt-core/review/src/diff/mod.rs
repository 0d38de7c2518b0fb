//! What changed between two previews: section by section, line by line, with tokens.

mod page;
mod sides;

use prompt_core::message::CachePoint;
use prompt_core::prompt::{Preview, PreviewForm};
use prompt_core::{Role, ToolSpec};
use serde::Serialize;
use sides::{Side, paired};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// What changed between two previews: see [`diff`]. `Display` prints it as a text, [`page`](Diff::page) as a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// What the old prompt is called.
    pub old_name: String,
    /// What the new prompt is called.
    pub new_name: String,
    /// Tokens of the old prompt.
    pub old_tokens: usize,
    /// Tokens of the new prompt.
    pub new_tokens: usize,
    /// The sections of both in the order in which the new prompt prints them, the root's own text before them; then what is
    /// gone.
    pub sections: Vec<SectionDiff>,
    /// Whether what both have is printed in another order.
    pub is_reordered: bool,
    /// Whether white space is all that differs in the text.
    pub is_respaced: bool,
    /// Whether messages differ that are of no section, such as those of a history.
    pub has_other_messages: bool,
    /// The tools that are new, gone or changed.
    pub tools: Vec<ToolDiff>,
    /// Whether the same tools are sent in another order.
    pub are_tools_reordered: bool,
    /// The paths of sections whose text differs where it is not sent: what a call may open, a short form, what is switched off.
    pub unsent: Vec<String>,
    #[serde(rename = "is_empty")]
    is_same: bool,
}

/// A tool that is new, gone, or changed in its description or parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolDiff {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub change: Change,
}

/// A section in two versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SectionDiff {
    /// Its dotted path; empty for the root's own text.
    pub path: String,
    /// Its path in the old version, if it was renamed.
    pub old_path: Option<String>,
    /// Its title in the new version, or in the old one.
    pub title: String,
    /// What became of it.
    pub change: Change,
    /// How it was shown; `None` where it was not there.
    pub old_form: Option<PreviewForm>,
    /// How it is shown; `None` where it is not there.
    pub new_form: Option<PreviewForm>,
    /// The role of the message that it was.
    pub old_role: Option<Role>,
    /// The role of the message that it is.
    pub new_role: Option<Role>,
    /// The cache point after it in the old version.
    pub old_cache: Option<CachePoint>,
    /// The cache point after it in the new version.
    pub new_cache: Option<CachePoint>,
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
    /// Its text, its role or its cache point is another.
    Changed,
    /// It has another path, and the same text but for its title.
    Renamed,
    /// It is new.
    Added,
    /// It is gone.
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
/// by their paths, each by its own text. If anything differs that is sent, a byte of the text, a message, a tool, the diff is
/// not [empty](Diff::is_empty), and says what; otherwise it is, though it says which sections have other names.
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
    let (old_sides, new_sides) = (Side::all(old), Side::all(new));
    let pairs = paired(&old_sides, &new_sides);
    let sections: Vec<SectionDiff> = pairs.iter().map(|(old, new)| section(*old, *new)).collect();
    let is_same = sections.iter().all(|it| it.change == Change::Same);
    let has_other_words = !old.text.split_whitespace().eq(new.text.split_whitespace());
    let messages = |preview: &Preview| {
        let messages = preview.messages.iter().map(|(message, _)| message.clone());
        messages.collect::<Vec<_>>()
    };
    let is_same_text = old.text == new.text;
    let is_reordered =
        !is_same_text && (sides::is_reordered(&pairs) || (is_same && has_other_words));
    let is_same_message = messages(old) == messages(new);
    let tools_of = |preview: &Preview| {
        let tools = preview.tools.iter().map(|(tool, _)| tool.clone());
        tools.collect::<Vec<_>>()
    };
    let is_same_tool = tools_of(old) == tools_of(new);
    let tools = tools(&old.tools, &new.tools);
    Diff {
        old_name: old.name.clone(),
        new_name: new.name.clone(),
        old_tokens: old.tokens,
        new_tokens: new.tokens,
        is_reordered,
        is_respaced: is_same && !is_reordered && !is_same_text,
        has_other_messages: is_same && is_same_text && !is_same_message,
        are_tools_reordered: tools.is_empty() && !is_same_tool,
        tools,
        unsent: unsent(old, new, &sections),
        is_same: is_same_text && is_same_message && is_same_tool,
        sections,
    }
}

/// The sections of which something differs that is not sent. Of one that is new or gone, or shown in another form, what is
/// not sent now is something else.
fn unsent(old: &Preview, new: &Preview, sections: &[SectionDiff]) -> Vec<String> {
    let [old, new] = [old, new].map(sides::unsent);
    let has_form = |it: &&SectionDiff| it.old_form == it.new_form && it.change != Change::Renamed;
    let told = sections.iter().filter(|it| !has_form(it));
    let told: HashSet<&str> = told.map(|it| it.path.as_str()).collect();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differs =
        |path: &&String| old.get(*path) != new.get(*path) && !told.contains(path.as_str());
    paths.into_iter().filter(differs).cloned().collect()
}

impl Diff {
    /// Whether the same is sent: every byte of the text, the messages and their cache points, the tools. Sections may have
    /// other names, or begin elsewhere in that text.
    pub fn is_empty(&self) -> bool {
        self.is_same
    }

    /// The same, with other names of the two versions: those of their files.
    #[must_use]
    pub fn named(mut self, old: impl Into<String>, new: impl Into<String>) -> Self {
        (self.old_name, self.new_name) = (old.into(), new.into());
        self
    }

    /// What changed beside the texts of sections, a line for each.
    fn facts_beside(&self) -> Vec<String> {
        let mut facts = Vec::new();
        for tool in &self.tools {
            let change = match tool.change {
                Change::Added => "new",
                Change::Removed => "gone",
                _ => "changed",
            };
            facts.push(format!("the tool `{}` is {change}", tool.name));
        }
        let is_named_alike = |section: &SectionDiff| section.change == Change::Same;
        let is_alike = self.unsent.is_empty() && self.sections.iter().all(is_named_alike);
        let same = if is_alike {
            "nothing changed"
        } else {
            "the same is sent"
        };
        let others = [
            (self.is_reordered, "the order of the text changed"),
            (self.is_respaced, "white space changed"),
            (self.has_other_messages, "messages of no section changed"),
            (self.are_tools_reordered, "the order of the tools changed"),
            (self.is_same, same),
        ];
        let told = others.iter().filter(|(is_told, _)| *is_told);
        facts.extend(told.map(|(_, fact)| (*fact).to_owned()));
        if !self.unsent.is_empty() {
            let paths = self.unsent.join("`, `");
            facts.push(format!("changed where it is not sent: `{paths}`"));
        }
        facts
    }
}

impl fmt::Display for Diff {
    /// A line for each section that is new, gone, renamed or changed, with its tokens; below it what differs, indented by four
    /// columns: role, cache point, lines. Then tools, order and white space, and the sum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.sections {
            let (was, is) = (section.old_tokens, section.new_tokens);
            let name = section.name();
            match section.change {
                Change::Same => continue,
                Change::Added => writeln!(f, "+ {name}: {is} tokens")?,
                Change::Removed => writeln!(f, "- {name}: {was} tokens")?,
                Change::Changed => writeln!(f, "~ {name}: {}", Tokens(was, is))?,
                Change::Renamed => {
                    let old = section.old_path.as_deref().unwrap_or_default();
                    writeln!(f, "~ {old} is now {name}: {}", Tokens(was, is))?;
                }
            }
            for fact in section.facts() {
                writeln!(f, "    {fact}")?;
            }
            for line in &section.lines {
                match line {
                    LineChange::Kept(_) => {}
                    LineChange::Removed(line) => writeln!(f, "    - {line}")?,
                    LineChange::Added(line) => writeln!(f, "    + {line}")?,
                }
            }
        }
        for fact in self.facts_beside() {
            writeln!(f, "{fact}")?;
        }
        write!(f, "total: {}", Tokens(self.old_tokens, self.new_tokens))
    }
}

impl SectionDiff {
    fn name(&self) -> &str {
        match self.path.as_str() {
            "" => "(own text)",
            path => path,
        }
    }

    /// What changed beside its text, in a section that both have.
    fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if matches!(self.change, Change::Added | Change::Removed) {
            return facts;
        }
        if self.old_role != self.new_role {
            let role = |role: Option<Role>| role.map_or("none", Role::as_str);
            let (old, new) = (role(self.old_role), role(self.new_role));
            facts.push(format!("role: {old} -> {new}"));
        }
        if self.old_cache != self.new_cache {
            let (old, new) = (point(self.old_cache), point(self.new_cache));
            facts.push(format!("cache point: {old} -> {new}"));
        }
        facts
    }
}

fn point(point: Option<CachePoint>) -> String {
    match point {
        None => "none".to_owned(),
        Some(CachePoint { ttl: Some(ttl), .. }) => format!("{ttl} s"),
        Some(_) => "set".to_owned(),
    }
}

/// The tools that differ, those that are gone at the end.
fn tools(old: &[(ToolSpec, usize)], new: &[(ToolSpec, usize)]) -> Vec<ToolDiff> {
    let find = |list: &[(ToolSpec, usize)], name: &str| -> Option<ToolSpec> {
        let tools = list.iter().map(|(tool, _)| tool);
        tools.into_iter().find(|tool| tool.name() == name).cloned()
    };
    let of_new = new.iter().filter_map(|(tool, _)| {
        let change = match find(old, tool.name()) {
            None => Change::Added,
            Some(before) if before == *tool => return None,
            Some(_) => Change::Changed,
        };
        Some((tool.name(), change))
    });
    let gone = old.iter().map(|(tool, _)| tool.name());
    let gone = gone.filter(|name| find(new, name).is_none());
    let gone = gone.map(|name| (name, Change::Removed));
    let all = of_new.chain(gone);
    let all = all.map(|(name, change)| ToolDiff {
        name: name.to_owned(),
        change,
    });
    all.collect()
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

fn section(old: Option<&Side>, new: Option<&Side>) -> SectionDiff {
    let lines = |side: Option<&Side>| -> Vec<String> {
        let text = side.map_or("", |side| side.text.trim());
        text.lines().map(str::to_owned).collect()
    };
    let (before, now) = (lines(old), lines(new));
    let lines = changes(
        &before.iter().map(String::as_str).collect::<Vec<_>>(),
        &now.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let is_kept = |line: &LineChange| matches!(line, LineChange::Kept(_));
    let marks = |side: Option<&Side>| side.map(|side| (side.role, side.cache));
    let change = match (old, new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        (Some(old), Some(new)) if old.path != new.path => Change::Renamed,
        _ if marks(old) == marks(new) && lines.iter().all(is_kept) => Change::Same,
        _ => Change::Changed,
    };
    let named = new.or(old);
    SectionDiff {
        path: named.map_or_else(String::new, |side| side.path.clone()),
        old_path: old
            .filter(|_| change == Change::Renamed)
            .map(|side| side.path.clone()),
        title: named.map_or_else(String::new, |side| side.title.clone()),
        change,
        old_form: old.map(|side| side.form),
        new_form: new.map(|side| side.form),
        old_role: old.and_then(|side| side.role),
        new_role: new.and_then(|side| side.role),
        old_cache: old.and_then(|side| side.cache),
        new_cache: new.and_then(|side| side.cache),
        old_tokens: old.map_or(0, |side| side.tokens),
        new_tokens: new.map_or(0, |side| side.tokens),
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

//! A prompt as a tree one can read: what is in it, how it is shown, what it costs, what a budget took away and why.

use super::lint::Lint;
use crate::document::path_of;
use crate::messages::message::{CachePoint, Message, Role};
use crate::messages::tool::ToolSpec;
use crate::node::Form;
use crate::select::Table;
use crate::select::budget::{Outcome, Reason};
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// What [`Prompt::preview`](crate::Prompt::preview) shows. `Display` prints it as a plain text tree; the same prompt
/// gives the same text, so that it can be kept as a snapshot. Its fields, and serde, give the data; the crate
/// `prompt-review` makes a page of it, and tells what changed between two.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Preview {
    /// The name of the root's type, of a file its `key`; `prompt` of what has none.
    pub name: String,
    /// Tokens of the text; under a budget, what it counted in all.
    pub tokens: usize,
    /// Tokens that a budget leaves room for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Tokens of the root's own text, without sections; `None` where it is blank.
    pub own: Option<usize>,
    /// The sections, in declaration order, parents before children: also those that are not shown.
    pub rows: Vec<PreviewRow>,
    /// The tools that are offered, with the tokens of their JSON.
    pub tools: Vec<(ToolSpec, usize)>,
    /// The text, as the model gets it.
    pub text: String,
    /// The first byte of the text whose presence or content depends on a value.
    pub static_prefix: usize,
    /// What stands in the text for values, in its order.
    pub values: Vec<PreviewValue>,
    /// The messages that the text makes, with the histories spliced in; with the tokens of their content.
    pub messages: Vec<(Message, usize)>,
    /// Sections that are declared, and not there in this call.
    pub absent: Vec<PreviewAbsent>,
    /// The lints of [`Prompt::lint`](crate::Prompt::lint), with the index of the section of each; `None` for the root.
    pub lints: Vec<(Option<usize>, Lint)>,
    /// Tokens of the text alone.
    #[serde(skip)]
    pub(crate) of_text: usize,
    /// The tree, printed.
    #[serde(skip)]
    pub(crate) tree: String,
}

/// A stretch of the text that stands for a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PreviewValue {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The variable as the author's text names it, or the field that is a section.
    pub name: String,
    /// The index of the section whose node, title or attribute has it; `None` for the root.
    pub row: Option<usize>,
}

/// The text of a section in a form in which it is not sent, without its subsections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PreviewText {
    /// The text. A short form is not guarded here.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
    /// What stands in it for values.
    pub values: Vec<PreviewValue>,
}

impl PreviewText {
    /// Without line breaks at its ends.
    pub(crate) fn trimmed(mut self) -> Self {
        let start = self.text.len() - self.text.trim_start_matches('\n').len();
        let text = self.text.trim_matches('\n');
        let end = text.len();
        self.text = text.to_owned();
        for value in &mut self.values {
            let moved = |at: usize| at.saturating_sub(start).min(end);
            value.range = moved(value.range.start)..moved(value.range.end);
        }
        self
    }
}

/// A section that is declared, and not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PreviewAbsent {
    /// The index of the section around it.
    pub parent: Option<usize>,
    /// The last part of its path.
    pub key: String,
    /// Its title as its author wrote it, with variables in braces.
    pub title: String,
    /// Why it is not there.
    pub reason: AbsentReason,
    /// What its author wrote, with variables in braces: the introduction, and the text of its node where that is known.
    pub source: String,
}

/// Why a section is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AbsentReason {
    /// Its `when` does not hold, or its condition.
    SwitchedOff,
    /// It has no value, or an empty one.
    Empty,
    /// Its place stands in a branch of the text that is not taken.
    NotReached,
}

impl fmt::Display for AbsentReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SwitchedOff => "switched off: its condition does not hold",
            Self::Empty => "empty: it has no value",
            Self::NotReached => "not reached: its place is in a branch that is not taken",
        })
    }
}

/// A section, or an item of a list that has a path of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PreviewRow {
    /// The last part of its path. See [`Preview::path`].
    pub key: String,
    /// The index of the section around it.
    pub parent: Option<usize>,
    /// Keys in its path.
    pub depth: usize,
    /// Its title, printed or not.
    pub title: String,
    /// Bytes of the title that values wrote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub title_values: Vec<Range<usize>>,
    /// How it is shown.
    pub form: PreviewForm,
    /// How long a budget keeps it: `None` is required.
    pub priority: Option<i32>,
    /// Tokens of its own text, without subsections, as it is shown; 0 where it is not.
    pub tokens: usize,
    /// Tokens that would be added if it, and all that is inside it, were shown in full; `None` where nothing is to be
    /// opened.
    pub opening: Option<usize>,
    /// Why a budget left it out or reduced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Its bytes in the text, heading or tag included; `None` where it is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range<usize>>,
    /// The role of the message that it becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// A cache point after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CachePoint>,
    /// Whether it says that it changes from call to call.
    pub volatile: bool,
    /// Its text in full, where it is not shown so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_full: Option<PreviewText>,
    /// Its short form, where it is shown in full and has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_short: Option<PreviewText>,
}

/// How a section is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PreviewForm {
    /// In full.
    Full,
    /// As its summary.
    Summary,
    /// It was opened, and its text was sent in the result of the call
    /// ([`Delivery::Append`](crate::disclosure::Delivery::Append)).
    Appended,
    /// A budget left it out.
    Dropped,
    /// It stands inside a summary, or beside the focus.
    NotShown,
}

impl Preview {
    /// The tree as text; `Display` prints the same.
    pub fn as_str(&self) -> &str {
        &self.tree
    }

    /// The dotted path of a row.
    pub fn path(&self, row: usize) -> String {
        if row >= self.rows.len() {
            return String::new();
        }
        path_of(row, |row| (self.rows[row].parent, &self.rows[row].key))
    }

    /// The share of the text, in percent.
    pub fn share(&self, tokens: usize) -> usize {
        percent(tokens, self.of_text).unwrap_or_default()
    }

    /// The same, where these rows say what was sent in the results of calls.
    pub(crate) fn appended(mut self, rows: &Table) -> Self {
        // Whether what is in a row was sent with it.
        let mut sent: Vec<bool> = Vec::with_capacity(self.rows.len());
        for (row, known) in self.rows.iter_mut().zip(&rows.rows) {
            let is_sent = known.is_delivered || row.parent.is_some_and(|parent| sent[parent]);
            sent.push(is_sent && known.form == Form::Full);
            if is_sent {
                row.form = match known.form {
                    Form::Full => PreviewForm::Appended,
                    Form::Summary => PreviewForm::Summary,
                    Form::Gone => PreviewForm::NotShown,
                };
                (row.opening, row.reason) = (None, None);
            }
        }
        self.tree = self.print();
        self
    }

    /// The tree as text, which is kept in it.
    pub(crate) fn print(&self) -> String {
        let mut lines = vec![(self.name.clone(), format!("{} tokens", self.tokens))];
        let own = self.own.map(|own| self.cost(own));
        lines.extend(own.map(|cost| ("  (own text)".to_owned(), cost)));
        lines.extend(self.rows.iter().map(|row| self.line(row)));
        let widths = lines.iter().map(|(name, _)| name.chars().count());
        let column = widths.filter(|width| *width <= WIDEST).max();
        let column = column.unwrap_or_default();
        let lines = lines.into_iter();
        let mut lines: Vec<String> = lines
            .map(|(name, facts)| format!("{name:column$}  {facts}"))
            .collect();
        if !self.tools.is_empty() {
            let names: Vec<&str> = self.tools.iter().map(|(tool, _)| tool.name()).collect();
            lines.push(format!("tools: {}", names.join(", ")));
        }
        lines.join("\n")
    }

    /// What stands on the left, and the facts beside it.
    fn line(&self, row: &PreviewRow) -> (String, String) {
        let indent = "  ".repeat(row.depth.min(DEEPEST));
        let level = match row.depth {
            0..=DEEPEST => String::new(),
            deeper => format!("(level {deeper}) "),
        };
        let title = on_one_line(&row.title);
        let name = format!("{indent}{level}{} \"{title}\"", row.key);
        let priority = match row.priority {
            Some(priority) => format!("priority {priority}"),
            None => "required".to_owned(),
        };
        let opening = row.opening.map(|tokens| format!("  opening adds {tokens}"));
        let opening = opening.unwrap_or_default();
        let reason = row.reason.map(|reason| format!(" ({reason})"));
        let reason = reason.unwrap_or_default();
        let cost = self.cost(row.tokens);
        let facts = match row.form {
            PreviewForm::Full => format!("full  {priority}  {cost}"),
            PreviewForm::Summary => format!("summary{reason}  {priority}  {cost}{opening}"),
            PreviewForm::Appended => format!("appended  {priority}  {cost}"),
            PreviewForm::Dropped => format!("dropped{reason}  {priority}{opening}"),
            PreviewForm::NotShown => "not shown".to_owned(),
        };
        (name, facts)
    }

    fn cost(&self, tokens: usize) -> String {
        format!("{tokens} tokens, {} %", self.share(tokens))
    }
}

/// A part of the whole in percent, rounded; `None` of nothing.
fn percent(part: usize, whole: usize) -> Option<usize> {
    let part = part.saturating_mul(100).saturating_add(whole / 2);
    part.checked_div(whole)
}

impl PreviewForm {
    /// What a budget made of a section that is not in the text.
    pub(crate) fn absent(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Dropped) => Self::Dropped,
            _ => Self::NotShown,
        }
    }
}

/// Deeper sections are not moved further to the right, so that a deep tree prints in linear space.
const DEEPEST: usize = 24;

/// Characters after which a title is cut, and columns up to which facts stand one below the other.
const WIDEST: usize = 72;

/// A title as it is, but for its line breaks and its length.
fn on_one_line(title: &str) -> String {
    let mut out = String::new();
    for c in title.chars().take(WIDEST) {
        match c {
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    if title.chars().nth(WIDEST).is_some() {
        out.push('…');
    }
    out
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tree)
    }
}

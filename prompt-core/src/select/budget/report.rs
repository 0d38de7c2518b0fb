//! What a budget did.

use crate::document::SectionId;
use serde::Serialize;
use std::fmt;

/// What a budget kept, reduced and dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetReport {
    /// Tokens there were, after the reserve.
    pub limit: usize,
    /// Tokens that are used: the sum of the next three.
    pub used: usize,
    /// Tokens of the text. Under [`Budget::request`](crate::Budget::request) message by message, without the blank
    /// lines between them.
    pub text: usize,
    /// Tokens of the histories spliced in; 0 where only the text was bounded.
    pub messages: usize,
    /// Tokens of the tools' JSON; 0 where only the text was bounded.
    pub tools: usize,
    /// The lowest priority that was kept in full; `None` if only required sections were. With [`Policy::Prefix`] and
    /// [`Policy::Greedy`] the lowest of which something was kept.
    ///
    /// [`Policy::Prefix`]: super::Policy::Prefix
    /// [`Policy::Greedy`]: super::Policy::Greedy
    pub cutoff: Option<i32>,
    /// Every section that would be shown without a budget, in document order.
    pub sections: Vec<BudgetedSection>,
    /// Their rows, in order.
    #[serde(skip)]
    pub(super) rows: Vec<SectionId>,
}

/// A section and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetedSection {
    /// Dotted path.
    pub path: String,
    /// Effective priority; `None` is required.
    pub priority: Option<i32>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
    /// Tokens of its own text with the blank lines before it, without subsections: of the summary where it was reduced,
    /// otherwise of the form that it would have without a budget. Under [`Budget::request`](crate::Budget::request)
    /// with its history and its tools.
    pub tokens: usize,
}

/// What became of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// Forms as it would be without a budget.
    Kept,
    /// Reduced to its summary.
    Summarised,
    /// Left out.
    Dropped,
}

/// Why it became that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// It is required.
    Required,
    /// A caller, or the model, opened it, or a section around or in it.
    Opened,
    /// It fits.
    Fits,
    /// There is no room for it: what is more important takes it.
    Priority,
    /// There would be room for it, but not for all of its priority and above: a level goes as a whole (but for the items of
    /// lists that have summaries, which go one by one), and what is less important goes before it ([`Policy::Cutoff`](super::Policy::Cutoff), [`Policy::Prefix`](super::Policy::Prefix)).
    Level,
    /// A section around it was reduced to its summary, which speaks for it.
    Covered,
    /// A section around it was left out.
    Parent,
    /// It has no text of its own, and nothing in it is shown.
    Emptied,
}

impl BudgetReport {
    /// The paths of the sections with this outcome, in document order.
    pub fn paths(&self, outcome: Outcome) -> impl Iterator<Item = &str> {
        self.sections
            .iter()
            .filter(move |section| section.outcome == outcome)
            .map(|section| section.path.as_str())
    }

    /// What became of the section at a row.
    pub(crate) fn of(&self, row: SectionId) -> Option<&BudgetedSection> {
        let index = self.rows.binary_search(&row).ok()?;
        self.sections.get(index)
    }

    /// Tokens of the section at a row.
    pub(crate) fn tokens_of(&self, row: SectionId) -> Option<usize> {
        self.of(row).map(|section| section.tokens)
    }
}

impl fmt::Display for BudgetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} tokens", self.used, self.limit)?;
        if self.text != self.used {
            let Self {
                text,
                messages,
                tools,
                ..
            } = self;
            write!(f, " (text {text}, messages {messages}, tools {tools})")?;
        }
        for section in &self.sections {
            let priority = section
                .priority
                .map_or_else(|| "required".to_owned(), |priority| priority.to_string());
            let (outcome, reason) = (section.outcome, section.reason);
            write!(
                f,
                "\n{} ({priority}, {} tokens): {outcome}, {reason}",
                section.path, section.tokens
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "kept",
            Self::Summarised => "summarised",
            Self::Dropped => "dropped",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Required => "required",
            Self::Opened => "opened",
            Self::Fits => "fits",
            Self::Priority => "no room for its priority",
            Self::Level => "not all of its priority and above fits",
            Self::Covered => "covered by the summary around it",
            Self::Parent => "gone with its parent",
            Self::Emptied => "nothing in it is shown",
        })
    }
}

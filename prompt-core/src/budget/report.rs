//! What a budget did.

use serde::Serialize;
use std::fmt;

/// What a budget kept, reduced and dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetReport {
    /// Tokens there were, after the reserve.
    pub limit: usize,
    /// Tokens of the text.
    pub used: usize,
    /// The lowest priority that was kept in full; `None` if only required sections were.
    pub cutoff: Option<i32>,
    /// Every section in document order.
    pub sections: Vec<BudgetedSection>,
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
    /// Tokens of its own text, without subsections: of the full form, or of the summary where it was reduced.
    pub tokens: usize,
}

/// What became of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Shown as it would be without a budget.
    Kept,
    /// Reduced to its summary.
    Summarised,
    /// Left out.
    Dropped,
}

/// Why it became that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is required.
    Required,
    /// An override opened it.
    Opened,
    /// It fits.
    Fits,
    /// Its priority is below the cutoff, or it came too late in a split level.
    Priority,
    /// A section around it was reduced or left out.
    Parent,
}

impl BudgetReport {
    /// The paths of the sections with this outcome, in document order.
    pub fn paths(&self, outcome: Outcome) -> impl Iterator<Item = &str> {
        self.sections
            .iter()
            .filter(move |section| section.outcome == outcome)
            .map(|section| section.path.as_str())
    }

    pub(crate) fn section(&self, path: &str) -> Option<&BudgetedSection> {
        self.sections.iter().find(|section| section.path == path)
    }
}

impl fmt::Display for BudgetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} tokens", self.used, self.limit)?;
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
            Self::Opened => "opened by an override",
            Self::Fits => "fits",
            Self::Priority => "below the cutoff",
            Self::Parent => "gone with its parent",
        })
    }
}

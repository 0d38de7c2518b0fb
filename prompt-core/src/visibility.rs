//! Visibility: whether a section is shown in full or as its summary, and the overrides of a caller.

use serde::{Deserialize, Serialize};

/// How a section is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Introduction, child, subsections, own tools.
    #[default]
    Full,
    /// Heading and summary.
    Summary,
}

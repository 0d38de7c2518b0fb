//! What a budget decided for each section, in the order in which the walk meets them.

/// What happens to a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Keep,
    Summarise,
    Drop,
}

/// Decisions by ordinal. A section that is not kept takes its subsections along: their decisions are never asked.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) actions: Vec<Action>,
    /// One past the last ordinal below each section.
    pub(crate) ends: Vec<usize>,
}

impl Plan {
    pub(crate) fn action(&self, ordinal: usize) -> Action {
        self.actions.get(ordinal).copied().unwrap_or(Action::Keep)
    }

    pub(crate) fn end(&self, ordinal: usize) -> usize {
        self.ends.get(ordinal).copied().unwrap_or(ordinal + 1)
    }
}

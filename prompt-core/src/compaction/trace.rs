//! Telemetry of compaction, if the feature `tracing` is on.

use super::{Compacted, CompactionReport};

/// Tells that a view was made anew: on every [`Compactor::compact`](super::Compactor::compact), and when the frontier
/// of a [`History`](super::History) moved. Tokens are not counted for it.
#[cfg(feature = "tracing")]
pub(super) fn compacted<M>(view: &Compacted<'_, M>) {
    tracing::debug!(
        target: "prompt_core::compaction",
        messages_before = view.log().len(),
        messages_after = view.len(),
        frontier = view.frontier(),
        recaps_missing = view.shape().recaps_missing.len(),
        "history compacted"
    );
}

/// Tells what a report says; as a warning, if the log has faults.
#[cfg(feature = "tracing")]
pub(super) fn reported(report: &CompactionReport) {
    tracing::info!(
        target: "prompt_core::compaction",
        messages_before = report.messages_before,
        messages_after = report.messages_after,
        tokens_before = report.tokens_before,
        tokens_after = report.tokens_after,
        ratio = report.ratio(),
        frontier = report.frontier,
        recaps_missing = report.recaps_missing.len(),
        findings = report.findings.len(),
        "compaction report"
    );
    for finding in &report.findings {
        tracing::warn!(target: "prompt_core::compaction", code = finding.code(), message = finding.message(), "{finding}");
    }
}

#[cfg(not(feature = "tracing"))]
pub(super) fn compacted<M>(_: &Compacted<'_, M>) {}

#[cfg(not(feature = "tracing"))]
pub(super) fn reported(_: &CompactionReport) {}

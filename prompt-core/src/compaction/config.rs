//! When and how history is compacted: in code, by serde, from the environment; and what can be wrong with it.

use super::{ClearToolResults, Extractor};
use prompt_syntax::Code;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use thiserror::Error;

/// When and how history is compacted. Built in code, by serde (missing keys keep their defaults, unknown keys are
/// errors), or from the environment; always checked.
///
/// | key | default | |
/// |---|---|---|
/// | `enabled` | `true` | `false`: the view is the log, but for refused tries |
/// | `min_preserved` | 3 | answers that always stay in full; 0 preserves none |
/// | `batch_size` | 4 | answers compacted at once, at least 1 |
/// | `recap_form` | `exchange` | `exchange` or `assistant` |
/// | `extractor` | `recap_line` | `{"marker": ".."}`, `{"first_lines": 2}`, `{"field": "/pointer"}`, `"whole_answer"` |
/// | `trigger` | `answers` | `{"tokens": {"high": 60000, "low": 30000}}` |
/// | `clear_tool_results` | none | [`ClearToolResults`], with the trigger `tokens`: `{"keep": 3}` |
///
/// ```
/// use prompt_core::compaction::CompactionConfig;
/// use prompt_core::compaction::RecapForm;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let in_code = CompactionConfig::builder().batch_size(8).recap_form(RecapForm::Assistant).build()?;
/// let stored: CompactionConfig = serde_json::from_str(r#"{"batch_size": 8, "recap_form": "assistant"}"#)?;
/// assert_eq!(in_code, stored);
/// assert!(CompactionConfig::builder().batch_size(0).build().is_err());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CompactionConfigBuilder")]
pub struct CompactionConfig(Settings);

/// The settings, checked or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "settings of compaction")]
struct Settings {
    enabled: bool,
    min_preserved: usize,
    batch_size: usize,
    recap_form: RecapForm,
    extractor: Extractor,
    trigger: Trigger,
    #[serde(skip_serializing_if = "Option::is_none")]
    clear_tool_results: Option<ClearToolResults>,
}

/// Where the recaps are in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecapForm {
    /// One user message, [`RECAP_STUB`](super::RECAP_STUB), and one assistant message after the system part. The
    /// assistant message has one text block per batch and only grows at its end. Roles alternate, the first is user.
    #[default]
    #[serde(alias = "Exchange")]
    Exchange,
    /// One assistant message per recap, in the place of its answer. For models that take assistant messages in a row.
    #[serde(alias = "Assistant")]
    Assistant,
}

/// When the frontier moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Trigger {
    /// When `min_preserved + batch_size` answers are after it: it moves past `batch_size` of them.
    #[default]
    #[serde(alias = "Answers")]
    Answers,
    /// When the view exceeds `high` tokens: it moves exchange by exchange until the view is below `low`, or only
    /// `min_preserved` answers are left. The exchanges of one move are one batch; `batch_size` is not used.
    #[serde(alias = "Tokens")]
    Tokens {
        /// Tokens above which the frontier moves.
        high: usize,
        /// Tokens below which it stops; less than `high`, so that the next move is a while away.
        low: usize,
    },
}

/// Collects the settings of a [`CompactionConfig`]; [`build`](Self::build) checks them.
#[derive(Clone, Debug, Default, Deserialize)]
#[must_use]
pub struct CompactionConfigBuilder(Settings);

impl CompactionConfig {
    /// A builder with the defaults.
    pub fn builder() -> CompactionConfigBuilder {
        CompactionConfigBuilder::default()
    }

    /// A configuration that changes nothing.
    pub fn disabled() -> Self {
        Self(CompactionConfigBuilder::default().enabled(false).0)
    }

    /// The defaults for a conversation whose model was not asked for recaps: its answers stay whole.
    pub fn without_recaps() -> Self {
        let builder = CompactionConfigBuilder::default();
        Self(builder.extractor(Extractor::WholeAnswer).0)
    }

    /// Whether anything is compacted.
    pub fn enabled(&self) -> bool {
        self.0.enabled
    }

    /// Answers that always stay in full.
    pub fn min_preserved(&self) -> usize {
        self.0.min_preserved
    }

    /// Answers compacted at once.
    pub fn batch_size(&self) -> usize {
        self.0.batch_size
    }

    /// Where the recaps are in the view.
    pub fn recap_form(&self) -> RecapForm {
        self.0.recap_form
    }

    /// Where recaps are found.
    pub fn extractor(&self) -> &Extractor {
        &self.0.extractor
    }

    /// When the frontier moves.
    pub fn trigger(&self) -> Trigger {
        self.0.trigger
    }

    /// Which results of tools are cleared behind the frontier; none without a rule.
    pub fn clear_tool_results(&self) -> Option<&ClearToolResults> {
        self.0.clear_tool_results.as_ref()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            min_preserved: 3,
            batch_size: 4,
            recap_form: RecapForm::default(),
            extractor: Extractor::default(),
            trigger: Trigger::default(),
            clear_tool_results: None,
        }
    }
}

impl From<CompactionConfig> for CompactionConfigBuilder {
    /// A builder with the settings of `config`, to change some of them.
    fn from(config: CompactionConfig) -> Self {
        Self(config.0)
    }
}

impl TryFrom<CompactionConfigBuilder> for CompactionConfig {
    type Error = CompactionError;

    fn try_from(builder: CompactionConfigBuilder) -> Result<Self, Self::Error> {
        builder.build()
    }
}

impl CompactionConfigBuilder {
    /// Whether anything is compacted.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.0.enabled = enabled;
        self
    }

    /// Answers that always stay in full; 0 preserves none.
    pub fn min_preserved(mut self, answers: usize) -> Self {
        self.0.min_preserved = answers;
        self
    }

    /// Answers compacted at once, at least 1. Small batches keep the view short, large ones keep the cache warm;
    /// the example `long_chat` computes which pays.
    pub fn batch_size(mut self, answers: usize) -> Self {
        self.0.batch_size = answers;
        self
    }

    /// Where the recaps are in the view.
    pub fn recap_form(mut self, form: RecapForm) -> Self {
        self.0.recap_form = form;
        self
    }

    /// Where recaps are found.
    pub fn extractor(mut self, extractor: Extractor) -> Self {
        self.0.extractor = extractor;
        self
    }

    /// When the frontier moves.
    pub fn trigger(mut self, trigger: Trigger) -> Self {
        self.0.trigger = trigger;
        self
    }

    /// Clears results of tools behind the frontier where the view exceeds the mark of [`Trigger::Tokens`] all the same.
    pub fn clear_tool_results(mut self, rule: ClearToolResults) -> Self {
        self.0.clear_tool_results = Some(rule);
        self
    }

    /// The checked configuration.
    ///
    /// # Errors
    /// A batch size of 0, watermarks out of order, a blank marker, 0 first lines, a field that is no JSON pointer, a rule for
    /// results of tools without a mark.
    pub fn build(self) -> Result<CompactionConfig, CompactionError> {
        if self.0.batch_size == 0 {
            return Err(CompactionError::ZeroBatchSize);
        }
        if self.0.clear_tool_results.is_some() && self.0.trigger == Trigger::Answers {
            return Err(CompactionError::ClearingWithoutMark);
        }
        match (self.0.trigger, &self.0.extractor) {
            // Without a gap between the marks every message would move the frontier, and every move breaks the cached prefix.
            (Trigger::Tokens { high, low }, _) if low >= high => {
                Err(CompactionError::Watermarks { high, low })
            }
            // Lines are compared after trimming: a marker that starts with a blank is never found, an empty one always.
            (_, Extractor::Marker(marker))
                if marker.is_empty() || marker.trim_start() != marker =>
            {
                Err(CompactionError::Marker(marker.clone()))
            }
            (_, Extractor::FirstLines(0)) => Err(CompactionError::ZeroLines),
            (_, Extractor::Field(pointer)) if !pointer.starts_with('/') => {
                Err(CompactionError::Pointer(pointer.clone()))
            }
            _ => Ok(CompactionConfig(self.0)),
        }
    }
}

// ---- the environment

/// The variables, and what is expected of their values.
const ENABLED: [&str; 2] = ["LLM_COMPACTION_ENABLED", "true, false, 1, 0, yes or no"];
const MIN_PRESERVED: [&str; 2] = [
    "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES",
    "a whole number",
];
const BATCH_SIZE: [&str; 2] = ["LLM_COMPACTION_BATCH_SIZE", "a whole number of at least 1"];

impl CompactionConfig {
    /// The defaults, with what the environment sets: `LLM_COMPACTION_ENABLED` (true, false, 1, 0, yes or no in any
    /// case), `LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES` and `LLM_COMPACTION_BATCH_SIZE` (whole numbers).
    ///
    /// # Errors
    /// [`CompactionError::Variable`] for a variable that is set to anything else, also to nothing.
    pub fn from_env() -> Result<Self, CompactionError> {
        Self::builder()
            .variables(|name| std::env::var_os(name))?
            .build()
    }
}

impl CompactionConfigBuilder {
    /// Takes over what `lookup` gives for the names of the variables, from whatever source.
    ///
    /// ```
    /// use prompt_core::compaction::CompactionConfig;
    /// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
    /// let config = CompactionConfig::builder()
    ///     .variables(|name| (name == "LLM_COMPACTION_BATCH_SIZE").then(|| "8".into()))?
    ///     .build()?;
    /// assert_eq!(config.batch_size(), 8);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`CompactionError::Variable`] for a variable that cannot be read.
    pub fn variables(
        mut self,
        lookup: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, CompactionError> {
        let settings = &mut self.0;
        let positive = |value: &str| count(value).filter(|number| *number > 0);
        read(&ENABLED, &lookup, switch, &mut settings.enabled)?;
        read(&MIN_PRESERVED, &lookup, count, &mut settings.min_preserved)?;
        read(&BATCH_SIZE, &lookup, positive, &mut settings.batch_size)?;
        Ok(self)
    }
}

/// Reads a variable into a setting, if it is set.
fn read<T>(
    [name, expected]: &[&'static str; 2],
    lookup: impl Fn(&str) -> Option<OsString>,
    parse: impl Fn(&str) -> Option<T>,
    setting: &mut T,
) -> Result<(), CompactionError> {
    if let Some(value) = lookup(name) {
        let parsed = value.to_str().and_then(parse);
        *setting = parsed.ok_or_else(|| CompactionError::Variable {
            name,
            value: value.to_string_lossy().into_owned(),
            expected,
        })?;
    }
    Ok(())
}

fn switch(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

fn count(value: &str) -> Option<usize> {
    value.parse().ok()
}

// ---- errors

/// Why a configuration was refused. Compacting itself cannot fail.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompactionError {
    /// `batch_size` is 0: batches of nothing never end.
    #[error("`batch_size` is 0; use at least 1, or `enabled = false` to switch off")]
    ZeroBatchSize,
    /// `trigger`: `low` is not below `high`, so the frontier would move at every message.
    #[error("`trigger`: `low` ({low} tokens) must be below `high` ({high} tokens)")]
    Watermarks {
        /// Tokens above which the frontier moves.
        high: usize,
        /// Tokens below which it stops.
        low: usize,
    },
    /// `extractor`: the marker is blank or starts with a blank, so that every trimmed line, or none, would carry it.
    #[error("`extractor`: the marker {0:?} must not be empty nor start with a blank")]
    Marker(String),
    /// `extractor`: the first 0 lines are no recap.
    #[error("`extractor`: `first_lines` is 0; use at least 1")]
    ZeroLines,
    /// `extractor`: the field is no JSON pointer to a part of an answer.
    #[error("`extractor`: the field {0:?} is no JSON pointer; write it as `/hypothesis`")]
    Pointer(String),
    /// `clear_tool_results`: results are cleared where the view exceeds a number of tokens, and `trigger` names none.
    #[error(
        "`clear_tool_results` needs `trigger` to be `Tokens`: results are cleared above its `high`"
    )]
    ClearingWithoutMark,
    /// An environment variable cannot be read.
    #[error("`{name}` is {value:?}; expected {expected}")]
    Variable {
        /// Its name.
        name: &'static str,
        /// Its value; where it is not Unicode, with replacement characters.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

impl CompactionError {
    /// A stable name of the problem.
    pub fn code(&self) -> Code {
        match self {
            Self::ZeroBatchSize => Code::ZeroBatchSize,
            Self::Watermarks { .. } => Code::WatermarksOutOfOrder,
            Self::Marker(_) => Code::RecapMarkerBlank,
            Self::ZeroLines => Code::RecapLinesZero,
            Self::Pointer(_) => Code::RecapFieldInvalid,
            Self::ClearingWithoutMark => Code::ClearingWithoutMark,
            Self::Variable { .. } => Code::UnreadableVariable,
        }
    }
}

crate::errors::debug_as_display!(CompactionError);

//! Configuration from environment variables.

use super::{CompactionConfig, CompactionConfigBuilder, CompactionError};
use std::ffi::OsString;

const ENABLED: &str = "LLM_COMPACTION_ENABLED";
const MIN_PRESERVED: &str = "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES";
const BATCH_SIZE: &str = "LLM_COMPACTION_BATCH_SIZE";

const SWITCH: &str = "true, false, 1, 0, yes or no";
const COUNT: &str = "a whole number";
const POSITIVE: &str = "a whole number of at least 1";

impl CompactionConfig {
    /// The defaults, with what the environment sets: `LLM_COMPACTION_ENABLED` (true, false, 1, 0, yes or no in any
    /// case), `LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES` and `LLM_COMPACTION_BATCH_SIZE` (whole numbers).
    ///
    /// # Errors
    /// [`CompactionError::Variable`] for a variable that is set to anything else, also to nothing.
    pub fn from_env() -> Result<Self, CompactionError> {
        Self::builder().env()?.build()
    }
}

impl CompactionConfigBuilder {
    /// Takes over what the environment sets: see [`CompactionConfig::from_env`].
    ///
    /// # Errors
    /// [`CompactionError::Variable`] for a variable that cannot be read.
    pub fn env(self) -> Result<Self, CompactionError> {
        self.variables(|name| std::env::var_os(name))
    }

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
        if let Some(enabled) = read(ENABLED, SWITCH, &lookup, switch)? {
            self = self.enabled(enabled);
        }
        if let Some(answers) = read(MIN_PRESERVED, COUNT, &lookup, |value| value.parse().ok())? {
            self = self.min_preserved(answers);
        }
        if let Some(answers) = read(BATCH_SIZE, POSITIVE, &lookup, positive)? {
            self = self.batch_size(answers);
        }
        Ok(self)
    }
}

fn read<T>(
    name: &'static str,
    expected: &'static str,
    lookup: impl Fn(&str) -> Option<OsString>,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, CompactionError> {
    let Some(value) = lookup(name) else {
        return Ok(None);
    };
    let unreadable = || CompactionError::Variable {
        name,
        value: value.to_string_lossy().into_owned(),
        expected,
    };
    value
        .to_str()
        .and_then(parse)
        .map(Some)
        .ok_or_else(unreadable)
}

fn switch(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

fn positive(value: &str) -> Option<usize> {
    value.parse().ok().filter(|&number| number > 0)
}

//! What the interface of a call can do.

use serde::{Deserialize, Serialize};

/// What an interface can do, as far as an assembly cares. Missing keys take their default.
///
/// ```
/// use prompt_core::assembly::Capabilities;
/// let plain = Capabilities::default().with_system_prompt(false);
/// assert!(!plain.system_prompt && !plain.structured_output);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Capabilities {
    /// Whether it takes a system message; `true` by default. Without, the system text opens the user message.
    pub system_prompt: bool,
    /// Whether it enforces a JSON schema by itself; `false` by default. Does not change an assembly: it is there for
    /// the program that picks the factories.
    pub structured_output: bool,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            system_prompt: true,
            structured_output: false,
        }
    }
}

impl Capabilities {
    /// The same with or without a system message.
    #[must_use]
    pub const fn with_system_prompt(mut self, supported: bool) -> Self {
        self.system_prompt = supported;
        self
    }

    /// The same with or without enforced JSON schemas.
    #[must_use]
    pub const fn with_structured_output(mut self, supported: bool) -> Self {
        self.structured_output = supported;
        self
    }
}

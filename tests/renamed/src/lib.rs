//! Derives where `prompt_core` has another name: building this crate is the test.

use renamed_core::PromptNode;

/// You review {language} code.
///
/// - {?strict}Be strict.
#[derive(PromptNode)]
#[prompt(crate = renamed_core)]
pub struct Renamed {
    /// What it is written in.
    pub language: String,
    /// Whether rules hold.
    pub strict: bool,
    /// The rules.
    #[section(when = self.strict)]
    pub rules: Option<Rules>,
}

/// The texts of its variants.
#[derive(PromptNode)]
#[prompt(crate = ::renamed_core)]
pub enum Rules {
    /// None.
    None,
    /// At most {limit}.
    Some {
        /// How many.
        limit: u8,
    },
}

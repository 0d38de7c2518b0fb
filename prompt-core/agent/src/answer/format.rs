//! The printed form of an answer as a value of a prompt.

use prompt_core::Embedded;
use prompt_core::prompt::PromptNode;
use std::fmt;
use std::sync::Arc;

/// The form of an answer as a value of a prompt: a variable, or a section of its own. It is text, counted and previewed as
/// such.
///
/// ```
/// use prompt_core::PromptNode;
/// use prompt_agent::answer::{Answer, AnswerFormat};
///
/// /// You give out berths. Answer in this form:
/// ///
/// /// {form}
/// #[derive(PromptNode)]
/// struct Desk {
///     form: AnswerFormat,
/// }
///
/// let desk = Desk { form: Answer::<Vec<u32>>::new().format() };
/// assert!(desk.prompt().text()?.ends_with("\n\ninteger[]"));
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnswerFormat(pub(super) Arc<str>);

impl AnswerFormat {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for AnswerFormat {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AnswerFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl PromptNode for AnswerFormat {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::text(self.as_str())
    }
}

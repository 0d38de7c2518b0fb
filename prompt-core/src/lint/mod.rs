//! Advice on a whole prompt: what renders, but reads worse, costs more or goes earlier than its author may think.

mod rules;

use crate::render::Prompt;
use prompt_syntax::Code;
use serde::{Serialize, Serializer};
use std::fmt;

/// A piece of advice about a prompt.
///
/// `Display` gives path, message, code and help in the form of all diagnostics; serde gives the four fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// The stable name of the rule.
    #[serde(serialize_with = "spelling")]
    pub code: Code,
    /// Section path; empty for the root.
    pub path: String,
    /// The fact.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}

impl Prompt<'_> {
    /// Advice on this prompt, in the order of its sections. An empty list is a clean prompt.
    ///
    /// The whole tree is looked at, with every summary opened and without budget and focus, in the [`Style`] that is set:
    ///
    /// - names and nesting of the tags it prints: `naming`, `generic_name`, `long_name`, `over_nesting`;
    /// - `mixed_style`: Markdown headings inside tags, in [`Style::Xml`], where the headings of a node's own text become
    ///   tags but those of a value stay what they are;
    /// - `priority_inversion`: a section that asks to be kept longer than the one around it;
    /// - `volatile_before_cache`: a section that changes from call to call, in front of a cache point;
    /// - `skipped_level` and `heading_above_top`: headings of texts and Markdown values. A derived type breaks these only
    ///   where it was told to with `allow(..)`.
    ///
    /// Each name of a tag is reported once, and so is nesting. A prompt that cannot be rendered is reported with the code
    /// and the words of its [`PromptError`](crate::error::PromptError).
    ///
    /// ```
    /// use prompt_core::Code;
    /// use prompt_core::DynamicNode;
    /// use prompt_core::PromptNode;
    /// use prompt_core::Style;
    ///
    /// let node = DynamicNode::builder("agent")
    ///     .section(DynamicNode::builder("rules").tag("CriticalRules").body("Ask first."))
    ///     .build()?;
    /// let lints = node.prompt().style(Style::Xml).lint();
    /// assert_eq!((lints[0].code, lints[0].path.as_str()), (Code::Naming, "rules"));
    /// assert_eq!(lints[0].help, "write `critical_rules`");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    ///
    /// [`Style`]: crate::render::Style
    /// [`Style::Xml`]: crate::render::Style::Xml
    pub fn lint(&self) -> Vec<Lint> {
        rules::lint(self)
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "section `{}`: ", self.path)?;
        }
        write!(f, "{} [{}]", self.message, self.code)?;
        if self.help.is_empty() {
            Ok(())
        } else {
            write!(f, "\n  help: {}", self.help)
        }
    }
}

// serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn spelling<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

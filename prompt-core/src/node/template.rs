//! A prompt text that is given at run time: the grammar of derived prompts, with names that are not known beforehand.

use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::NodeInfo;
use crate::node::elements::{self, Elements};
use prompt_syntax::{
    Context,
    lower::{Numbers, ValueFacts},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// A prompt text that was read at run time. In serde it is its text.
///
/// Every identifier in braces is a variable: `{name}`, `{name.field}`, `{name:>8.2}`; format specs may give fill,
/// align, width and precision. In code, and after `$`, only the names that the text uses elsewhere are variables; any
/// other brace is text.
///
/// ```
/// use prompt_core::Template;
///
/// let template = Template::parse("Compare {left} with {right.title}.\n\nReply like {\"winner\": \"left\"}.")?;
/// assert_eq!(template.names(), ["left", "right"]);
///
/// let faults = Template::parse("Take { left } and {left:?}.").unwrap_err();
/// let codes: Vec<_> = faults.iter().map(|fault| fault.code.as_str()).collect();
/// assert_eq!(codes, ["spaced_variable", "unsupported_spec"]);
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    source: String,
    info: NodeInfo,
    lints: Diagnostics,
}

impl Template {
    /// Reads a text.
    ///
    /// # Errors
    /// Every fault of the text at once, with line and column. Rules about headings that `allow` switches off in a
    /// derive (`skipped_level`, `heading_above_top`, `setext_heading`) are [lints](Self::lints) instead.
    pub fn parse(source: &str) -> Result<Self, Diagnostics> {
        Self::from_source(source.to_owned())
    }

    fn from_source(source: String) -> Result<Self, Diagnostics> {
        let reading = elements::read(&source)?;
        let mut numbers = Numbers::default();
        let text = numbers.tables.text(reading.elements, &Context::default());
        if let Some(problem) = numbers.tables.problem() {
            return Err(Diagnostics::from(Diagnostic::of_text(problem, "", "")));
        }
        let mut info = NodeInfo {
            text,
            ..NodeInfo::DEFAULT
        };
        numbers.describe(&mut info, |_| ValueFacts::default());
        Ok(Self {
            source,
            info,
            lints: reading.lints,
        })
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// The names of its variables, in order of first use, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let names = self
            .info
            .variables
            .iter()
            .filter_map(|variable| variable.source.split(['.', ':']).next());
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// What its conditions ask, names and paths in order of first use, each once. A name without a value is a condition
    /// that does not hold.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.info
            .conditions
            .iter()
            .map(|condition| condition.source.as_ref())
    }

    /// Its elements.
    pub fn elements(&self) -> Elements {
        self.info.text.elements.iter().cloned().collect()
    }

    /// What looks like a slip, but may be meant: rules about headings.
    pub fn lints(&self) -> &Diagnostics {
        &self.lints
    }
}

impl PartialEq for Template {
    /// Equal texts.
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Template {}

impl FromStr for Template {
    type Err = Diagnostics;

    fn from_str(source: &str) -> Result<Self, Diagnostics> {
        Self::parse(source)
    }
}

impl TryFrom<String> for Template {
    type Error = Diagnostics;

    fn try_from(source: String) -> Result<Self, Diagnostics> {
        Self::from_source(source)
    }
}

impl TryFrom<&str> for Template {
    type Error = Diagnostics;

    fn try_from(source: &str) -> Result<Self, Diagnostics> {
        Self::parse(source)
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.source
    }
}

impl AsRef<str> for Template {
    fn as_ref(&self) -> &str {
        &self.source
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

//! A rendered prompt: text, section table, tools, messages. It owns everything it shows.

use crate::budget;
use crate::budget::BudgetReport;
use crate::disclosure::Listener;
use crate::disclosure::Openables;
use crate::error::PromptError;
use crate::node::Location;
use crate::render::Printed;
use crate::render::Prompt;
use crate::render::record::Record;
use crate::tool::ToolSpec;
use crate::visibility::Visibility;
use serde::Serialize;
use std::fmt;

/// The result of rendering.
#[derive(Clone, Debug)]
pub struct RenderedPrompt {
    pub(crate) text: String,
    pub(crate) record: Record,
    pub(crate) static_prefix: usize,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) openables: Openables,
    pub(crate) report: Option<BudgetReport>,
    pub(crate) listener: Listener<'static>,
}

/// A section of a rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RenderedSection {
    /// Dotted path.
    pub path: String,
    /// Its title, printed or not.
    pub title: String,
    /// Level of its heading, 1 to 6, or of the place where its text stands.
    pub level: u8,
    /// How it is shown.
    pub visibility: Visibility,
    /// Its bytes in the text, heading or tag included.
    pub range: std::ops::Range<usize>,
    /// Where it was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Its tokens, when a budget counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
}

impl RenderedPrompt {
    pub(crate) fn of(prompt: &Prompt<'_>) -> Result<Self, PromptError> {
        if let Some(budget) = &prompt.options.budget {
            return budget::render(prompt, budget);
        }
        let mut text = String::new();
        let mut record = Record::default();
        let printed = prompt.print(&mut text, Some(&mut record), None)?;
        Self::new(prompt, text, record, printed, None)
    }

    pub(crate) fn new(
        prompt: &Prompt<'_>,
        text: String,
        mut record: Record,
        printed: Printed,
        report: Option<BudgetReport>,
    ) -> Result<Self, PromptError> {
        let openables = Openables::of(prompt, &record)?;
        let tools = openables.tools(&mut record, prompt.options.keep_tool)?;
        let listener = Listener::default();
        Ok(Self {
            text,
            record,
            static_prefix: printed.static_prefix,
            tools,
            openables,
            report,
            listener,
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, without the rest.
    pub fn into_string(self) -> String {
        self.text
    }

    /// The sections in the order of the text, parents before children.
    pub fn sections(&self) -> Vec<RenderedSection> {
        let entries = self.record.entries.iter().enumerate();
        let section = |(index, entry): (usize, &crate::render::record::Entry)| {
            let path = self.record.path(index);
            RenderedSection {
                title: entry.title.to_string(),
                level: entry.level,
                visibility: entry.visibility,
                range: entry.start..entry.end,
                location: entry.location,
                tokens: self
                    .report
                    .as_ref()
                    .and_then(|report| report.section(&path))
                    .map(|section| section.tokens),
                path,
            }
        };
        entries.map(section).collect()
    }

    /// What the model may call: the tools of all sections shown in full, then `open_sections` if a summary is shown.
    pub fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }

    /// The first byte whose presence or content depends on a value: everything before is the same in every call.
    pub fn static_prefix(&self) -> usize {
        self.static_prefix
    }

    /// FNV-1a, 64 bits, of the text: stable across processes, machines and versions.
    /// Source: <http://www.isthe.com/chongo/tech/comp/fnv/>.
    pub fn hash(&self) -> u64 {
        self.text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// What a budget kept, reduced and dropped; `None` without a budget.
    pub fn budget_report(&self) -> Option<&BudgetReport> {
        self.report.as_ref()
    }
}

impl fmt::Display for RenderedPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for RenderedPrompt {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl From<RenderedPrompt> for String {
    fn from(prompt: RenderedPrompt) -> Self {
        prompt.text
    }
}

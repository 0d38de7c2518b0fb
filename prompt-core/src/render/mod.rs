//! Rendering: from a node and some options to a text. [`Prompt`] collects the options; `walk` prints.

mod collected;
mod content;
mod items;
pub(crate) mod plan;
pub(crate) mod record;
mod section;
mod tag;
pub(crate) mod text;
mod walk;
pub(crate) mod writer;

use crate::budget::Budget;
use crate::collected::Collected;
use crate::collected::ContextForm;
use crate::error::PromptError;
use crate::node::PromptNode;
use crate::rendered::RenderedPrompt;
use crate::tree;
use crate::visibility::Overrides;
use crate::xml;
use plan::Plan;
use record::Record;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use walk::Walk;

/// How sections are set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Headings; tags only where a section says so.
    #[default]
    Markdown,
    /// Every section is a tag.
    Xml,
}

/// Numbers before generated headings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbering {
    /// None.
    #[default]
    None,
    /// `## 1. Task`, `### 1.1. Sub`. Fixed by declaration: a hidden section leaves a gap.
    Decimal,
}

/// What happens to a heading past level 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadingOverflow {
    /// It stays at level 6.
    #[default]
    Clamp,
    /// Rendering fails with [`PromptError::HeadingLevel`].
    Error,
}

impl HeadingOverflow {
    pub(crate) fn level(self, level: i32) -> Result<usize, PromptError> {
        let wanted = usize::try_from(level).unwrap_or(1).max(1);
        match self {
            Self::Error if wanted > 6 => Err(PromptError::HeadingLevel {
                path: String::new(),
                level: wanted,
            }),
            _ => Ok(wanted.min(6)),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Options<'a> {
    pub(crate) style: Style,
    pub(crate) base_level: u8,
    pub(crate) numbering: Numbering,
    pub(crate) overrides: Option<&'a Overrides>,
    pub(crate) budget: Option<Budget<'a>>,
    pub(crate) focus: Option<String>,
    pub(crate) collected: Option<&'a Collected>,
    pub(crate) keep_tool: bool,
    pub(crate) context_form: ContextForm,
    pub(crate) overflow: HeadingOverflow,
    pub(crate) indent: usize,
    pub(crate) indent_text: bool,
    pub(crate) render_empty: bool,
}

/// A prompt that is about to be rendered: a node and how to print it.
///
/// ```
/// use prompt_core::PromptNode;
/// use prompt_core::Prompt;
///
/// assert_eq!(Prompt::new(&"Be brief.").text().unwrap(), "Be brief.");
/// ```
#[derive(Clone)]
#[must_use = "a prompt is printed by `render`, `render_into` or `to_string`"]
pub struct Prompt<'a> {
    pub(crate) root: &'a dyn PromptNode,
    pub(crate) options: Options<'a>,
}

impl<'a> Prompt<'a> {
    /// A prompt of this node, with every option at its default.
    pub fn new(root: &'a dyn PromptNode) -> Self {
        let options = Options {
            style: Style::Markdown,
            base_level: 1,
            numbering: Numbering::None,
            overrides: None,
            budget: None,
            focus: None,
            collected: None,
            keep_tool: false,
            context_form: ContextForm::Value,
            overflow: HeadingOverflow::Clamp,
            indent: 2,
            indent_text: false,
            render_empty: false,
        };
        Self { root, options }
    }

    /// Headings or tags.
    pub fn style(mut self, style: Style) -> Self {
        self.options.style = style;
        self
    }

    /// The level at which the outermost headings stand: every level grows by `level - 1`. 0 counts as 1.
    pub fn base_level(mut self, level: u8) -> Self {
        self.options.base_level = level.max(1);
        self
    }

    /// Numbers before generated headings.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.options.numbering = numbering;
        self
    }

    /// Shows sections otherwise than declared.
    pub fn overrides(mut self, overrides: &'a Overrides) -> Self {
        self.options.overrides = Some(overrides);
        self
    }

    /// Keeps the text within a number of tokens.
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.options.budget = Some(budget);
        self
    }

    /// Shows only what leads to the section at `path`, and that section.
    pub fn focus(mut self, path: impl Into<String>) -> Self {
        self.options.focus = Some(path.into());
        self
    }

    /// What `{COLLECTED_CONTEXT}` shows.
    pub fn collected(mut self, collected: &'a Collected) -> Self {
        self.options.collected = Some(collected);
        self
    }

    /// Keeps `open_sections` among the tools when no summary is shown.
    pub fn keep_tool(mut self, keep: bool) -> Self {
        self.options.keep_tool = keep;
        self
    }

    /// Whether collected texts are printed, or references to them.
    pub fn context_form(mut self, form: ContextForm) -> Self {
        self.options.context_form = form;
        self
    }

    /// What happens to a heading past level 6.
    pub fn heading_overflow(mut self, overflow: HeadingOverflow) -> Self {
        self.options.overflow = overflow;
        self
    }

    /// Columns by which a tag inside a tag is indented (default 2).
    pub fn indent(mut self, columns: usize) -> Self {
        self.options.indent = columns;
        self
    }

    /// Indents the text inside tags as well; code in it moves along.
    pub fn indent_text(mut self, indent: bool) -> Self {
        self.options.indent_text = indent;
        self
    }

    /// Prints tags without content as self-closing instead of leaving them out.
    pub fn render_empty(mut self, render: bool) -> Self {
        self.options.render_empty = render;
        self
    }

    /// Prints the prompt, with its section table, tools and messages.
    ///
    /// # Errors
    /// See [`PromptError`]; nothing is printed then.
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        RenderedPrompt::of(self)
    }

    /// Appends the text to `buffer`, which keeps what it had. Nothing is allocated for a node without sections if the
    /// buffer has room.
    ///
    /// # Errors
    /// See [`PromptError`]; the buffer is as it was then.
    pub fn render_into(&self, buffer: &mut String) -> Result<(), PromptError> {
        if self.options.budget.is_some() {
            buffer.push_str(self.render()?.as_str());
            return Ok(());
        }
        match self.print(buffer, None, None) {
            // Only the section table knows the path.
            Err(error @ PromptError::GuardViolation { .. }) => {
                Err(self.render().err().unwrap_or(error))
            }
            printed => printed.map(drop),
        }
    }

    /// Only the text.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn text(&self) -> Result<String, PromptError> {
        let mut text = String::new();
        self.render_into(&mut text)?;
        Ok(text)
    }

    /// Prints into `buffer`. On an error the buffer is as it was.
    pub(crate) fn print(
        &self,
        buffer: &mut String,
        record: Option<&mut Record>,
        plan: Option<&Plan>,
    ) -> Result<Printed, PromptError> {
        let before = buffer.len();
        let printed = self.print_and_guard(buffer, record, plan);
        if printed.is_err() {
            buffer.truncate(before);
        }
        printed
    }

    fn print_and_guard(
        &self,
        buffer: &mut String,
        mut record: Option<&mut Record>,
        plan: Option<&Plan>,
    ) -> Result<Printed, PromptError> {
        let chain = match &self.options.focus {
            Some(path) => tree::resolve(self.root, path)?.steps,
            None => Vec::new(),
        };
        let contexts = match self.options.collected {
            Some(collected) if !collected.is_empty() => {
                let focus = (!chain.is_empty()).then_some(chain.as_slice());
                tree::contexts(self.root, collected, self.options.context_form, focus)?
            }
            _ => Vec::new(),
        };
        let before = buffer.len();
        // Going through the whole tree would cost more than the chain that a focus prints.
        let census = if chain.is_empty() {
            tree::census(self.root)
        } else {
            tree::Census {
                bytes: 0,
                tags: true,
            }
        };
        buffer.reserve_exact(census.bytes);
        let mut walk = Walk::new(&self.options, buffer);
        walk.record = record.as_deref_mut();
        walk.plan = plan;
        walk.chain = &chain;
        walk.collected = &contexts;
        if census.tags || self.options.style == Style::Xml {
            walk.writer.track_values();
        }
        walk.run(self.root)?;
        if self.options.style == Style::Xml && walk.writer.len() > 0 {
            walk.writer.owe("");
            walk.writer.literal("\n");
        }
        let mut printed = Printed {
            static_prefix: walk.writer.static_prefix(),
        };
        let values = walk.writer.take_values();
        let names: Vec<&str> = walk.tags.iter().map(Cow::as_ref).collect();
        if names.is_empty() || values.is_empty() {
            return Ok(printed);
        }
        Self::guard(buffer, before, record, &values, &names, &mut printed)?;
        Ok(printed)
    }

    /// Values cannot open or close a tag of the document.
    fn guard(
        buffer: &mut String,
        before: usize,
        record: Option<&mut Record>,
        values: &[writer::ValueRange],
        names: &[&str],
        printed: &mut Printed,
    ) -> Result<(), PromptError> {
        let text = buffer.get(before..).unwrap_or_default();
        let values: Vec<_> = values
            .iter()
            .map(|value| xml::ValueRange {
                range: value.range.clone(),
                policy: xml::ValuePolicy {
                    strict: value.strict,
                    untrusted: false,
                },
            })
            .collect();
        let finished = xml::Finished {
            text,
            values: &values,
            fences: &[],
            written: names,
            opens: &[],
            closes: &[],
        };
        let edits = match xml::guard(&finished) {
            Ok(Some(edits)) => edits,
            Ok(None) => return Ok(()),
            Err(xml::Violation { offset }) => {
                let path = record
                    .and_then(|record| record.path_at(offset))
                    .unwrap_or_default();
                return Err(PromptError::GuardViolation { path, offset });
            }
        };
        let guarded = edits.apply(text);
        buffer.truncate(before);
        buffer.push_str(&guarded);
        if let Some(first) = edits.first() {
            printed.static_prefix = printed.static_prefix.min(first);
        }
        for entry in record.into_iter().flat_map(|record| &mut record.entries) {
            entry.start = edits.moved(entry.start);
            entry.end = edits.moved(entry.end);
        }
        Ok(())
    }
}

/// What is known of a printed text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printed {
    /// The first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
}

impl fmt::Debug for Prompt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("style", &self.options.style)
            .finish_non_exhaustive()
    }
}

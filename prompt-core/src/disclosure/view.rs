//! The prompt of a conversation as the model sees it, in either delivery.

use super::{
    Delivery, DisclosureState,
    openable::{Openables, ancestors, is_below},
};
use crate::error::PromptError;
use crate::node::PromptNode;
use crate::render::Options;
use crate::render::Prompt;
use crate::render::record::Record;
use crate::rendered::RenderedPrompt;
use crate::tool::ToolSpec;
use crate::visibility::Overrides;
use crate::visibility::Visibility;

/// A node, its options, and what is open.
#[derive(Clone, Copy)]
pub(crate) struct View<'v> {
    pub(crate) root: &'v dyn PromptNode,
    pub(crate) options: &'v Options<'v>,
    pub(crate) state: &'v DisclosureState,
}

impl View<'_> {
    /// What is sent to the model.
    pub(crate) fn sent(&self) -> Result<RenderedPrompt, PromptError> {
        if self.state.delivery == Delivery::Rerender {
            return self.current(&Overrides::default());
        }
        let mut sent = self.render(&self.state.overrides, true)?;
        let tools = self.all_tools(&sent)?;
        let shown = self.current(&Overrides::default())?;
        sent.tools = tools;
        sent.openables = Openables {
            shown: Some(shown.visibility()),
            list: shown.openables.list,
        };
        Ok(sent)
    }

    /// The prompt as the model knows it: with everything open that was opened, wherever that text stands, and `more`.
    pub(crate) fn current(&self, more: &Overrides) -> Result<RenderedPrompt, PromptError> {
        let mut overrides = self.state.overrides.clone();
        if self.state.delivery == Delivery::Append && self.options.budget.is_some() {
            self.keep_closed(&mut overrides)?;
        }
        overrides.merge(&self.state.opened).merge(more);
        self.render(&overrides, self.state.delivery == Delivery::Rerender)
    }

    fn render(&self, overrides: &Overrides, budgeted: bool) -> Result<RenderedPrompt, PromptError> {
        let mut options = self.options.clone();
        options.overrides = Some(overrides);
        if !budgeted {
            options.budget = None;
        }
        Prompt {
            root: self.root,
            options,
        }
        .render()
    }

    /// Closes what a budget summarised or dropped in the text that was sent: the model has not seen it.
    fn keep_closed(&self, overrides: &mut Overrides) -> Result<(), PromptError> {
        let sent = self.render(&self.state.overrides, true)?;
        let shown = sent.visibility();
        let is_closed = |path: &str| shown.get(path) == Some(&Visibility::Summary);
        for path in sent.openables.paths() {
            let dropped = !shown.contains_key(path) && !ancestors(path).any(is_closed);
            if dropped || is_closed(path) {
                overrides.close(path);
            }
        }
        Ok(())
    }

    /// The tools that are offered now or after any opening, in declaration order, and `open_sections`.
    fn all_tools(&self, sent: &RenderedPrompt) -> Result<Vec<ToolSpec>, PromptError> {
        let mut overrides = self.state.overrides.clone();
        for path in sent.openables.paths() {
            overrides.open(path);
        }
        let mut options = self.options.clone();
        options.overrides = Some(&overrides);
        options.budget = None;
        let (mut text, mut record) = (String::new(), Record::default());
        Prompt {
            root: self.root,
            options,
        }
        .print(&mut text, Some(&mut record), None)?;
        let offered = |name: &str| sent.tools.iter().any(|tool| tool.name() == name);
        let can_open = |path: &str| {
            sent.openables
                .paths()
                .any(|outer| outer == path || is_below(path, outer))
        };
        let tools = record
            .tools
            .into_iter()
            .filter(|(path, tool)| offered(tool.name()) || can_open(path));
        sent.openables.checked(tools.collect(), true)
    }
}

/// The texts of these sections, each once: one that stands in another of them is not repeated.
pub(crate) fn opened_text(prompt: &RenderedPrompt, paths: &Overrides) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let mut end = 0;
    for (index, entry) in prompt.record.entries.iter().enumerate() {
        if entry.start < end || paths.get(&prompt.record.path(index)).is_none() {
            continue;
        }
        end = entry.end;
        texts.push(
            prompt
                .text
                .get(entry.start..entry.end)
                .unwrap_or_default()
                .trim_matches('\n'),
        );
    }
    texts.join("\n\n")
}

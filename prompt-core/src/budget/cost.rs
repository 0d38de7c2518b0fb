//! What each section costs: its own text in full, and its summary form. Each fragment is counted once. Sums of these
//! only say where to begin the search: token counts are not additive.

use super::Budget;
use crate::error::PromptError;
use crate::render::Prompt;
use crate::render::record::Record;
use crate::tree;
use crate::tree::Flow;
use crate::visibility::Visibility;
use std::collections::HashMap;

/// The sections of the full rendering, by ordinal.
pub(super) struct Costs {
    pub(super) items: Vec<Item>,
    /// One past the last ordinal below each section.
    pub(super) ends: Vec<usize>,
    /// Tokens of the root's own text, about.
    pub(super) base: usize,
}

pub(super) struct Item {
    pub(super) path: String,
    /// Effective priority; `None` is required.
    pub(super) priority: Option<i32>,
    /// An override opened it, or something in it.
    pub(super) opened: bool,
    /// Tokens of its own text.
    pub(super) own: usize,
    /// Tokens of everything in it.
    pub(super) full: usize,
    /// Tokens of the summary form, where that is cheaper.
    pub(super) summary: Option<usize>,
    /// A list with items that have a cheaper summary form: it is reduced item by item.
    pub(super) reduces_items: bool,
}

impl Item {
    /// The priority that counts: what was opened is required.
    pub(super) fn level(&self) -> Option<i32> {
        if self.opened { None } else { self.priority }
    }
}

impl Costs {
    pub(super) fn of(
        prompt: &Prompt<'_>,
        budget: &Budget<'_>,
        (text, tokens): (&str, usize),
        record: &Record,
    ) -> Result<Self, PromptError> {
        let ends = ends(record);
        let mut items: Vec<Item> = Vec::with_capacity(record.entries.len());
        let (fragments, _) = record.fragments(text);
        for (index, entry) in record.entries.iter().enumerate() {
            let own = budget.count_fragment(fragments.get(index).map_or("", String::as_str));
            let path = record.path(index);
            // What leads to the focus is what the prompt is about.
            let priority = entry
                .priority
                .filter(|_| !leads_to(prompt.options.focus.as_deref(), &path));
            items.push(Item {
                path,
                priority,
                opened: false,
                own,
                full: own,
                summary: None,
                reduces_items: false,
            });
        }
        // An estimate as good as any, and one count less.
        let base = tokens.saturating_sub(items.iter().map(|item| item.own).sum());
        let mut costs = Self { items, ends, base };
        costs.add_up(record);
        costs.mark_opened(prompt, record);
        if budget.reduces() {
            costs.count_summaries(prompt, budget, text, record)?;
        }
        Ok(costs)
    }

    fn add_up(&mut self, record: &Record) {
        for (index, entry) in record.entries.iter().enumerate().rev() {
            let full = self.items.get(index).map_or(0, |item| item.full);
            if let Some(parent) = entry.parent.and_then(|parent| self.items.get_mut(parent)) {
                parent.full += full;
            }
        }
    }

    /// What an override opened is not reduced, nor is what is around it.
    fn mark_opened(&mut self, prompt: &Prompt<'_>, record: &Record) {
        let Some(overrides) = prompt.options.overrides else {
            return;
        };
        for (index, entry) in record.entries.iter().enumerate().rev() {
            let Some(item) = self.items.get_mut(index) else {
                continue;
            };
            item.opened |= overrides.get(&item.path) == Some(Visibility::Full);
            let opened = item.opened;
            if let Some(parent) = entry.parent.and_then(|parent| self.items.get_mut(parent)) {
                parent.opened |= opened;
            }
        }
    }

    fn count_summaries(
        &mut self,
        prompt: &Prompt<'_>,
        budget: &Budget<'_>,
        text: &str,
        record: &Record,
    ) -> Result<(), PromptError> {
        let wanted = |(index, entry): (usize, &crate::render::record::Entry)| {
            let item = self.items.get(index)?;
            let reducible =
                entry.has_summary && !entry.list && entry.visibility == Visibility::Full;
            (reducible && item.level().is_some()).then(|| (item.path.clone(), index))
        };
        let wanted: HashMap<String, usize> = record
            .entries
            .iter()
            .enumerate()
            .filter_map(wanted)
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        tree::visit(prompt.root, |section| {
            let Some(&index) = wanted.get(section.path) else {
                return Ok(Flow::Into);
            };
            let Some(summary) = &section.info.summary else {
                return Ok(Flow::Into);
            };
            let entry = record.entries.get(index);
            let heading = entry
                .and_then(|entry| text.get(entry.start..entry.end)?.lines().next())
                .unwrap_or_default();
            let mut form = format!("{heading}\n\n");
            tree::print(
                summary,
                section.host,
                section.item().unwrap_or(0),
                [""; 3],
                &mut form,
            )?;
            form.push_str(&crate::disclosure::suffix(
                section.path,
                &tree::present_keys(section.content),
                true,
            ));
            let tokens = budget.count_fragment(&form);
            if let Some(item) = self.items.get_mut(index)
                && tokens < item.full
            {
                item.summary = Some(tokens);
            }
            Ok(Flow::Into)
        })?;
        for (index, entry) in record.entries.iter().enumerate() {
            let reduced = self
                .items
                .get(index)
                .is_some_and(|item| item.summary.is_some());
            let list = entry.parent.filter(|parent| {
                record
                    .entries
                    .get(*parent)
                    .is_some_and(|parent| parent.list)
            });
            if let Some(list) = list.and_then(|list| self.items.get_mut(list)) {
                list.reduces_items |= reduced;
            }
        }
        Ok(())
    }
}

/// Whether the section at `path` is in focus, or around what is.
fn leads_to(focus: Option<&str>, path: &str) -> bool {
    let rest = focus.and_then(|focus| focus.strip_prefix(path));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// One past the last ordinal below each section.
fn ends(record: &Record) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..=record.entries.len()).collect();
    for (index, entry) in record.entries.iter().enumerate().rev() {
        let end = ends.get(index).copied().unwrap_or(index + 1);
        if let Some(parent) = entry.parent.and_then(|parent| ends.get_mut(parent)) {
            *parent = end.max(*parent);
        }
    }
    ends
}

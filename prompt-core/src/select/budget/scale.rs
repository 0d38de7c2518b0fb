//! Prints a tree in some forms, and counts what that takes.

use super::{Bounds, Budget, HistoryTokens, cache::Cache, sum};
use crate::document::{Section, SectionId};
use crate::errors::PromptError;
use crate::node::Form;
use crate::page::turns::own_messages;
use crate::page::{Printing, Span, fragments, pieces};
use crate::select::{Forms, Offers, Resolved, Text, View, open_tool};
use crate::tokens::{EstimatedTokens, message_tokens};

/// Prints and weighs.
pub(super) struct Scale<'s, 'a> {
    pub(super) tree: &'s Resolved<'a>,
    pub(super) shown: &'s Forms,
    pub(super) view: &'s View<'s>,
    pub(super) budget: &'s Budget<'s>,
    pub(super) with_sources: bool,
    /// Tokens of each tool of the tree; nothing where only the text counts.
    pub(super) tools: Vec<(Option<SectionId>, usize)>,
    /// Tokens of `open_sections`.
    pub(super) open_tool: usize,
    /// Tokens of each history.
    pub(super) messages: Vec<(SectionId, HistoryTokens)>,
    /// Messages of the candidates: most of them are in several.
    counted: Cache,
}

/// A text that was printed, and what it takes.
pub(super) struct Candidate<'a> {
    pub(super) page: Text<'a>,
    pub(super) forms: Vec<Form>,
    pub(super) used: Used,
}

/// What is printed beside the text of the forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    /// The short forms, apart from the text.
    Shorts,
    /// In each list how many of its items are left out.
    LeftOut,
}

/// What a candidate takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    pub(super) text: usize,
    pub(super) messages: usize,
    pub(super) tools: usize,
}

impl Used {
    pub(super) fn of_text(text: usize) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    pub(super) fn total(self) -> usize {
        sum([self.text, self.messages, self.tools])
    }
}

/// What each section of a text takes by itself, with the blank lines before it and without what is inside it.
pub(super) struct Own {
    /// By span.
    pub(super) sections: Vec<usize>,
    pub(super) root: usize,
    /// The whole text, where that is known from its parts.
    pub(super) whole: Option<usize>,
}

impl Own {
    /// Each part counted by itself.
    fn counted(
        text: &str,
        spans: &[Span],
        is_below: impl Fn(SectionId, SectionId) -> bool,
        count: impl Fn(&str) -> usize,
    ) -> Self {
        let (own, root) = fragments(spans, is_below, text);
        Self {
            sections: own.iter().map(|own| count(own)).collect(),
            root: count(&root),
            whole: None,
        }
    }

    /// An estimate goes through the text once: what it grows by on the way is what each part takes.
    pub(super) fn estimated(
        text: &str,
        spans: &[Span],
        is_below: impl Fn(SectionId, SectionId) -> bool,
    ) -> Self {
        let root = spans.len();
        let pieces = pieces(spans, is_below, text).into_iter();
        let pieces = pieces.map(|(owner, range)| (owner.unwrap_or(root), range.end));
        let (whole, mut parts) = EstimatedTokens::estimate_parts(text, pieces, root + 1);
        Self {
            root: parts.pop().unwrap_or_default(),
            sections: parts,
            whole: Some(whole),
        }
    }
}

impl<'s, 'a> Scale<'s, 'a> {
    pub(super) fn new(
        tree: &'s Resolved<'a>,
        shown: &'s Forms,
        view: &'s View<'s>,
        budget: &'s Budget<'s>,
        with_sources: bool,
    ) -> Self {
        let mut scale = Self {
            tree,
            shown,
            view,
            budget,
            with_sources,
            tools: Vec::new(),
            open_tool: 0,
            messages: Vec::new(),
            counted: Cache::default(),
        };
        if budget.bounds == Bounds::Request {
            let counter = |text: &str| budget.count_once(text);
            let count = |tool| crate::tokens::request(&[], std::slice::from_ref(tool), &counter);
            let tools = tree.tools.iter();
            scale.tools = tools.map(|(row, tool)| (*row, count(tool))).collect();
            scale.open_tool = open_tool(tree, view).as_ref().map_or(0, count);
            let history = |(id, row): (SectionId, &Section<'_>)| {
                Some((id, HistoryTokens::of(row.messages()?, &counter)))
            };
            scale.messages = tree.iter().filter_map(history).collect();
        }
        scale
    }

    /// Prints a candidate. It is not counted yet.
    pub(super) fn print(
        &self,
        forms: Vec<Form>,
        beside: Beside,
    ) -> Result<Candidate<'a>, PromptError> {
        let page = self.tree.print(Printing {
            with_shorts: beside == Beside::Shorts,
            with_left_out: beside == Beside::LeftOut,
            with_sources: self.with_sources,
            meant: Some(&self.shown.forms),
            ..self.tree.printing(&forms)
        })?;
        Ok(Candidate::of(page, forms))
    }

    /// Whether a candidate fits so surely that nobody has to count it: a text is estimated at so many tokens at most.
    pub(super) fn surely_fits(&self, candidate: &Candidate<'_>) -> bool {
        self.budget.bounds == Bounds::Text
            && self.budget.counter.is_none()
            && EstimatedTokens::most(candidate.page.text.len()) <= self.budget.available()
    }

    /// Counts everything as it would be without a budget, and its parts.
    pub(super) fn weigh_whole(&self, full: &mut Candidate<'_>) -> Own {
        let (text, spans) = (&full.page.text, &full.page.printed.spans);
        let is_below = |inner: SectionId, outer: SectionId| self.tree.is_below(inner, outer);
        let own = match self.budget.counter {
            Some(_) => Own::counted(text, spans, is_below, |text| self.budget.count_once(text)),
            None => Own::estimated(text, spans, is_below),
        };
        match own.whole {
            Some(whole) if self.budget.bounds == Bounds::Text => full.used = Used::of_text(whole),
            _ => self.weigh(full),
        }
        own
    }

    /// Counts a candidate.
    pub(super) fn weigh(&self, candidate: &mut Candidate<'_>) {
        candidate.used = match self.budget.bounds {
            Bounds::Request => self.request(candidate),
            Bounds::Text => Used::of_text(self.budget.count(&candidate.page.text)),
        };
    }

    /// What is sent.
    fn request(&self, candidate: &Candidate<'_>) -> Used {
        let (rows, forms) = (self.tree, &candidate.forms);
        let (counted, budget) = (&self.counted, self.budget);
        let count = |text: &str| counted.tokens(text, |text| budget.count(text));
        let own = own_messages(rows, &candidate.page.printed, &candidate.page.text);
        let is_shown = |id: SectionId| {
            let is_full = |outer: SectionId| forms[outer as usize] == Form::Full;
            forms[id as usize] != Form::Gone && rows.around(id).all(is_full)
        };
        let histories = self.messages.iter().filter(|(id, _)| is_shown(*id));
        let offers = Offers::of(rows, self.view, forms);
        let offered = self.tools.iter().filter(|(row, _)| offers.are_of(*row));
        let opens = self.view.keep_tool || candidate.page.printed.is_summarised;
        let tokens = |(_, history): &(_, HistoryTokens)| history.sum;
        Used {
            text: sum(own.iter().map(|message| message_tokens(message, &count))),
            messages: sum(histories.map(tokens)).saturating_add(self.budget.history.sum),
            tools: sum(offered
                .map(|(_, tokens)| *tokens)
                .chain(opens.then_some(self.open_tool))),
        }
    }
}

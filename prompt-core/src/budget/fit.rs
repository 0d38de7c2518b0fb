//! The search for what fits.
//!
//! The tree is printed once in full, and its fragments are counted, each once. Where that is too much, sections are
//! taken back in the order of their priority. How far is found on whole texts, because the counts of parts do not add up
//! to that of the whole: the sums only say where to begin. What is done with the room below the cutoff is decided by sums
//! that begin at the counted whole; the outcome is counted again, and if it is too much after all, the last additions
//! go. So the limit holds with any counter, and with one whose counts add up the outcome is exactly that of the rule.

use super::{Bounds, Budget, BudgetReport, BudgetedSection, Outcome, Policy, Reason};
use crate::error::{PromptError, TooLarge};
use crate::page::{Printed, RowId, Span};
use crate::print::{Offers, Played, Playing, Short, Shown, Tape, View, fragments, open_tool};
use crate::rows::Row;
use crate::tokens::{EstimatedTokens, Part, Weight, message_tokens};
use crate::turns::own_messages;
use crate::visibility::{Form, Visibility};
use prompt_syntax::Code;
use std::cmp::Reverse;

/// What fits.
pub(crate) struct Fitted<'a> {
    pub(crate) text: String,
    pub(crate) printed: Printed<'a>,
    pub(crate) forms: Vec<Form>,
    pub(crate) report: BudgetReport,
}

/// Prints a tree in the forms in which it fits.
///
/// # Errors
/// What must stay is too much, or something cannot be printed.
pub(crate) fn fit<'a>(
    tape: &Tape<'a>,
    shown: &Shown,
    view: &View<'_>,
    budget: &Budget<'_>,
    with_sources: bool,
) -> Result<Fitted<'a>, PromptError> {
    let scale = Scale::new(tape, shown, view, budget, with_sources);
    let full = scale.print(shown.forms.clone(), budget.reduces(), None)?;
    let costs = Costs::of(&scale, &full);
    let search = Search::new(&scale, &costs);
    let cut = if full.used.total() <= budget.available() {
        let kept = search.groups.len();
        Cut {
            candidate: full,
            tally: search.tally(kept, &[]),
            kept,
        }
    } else {
        search.cut(&full)?
    };
    let report = search.report(&cut);
    Ok(Fitted {
        forms: cut.candidate.forms,
        text: cut.candidate.text,
        printed: cut.candidate.printed,
        report,
    })
}

/// Prints and weighs.
struct Scale<'s, 'a> {
    tape: &'s Tape<'a>,
    shown: &'s Shown,
    view: &'s View<'s>,
    budget: &'s Budget<'s>,
    with_sources: bool,
    /// Tokens of each tool of the outline; nothing where only the text counts.
    tools: Vec<(Option<RowId>, usize)>,
    /// Tokens of `open_sections`.
    open_tool: usize,
    /// Tokens of each history.
    messages: Vec<(RowId, usize)>,
}

/// A text that was printed, and what it takes.
struct Candidate<'a> {
    text: String,
    printed: Printed<'a>,
    summaries: Vec<Short>,
    forms: Vec<Form>,
    /// The sections without others inside, where the tokens are estimated.
    parts: Vec<(RowId, Part)>,
    used: Used,
}

/// What sections without others inside took in a text, by row.
struct Known<'c> {
    text: &'c str,
    parts: Vec<Option<&'c Part>>,
}

impl<'c> Known<'c> {
    fn of(full: &'c Candidate<'_>) -> Self {
        let mut parts = vec![None; full.forms.len()];
        for (row, part) in &full.parts {
            parts[*row as usize] = Some(part);
        }
        let text = &full.text;
        Self { text, parts }
    }

    /// What a section weighs, if it reads as it did.
    fn weight(&self, row: RowId, text: &str) -> Option<Weight> {
        let part = self.parts[row as usize]?;
        part.weight
            .filter(|_| self.text[part.range.clone()] == *text)
    }
}

impl Candidate<'_> {
    /// Estimates the tokens of the text, each part once.
    fn estimate(&mut self, known: Option<&Known<'_>>) -> Used {
        let spans = &self.printed.spans;
        let behind = spans.iter().skip(1).map(|next| next.start);
        let leaves = spans.iter().zip(behind.chain([self.text.len()]));
        let leaves = leaves.filter(|(span, next)| span.end <= *next);
        let part = |(span, _): (&Span, usize)| {
            let range = span.start..span.end;
            let weight = known.and_then(|known| known.weight(span.row, &self.text[range.clone()]));
            (span.row, Part { range, weight })
        };
        self.parts = leaves.map(part).collect();
        let parts = self.parts.iter_mut().map(|(_, part)| part);
        Used::of_text(EstimatedTokens::default().count_parts(&self.text, parts))
    }
}

#[derive(Clone, Copy, Default)]
struct Used {
    text: usize,
    messages: usize,
    tools: usize,
}

impl Used {
    fn of_text(text: usize) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    fn total(self) -> usize {
        sum([self.text, self.messages, self.tools].into_iter())
    }
}

impl<'s, 'a> Scale<'s, 'a> {
    fn new(
        tape: &'s Tape<'a>,
        shown: &'s Shown,
        view: &'s View<'s>,
        budget: &'s Budget<'s>,
        with_sources: bool,
    ) -> Self {
        let mut scale = Self {
            tape,
            shown,
            view,
            budget,
            with_sources,
            tools: Vec::new(),
            open_tool: 0,
            messages: Vec::new(),
        };
        if budget.bounds == Bounds::Request {
            let counter = |text: &str| budget.count_once(text);
            let count = |tool| crate::tokens::request(&[], std::slice::from_ref(tool), &counter);
            let tools = tape.rows.tools.iter();
            scale.tools = tools.map(|(row, tool)| (*row, count(tool))).collect();
            scale.open_tool = open_tool(&tape.rows, view).as_ref().map_or(0, count);
            let history = |(id, row): (RowId, &Row<'_>)| {
                let tokens = row
                    .messages()?
                    .iter()
                    .map(|message| message_tokens(message, &counter));
                Some((id, sum(tokens)))
            };
            scale.messages = tape.rows.iter().filter_map(history).collect();
        }
        scale
    }

    /// Prints a candidate and counts it, but for what is `known`.
    fn print(
        &self,
        forms: Vec<Form>,
        with_summaries: bool,
        known: Option<&Known<'_>>,
    ) -> Result<Candidate<'a>, PromptError> {
        let Played {
            text,
            printed,
            summaries,
        } = self.tape.play(Playing {
            is_reduced: true,
            with_summaries,
            with_sources: self.with_sources,
            ..Playing::new(&self.view.look, &forms)
        })?;
        let mut candidate = Candidate {
            text,
            printed,
            summaries,
            forms,
            parts: Vec::new(),
            used: Used::default(),
        };
        candidate.used = match (self.budget.bounds, self.budget.counter) {
            (Bounds::Request, _) => {
                self.weigh(&candidate.text, &candidate.printed, &candidate.forms)
            }
            (Bounds::Text, Some(counter)) => Used::of_text(counter.count(&candidate.text)),
            (Bounds::Text, None) => candidate.estimate(known),
        };
        Ok(candidate)
    }

    fn weigh(&self, text: &str, printed: &Printed<'_>, forms: &[Form]) -> Used {
        let rows = &self.tape.rows;
        let counter = |text: &str| self.budget.count(text);
        let own = own_messages(rows, printed, text);
        let is_shown = |id: RowId| {
            let is_full = |outer: RowId| forms[outer as usize] == Form::Full;
            forms[id as usize] != Form::Gone && rows.around(id).all(is_full)
        };
        let offers = Offers::of(rows, self.view, forms);
        let offered = |(row, _): &&(Option<RowId>, usize)| offers.are_of(*row);
        let open = self.view.keep_tool || printed.is_summarised;
        let tools = self.tools.iter().filter(offered).map(|(_, tokens)| *tokens);
        let histories = self.messages.iter().filter(|(id, _)| is_shown(*id));
        Used {
            text: sum(own.iter().map(|message| message_tokens(message, &counter))),
            messages: sum(histories
                .map(|(_, tokens)| *tokens)
                .chain([self.budget.history])),
            tools: sum(tools.chain(open.then_some(self.open_tool))),
        }
    }
}

/// What each section takes.
struct Costs {
    rows: Vec<Cost>,
    /// Tokens of everything.
    whole: usize,
    /// The same, where each text is counted by itself.
    parts: usize,
    /// Of that what the sections take.
    sections: usize,
    /// Tokens of `open_sections`, where a summary brings it.
    open_tool: usize,
}

/// What a section takes.
#[derive(Clone)]
struct Cost {
    parent: Option<RowId>,
    /// Whether it would be shown without a budget.
    is_there: bool,
    /// Its form without a budget.
    form: Form,
    /// How long it is kept; `None` is for ever.
    level: Option<i32>,
    is_opened: bool,
    /// Whether it is there for what is inside it: a list, or a section without a text of its own.
    is_wrapper: bool,
    /// Tokens of its own text, and of what it brings along.
    own: usize,
    /// Tokens of its short form, if that is cheaper than everything in it.
    summary: Option<usize>,
}

impl Costs {
    fn of(scale: &Scale<'_, '_>, full: &Candidate<'_>) -> Self {
        let (outline, shown) = (&scale.tape.rows, scale.shown);
        let mut rows: Vec<Cost> = Vec::with_capacity(outline.len() as usize);
        for (id, row) in outline.iter() {
            let form = shown.form(id);
            let around = row.parent.and_then(|parent| rows.get(parent as usize));
            let is_open = around.is_none_or(|around| around.is_there && around.form == Form::Full);
            rows.push(Cost {
                parent: row.parent,
                is_there: is_open && form != Form::Gone,
                form,
                level: row.priority,
                is_opened: false,
                is_wrapper: false,
                own: 0,
                summary: None,
            });
        }
        for index in (0..rows.len()).rev() {
            let inner = rows.get(index).filter(|inner| inner.is_there);
            let around = inner.and_then(|inner| inner.parent);
            let Some(id) = around else { continue };
            let is_wrapper = outline.row(id).is_wrapper();
            if let Some(around) = rows.get_mut(id as usize) {
                around.is_wrapper |= is_wrapper && around.form == Form::Full;
            }
        }
        let mut costs = Self {
            rows,
            whole: full.used.total(),
            parts: 0,
            sections: 0,
            open_tool: 0,
        };
        costs.protect(scale);
        costs.count(scale, full);
        costs
    }

    /// What was opened stays, with all that is inside it and around it; so does what leads to the focus.
    fn protect(&mut self, scale: &Scale<'_, '_>) {
        let (outline, shown) = (&scale.tape.rows, scale.shown);
        let leads = |id: RowId| outline.around(id).chain([id]);
        let focus = scale.view.focus.as_deref();
        let focus = focus.and_then(|focus| outline.index().find(focus));
        for id in focus.into_iter().flat_map(leads) {
            if let Some(cost) = self.rows.get_mut(id as usize) {
                cost.level = None;
            }
        }
        let mut done = 0;
        let opened = (0..outline.len()).filter(|id| shown.is_opened(*id));
        for id in opened {
            let end = outline.row(id).end;
            for inner in id.max(done)..end {
                self.keep(inner);
            }
            done = done.max(end);
            for outer in outline.around(id) {
                if !self.keep(outer) {
                    break;
                }
            }
        }
    }

    /// Keeps a row; gives whether that is news.
    fn keep(&mut self, id: RowId) -> bool {
        let Some(cost) = self.rows.get_mut(id as usize) else {
            return false;
        };
        cost.level = None;
        !std::mem::replace(&mut cost.is_opened, true)
    }

    fn count(&mut self, scale: &Scale<'_, '_>, full: &Candidate<'_>) {
        let outline = &scale.tape.rows;
        let is_below = |inner: RowId, outer: RowId| outline.is_below(inner, outer);
        let (own, root) = fragments(&full.printed.spans, is_below, &full.text);
        let mut texts = scale.budget.count_once(&root);
        let mut parts = full.parts.iter().peekable();
        for (span, text) in full.printed.spans.iter().zip(&own) {
            let part = parts.next_if(|(row, _)| *row == span.row);
            let counted = part.and_then(|(_, part)| {
                let gap = text.strip_suffix(&full.text[part.range.clone()])?;
                Some(EstimatedTokens::default().count_behind(gap, part.weight?))
            });
            let own = counted.unwrap_or_else(|| scale.budget.count_once(text));
            self.rows[span.row as usize].own = own;
            texts = texts.saturating_add(own);
        }
        self.parts = texts.saturating_add(self.whole.saturating_sub(full.used.text));
        let histories = scale.messages.iter().map(|(id, tokens)| (*id, *tokens));
        let offers = Offers::of(outline, scale.view, &scale.shown.forms);
        let offered = |(row, tokens): &(Option<RowId>, usize)| {
            let is_offered = offers.are_of(*row);
            let is_fixed = scale.view.is_appended;
            row.filter(|_| is_offered && !is_fixed)
                .map(|id| (id, *tokens))
        };
        for (id, tokens) in histories.chain(scale.tools.iter().filter_map(offered)) {
            if let Some(cost) = self.rows.get_mut(id as usize).filter(|cost| cost.is_there) {
                cost.own = cost.own.saturating_add(tokens);
            }
        }
        let mut inside: Vec<usize> = self.rows.iter().map(Cost::present).collect();
        for (index, cost) in self.rows.iter().enumerate().rev() {
            let tokens = inside.get(index).copied().unwrap_or_default();
            if let Some(around) = cost.parent.and_then(|id| inside.get_mut(id as usize)) {
                *around = around.saturating_add(tokens);
            }
        }
        for Short { row, text, .. } in &full.summaries {
            let whole = inside.get(*row as usize).copied().unwrap_or_default();
            let cost = self.rows.get_mut(*row as usize);
            if let Some(cost) = cost.filter(|cost| cost.is_there && cost.level.is_some()) {
                let tokens = scale.budget.count_once(text);
                cost.summary = Some(tokens).filter(|tokens| *tokens < whole);
            }
        }
        if !scale.view.keep_tool {
            self.open_tool = scale.open_tool;
        }
        let brought = if full.printed.is_summarised {
            self.open_tool
        } else {
            0
        };
        let rows = sum(self.rows.iter().map(Cost::present));
        self.sections = rows.saturating_add(brought);
    }

    /// What is there in any case: the root's own text and its tools.
    fn base(&self) -> usize {
        self.whole.saturating_sub(self.sections)
    }

    fn row(&self, id: RowId) -> Option<&Cost> {
        self.rows.get(id as usize)
    }
}

impl Cost {
    /// Its own tokens, if it would be shown.
    fn present(&self) -> usize {
        if self.is_there { self.own } else { 0 }
    }
}

/// The best form that a level may still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// As it would be without a budget.
    Full,
    /// Its summaries; what has none goes.
    Reduced,
    /// It goes.
    Gone,
}

/// Forms as they are chosen, and what they add up to. Rows are chosen from the outside in.
struct Tally<'c> {
    costs: &'c Costs,
    forms: Vec<Form>,
    /// Whether a row is shown in full, as far as the rows around it go. A wrapper may still turn out to be empty.
    is_open: Vec<bool>,
    /// Whether something of a row is printed.
    is_counted: Vec<bool>,
    used: usize,
    /// Whether a summary is shown.
    offers: bool,
    /// What was done since the last decision, to be undone.
    log: Vec<Change>,
}

enum Change {
    Chosen(RowId),
    Counted(RowId),
}

impl<'c> Tally<'c> {
    fn new(costs: &'c Costs) -> Self {
        let count = costs.rows.len();
        Self {
            costs,
            forms: vec![Form::Gone; count],
            is_open: vec![false; count],
            is_counted: vec![false; count],
            used: costs.base(),
            offers: false,
            log: Vec::new(),
        }
    }

    fn is_reachable(&self, cost: &Cost) -> bool {
        let is_open = |id: RowId| self.is_open.get(id as usize) == Some(&true);
        cost.parent.is_none_or(is_open)
    }

    /// Gives rows a form. Returns whether one of them goes for want of room.
    fn choose(&mut self, rows: &[RowId], wish: Wish) -> bool {
        let (costs, mut is_lost) = (self.costs, false);
        for id in rows {
            let Some(cost) = costs.row(*id).filter(|cost| self.is_reachable(cost)) else {
                continue;
            };
            let (form, tokens) = match (wish, cost.form, cost.summary) {
                (Wish::Full, form, _) => (form, cost.own),
                (Wish::Reduced, Form::Summary, _) => (Form::Summary, cost.own),
                (Wish::Reduced, _, Some(tokens)) => (Form::Summary, tokens),
                _ if cost.is_wrapper => (Form::Full, cost.own),
                _ => (Form::Gone, 0),
            };
            is_lost |= form == Form::Gone;
            self.log.push(Change::Chosen(*id));
            set(&mut self.forms, *id, form);
            set(&mut self.is_open, *id, form == Form::Full);
            if form == Form::Summary && !std::mem::replace(&mut self.offers, true) {
                self.used = self.used.saturating_add(self.costs.open_tool);
            }
            // A wrapper comes with the first thing in it.
            if form == Form::Summary || (form == Form::Full && !cost.is_wrapper) {
                self.count(*id, tokens);
            }
        }
        is_lost
    }

    /// Counts a row, and the wrappers around it that had nothing in them so far.
    fn count(&mut self, id: RowId, tokens: usize) {
        let (mut at, mut tokens) = (Some(id), tokens);
        while let Some(id) = at.filter(|id| self.is_counted.get(*id as usize) == Some(&false)) {
            set(&mut self.is_counted, id, true);
            self.log.push(Change::Counted(id));
            self.used = self.used.saturating_add(tokens);
            at = self.costs.row(id).and_then(|cost| cost.parent);
            tokens = at
                .and_then(|id| self.costs.row(id))
                .map_or(0, |cost| cost.own);
        }
    }

    /// Tries a form for rows; takes it back if it is too much. Returns what [`choose`](Self::choose) said if it fits.
    fn attempt(&mut self, rows: &[RowId], wish: Wish, limit: usize) -> Option<bool> {
        let (used, offers) = (self.used, self.offers);
        self.log.clear();
        let is_lost = self.choose(rows, wish);
        if self.used <= limit {
            return Some(is_lost);
        }
        for change in self.log.drain(..) {
            match change {
                Change::Chosen(id) => {
                    set(&mut self.forms, id, Form::Gone);
                    set(&mut self.is_open, id, false);
                }
                Change::Counted(id) => set(&mut self.is_counted, id, false),
            }
        }
        (self.used, self.offers) = (used, offers);
        None
    }

    /// Whether the last attempt brought anything that is printed.
    fn has_added(&self) -> bool {
        let is_counted = |change: &Change| matches!(change, Change::Counted(_));
        self.log.iter().any(is_counted)
    }

    /// Whether a row is a wrapper of which nothing is left.
    fn is_emptied(&self, id: RowId) -> bool {
        let is_wrapper = self.costs.row(id).is_some_and(|cost| cost.is_wrapper);
        is_wrapper
            && self.is_open.get(id as usize) == Some(&true)
            && self.is_counted.get(id as usize) == Some(&false)
    }

    /// The forms to print. What is not reached keeps the form that it would have: it counts if what is around it is
    /// opened.
    fn printed_forms(&self) -> Vec<Form> {
        let form = |(id, cost): (RowId, &Cost)| {
            if !cost.is_there || !self.is_reachable(cost) {
                cost.form
            } else if self.is_emptied(id) {
                Form::Gone
            } else {
                self.forms.get(id as usize).copied().unwrap_or(cost.form)
            }
        };
        (0..).zip(&self.costs.rows).map(form).collect()
    }
}

fn set<T>(values: &mut [T], id: RowId, value: T) {
    if let Some(place) = values.get_mut(id as usize) {
        *place = value;
    }
}

fn sum(tokens: impl Iterator<Item = usize>) -> usize {
    tokens.fold(0, usize::saturating_add)
}

struct Search<'s, 'a> {
    scale: &'s Scale<'s, 'a>,
    costs: &'s Costs,
    limit: usize,
    /// Rows that never go, in document order.
    required: Vec<RowId>,
    /// The others, by priority, then in document order: levels for a cutoff, otherwise one by one.
    groups: Vec<Vec<RowId>>,
}

/// What was chosen.
struct Cut<'c, 'a> {
    candidate: Candidate<'a>,
    tally: Tally<'c>,
    /// Groups that are kept in full.
    kept: usize,
}

/// Groups below the cutoff that are shown in some form, in their order.
type Additions = [(usize, Wish)];

impl<'s, 'a> Search<'s, 'a> {
    fn new(scale: &'s Scale<'s, 'a>, costs: &'s Costs) -> Self {
        let (mut required, mut order) = (Vec::new(), Vec::new());
        for (id, cost) in (0..).zip(&costs.rows).filter(|(_, cost)| cost.is_there) {
            match cost.level {
                None => required.push(id),
                Some(level) => order.push((level, id)),
            }
        }
        order.sort_by_key(|(level, _)| Reverse(*level));
        let mut groups: Vec<Vec<RowId>> = Vec::new();
        let mut before = None;
        for (level, id) in order {
            match groups.last_mut() {
                Some(group) if scale.budget.policy == Policy::Cutoff && before == Some(level) => {
                    group.push(id);
                }
                _ => groups.push(vec![id]),
            }
            before = Some(level);
        }
        Self {
            scale,
            costs,
            limit: scale.budget.available(),
            required,
            groups,
        }
    }

    /// The first `kept` groups in full; the others are not chosen yet.
    fn start(&self, kept: usize) -> Tally<'s> {
        let mut tally = Tally::new(self.costs);
        for group in std::iter::once(&self.required).chain(self.groups.iter().take(kept)) {
            tally.choose(group, Wish::Full);
        }
        tally
    }

    /// The first `kept` groups in full, the others as these additions say, or gone.
    fn tally(&self, kept: usize, additions: &Additions) -> Tally<'s> {
        let mut tally = self.start(kept);
        let mut additions = additions.iter().peekable();
        for (index, group) in self.groups.iter().enumerate().skip(kept) {
            let added = additions.next_if(|(at, _)| *at == index);
            tally.choose(group, added.map_or(Wish::Gone, |(_, wish)| *wish));
        }
        tally
    }

    fn print(&self, tally: &Tally<'_>, known: &Known<'_>) -> Result<Candidate<'a>, PromptError> {
        let forms = tally.printed_forms();
        self.scale.print(forms, false, Some(known))
    }

    /// What is kept where everything is too much.
    fn cut(&self, full: &Candidate<'_>) -> Result<Cut<'s, 'a>, PromptError> {
        let Some(last) = self.groups.len().checked_sub(1) else {
            return Err(self.too_large(full.used));
        };
        let most = if self.scale.budget.policy == Policy::Greedy {
            0
        } else {
            last
        };
        let known = Known::of(full);
        let (kept, candidate) = self.largest(most, &known)?;
        let additions = self.additions(kept, candidate.used.total());
        let bare = |candidate| Cut {
            candidate,
            tally: self.tally(kept, &[]),
            kept,
        };
        if additions.is_empty() {
            return Ok(bare(candidate));
        }
        // The most additions that fit: usually all; none is known to fit, and so is not printed again.
        let (mut low, mut high, mut at) = (0, additions.len() + 1, additions.len());
        let mut best = bare(candidate);
        while high > low + 1 {
            let tally = self.tally(kept, additions.get(..at).unwrap_or_default());
            let candidate = self.print(&tally, &known)?;
            if candidate.used.total() <= self.limit {
                low = at;
                best = Cut {
                    candidate,
                    tally,
                    kept,
                };
            } else {
                high = at;
            }
            at = low + (high - low) / 2;
        }
        Ok(best)
    }

    /// What can be shown of the groups past the first `kept`, which take `used` tokens, by sums. From the highest level
    /// down each takes the best form that still fits; nothing is shown in full below a level of which something went, so
    /// that nothing is lost for the sake of something less important.
    fn additions(&self, kept: usize, used: usize) -> Vec<(usize, Wish)> {
        let (reduces, policy) = (self.scale.budget.reduces(), self.scale.budget.policy);
        let mut additions = Vec::new();
        if !reduces && policy != Policy::Greedy {
            return additions;
        }
        let mut tally = self.start(kept);
        tally.used = used;
        let mut is_lost = false;
        for (index, group) in self.groups.iter().enumerate().skip(kept) {
            // The first one is known not to fit in full.
            let wishes: &[Wish] = if !reduces {
                &[Wish::Full]
            } else if is_lost || index == kept {
                &[Wish::Reduced]
            } else {
                &[Wish::Full, Wish::Reduced]
            };
            let fits = |wish: &Wish| Some((*wish, tally.attempt(group, *wish, self.limit)?));
            match wishes.iter().find_map(fits) {
                Some((wish, loses)) => {
                    // A group of which nothing is left is no addition.
                    if tally.has_added() {
                        additions.push((index, wish));
                    }
                    is_lost |= loses;
                }
                None => is_lost |= tally.choose(group, Wish::Gone),
            }
        }
        additions
    }

    /// The most groups, `most` at best, that fit with all else gone, and that candidate.
    ///
    /// Gallops away from where the sums say it is, then bisects. Past the guess the smallest is tried first, so that a
    /// search in vain takes two counts: at most `2 * log2(most) + 2` in all.
    fn largest(
        &self,
        most: usize,
        known: &Known<'_>,
    ) -> Result<(usize, Candidate<'a>), PromptError> {
        let start = self.guess(most);
        let print = |kept| self.print(&self.tally(kept, &[]), known);
        let fits = |candidate: &Candidate<'_>| candidate.used.total() <= self.limit;
        let mut best = print(start)?;
        let up = fits(&best);
        // The first fits, the second does not, or is past the end.
        let (mut low, mut high) = (start, most + 1);
        if !up {
            (low, high) = (0, start);
            if start > 0 {
                best = print(0)?;
            }
            if !fits(&best) {
                return Err(self.too_large(best.used));
            }
        }
        let (mut galloping, mut step) = (true, 1_usize);
        while high > low + 1 {
            let at = match (galloping, up) {
                (true, true) => low.saturating_add(step),
                (true, false) => high.saturating_sub(step),
                _ => low + (high - low) / 2,
            };
            let at = at.clamp(low + 1, high - 1);
            let candidate = print(at)?;
            let is_good = fits(&candidate);
            if is_good {
                (low, best) = (at, candidate);
            } else {
                high = at;
            }
            galloping &= is_good == up;
            step = step.saturating_mul(2);
        }
        Ok((low, best))
    }

    /// Where the sums say that the largest fitting candidate is. What the parts take by themselves is mostly more, or
    /// less, than what they take side by side: the limit is put into their measure.
    fn guess(&self, most: usize) -> usize {
        let costs = self.costs;
        let limit = self.limit as u128 * costs.parts as u128 / costs.whole.max(1) as u128;
        let mut tally = Tally::new(costs);
        tally.used = costs.parts.saturating_sub(costs.sections);
        tally.choose(&self.required, Wish::Full);
        let fits = |group: &&Vec<RowId>| {
            tally.choose(group, Wish::Full);
            tally.used as u128 <= limit
        };
        self.groups.iter().take(most).take_while(fits).count()
    }

    /// Names what is to blame: the largest section that was opened, or the histories where they take more, or else the
    /// largest section that must stay.
    fn too_large(&self, used: Used) -> PromptError {
        let (outline, scale) = (&self.scale.tape.rows, self.scale);
        let tally = self.tally(0, &[]);
        let stays = |id: RowId| tally.is_counted.get(id as usize) == Some(&true);
        let staying = || (0..outline.len()).filter(|id| stays(*id));
        let histories = scale.messages.iter();
        let histories = histories.filter(|(id, tokens)| *tokens > 0 && stays(*id));
        let history = sum(histories.clone().map(|(_, tokens)| *tokens));
        let history = history.saturating_add(scale.budget.history);
        // What is closed by itself, or might go, would not be there if nobody had opened it.
        let by_choice = |id: &RowId| {
            let row = outline.row(*id);
            let may_be_less = row.priority.is_some() || row.declared == Visibility::Summary;
            may_be_less && scale.shown.is_opened(*id)
        };
        // Sums up to each row, so that what is inside one is a difference.
        let mut sums = vec![0_u128];
        for cost in &self.costs.rows {
            sums.push(sums.last().copied().unwrap_or(0) + cost.present() as u128);
        }
        let before = |id: RowId| sums.get(id as usize).copied().unwrap_or(0);
        let whole = |id: RowId| before(outline.row(id).end) - before(id);
        let opened = staying().filter(by_choice);
        let opened = opened.max_by_key(|id| (whole(*id), Reverse(*id)));
        let mut texts: Vec<usize> = self.costs.rows.iter().map(|cost| cost.own).collect();
        for (id, tokens) in histories.clone() {
            texts[*id as usize] -= tokens;
        }
        let text = |id: RowId| texts[id as usize];
        let root = self.costs.base().saturating_sub(scale.budget.history);
        let largest = staying().max_by_key(|id| (text(*id), Reverse(*id)));
        let largest = largest.filter(|id| text(*id) > root);
        let most = opened.map_or(largest.map_or(root, text) as u128, whole);
        let (cause, blamed) = if history > 0 && history as u128 >= most {
            let one = histories.clone().map(|(id, _)| *id);
            let mut one = one.filter(|_| scale.budget.history == 0);
            let only = one.next().filter(|_| one.next().is_none());
            (TooLarge::History { tokens: history }, only)
        } else if opened.is_some() {
            (TooLarge::Opened, opened)
        } else {
            (TooLarge::Required, largest)
        };
        PromptError::Budget {
            code: Code::BaseTooLarge,
            needed: used.total(),
            limit: self.limit,
            cause,
            path: blamed.map(|id| outline.path(id)),
        }
    }

    fn report(&self, cut: &Cut<'_, '_>) -> BudgetReport {
        let (outline, tally) = (&self.scale.tape.rows, &cut.tally);
        let (mut sections, mut rows) = (Vec::new(), Vec::new());
        // The path of the last row; rows come in print order, so that of a parent is its beginning.
        let (mut path, mut lengths) = (String::new(), Vec::with_capacity(self.costs.rows.len()));
        // Why what is inside a row is not shown.
        let mut hides: Vec<Option<Reason>> = Vec::with_capacity(self.costs.rows.len());
        let free = self.limit.saturating_sub(cut.candidate.used.total());
        for ((id, row), cost) in outline.iter().zip(&self.costs.rows) {
            let around = row.parent.map(|parent| parent as usize);
            path.truncate(around.map_or(0, |parent| lengths.get(parent).copied().unwrap_or(0)));
            if around.is_some() {
                path.push('.');
            }
            path.push_str(&row.key);
            lengths.push(path.len());
            let hidden = around.and_then(|parent| hides.get(parent).copied().flatten());
            let (outcome, reason, tokens) = match hidden {
                Some(reason) => (Outcome::Dropped, reason, cost.own),
                None => outcome(tally, id, cost, free),
            };
            hides.push(hidden.or(match outcome {
                Outcome::Kept => None,
                Outcome::Summarised => Some(Reason::Covered),
                Outcome::Dropped if reason == Reason::Emptied => None,
                Outcome::Dropped => Some(Reason::Parent),
            }));
            if cost.is_there {
                rows.push(id);
                sections.push(BudgetedSection {
                    path: path.clone(),
                    priority: row.priority,
                    outcome,
                    reason,
                    tokens,
                });
            }
        }
        let used = cut.candidate.used;
        BudgetReport {
            limit: self.limit,
            used: used.total(),
            text: used.text,
            messages: used.messages,
            tools: used.tools,
            cutoff: self.cutoff(cut, &sections, &rows),
            sections,
            rows,
        }
    }

    fn cutoff(
        &self,
        cut: &Cut<'_, '_>,
        sections: &[BudgetedSection],
        rows: &[RowId],
    ) -> Option<i32> {
        let level = |id: RowId| self.costs.row(id).and_then(|cost| cost.level);
        if self.scale.budget.policy == Policy::Cutoff {
            let last = cut.kept.checked_sub(1)?;
            return level(*self.groups.get(last)?.first()?);
        }
        let kept = sections.iter().zip(rows);
        let kept = kept.filter(|(section, _)| section.outcome == Outcome::Kept);
        kept.filter_map(|(_, id)| level(*id)).min()
    }
}

/// What became of a section with open sections around it, where so many tokens are free.
fn outcome(tally: &Tally<'_>, id: RowId, cost: &Cost, free: usize) -> (Outcome, Reason, usize) {
    let form = tally.forms.get(id as usize).copied().unwrap_or(cost.form);
    // Why it is less than it would be, for the lack of so many tokens.
    let lacking = |tokens: usize| {
        if tokens <= free {
            Reason::Level
        } else {
            Reason::Priority
        }
    };
    if form == Form::Gone {
        return (Outcome::Dropped, lacking(cost.own), cost.own);
    }
    if tally.is_emptied(id) {
        return (Outcome::Dropped, Reason::Emptied, cost.own);
    }
    if form != cost.form {
        let tokens = cost.summary.unwrap_or(cost.own);
        let more = cost.own.saturating_sub(tokens);
        return (Outcome::Summarised, lacking(more), tokens);
    }
    let reason = if cost.is_opened {
        Reason::Opened
    } else if cost.level.is_none() {
        Reason::Required
    } else {
        Reason::Fits
    };
    (Outcome::Kept, reason, cost.own)
}

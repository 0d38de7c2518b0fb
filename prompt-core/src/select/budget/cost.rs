//! What each section of a tree takes, and how long it is kept.

use super::{
    scale::{Candidate, Own, Scale},
    sum,
};
use crate::document::{Between, SectionId};
use crate::node::Form;
use crate::page::Short;
use crate::select::Offers;

/// What each section takes.
pub(super) struct Costs {
    pub(super) rows: Vec<Cost>,
    /// Tokens of everything.
    pub(super) whole: usize,
    /// The same, where each text is counted by itself.
    pub(super) parts: usize,
    /// Of that what the sections take.
    pub(super) sections: usize,
    /// Tokens of the most that stands between two sections, closing tags among it.
    pub(super) between: usize,
    /// Tokens of `open_sections`, where a summary brings it.
    pub(super) open_tool: usize,
}

/// What a section takes.
pub(super) struct Cost {
    pub(super) parent: Option<SectionId>,
    /// Whether it would be shown without a budget.
    pub(super) is_there: bool,
    /// Its form without a budget.
    pub(super) form: Form,
    /// The priority that it has.
    pub(super) priority: Option<i32>,
    /// How long it is kept; `None` is for ever.
    pub(super) level: Option<i32>,
    pub(super) is_opened: bool,
    /// Whether it is there for what is inside it: a list, or a section without a text of its own.
    pub(super) is_wrapper: bool,
    /// Whether it is an item of a list, and has a summary.
    is_short_item: bool,
    /// Tokens of its own text, and of what it brings along.
    pub(super) own: usize,
    /// Tokens of its short form, if that is cheaper than everything in it.
    pub(super) summary: Option<usize>,
    /// Of a list whose items are lines where they are closed: what stands before them.
    pub(super) catalogue: Option<Catalogue>,
    /// Whether it is an item of such a list.
    pub(super) is_catalogued: bool,
}

/// The sentence before the closed items of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Catalogue {
    pub(super) tokens: usize,
    /// Whether the list is printed with it without a budget.
    is_own: bool,
}

impl Cost {
    /// Its own tokens without those of the sentence before closed items.
    pub(super) fn bare(&self) -> usize {
        let sentence = self.catalogue.filter(|sentence| sentence.is_own);
        self.own
            .saturating_sub(sentence.map_or(0, |sentence| sentence.tokens))
    }

    /// Its own tokens, if it would be shown.
    pub(super) fn present(&self) -> usize {
        if self.is_there { self.own } else { 0 }
    }
}

impl Costs {
    /// What stays and what may go. Nothing is counted yet.
    pub(super) fn of(scale: &Scale<'_, '_>) -> Self {
        let (outline, shown) = (scale.tree, scale.shown);
        let mut rows: Vec<Cost> = Vec::with_capacity(outline.len() as usize);
        for (id, row) in outline.iter() {
            let form = shown.form(id);
            let around = row.parent.map(|parent| &rows[parent as usize]);
            let is_open = around.is_none_or(|around| around.is_there && around.form == Form::Full);
            let is_there = is_open && form != Form::Gone;
            if let Some(parent) = row.parent.filter(|_| is_there) {
                rows[parent as usize].is_wrapper |= outline.section(parent).is_wrapper();
            }
            rows.push(Cost {
                parent: row.parent,
                is_there,
                form,
                priority: row.priority,
                level: row.priority,
                is_opened: false,
                is_wrapper: false,
                is_short_item: scale.budget.reduces() && row.is_item() && row.is_openable(),
                own: 0,
                summary: None,
                catalogue: None,
                is_catalogued: outline.is_cataloguable(row),
            });
            if let Some(list) = row
                .parent
                .filter(|_| is_there && outline.is_cataloguable(row))
            {
                let catalogue = rows[list as usize].catalogue.get_or_insert_default();
                catalogue.is_own |= form == Form::Summary;
            }
        }
        let mut costs = Self {
            rows,
            whole: 0,
            parts: 0,
            sections: 0,
            between: 0,
            open_tool: 0,
        };
        costs.protect(scale);
        costs
    }

    /// What was opened stays, with all that is inside it and around it; so does what leads to the focus.
    fn protect(&mut self, scale: &Scale<'_, '_>) {
        let (outline, shown) = (scale.tree, scale.shown);
        let focus = scale.view.focus.as_deref();
        let focus = focus.and_then(|focus| outline.index().find(focus));
        let leading = focus.map(|id| outline.around(id).chain([id]));
        for id in leading.into_iter().flatten() {
            self.rows[id as usize].level = None;
        }
        let mut done = 0;
        let opened = (0..outline.len()).filter(|id| shown.is_opened(*id));
        for id in opened {
            let end = outline.section(id).end;
            (id.max(done)..end).for_each(|inner| self.keep(inner));
            done = done.max(end);
            outline.around(id).for_each(|outer| self.keep(outer));
        }
    }

    /// Keeps a row; gives whether that is news.
    fn keep(&mut self, id: SectionId) {
        let cost = &mut self.rows[id as usize];
        (cost.level, cost.is_opened) = (None, true);
    }

    /// Whether some section may be shown in its short form instead.
    pub(super) fn may_reduce(&self, scale: &Scale<'_, '_>) -> bool {
        let rows = scale.tree.iter();
        let mut rows = rows.map(|(_, row)| row).zip(&self.rows);
        rows.any(|(row, cost)| cost.is_there && cost.level.is_some() && row.is_openable())
    }

    /// Of each row the item of a list that it is, or in which it stands, if that has a summary and the same level: such
    /// items are cut one by one. Nothing where there are none.
    pub(super) fn items(&self) -> Vec<Option<SectionId>> {
        let mut items: Vec<Option<SectionId>> = Vec::new();
        if self.rows.iter().all(|cost| !cost.is_short_item) {
            return items;
        }
        for (id, cost) in (0..).zip(&self.rows) {
            let around = cost.parent.and_then(|parent| items[parent as usize]);
            let around = around.filter(|item| self.rows[*item as usize].level == cost.level);
            items.push(around.or(cost.is_short_item.then_some(id)));
        }
        items
    }

    /// Takes what was counted of what is shown in full, and counts the short forms in its place.
    pub(super) fn count(&mut self, scale: &Scale<'_, '_>, full: &Candidate<'_>, own: Own) {
        let outline = scale.tree;
        let spans = &full.page.printed.spans;
        self.whole = full.used.total();
        let brought = [own.root, full.used.messages, full.used.tools];
        self.parts = sum(own.sections.iter().copied().chain(brought));
        for (span, own) in spans.iter().zip(own.sections) {
            self.rows[span.section as usize].own = own;
        }
        self.bring(scale);
        self.weigh_catalogues(scale);
        let text = &full.page.text;
        let before = |at: usize| &text[text[..at].trim_end().len()..at];
        let words = |id: SectionId| {
            let section = outline.section(id);
            match section.between(outline.shared(section)) {
                Between::Join(join) => join.words,
                Between::Gap { .. } => "",
            }
        };
        let between = spans.iter();
        let between = between.flat_map(|span| [before(span.start), words(span.section)]);
        let between = between.max_by_key(|between| between.len());
        // A tag in which nothing is left ends itself.
        let tags = full.page.printed.tags.iter().map(|tag| &*tag.name);
        let tag = tags.max_by_key(|name| name.len());
        let close = tag.map_or_else(String::new, |name| format!("</{name}>"));
        let between = [between.unwrap_or_default(), &close].concat();
        self.between = scale.budget.count_once(&between);
        let inside = outline.sums(self.rows.iter().map(Cost::present).collect());
        for Short {
            section: row, text, ..
        } in &full.page.printed.shorts
        {
            let (cost, whole) = (&mut self.rows[*row as usize], inside[*row as usize]);
            if cost.is_there && cost.level.is_some() {
                cost.summary = Some(scale.budget.count_once(text)).filter(|tokens| *tokens < whole);
            }
        }
        if !scale.view.keep_tool {
            self.open_tool = scale.open_tool;
        }
        let brought = Some(self.open_tool).filter(|_| full.page.printed.is_summarised);
        self.sections = sum(self.rows.iter().map(Cost::present).chain(brought));
    }

    /// Counts the sentence before closed items.
    fn weigh_catalogues(&mut self, scale: &Scale<'_, '_>) {
        let catalogues = self
            .rows
            .iter_mut()
            .filter_map(|cost| cost.catalogue.as_mut());
        let mut catalogues = catalogues.peekable();
        if catalogues.peek().is_some() {
            let sentence = &scale.view.format.wording.items;
            let tokens = scale.budget.count_once(&format!("\n{sentence}\n"));
            catalogues.for_each(|catalogue| catalogue.tokens = tokens);
        }
    }

    /// Adds the histories and tools that sections bring along.
    fn bring(&mut self, scale: &Scale<'_, '_>) {
        let offers = Offers::of(scale.tree, scale.view, &scale.shown.forms);
        let offered = |(row, tokens): &(Option<SectionId>, usize)| {
            let is_brought = offers.are_of(*row) && !scale.view.is_appended;
            Some((row.filter(|_| is_brought)?, *tokens))
        };
        let histories = scale
            .messages
            .iter()
            .map(|(id, history)| (*id, history.sum));
        for (id, tokens) in histories.chain(scale.tools.iter().filter_map(offered)) {
            let cost = &mut self.rows[id as usize];
            if cost.is_there {
                cost.own = cost.own.saturating_add(tokens);
            }
        }
    }

    /// What is there in any case: the root's own text and its tools.
    pub(super) fn base(&self) -> usize {
        self.whole.saturating_sub(self.sections)
    }
}

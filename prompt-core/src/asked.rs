//! A tree that has been asked, with what is to be shown of it: the outline, the forms of its rows, what was collected. It
//! can be printed in any form without asking again; budgets, disclosure and reviews read it.

use crate::collected::{Collected, ContextForm};
use crate::error::PromptError;
use crate::message::Message;
use crate::node::{Content, Embedded};
use crate::outline::{Host, Outline, Row, RowId};
use crate::print::{self, Contexts, Job, Look, Memo, Span};
use crate::show::{Form, Shown, Standing};
use crate::tool::{OPEN_SECTIONS, ToolSpec};
use crate::visibility::Overrides;
use std::{borrow::Cow, collections::BTreeSet};

/// What is to be shown of a tree, and how.
#[derive(Clone)]
pub(crate) struct View<'a> {
    pub(crate) look: Look,
    pub(crate) overrides: Option<&'a Overrides>,
    pub(crate) focus: Option<String>,
    pub(crate) collected: Option<&'a Collected>,
    pub(crate) context_form: ContextForm,
    pub(crate) keep_tool: bool,
    /// Whether opened sections travel in the results of calls: text and tools never change.
    pub(crate) is_appended: bool,
}

impl View<'_> {
    /// Whether the tree is wanted as it stands, as far as sections go.
    pub(crate) fn is_whole(&self) -> bool {
        self.focus.is_none()
            && self.overrides.is_none_or(Overrides::is_empty)
            && self.collected.is_none_or(Collected::is_empty)
    }
}

impl Default for View<'_> {
    fn default() -> Self {
        Self {
            look: Look::default(),
            overrides: None,
            focus: None,
            collected: None,
            context_form: ContextForm::Value,
            keep_tool: false,
            is_appended: false,
        }
    }
}

/// A tree that has been asked, with what is to be shown of it. It can be printed in any form without asking again.
pub(crate) struct Asked<'a> {
    pub(crate) outline: Outline<'a>,
    pub(crate) shown: Shown,
    pub(crate) collected: Contexts,
    /// The answers of values, kept from one printing to the next.
    pub(crate) memo: Memo,
    /// Whether it is wanted which bytes are whose values.
    pub(crate) with_sources: bool,
}

impl<'a> Asked<'a> {
    /// Asks a tree once.
    ///
    /// # Errors
    /// What is wrong with the tree itself: keys of items, tools, values without a binding, the focus, collected paths.
    pub(crate) fn of(root: Embedded<'a>, view: &View<'_>) -> Result<Self, PromptError> {
        let asked = Self::new(root, view, true)?;
        check_bindings(&asked.outline)?;
        let outline = &asked.outline;
        check_tools(&outline.tools, |id| outline.path(id).into())?;
        Ok(asked)
    }

    /// The same where only the text is wanted.
    pub(crate) fn without_tools(root: Embedded<'a>, view: &View<'_>) -> Result<Self, PromptError> {
        let asked = Self::new(root, view, false)?;
        check_bindings(&asked.outline)?;
        Ok(asked)
    }

    /// The same where nothing is printed but titles: variables may be without a value.
    pub(crate) fn to_walk(root: Embedded<'a>) -> Result<Self, PromptError> {
        Self::new(root, &View::default(), false)
    }

    fn new(root: Embedded<'a>, view: &View<'_>, with_tools: bool) -> Result<Self, PromptError> {
        let outline = Outline::of(root, with_tools)?;
        let overrides = view.overrides.as_slice();
        let shown = Shown::of(&outline, overrides, view.focus.as_deref())?;
        let collected = match view.collected {
            Some(collected) if !collected.is_empty() => {
                Contexts::of(&outline, collected, view.context_form, shown.focus)?
            }
            _ => Contexts::default(),
        };
        Ok(Self {
            outline,
            shown,
            collected,
            memo: Memo::default(),
            with_sources: false,
        })
    }

    /// What the printer needs to print the tree in these forms, once.
    pub(crate) fn job<'p>(&'p self, view: &'p View<'_>, shown: &'p Shown) -> Job<'p, 'a> {
        Job {
            outline: &self.outline,
            shown,
            look: &view.look,
            collected: &self.collected,
            memo: None,
            reduced: false,
            with_spans: true,
            with_sources: self.with_sources,
            with_summaries: false,
        }
    }

    /// Appends the text alone.
    pub(crate) fn print_into(
        &self,
        view: &View<'_>,
        buffer: &mut String,
    ) -> Result<(), PromptError> {
        let job = Job {
            with_spans: false,
            ..self.job(view, &self.shown)
        };
        print::print(job, buffer).map(drop)
    }
}

impl Asked<'_> {
    /// Of which rows the tools are offered: those that are shown in full, and, where opened sections travel in the results
    /// of calls, those that may be opened. From the outside in, so that no row climbs to the root.
    pub(crate) fn offers(&self, view: &View<'_>, shown: &Shown) -> Offers {
        let mut offers = Offers::default();
        if self.outline.tools.is_empty() {
            return offers;
        }
        for (id, row) in self.outline.iter() {
            let is_in = |rows: &[bool]| {
                let around = row.parent.map(|parent| parent as usize);
                around.map(|parent| rows.get(parent) == Some(&true))
            };
            let is_open = shown.form(id) == Form::Full && is_in(&offers.open).unwrap_or(true);
            let is_openable = view.is_appended
                && (is_in(&offers.openable).unwrap_or(false) || self.is_openable(shown, id));
            offers.open.push(is_open);
            offers.openable.push(is_openable);
        }
        offers
    }

    /// Whether `open_sections` may name a row.
    pub(crate) fn is_openable(&self, shown: &Shown, id: RowId) -> bool {
        let is_openable = self.outline.row(id).is_some_and(|row| row.is_openable(id));
        is_openable && shown.is_in_focus(&self.outline, id)
    }

    /// `open_sections`, if anything can be opened.
    pub(crate) fn open_tool(&self, view: &View<'_>) -> Option<ToolSpec> {
        let rows = 0..self.outline.len();
        let mut paths = rows
            .filter(|id| self.is_openable(&self.shown, *id))
            .map(|id| self.outline.path(id).into())
            .peekable();
        paths.peek()?;
        Some(view.look.wording.open_sections(&mut paths))
    }

    /// The owned half of the outline.
    pub(crate) fn standing(&self, shown: &Shown) -> Vec<Standing> {
        let standing = |(id, row): (RowId, &Row<'_>)| Standing {
            parent: row.parent,
            end: row.end,
            key: if row.is_item() {
                Cow::Owned(row.key.to_string())
            } else {
                row.info.key.clone()
            },
            form: shown.form(id),
            is_openable: self.is_openable(shown, id),
            is_in_focus: shown.is_in_focus(&self.outline, id),
            is_cut: shown.form(id) != self.shown.form(id),
            is_delivered: false,
            policy: row.policy(),
            location: row.info.location,
        };
        self.outline.iter().map(standing).collect()
    }
}

/// Of which rows the tools are offered.
#[derive(Default)]
pub(crate) struct Offers {
    open: Vec<bool>,
    openable: Vec<bool>,
}

impl Offers {
    /// Those of the root are always offered.
    pub(crate) fn are_of(&self, row: Option<RowId>) -> bool {
        row.is_none_or(|id| {
            let is = |rows: &[bool]| rows.get(id as usize) == Some(&true);
            is(&self.open) || is(&self.openable)
        })
    }
}

/// Two tools of one name, or one of the name that is reserved, are a fault of the tree, whatever of it is shown.
pub(crate) fn check_tools(
    tools: &[(Option<RowId>, ToolSpec)],
    path: impl Fn(RowId) -> String,
) -> Result<(), PromptError> {
    let mut names = BTreeSet::new();
    for (row, tool) in tools {
        let path = || row.map_or_else(String::new, &path);
        if tool.name() == OPEN_SECTIONS {
            return Err(PromptError::ReservedToolName { path: path() });
        }
        if !names.insert(tool.name()) {
            return Err(PromptError::DuplicateTool {
                name: tool.name().to_owned(),
                path: path(),
            });
        }
    }
    Ok(())
}

/// A variable without a value is a fault of the tree, whatever of it is shown: what the model opens is never in vain.
fn check_bindings(outline: &Outline<'_>) -> Result<(), PromptError> {
    let missing = |host: Host<'_>| {
        let mut variables = host.info.variables.iter();
        let name = variables.find(|variable| variable.missing)?;
        Some(PromptError::MissingValue {
            path: host
                .row
                .map_or_else(String::new, |id| outline.path(id).into()),
            name: name.source.to_string(),
        })
    };
    let rows = outline.iter().filter_map(|(id, row)| row.child(id));
    match outline.host(None).into_iter().chain(rows).find_map(missing) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The histories that are spliced in, by row.
pub(crate) fn spliced(outline: &Outline<'_>) -> Vec<(RowId, Vec<Message>)> {
    let messages = |(id, row): (RowId, &Row<'_>)| match row.content {
        Content::Messages(messages) => Some((id, messages.to_vec())),
        _ => None,
    };
    outline.iter().filter_map(messages).collect()
}

/// The text of each section without its subsections, by span, and that of the root. Together they are the whole text.
/// Blank lines before a section are part of its text: they come and go with it.
///
/// Spans are nested and sorted by where they begin, so one pass with a stack hands each stretch to the innermost span
/// around it.
pub(crate) fn fragments<'t>(
    spans: &[Span],
    outline: &Outline<'_>,
    text: &'t str,
) -> (Vec<Cow<'t, str>>, Cow<'t, str>) {
    let is_below = |inner: RowId, outer: RowId| outline.is_below(inner, outer);
    split(spans, is_below, text)
}

pub(crate) fn split<'t>(
    spans: &[Span],
    is_below: impl Fn(RowId, RowId) -> bool,
    text: &'t str,
) -> (Vec<Cow<'t, str>>, Cow<'t, str>) {
    let mut fragments = vec![Cow::Borrowed(""); spans.len()];
    let (mut base, mut at) = (Cow::Borrowed(""), 0);
    let mut open: Vec<usize> = Vec::new();
    let mut take = |owner: Option<&usize>, to: usize| {
        let piece = text.get(at..to).unwrap_or_default();
        at = at.max(to);
        let owner = owner.and_then(|owner| fragments.get_mut(*owner));
        // Mostly there is but one piece, which need not be copied.
        *owner.unwrap_or(&mut base) += piece;
    };
    for (index, span) in spans.iter().enumerate() {
        while let Some(outer) = open.last().and_then(|outer| spans.get(*outer)) {
            if is_below(span.row, outer.row) {
                break;
            }
            take(open.last(), outer.end);
            open.pop();
        }
        if span.end > span.start {
            let before = text.get(..span.start).unwrap_or_default();
            let last = open.last().and_then(|outer| spans.get(*outer));
            let floor = last.map_or(0, |outer| outer.body);
            take(open.last(), before.trim_end().len().max(floor));
        } else {
            take(open.last(), span.start);
        }
        open.push(index);
    }
    while let Some(index) = open.pop() {
        let end = spans.get(index).map_or(0, |span| span.end);
        take(Some(&index), end);
    }
    take(None, text.len());
    (fragments, base)
}

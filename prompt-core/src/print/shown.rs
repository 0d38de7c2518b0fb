//! What is shown of a tree that was met: the form of every row, and which tools that offers.

use super::{View, form, is_in_focus};
use crate::layout::Span;
use crate::messages::tool::ToolSpec;
use crate::node::{Form, Overrides};
use crate::print::rows::{Row, RowId, Rows, Standing, Table};
use std::{borrow::Cow, ops::Range};

/// The forms of all rows.
#[derive(Clone, Default)]
pub(crate) struct Shown {
    pub(crate) forms: Vec<Form>,
    /// Which rows a caller, or the model, opened.
    pub(crate) opened: Vec<bool>,
}

impl Shown {
    /// As the rows were met.
    pub(crate) fn met(rows: &Rows<'_>) -> Self {
        let of = |(_, row): (RowId, &Row<'_>)| (row.form, row.is_opened);
        let (forms, opened) = rows.iter().map(of).unzip();
        Self { forms, opened }
    }

    /// As several overrides say, of which the last one that speaks of a path wins.
    pub(crate) fn of(rows: &Rows<'_>, overrides: &[&Overrides], focus: Option<&str>) -> Self {
        let mut shown = Self::default();
        rows.each_path(|row, path| {
            let (form, is_opened) = form(path, row.is_list, row.declared, overrides, focus);
            shown.forms.push(form);
            shown.opened.push(is_opened);
        });
        shown
    }

    pub(crate) fn form(&self, id: RowId) -> Form {
        self.forms[id as usize]
    }

    pub(crate) fn is_opened(&self, id: RowId) -> bool {
        self.opened[id as usize]
    }
}

/// Whether `open_sections` may name each row.
pub(crate) fn openable(rows: &Rows<'_>, view: &View<'_>) -> Vec<bool> {
    let focus = view.focus.as_deref();
    if focus.is_none() {
        return rows.iter().map(|(_, row)| row.is_openable()).collect();
    }
    let mut openable = Vec::with_capacity(rows.len() as usize);
    rows.each_path(|row, path| openable.push(row.is_openable() && is_in_focus(path, focus)));
    openable
}

/// `open_sections`, if anything can be opened.
pub(crate) fn open_tool(rows: &Rows<'_>, view: &View<'_>) -> Option<ToolSpec> {
    let openable = openable(rows, view);
    let mut paths = rows
        .paths()
        .into_iter()
        .zip(openable)
        .filter_map(|(path, is_openable)| is_openable.then_some(path))
        .peekable();
    paths.peek()?;
    Some(view.look.wording.open_sections(&mut paths))
}

/// Of which rows the tools are offered: those that are shown in full, and, where opened sections travel in the results of
/// calls, those that may be opened.
#[derive(Default)]
pub(crate) struct Offers {
    rows: Vec<bool>,
}

impl Offers {
    /// From the outside in, so that no row climbs to the root.
    pub(crate) fn of(rows: &Rows<'_>, view: &View<'_>, forms: Option<&[Form]>) -> Self {
        if rows.tools.is_empty() {
            return Self::default();
        }
        let may_open = openable(rows, view);
        let (mut open, mut offered): (Vec<bool>, Vec<bool>) = (Vec::new(), Vec::new());
        let mut inside: Vec<bool> = Vec::new();
        for (id, row) in rows.iter() {
            let at = id as usize;
            let around = row.parent.map(|parent| parent as usize);
            let form = forms.map_or(row.form, |forms| forms[at]);
            let is_open = form == Form::Full && around.is_none_or(|around| open[around]);
            let is_inside =
                view.is_appended && (may_open[at] || around.is_some_and(|around| inside[around]));
            open.push(is_open);
            inside.push(is_inside);
            offered.push(is_open || is_inside);
        }
        Self { rows: offered }
    }

    /// Those of the root are always offered.
    pub(crate) fn are_of(&self, row: Option<RowId>) -> bool {
        row.is_none_or(|id| self.rows[id as usize])
    }
}

/// The owned half of the rows: what is shown of them as these forms say, of which some are less than was meant; or as they
/// were visited.
pub(crate) fn standing(
    rows: &Rows<'_>,
    view: &View<'_>,
    forms: Option<(&[Form], &[Form])>,
) -> Table {
    let paths = view.focus.as_ref().map(|_| rows.paths());
    let mut table = Table::with_capacity(rows.len() as usize);
    for (id, row) in rows.iter() {
        let at = id as usize;
        let (form, meant) = forms.map_or((row.form, row.form), |(forms, meant)| {
            (forms[at], meant[at])
        });
        let is_in_focus = paths
            .as_ref()
            .is_none_or(|paths| is_in_focus(&paths[at], view.focus.as_deref()));
        let standing = Standing {
            parent: row.parent,
            end: row.end,
            key: 0..0,
            form,
            is_openable: is_in_focus && row.is_openable(),
            is_in_focus,
            is_cut: form != meant,
            is_delivered: false,
            policy: row.policy(),
            location: row.info.location.map(Into::into),
        };
        table.push(&row.key, standing);
    }
    table
}

/// The text of each section without its subsections, by span, and that of the root. Together they are the whole text.
pub(crate) fn fragments<'t>(
    spans: &[Span],
    is_below: impl Fn(RowId, RowId) -> bool,
    text: &'t str,
) -> (Vec<Cow<'t, str>>, Cow<'t, str>) {
    let (mut fragments, mut base) = (vec![Cow::Borrowed(""); spans.len()], Cow::Borrowed(""));
    for (owner, range) in pieces(spans, is_below, text) {
        // Mostly there is but one piece, which need not be copied.
        *owner.map_or(&mut base, |owner| &mut fragments[owner]) += &text[range];
    }
    (fragments, base)
}

/// The text in pieces, in its order, each with the span that it belongs to. Blank lines before a section are part of its
/// text: they come and go with it.
///
/// Spans are nested and sorted by where they begin, so one pass with a stack hands each stretch to the innermost span
/// around it.
pub(crate) fn pieces(
    spans: &[Span],
    is_below: impl Fn(RowId, RowId) -> bool,
    text: &str,
) -> Vec<(Option<usize>, Range<usize>)> {
    let mut pieces = Vec::with_capacity(spans.len() + 1);
    let mut at = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut take = |owner: Option<usize>, to: usize| {
        if at < to {
            pieces.push((owner, at..to));
            at = to;
        }
    };
    for (index, span) in spans.iter().enumerate() {
        while let Some(last) = open.last() {
            let outer = &spans[*last];
            if is_below(span.row, outer.row) {
                break;
            }
            take(Some(*last), outer.end);
            open.pop();
        }
        if span.end > span.start {
            let before = text[..span.start].trim_end().len();
            let floor = open.last().map_or(0, |outer| spans[*outer].body);
            take(open.last().copied(), before.max(floor));
        } else {
            take(open.last().copied(), span.start);
        }
        open.push(index);
    }
    while let Some(index) = open.pop() {
        take(Some(index), spans[index].end);
    }
    take(None, text.len());
    pieces
}

//! What is shown: the form of every row, from what is declared, what a caller overrides, and the focus. No strings, no
//! printing.

use crate::error::PromptError;
use crate::node::{Location, Policy};
use crate::outline::{Index, Outline, RowId, nearest};
use crate::visibility::{Overrides, Visibility};
use std::borrow::Cow;

/// How a section is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In full.
    Full,
    /// Its short form; nothing inside it is shown.
    Summary,
    /// Not at all, with all that is inside it.
    Gone,
}

impl From<Visibility> for Form {
    fn from(visibility: Visibility) -> Self {
        match visibility {
            Visibility::Full => Self::Full,
            Visibility::Summary => Self::Summary,
        }
    }
}

impl Form {
    /// As it is told: what is not there counts as full, because nothing of it is summarised.
    pub(crate) fn visibility(self) -> Visibility {
        match self {
            Self::Summary => Visibility::Summary,
            Self::Full | Self::Gone => Visibility::Full,
        }
    }
}

/// The owned half of a row.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) parent: Option<RowId>,
    /// One past the last row inside it.
    pub(crate) end: RowId,
    pub(crate) key: Cow<'static, str>,
    /// How it is shown; what stands inside a row that is not shown in full is not shown.
    pub(crate) form: Form,
    /// Whether `open_sections` may name it.
    pub(crate) is_openable: bool,
    /// Whether it can be shown under the focus.
    pub(crate) is_in_focus: bool,
    /// Whether a budget reduced or dropped it.
    pub(crate) is_cut: bool,
    /// Whether the model was given it in the result of a call.
    pub(crate) is_delivered: bool,
    pub(crate) policy: Policy,
    pub(crate) location: Option<Location>,
}

/// What is shown of a tree.
#[derive(Clone)]
pub(crate) struct Shown {
    /// A form for each row. What stands inside a row that is not shown in full is not shown, whatever its own form.
    pub(crate) forms: Vec<Form>,
    /// The row that is in focus.
    pub(crate) focus: Option<RowId>,
    /// Which rows a caller, or the model, opened; empty where nobody did anything.
    pub(crate) opened: Vec<bool>,
}

impl Shown {
    /// The forms of a tree.
    ///
    /// # Errors
    /// A focus that is not in the tree.
    pub(crate) fn of(
        outline: &Outline<'_>,
        overrides: &[&Overrides],
        focus: Option<&str>,
    ) -> Result<Self, PromptError> {
        let declared = |is_list: bool, declared: Visibility| {
            if is_list { Form::Full } else { declared.into() }
        };
        let forms = outline
            .rows
            .iter()
            .map(|row| declared(row.is_list, row.declared));
        let mut shown = Self {
            forms: forms.collect(),
            focus: None,
            opened: Vec::new(),
        };
        if focus.is_none() && overrides.iter().all(|overrides| overrides.is_empty()) {
            return Ok(shown);
        }
        let index = Index::of(outline);
        shown.opened = vec![false; shown.forms.len()];
        for (path, visibility) in overrides.iter().flat_map(|overrides| overrides.iter()) {
            if let Some(id) = index.find(path) {
                shown.set(outline, id, visibility);
            }
        }
        if let Some(path) = focus {
            let id = index.find(path).ok_or_else(|| PromptError::UnknownPath {
                path: path.to_owned(),
                nearest: nearest(outline, path),
            })?;
            shown.focus_on(outline, id);
        }
        Ok(shown)
    }

    pub(crate) fn form(&self, id: RowId) -> Form {
        self.forms.get(id as usize).copied().unwrap_or(Form::Full)
    }

    pub(crate) fn is_opened(&self, id: RowId) -> bool {
        self.opened.get(id as usize) == Some(&true)
    }

    fn set(&mut self, outline: &Outline<'_>, id: RowId, visibility: Visibility) {
        let is_list = outline.row(id).is_some_and(|row| row.is_list);
        if let Some(form) = self.forms.get_mut(id as usize).filter(|_| !is_list) {
            *form = visibility.into();
        }
        if let Some(opened) = self.opened.get_mut(id as usize) {
            *opened = visibility == Visibility::Full;
        }
    }

    /// Shows only what leads to a row, and that row with all that is inside it.
    fn focus_on(&mut self, outline: &Outline<'_>, id: RowId) {
        let end = outline.row(id).map_or(id, |row| row.end);
        for (at, form) in (0..).zip(&mut self.forms) {
            if at < id || at >= end {
                *form = Form::Gone;
            }
        }
        for at in outline.around(id).chain([id]) {
            if let Some(form) = self.forms.get_mut(at as usize) {
                *form = Form::Full;
            }
        }
        self.focus = Some(id);
    }

    /// Whether a row is shown: it, and all that is around it.
    pub(crate) fn is_shown(&self, outline: &Outline<'_>, id: RowId) -> bool {
        self.form(id) != Form::Gone
            && outline
                .around(id)
                .all(|outer| self.form(outer) == Form::Full)
    }

    /// Whether a row can be shown under the focus: it leads there, or lies there.
    pub(crate) fn is_in_focus(&self, outline: &Outline<'_>, id: RowId) -> bool {
        self.focus.is_none_or(|focus| {
            focus == id || outline.is_below(id, focus) || outline.is_below(focus, id)
        })
    }
}

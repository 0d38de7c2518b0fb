//! What is to be shown of a tree, and how.

use crate::layout::Look;
use crate::node::{Collected, ContextForm};
use crate::node::{Form, Overrides, Visibility};

/// What is to be shown of a tree, and how.
#[derive(Clone, Default)]
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
    /// The collected texts, if any are to be printed.
    pub(crate) fn collecting(&self) -> Option<&Collected> {
        self.collected.filter(|collected| !collected.is_empty())
    }

    /// Whether paths decide what is shown.
    #[inline]
    pub(crate) fn asks_paths(&self) -> bool {
        self.overrides.is_some() || self.focus.is_some()
    }

    /// How the section at a path is shown, and whether somebody opened it. A list is always shown, its items are not.
    pub(crate) fn form(&self, path: &str, is_list: bool, declared: Visibility) -> (Form, bool) {
        if !self.asks_paths() {
            let form = if is_list { Form::Full } else { declared.into() };
            return (form, false);
        }
        form(
            path,
            is_list,
            declared,
            self.overrides.as_slice(),
            self.focus.as_deref(),
        )
    }
}

/// How the section at a path is shown under several overrides, and whether somebody opened it: the last override that
/// names the path wins.
pub(crate) fn form(
    path: &str,
    is_list: bool,
    declared: Visibility,
    overrides: &[&Overrides],
    focus: Option<&str>,
) -> (Form, bool) {
    let said = overrides
        .iter()
        .rev()
        .filter(|overrides| !overrides.is_empty())
        .find_map(|overrides| overrides.get(path));
    let is_opened = said == Some(Visibility::Full);
    let wanted = if is_list {
        Visibility::Full
    } else {
        said.unwrap_or(declared)
    };
    let form = match focus.map(|focus| focus_relation(path, focus)) {
        None | Some(FocusRelation::Inside) => wanted.into(),
        Some(FocusRelation::OnTheWay) => Form::Full,
        Some(FocusRelation::Beside) => Form::Gone,
    };
    (form, is_opened)
}

/// How a path stands to the one in focus.
enum FocusRelation {
    /// It leads there, or is it.
    OnTheWay,
    Inside,
    Beside,
}

fn focus_relation(path: &str, focus: &str) -> FocusRelation {
    let is_below = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if is_below(focus, path) {
        FocusRelation::OnTheWay
    } else if is_below(path, focus) {
        FocusRelation::Inside
    } else {
        FocusRelation::Beside
    }
}

/// Whether a row leads to the focus, is it, or lies in it.
pub(crate) fn is_in_focus(path: &str, focus: Option<&str>) -> bool {
    focus.is_none_or(|focus| !matches!(focus_relation(path, focus), FocusRelation::Beside))
}

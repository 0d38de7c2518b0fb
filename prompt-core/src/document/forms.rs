//! The form of a section, as declaration, overrides and focus say.

use crate::node::{Form, Overrides, Visibility};

/// The form of a section, and whether an override shows it in full. Of several overrides the last word stands. What is
/// whole has no other form.
pub(crate) fn form(
    path: &str,
    is_whole: bool,
    declared: Visibility,
    overrides: &[&Overrides],
    focus: Option<&str>,
) -> (Form, bool) {
    let mut newest_first = overrides.iter().rev();
    let set = newest_first.find_map(|overrides| overrides.get(path));
    let is_opened = set == Some(Visibility::Full);
    let wanted = if is_whole {
        Visibility::Full
    } else {
        set.unwrap_or(declared)
    };
    let form = match focus.map(|focus| relation(path, focus)) {
        None | Some(Relation::Inside) => wanted.into(),
        Some(Relation::OnTheWay) => Form::Full,
        Some(Relation::Beside) => Form::Gone,
    };
    (form, is_opened)
}

/// How a section stands to the one that has the focus.
enum Relation {
    /// It, or around it.
    OnTheWay,
    Inside,
    Beside,
}

fn relation(path: &str, focus: &str) -> Relation {
    let is_below = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if is_below(focus, path) {
        Relation::OnTheWay
    } else if is_below(path, focus) {
        Relation::Inside
    } else {
        Relation::Beside
    }
}

/// Whether something of a section is shown with this focus.
pub(crate) fn is_in_focus(path: &str, focus: Option<&str>) -> bool {
    focus.is_none_or(|focus| !matches!(relation(path, focus), Relation::Beside))
}

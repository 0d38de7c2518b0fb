//! Tasks: the kinds of call a program makes, as an enum of its own.

use crate::errors::diagnostics::UnknownName;
use prompt_syntax::Code;
use std::{fmt, str::FromStr};

/// The tasks of a program: one value per kind of call it makes to a model.
///
/// Derived on an enum without fields. The name of a task is its variant in snake case, or what
/// `#[task(name = "..")]` says; `#[task(category = "..")]` names the category whose entry in a
/// [`PromptConfig`](crate::assembly::PromptConfig) is taken where the task has none of its own. The derive also gives `FromStr`,
/// `Display`, and `ALL` and `as_str` as inherent items.
///
/// ```
/// use prompt_core::PromptTask;
///
/// #[derive(Clone, Copy, Debug, PartialEq, PromptTask)]
/// enum Task {
///     Translate,
///     #[task(category = "review")]
///     ReviewStyle,
///     #[task(category = "review", name = "review_facts")]
///     FactCheck,
/// }
///
/// assert_eq!(Task::ReviewStyle.as_str(), "review_style");
/// assert_eq!(Task::ReviewStyle.category(), Some("review"));
/// assert_eq!("review_facts".parse(), Ok(Task::FactCheck));
/// assert_eq!(Task::CATEGORIES, ["review"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt task",
    note = "write `#[derive(PromptTask)]` on the enum that lists the tasks"
)]
pub trait PromptTask:
    fmt::Display + FromStr<Err = UnknownName> + Send + Sync + Sized + 'static
{
    /// Every task, in declaration order.
    const ALL: &'static [Self];

    /// Every category that can have an entry in a config, in declaration order, each once.
    const CATEGORIES: &'static [&'static str];

    /// The name of the task, as configs have it.
    fn as_str(&self) -> &'static str;

    /// The category that the task falls back to.
    fn category(&self) -> Option<&'static str>;
}

/// The task or category of this name, as the text that lives as long as the program.
pub(super) fn entry_name<T: PromptTask>(name: &str) -> Option<&'static str> {
    entry_names::<T>().find(|known| *known == name)
}

/// What a config can have an entry for: all tasks, then all categories.
pub(super) fn entry_names<T: PromptTask>() -> impl Iterator<Item = &'static str> {
    T::ALL
        .iter()
        .map(T::as_str)
        .chain(T::CATEGORIES.iter().copied())
}

/// That a text names no task.
pub fn unknown_task<T: PromptTask>(name: &str) -> UnknownName {
    let fact = format!("unknown task `{name}`");
    UnknownName::new(Code::UnknownTask, fact, name, T::ALL.iter().map(T::as_str))
}

/// That an entry of a config is no task and no category.
pub(super) fn unknown_entry<T: PromptTask>(name: &str) -> UnknownName {
    let fact = format!("the prompt config entry `{name}` is no task and no category");
    UnknownName::new(Code::UnknownEntry, fact, name, entry_names::<T>())
}

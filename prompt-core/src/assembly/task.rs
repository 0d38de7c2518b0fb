//! Tasks: the kinds of call a program makes, as an enum of its own.

use prompt_syntax::{Code, nearest};
use std::{error::Error, fmt, str::FromStr};

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
    fmt::Display + FromStr<Err = UnknownTask> + Send + Sync + Sized + 'static
{
    /// Every task, in declaration order.
    const ALL: &'static [Self];

    /// Every category that can have an entry in a config, in declaration order, each once.
    const CATEGORIES: &'static [&'static str];

    /// The name of the task, as it stands in configs.
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

/// A text that names no task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTask {
    name: String,
    nearest: Option<&'static str>,
    known: Vec<&'static str>,
}

impl UnknownTask {
    /// The error for a `name` that is no task of `T`.
    pub fn new<T: PromptTask>(name: &str) -> Self {
        let known: Vec<&'static str> = T::ALL.iter().map(T::as_str).collect();
        Self {
            name: name.to_owned(),
            nearest: nearest(name, known.iter().copied()),
            known,
        }
    }

    /// Always [`Code::UnknownTask`].
    pub fn code(&self) -> Code {
        Code::UnknownTask
    }

    /// The name that was asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The task it was probably meant to be.
    pub fn nearest(&self) -> Option<&'static str> {
        self.nearest
    }
}

impl fmt::Display for UnknownTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown task `{}`", self.name)?;
        write_remedy(f, self.nearest, &self.known)
    }
}

impl Error for UnknownTask {}

/// The nearest name, or all of them where none is near.
pub(super) fn write_remedy(
    f: &mut fmt::Formatter<'_>,
    nearest: Option<&str>,
    known: &[&str],
) -> fmt::Result {
    match nearest {
        Some(name) => write!(f, "; did you mean `{name}`?"),
        None => write!(f, "; known are: {}", known.join(", ")),
    }
}

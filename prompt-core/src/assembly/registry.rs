//! Registry: which adapter adds what, for the exact pair of interface and task.

use super::{AdapterContext, AssemblyError, PromptTask};
use std::{any::TypeId, collections::HashMap, fmt, sync::Arc};

/// What an adapter adds to the texts of a task. An empty text adds nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterInstruction {
    /// Goes after the system text.
    pub system: String,
    /// Goes after the user text.
    pub user: String,
}

/// Makes the instruction of an adapter for one call.
pub type AdapterFactory =
    Arc<dyn Fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError> + Send + Sync>;

/// The adapter instructions of a program: lists of factories by interface and task, built once and then immutable.
///
/// Interfaces are compared byte by byte. Tasks are told apart by their enum and their name, so that two enums may use
/// one name. A clone shares the factories.
///
/// ```
/// # use prompt_core::assembly::AdapterContext;
/// # use prompt_core::assembly::AdapterInstruction;
/// # use prompt_core::PromptTask;
/// # use prompt_core::assembly::Registry;
/// #[derive(Clone, Copy, PromptTask)]
/// enum Task {
///     Grade,
/// }
/// let registry = Registry::builder()
///     .register("chat_api", Task::Grade, |context: &AdapterContext| {
///         let unit = context.text("unit").unwrap_or("points");
///         Ok(AdapterInstruction { system: format!("Grade in {unit}."), user: String::new() })
///     })
///     .build();
/// let context = AdapterContext::default().with("unit", "stars");
/// let added = registry.instructions("chat_api", &Task::Grade, &context)?;
/// assert_eq!(added[0].system, "Grade in stars.");
/// assert!(registry.instructions("Chat_API", &Task::Grade, &context)?.is_empty());
/// # Ok::<(), prompt_core::assembly::AssemblyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Arc<Entries>,
}

impl Registry {
    /// A registry to be filled.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// The factories of a pair, in registration order; none for an unknown pair.
    pub fn get<T: PromptTask>(&self, interface: &str, task: &T) -> &[AdapterFactory] {
        self.entries.get(interface, task)
    }

    /// Runs the factories of a pair, in registration order.
    ///
    /// # Errors
    ///
    /// [`AssemblyError::Adapter`] for the first factory that fails.
    pub fn instructions<T: PromptTask>(
        &self,
        interface: &str,
        task: &T,
        context: &AdapterContext,
    ) -> Result<Vec<AdapterInstruction>, AssemblyError> {
        let run = |(index, factory): (usize, &AdapterFactory)| {
            factory(context).map_err(|error| AssemblyError::Adapter {
                interface: interface.to_owned(),
                task: task.as_str(),
                index,
                source: Box::new(error),
            })
        };
        self.get(interface, task)
            .iter()
            .enumerate()
            .map(run)
            .collect()
    }

    pub(super) fn register<T: PromptTask>(
        &mut self,
        interface: String,
        task: &T,
        factory: AdapterFactory,
    ) {
        Arc::make_mut(&mut self.entries).insert(interface, task, factory);
    }
}

/// Fills a [`Registry`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct RegistryBuilder {
    registry: Registry,
}

impl RegistryBuilder {
    /// Adds a factory at the end of the list of a pair.
    ///
    /// The factory must work with any context, also an empty one; its error fails the assembly.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a task is a name: `Task::Grade` reads better than `&Task::Grade`"
    )]
    pub fn register<T, F>(mut self, interface: impl Into<String>, task: T, factory: F) -> Self
    where
        T: PromptTask,
        F: Fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError> + Send + Sync + 'static,
    {
        self.registry
            .register(interface.into(), &task, Arc::new(factory));
        self
    }

    /// The finished registry.
    #[must_use]
    pub fn build(self) -> Registry {
        self.registry
    }
}

/// Interfaces, then tasks, so that a look-up borrows the interface.
#[derive(Clone, Default)]
struct Entries(HashMap<String, HashMap<TaskKey, Vec<AdapterFactory>>>);

/// The enum of a task, and the task's name in it.
type TaskKey = (TypeId, &'static str);

impl Entries {
    fn get<T: PromptTask>(&self, interface: &str, task: &T) -> &[AdapterFactory] {
        let tasks = self.0.get(interface);
        tasks
            .and_then(|tasks| tasks.get(&task_key(task)))
            .map_or(&[], Vec::as_slice)
    }

    fn insert<T: PromptTask>(&mut self, interface: String, task: &T, factory: AdapterFactory) {
        self.0
            .entry(interface)
            .or_default()
            .entry(task_key(task))
            .or_default()
            .push(factory);
    }
}

fn task_key<T: PromptTask>(task: &T) -> TaskKey {
    (TypeId::of::<T>(), task.as_str())
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<(&str, &str, usize)> = self
            .0
            .iter()
            .flat_map(|(interface, tasks)| {
                tasks
                    .iter()
                    .map(move |((_, task), factories)| (interface.as_str(), *task, factories.len()))
            })
            .collect();
        pairs.sort_unstable();
        f.debug_set().entries(pairs).finish()
    }
}

//! The registry of the process, for adapters that register themselves.

use super::{
    AdapterContext, AdapterFactory, AdapterInstruction, AssemblyError, PromptTask, Registry,
};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

static GLOBAL: LazyLock<RwLock<Registry>> = LazyLock::new(RwLock::default);

/// The registry of the process: adapters add to it from anywhere, and an assembly takes a snapshot.
///
/// Prefer a [`Registry`] that the program builds and passes on: it says by itself what is in it. This one is for
/// adapters that are linked in and register themselves. A thread that panics while it registers harms no other.
///
/// ```
/// # use prompt_core::assembly::AdapterContext;
/// # use prompt_core::assembly::AdapterInstruction;
/// # use prompt_core::Assembler;
/// # use prompt_core::assembly::GlobalRegistry;
/// # use prompt_core::PromptTask;
/// #[derive(Clone, Copy, PromptTask)]
/// enum Task {
///     Grade,
/// }
/// GlobalRegistry::register("chat_api", Task::Grade, |_: &AdapterContext| {
///     Ok(AdapterInstruction { system: "Be brief.".into(), user: String::new() })
/// });
/// let registry = GlobalRegistry::snapshot();
/// let texts = Assembler::new(Task::Grade, "chat_api").registry(&registry).assemble_text("Grade it.", "Loaf 7")?;
/// assert_eq!(texts.0, "Grade it.\n\nBe brief.");
/// # Ok::<(), prompt_core::assembly::AssemblyError>(())
/// ```
#[derive(Debug)]
pub enum GlobalRegistry {}

impl GlobalRegistry {
    /// Adds a factory at the end of the list of a pair.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a task is a name: `Task::Grade` reads better than `&Task::Grade`"
    )]
    pub fn register<T, F>(interface: impl Into<String>, task: T, factory: F)
    where
        T: PromptTask,
        F: Fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError> + Send + Sync + 'static,
    {
        // Both calls run code of the caller, so neither happens under the lock.
        let (interface, factory) = (interface.into(), Arc::new(factory));
        GLOBAL
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .register(interface, &task, factory);
    }

    /// The factories of a pair, in registration order; none for an unknown pair.
    pub fn get<T: PromptTask>(interface: &str, task: &T) -> Vec<AdapterFactory> {
        Self::snapshot().get(interface, task).to_vec()
    }

    /// What is registered by now, as a registry that later calls do not change.
    #[must_use]
    pub fn snapshot() -> Registry {
        GLOBAL
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Removes everything, for tests. Snapshots keep what they have.
    pub fn clear() {
        *GLOBAL.write().unwrap_or_else(PoisonError::into_inner) = Registry::default();
    }
}

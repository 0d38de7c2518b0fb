//! Registry: which adapter adds what, for the exact pair of interface and task; and the context that its factories get.

use super::{AssemblyError, PromptTask};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What an adapter adds to the texts of a task. An empty text adds nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterInstruction {
    /// Goes after the system text.
    pub system: String,
    /// Goes after the user text.
    pub user: String,
}

/// Makes the instruction of an adapter for one call.
type AdapterFactory =
    Arc<dyn Fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError> + Send + Sync>;

/// The adapter instructions of a program: lists of factories by interface and task, built once and then immutable.
///
/// Interfaces are compared byte by byte. Tasks are identified by their enum and their name, so that two enums may use
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
/// let context = AdapterContext::default().value("unit", "stars");
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
        let tasks = self.entries.0.get(interface);
        let found = tasks.and_then(|tasks| tasks.iter().find(|(key, _)| *key == task_key(task)));
        found.map_or(&[], |(_, factories)| factories)
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
        let factories = self.get(interface, task).iter();
        factories.enumerate().map(run).collect()
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
        let entries = Arc::make_mut(&mut self.registry.entries);
        let tasks = entries.0.entry(interface.into()).or_default();
        let key = task_key(&task);
        match tasks.iter_mut().find(|(known, _)| *known == key) {
            Some((_, factories)) => factories.push(Arc::new(factory)),
            None => tasks.push((key, vec![Arc::new(factory)])),
        }
        self
    }

    /// Removes what is registered so far. Registries that were built keep what they have.
    pub fn clear(mut self) -> Self {
        self.registry = Registry::default();
        self
    }

    /// The finished registry.
    #[must_use]
    pub fn build(self) -> Registry {
        self.registry
    }

    /// The finished registry of a program that has these interfaces and no others: a name with a slip is an error, as it
    /// is for tasks.
    ///
    /// ```
    /// # use prompt_core::PromptTask;
    /// # use prompt_core::assembly::{AdapterContext, AdapterInstruction, Registry};
    /// # #[derive(Clone, Copy, PromptTask)]
    /// # enum Task {
    /// #     Grade,
    /// # }
    /// let brief = |_: &AdapterContext| Ok(AdapterInstruction::default());
    /// let registry = Registry::builder().register("Chat_API", Task::Grade, brief).build_for(&["chat_api", "manual"]);
    /// let fault = registry.unwrap_err().to_string();
    /// assert_eq!(fault, "`Chat_API` is no interface of this registry: did you mean `chat_api`?");
    /// ```
    ///
    /// # Errors
    ///
    /// [`AssemblyError::UnknownInterface`] for the first registered name, in order of the alphabet, that is none of these.
    pub fn build_for(self, interfaces: &[&str]) -> Result<Registry, AssemblyError> {
        let mut registered = self.registry.entries.0.keys().map(String::as_str);
        let unknown = registered.find(|name| !interfaces.contains(name));
        let Some(unknown) = unknown else {
            return Ok(self.registry);
        };
        let lower = unknown.to_lowercase();
        let same = interfaces.iter().find(|name| name.to_lowercase() == lower);
        let near = || prompt_syntax::nearest(unknown, interfaces.iter().copied());
        Err(AssemblyError::UnknownInterface {
            interface: unknown.to_owned(),
            nearest: same.copied().or_else(near).map(str::to_owned),
            known: interfaces.iter().map(|name| (*name).to_owned()).collect(),
        })
    }
}

/// Interfaces, then the tasks of each, which are few.
#[derive(Clone, Default)]
struct Entries(BTreeMap<String, Vec<(TaskKey, Vec<AdapterFactory>)>>);

/// The enum of a task, and the task's name in it.
type TaskKey = (TypeId, &'static str);

fn task_key<T: PromptTask>(task: &T) -> TaskKey {
    (TypeId::of::<T>(), task.as_str())
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.0.iter().flat_map(|(interface, tasks)| {
            let tasks = tasks.iter();
            tasks.map(move |((_, task), factories)| (interface, *task, factories.len()))
        });
        f.debug_set().entries(pairs).finish()
    }
}

// ---- the context of a call

/// The context that the factories of an adapter get: five keys with a type, and any number of free ones.
///
/// Every key may be absent, and a factory must work without. As serde data it is one flat object; `null` means absent,
/// and a value under a text key that is not a text is kept as its JSON text.
///
/// ```
/// use prompt_core::assembly::AdapterContext;
/// use serde_json::json;
///
/// let context = AdapterContext::default()
///     .value("json_schema", json!({ "type": "object" }))
///     .value("example_json", json!({ "grade": 3 }))
///     .value("unit", "metres");
/// assert_eq!(context.json_schema, Some(json!({ "type": "object" })));
/// assert_eq!(context.example_json.as_deref(), Some(r#"{"grade":3}"#));
/// assert_eq!(context.text("unit"), Some("metres"));
/// assert_eq!(context.text("zone"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
#[non_exhaustive]
pub struct AdapterContext {
    /// The JSON schema that the answer must conform to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_schema: Option<Value>,
    /// How the answer must be written, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format_instructions: Option<String>,
    /// An example of the answer, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example_json: Option<String>,
    /// A short hint at the shape of the answer, for adapters that show no example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_format_hint: Option<String>,
    /// What to mind when the answer is taken apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parsing_notes: Option<String>,
    /// Private, so that no typed key can be here as well.
    #[serde(flatten)]
    free: Map<String, Value>,
}

impl AdapterContext {
    /// The same with a value under `key`, typed or free; `null` removes it.
    #[must_use]
    pub fn value(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(key.into(), value.into());
        self
    }

    fn set(&mut self, key: String, value: Value) {
        if key == "json_schema" {
            self.json_schema = Some(value).filter(|schema| !schema.is_null());
        } else if let Some(field) = self.text_field(&key) {
            *field = into_text(value);
        } else if value.is_null() {
            self.free.shift_remove(&key);
        } else {
            self.free.insert(key, value);
        }
    }

    fn text_field(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "format_instructions" => Some(&mut self.format_instructions),
            "example_json" => Some(&mut self.example_json),
            "output_format_hint" => Some(&mut self.output_format_hint),
            "parsing_notes" => Some(&mut self.parsing_notes),
            _ => None,
        }
    }

    /// The text under `key`, typed or free; `None` if it is absent or not a text.
    pub fn text(&self, key: &str) -> Option<&str> {
        match key {
            "format_instructions" => self.format_instructions.as_deref(),
            "example_json" => self.example_json.as_deref(),
            "output_format_hint" => self.output_format_hint.as_deref(),
            "parsing_notes" => self.parsing_notes.as_deref(),
            _ => self.get(key).and_then(Value::as_str),
        }
    }

    /// The value under a free `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.free.get(key)
    }
}

impl<'a> From<&'a AdapterContext> for Cow<'a, AdapterContext> {
    fn from(context: &'a AdapterContext) -> Self {
        Cow::Borrowed(context)
    }
}

impl From<AdapterContext> for Cow<'_, AdapterContext> {
    fn from(context: AdapterContext) -> Self {
        Cow::Owned(context)
    }
}

impl From<Map<String, Value>> for AdapterContext {
    fn from(values: Map<String, Value>) -> Self {
        let empty = Self::default();
        values
            .into_iter()
            .fold(empty, |context, (key, value)| context.value(key, value))
    }
}

fn into_text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

//! The user's instructions, by task or category: JSON or TOML comes in, the assembler asks for the text of its task.

use super::task::{entry_name, unknown_entry};
use super::{AssemblyError, PromptTask};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use std::{collections::BTreeMap, fmt, marker::PhantomData};

/// Instructions of the user of a program: a text per task, or per category of tasks.
///
/// As data it is one flat object of texts; `null` is no entry. A name that is no task and no category is an
/// error. It is serde data as well, to be a part of a larger config.
///
/// ```
/// use prompt_core::assembly::PromptConfig;
/// use prompt_core::PromptTask;
///
/// #[derive(Clone, Copy, PromptTask)]
/// enum Task {
///     Translate,
///     #[task(category = "review")]
///     ReviewStyle,
///     #[task(category = "review")]
///     ReviewFacts,
/// }
///
/// let config = PromptConfig::<Task>::from_json(r#"{ "review": "Be mild.", "review_facts": "" }"#)?;
/// assert_eq!(config.resolve("review_style"), Some("Be mild."));
/// assert_eq!(config.resolve("review_facts"), Some(""), "an empty text counts, and stops the fallback");
/// assert_eq!(config.resolve("translate"), None);
///
/// let error = PromptConfig::<Task>::from_json(r#"{ "translat": "x" }"#).unwrap_err();
/// assert!(error.to_string().ends_with("did you mean `translate`?"));
/// # Ok::<(), prompt_core::assembly::AssemblyError>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(
    try_from = "RawEntries",
    bound(serialize = "", deserialize = "T: PromptTask")
)]
pub struct PromptConfig<T> {
    #[serde(flatten)]
    entries: BTreeMap<&'static str, String>,
    #[serde(skip)]
    task: PhantomData<fn() -> T>,
}

impl<T: PromptTask> PromptConfig<T> {
    /// A config without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a JSON object.
    ///
    /// # Errors
    ///
    /// [`AssemblyError::InvalidConfig`] for broken JSON and values that are no text, [`AssemblyError::UnknownEntries`]
    /// with every unknown name, [`AssemblyError::DuplicateEntry`].
    pub fn from_json(json: &str) -> Result<Self, AssemblyError> {
        let raw: RawEntries =
            serde_json::from_str(json).map_err(|error| AssemblyError::InvalidConfig {
                format: "JSON",
                message: error.to_string(),
            })?;
        raw.try_into()
    }

    /// Reads a TOML table.
    ///
    /// # Errors
    ///
    /// As [`PromptConfig::from_json`].
    #[cfg(feature = "toml")]
    pub fn from_toml(toml: &str) -> Result<Self, AssemblyError> {
        let raw: RawEntries =
            toml::from_str(toml).map_err(|error| AssemblyError::InvalidConfig {
                format: "TOML",
                message: error.to_string(),
            })?;
        raw.try_into()
    }

    /// Reads a TOML table; there with the feature `toml`.
    ///
    /// # Errors
    ///
    /// It never returns.
    #[cfg(not(feature = "toml"))]
    #[expect(clippy::needless_pass_by_value, reason = "nothing can be passed")]
    pub fn from_toml(toml: impl crate::errors::feature::NeedsToml) -> Result<Self, AssemblyError> {
        toml.never()
    }

    /// The same with a text for a task or category; a text that was there is replaced.
    ///
    /// # Errors
    ///
    /// [`AssemblyError::UnknownEntries`] if `name` is neither.
    pub fn entry(mut self, name: &str, text: impl Into<String>) -> Result<Self, AssemblyError> {
        let Some(known) = entry_name::<T>(name) else {
            let unknown = unknown_entry::<T>(name);
            return Err(AssemblyError::UnknownEntries(vec![unknown]));
        };
        self.entries.insert(known, text.into());
        Ok(self)
    }

    /// The same with a text for a task; a text that was there is replaced.
    #[must_use]
    pub fn task(mut self, task: &T, text: impl Into<String>) -> Self {
        self.entries.insert(task.as_str(), text.into());
        self
    }

    /// The text for a task or category: its own entry, even an empty one; else, for a task, its category's; else none.
    /// An unknown name has none.
    pub fn resolve(&self, name: &str) -> Option<&str> {
        self.own(name).or_else(|| {
            let task = T::ALL.iter().find(|task| task.as_str() == name)?;
            self.own(task.category()?)
        })
    }

    /// The text for a task, as [`PromptConfig::resolve`] finds it.
    pub fn resolve_task(&self, task: &T) -> Option<&str> {
        self.own(task.as_str())
            .or_else(|| self.own(task.category()?))
    }

    fn own(&self, name: &str) -> Option<&str> {
        self.entries.get(name).map(String::as_str)
    }
}

// By hand, because the derives would ask the same of `T`, of which a config holds nothing.
impl<T> Default for PromptConfig<T> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            task: PhantomData,
        }
    }
}

impl<T> Clone for PromptConfig<T> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            task: PhantomData,
        }
    }
}

impl<T> PartialEq for PromptConfig<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<T> Eq for PromptConfig<T> {}

impl<T> fmt::Debug for PromptConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PromptConfig").field(&self.entries).finish()
    }
}

/// The entries as they were written: in order, names unchecked, duplicates included.
struct RawEntries(Vec<(String, Option<String>)>);

impl<'de> Deserialize<'de> for RawEntries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawEntries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a text per task or category")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawEntries, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(RawEntries(entries))
    }
}

impl<T: PromptTask> TryFrom<RawEntries> for PromptConfig<T> {
    type Error = AssemblyError;

    fn try_from(raw: RawEntries) -> Result<Self, AssemblyError> {
        let mut config = Self::default();
        let mut unknown = Vec::new();
        // Nulls count here too: a name twice is a mistake whatever its values are.
        let mut seen: BTreeMap<&'static str, Option<String>> = BTreeMap::new();
        for (name, text) in raw.0 {
            match entry_name::<T>(&name) {
                None => unknown.push(unknown_entry::<T>(&name)),
                Some(known) if seen.contains_key(known) => {
                    return Err(AssemblyError::DuplicateEntry { name });
                }
                Some(known) => drop(seen.insert(known, text)),
            }
        }
        if !unknown.is_empty() {
            return Err(AssemblyError::UnknownEntries(unknown));
        }
        let texts = seen.into_iter();
        config.entries = texts
            .filter_map(|(name, text)| Some((name, text?)))
            .collect();
        Ok(config)
    }
}

//! Visibility: whether a section is shown in full or as its summary, and the overrides of a caller.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Borrow, collections::BTreeMap, fmt};

/// How a section is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Introduction, child, subsections, own tools.
    #[default]
    Full,
    /// Heading and summary.
    Summary,
}

/// How a section stands: in one of its two forms, or not at all.
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

/// What a caller wants shown otherwise than declared: section path -> visibility, in the order in which the paths came.
///
/// The last word on a path stands: a caller's entry wins over the declaration, and in [`merge`](Self::merge) the newer
/// one over the older, so what the model opened goes over what the caller set. Paths that are not in the tree are ignored
/// when rendering, because a saved conversation may outlive a section; [`Overrides::check`] lists them. Two are equal if
/// they say the same of the same paths, in whatever order.
///
/// ```
/// use prompt_core::Overrides;
/// use prompt_core::Visibility;
///
/// let mut overrides = Overrides::default();
/// overrides.open("style_guide").close("rules");
/// assert_eq!(overrides.get("rules"), Some(Visibility::Summary));
///
/// let saved = serde_json::to_string(&overrides)?;
/// assert_eq!(saved, r#"{"style_guide":"full","rules":"summary"}"#);
/// assert_eq!(serde_json::from_str::<Overrides>(&saved)?, overrides);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// By path; each with a number that grows with every new path.
    entries: BTreeMap<String, (u64, Visibility)>,
    next: u64,
}

impl Overrides {
    /// Shows the section at `path` in full.
    pub fn open(&mut self, path: impl Into<String>) -> &mut Self {
        self.set(path, Visibility::Full)
    }

    /// Shows the section at `path` as its summary.
    pub fn close(&mut self, path: impl Into<String>) -> &mut Self {
        self.set(path, Visibility::Summary)
    }

    /// Sets the visibility of the section at `path`. A path that is there already keeps its place.
    pub fn set(&mut self, path: impl Into<String>, visibility: Visibility) -> &mut Self {
        let entry = self.entries.entry(path.into());
        let (_, known) = entry.or_insert((self.next, visibility));
        *known = visibility;
        self.next += 1;
        self
    }

    /// Returns the section at `path` to its declared visibility.
    pub fn clear(&mut self, path: &str) -> &mut Self {
        self.entries.remove(path);
        self
    }

    /// The same for the section at `path` and all below it.
    pub fn clear_from(&mut self, path: &str) -> &mut Self {
        let is_below = |other: &str| {
            let rest = other.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.entries.retain(|other, _| !is_below(other));
        self
    }

    /// Takes over every entry of `newer`, which wins where both speak of one path.
    pub fn merge(&mut self, newer: impl Borrow<Self>) -> &mut Self {
        for (path, visibility) in newer.borrow().iter() {
            self.set(path, visibility);
        }
        self
    }

    /// The override for exactly this path.
    pub fn get(&self, path: &str) -> Option<Visibility> {
        Some(self.entries.get(path)?.1)
    }

    /// Whether nothing is overridden.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many paths are overridden.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries in the order in which their paths came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Visibility)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_unstable_by_key(|(_, (number, _))| *number);
        let entries = entries.into_iter();
        entries.map(|(path, (_, visibility))| (path.as_str(), *visibility))
    }
}

impl PartialEq for Overrides {
    fn eq(&self, other: &Self) -> bool {
        let mut entries = self.iter();
        self.len() == other.len()
            && entries.all(|(path, visibility)| other.get(path) == Some(visibility))
    }
}

impl Eq for Overrides {}

impl<P: Into<String>> FromIterator<(P, Visibility)> for Overrides {
    fn from_iter<I: IntoIterator<Item = (P, Visibility)>>(entries: I) -> Self {
        let mut overrides = Self::default();
        for (path, visibility) in entries {
            overrides.set(path, visibility);
        }
        overrides
    }
}

impl Serialize for Overrides {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Overrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// Reads the entries of a map in their order.
struct InOrder;

impl<'de> de::Visitor<'de> for InOrder {
    type Value = Overrides;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from section paths to `full` or `summary`")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Overrides, A::Error> {
        let mut overrides = Overrides::default();
        while let Some((path, visibility)) = map.next_entry::<String, Visibility>()? {
            if overrides.get(&path).is_some() {
                return Err(de::Error::custom(format_args!("`{path}` stands twice")));
            }
            overrides.set(path, visibility);
        }
        Ok(overrides)
    }
}

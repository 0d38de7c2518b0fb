//! Visibility: whether a section is shown in full or as its summary, and the overrides of a caller.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// What a caller wants shown otherwise than declared: section path -> visibility.
///
/// The last word on a path stands: a caller's entry wins over the declaration, and in [`merge`](Self::merge) the newer
/// one over the older, so what the model opened goes over what the caller set. Paths that are not in the tree are ignored
/// when rendering, because a saved conversation may outlive a section; [`Overrides::check`] lists them. As JSON it is
/// one object from paths to `"full"` or `"summary"`.
///
/// ```
/// use prompt_core::{Overrides, Visibility};
///
/// let mut overrides = Overrides::default();
/// overrides.open("style_guide");
/// overrides.close("rules");
/// assert_eq!(overrides.get("rules"), Some(Visibility::Summary));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overrides {
    paths: BTreeMap<String, Visibility>,
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

    /// Sets the visibility of the section at `path`.
    pub fn set(&mut self, path: impl Into<String>, visibility: Visibility) -> &mut Self {
        self.paths.insert(path.into(), visibility);
        self
    }

    /// Returns the section at `path` to its declared visibility.
    pub fn clear(&mut self, path: &str) -> &mut Self {
        self.paths.remove(path);
        self
    }

    /// Takes over every entry of `newer`, which wins where both speak of one path.
    pub fn merge(&mut self, newer: &Self) -> &mut Self {
        self.paths.extend(newer.paths.iter().map(|(path, visibility)| (path.clone(), *visibility)));
        self
    }

    /// The override for exactly this path.
    pub fn get(&self, path: &str) -> Option<Visibility> {
        self.paths.get(path).copied()
    }

    /// Whether nothing is overridden.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The entries in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Visibility)> {
        self.paths.iter().map(|(path, visibility)| (path.as_str(), *visibility))
    }
}

impl<P: Into<String>> FromIterator<(P, Visibility)> for Overrides {
    fn from_iter<I: IntoIterator<Item = (P, Visibility)>>(entries: I) -> Self {
        Self { paths: entries.into_iter().map(|(path, visibility)| (path.into(), visibility)).collect() }
    }
}

//! Paths of sections: the keys from the root on, joined by dots.

use super::SectionId;

/// The path of a section.
pub(crate) fn path_of<'k, I>(id: I, section: impl Fn(I) -> (Option<I>, &'k str)) -> String {
    let mut path = String::new();
    write_path(id, &section, &mut path);
    path
}

/// Appends the path of a section.
pub(crate) fn write_path<'k, I>(
    id: I,
    section: &impl Fn(I) -> (Option<I>, &'k str),
    out: &mut String,
) {
    let (parent, key) = section(id);
    if let Some(parent) = parent {
        write_path(parent, section, out);
        out.push('.');
    }
    out.push_str(key);
}

/// The paths of sections of which each stands behind the one around it.
pub(crate) fn all_paths<'k>(
    sections: impl Iterator<Item = (Option<SectionId>, &'k str)>,
) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for (parent, key) in sections {
        let path = match parent {
            Some(parent) => [&paths[parent as usize], ".", key].concat(),
            None => key.to_owned(),
        };
        paths.push(path);
    }
    paths
}

/// The path that was meant by one that is none: one that is spelled alike, or has the same last key.
pub(crate) fn nearest_of<'p>(
    path: &str,
    mut paths: impl Iterator<Item = &'p str> + Clone,
) -> Option<&'p str> {
    fn last(path: &str) -> &str {
        path.rsplit('.').next().unwrap_or_default().trim()
    }
    let mut same_key = paths.clone().filter(|known| last(known) == last(path));
    let nearest = prompt_syntax::nearest(path.trim(), paths.clone()).or_else(|| same_key.next());
    nearest.or_else(|| {
        let key = prompt_syntax::nearest(last(path), paths.clone().map(last))?;
        paths.find(|known| last(known) == key)
    })
}

/// Finds sections by their paths, however many there are.
pub(crate) struct Index<'k> {
    sections: Vec<((Option<SectionId>, &'k str), SectionId)>,
}

impl<'k> FromIterator<(Option<SectionId>, &'k str)> for Index<'k> {
    fn from_iter<I: IntoIterator<Item = (Option<SectionId>, &'k str)>>(sections: I) -> Self {
        let mut sections: Vec<_> = sections.into_iter().zip(0..).collect();
        sections.sort_unstable();
        Self { sections }
    }
}

impl Index<'_> {
    /// The section with this path.
    pub(crate) fn find(&self, path: &str) -> Option<SectionId> {
        let mut at = None;
        for key in path.split('.') {
            at = Some(self.child(at, key)?);
        }
        at
    }

    /// The section with this key directly inside another, or at the top.
    pub(crate) fn child(&self, parent: Option<SectionId>, key: &str) -> Option<SectionId> {
        let found = self
            .sections
            .binary_search_by_key(&(parent, key), |(section, _)| *section);
        Some(self.sections[found.ok()?].1)
    }
}

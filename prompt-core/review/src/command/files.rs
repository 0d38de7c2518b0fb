//! Which files are meant: a file, `-` for the standard input, a folder with all prompt files below it, or a pattern with
//! `*` and `?`, where `**` stands for any folders.

use super::arguments::Kind;
use super::source::Failure;
use glob::{MatchOptions, Pattern};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The files that are meant, in the order of the words; those of a folder or a pattern sorted by name, hidden ones left
/// out. A word that means none is a failure of its own.
pub(super) fn expand<'w>(
    words: impl IntoIterator<Item = &'w OsString>,
) -> Vec<Result<PathBuf, Failure>> {
    words.into_iter().flat_map(|word| of(word)).collect()
}

/// The folder in which a word means files, and the pattern that they fit; `None` of a word that means one file.
pub(super) fn folder(word: &OsStr) -> Option<(PathBuf, Option<Pattern>)> {
    let path = Path::new(word);
    if path.is_dir() {
        return Some((path.to_owned(), None));
    }
    let has_wildcard = |name: &OsStr| name.to_string_lossy().contains(['*', '?']);
    if path.exists() || !has_wildcard(word) {
        return None;
    }
    // What stands before the first name with a wildcard is the folder.
    let plain = path.iter().take_while(|name| !has_wildcard(name)).count();
    let folder: PathBuf = path.iter().take(plain).collect();
    let pattern: PathBuf = path.iter().skip(plain).collect();
    let pattern = Pattern::new(pattern.to_str()?).ok()?;
    Some((Path::new(".").join(folder), Some(pattern)))
}

/// The hidden folders below those that are meant, which are left out. That of git has no prompts.
pub(super) fn hidden(words: &[OsString]) -> Vec<PathBuf> {
    let mut hidden = Vec::new();
    for (folder, _) in words.iter().filter_map(|word| self::folder(word)) {
        let walk = WalkDir::new(folder).sort_by_file_name().follow_links(true);
        let walk = walk.into_iter().filter_entry(|entry| {
            let is_left_out = entry.depth() > 0 && is_hidden(entry);
            if is_left_out && entry.file_type().is_dir() && entry.file_name() != ".git" {
                let path = entry.path().strip_prefix(".").unwrap_or(entry.path());
                hidden.push(path.to_owned());
            }
            !is_left_out
        });
        walk.for_each(drop);
    }
    hidden
}

/// The prompt files below a folder by their names in it, and what cannot be looked at.
pub(super) fn below(folder: &OsStr) -> (BTreeMap<PathBuf, PathBuf>, Vec<Failure>) {
    let start = Path::new(folder);
    let start = start.strip_prefix(".").unwrap_or(start);
    let (mut files, mut failures) = (BTreeMap::new(), Vec::new());
    for file in of(folder) {
        match file {
            Ok(file) => {
                let name = file.strip_prefix(start).unwrap_or(&file);
                files.insert(name.to_owned(), file.clone());
            }
            Err(failure) => failures.push(failure),
        }
    }
    (files, failures)
}

fn of(word: &OsStr) -> Vec<Result<PathBuf, Failure>> {
    let Some((folder, pattern)) = folder(word) else {
        return vec![Ok(PathBuf::from(word))];
    };
    let is_wanted = |path: &Path| match &pattern {
        Some(pattern) => {
            let below = path.strip_prefix(&folder).unwrap_or(path);
            pattern.matches_with(&below.to_string_lossy(), BY_NAME)
        }
        None => Kind::of(path).is_some(),
    };
    let walk = WalkDir::new(&folder).sort_by_file_name().follow_links(true);
    let walk = walk.into_iter();
    let walk = walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry));
    let mut found = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_dir() || !is_wanted(entry.path()) => {}
            // `./a` is called `a`.
            Ok(entry) => {
                let path = entry.path().strip_prefix(".").unwrap_or(entry.path());
                found.push(Ok(path.to_owned()));
            }
            // A link that leads back into a folder around it has nothing new.
            Err(error) if error.loop_ancestor().is_some() => {}
            // It hides what is in it, and nothing else.
            Err(error) => {
                let path = error.path().filter(|_| error.depth() > 0);
                let path = path.map_or(word, Path::as_os_str).display().to_string();
                found.push(Err(Failure::Unreadable(path, error.into())));
            }
        }
    }
    if found.is_empty() {
        let fact = format!("{}: there is no prompt file", word.display());
        found.push(Err(Failure::Unsupported(fact)));
    }
    found
}

/// A wildcard stands for a part of one name.
const BY_NAME: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with('.')
}

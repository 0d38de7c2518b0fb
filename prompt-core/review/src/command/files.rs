//! Which files are meant: a file, `-` for the standard input, a folder with all prompt files below it, or a pattern with
//! `*` and `?`, where `**` stands for any folders.

use super::arguments::Kind;
use super::source::Failure;
use glob::{MatchOptions, Pattern};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// What words mean.
#[derive(Default)]
pub(super) struct Meant {
    /// In the order of the words; those of a folder or a pattern sorted by name. A word that means none is a failure of its own.
    pub(super) files: Vec<Result<PathBuf, Failure>>,
    /// Hidden files and folders that are left out.
    pub(super) hidden: Vec<PathBuf>,
}

/// The files that are meant.
pub(super) fn expand<'w>(words: impl IntoIterator<Item = &'w OsString>) -> Meant {
    let mut meant = Meant::default();
    for word in words {
        let before = meant.files.len();
        meant.add(word);
        if meant.files.len() == before {
            let (name, fact) = (word.display().to_string(), "there is no prompt file");
            let none = Failure::Unusable(name, None, fact.to_owned());
            meant.files.push(Err(none));
        }
    }
    let Meant { files, hidden } = &mut meant;
    hidden.retain(|path| !files.iter().flatten().any(|file| file == path));
    meant
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

/// The prompt files below a folder by their names in it, and what cannot be looked at.
pub(super) fn below(folder: &OsStr) -> (BTreeMap<PathBuf, PathBuf>, Vec<Failure>) {
    let start = Path::new(folder);
    let start = start.strip_prefix(".").unwrap_or(start);
    let (mut files, mut failures) = (BTreeMap::new(), Vec::new());
    let mut meant = Meant::default();
    meant.add(folder);
    for file in meant.files {
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

impl Meant {
    fn add(&mut self, word: &OsStr) {
        let Some((folder, pattern)) = folder(word) else {
            return self.files.push(Ok(PathBuf::from(word)));
        };
        let wanted = Wanted::new(&folder, pattern);
        let mut walk = WalkDir::new(&folder)
            .sort_by_file_name()
            .follow_links(true)
            .into_iter();
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // A link that leads back into a folder around it has nothing new.
                Err(error) if error.loop_ancestor().is_some() => continue,
                // It hides what is in it, and nothing else.
                Err(error) => {
                    let path = error.path().filter(|_| error.depth() > 0);
                    if path.is_some_and(|path| !wanted.may_have(path)) {
                        continue;
                    }
                    let path = path.map_or(Path::new(word), |path| {
                        path.strip_prefix(".").unwrap_or(path)
                    });
                    let path = path.display().to_string();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| ErrorKind::Other.into());
                    self.files.push(Err(Failure::Unreadable(path, error)));
                    continue;
                }
            };
            // `./a` is called `a`.
            let path = entry.path().strip_prefix(".").unwrap_or(entry.path());
            if entry.file_type().is_dir() {
                let is_git = entry.depth() > 0 && entry.file_name() == GIT;
                let is_left_out = is_hidden(&entry) && !wanted.names_hidden();
                if is_git || is_left_out {
                    walk.skip_current_dir();
                }
                if is_left_out && !is_git && wanted.reaches(&entry) {
                    self.hidden.push(path.to_owned());
                }
            } else if !entry.file_type().is_file() {
                // Of a pipe or a device nobody knows when it ends.
            } else if wanted.has(&entry) {
                self.files.push(Ok(path.to_owned()));
            } else if wanted.would_have(entry.path()) {
                self.hidden.push(path.to_owned());
            }
        }
    }
}

/// The repository of git has no prompts.
const GIT: &str = ".git";

/// The files of a folder that are meant.
struct Wanted<'f> {
    folder: &'f Path,
    pattern: Option<Pattern>,
}

impl<'f> Wanted<'f> {
    fn new(folder: &'f Path, pattern: Option<Pattern>) -> Self {
        Self { folder, pattern }
    }

    /// Whether a pattern has a name that begins with a dot.
    fn names_hidden(&self) -> bool {
        let pattern = self.pattern.as_ref().map(Pattern::as_str);
        pattern.is_some_and(|pattern| pattern.split('/').any(|name| name.starts_with('.')))
    }

    fn has(&self, entry: &DirEntry) -> bool {
        match &self.pattern {
            Some(_) if is_hidden(entry) && !self.names_hidden() => false,
            Some(_) => self.fits(entry.path(), true),
            None => !is_hidden(entry) && self.would_have(entry.path()),
        }
    }

    /// Whether it would be one if it were not hidden.
    fn would_have(&self, path: &Path) -> bool {
        match &self.pattern {
            Some(_) => self.fits(path, false),
            None => Kind::of(path).is_some(),
        }
    }

    /// Whether what is in a folder may be meant.
    fn reaches(&self, folder: &DirEntry) -> bool {
        let pattern = self.pattern.as_ref().map(Pattern::as_str);
        pattern.is_none_or(|pattern| {
            pattern.contains("**") || folder.depth() < pattern.split('/').count()
        })
    }

    /// Whether it, or what is in it, may be meant: one that cannot be looked at.
    fn may_have(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_hidden = name.starts_with('.') && !self.names_hidden();
        let is_deep = |pattern: &Pattern| pattern.as_str().contains('/');
        let is_folder = !path.is_symlink() && self.pattern.as_ref().is_none_or(is_deep);
        !is_hidden && (is_folder || self.would_have(path))
    }

    fn fits(&self, path: &Path, require_literal_leading_dot: bool) -> bool {
        let below = path.strip_prefix(self.folder).unwrap_or(path);
        // A wildcard stands for a part of one name.
        let by_name = MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot,
        };
        let pattern = self.pattern.as_ref();
        pattern.is_some_and(|pattern| pattern.matches_with(&below.to_string_lossy(), by_name))
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.')
}

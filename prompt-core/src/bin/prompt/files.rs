//! Which files are meant: a file, `-` for the standard input, a folder with all prompt files below it, or a pattern with
//! `*` and `?`, where `**` stands for any folders.

use super::source::{Failure, has_extension};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The endings of prompt files.
pub(super) const ENDINGS: [&str; 3] = ["json", "toml", "md"];

/// The files that are meant, in the order of the words; those of a folder or a pattern sorted by name, hidden ones left
/// out. A word that means none is a failure of its own.
pub(super) fn expand(words: &[OsString]) -> Vec<Result<PathBuf, Failure>> {
    words.iter().flat_map(|word| of(word)).collect()
}

fn of(word: &OsStr) -> Vec<Result<PathBuf, Failure>> {
    let path = Path::new(word);
    let text = word.to_string_lossy();
    let is_pattern = text.contains(['*', '?']) && !path.exists();
    if !is_pattern && !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let mut found = Vec::new();
    let walked = if is_pattern {
        // What stands before the first name with a wildcard is a folder.
        let steps: Vec<&str> = text.split('/').collect();
        let plain = steps
            .iter()
            .take_while(|step| !step.contains(['*', '?']))
            .count();
        let base = steps[..plain].join("/");
        let base = match (plain, base.is_empty()) {
            (0, _) => Path::new("."),
            (_, true) => Path::new("/"),
            _ => Path::new(&base),
        };
        walk(
            base,
            &mut |path| {
                let below = path.strip_prefix(base).unwrap_or(path);
                let names: Vec<_> = below.iter().map(OsStr::to_string_lossy).collect();
                let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
                matches(&steps[plain..], &names)
            },
            &mut found,
        )
    } else {
        let is_prompt = |path: &Path| {
            let name = path.to_string_lossy();
            ENDINGS.iter().any(|ending| has_extension(&name, ending))
        };
        walk(path, &mut |path| is_prompt(path), &mut found)
    };
    if let Err(error) = walked {
        return vec![Err(Failure::Unreadable(text.into_owned(), error))];
    }
    if found.is_empty() {
        return vec![Err(Failure::Unsupported(format!(
            "{text}: there is no prompt file"
        )))];
    }
    found.sort();
    found.into_iter().map(Ok).collect()
}

/// All files below a folder that are wanted. Links to folders are not followed: they may lead in a circle.
fn walk(
    folder: &Path,
    is_wanted: &mut dyn FnMut(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // `./a` is called `a`.
        let path = match folder {
            here if here == Path::new(".") => PathBuf::from(entry.file_name()),
            _ => entry.path(),
        };
        if kind.is_dir() {
            walk(&path, is_wanted, found)?;
        } else if is_wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether names of folders and of a file fit a pattern.
fn matches(pattern: &[&str], names: &[&str]) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => (0..=names.len()).any(|skip| matches(rest, &names[skip..])),
        (Some((first, pattern)), Some((name, names))) => {
            fits(first, name) && matches(pattern, names)
        }
        _ => false,
    }
}

/// Whether a name fits one with wildcards. On a mismatch the last `*` takes one character more, and only that one: what
/// an earlier one could take, it can take as well.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else {
                    return false;
                };
                star = Some((at, taken + 1));
                p = at + 1;
                n = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// What is not to be read twice is not watched.
pub(super) fn is_stream(word: &OsString) -> bool {
    word == "-"
}

/// Whether a page says what it said: a browser need not load it again.
pub(super) fn write_if_new(page: &OsString, html: &str) -> io::Result<bool> {
    if fs::read_to_string(page).is_ok_and(|old| old == html) {
        return Ok(false);
    }
    fs::write(page, html).map(|()| true)
}

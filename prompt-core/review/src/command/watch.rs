//! Looking again whenever a file changes. Its time and size are looked at twice a second: so links, folders that go and come
//! back, and file systems that tell of no change are seen like all others.

use super::arguments::{How, Page};
use super::files;
use super::outcome::{Outcome, Written};
use super::page_file::check_page;
use super::paint::Paint;
use super::source::Failure;
use crate::html::visible_name;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

/// Looks now and after each change, until the user ends it or nobody reads what it tells. Gives what is to be told at the end.
pub(super) fn watch(
    words: &[OsString],
    how: &How,
    page: &Page,
    mut look: impl FnMut() -> Outcome,
) -> Outcome {
    let mut last = Outcome::default();
    if let Err(failure) = check(words, page) {
        last.fail(&failure, Paint::Plain);
        return last;
    }
    let mut seen: Option<Contents> = None;
    loop {
        // A change while it looks is one, too.
        let before = stamps(words, how);
        let now = contents(words, how);
        if seen.as_ref() != Some(&now) {
            let mut told = look();
            if let Some(seen) = seen {
                told.err.insert_str(0, &changes(&seen, &now));
            }
            if let Written::Short(code) = told.print() {
                last.code = code;
                return last;
            }
            seen = Some(now);
        }
        if !wait(words, how, &before) {
            return last;
        }
    }
}

/// What cannot be watched at all: a name that leads nowhere is a slip.
fn check(words: &[OsString], page: &Page) -> Result<(), Failure> {
    if words.iter().any(|word| word == "-") {
        let fact = "`watch` takes files that can be read again";
        return Err(Failure::Usage(fact.to_owned()));
    }
    for word in words {
        let folder =
            files::folder(word).map_or_else(|| around(Path::new(word)), |(folder, _)| folder);
        let found = fs::metadata(&folder);
        found.map_err(|error| Failure::Unreadable(folder.display().to_string(), error))?;
    }
    check_page(page)
}

fn around(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) => folder.to_owned(),
        None => file.to_owned(),
    }
}

fn watched(words: &[OsString], how: &How) -> impl Iterator<Item = PathBuf> {
    let files = files::expand(words)
        .files
        .into_iter()
        .filter_map(Result::ok);
    files.chain(how.values.clone())
}

/// The line over a look that says why: the files that are not as they were.
fn changes(old: &Contents, new: &Contents) -> String {
    let files: BTreeSet<&PathBuf> = old.keys().chain(new.keys()).collect();
    let changed = files
        .into_iter()
        .filter(|file| old.get(*file) != new.get(*file));
    let names: Vec<String> = changed
        .map(|file| visible_name(&file.display().to_string()))
        .collect();
    format!("== changed: {}\n", names.join(", "))
}

/// What stands in the files; nothing where one cannot be read.
type Contents = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn contents(words: &[OsString], how: &How) -> Contents {
    watched(words, how)
        .map(|file| {
            let bytes = fs::read(&file).ok();
            (file, bytes)
        })
        .collect()
}

/// When each file was written last, and how long it is; nothing where there is none.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

fn stamps(words: &[OsString], how: &How) -> Stamps {
    watched(words, how)
        .map(|file| {
            let found = fs::metadata(&file).ok();
            let stamp = found.and_then(|found| Some((found.modified().ok()?, found.len())));
            (file, stamp)
        })
        .collect()
}

/// Waits for a change, and for the end of those that come at once. Gives `false` where nobody reads any more.
fn wait(words: &[OsString], how: &How, before: &Stamps) -> bool {
    let mut now = loop {
        thread::sleep(BETWEEN_LOOKS);
        let now = stamps(words, how);
        if now != *before {
            break now;
        }
        if !is_read() {
            return false;
        }
    };
    loop {
        thread::sleep(AT_ONCE);
        let later = stamps(words, how);
        if later == now {
            return true;
        }
        now = later;
    }
}

/// The files are looked at so often, and the reader is looked after.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// Changes no further apart belong together.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Whether somebody reads what is told. Where nothing is to be told for an hour, no write says so.
#[cfg(unix)]
fn is_read() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut out = [PollFd::new(&out, PollFlags::empty())];
    let is_told = poll(&mut out, Some(&Timespec::default()));
    let is_gone = out[0].revents().intersects(PollFlags::ERR | PollFlags::HUP);
    !(is_told.is_ok() && is_gone)
}

/// Elsewhere the next write says so.
#[cfg(not(unix))]
fn is_read() -> bool {
    true
}

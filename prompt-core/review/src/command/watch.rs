//! Looking again whenever a file changes.

use super::arguments::{How, Page};
use super::files;
use super::outcome::{Outcome, Written};
use super::page_file::check_page;
use super::paint::Paint;
use super::source::Failure;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Looks now and after each change, until the user ends it or nobody reads what it tells. Gives what is to be told at the end.
pub(super) fn watch(
    words: &[OsString],
    how: &How,
    page: &Page,
    mut look: impl FnMut() -> Outcome,
) -> Outcome {
    let (sender, events) = mpsc::channel();
    let mut last = Outcome::default();
    // It watches as long as it lives.
    let _watcher = match watcher(words, how, page, sender) {
        Ok(watcher) => watcher,
        Err(failure) => {
            last.fail(&failure, Paint::Plain);
            return last;
        }
    };
    let mut seen = None;
    loop {
        let now = contents(words, how);
        if seen.as_ref() != Some(&now) {
            if let Written::Short(code) = look().print() {
                last.code = code;
                return last;
            }
            seen = Some(now);
        }
        if !wait(&events) {
            return last;
        }
    }
}

fn watcher(
    words: &[OsString],
    how: &How,
    page: &Page,
    sender: mpsc::Sender<notify::Result<Event>>,
) -> Result<RecommendedWatcher, Failure> {
    if words.iter().any(|word| word == "-") {
        let fact = "`watch` takes files that can be read again";
        return Err(Failure::Unsupported(fact.to_owned()));
    }
    check_page(page)?;
    let failed = |error| Failure::Unsupported(format!("nothing can be watched: {error}"));
    let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
    for (folder, mode) in folders(words, how) {
        let name = folder.display();
        let begun = watcher.watch(&folder, mode);
        begun.map_err(|error| Failure::Unsupported(format!("{name}: {error}")))?;
    }
    Ok(watcher)
}

/// The folders in which something may change. Of a file it is the one around it: an editor that saves may put another file
/// in its place.
fn folders(words: &[OsString], how: &How) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut folders = BTreeMap::new();
    for file in &how.values {
        folders.insert(around(file), RecursiveMode::NonRecursive);
    }
    for word in words {
        if let Some((folder, _)) = files::folder(word) {
            folders.insert(folder, RecursiveMode::Recursive);
        } else {
            let mode = folders.entry(around(Path::new(word)));
            mode.or_insert(RecursiveMode::NonRecursive);
        }
    }
    folders
}

fn around(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) => folder.to_owned(),
        None => file.to_owned(),
    }
}

/// What stands in the files; nothing where one cannot be read.
fn contents(words: &[OsString], how: &How) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let files = files::expand(words).into_iter();
    let files = files.filter_map(Result::ok);
    let files = files.chain(how.values.iter().cloned());
    files
        .map(|file| {
            let bytes = fs::read(&file).ok();
            (file, bytes)
        })
        .collect()
}

/// Waits for a change, and for the end of those that come at once. Gives `false` where nobody reads any more.
fn wait(events: &Receiver<notify::Result<Event>>) -> bool {
    let mut patience = BETWEEN_LOOKS;
    let mut is_changed = false;
    loop {
        match events.recv_timeout(patience) {
            Ok(event) if event.as_ref().map_or(true, changes) => {
                is_changed = true;
                patience = AT_ONCE;
            }
            Err(RecvTimeoutError::Timeout) if is_changed => return true,
            Err(RecvTimeoutError::Timeout) if !is_read() => return false,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// Whether the reader is looked after so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// Changes no further apart belong together.
const AT_ONCE: Duration = Duration::from_millis(50);

/// That a file is read changes nothing: we read them ourselves.
fn changes(event: &Event) -> bool {
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    !event.kind.is_access() || event.kind == written
}

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

//! What the programs that save do with files, so small that a test can let each step fail; and how a file is replaced whole.
//! Every error names its file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files, as these programs use them.
pub trait Disk {
    /// All bytes of a file; none where there is no such file.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&mut self, path: &Path) -> io::Result<Option<Vec<u8>>>;

    /// A new file with these bytes, on the disk.
    ///
    /// # Errors
    /// When there is a file of this name, or the bytes cannot be written; then a part of them may be there.
    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Adds bytes at the end of a file, which is made where it is missing: in one piece, so that nothing of another program
    /// stands between them.
    ///
    /// # Errors
    /// When they cannot be written whole; a part of them may be there, but not all.
    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Brings what was added to a file to the disk.
    ///
    /// # Errors
    /// When it cannot; what was added may be lost with the next crash of the machine.
    fn sync(&mut self, path: &Path) -> io::Result<()>;

    /// Puts a file in the place of another.
    ///
    /// # Errors
    /// When it cannot; both are as they were.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// When it cannot.
    fn remove(&mut self, path: &Path) -> io::Result<()>;
}

/// The files of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn read(&mut self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        let written = loop {
            match file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                written => break written?,
            }
        };
        if written < bytes.len() {
            let fault = format!("only {written} of {} bytes were written", bytes.len());
            return Err(io::Error::new(ErrorKind::WriteZero, fault));
        }
        Ok(())
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        OpenOptions::new().append(true).open(path)?.sync_data()
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        // The entry in the folder is on the disk once the folder is. Not every system lets one ask for it.
        if let Some(folder) = to.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Puts the file in front of an error.
pub fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// An error about a line of a file; lines are counted from 1.
pub fn at_line(path: &Path, line: usize, fault: impl std::fmt::Display) -> io::Error {
    let text = format!("{}, line {line}: {fault}", path.display());
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Writes a whole file anew: a crash leaves it as it was before, or as it is after. The bytes are gathered in a file beside
/// it that nobody else has; what programs have left there that are gone is removed.
///
/// # Errors
/// When they cannot be written; the file is as it was before.
pub fn replace(disk: &mut impl Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_stale(path);
    let mut number = 0;
    let unfinished = loop {
        let beside = beside(path, number);
        match disk.create(&beside, bytes) {
            Ok(()) => break beside,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1_000 => number += 1,
            Err(error) => {
                if error.kind() != ErrorKind::AlreadyExists {
                    let _ = disk.remove(&beside);
                }
                return Err(at(path, &error));
            }
        }
    };
    disk.rename(&unfinished, path).map_err(|error| {
        let _ = disk.remove(&unfinished);
        at(path, &error)
    })
}

/// Who has not finished its file after this time never will.
const STALE: Duration = Duration::from_secs(60);

/// A name beside the file: its whole name is in it, so that `a.json` and `a.toml` have different ones.
fn beside(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(
        ".{name}.{}-{number}.unfinished",
        std::process::id()
    ))
}

/// Whether a name is one [`beside`] the file, of any program.
fn is_beside(path: &Path, name: &str) -> bool {
    let whole = path.file_name().unwrap_or_default().to_string_lossy();
    let rest = name
        .strip_prefix('.')
        .and_then(|name| name.strip_prefix(&*whole));
    let rest = rest.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".unfinished"));
    rest.and_then(|rest| rest.split_once('-'))
        .is_some_and(|(program, number)| {
            program.parse::<u32>().is_ok() && number.parse::<u32>().is_ok()
        })
}

/// Removes the unfinished files of programs that were killed while they saved. One that cannot be removed does no harm.
fn remove_stale(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let entries = fs::read_dir(folder.unwrap_or(Path::new(".")));
    for entry in entries.into_iter().flatten().flatten() {
        let age = entry
            .metadata()
            .and_then(|about| about.modified())
            .map(|time| time.elapsed());
        let is_old = matches!(age, Ok(Ok(age)) if age > STALE);
        if is_old && is_beside(path, &entry.file_name().to_string_lossy()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

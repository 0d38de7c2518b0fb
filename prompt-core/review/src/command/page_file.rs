//! The file of a page. It takes the place of a page, of an empty file, or of nothing.

use super::arguments::{Kind, Page};
use super::source::Failure;
use crate::html::is_page;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Refuses a file that no page may take the place of.
pub(super) fn check_page(asked: &Page) -> Result<(), Failure> {
    if asked.html.as_deref() == Some(Path::new("-")) {
        let fact = "`--html` writes a file: give it a name";
        return Err(Failure::Usage(fact.to_owned()));
    }
    asked.html.as_deref().map_or(Ok(None), old_page).map(drop)
}

/// Writes a page that says something else than it did: a browser need not load the same again.
pub(super) fn write_page(file: &Path, html: &str) -> Result<bool, Failure> {
    let written = match old_page(file)? {
        Some(old) if old == html.as_bytes() => return Ok(false),
        Some(_) => fs::write(file, html),
        None => fs::File::create_new(file).and_then(|mut new| new.write_all(html.as_bytes())),
    };
    let failed = |error| Failure::Unreadable(file.display().to_string(), error);
    written.map(|()| true).map_err(failed)
}

fn old_page(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let name = file.display().to_string();
    let something_else = || {
        Failure::Usage(format!(
            "`--html` writes a page, and {name} is something else: give a new file, or a page that `prompt` wrote"
        ))
    };
    let old = match fs::metadata(file) {
        Ok(data) if data.is_file() => fs::read(file).map(Some),
        Ok(_) => return Err(something_else()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let old = old.map_err(|error| Failure::Unreadable(name.clone(), error))?;
    let is_lost = |old: &Vec<u8>| !old.is_empty() && !is_page(old);
    if Kind::of(file).is_some() || old.as_ref().is_some_and(is_lost) {
        return Err(something_else());
    }
    Ok(old)
}

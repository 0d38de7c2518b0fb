//! Skills: a folder of Markdown files with front matter, one line each in the prompt, the text on demand.

use crate::disk::at;
use prompt_core::Skill;
use std::io::{self, ErrorKind};
use std::path::Path;

/// All skills of a folder, by the names of their files.
///
/// # Errors
/// When a file cannot be read, or is no skill; the error names it, and the line.
pub fn folder(folder: &Path) -> io::Result<Vec<Skill>> {
    let files = folder.read_dir().map_err(|error| at(folder, &error))?;
    let paths = files.map(|file| file.map(|file| file.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let skill = |path: &Path| {
        let text = std::fs::read_to_string(path)?;
        Skill::parse(&text).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    };
    let named = |path: &std::path::PathBuf| skill(path).map_err(|error| at(path, &error));
    paths.iter().map(named).collect()
}

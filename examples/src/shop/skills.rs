//! Skills: a folder of Markdown files with front matter, one line each in the prompt, the text on demand.

use crate::disk::{at, at_line};
use prompt_core::{Markdown, PromptNode};
use std::io;
use std::path::Path;

/// How to do a job.
#[derive(Clone, Debug, PromptNode)]
#[prompt(template = "")]
pub struct Skill {
    pub slug: String,
    pub name: String,
    pub teaser: String,
    #[section(title = "{name}")]
    pub body: Markdown,
}

impl Skill {
    /// All files of a folder, by their names.
    ///
    /// # Errors
    /// When one cannot be read, or has no front matter with `name` and `teaser`; the error names it.
    pub fn folder(folder: &Path) -> io::Result<Vec<Self>> {
        let files = folder.read_dir().map_err(|error| at(folder, &error))?;
        let paths = files.map(|file| file.map(|file| file.path()));
        let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| at(path, &error))?;
        let rest = text.strip_prefix("---\n");
        let rest = rest.ok_or_else(|| at_line(path, 1, "there is no front matter"))?;
        let parts = rest.split_once("\n---\n");
        let (head, body) =
            parts.ok_or_else(|| at_line(path, 1, "the front matter does not end"))?;
        let field = |name: &str| {
            let of_line =
                |line: &str| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned());
            let found = head.lines().find_map(of_line);
            found.ok_or_else(|| at_line(path, 1, format!("there is no `{name}`")))
        };
        let slug = path.file_stem().unwrap_or_default();
        Ok(Self {
            slug: slug.to_string_lossy().into_owned(),
            name: field("name")?,
            teaser: field("teaser")?,
            body: Markdown::from(body.trim()),
        })
    }
}

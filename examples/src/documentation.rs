//! The documentation of this repository, read from its files: what the prompt of the disclosure example is about.

use std::{fs, io, path::Path};

/// The documented files of one module of the crate.
pub struct Chapter {
    /// Name of the module.
    pub key: String,
    /// Its first sentence.
    pub teaser: String,
    /// Its files, by name.
    pub files: Vec<SourceFile>,
}

/// What the comments of a source file say.
pub struct SourceFile {
    /// Path from the module's folder.
    pub name: String,
    /// The head comment, then one entry per public item.
    pub text: String,
}

/// A file at the top of the repository, if it is there.
pub fn top_level(name: &str) -> Option<String> {
    fs::read_to_string(repository().join(name)).ok()
}

/// The modules of the crate that say something about themselves, by name.
///
/// # Errors
/// If the folder of the crate cannot be read.
pub fn chapters() -> io::Result<Vec<Chapter>> {
    let folder = repository().join("prompt-core/src");
    let mut chapters = Vec::new();
    for (name, path) in sorted(&folder)? {
        let mut files = Vec::new();
        collect(&path, &name, &mut files)?;
        let key = name.trim_end_matches(".rs").to_owned();
        let head = files
            .iter()
            .find(|file| file.name.ends_with("mod.rs"))
            .or(files.first());
        let Some(teaser) = head.and_then(|head| first_sentence(&head.text)) else {
            continue;
        };
        // A module is a file, a folder, or both: `guide` and `guide.rs` are one chapter.
        match chapters
            .last_mut()
            .filter(|chapter: &&mut Chapter| chapter.key == key)
        {
            Some(chapter) => {
                chapter.teaser = teaser;
                chapter.files.extend(files);
            }
            None => chapters.push(Chapter { key, teaser, files }),
        }
    }
    Ok(chapters)
}

fn repository() -> &'static Path {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR"));
    examples.parent().unwrap_or(examples)
}

/// The entries of a folder by name, so that the prompt does not depend on the file system.
fn sorted(folder: &Path) -> io::Result<Vec<(String, std::path::PathBuf)>> {
    let entries = fs::read_dir(folder)?.map(|entry| {
        let path = entry?.path();
        Ok((
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            path,
        ))
    });
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

fn collect(path: &Path, name: &str, files: &mut Vec<SourceFile>) -> io::Result<()> {
    if path.is_dir() {
        for (entry, path) in sorted(path)? {
            collect(&path, &format!("{name}/{entry}"), files)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let text = documentation(&fs::read_to_string(path)?);
        if !text.is_empty() {
            files.push(SourceFile {
                name: name.to_owned(),
                text,
            });
        }
    }
    Ok(())
}

/// The head comment of a source, then what its public items say in their first lines.
fn documentation(source: &str) -> String {
    let head = source.lines().take_while(|line| line.starts_with("//!"));
    let mut text: Vec<String> = head
        .map(|line| line.trim_start_matches("//!").trim_start().to_owned())
        .collect();
    let mut comment: Vec<&str> = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            comment.push(words.trim());
        } else if !line.starts_with("#[") {
            let item = line
                .strip_prefix("pub ")
                .map(|item| item.trim_end_matches([' ', '{', ';', ',']));
            if let (Some(item), false) = (item, comment.is_empty()) {
                let first: Vec<&str> = comment
                    .iter()
                    .copied()
                    .take_while(|line| !line.is_empty())
                    .collect();
                text.push(format!("- `{item}`: {}", first.join(" ")));
            }
            comment.clear();
        }
    }
    text.join("\n")
}

fn first_sentence(text: &str) -> Option<String> {
    let paragraph: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |end| end + 1);
    paragraph
        .get(..end)
        .filter(|sentence| !sentence.is_empty())
        .map(str::to_owned)
}

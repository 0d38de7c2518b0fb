//! What the command line says about the agent, and the files it names.

use super::{Agent, File, Platform, Reminder, tools};
use std::{
    error::Error,
    ffi::OsStr,
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// The project that is shown where a path is not in the current folder.
pub fn sample_project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample_project"))
}

/// How the program is called.
pub const USAGE: &str =
    "usage: agent_prompt [--os linux|macos|windows] [--no-git] [--plan] [PATH..]";

/// An argument that means nothing.
#[derive(Debug)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{USAGE}", self.0)
    }
}

impl Error for UsageError {}

impl Agent {
    /// The agent that these arguments ask for. Each path is looked up in `roots`, in order; a folder stands for all files
    /// below it.
    ///
    /// # Errors
    /// [`UsageError`], or why a file could not be read.
    pub fn from_args(
        args: impl IntoIterator<Item = String>,
        roots: &[&Path],
    ) -> Result<Self, Box<dyn Error>> {
        let (mut platform, mut git, mut plan, mut files) =
            (Platform::Linux, true, false, Vec::new());
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--os" => platform = args.next().unwrap_or_default().parse()?,
                "--no-git" => git = false,
                "--plan" => plan = true,
                option if option.starts_with('-') => {
                    return Err(UsageError(format!("unknown option {option}")).into());
                }
                path => files.extend(read(Path::new(path), roots)?),
            }
        }
        Ok(Self {
            user: "the developer".to_owned(),
            plan,
            git,
            branch: "main",
            manner: (),
            tools: tools::all(plan)?,
            rules: (),
            platform,
            files,
            reminder: Reminder::default(),
        })
    }
}

impl std::str::FromStr for Platform {
    type Err = UsageError;

    fn from_str(name: &str) -> Result<Self, UsageError> {
        match name {
            "linux" => Ok(Self::Linux),
            "macos" => Ok(Self::MacOs),
            "windows" => Ok(Self::Windows),
            other => Err(UsageError(format!("unknown system `{other}`"))),
        }
    }
}

/// The files at a path, sorted.
fn read(path: &Path, roots: &[&Path]) -> Result<Vec<File>, UsageError> {
    let root = roots.iter().find(|root| root.join(path).exists());
    let root =
        root.ok_or_else(|| UsageError(format!("{}: no such file or folder", path.display())))?;
    let mut files = Vec::new();
    collect(root, &path.components().collect::<PathBuf>(), &mut files)
        .map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
    Ok(files)
}

fn collect(root: &Path, path: &Path, files: &mut Vec<File>) -> io::Result<()> {
    if root.join(path).is_dir() {
        let entries = fs::read_dir(root.join(path))?.map(|entry| Ok(path.join(entry?.file_name())));
        let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        return entries
            .into_iter()
            .try_for_each(|entry| collect(root, &entry, files));
    }
    let bytes = fs::read(root.join(path))?;
    // Pictures and programs say nothing to the model.
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(());
    };
    let names: Vec<_> = path.iter().map(OsStr::to_string_lossy).collect();
    files.push(File {
        path: names.join("/"),
        language: language(path).to_owned(),
        text: text.trim_end().to_owned(),
    });
    Ok(())
}

/// The info string of a fence, by the ending of the file.
fn language(path: &Path) -> &'static str {
    match path.extension().and_then(OsStr::to_str) {
        Some("rs") => "rust",
        Some("md") => "markdown",
        Some("toml") => "toml",
        Some("sh") => "bash",
        Some("json") => "json",
        _ => "text",
    }
}

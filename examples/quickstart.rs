//! A code review prompt: four structs, filled from a real file.
//!
//! The doc comment of a type is its text, a field in braces is a variable, a `#[section]` is a chapter of its own. All of
//! it is checked while the program compiles.
//!
//! `cargo run --example quickstart [FILE] [--html PAGE]`

use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_examples::arguments::Request;
use std::{error::Error, fs, path::Path};

/// You review code for the {team} team. Quote the lines you speak of, and be {tone}.
#[derive(PromptNode)]
struct Review {
    team: &'static str,
    #[var(default = "friendly")]
    tone: Option<String>,
    strict: bool,

    /// Read the code once from end to end, then go through these points.
    #[section]
    checklist: Checklist,
    /// The team has agreed on this. It goes before your own taste.
    #[section]
    conventions: Option<Markdown>,
    #[section(title = "The file")]
    source: Source,
    /// One finding per line, the worst first: line number, problem, remedy.
    /// {?strict}End with a line that says APPROVE or REJECT.
    #[section(title = "Your answer")]
    answer: (),
}

/// {security}
///
/// # Correctness
/// Edge cases, error paths, and what happens when it runs twice.
///
/// # Clarity
/// Names, dead code, and comments that no longer hold.
#[derive(PromptNode)]
struct Checklist {
    #[section]
    security: Option<Security>,
}

/// Look for {risks}. Say how an attacker would get there.
#[derive(PromptNode)]
struct Security {
    #[var(join = ", ", last = " and ")]
    risks: Vec<&'static str>,
}

#[derive(PromptNode)]
#[prompt(template = "`{name}` has {lines} lines:\n\n```{language}\n{text}\n```")]
struct Source {
    name: String,
    lines: usize,
    language: String,
    /// Fences and headings in it cannot break out.
    #[var(untrusted)]
    text: String,
}

impl Source {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let part = |part: Option<&std::ffi::OsStr>| {
            part.unwrap_or_default().to_string_lossy().into_owned()
        };
        let (name, language) = (part(path.file_name()), part(path.extension()));
        Ok(Self {
            name,
            lines: text.lines().count(),
            language,
            text: text.trim_end().to_owned(),
        })
    }
}

const USAGE: &str = "\
usage: quickstart [FILE] [--html PAGE]

Prints a prompt that asks for a review of the file, or writes a page that shows it.";

fn main() -> Result<(), Box<dyn Error>> {
    let sample = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/sample_project/src/tide.rs"
    ));
    let Request::Run(arguments) = Request::from_env(1, &["--html"])? else {
        println!("{USAGE}");
        return Ok(());
    };
    let source = match arguments.words.first() {
        Some(path) => Source::read(path.as_ref())?,
        None => Source::read(sample)?,
    };
    let review = Review {
        team: "storage",
        tone: None,
        strict: true,
        checklist: Checklist {
            security: Some(Security {
                risks: vec!["injection", "path traversal", "leaked secrets"],
            }),
        },
        conventions: Some(
            "# Errors\nEvery error names the file.\n\n# Tests\nOne test for each bug.".into(),
        ),
        source,
        answer: (),
    };
    match arguments.option("--html") {
        Some(page) => fs::write(page, prompt_review::page(&review.prompt().preview()?))?,
        None => println!("{}", review.prompt().render()?),
    }
    Ok(())
}

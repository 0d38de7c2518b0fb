//! What the user asks for.

use clap::{Args, Parser, Subcommand, ValueEnum};
use prompt_agent::wire::Provider;
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;

/// Works on prompt files: trees in .json or .toml, single texts in .md
///
/// FILE may be `-` for the standard input, a folder for all prompt files below it, or a pattern in quotes:
/// 'prompts/**/*.toml'.
#[derive(Debug, Parser)]
#[command(name = "prompt", version, after_help = CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const CODES: &str = "\
Without values `check` looks at the files alone; the other commands need a value for every variable.
Exit codes: 0 nothing wrong, 1 faults, 2 a command or file that cannot be worked on. Those of `diff`: 0 nothing changed, \
1 something did, 2 faults.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Tells all faults, with file, line and column; then what a linter would say
    Check(Check),
    /// Prints the tree: sections, how they are shown, what they cost
    Preview(Preview),
    /// Prints the prompt, and nothing else
    Render(Render),
    /// Tells what changed between two versions, by section and line, with tokens
    Diff(Diff),
    /// Checks again whenever a file changes, and writes the page anew with --html
    Watch(Watch),
}

/// What most commands work on.
#[derive(Debug, Args)]
pub(super) struct Sources {
    /// A prompt file, a folder of them, a pattern, or `-`
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    #[command(flatten)]
    pub(super) how: How,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// Lets what a linter says fail the check, and what it could not look at
    #[arg(long)]
    pub(super) deny_warnings: bool,
}

#[derive(Debug, Args)]
pub(super) struct Preview {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// Writes the preview of one file as a page for the browser; over nothing but such a page
    #[arg(long, value_name = "PAGE")]
    pub(super) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Render {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// Prints the messages, each under a line with its role
    #[arg(long, conflicts_with = "request")]
    pub(super) messages: bool,
    /// Prints the body of the request, as JSON
    #[arg(long, value_name = "PROVIDER")]
    pub(super) request: Option<Provider>,
    /// The model of that request
    #[arg(
        long,
        value_name = "NAME",
        requires = "request",
        default_value = "MODEL"
    )]
    pub(super) model: String,
}

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The old prompt file
    #[arg(value_name = "OLD")]
    pub(super) old: OsString,
    /// The new one
    #[arg(value_name = "NEW")]
    pub(super) new: OsString,
    #[command(flatten)]
    pub(super) how: How,
    /// Writes what changed as a page for the browser; over nothing but such a page
    #[arg(long, value_name = "PAGE")]
    pub(super) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Watch {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// Writes the preview of the first sound file as a page for the browser; over nothing but such a page
    #[arg(long, value_name = "PAGE")]
    pub(super) html: Option<PathBuf>,
}

/// How files are to be looked at.
#[derive(Debug, Args)]
pub(super) struct How {
    /// Takes values of variables from a .json or .toml file
    #[arg(long, value_name = "FILE")]
    pub(super) values: Vec<PathBuf>,
    /// Sets one; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(super) set: Vec<(String, Value)>,
    /// How sections are printed
    #[arg(long, value_enum, default_value_t = Style::Markdown)]
    pub(super) style: Style,
    /// Keeps the prompt within this many estimated tokens
    #[arg(long, value_name = "TOKENS")]
    pub(super) budget: Option<usize>,
    /// What comes from `-`
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub(super) kind: Option<Kind>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Style {
    Markdown,
    Xml,
}

/// What stands in a prompt file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Json,
    Toml,
    #[value(name = "md")]
    Markdown,
}

/// Takes `name=value` from the command line: a list, a map, `true`, `false` and `null` as in JSON, everything else as text,
/// so that `01` and `1.10` stay as they are.
fn assignment(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("there is no `=`")?;
    let json = serde_json::from_str(value).ok();
    let json = json.filter(|json: &Value| !json.is_number() && !json.is_string());
    let value = json.unwrap_or_else(|| Value::String(value.to_owned()));
    Ok((name.to_owned(), value))
}

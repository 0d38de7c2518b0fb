//! What the user asks for: of prompt files, or of a program's own prompt.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use prompt_agent::wire::Provider;
use std::ffi::OsString;
use std::path::PathBuf;

/// Works on prompt files: trees in .json or .toml, single texts in .md
///
/// FILE may be `-` for the standard input, a folder for all prompt files below it, or a pattern in quotes:
/// 'prompts/**/*.toml'. `check` needs no values: it looks at a file as far as that goes. The other commands need a value
/// for every variable.
#[derive(Debug, Parser)]
#[command(name = "prompt", version, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) how: How,
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  no error; of `diff`: the same is sent
  1  errors, with --deny-warnings warnings, too; of `diff`: something differs
  2  a wrong command, a file that cannot be read, an output that cannot be written; of `diff`: the same, and errors";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Reports all errors and warnings, with file, line and column; of wordings those of their syntax
    Check {
        /// A prompt file, a folder of them, a pattern, or `-`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<OsString>,
        #[command(flatten)]
        checking: Checking,
    },
    /// Prints the tree: sections, how they are shown, what they cost
    Preview {
        /// A prompt file, a folder of them, a pattern, or `-`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<OsString>,
        #[command(flatten)]
        page: Page,
    },
    /// Prints the prompt, and nothing else
    Render {
        /// A prompt file, a folder of them, a pattern, or `-`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<OsString>,
        #[command(flatten)]
        printed: Printed,
    },
    /// Tells what differs between two versions, by section and line, with tokens; or between two folders of files
    Diff {
        /// The old prompt file, or the old folder
        old: OsString,
        /// The new one
        new: OsString,
        #[command(flatten)]
        page: Page,
    },
    /// Checks again at each change, and with --html writes the page of the first sound file anew
    Watch {
        /// A prompt file, a folder of them, a pattern, or `-`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<OsString>,
        #[command(flatten)]
        page: Page,
    },
    /// Prints the JSON schema of prompt files, for editors
    Schema,
}

/// Works on the prompt of this program, and on files that give it other words
#[derive(Debug, Parser)]
#[command(after_help = EXIT_CODES)]
pub(super) struct OwnArguments {
    #[command(flatten)]
    pub(super) look: Look,
    #[command(subcommand)]
    pub(super) command: OwnCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum OwnCommand {
    /// Reports all errors of files of wordings, and what they leave out; without a file the lints of the prompt
    Check {
        /// Files of wordings, in .toml or .json, a folder of them, or a pattern
        #[arg(value_name = "FILE")]
        files: Vec<OsString>,
        /// Fails for texts that a wording leaves as they are, too: for translations
        #[arg(long, requires = "files")]
        complete: bool,
        #[command(flatten)]
        checking: Checking,
    },
    /// Prints the file with every text that can be reworded, each with its path
    Skeleton {
        /// The name of the wording in it
        #[arg(default_value = "wording")]
        name: String,
    },
    /// Prints the tree: sections, how they are shown, what they cost
    Preview {
        #[command(flatten)]
        worded: Worded,
        #[command(flatten)]
        page: Page,
    },
    /// Prints the prompt, and nothing else
    Render {
        #[command(flatten)]
        worded: Worded,
        #[command(flatten)]
        printed: Printed,
    },
    /// Tells what a wording changes, by section and line, with tokens
    Diff {
        /// A file of wordings
        file: PathBuf,
        /// The wording, where the file has several
        wording: Option<String>,
        #[command(flatten)]
        page: Page,
    },
}

/// In whose words the prompt is.
#[derive(Debug, Args)]
pub(super) struct Worded {
    /// A file of wordings; without one the prompt has its own words
    pub(super) file: Option<PathBuf>,
    /// The wording, where the file has several
    pub(super) wording: Option<String>,
}

/// How a check tells what it finds, and what fails it.
#[derive(Debug, Args)]
pub(super) struct Checking {
    /// Fails for warnings, too: lints, an empty prompt, a value that no text uses, what was not looked at
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// How it tells what it finds
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// Who reads what a check tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// A list of objects with `severity`, `code`, `file`, `section`, `line`, `column`, `message` and `help`
    Json,
    /// The annotations that GitHub Actions shows at the lines of a change
    Github,
}

#[derive(Debug, Args)]
pub(super) struct Page {
    /// Writes a page for the browser, of one file; over nothing but such a page
    #[arg(long, value_name = "PAGE")]
    pub(super) html: Option<PathBuf>,
}

/// How a prompt is printed.
#[derive(Debug, Args)]
pub(super) struct Printed {
    /// Prints the messages, each under a line with its role
    #[arg(long, conflicts_with = "request")]
    pub(super) messages: bool,
    /// Prints the body of the request, as JSON
    #[arg(long, value_name = "PROVIDER", value_parser = provider())]
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

/// How files are to be looked at.
#[derive(Debug, Args)]
pub(super) struct How {
    /// Takes values of variables from a .json or .toml file
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) values: Vec<PathBuf>,
    /// Sets one; may be repeated. It is a text, but for `true`, `false`, `null`, and lists and maps in JSON. Numbers stay as
    /// they are written, but where a text rounds them (`{price:.2}`)
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(super) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) look: Look,
    /// What comes from `-`, and what is in a file whose name does not say it
    #[arg(long = "as", global = true, value_enum, value_name = "KIND")]
    pub(super) kind: Option<Kind>,
}

/// How a prompt is shown.
#[derive(Debug, Args)]
pub(super) struct Look {
    /// How sections are printed
    #[arg(long, global = true, value_enum, default_value_t = Style::Markdown)]
    pub(super) style: Style,
    /// Keeps the prompt within this many estimated tokens
    #[arg(
        long,
        global = true,
        value_name = "TOKENS",
        allow_negative_numbers = true
    )]
    pub(super) budget: Option<usize>,
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

const MAX_PARTS: usize = 128;

/// Takes a provider by its name.
fn provider() -> impl TypedValueParser<Value = Provider> {
    let names = Provider::ALL.iter().map(|provider| provider.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Takes `name=value` from the command line.
fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("there is no `=`")?;
    if name.split('.').any(str::is_empty) {
        return Err("there is no name before `=`, or a part of it is missing".to_owned());
    }
    // As deep as a file of values may be.
    if name.split('.').count() > MAX_PARTS {
        return Err(format!("the name has more than {MAX_PARTS} parts"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

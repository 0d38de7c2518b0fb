//! The system prompt of a coding agent, in the shapes that public agents use: tools from data, one text per platform,
//! rules that come and go, project files in fences, and a reminder at the end.

mod options;
mod tools;

pub use options::{USAGE, UsageError, sample_project};

use prompt_core::PromptNode;
use tools::Tool;

/// You are Fathom, a coding agent in the terminal of {user}. You {work}.
#[derive(PromptNode)]
#[prompt(vars(lines = MAX_LINES, work = if self.plan { "plan and explain" } else { "read, write and run code" }))]
pub struct Agent {
    user: String,
    plan: bool,
    git: bool,
    branch: &'static str,

    /// - Answer in at most {lines} lines unless you are asked for more.
    /// - No preamble, no summary of what you just did.
    /// - {?!plan}Do what was asked, nothing beside it.
    /// - {?plan}Change no file. End with a numbered plan and wait.
    #[section]
    manner: (),

    /// Call one tool at a time and wait for what it says.
    #[section(item = "- `{item.name}`: {item.description}", tools = tools::specs(&self.tools))]
    tools: Vec<Tool>,

    /// - Read a file before you change it.
    /// - Follow the code around you: names, libraries, layout.
    /// - {?git}Commit only when asked, and never to `{branch}`.
    /// - {?git}Look at `git diff` before you say that you are done.
    /// - Write secrets into no file and no log.
    ///
    /// {?!git}This folder is under no version control: show what a file said before you overwrite it.
    #[section]
    rules: (),

    #[section(title = "Shell")]
    platform: Platform,

    /// The user has opened these files. They may have changed since: read them again before you edit.
    #[section(title = "Project files", item_title = "{item.path}")]
    files: Vec<File>,

    #[section(title = "Before you answer")]
    reminder: Reminder,
}

const MAX_LINES: u8 = 4;

/// What the shell understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PromptNode)]
pub enum Platform {
    /// Commands run in `bash` on Linux.
    /// - Join commands that depend on each other with `&&`.
    /// - `sed -i` needs no suffix.
    Linux,
    /// Commands run in `zsh` on macOS.
    /// - The tools are those of BSD: `sed -i ''`, `date -v`.
    /// - Open files for the user with `open`.
    MacOs,
    /// Commands run in PowerShell on Windows.
    /// - Paths have backslashes; quote them.
    /// - There is no `&&`: write `if ($?) { .. }`.
    Windows,
}

/// A file of the project: its text stands in a fence that no line of it can close.
#[derive(Clone, Debug, PromptNode)]
#[prompt(template = "```{language}\n{text}\n```")]
pub struct File {
    path: String,
    language: String,
    #[var(untrusted)]
    text: String,
}

#[derive(Clone, Copy, Debug, Default, PromptNode)]
#[prompt(tight)]
struct Reminder {
    /// - Did you read what you change?
    /// - Does it build, and do the tests pass?
    #[section]
    check: (),
    /// Say what you could not do. Guess nothing.
    #[section]
    be_honest: (),
}

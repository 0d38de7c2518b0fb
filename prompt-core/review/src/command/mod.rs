//! The command for prompt files.

mod arguments;
mod files;
mod outcome;
mod page_file;
mod paint;
mod run;
mod source;
mod watch;

use arguments::{Arguments, Command};
use clap::Parser;
use outcome::{Outcome, Written};
use paint::Paint;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Runs the command `prompt`, for prompts in files, with these arguments: the first one is its name. It reads the standard
/// input where a file is `-`, prints to both outputs, and gives the code with which the process ends: [the
/// command](crate::guide::command).
#[must_use]
pub fn command(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    let paint = Paint::for_terminal(is_terminal);
    let outcome = match Arguments::try_parse_from(arguments) {
        Ok(Arguments { command }) => {
            let run = || run::run(&command, paint, &mut io::stdin().lock());
            match &command {
                Command::Watch(asked) => watch::watch(asked, run, paint),
                _ => run(),
            }
        }
        Err(error) => Outcome::of_usage(&error),
    };
    let (Written::Whole(code) | Written::Short(code)) = outcome.print();
    ExitCode::from(code)
}

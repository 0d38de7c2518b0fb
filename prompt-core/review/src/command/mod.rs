//! The command for prompt files, and for a program's own prompt.

mod arguments;
mod files;
mod finding;
mod outcome;
mod own;
mod page_file;
mod paint;
mod run;
mod source;
mod text_file;
mod values;
mod watch;
mod work;

use arguments::{Arguments, Command, OwnArguments};
use clap::Parser;
use outcome::{Outcome, Written};
use paint::Paint;
use prompt_core::PromptNode;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Runs the command `prompt`, for prompts in files, with these arguments: the first one is its name. It reads the standard
/// input where a file is `-`, prints to both outputs, and gives the code with which the process ends: [the
/// command](crate::guide::command).
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let paint = paint();
    end(&match Arguments::try_parse_from(arguments) {
        Ok(asked) => {
            let run = || run::run(&asked, paint, &mut io::stdin().lock());
            match &asked.command {
                Command::Watch { files, page } => watch::watch(files, &asked.how, page, run),
                _ => run(),
            }
        }
        Err(error) => Outcome::of_usage(&error),
    })
}

/// The same command for a prompt of this program: the `main` of a binary beside it. It takes the arguments of the process
/// and the node with values to show: `check wordings.toml`, `skeleton`, `preview --html page.html`, `render`,
/// `diff wordings.toml`.
///
/// ```no_run
/// use prompt_core::PromptNode;
///
/// /// You answer letters for {office}.
/// #[derive(PromptNode)]
/// struct Clerk {
///     office: &'static str,
/// }
///
/// fn main() -> std::process::ExitCode {
///     prompt_review::command(&Clerk { office: "the ferry" })
/// }
/// ```
#[must_use]
pub fn command<N: PromptNode + ?Sized>(node: &N) -> ExitCode {
    end(&match OwnArguments::try_parse() {
        Ok(asked) => own::run(&asked, &node, paint()),
        Err(error) => Outcome::of_usage(&error),
    })
}

fn paint() -> Paint {
    Paint::for_terminal(io::stdout().is_terminal() && io::stderr().is_terminal())
}

fn end(outcome: &Outcome) -> ExitCode {
    let (Written::Whole(code) | Written::Short(code)) = outcome.print();
    ExitCode::from(code)
}

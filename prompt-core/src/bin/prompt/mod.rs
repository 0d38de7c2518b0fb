//! The command for prompt files, as functions from arguments to an `Outcome`, so that a test runs what the terminal runs.

pub mod arguments;
mod files;
pub mod run;
pub mod source;
pub mod watch;

use run::{Outcome, run};
use source::Paint;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::{env, thread, time::Duration};
use watch::Watch;

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    let paint = Paint::for_terminal(is_terminal);
    let given: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(mut watch) = Watch::asked_for(&given, paint) {
        // Until the reader stops it.
        loop {
            if let Some(outcome) = watch.look() {
                print(&outcome);
            }
            thread::sleep(Duration::from_millis(300));
        }
    }
    let outcome = run(given, paint, &mut io::stdin().lock());
    print(&outcome);
    ExitCode::from(outcome.code)
}

/// A reader that has gone away, such as `head`, is no fault of the prompt.
fn print(outcome: &Outcome) {
    let _ = io::stdout().write_all(outcome.out.as_bytes());
    let _ = io::stdout().flush();
    let _ = io::stderr().write_all(outcome.err.as_bytes());
}

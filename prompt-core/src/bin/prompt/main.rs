//! The command `prompt`: checks, shows, renders and compares prompt files. `cargo install prompt-core --features command`
//! installs it; `prompt --help` tells the rest.

#[path = "mod.rs"]
mod command;

use command::run::{Outcome, run};
use command::source::Paint;
use command::watch::Watch;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::{thread, time::Duration};

pub fn main() -> ExitCode {
    let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    let paint = Paint::for_terminal(is_terminal);
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
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

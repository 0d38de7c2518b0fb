//! Checks, previews, renders and compares prompt files.
//!
//! ```text
//! cargo run -p prompt-examples --example prompt -- check examples/data/ferry_broken.toml
//! cargo run -p prompt-examples --example prompt -- preview examples/data/ferry.json --values examples/data/ferry_values.toml
//! cargo run -p prompt-examples --example prompt -- diff old.toml new.toml --set ferry=Heron
//! cargo run -p prompt-examples --example prompt -- --help
//! ```
//!
//! Colours on a terminal only, and never with `NO_COLOR`. Exit codes: 0 nothing wrong, 1 faults, 2 wrong usage.

use prompt_examples::prompt_command::run;
use prompt_examples::prompt_file::Paint;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    let outcome = run(
        std::env::args_os().skip(1),
        Paint::for_terminal(is_terminal),
    );
    // A reader that has gone away, such as `head`, is no fault of the prompt.
    let _ = io::stdout().write_all(outcome.out.as_bytes());
    let _ = io::stderr().write_all(outcome.err.as_bytes());
    ExitCode::from(outcome.code)
}

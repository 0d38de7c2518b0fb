//! Renders a prompt file, or tells everything that is wrong with it and exits with status 1.
//!
//! ```text
//! cargo run --example from_file -- examples/data/ferry.toml --set ferry=Heron --set captain=Ada --set fog=true
//! cargo run --example from_file -- examples/data/ferry.json --values examples/data/ferry_values.toml
//! cargo run --example from_file -- examples/data/ferry_broken.toml
//! ```
//!
//! Without arguments it renders the first of these.

use prompt_examples::arguments::Request;
use prompt_examples::command::source::{Failure, Paint, Values, read_values, set};
use prompt_examples::from_file::render;
use std::ffi::OsString;
use std::io::{IsTerminal, stderr};
use std::{env, path::Path, process::ExitCode};

const USAGE: &str = "usage: from_file [FILE] [--values FILE] [--set NAME=VALUE]..";

fn main() -> ExitCode {
    match run(env::args_os().skip(1)) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let paint = Paint::for_terminal(stderr().is_terminal());
            eprintln!("{}", failure.report(paint));
            ExitCode::FAILURE
        }
    }
}

fn run(given: impl Iterator<Item = OsString>) -> Result<String, Failure> {
    let request = Request::read(given, 1, &["--values", "--set"]);
    let Request::Run(arguments) = request.map_err(Failure::Unsupported)? else {
        return Ok(USAGE.to_owned());
    };
    let mut values = Values::new();
    for file in arguments.all("--values") {
        values.extend(read_values(Path::new(file))?);
    }
    for assignment in arguments.all("--set") {
        set(&assignment.to_string_lossy(), &mut values)?;
    }
    match arguments.words.first() {
        Some(file) => render(Path::new(file), &values),
        None => shipped(values),
    }
}

/// The sample that comes with this program.
fn shipped(mut values: Values) -> Result<String, Failure> {
    for (name, value) in [
        ("ferry", "Heron".into()),
        ("captain", "Ada".into()),
        ("fog", true.into()),
    ] {
        values.entry(name).or_insert(value);
    }
    render(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/ferry.toml")),
        &values,
    )
}

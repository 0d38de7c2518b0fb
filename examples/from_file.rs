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
use prompt_examples::from_file::{Values, read_values, render, set};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: from_file [FILE] [--values FILE] [--set NAME=VALUE]..";

fn main() -> ExitCode {
    match run() {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    let Request::Run(arguments) = Request::from_env(1, &["--values", "--set"])? else {
        return Ok(USAGE.to_owned());
    };
    let mut values = Values::new();
    for file in arguments.all("--values") {
        values.extend(read_values(Path::new(file))?);
    }
    for assignment in arguments.all("--set") {
        let assignment = assignment.to_str().ok_or("--set takes UTF-8")?;
        set(assignment, &mut values)?;
    }
    match arguments.words.first() {
        Some(file) => Ok(render(Path::new(file), &values)?),
        None => shipped(values),
    }
}

/// The sample that comes with this program.
fn shipped(mut values: Values) -> Result<String, Box<dyn Error>> {
    for (name, value) in [
        ("ferry", "Heron".into()),
        ("captain", "Ada".into()),
        ("fog", true.into()),
    ] {
        values.entry(name).or_insert(value);
    }
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/data/ferry.toml");
    Ok(render(Path::new(sample), &values)?)
}

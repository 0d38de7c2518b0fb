//! Renders a prompt file, or tells everything that is wrong with it and exits with status 1.
//!
//! ```text
//! cargo run --example from_file -- examples/data/ferry.toml --set ferry=Heron --set captain=Ada --set fog=true
//! cargo run --example from_file -- examples/data/ferry.json --values examples/data/ferry_values.toml
//! cargo run --example from_file -- examples/data/ferry_broken.toml
//! ```
//!
//! Without arguments it renders the first of these.

use prompt_examples::prompt_file::{Failure, Values, read_values, render, set};
use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "from_file FILE [--values FILE] [--set name=value]...";

fn main() -> ExitCode {
    match run(env::args().skip(1)) {
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

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, Failure> {
    let mut file: Option<PathBuf> = None;
    let mut values = Values::new();
    while let Some(argument) = arguments.next() {
        let mut following = || {
            arguments
                .next()
                .ok_or_else(|| Failure::Unsupported(USAGE.to_owned()))
        };
        match argument.as_str() {
            "--set" => set(&following()?, &mut values)?,
            "--values" => values.extend(read_values(Path::new(&following()?))?),
            _ if file.is_none() && !argument.starts_with("--") => {
                file = Some(PathBuf::from(argument))
            }
            _ => {
                return Err(Failure::Unsupported(format!(
                    "what is `{argument}`?\n{USAGE}"
                )));
            }
        }
    }
    match file {
        Some(file) => render(&file, &values),
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

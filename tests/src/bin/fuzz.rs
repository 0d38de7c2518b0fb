//! Fuzzes everything that reads or writes text:
//! `cargo run --release -p prompt-tests --bin fuzz -- --seconds 60 [--target NAME] [--seed N] [--count N]`.
//!
//! Every failure is made small, printed with its seed, and written to `tests/fixtures/regressions`, where a normal test
//! replays it. The exit code is 1 then.

use prompt_tests::fuzz::{TARGETS, Target, bytes_of, run, shrink, to_hex};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: fuzz [--seconds N] [--target NAME] [--seed N] [--count N]

Runs random inputs with consecutive seeds: so many of each target, or for 60 seconds by default. Overflow of a number is an error in this build.";

struct Arguments {
    seconds: u64,
    target: Option<String>,
    seed: u64,
    count: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(fact) => {
            eprintln!("{fact}; see --help");
            return ExitCode::from(2);
        }
    };
    let is_asked = |target: &&Target| {
        arguments
            .target
            .as_deref()
            .is_none_or(|name| name == target.name)
    };
    let targets: Vec<&Target> = TARGETS.iter().filter(is_asked).collect();
    if targets.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!(
            "there is no such target; the targets are {}",
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    // A panic is told as a failure, with the input: not by itself.
    std::panic::set_hook(Box::new(|_| {}));
    let share = Duration::from_secs(arguments.seconds) / u32::try_from(targets.len()).unwrap_or(1);
    let mut is_sound = true;
    for target in targets {
        is_sound &= fuzz(target, &arguments, share);
    }
    if is_sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs one target for a while, or so many inputs, up to its first failure.
fn fuzz(target: &Target, arguments: &Arguments, share: Duration) -> bool {
    let first = arguments.seed;
    let (start, mut seed, mut bytes) = (Instant::now(), first, 0);
    let goes_on = |done: u64| match arguments.count {
        Some(count) => done < count,
        None => start.elapsed() < share,
    };
    while goes_on(seed - first) {
        let input = bytes_of(seed);
        bytes += input.len();
        if let Err(fact) = run(target, &input) {
            let small = shrink(target, input);
            let fact = run(target, &small).err().unwrap_or(fact);
            let name = format!("{}-{seed}.hex", target.name);
            println!(
                "{}: seed {seed} fails with {} bytes\n{fact}",
                target.name,
                small.len()
            );
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/regressions");
            match std::fs::write(Path::new(folder).join(&name), to_hex(&small)) {
                Ok(()) => println!("written to {folder}/{name}"),
                Err(error) => println!("{folder}/{name}: {error}\n{}", to_hex(&small)),
            }
            return false;
        }
        seed += 1;
    }
    println!(
        "{}: {} inputs, {} KB of decisions, no failure",
        target.name,
        seed - first,
        bytes / 1024
    );
    true
}

fn arguments() -> Result<Option<Arguments>, String> {
    let mut found = Arguments {
        seconds: 60,
        target: None,
        seed: 1,
        count: None,
    };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        if word == "--help" || word == "-h" {
            return Ok(None);
        }
        let mut value = || {
            given
                .next()
                .ok_or_else(|| format!("`{word}` needs a value"))
        };
        let number = |text: String| text.parse().map_err(|_| format!("`{text}` is no number"));
        match word.as_str() {
            "--seconds" => found.seconds = number(value()?)?,
            "--seed" => found.seed = number(value()?)?,
            "--count" => found.count = Some(number(value()?)?),
            "--target" => found.target = Some(value()?),
            other => return Err(format!("`{other}` is not understood")),
        }
    }
    Ok(Some(found))
}

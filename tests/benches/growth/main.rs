//! What grows faster than its input? `cargo bench -p prompt-tests --bench growth [-- [full] [PART OF A NAME]]`
//!
//! Every public entry runs on inputs that double. The table shows the time and the peak memory at the largest, what of that
//! memory is the result, and both exponents: the slope of the least squares through the logarithms of the last doublings, 1 is
//! linear. Above 1.15 the command fails.
//!
//! Time alone cannot tell a loop in a loop from an input that has outgrown a cache: linear work on a tree of some megabytes is
//! measured at 1.1 to 1.4. So an entry whose time looks too steep runs again under `valgrind --tool=callgrind` at the same sizes,
//! and the exponent of its instructions decides; a second table shows both. Without valgrind the time decides.
//!
//! Inputs double until an entry takes 5 ms, and a time looks too steep above 1.25. In full that is 30 ms, with more rounds, and
//! 1.15: what is steep with a small factor shows only there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_precision_loss,
    missing_docs
)]

mod entries;
mod measure;

use measure::{Effort, Entry, Sizes};
use peak_alloc::PeakAlloc;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// More than this is a failure.
const STEEPEST: f64 = 1.15;
/// How often an entry that looks too steep is measured: noise of the machine only ever adds.
const SWEEPS: usize = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !["--bench", "full"].contains(&word.as_str()))
        .collect();
    if measure::as_child(&words) {
        return ExitCode::SUCCESS;
    }
    let all = entries::all();
    let is_asked = |entry: &&Entry| words.iter().all(|part| entry.name.contains(part.as_str()));
    println!("| entry | n | ms | exponent | peak MB | exponent | result MB |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let asked: Vec<&Entry> = all.iter().filter(is_asked).collect();
    let rows: Vec<Row<'_>> = asked
        .iter()
        .filter_map(|entry| Row::printed(entry))
        .collect();
    let by_time: Vec<&Row<'_>> = rows.iter().filter(|row| looks_steep(&row.sizes)).collect();
    let names = by_time
        .iter()
        .map(|row| (row.entry.name.as_str(), &row.sizes));
    let by_instructions = measure::instructions_exponents(&names.collect::<Vec<_>>());
    if !by_time.is_empty() {
        let above = Effort::asked().steep;
        println!("\n| above {above} by time | by time | by instructions |\n|---|--:|--:|");
    }
    let mut steep: Vec<&str> = rows
        .iter()
        .filter(|row| is_steep(row.sizes.memory_exponent()))
        .map(|row| row.entry.name.as_str())
        .collect();
    for (row, exponent) in by_time.iter().zip(by_instructions) {
        let (name, time) = (&row.entry.name, row.sizes.time_exponent());
        println!("| {name} | {} | {} |", number(time), number(exponent));
        if is_steep(exponent.or(time)) {
            steep.push(name);
        }
    }
    if rows.len() < asked.len() {
        let is_missing = |entry: &&&Entry| rows.iter().all(|row| !std::ptr::eq(row.entry, **entry));
        let missing = asked.iter().filter(is_missing);
        let names: Vec<&str> = missing.map(|entry| entry.name.as_str()).collect();
        println!("\ncould not be measured: {}", names.join("; "));
        return ExitCode::FAILURE;
    }
    if steep.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nsteeper than {STEEPEST}: {}", steep.join("; "));
    ExitCode::FAILURE
}

/// What was found of an entry.
struct Row<'e> {
    entry: &'e Entry,
    sizes: Sizes,
}

impl<'e> Row<'e> {
    fn printed(entry: &'e Entry) -> Option<Self> {
        let mut sizes = Sizes::measured(entry)?;
        for _ in 1..SWEEPS {
            if looks_steep(&sizes) {
                sizes.fastest_of(&Sizes::measured(entry)?);
            }
        }
        let row = Self { entry, sizes };
        println!("{row}");
        Some(row)
    }
}

fn number(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.2}"))
}

fn looks_steep(sizes: &Sizes) -> bool {
    let steep = Effort::asked().steep;
    sizes
        .time_exponent()
        .is_some_and(|exponent| exponent > steep)
}

fn is_steep(exponent: Option<f64>) -> bool {
    exponent.is_some_and(|exponent| exponent > STEEPEST)
}

impl std::fmt::Display for Row<'_> {
    fn fmt(&self, line: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = self.sizes.last();
        let megabytes = |bytes: usize| bytes as f64 / (1 << 20) as f64;
        write!(
            line,
            "| {} | {} | {:.2} | {} | {:.2} | {} | {:.2} |",
            self.entry.name,
            last.n,
            last.nanoseconds as f64 / 1e6,
            number(self.sizes.time_exponent()),
            megabytes(last.peak),
            number(self.sizes.memory_exponent()),
            megabytes(last.result),
        )
    }
}

//! What grows faster than its input? `cargo bench -p prompt-tests --bench growth [-- PART OF A NAME]`
//!
//! Every public entry runs on inputs that double. The table shows the time and the peak memory at the largest, what of that
//! memory is the result, and both exponents: the slope of the least squares through the logarithms of the last doublings, 1 is
//! linear. Above 1.15 the command fails.
//!
//! Time alone cannot tell a loop in a loop from an input that has outgrown a cache: linear work on a tree of some megabytes is
//! measured at 1.1 to 1.3. So an entry whose time is too steep runs again under `valgrind --tool=callgrind` at the same sizes, and
//! the exponent of its instructions decides; the table shows both. Without valgrind the time decides.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_precision_loss,
    missing_docs
)]

mod entries;
mod measure;

use measure::{Entry, Sizes};
use peak_alloc::PeakAlloc;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// More than this is a failure.
const STEEPEST: f64 = 1.15;
/// How often an entry that looks too steep is measured: noise of the machine only ever adds.
const SWEEPS: usize = 3;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    if measure::as_child(&words) {
        return ExitCode::SUCCESS;
    }
    let all = entries::all();
    let is_asked = |entry: &&Entry| words.iter().all(|part| entry.name.contains(part.as_str()));
    println!("| entry | n | ms | exponent | by instructions | peak MB | exponent | result MB |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let (mut steep, mut caches) = (Vec::new(), Vec::new());
    for entry in all.iter().filter(is_asked) {
        let row = Row::of(entry);
        println!("{row}");
        match row.verdict() {
            Verdict::Fine => {}
            Verdict::Caches => caches.push(entry.name.clone()),
            Verdict::Steep => steep.push(row.to_string()),
        }
    }
    if !caches.is_empty() {
        println!(
            "\nlinear by instructions, above {STEEPEST} by time (caches): {}",
            caches.join("; ")
        );
    }
    if steep.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nsteeper than {STEEPEST}:\n{}", steep.join("\n"));
    ExitCode::FAILURE
}

/// What was found of an entry.
struct Row {
    name: String,
    sizes: Sizes,
    instructions: Option<f64>,
}

enum Verdict {
    Fine,
    Caches,
    Steep,
}

impl Row {
    fn of(entry: &Entry) -> Self {
        let mut sizes = Sizes::measured(entry);
        for _ in 1..SWEEPS {
            if is_steep(sizes.time_exponent()) {
                sizes.fastest_of(&Sizes::measured(entry));
            }
        }
        let asked = is_steep(sizes.time_exponent());
        Self {
            name: entry.name.clone(),
            instructions: asked.then(|| sizes.instructions_exponent(entry)).flatten(),
            sizes,
        }
    }

    fn verdict(&self) -> Verdict {
        let decides = self.instructions.or(self.sizes.time_exponent());
        if is_steep(decides) || is_steep(self.sizes.memory_exponent()) {
            Verdict::Steep
        } else if is_steep(self.sizes.time_exponent()) {
            Verdict::Caches
        } else {
            Verdict::Fine
        }
    }
}

fn is_steep(exponent: Option<f64>) -> bool {
    exponent.is_some_and(|exponent| exponent > STEEPEST)
}

impl std::fmt::Display for Row {
    fn fmt(&self, line: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = |number: Option<f64>| number.map_or("-".to_owned(), |one| format!("{one:.2}"));
        let last = self.sizes.last();
        let megabytes = |bytes: usize| bytes as f64 / (1 << 20) as f64;
        write!(
            line,
            "| {} | {} | {:.2} | {} | {} | {:.2} | {} | {:.2} |",
            self.name,
            last.n,
            last.nanoseconds as f64 / 1e6,
            number(self.sizes.time_exponent()),
            number(self.instructions),
            megabytes(last.peak),
            number(self.sizes.memory_exponent()),
            megabytes(last.result),
        )
    }
}

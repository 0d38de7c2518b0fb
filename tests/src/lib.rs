//! Shared pieces of the test programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

pub mod cpu;
pub mod fuzz;
pub mod guarded;
pub mod lenient;
pub mod oracle;
pub mod requests;
pub mod typed;
pub mod xml_tree;

use serde_json::Value;

/// Whether a bench was asked for its long run, with more rounds and larger sizes: `cargo bench [..] -- full`.
pub fn is_full_bench() -> bool {
    std::env::args().skip(1).any(|word| word == "full")
}

/// A file of `tests/cases`, parsed.
pub fn cases(file: &str) -> Value {
    let path = format!("{}/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// How many cases a test with random ones takes, of the number it takes in the gate: a tenth, or as many percent as the
/// variable `CASES_PERCENT` says.
pub fn random_cases(in_the_gate: u32) -> u32 {
    let percent = std::env::var("CASES_PERCENT");
    let percent: u32 = percent.map_or(10, |percent| percent.parse().expect("a number of percent"));
    (in_the_gate * percent / 100).max(8)
}

/// The cases of one group.
pub fn group(file: &str, group: &str) -> Vec<Value> {
    cases(file)[group]
        .as_array()
        .unwrap_or_else(|| panic!("{file} has no group `{group}`"))
        .clone()
}

/// Cases that say something else than the guide, each with what holds instead.
const SKIPPED: [(&str, &str); 1] = [(
    "lo25",
    "a blank line at the start of a loop's body stands before every item, the first too",
)];

/// Whether the guide decides a case otherwise.
pub fn is_skipped(case: &Value) -> bool {
    SKIPPED.iter().any(|(id, _)| case["id"] == *id)
}

/// Runs every case and fails with all that went wrong, so that one failure hides no other.
pub fn run_all(cases: &[Value], run: impl Fn(&Value) -> Result<(), String>) {
    assert!(!cases.is_empty(), "no cases");
    let failures: Vec<String> = cases
        .iter()
        .filter(|case| !is_skipped(case))
        .filter_map(|case| {
            run(case)
                .err()
                .map(|error| format!("{}: {error}", case["id"]))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases failed\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// `Ok` if the two are equal.
pub fn same<T: PartialEq + std::fmt::Debug + ?Sized>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!(
            "{what}\n  found    {found:?}\n  expected {expected:?}"
        ))
    }
}

/// The README's programs are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

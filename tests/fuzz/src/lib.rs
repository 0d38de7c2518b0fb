//! From the bytes that libFuzzer finds to the targets of the fuzz command.

use prompt_tests::fuzz::{Source, TARGETS, to_hex};

/// Runs a target on decisions. The text of the panic is a regression file: see `tests/fixtures/regressions`.
pub fn keep(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.unwrap_or_else(|| panic!("there is no target `{name}`"));
    if let Err(fact) = (target.run)(&mut Source::new(bytes)) {
        panic!("{fact}\n\nas tests/fixtures/regressions/{name}-0.hex:\n{}", to_hex(bytes));
    }
}

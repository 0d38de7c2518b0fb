//! What the derives say of what they do not accept: one small program per rule, under `ui/fail`. What they accept is compiled
//! by `tests/programs`.
//!
//! The expected messages are those of stable on Linux. `TRYBUILD=overwrite cargo test -p prompt-tests --test ui` writes them
//! anew; read the difference.
#![allow(missing_docs)]

/// Without a program to run, one call of cargo checks them all, as many at once as there are cores.
#[test]
fn programs_that_do_not_compile() {
    trybuild::TestCases::new().compile_fail("ui/fail/*/*.rs");
}

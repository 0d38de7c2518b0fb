//! What the derives accept and what they say when they do not: one small program per rule, under `ui/`.
//!
//! The expected messages are those of stable on Linux: with the variable `OTHER_TOOLCHAIN`, programs that do not compile
//! are left out. `TRYBUILD=overwrite cargo test -p prompt-tests --test ui` writes them anew; read the difference.
#![allow(missing_docs)]

#[test]
fn programs_that_compile() {
    trybuild::TestCases::new().pass("ui/pass/*/*.rs");
}

/// By themselves: without a program to run, one run of cargo checks them all, as many at once as there are cores.
#[test]
fn programs_that_do_not_compile() {
    if std::env::var_os("OTHER_TOOLCHAIN").is_none() {
        trybuild::TestCases::new().compile_fail("ui/fail/*/*.rs");
    }
}

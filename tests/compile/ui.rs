//! What the derives accept and what they say when they do not: one small program per rule, under `ui/`.
//!
//! The expected messages are those of stable on Linux: with the variable `OTHER_TOOLCHAIN`, programs that do not compile
//! are left out. `TRYBUILD=overwrite cargo test -p prompt-tests --test ui` writes them anew; read the difference.
#![allow(missing_docs)]

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*/*.rs");
    if std::env::var_os("OTHER_TOOLCHAIN").is_none() {
        cases.compile_fail("ui/fail/*/*.rs");
    }
}

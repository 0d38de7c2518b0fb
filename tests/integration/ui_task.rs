//! What `#[derive(PromptTask)]` accepts, and what it says to what it does not.
#![allow(missing_docs)]

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/task/*.rs");
    cases.compile_fail("ui/fail/task/*.rs");
}

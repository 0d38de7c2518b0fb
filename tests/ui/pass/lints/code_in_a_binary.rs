//! A binary has no doctests: code without a tag is no mistake in its doc comments.
use prompt_core::PromptNode;

/// Run:
///
/// ```
/// cargo test
/// ```
///
/// or
///
///     cargo check
#[derive(PromptNode)]
struct Reviewer;

fn main() {
    let text = Reviewer.prompt().text().unwrap();
    assert_eq!(text, "Run:\n\n```\ncargo test\n```\n\nor\n\n    cargo check");
}

use prompt_core::PromptNode;

/// {a} {b}
#[derive(PromptNode)]
#[prompt(vars = { a = 1, b = 2 })]
struct Reviewer;

/// {a}
#[derive(PromptNode)]
#[prompt(vars = { a = 1 })]
struct Writer;

fn main() {}

use prompt_core::PromptNode;

/// Rule {index}{?last}.{/last}
#[derive(PromptNode)]
struct Reviewer {
    rules: u8,
}

fn main() {}

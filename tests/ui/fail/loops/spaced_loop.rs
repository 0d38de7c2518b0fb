use prompt_core::PromptNode;

/// {* rules}
/// - {item}
/// {/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

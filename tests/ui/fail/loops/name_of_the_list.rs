use prompt_core::PromptNode;

/// {*rules}
/// - {rule}
/// {/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

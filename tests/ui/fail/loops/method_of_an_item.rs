use prompt_core::PromptNode;

/// {*rules}
/// - {item.len()}
/// {/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

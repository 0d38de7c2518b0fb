use prompt_core::PromptNode;

/// {*rules}
/// - {item}
/// {/ruels}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

/// {*rules}
/// - {item}
///
/// {PROMPT_SUBTREE}
/// {/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

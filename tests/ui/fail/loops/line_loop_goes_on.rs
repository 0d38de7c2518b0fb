use prompt_core::PromptNode;

/// - {*rules}{item}
///   ({item}, {index})
/// {/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

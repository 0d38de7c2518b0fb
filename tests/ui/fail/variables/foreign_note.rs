use prompt_core::PromptNode;

/// {{! Ask for the name. }}
/// Hello {name}.
#[derive(PromptNode)]
struct Reviewer {
    name: String,
}

fn main() {}

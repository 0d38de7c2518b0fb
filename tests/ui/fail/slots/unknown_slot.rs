use prompt_core::PromptNode;

/// {PROMPT_SUBTRE}
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}

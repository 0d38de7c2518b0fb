use prompt_core::PromptNode;

/// Rules.
#[derive(PromptNode)]
struct Rules;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(visibility = "summary")]
    rules: Rules,
}

fn main() {}

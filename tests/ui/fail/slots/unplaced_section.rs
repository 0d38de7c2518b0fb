use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(append = false)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}

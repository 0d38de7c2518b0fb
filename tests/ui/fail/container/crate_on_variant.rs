use prompt_core::PromptNode;

#[derive(PromptNode)]
enum Reviewer {
    /// One.
    #[prompt(crate = prompt_core)]
    One,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(template = "Hello.")]
enum Reviewer {
    /// One.
    One,
}

fn main() {}

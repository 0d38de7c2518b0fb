use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(inline = "yes")]
struct Reviewer {
    language: String,
}

fn main() {}

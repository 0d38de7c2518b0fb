use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(numbering = "roman")]
struct Reviewer {
    language: String,
}

fn main() {}

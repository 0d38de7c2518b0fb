use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(template = "Hello.\nYou review {langage} code.")]
struct Reviewer {
    language: String,
}

fn main() {}

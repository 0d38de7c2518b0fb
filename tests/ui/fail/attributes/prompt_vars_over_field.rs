use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(language = "a"))]
struct Reviewer {
    language: String,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(tool))]
struct Reviewer {
    language: String,
}

fn main() {}

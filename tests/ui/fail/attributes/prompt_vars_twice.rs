use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(tool = "a", tool = "b"))]
struct Reviewer {
    language: String,
}

fn main() {}

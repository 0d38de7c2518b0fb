use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(weather = "x")]
struct Reviewer {
    language: String,
}

fn main() {}

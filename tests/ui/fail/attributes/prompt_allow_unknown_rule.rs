use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(allow(skiped_level))]
struct Reviewer {
    language: String,
}

fn main() {}

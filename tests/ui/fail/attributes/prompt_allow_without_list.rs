use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(allow = "skipped_level")]
struct Reviewer {
    language: String,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(titel = "Review")]
struct Reviewer {
    language: String,
}

fn main() {}

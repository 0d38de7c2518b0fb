use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(language = "a"))]
struct Reviewer {
    #[section]
    language: String,
}

fn main() {}

use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(summary = "A guide for {langage}.")]
    guide: String,
}

fn main() {}

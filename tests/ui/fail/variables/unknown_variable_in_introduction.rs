use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    /// A guide for {langage}.
    #[section]
    guide: String,
}

fn main() {}

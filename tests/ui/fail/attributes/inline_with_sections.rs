use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(tag = "note", inline)]
struct Note {
    #[section]
    text: String,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Note {
    #[section(raw, untrusted)]
    text: String,
}

fn main() {}

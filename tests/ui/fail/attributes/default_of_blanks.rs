use prompt_core::PromptNode;

/// {note}
#[derive(PromptNode)]
#[prompt(tag = "note")]
struct Note {
    #[var(default = " ")]
    note: Option<String>,
}

fn main() {}

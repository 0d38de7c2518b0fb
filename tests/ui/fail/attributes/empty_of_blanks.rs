use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(tag = "note", empty = " ")]
    note: String,
}

fn main() {}

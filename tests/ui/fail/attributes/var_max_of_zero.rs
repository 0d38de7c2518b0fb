use prompt_core::PromptNode;

/// {note}
#[derive(PromptNode)]
struct Reviewer {
    #[var(max = 0)]
    note: String,
}

fn main() {}

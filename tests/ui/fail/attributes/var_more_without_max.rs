use prompt_core::PromptNode;

/// {note}
#[derive(PromptNode)]
struct Reviewer {
    #[var(more = " ..")]
    note: String,
}

fn main() {}

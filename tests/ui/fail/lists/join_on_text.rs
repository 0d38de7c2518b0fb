use prompt_core::PromptNode;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(join = ", ")]
    team: String,
}

fn main() {}

use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(defalt = "x")]
    team: Option<String>,
}

fn main() {}

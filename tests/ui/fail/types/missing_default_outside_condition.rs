use prompt_core::PromptNode;

/// {?team}By {team}.{/team} From {team}.
#[derive(PromptNode)]
struct Reviewer {
    team: Option<String>,
}

fn main() {}

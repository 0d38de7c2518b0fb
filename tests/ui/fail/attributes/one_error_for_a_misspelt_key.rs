use prompt_core::PromptNode;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(defualt = "me")]
    team: Option<String>,
    #[section(visibility = "summary", sumary = "Rules.")]
    rules: String,
}

fn main() {}

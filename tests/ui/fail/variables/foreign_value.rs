use prompt_core::PromptNode;

/// For {{ name }} of {{> team}} in <%= city %>.
#[derive(PromptNode)]
struct Reviewer {
    name: String,
    team: String,
    city: String,
}

fn main() {}

use prompt_core::PromptNode;

/// You review {?language}{language}{/team} code.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    team: String,
}

fn main() {}

use prompt_core::PromptNode;

/// At most {scores:.2f}.
#[derive(PromptNode)]
struct Reviewer {
    score: f32,
}

fn main() {}

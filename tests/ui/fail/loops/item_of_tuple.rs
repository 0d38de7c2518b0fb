use prompt_core::PromptNode;

/// {*pairs}{item.2}
#[derive(PromptNode)]
struct Reviewer {
    pairs: Vec<(String, u8)>,
}

fn main() {}

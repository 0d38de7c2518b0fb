use prompt_core::PromptNode;

/// {*rules}{?item.1}{item.0}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<(String, u8)>,
}

fn main() {}

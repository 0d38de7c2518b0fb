use prompt_core::PromptNode;

/// - {*rules}{item}
///
/// The last was {item}.
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

/// {*rules}{item}{/rules} {item}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

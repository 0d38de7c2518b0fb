use prompt_core::PromptNode;

/// {*rules as rule}{*rule.files}{item}{/rule.files}{/rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<(String, u8)>,
}

fn main() {}

use prompt_core::PromptNode;

use std::collections::HashMap;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(json)]
    names: HashMap<String, String>,
}

fn main() {}

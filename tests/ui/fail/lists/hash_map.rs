use prompt_core::PromptNode;

use std::collections::HashMap;

/// By {names}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(join = ", ")]
    names: HashMap<String, String>,
}

fn main() {}

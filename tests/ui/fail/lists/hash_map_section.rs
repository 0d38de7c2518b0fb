use prompt_core::PromptNode;

use std::collections::HashMap;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    names: HashMap<String, String>,
}

fn main() {}

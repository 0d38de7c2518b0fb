use prompt_core::PromptNode;

use std::collections::{HashMap, HashSet};

/// By {names} and {others}.
#[derive(PromptNode)]
struct Reviewer {
    names: HashMap<String, String>,
    others: Option<HashSet<String>>,
}

fn main() {}

use std::collections::HashMap;

use prompt_core::PromptNode;

/// {*ports}{item.0}
#[derive(PromptNode)]
struct Pilot {
    ports: HashMap<String, u8>,
}

fn main() {}

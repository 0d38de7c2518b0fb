use std::collections::HashMap;

use prompt_core::PromptNode;

/// {ports:?}
#[derive(PromptNode)]
struct Pilot {
    ports: HashMap<String, u8>,
}

fn main() {}

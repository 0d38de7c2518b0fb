use std::collections::BTreeMap;

use prompt_core::PromptNode;

/// {*ports}{item.key}
#[derive(PromptNode)]
struct Pilot {
    ports: BTreeMap<String, u8>,
}

fn main() {}

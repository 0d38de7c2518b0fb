use prompt_core::PromptNode;

/// {*watches}{item.begin}
#[derive(PromptNode)]
struct Reviewer {
    watches: Vec<std::ops::Range<u8>>,
}

fn main() {}

use prompt_core::PromptNode;

/// Of {countri}.
#[derive(PromptNode)]
struct Address { country: String }

/// {home} {?work}{work}{/work}
#[derive(PromptNode)]
struct Reviewer {
    home: Address,
    work: Option<Address>,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
union Reviewer {
    a: u8,
    b: i8,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Reviewer {
    #[section]
    count: u32,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Reviewer {
    #[section(empty = "Nothing.")]
    rules: (),
}

fn main() {}

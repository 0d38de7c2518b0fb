use prompt_core::PromptNode;

/// Look at it.
#[derive(PromptNode)]
struct Reviewer {
    #[section(title = "```sh")]
    run: (),
}

fn main() {}

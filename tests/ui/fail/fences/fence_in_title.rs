use prompt_core::PromptNode;

/// Look at it.
#[derive(PromptNode)]
struct Reviewer {
    #[section(title = "Run\n```sh\nls\n```")]
    run: (),
}

fn main() {}

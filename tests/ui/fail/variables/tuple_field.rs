use prompt_core::PromptNode;

/// Hello {0}, you are {1:>3}; print `{0}`.
#[derive(PromptNode)]
struct Greeting(String, u8);

#[derive(PromptNode)]
enum Reply {
    /// Say {0}.
    Word(#[var(json)] String),
}

fn main() {}

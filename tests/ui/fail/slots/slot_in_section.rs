use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    /// Rules:
    ///
    /// {PROMPT_SUBTREE}
    #[section]
    rules: (),
}

fn main() {}

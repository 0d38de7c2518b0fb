use prompt_core::PromptNode;

/// ###### Six
///
/// {rules}
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: String,
}

fn main() {}

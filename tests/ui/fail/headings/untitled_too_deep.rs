use prompt_core::PromptNode;

/// ###### Six
///
/// {rules}
#[derive(PromptNode)]
struct Reviewer {
    /// ## One
    ///
    /// ### Two
    #[section(untitled)]
    rules: String,
}

fn main() {}

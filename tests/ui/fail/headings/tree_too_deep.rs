use prompt_core::PromptNode;

/// ##### Five
///
/// {child}
#[derive(PromptNode)]
struct Root {
    #[section]
    child: Child,
}

/// # One more
#[derive(PromptNode)]
struct Child;

fn main() {}

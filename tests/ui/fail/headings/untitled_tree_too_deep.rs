use prompt_core::PromptNode;

/// ###### Six
///
/// {child}
#[derive(PromptNode)]
struct Root {
    #[section(untitled)]
    child: Child,
}

/// # One
///
/// ## Two
#[derive(PromptNode)]
struct Child;

fn main() {}

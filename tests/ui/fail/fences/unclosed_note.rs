use prompt_core::PromptNode;

/// Hello.
///
/// <!--# to do
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}

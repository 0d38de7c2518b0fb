use prompt_core::PromptNode;

/// You review {langage} code.
///
/// # {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(key = "Not A Key")]
    rules: (),
    #[section(titel = "x")]
    more: (),
}

fn main() {}

use prompt_core::PromptNode;

/** You review code.
 *
 * Write {langage} only.
 */
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}

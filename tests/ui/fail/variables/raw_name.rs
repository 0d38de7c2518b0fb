use prompt_core::PromptNode;

/// A {r#type} of {?r#type}kind.
#[derive(PromptNode)]
struct Part {
    r#type: String,
}

fn main() {}

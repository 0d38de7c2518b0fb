use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(template = "Hi { name } {nmae}.")]
struct Letter {
    name: String,
}

fn main() {}

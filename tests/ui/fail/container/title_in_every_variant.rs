use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(title = "Step {stpe} of {stpe}")]
enum Workflow {
    Plan { step: u8 },
    Pack { step: u8 },
    Sail { step: u8 },
}

fn main() {}

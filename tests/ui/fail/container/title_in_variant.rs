use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(title = "Step {step}")]
enum Workflow {
    Plan { step: u8 },
    Pack { setp: u8 },
}

fn main() {}

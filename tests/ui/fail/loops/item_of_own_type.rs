use prompt_core::PromptNode;

/// {name}: {*steps as step}{step.nmae}{/steps}
#[derive(PromptNode)]
struct Step {
    name: String,
    steps: Vec<Step>,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(self.tool))]
struct Reviewer {
    tool: String,
}

fn main() {}

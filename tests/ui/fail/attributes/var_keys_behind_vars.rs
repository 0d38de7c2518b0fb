use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
#[prompt(vars(names = &self.list, { jion = ", " }))]
struct Reviewer {
    list: Vec<String>,
}

fn main() {}

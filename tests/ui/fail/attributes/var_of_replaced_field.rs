use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
#[prompt(vars(names = &self.names, { join = ", " }))]
struct Reviewer {
    #[var(join = "; ")]
    names: Vec<String>,
}

fn main() {}

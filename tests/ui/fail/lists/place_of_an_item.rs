use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Greeter {
    #[var(item = "{item}{?!last}, {/last}")]
    names: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Rules {
    #[section(key = "")]
    rules: Vec<String>,
}

fn main() {}

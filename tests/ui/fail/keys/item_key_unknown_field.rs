use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Rules {
    #[section(item_key = slug)]
    rules: Vec<Rule>,
}

/// {text}
#[derive(PromptNode)]
struct Rule {
    text: String,
}

fn main() {}

use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Rule {
    name: String,
    #[section(item_title = "{item.nmae}")]
    rules: Vec<Rule>,
}

fn main() {}

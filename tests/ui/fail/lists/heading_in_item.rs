use prompt_core::PromptNode;

struct Rule {
    name: String,
}

/// Rules.
#[derive(PromptNode)]
struct Reviewer {
    #[section(item = "# {item.name}", item_tag = "rule")]
    rules: Vec<Rule>,
}

fn main() {}

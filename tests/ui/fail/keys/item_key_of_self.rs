use prompt_core::PromptNode;

struct Rule {
    slug: String,
}

#[derive(PromptNode)]
struct Rules {
    #[section(item = "{item.slug}", item_key = self.slug)]
    rules: Vec<Rule>,
}

fn main() {}

use prompt_core::PromptNode;

/// {{#each rules}}{{this}}{{/each}}
///
/// {% for rule in rules %}{{ rule }}{% endfor %}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

/// {{{name}}}, {{name}}, {{weather.today}}
#[derive(PromptNode)]
#[prompt(deny(doubled_braces))]
struct Reviewer {
    name: String,
}

fn main() {}

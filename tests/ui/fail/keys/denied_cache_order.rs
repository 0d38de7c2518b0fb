use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(deny(volatile_before_cache))]
struct Reviewer {
    #[section(volatile)]
    news: String,
    #[section(cache)]
    rules: String,
}

fn main() {}

use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(title = "A {?on}b{/!on}", summary = "{? on}c")]
struct Reviewer {
    on: bool,
    #[section(item = "{?on}x{ else }y{/on}", title = "{if on}d{/if}")]
    rules: Vec<String>,
}

fn main() {}

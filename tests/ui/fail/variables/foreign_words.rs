use prompt_core::PromptNode;

/// {if strict}Be strict.{/if}
///
/// {foreach rules as rule}{rule}{/foreach}
///
/// {#each files}{this}{/each}
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
    rules: Vec<String>,
    files: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

/// {{#if strict}}Be strict.{{else}}Be kind.{{/if}}
///
/// {{#unless strict}}Be kind.{{/unless}}
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}

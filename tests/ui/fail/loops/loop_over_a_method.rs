use prompt_core::PromptNode;

/// {*rules.iter()}
/// - {item}
/// {/rules}
///
/// {*files as}{item}{/files}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
    files: Vec<String>,
}

fn main() {}

use prompt_core::PromptNode;

/// You review {files.len()} files.
#[derive(PromptNode)]
struct Reviewer {
    files: Vec<String>,
}

fn main() {}

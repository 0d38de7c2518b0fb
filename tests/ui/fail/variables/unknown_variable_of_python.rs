use prompt_core::PromptNode;

/// In all {total:.2f}, first {total[0]}, as it is {total!r}.
///
/// {"total": 1}, {total: 1}
#[derive(PromptNode)]
struct Reviewer {
    name: String,
}

fn main() {}

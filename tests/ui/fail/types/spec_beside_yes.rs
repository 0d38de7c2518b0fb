use prompt_core::PromptNode;

/// {flag:>5} {data:>5}
#[derive(PromptNode)]
struct Agent {
    #[var(yes = "on")]
    flag: bool,
    #[var(json)]
    data: String,
}

fn main() {}

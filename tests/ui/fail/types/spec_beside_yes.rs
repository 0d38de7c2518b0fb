use prompt_core::PromptNode;

/// {flag:>5} {data:>5} {gauges:.1}
#[derive(PromptNode)]
struct Agent {
    #[var(yes = "on")]
    flag: bool,
    #[var(json)]
    data: String,
    #[var(item = "<{item}>")]
    gauges: Vec<f64>,
}

fn main() {}

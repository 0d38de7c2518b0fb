use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task {
    LLMCheck,
    LlmCheck,
    #[task(name = "crust")]
    Crumb,
    Crust,
}

fn main() {}

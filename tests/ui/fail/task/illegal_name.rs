use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task {
    #[task(name = "Rubric Crust")]
    Crust,
    #[task(name = "", category = "a.b")]
    Crumb,
    Früh,
}

fn main() {}

use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task {
    #[task(categroy = "rubric")]
    Crust,
    #[task(colour = "red")]
    Crumb,
}

fn main() {}

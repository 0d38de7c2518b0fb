use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task {
    Rubric,
    #[task(category = "rubric")]
    RubricCrust,
}

fn main() {}

use prompt_core::PromptTask;

#[derive(PromptTask)]
#[task(categories = ["rubric_evaluation", "deep_judgment"])]
enum Task {
    #[task(category = "rubric_evalution")]
    Crust,
    #[task(category = "oven")]
    Crumb,
}

fn main() {}

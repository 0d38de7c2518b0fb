use prompt_core::PromptTask;

#[derive(PromptTask)]
#[task(categories = ["rubric", "rubric"])]
enum Task {
    #[task(name = "a", name = "b")]
    Crust,
    #[task(category = "rubric")]
    #[task(category = "rubric")]
    Crumb,
}

fn main() {}

use prompt_core::PromptTask;

#[derive(PromptTask)]
#[task(categories = "rubric", crate = 3)]
enum Task {
    #[task(name = 3)]
    Crust,
    #[task(category)]
    Crumb,
    #[task("rubric")]
    Taste,
}

fn main() {}

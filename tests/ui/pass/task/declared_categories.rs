//! The declared order counts, and a category may wait for its first task.
use prompt_core::PromptTask;

#[derive(Clone, Copy, PromptTask)]
#[task(categories = ["later", "rubric"])]
enum Task {
    #[task(category = "rubric", name = "crust-2")]
    Crust = 7,
}

fn main() {
    assert_eq!(Task::CATEGORIES, ["later", "rubric"]);
    assert_eq!(Task::Crust.as_str(), "crust-2");
    const NAME: &str = Task::Crust.as_str();
    assert_eq!(NAME.len(), 7);
}

use prompt_core::PromptTask;

#[derive(Clone, Copy, Debug, PartialEq, PromptTask)]
enum Task {
    #[task(nam = "a")]
    Tasting,
    Crust(u8),
    #[task(name = "tasting")]
    Crumb,
}

// One mistake is one error: uses of the enum stay fine.
fn main() {
    println!("{} {:?}", Task::Tasting, Task::ALL.first().map(|task| task.as_str()));
    assert_eq!("tasting".parse::<Task>().ok(), Some(Task::Tasting));
}

use prompt_core::PromptTask;

#[derive(PromptTask)]
enum Task {
    Tasting(String),
    Crust { grade: u8 },
    Crumb(),
}

fn main() {}

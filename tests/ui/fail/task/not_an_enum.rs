use prompt_core::PromptTask;

#[derive(PromptTask)]
struct Tasting;

#[derive(PromptTask)]
enum Nothing {}

#[derive(PromptTask)]
union Both {
    a: u8,
}

fn main() {}

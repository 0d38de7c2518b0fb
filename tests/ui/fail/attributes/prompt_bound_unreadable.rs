use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(bound = "T Display")]
struct Reviewer<T>(T);

fn main() {}

//! Both spellings of a crate under another name.
mod vendored {
    pub use prompt_core as core_of_prompts;
}

use vendored::core_of_prompts::PromptTask;

#[derive(PromptTask)]
#[task(crate = crate::vendored::core_of_prompts)]
enum Task {
    Tasting,
}

#[derive(PromptTask)]
#[prompt(crate = "crate::vendored::core_of_prompts")]
enum Other {
    Tasting,
}

fn main() {
    assert_eq!(Task::Tasting.to_string(), Other::Tasting.to_string());
}

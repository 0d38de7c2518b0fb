//! An enum of which only a part is used gives no warnings of the derive's making.
#![deny(warnings, unused_qualifications)]

#[derive(prompt_core::PromptTask)]
#[allow(dead_code)]
enum Task {
    Tasting,
    #[deprecated]
    Old,
}

fn main() {
    println!("{}", Task::Tasting);
}

use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(deny(naming, generic_name))]
struct Reviewer {
    #[section(tag = "HouseStyle")]
    style: String,
    #[section]
    section_3: String,
}

fn main() {}

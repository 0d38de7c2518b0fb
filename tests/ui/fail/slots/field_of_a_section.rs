use prompt_core::PromptNode;

/// Ask {person.name}.
#[derive(PromptNode)]
struct Desk {
    #[section]
    person: Person,
}

/// On call.
#[derive(PromptNode)]
struct Person {
    name: String,
}

fn main() {}

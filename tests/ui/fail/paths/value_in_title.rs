use prompt_core::PromptNode;

struct Boat {
    name: String,
}

#[derive(PromptNode)]
#[prompt(title = "Desk of {boat.name}")]
struct Desk {
    boat: Option<Boat>,
}

fn main() {}

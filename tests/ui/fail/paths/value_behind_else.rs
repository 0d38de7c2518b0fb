use prompt_core::PromptNode;

struct Boat {
    name: String,
}

/// {?!boat}Ask {boat.name}.
#[derive(PromptNode)]
struct Desk {
    boat: Option<Boat>,
}

fn main() {}

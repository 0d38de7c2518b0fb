use prompt_core::PromptNode;

struct Boat {
    holds: Vec<String>,
}

/// {*boat.holds}- {item}
#[derive(PromptNode)]
struct Desk {
    boat: Option<Boat>,
}

fn main() {}

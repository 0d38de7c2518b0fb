use prompt_core::PromptNode;

struct Boat {
    mate: Option<(String, u8)>,
}

/// {?boat}Ask {boat.mate.0}.
#[derive(PromptNode)]
struct Desk {
    boat: Option<Boat>,
}

fn main() {}

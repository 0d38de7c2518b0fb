use prompt_core::PromptNode;

struct Boat {
    flag: Option<String>,
}

/// {?boat.flag}Ask.
#[derive(PromptNode)]
struct Desk {
    boat: Option<Boat>,
}

fn main() {}

use prompt_core::PromptNode;

struct Boat {
    name: String,
}

type Maybe<T> = Option<T>;
type MaybeBoat = Option<Boat>;

/// Ask {boat.name}.
/// {*others}{item.name}
#[derive(PromptNode)]
struct Desk {
    boat: MaybeBoat,
    others: Vec<Maybe<Boat>>,
}

fn main() {}

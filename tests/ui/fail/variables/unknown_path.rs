use prompt_core::PromptNode;

/// For {self.name} and {weather:>10}.
#[derive(PromptNode)]
struct Reviewer {
    name: String,
}

fn main() {}

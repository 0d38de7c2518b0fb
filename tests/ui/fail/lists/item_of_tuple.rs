use prompt_core::PromptNode;

/// {stations}
#[derive(PromptNode)]
struct Radio {
    #[var(item = "{item.0}: {item.2}")]
    stations: Vec<(String, u8)>,
}

fn main() {}

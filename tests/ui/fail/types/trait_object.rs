use prompt_core::PromptNode;

fn text(node: &dyn PromptNode) -> String {
    node.prompt().text().unwrap()
}

fn main() {
    text(&"Be brief.");
}

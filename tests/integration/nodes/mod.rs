//! What every key of the attributes does to the text.

mod asked_sections;
mod conditions;
mod containers;
mod derive;
mod limits;
mod lists;
mod loops;
mod mixed_lists;
mod options;
mod phrases;
mod placement;
mod rendering;
mod sections;
mod skill;
mod static_prefix;
mod templates;
mod types;
mod variables;

use prompt_core::PromptNode;

/// Compares the printed text with these lines.
#[track_caller]
fn prints(node: &impl PromptNode, lines: &[&str]) {
    let rendered = node.prompt().render().unwrap();
    assert_eq!(rendered.as_str(), lines.join("\n"));
    assert_eq!(node.prompt().text().unwrap(), rendered.as_str());
}

//! What every key of `#[var]`, `#[section]` and `#[prompt]` does to the text, and what a rendered prompt says of itself.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::doc_markdown, reason = "doc comments are prompt texts here")]
#![allow(clippy::items_after_statements, reason = "each test shows its types next to what they print")]

#[path = "nodes/containers.rs"]
mod containers;
#[path = "nodes/guards.rs"]
mod guards;
#[path = "nodes/lists.rs"]
mod lists;
#[path = "nodes/placement.rs"]
mod placement;
#[path = "nodes/rendering.rs"]
mod rendering;
#[path = "nodes/sections.rs"]
mod sections;
#[path = "nodes/static_prefix.rs"]
mod static_prefix;
#[path = "nodes/types.rs"]
mod types;
#[path = "nodes/variables.rs"]
mod variables;

use prompt_core::PromptNode;

/// Compares the printed text with these lines.
#[track_caller]
fn prints(node: &impl PromptNode, lines: &[&str]) {
    let rendered = node.prompt().render().unwrap();
    assert_eq!(rendered.as_str(), lines.join("\n"));
    assert_eq!(node.prompt().to_string(), rendered.as_str());
}

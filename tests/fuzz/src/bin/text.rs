//! Any text at every door that takes one: nothing panics, and what is read prints.
#![no_main]

use prompt_core::{DynamicNode, Markdown, Prompt, PromptNode, Template, elements, xml};

libfuzzer_sys::fuzz_target!(|text: &str| {
    _ = elements::parse(text).map(|read| read.to_markdown());
    _ = Template::parse(text);
    _ = Markdown::from(text).prompt().text();
    _ = Prompt::new(text).text();
    _ = xml::validate(text);
    for node in [DynamicNode::from_json(text), DynamicNode::from_toml(text)] {
        _ = node.map(|node| node.prompt().text());
    }
});

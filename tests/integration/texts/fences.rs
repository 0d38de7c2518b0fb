//! Every construct before every kind of fence end, at run time. Derived types: test `typed`.

use prompt_core::{DynamicNode, PromptNode, Style};
use prompt_tests::{fuzz::fences, oracle};

#[test]
fn every_construct_stands_before_every_end_of_a_fence() {
    let data = fences::data();
    let values = serde_json::to_value(&data).unwrap();
    let mut failures = Vec::new();
    for (text, expected) in fences::table() {
        let node = DynamicNode::builder("page").body(&*text).build_with(&data);
        let node = node.unwrap_or_else(|faults| panic!("{faults}\n{text}"));
        let in_xml = format!("{expected}\n");
        for (style, expected) in [(Style::Markdown, &expected), (Style::Xml, &in_xml)] {
            let prompt = || node.prompt().style(style);
            let [printed, rendered] = [
                prompt().text().unwrap(),
                prompt().render().unwrap().to_string(),
            ];
            if printed != *expected || rendered != *expected {
                failures.push(format!(
                    "{text:?}\n  found    {printed:?}\n  expected {expected:?}"
                ));
            }
        }
        assert_eq!(
            oracle::printed(&text, &values, 0),
            expected,
            "the oracle of {text:?}"
        );
    }
    assert!(
        failures.is_empty(),
        "{} differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}

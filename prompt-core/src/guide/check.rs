// What the tables of the language page run with. Its programs include this file; it is no module of the crate.

use prompt_core::{DynamicNode, PromptNode};
use serde_json::Value;
pub use serde_json::json;

/// Each text, with its values, prints what stands beside it.
pub fn check<const N: usize>(rows: [(&str, Value, &str); N]) {
    for (text, values, printed) in rows {
        let node = DynamicNode::builder("page").body(text);
        let found = node.build_with(values).unwrap().prompt().text().unwrap();
        assert_eq!(found, printed, "{text}");
    }
}

/// The code of the first thing that is wrong with a text; `name`, `x` and `y` have values.
pub fn code(text: &str) -> &'static str {
    let values = json!({ "name": "Ada", "x": true, "y": true });
    let node = DynamicNode::builder("page").body(text);
    node.build_with(values).unwrap_err().code().as_str()
}

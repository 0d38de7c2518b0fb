// What the tables of the language page run with. Its programs include this file; it is no module of the crate.

use prompt_core::diagnostics::Diagnostics;
use prompt_core::{DynamicNode, PromptNode};
use serde_json::Value;
pub use serde_json::json;

fn build(text: &str, values: Value) -> Result<DynamicNode, Diagnostics> {
    DynamicNode::builder("page").body(text).build_with(values)
}

/// Each text, with its values, prints what stands beside it.
pub fn check<const N: usize>(rows: [(&str, Value, &str); N]) {
    for (text, values, printed) in rows {
        let node = build(text, values).map_err(|faults| faults.to_string());
        let found = node.and_then(|node| node.prompt().text().map_err(|error| error.to_string()));
        assert_eq!(found.as_deref(), Ok(printed), "{text}");
    }
}

/// The code of the first thing that is wrong with a text; `name`, `x` and `y` have values.
pub fn code(text: &str) -> &'static str {
    let values = json!({ "name": "Ada", "x": true, "y": true });
    let faults = build(text, values).err();
    faults.map_or("none", |faults| faults.code().as_str())
}

//! One leaf at a time: the `focus` cases of `elements.json`.

use prompt_core::DynamicNode;
use prompt_core::PromptNode;
use prompt_core::tree::Collected;
use prompt_core::tree::ContextForm;
use prompt_tests::{group, run_all, same};

#[test]
fn focus() {
    run_all(&group("elements.json", "focus"), |case| {
        let node: DynamicNode =
            serde_json::from_value(case["tree"].clone()).map_err(|error| error.to_string())?;
        let paths = case["collected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|path| path.as_str().unwrap());
        let collected: Collected = paths.map(|path| (path, "(collected)")).collect();
        let form = match case["context_form"].as_str() {
            Some("reference") => ContextForm::Reference,
            _ => ContextForm::Value,
        };
        let focus = case["focus"].as_str().unwrap();
        let prompt = node
            .prompt()
            .collected(&collected)
            .context_form(form)
            .focus(focus);
        let text = prompt.render().map_err(|error| error.to_string())?;
        same("text", text.as_str(), case["expected"].as_str().unwrap())
    });
}

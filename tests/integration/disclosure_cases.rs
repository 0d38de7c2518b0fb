//! Every case of `cases/disclosure.json`, through a tree loaded at run time. Some trees again as derived types: see
//! `disclosure_derived.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use prompt_core::{DynamicNode, Numbering, Overrides, PromptNode, RenderedPrompt, ToolCall, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    tree: Value,
    values: Map<String, Value>,
    numbering: Numbering,
    base_level: u8,
    overrides: Overrides,
    expected: Expected,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    text: Option<String>,
    tools: Option<Vec<String>>,
    build_error: Option<String>,
    render_error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    call: Option<Value>,
    #[serde(default = "yes")]
    apply: bool,
    #[serde(default)]
    render: bool,
    #[serde(rename = "override")]
    set: Option<Overrides>,
    clear: Option<String>,
    expected: Option<Value>,
}

fn yes() -> bool {
    true
}

/// Words that the answer to the model must have, for the cases that say what an error must convey.
const CONVEYED: &[(&str, &[&str])] = &[
    ("child-summary-under-summary", &["'p.c'", "open 'p'"]),
    ("open-unknown", &["section 'nope' does not exist", "'a', 'b'"]),
    ("open-empty-key", &["section '' does not exist"]),
    ("open-mixed-unknown", &["section 'nope' does not exist"]),
    ("open-case", &["does not exist", "did you mean 'a'"]),
    ("open-long-reason", &["reason is longer than 256 characters"]),
    ("open-args-missing", &["reason is missing"]),
    ("open-args-extra", &["'force'"]),
    ("open-args-nonstring", &["must be a"]),
];

struct Run {
    case: Case,
    node: DynamicNode,
}

impl Run {
    fn render(&self) -> Result<RenderedPrompt, prompt_core::PromptError> {
        let Case { numbering, base_level, overrides, .. } = &self.case;
        self.node.prompt().numbering(*numbering).base_level(*base_level).overrides(overrides).render()
    }

    fn check_render(&self, expected: &Expected) {
        let id = &self.case.id;
        let rendered = self.render();
        if let Some(code) = &expected.render_error {
            assert_eq!(rendered.expect_err(id).code().as_str(), code, "{id}");
            return;
        }
        let rendered = rendered.expect(id);
        assert_eq!(Some(rendered.as_str()), expected.text.as_deref(), "{id}");
        let tools: Vec<&str> = rendered.tools().iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, *expected.tools.as_ref().expect(id), "{id}");
    }

    fn step(&mut self, step: Step) {
        if let Some(overrides) = step.set {
            self.case.overrides.merge(overrides);
        }
        if let Some(path) = step.clear {
            self.case.overrides.clear(&path);
        }
        if let Some(arguments) = step.call {
            let expected = step.expected.clone().expect("a call expects something");
            self.call(arguments, &expected, step.apply);
        }
        if step.render {
            self.check_render(&serde_json::from_value(step.expected.expect("a text")).unwrap());
        }
    }

    fn call(&mut self, arguments: Value, expected: &Value, apply: bool) {
        let id = &self.case.id;
        let call = ToolCall { id: "call".into(), name: "open_sections".into(), arguments };
        let outcome = self.render().expect(id).call(&call);
        match (outcome, expected.get("expansion")) {
            (Err(ToolError::Expansion(expansion)), Some(expected)) => {
                let paths: Vec<&str> = expansion.paths().collect();
                assert_eq!(serde_json::json!(paths), expected["overrides"], "{id}");
                assert_eq!(serde_json::json!(expansion.section_keys), expected["section_keys"], "{id}");
                assert_eq!(expansion.reason, expected["reason"], "{id}");
                assert_eq!(expansion.to_string(), expected["display"], "{id}");
                if apply {
                    self.case.overrides.merge(&expansion.requested_overrides);
                }
            }
            (Err(ToolError::Validation(error)), None) => {
                assert_eq!(expected["error"], "ToolValidationError", "{id}");
                let (_, words) = CONVEYED.iter().find(|(case, _)| case == id).expect(id);
                let text = error.to_string();
                assert!(words.iter().all(|word| text.contains(word)), "{id}: {text}");
            }
            (outcome, _) => panic!("{id}: {outcome:?}"),
        }
    }
}

fn run(mut case: Case) {
    let built = DynamicNode::from_json(&case.tree.to_string()).and_then(|node| node.bind(&case.values));
    if let Some(code) = &case.expected.build_error {
        let faults = built.err().expect(&case.id);
        assert_eq!(faults.iter().next().unwrap().code.as_str(), code, "{}", case.id);
        return;
    }
    let steps = std::mem::take(&mut case.steps);
    let mut run = Run { node: built.unwrap_or_else(|faults| panic!("{}: {faults}", case.id)), case };
    run.check_render(&run.case.expected);
    for step in steps {
        run.step(step);
    }
}

#[test]
fn all_cases() {
    let file: File = serde_json::from_str(include_str!("../cases/disclosure.json")).unwrap();
    let count = file.cases.len();
    assert!(count >= 30, "only {count} cases");
    file.cases.into_iter().for_each(run);
}

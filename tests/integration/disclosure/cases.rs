//! Every case of `cases/disclosure.json`, through a tree loaded at run time, and many of them through derived types.

use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::Prompt;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::ToolCall;
use prompt_core::ToolSpec;
use prompt_core::disclosure::ToolError;
use prompt_core::prompt::Numbering;
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
    (
        "open-unknown",
        &["section 'nope' does not exist", "'a', 'b'"],
    ),
    ("open-empty-key", &["section '' does not exist"]),
    ("open-mixed-unknown", &["section 'nope' does not exist"]),
    ("open-case", &["does not exist", "did you mean 'a'"]),
    (
        "open-long-reason",
        &["reason is longer than 256 characters"],
    ),
    ("open-args-missing", &["reason is missing"]),
    ("open-args-extra", &["'force'"]),
    ("open-args-nonstring", &["must be a"]),
];

struct Run<'n> {
    case: Case,
    node: &'n dyn PromptNode,
}

impl Run<'_> {
    fn render(&self) -> Result<RenderedPrompt, prompt_core::PromptError> {
        let Case {
            numbering,
            base_level,
            overrides,
            ..
        } = &self.case;
        Prompt::new(self.node)
            .numbering(*numbering)
            .base_level(*base_level)
            .overrides(overrides)
            .render()
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
        let tools: Vec<&str> = rendered.tools().iter().map(|tool| tool.name()).collect();
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
        let call = ToolCall {
            id: "call".into(),
            name: "open_sections".into(),
            arguments,
        };
        let outcome = self.render().expect(id).call(&call);
        match (outcome, expected.get("expansion")) {
            (Err(ToolError::Expansion(expansion)), Some(expected)) => {
                let paths: Vec<&str> = expansion.paths().collect();
                assert_eq!(serde_json::json!(paths), expected["overrides"], "{id}");
                assert_eq!(
                    serde_json::json!(expansion.section_keys),
                    expected["section_keys"],
                    "{id}"
                );
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

fn run(mut case: Case, node: &dyn PromptNode) {
    let steps = std::mem::take(&mut case.steps);
    let mut run = Run { case, node };
    run.check_render(&run.case.expected);
    for step in steps {
        run.step(step);
    }
}

fn run_dynamic(case: Case) {
    let built =
        DynamicNode::from_json(&case.tree.to_string()).and_then(|node| node.bind(&case.values));
    if let Some(code) = &case.expected.build_error {
        let Err(faults) = built else {
            panic!("{}: built", case.id)
        };
        assert_eq!(
            faults.iter().next().unwrap().code.as_str(),
            code,
            "{}",
            case.id
        );
        return;
    }
    let node = built.unwrap_or_else(|faults| panic!("{}: {faults}", case.id));
    run(case, &node);
}

fn cases() -> Vec<Case> {
    let file: File = serde_json::from_str(include_str!("../../cases/disclosure.json")).unwrap();
    file.cases
}

#[test]
fn all_cases() {
    let cases = cases();
    assert!(cases.len() >= 35, "only {} cases", cases.len());
    cases.into_iter().for_each(run_dynamic);
}

/// Runs these cases on a derived type.
fn run_derived(ids: &[&str], node: &dyn PromptNode) {
    let (wanted, _): (Vec<Case>, Vec<Case>) = cases()
        .into_iter()
        .partition(|case| ids.contains(&case.id.as_str()));
    assert_eq!(wanted.len(), ids.len(), "{ids:?}");
    for case in wanted {
        run(case, node);
    }
}

fn tools(names: &[&str]) -> Vec<ToolSpec> {
    names
        .iter()
        .map(|name| ToolSpec::closed(*name, "A tool.").unwrap())
        .collect()
}

#[derive(PromptNode)]
struct BasicFull {
    harbor: &'static str,
    crew: u8,
    /// Sail to {harbor} with {crew} hands.
    #[section]
    brief: (),
    /// Keep a log.
    #[section]
    rules: (),
}

#[derive(PromptNode)]
struct BasicSummary {
    /// Sail.
    #[section(tools = tools(&["log_entry"]))]
    brief: (),
    /// Use channel 16, then 72.
    #[section(visibility = "summary", summary = "Radio procedures.", tools = tools(&["radio_call"]))]
    radio: (),
}

/// a body
#[derive(PromptNode)]
struct NestedA {
    #[section]
    b: NestedB,
}

/// b body
#[derive(PromptNode)]
struct NestedB {
    /// c body
    #[section(visibility = "summary", summary = "c short", tools = tools(&["c_tool"]))]
    c: (),
}

#[derive(PromptNode)]
struct Nested {
    #[section]
    a: NestedA,
}

#[derive(PromptNode)]
struct AllFull {
    /// full a
    #[section(summary = "short a")]
    a: (),
    /// full b
    #[section(summary = "short b")]
    b: (),
}

#[derive(PromptNode)]
struct TwoClosed {
    /// full a
    #[section(visibility = "summary", summary = "short a", tools = tools(&["t_a"]))]
    a: (),
    /// full b
    #[section(visibility = "summary", summary = "short b", tools = tools(&["t_b"]))]
    b: (),
}

#[derive(PromptNode)]
struct Openers {
    /// full a
    #[section(visibility = "summary", summary = "short a", tools = tools(&["t_a"]))]
    a: (),
    /// full b
    #[section(visibility = "summary", summary = "short b", tools = tools(&["t_b"]))]
    b: (),
    /// full c
    #[section]
    c: (),
}

#[derive(PromptNode)]
struct EmptySummary {
    /// full a
    #[section(visibility = "summary", summary = "", tools = tools(&["t_a"]))]
    a: (),
}

#[derive(PromptNode)]
struct OneClosed {
    /// full a
    #[section(visibility = "summary", summary = "short a", tools = tools(&["t_a"]))]
    a: (),
}

#[derive(PromptNode)]
struct OneOpen {
    /// full a
    #[section(summary = "short a", tools = tools(&["t_a"]))]
    a: (),
}

#[derive(PromptNode)]
struct ParentOfTwo {
    #[section(visibility = "summary", summary = "short p", tools = tools(&["t_p"]))]
    p: PChildren,
}

/// full p
#[derive(PromptNode)]
struct PChildren {
    /// full c
    #[section(visibility = "summary", summary = "short c", tools = tools(&["t_c"]))]
    c: (),
    /// full d
    #[section]
    d: (),
}

#[derive(PromptNode)]
struct Branches {
    #[section]
    p: BranchP,
    #[section]
    q: BranchQ,
}

/// p
#[derive(PromptNode)]
struct BranchP {
    /// x1 full
    #[section(title = "X1", visibility = "summary", summary = "x1", tools = tools(&["t_x1"]))]
    x: (),
}

/// q
#[derive(PromptNode)]
struct BranchQ {
    /// x2 full
    #[section(title = "X2", visibility = "summary", summary = "x2", tools = tools(&["t_x2"]))]
    x: (),
}

#[derive(PromptNode)]
struct ToolOrder {
    /// short stays
    #[section(visibility = "summary", summary = "sa", tools = tools(&["hidden_tool"]))]
    a: (),
    /// b
    #[section(tools = tools(&["first", "second"]))]
    b: (),
    /// c
    #[section(tools = tools(&["third"]))]
    c: (),
}

#[derive(PromptNode)]
struct Flow {
    harbor: &'static str,
    /// Plan the crossing to {harbor}.
    #[section]
    task: (),
    /// Notes for {harbor}:
    /// - tides
    /// - hazards
    #[section(
        title = "Pilot Notes",
        visibility = "summary",
        summary = "Pilot notes for {harbor} exist.",
        tools = tools(&["tide_table"])
    )]
    context: (),
}

#[test]
fn cases_of_flat_trees_through_derived_types() {
    run_derived(
        &["basic-full"],
        &BasicFull {
            harbor: "Kirkwall",
            crew: 4,
            brief: (),
            rules: (),
        },
    );
    run_derived(
        &["basic-summary-with-tool"],
        &BasicSummary {
            brief: (),
            radio: (),
        },
    );
    run_derived(&["all-full-no-tool"], &AllFull { a: (), b: () });
    run_derived(&["override-partial"], &TwoClosed { a: (), b: () });
    run_derived(&["summary-empty-string"], &EmptySummary { a: () });
    run_derived(&["override-cleared"], &OneClosed { a: () });
    run_derived(&["flow-tool-wins-over-caller"], &OneOpen { a: () });
    run_derived(
        &["tool-order"],
        &ToolOrder {
            a: (),
            b: (),
            c: (),
        },
    );
    run_derived(
        &["flow-seed"],
        &Flow {
            harbor: "Kirkwall",
            task: (),
            context: (),
        },
    );
}

#[test]
fn cases_of_deep_trees_through_derived_types() {
    run_derived(
        &["summary-nested-key"],
        &Nested {
            a: NestedA {
                b: NestedB { c: () },
            },
        },
    );
    run_derived(
        &["parent-opens-to-summary-child"],
        &ParentOfTwo {
            p: PChildren { c: (), d: () },
        },
    );
    let branches = Branches {
        p: BranchP { x: () },
        q: BranchQ { x: () },
    };
    run_derived(&["key-same-in-branches"], &branches);
}

#[test]
fn cases_of_calls_through_derived_types() {
    let ids = [
        "open-unknown",
        "open-empty-key",
        "open-mixed-unknown",
        "open-duplicate-keys",
        "open-case",
    ];
    run_derived(
        &ids,
        &Openers {
            a: (),
            b: (),
            c: (),
        },
    );
    let ids = [
        "open-long-reason",
        "open-args-missing",
        "open-args-extra",
        "open-args-nonstring",
    ];
    run_derived(
        &ids,
        &Openers {
            a: (),
            b: (),
            c: (),
        },
    );
}

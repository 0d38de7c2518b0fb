//! Every case of `cases/disclosure.json`, through a tree loaded at run time, and many of them through derived types.
//!
//! `list-items-closed` and `list-node-opened-by-call` run as the trees of sections that they are, not as the lists of
//! `derived`: closed items of a list are lines of a catalogue by a later decision (`catalogue`). `openable` is what a call may
//! name: by the same decision the schema leaves out what the text shows.

use prompt_core::disclosure::{Delivery, ToolError};
use prompt_core::prompt::Numbering;
use prompt_core::{
    Budget, Diagnostics, Disclosure, DynamicNode, Overrides, Prompt, PromptNode, RenderedPrompt,
    ToolCall, ToolResult, ToolSpec,
};
use prompt_tests::{group, run_all, same};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Case {
    id: String,
    tree: Value,
    values: Map<String, Value>,
    numbering: Numbering,
    base_level: u8,
    #[serde(default)]
    overrides: Overrides,
    focus: Option<String>,
    openable: Option<Vec<String>>,
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
    ("open-args-extra", &["'force'"]),
    ("open-args-nonstring", &["must be a"]),
    ("focus-closed-sibling", &["section 'guide' does not exist"]),
];

/// Decided otherwise: a reason that is null is no reason, like one that is missing.
const NULL_IS_NO_REASON: &str = "open-args-nonstring";

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
            focus,
            ..
        } = &self.case;
        let prompt = Prompt::new(self.node)
            .numbering(*numbering)
            .base_level(*base_level)
            .overrides(overrides);
        match focus {
            Some(path) => prompt.focus(path).render(),
            None => prompt.render(),
        }
    }

    fn check_render(&self, expected: &Expected) -> Result<(), String> {
        let rendered = match (self.render(), &expected.render_error) {
            (Err(error), Some(code)) => return same("error", error.code().as_str(), code.as_str()),
            (Ok(_), Some(code)) => return Err(format!("rendered without {code}")),
            (Err(error), None) => return Err(error.to_string()),
            (Ok(rendered), None) => rendered,
        };
        let text = expected.text.as_deref();
        same("text", &Some(rendered.as_str()), &text)?;
        let tools: Vec<&str> = rendered.tools().iter().map(|tool| tool.name()).collect();
        let wanted = expected.tools.iter().flatten().map(String::as_str);
        same("tools", &tools, &wanted.collect::<Vec<_>>())
    }

    /// The paths that a call may name, tried one by one.
    fn check_openable(&self) -> Result<(), String> {
        let Some(openable) = &self.case.openable else {
            return Ok(());
        };
        let rendered = self.render().map_err(|error| error.to_string())?;
        // The schema names only keys that the text does not show.
        let listed: Vec<String> = rendered.openable().collect();
        same("openable", &listed, openable)
    }

    fn step(&mut self, step: Step) -> Result<(), String> {
        if let Some(overrides) = step.set {
            self.case.overrides.merge(overrides);
        }
        if let Some(path) = step.clear {
            self.case.overrides.clear(&path);
        }
        if let Some(arguments) = step.call {
            let expected = step.expected.clone().expect("a call expects something");
            self.call(arguments, &expected, step.apply)?;
        }
        if step.render {
            let expected = step.expected.expect("a text");
            self.check_render(&serde_json::from_value(expected).unwrap())?;
        }
        Ok(())
    }

    fn call(&mut self, arguments: Value, expected: &Value, apply: bool) -> Result<(), String> {
        let id = self.case.id.as_str();
        let is_exempt = id == NULL_IS_NO_REASON && arguments["reason"].is_null();
        let call = ToolCall::new("call", "open_sections", arguments);
        let rendered = self.render().map_err(|error| error.to_string())?;
        match (rendered.call(&call), expected.get("expansion")) {
            (Err(ToolError::Expansion(expansion)), None) if is_exempt => {
                same("reason", expansion.reason.as_str(), "")
            }
            (Err(ToolError::Expansion(expansion)), Some(expected)) => {
                let paths: Vec<&str> = expansion.paths().collect();
                let found = json!({
                    "overrides": paths, "section_keys": expansion.section_keys,
                    "reason": expansion.reason, "display": expansion.to_string(),
                });
                if apply {
                    self.case.overrides.merge(&expansion.requested_overrides);
                }
                same("expansion", &found, expected)
            }
            (Err(ToolError::Validation(error)), None) => {
                same("error", &expected["error"], &json!("ToolValidationError"))?;
                let (_, words) = CONVEYED.iter().find(|(case, _)| *case == id).expect(id);
                let text = error.to_string();
                let conveys = words.iter().all(|word| text.contains(word));
                if conveys { Ok(()) } else { Err(text) }
            }
            (outcome, _) => Err(format!("{outcome:?}")),
        }
    }
}

fn run(mut case: Case, node: &dyn PromptNode) -> Result<(), String> {
    let steps = std::mem::take(&mut case.steps);
    let mut run = Run { case, node };
    run.check_render(&run.case.expected)?;
    run.check_openable()?;
    steps.into_iter().try_for_each(|step| run.step(step))
}

fn dynamic(tree: &Value, values: &Map<String, Value>) -> Result<DynamicNode, Diagnostics> {
    DynamicNode::from_json(&tree.to_string()).and_then(|node| node.bind(values))
}

fn parsed(case: &Value) -> Case {
    serde_json::from_value(case.clone()).unwrap_or_else(|error| panic!("{}: {error}", case["id"]))
}

#[test]
fn all_cases() {
    run_all(&group("disclosure.json", "cases"), |case| {
        let case = parsed(case);
        let built = dynamic(&case.tree, &case.values);
        match (built, &case.expected.build_error) {
            (Err(faults), Some(code)) => {
                let first = faults.iter().next().unwrap();
                same("error", first.code.as_str(), code.as_str())
            }
            (Ok(_), Some(code)) => Err(format!("built without {code}")),
            (Err(faults), None) => Err(faults.to_string()),
            (Ok(node), None) => run(case, &node),
        }
    });
}

/// `has`: all of these texts; `in_order`: one after the other; `lacks`: none of these.
fn check_answer(answer: &ToolResult, wanted: &Value) -> Result<(), String> {
    let texts = |key: &str| -> Vec<String> {
        let list = wanted[key].as_array().into_iter().flatten();
        list.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let content = answer.content.as_str();
    if let Some(is_error) = wanted["is_error"].as_bool() {
        same("is_error", &answer.is_error, &is_error)?;
    }
    if let Some(text) = texts("has").iter().find(|text| !content.contains(*text)) {
        return Err(format!("{text:?} is not in {content}"));
    }
    if let Some(text) = texts("lacks").iter().find(|text| content.contains(*text)) {
        return Err(format!("{text:?} is in {content}"));
    }
    let mut rest = content;
    for text in texts("in_order") {
        let at = rest.find(&text);
        let at = at.ok_or_else(|| format!("{text:?} is not in its order in {content}"))?;
        rest = &rest[at + text.len()..];
    }
    Ok(())
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The family `turns`, through `Disclosure`.
#[test]
fn turn_cases() {
    run_all(&group("disclosure.json", "turns"), |case| {
        let values = case["values"].as_object().cloned().unwrap_or_default();
        let node = dynamic(&case["tree"], &values).map_err(|faults| faults.to_string())?;
        let numbering: Numbering = serde_json::from_value(case["numbering"].clone()).unwrap();
        let delivery: Delivery = serde_json::from_value(case["delivery"].clone()).unwrap();
        let base_level = u8::try_from(case["base_level"].as_u64().unwrap()).unwrap();
        let mut disclosure = Disclosure::new(&node)
            .delivery(delivery)
            .configure(|prompt| {
                let mut prompt = prompt.numbering(numbering).base_level(base_level);
                if let Some(focus) = case["focus"].as_str() {
                    prompt = prompt.focus(focus);
                }
                match case["budget"]["limit"].as_u64() {
                    Some(limit) => {
                        assert_eq!(case["budget"]["counter"], "words");
                        let limit = usize::try_from(limit).unwrap();
                        prompt.budget(Budget::tokens(limit).counter(&words))
                    }
                    None => prompt,
                }
            });
        let render = |disclosure: &Disclosure<'_, _>| {
            let rendered = disclosure.render();
            rendered.map_err(|error| error.to_string())
        };
        let first = render(&disclosure)?;
        same("first", first.as_str(), case["first"].as_str().unwrap())?;
        if let Some(openable) = case.get("openable") {
            let listed: Vec<String> = first.openable().collect();
            same("openable", &json!(listed), openable)?;
        }
        for step in case["steps"].as_array().unwrap() {
            let calls = step["calls"].as_array().unwrap().iter();
            let calls: Vec<ToolCall> = calls
                .enumerate()
                .map(|(n, arguments)| {
                    ToolCall::new(format!("call_{n}"), "open_sections", arguments.clone())
                })
                .collect();
            let answers = disclosure.handle(&calls);
            let answers = answers.map_err(|error| error.to_string())?;
            let wanted = step["answers"].as_array().unwrap();
            same("number of answers", &answers.len(), &wanted.len())?;
            for (answer, wanted) in answers.iter().zip(wanted) {
                check_answer(answer, wanted)?;
            }
            let text = render(&disclosure)?;
            same("text", text.as_str(), step["text"].as_str().unwrap())?;
        }
        Ok(())
    });
}

/// Runs these cases on a derived type.
fn run_derived(ids: &[&str], node: &dyn PromptNode) {
    let all = group("disclosure.json", "cases");
    let is_wanted = |case: &&Value| ids.iter().any(|id| case["id"] == **id);
    let wanted: Vec<Value> = all.iter().filter(is_wanted).cloned().collect();
    assert_eq!(wanted.len(), ids.len(), "{ids:?}");
    run_all(&wanted, |case| run(parsed(case), node));
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

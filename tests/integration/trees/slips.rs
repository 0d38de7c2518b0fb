//! Markers that are written wrong: a fault at every door of the run time, and one only.

use prompt_core::dynamic::{DynamicNode, Wordings, with_text};
use prompt_core::{Diagnostics, PromptNode, Template};
use serde_json::{Value, json};

fn codes(faults: &Diagnostics) -> Vec<&'static str> {
    faults.iter().map(|fault| fault.code.as_str()).collect()
}

/// The texts, each with its one code.
const SLIPS: &[(&str, &str)] = &[
    ("{?on}\nx\n{ else }\ny\n{/on}", "spaced_variable"),
    ("go {?on}x{ else }y{/on}", "spaced_variable"),
    ("{? on}x", "spaced_variable"),
    ("{?on}x{/ on}", "spaced_variable"),
    ("{?on}x{else}y{/ on }", "spaced_variable"),
    ("{?!on}x{/!on}", "mismatched_condition"),
    ("{?on}x{/?on}", "mismatched_condition"),
    ("{?on}x{/}", "mismatched_condition"),
    ("{*list}{item}{/*list}", "mismatched_condition"),
    ("go {?on}x{:else}y{/on}", "stray_else"),
    ("{?on}a{/on}{if on}x{/if}", "foreign_template"),
    (
        "{*list}{item}{/list}{foreach list as x}{x}{/foreach}",
        "foreign_template",
    ),
    (
        "{*list}{item}{/list}{#each list}{this}{/each}",
        "foreign_template",
    ),
    ("{?on}a{/on}{{#if on}}x{{else}}y{{/if}}", "foreign_template"),
    ("{?on}a{/on}{{#unless on}}x{{/unless}}", "foreign_template"),
    (
        "{*list}{item}{/list}{{#each list}}{{this}}{{/each}}",
        "foreign_template",
    ),
    ("{?on}x{{else}}y{{/if}}", "foreign_template"),
    ("{?on}\nx\n{% else %}\ny\n{% endif %}", "foreign_template"),
    ("{?on}a{/on}{{ on }}", "foreign_template"),
    ("{?on}a{/on}<% on %>", "foreign_template"),
    ("{?on}a{/on}{{> on}}", "foreign_template"),
    (
        "{*list}{item}{/list}{{ list | length }}",
        "foreign_template",
    ),
    ("{* list}\n- {item}\n{/list}", "spaced_variable"),
    ("{*list as}\n- {item}\n{/list}", "unsupported_expression"),
    (
        "{*list.iter()}\n- {item}\n{/list}",
        "unsupported_expression",
    ),
    ("{?on}a{/on} `{?on}a{ else }b{/on}`", "spaced_variable"),
    ("- {*list}{item}\n  {item}\n{/list}", "mismatched_condition"),
    ("Say {?on}a\n{/on}", "unclosed_condition"),
];

/// {?on}On.{/on} {*list}{item}{/list}
///
/// {part}
#[derive(PromptNode)]
struct Typed {
    on: bool,
    list: Vec<String>,
    /// {?on}On.{/on} {*list}{item}{/list}
    #[section(summary = "Short.")]
    part: (),
}

#[test]
fn a_slip_is_one_fault_at_every_door() {
    let values = json!({ "on": true, "list": ["a"] });
    let typed = || Typed {
        on: true,
        list: Vec::new(),
        part: (),
    };
    for (text, code) in SLIPS {
        let door = |tree: &Value| {
            let faults = DynamicNode::from_json_with(&tree.to_string(), &values).unwrap_err();
            codes(&faults)
        };
        let section = |key: &str| {
            let tree = json!({ "sections": [{ "key": "a", "body": "b", "item_tag": "c", "value": "list", key: text }] });
            door(&tree)
        };
        assert_eq!(
            codes(&Template::parse(text).unwrap_err()),
            [*code],
            "{text:?}"
        );
        assert_eq!(door(&json!({ "body": text })), [*code], "{text:?}");
        for key in ["title", "item_title", "summary", "empty", "item", "body"] {
            assert_eq!(section(key), [*code], "{key}: {text:?}");
        }
        let attribute = json!({ "sections": [{ "key": "a", "tag": "a", "attr": { "b": text } }] });
        assert_eq!(door(&attribute), [*code], "{text:?}");
        let form = json!({ "body": "{on}", "vars": { "on": { "yes": text } } });
        assert_eq!(door(&form), [*code], "{text:?}");
        assert_eq!(
            codes(&with_text(typed(), text).unwrap_err()),
            [*code],
            "{text:?}"
        );
        let texts = Wordings::default().text("b", "part", *text);
        assert_eq!(
            codes(&texts.check(&typed()).unwrap_err()),
            [*code],
            "{text:?}"
        );
    }
}

#[test]
fn a_name_that_no_value_has_is_a_fault_whatever_follows_it() {
    let values = json!({ "score": 1.5 });
    let help = |body: &str| {
        let tree = json!({ "key": "a", "body": body }).to_string();
        let faults = DynamicNode::from_json_with(&tree, &values).unwrap_err();
        assert_eq!(codes(&faults), ["unknown_variable"], "{body:?}");
        faults.iter().next().unwrap().help.clone()
    };
    for body in ["{total:.2f}", "{total[0]}", "{total!r}", "{total:>10}"] {
        assert!(help(body).starts_with("the values are `score`"), "{body:?}");
    }
    assert!(help("{total:>10}").ends_with("write `{{total:>10}}`"));
    assert!(help("{scores:.2f}").ends_with("`score`"));
    let css = "{color:red} {a: 1} {name: str} {display:none} {score}";
    let tree = json!({ "key": "a", "body": css }).to_string();
    let node = DynamicNode::from_json_with(&tree, &values).unwrap();
    assert_eq!(node.prompt().text().unwrap(), css.replace("{score}", "1.5"));
}

/// A value that nothing else in the text names.
#[test]
fn a_word_of_another_engine_is_a_fault_where_it_is_the_only_one_that_names_a_value() {
    let words = [
        "{{#if x}}a{{/if}}",
        "{{#each x}}a{{/each}}",
        "{{#unless x}}a{{/unless}}",
        "{{#x}}a{{/x}}",
        "{{> x}}",
        "<% x %>",
        "<%= x %>",
        "{{ x }}",
        "{{ x | f }}",
        "{{x|f}}",
        "{{! x }}",
        "{# x #}",
        "{% if x %}a{% endif %}",
        "{%- for i in x -%}{{ i }}{%- endfor -%}",
    ];
    for word in words {
        let tree = json!({ "key": "a", "body": format!("Say {word}.") }).to_string();
        let faults = DynamicNode::from_json_with(&tree, json!({ "x": true })).unwrap_err();
        assert_eq!(codes(&faults), ["foreign_template"], "{word:?}");
        // Without that value they are text.
        let node = DynamicNode::from_json_with(&tree, json!({ "y": true })).unwrap();
        assert_eq!(node.prompt().text().unwrap(), format!("Say {word}."));
    }
}

#[test]
fn four_braces_print_two_at_run_time() {
    let body = "{{{{x}}}} {{{{y}}}} `{{{{x}}}}` `{{{{y}}}}` {{{x}}}";
    let tree = json!({ "key": "a", "body": body }).to_string();
    let node = DynamicNode::from_json_with(&tree, json!({ "x": true })).unwrap();
    let printed = "{{x}} {{y}} `{{x}}` `{{y}}` {true}";
    assert_eq!(node.prompt().text().unwrap(), printed);
    let lints = node.prompt().lint();
    assert_eq!(lints.len(), 1);
    assert!(
        lints[0]
            .message
            .contains("`{{{x}}}` prints a brace, the value and a brace")
    );
}

#[test]
fn the_hashes_of_a_line_print_with_nothing_behind_them() {
    for (text, printed) in [("A\n##{_}\nB", "A\n##\nB"), ("#######{_} B", "####### B")] {
        let node = DynamicNode::builder("page").body(text).build().unwrap();
        assert_eq!(node.prompt().text().unwrap(), printed);
    }
}

/// Not "a value with a similar name", which is the same one.
#[test]
fn a_loop_over_a_section_is_told_how_a_section_is_printed() {
    let tree = r#"{"key": "a", "body": "{*steps}{item}{/steps}", "sections": [{"key": "steps", "item": "{item}"}]}"#;
    let faults = DynamicNode::from_json_with(tree, json!({ "steps": ["x"] })).unwrap_err();
    assert_eq!(codes(&faults), ["unknown_variable"]);
    let fault = faults.iter().next().unwrap();
    assert_eq!(
        fault.help,
        "`steps` is a section: `{steps}` alone on a line prints it with its items; a loop goes over a value"
    );
}

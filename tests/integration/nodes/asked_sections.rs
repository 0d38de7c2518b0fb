//! `{?section}`: whether a section prints something, and what hangs on that.

use prompt_core::{Code, DynamicNode, PromptNode};
use serde_json::{Value, json};

fn node(tree: Value) -> DynamicNode {
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn part(key: &str) -> Value {
    json!({ "key": key, "untitled": true, "body": format!("part-{key}"), "summary": format!("on-{key}"), "summary_suffix": "" })
}

#[test]
fn a_section_that_hangs_on_itself_is_there() {
    let body = "{?a}\nFirst:\n{a}\n{/a}\n\n{?b}\n{b}\n{/b}\n";
    let tree = json!({ "key": "root", "body": body, "sections": [part("a"), part("b")] });
    let text = node(tree).prompt().text().unwrap();
    assert_eq!(text, "First:\npart-a\n\npart-b");
}

#[test]
fn a_slot_of_what_is_asked_stands_under_no_other_condition() {
    let of = |body: &str| {
        let tree = json!({ "key": "root", "body": body, "sections": [part("a"), part("b")] });
        DynamicNode::from_json(&tree.to_string())
    };
    let found = of("{?a}\n{b}\n{/a}\n\n{?b}b{/b}.").unwrap_err();
    assert_eq!(found.code(), Code::ConditionalSlot);
    assert_eq!(found.iter().next().unwrap().place, Some((2, 1)));
    assert!(
        found.to_string().contains("put the slot outside of `{?a}`"),
        "{found}"
    );
    // What is shown cannot decide where another section stands.
    for body in ["{?a}\n{b}\n{/a}", "{?b}\nx\n{else}\n{b}\n{/b}"] {
        assert_eq!(of(body).unwrap_err().code(), Code::ConditionalSlot);
    }
    assert!(of("{?b}\n{b}\n{/b}\n\n{?b}b{/b}.").is_ok());
}

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(
        item = "{item}{?rules} (see the rules){/rules}",
        join = ", ",
        default = "nobody{?rules}!{/rules}"
    )]
    names: Vec<&'static str>,
    #[section]
    rules: Vec<&'static str>,
}

#[test]
fn the_words_of_a_value_ask_about_sections_too() {
    let text = |names, rules| Reviewer { names, rules }.prompt().text().unwrap();
    assert_eq!(
        text(vec!["Ida", "Bo"], vec!["Be kind."]),
        "Ida (see the rules), Bo (see the rules)\n\n# Rules\n\n- Be kind."
    );
    assert_eq!(text(vec!["Ida"], vec![]), "Ida");
    assert_eq!(
        text(vec![], vec!["Be kind."]),
        "nobody!\n\n# Rules\n\n- Be kind."
    );
}

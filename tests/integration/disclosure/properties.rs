//! What holds for every tree and every conversation.

use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::ToolCall;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_core::disclosure::Delivery;
use prompt_core::disclosure::DisclosureError;
use prompt_core::disclosure::DisclosureState;
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

/// A section: its kind (0 full, 1 with a summary but full, 2 closed, 3 switched off), whether it has a tool, and the
/// sections in it.
#[derive(Clone, Debug)]
struct Shape {
    kind: u8,
    tool: bool,
    sections: Vec<Shape>,
}

fn shape() -> impl Strategy<Value = Vec<Shape>> {
    let leaf = (0..4_u8, any::<bool>()).prop_map(|(kind, tool)| Shape {
        kind,
        tool,
        sections: Vec::new(),
    });
    let section = leaf.prop_recursive(3, 24, 4, |inner| {
        (0..4_u8, any::<bool>(), vec(inner, 0..4)).prop_map(|(kind, tool, sections)| Shape {
            kind,
            tool,
            sections,
        })
    });
    vec(section, 1..5)
}

fn json_of(shapes: &[Shape], path: &str, paths: &mut Vec<String>) -> Vec<Value> {
    let section = |(index, shape): (usize, &Shape)| {
        let key = format!("k{index}");
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let name = path.replace('.', "_");
        paths.push(path.clone());
        let mut section = json!({ "key": key, "body": format!("full {name}") });
        if matches!(shape.kind, 1 | 2) {
            section["summary"] = json!(format!("short {name}"));
        }
        if shape.kind == 2 {
            section["visibility"] = json!("summary");
        }
        if shape.kind == 3 {
            section["when"] = json!(false);
        }
        if shape.tool {
            section["tools"] = json!([format!("t_{name}")]);
        }
        section["sections"] = json!(json_of(&shape.sections, &path, paths));
        section
    };
    shapes.iter().enumerate().map(section).collect()
}

/// The tree, and the paths of all its sections.
fn tree(shapes: &[Shape]) -> (DynamicNode, Vec<String>) {
    let mut paths = Vec::new();
    let sections = json_of(shapes, "", &mut paths);
    let tree = json!({ "key": "root", "body": "Answer.", "sections": sections });
    (DynamicNode::from_json(&tree.to_string()).unwrap(), paths)
}

/// Turns of a model that asks for paths by index; every seventh key is made up, and some turns call another tool.
fn turns() -> impl Strategy<Value = Vec<Vec<usize>>> {
    vec(vec(0..40_usize, 0..4), 0..12)
}

fn calls(turn: &[usize], paths: &[String]) -> Vec<ToolCall> {
    let keys: Vec<String> = turn
        .iter()
        .map(|index| {
            if index % 7 == 6 {
                format!("made_up_{index}")
            } else {
                paths[index % paths.len()].clone()
            }
        })
        .collect();
    let open = |id: &str, keys: &[String]| ToolCall {
        id: id.into(),
        name: "open_sections".into(),
        arguments: json!({ "section_keys": keys, "reason": "R" }),
    };
    let own = ToolCall {
        id: "own".into(),
        name: "elsewhere".into(),
        arguments: json!({}),
    };
    match turn.first() {
        Some(first) if first % 5 == 4 => vec![own, open("1", &keys[..1]), open("2", &keys[1..])],
        Some(first) if first % 5 == 3 => vec![open("1", &keys), own],
        _ => vec![open("1", &keys)],
    }
}

fn closed(shown: &std::collections::BTreeMap<String, Visibility>) -> usize {
    shown
        .values()
        .filter(|visibility| **visibility == Visibility::Summary)
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(200), ..ProptestConfig::default() })]

    #[test]
    fn the_tool_is_the_same_bytes_whatever_is_open(shapes in shape(), opened in vec((0..40_usize, any::<bool>()), 0..12)) {
        let (node, paths) = tree(&shapes);
        let first = node.prompt().keep_tool(true).render().unwrap();
        let tool = first.tools().iter().find(|tool| tool.name() == "open_sections").map(|tool| serde_json::to_string(tool).unwrap());
        if let Some(tool) = &tool {
            let tool: ToolSpec = serde_json::from_str(tool).unwrap();
            prop_assert!(ToolSpec::new(tool.name(), tool.description(), tool.parameters().clone()).is_ok());
        }
        let mut overrides = Overrides::default();
        for (index, open) in opened {
            let path = &paths[index % paths.len()];
            overrides.set(path, if open { Visibility::Full } else { Visibility::Summary });
            let Ok(prompt) = node.prompt().overrides(&overrides).keep_tool(true).render() else {
                overrides.clear(path);
                continue;
            };
            let again = prompt.tools().iter().find(|tool| tool.name() == "open_sections").map(|tool| serde_json::to_string(tool).unwrap());
            prop_assert_eq!(&again, &tool);
        }
    }

    #[test]
    fn what_is_offered_can_be_opened_and_then_is_open(shapes in shape()) {
        let (node, paths) = tree(&shapes);
        let mut overrides = Overrides::default();
        for _ in 0..paths.len() {
            let prompt = node.prompt().overrides(&overrides).render().unwrap();
            let Some(key) = prompt.visibility().into_iter().find(|(_, it)| *it == Visibility::Summary).map(|(path, _)| path) else { break };
            let call = ToolCall { id: "1".into(), name: "open_sections".into(), arguments: json!({ "section_keys": [&key], "reason": "R" }) };
            let expansion = prompt.call(&call).unwrap_err().into_expansion();
            prop_assert!(expansion.is_some(), "{key}");
            overrides.merge(&expansion.unwrap().requested_overrides);
        }
        let prompt = node.prompt().overrides(&overrides).render().unwrap();
        prop_assert_eq!(closed(&prompt.visibility()), 0);
        prop_assert!(prompt.tools().iter().all(|tool| tool.name() != "open_sections"));
    }

    #[test]
    fn append_keeps_text_and_tools_and_delivers_what_rerender_shows(shapes in shape(), turns in turns()) {
        let (node, paths) = tree(&shapes);
        let mut append = Disclosure::new(&node).delivery(Delivery::Append).max_rounds(100);
        let mut rerender = Disclosure::new(&node).max_rounds(100);
        let first = append.render().unwrap();
        for turn in turns {
            let calls = calls(&turn, &paths);
            let before = rerender.state().opened.clone();
            let (appended, rerendered) = (append.handle(&calls).unwrap(), rerender.handle(&calls).unwrap());
            let now = append.render().unwrap();
            prop_assert_eq!(now.as_str(), first.as_str());
            prop_assert_eq!(serde_json::to_string(now.tools()).unwrap(), serde_json::to_string(first.tools()).unwrap());

            prop_assert_eq!(&append.state().opened, &rerender.state().opened);
            let shown = rerender.render().unwrap();
            prop_assert_eq!(now.visibility(), shown.visibility());
            if rerender.state().opened == before {
                prop_assert_eq!(&appended, &rerendered, "a refusal reads the same");
                continue;
            }
            let answer = appended.iter().find(|result| result.name == "open_sections").unwrap();
            for block in shown.sections().iter().filter(|section| rerender.state().opened.get(&section.path).is_some() && before.get(&section.path).is_none()) {
                let text = &shown.as_str()[block.range.clone()];
                prop_assert!(answer.content.contains(text), "{} lacks {text}", answer.content);
            }
        }
    }

    #[test]
    fn every_call_gets_an_answer_and_the_tools_only_grow(shapes in shape(), turns in turns()) {
        let (node, paths) = tree(&shapes);
        let mut disclosure = Disclosure::new(&node).max_rounds(100);
        for turn in turns {
            let calls = calls(&turn, &paths);
            let before = disclosure.render().unwrap();
            let results = disclosure.handle(&calls).unwrap();
            let ids: Vec<&str> = results.iter().map(|result| result.id.as_str()).collect();
            let expected: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
            prop_assert_eq!(ids, expected);
            let after = disclosure.render().unwrap();
            prop_assert!(before.tools().iter().all(|tool| after.tools().contains(tool)));
            prop_assert_eq!(before.tools().last(), after.tools().last());
        }
    }

    #[test]
    fn no_model_can_loop_for_ever(shapes in shape(), turns in turns(), limit in 0..6_usize) {
        let (node, paths) = tree(&shapes);
        let mut disclosure = Disclosure::new(&node).max_rounds(limit);
        let mut handled = 0;
        for turn in turns.iter().cycle().take(turns.len() * 10) {
            match disclosure.handle(&calls(turn, &paths)) {
                Ok(_) => handled += 1,
                Err(DisclosureError::MaxRounds { rounds } | DisclosureError::AskedAgain { rounds, .. }) => {
                    // The last one was the answer that nothing more can be opened.
                    prop_assert_eq!((rounds, handled), (limit, limit + 1));
                }
                Err(other) => panic!("{other}"),
            }
        }
        prop_assert!(handled <= limit + 1);
    }

    #[test]
    fn a_conversation_can_be_saved_after_any_turn(shapes in shape(), turns in turns(), append in any::<bool>()) {
        let (node, paths) = tree(&shapes);
        let delivery = if append { Delivery::Append } else { Delivery::Rerender };
        let mut disclosure = Disclosure::new(&node).delivery(delivery).max_rounds(100);
        for turn in turns {
            let saved = serde_json::to_string(disclosure.state()).unwrap();
            let mut restored = Disclosure::new(&node).max_rounds(100).restore(serde_json::from_str::<DisclosureState>(&saved).unwrap());
            let calls = calls(&turn, &paths);
            prop_assert_eq!(restored.handle(&calls), disclosure.handle(&calls));
            let (left, right) = (restored.render().unwrap(), disclosure.render().unwrap());
            prop_assert_eq!((left.as_str(), left.tools()), (right.as_str(), right.tools()));
            prop_assert_eq!(serde_json::to_string(restored.state()).unwrap(), serde_json::to_string(disclosure.state()).unwrap());
        }
    }

    #[test]
    fn no_arguments_break_anything(text in ".{0,40}", number in any::<i64>()) {
        let (node, _) = tree(&[Shape { kind: 2, tool: false, sections: Vec::new() }]);
        let prompt = node.prompt().render().unwrap();
        let values = [json!(text), json!(number), json!([text]), json!({ "section_keys": [text], "reason": text }), json!({ "section_keys": { "a": text } }), Value::Null];
        for arguments in values {
            let call = ToolCall { id: text.clone(), name: "open_sections".into(), arguments };
            prop_assert!(!prompt.call(&call).unwrap_err().to_string().is_empty());
        }
    }
}

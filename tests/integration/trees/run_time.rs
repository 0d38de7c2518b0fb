//! What only run-time trees have to show: attributes as templates, forms by path, rules in files, places of faults, depth.

use prompt_core::{
    Code, Diagnostics, DynamicNode, PromptNode, Style, Template,
    dynamic::{DynamicNodeBuilder, with_text},
};
use serde_json::{Value, json};
use std::fmt::Write;

fn text(tree: &Value, values: &Value) -> String {
    match DynamicNode::from_json_with(&tree.to_string(), values) {
        Ok(node) => node.prompt().text().unwrap(),
        Err(faults) => panic!("{faults}"),
    }
}

fn faults(tree: &Value, values: &Value) -> Diagnostics {
    DynamicNode::from_json_with(&tree.to_string(), values).unwrap_err()
}

fn lints(node: &impl PromptNode) -> Vec<&'static str> {
    let lints = node.prompt().lint().into_iter();
    lints.map(|lint| lint.code.as_str()).collect()
}

// ---- attributes

#[test]
fn attributes_are_templates() {
    let tree = r#"{ "sections": [{ "key": "log", "title": "Log of {place}", "tag": "log", "body": "Calm.", "attr": {
        "id": "{id}", "name": "{who.name} of {place}", "late": "{?late}yes{/late}", "n": 3, "on": true, "off": false,
        "none": null, "title": true, "plain": "a & {1}"
    } }] }"#;
    let text = |values: &Value| {
        let node = DynamicNode::from_json_with(tree, values).unwrap();
        node.prompt().text().unwrap()
    };
    let values = json!({ "id": 7, "who": { "name": "A \"B\"" }, "place": "Wick", "late": false });
    let expected = "<log id=\"7\" name=\"A &quot;B&quot; of Wick\" n=\"3\" on=\"true\" title=\"Log of Wick\" \
                    plain=\"a &amp; {1}\">\nCalm.\n</log>";
    assert_eq!(text(&values), expected);
    let late = json!({ "id": 7, "who": { "name": "" }, "place": "Wick", "late": true });
    assert!(text(&late).contains(" late=\"yes\" "));
    let wrong =
        json!({ "sections": [{ "key": "a", "tag": "a", "attr": { "x": "{nope}" }, "body": "b" }] });
    let faults = faults(&wrong, &json!({ "nape": 1 }));
    let fault = faults.iter().next().unwrap();
    assert_eq!(
        (faults.len(), fault.code, fault.part),
        (1, Code::UnknownVariable, "attr")
    );
}

#[test]
fn an_attribute_with_a_value_is_that_of_a_derived_type() {
    #[derive(PromptNode)]
    struct Typed {
        id: &'static str,
        /// Body.
        #[section(tag = "job", attr(id = self.id, title))]
        job: (),
    }
    let tree = json!({ "sections": [
        { "key": "job", "tag": "job", "attr": { "id": "{id}", "title": true }, "body": "Body." }
    ] });
    for id in ["a<b", "", "two\nlines"] {
        let typed = Typed { id, job: () };
        let node = DynamicNode::from_json_with(&tree.to_string(), json!({ "id": id })).unwrap();
        for style in [Style::Markdown, Style::Xml] {
            assert_eq!(
                node.prompt().style(style).text().unwrap(),
                typed.prompt().style(style).text().unwrap()
            );
        }
    }
}

// ---- forms of values

#[test]
fn a_form_may_be_for_a_path_and_a_value_may_have_two() {
    let tree = json!({
        "body": "{flow.context}\n{names}; {crew.names}; {ship.crew.0}; {?names}some{/names}{*names}<{item}>{/names}",
        "vars": {
            "flow.context": { "item": "- {item.0}: {item.1}", "join": "\n" },
            "names": { "of": "crew.names", "join": ", ", "last": " or " },
            "ship.crew.0": { "default": "nobody" },
        }
    });
    let values = json!({
        "flow": { "context": { "a": "1", "b": "2" } },
        "crew": { "names": ["Ada", "Bo"] },
        "ship": { "crew": [null] }
    });
    let expected = "- a: 1\n- b: 2\nAda or Bo; [\"Ada\",\"Bo\"]; nobody; some<Ada><Bo>";
    assert_eq!(text(&tree, &values), expected);
    // A name that `vars` gives hides the value of that name.
    let hidden = json!({ "body": "{a}", "vars": { "a": { "of": "b", "some": "<{}>" } } });
    assert_eq!(text(&hidden, &json!({ "a": 1, "b": 2 })), "<2>");
    let wrong = json!({ "body": "{n}", "vars": { "n": { "of": "crew.nmaes" } } });
    let said = faults(&wrong, &values).to_string();
    assert!(said.contains("did you mean `names`?"), "{said}");
}

#[test]
fn a_spec_beside_join_speaks_of_the_items() {
    let tree = json!({ "body": "{x:.1}", "vars": { "x": { "join": ", " } } });
    assert_eq!(text(&tree, &json!({ "x": [1.25, 2.0] })), "1.2, 2.0");
}

#[test]
fn values_are_trimmed_and_cut() {
    let tree = json!({
        "body": "[{a}] [{b}] [{c}]",
        "vars": {
            "a": { "trim": true },
            "b": { "trim": true, "max": 5, "more": " .." },
            "c": { "item": "- {item} ", "join": "\n", "trim": true, "max": 6, "more": "~" }
        }
    });
    let values = json!({ "a": "  x y\n", "b": " one two", "c": ["abcdefg", " ä"] });
    assert_eq!(text(&tree, &values), "[x y] [one t ..] [- abcdef~ \n- ä ]");
    let wrong = json!({ "body": "{a}", "vars": { "a": { "max": 0 } } });
    assert_eq!(faults(&wrong, &values).code(), Code::InvalidValue);
}

#[test]
fn keys_of_forms_are_checked_as_those_of_a_field() {
    let tree = json!({ "body": "{a}{b}{c}{d}", "vars": {
        "a": { "jion": ", " }, "b": { "json": true, "item": "x" }, "c": { "yes": 1 }, "d": { "raw": true, "untrusted": true }
    } });
    let faults = faults(&tree, &json!({ "a": 1, "b": 1, "c": 1, "d": "x" }));
    let found: Vec<String> = faults
        .iter()
        .map(|fault| format!("{} {}", fault.code, fault.help))
        .collect();
    assert_eq!(found.len(), 4, "{faults}");
    assert!(
        found[0].starts_with("unknown_attribute did you mean `join`?"),
        "{faults}"
    );
    assert!(found[1].starts_with("conflicting_attributes"), "{faults}");
    assert!(found[2].starts_with("invalid_value"), "{faults}");
    assert!(found[3].starts_with("conflicting_attributes"), "{faults}");
}

// ---- rules

#[test]
fn a_file_switches_rules_off_and_hints_on() {
    let body = "# A\n\n### B\n\nWrite {{title}}.\n\n```\nopen";
    let tree = |more: Value| {
        let mut tree = json!({ "body": body });
        tree.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        DynamicNode::from_json_with(&tree.to_string(), json!({}))
    };
    let mut all = lints(&tree(json!({})).unwrap());
    all.sort_unstable();
    assert_eq!(all, ["doubled_braces", "skipped_level", "unclosed_fence"]);
    let allow = json!({ "allow": ["skipped_level", "doubled_braces", "unclosed_fence"] });
    assert_eq!(lints(&tree(allow).unwrap()), [""; 0]);
    let denied = tree(json!({ "deny": ["doubled_braces"] })).unwrap_err();
    assert_eq!(denied.code(), Code::DoubledBraces);
    let wrong = tree(json!({ "allow": ["skiped_level"], "deny": ["no_rule"] })).unwrap_err();
    assert!(
        wrong.to_string().contains("did you mean `skipped_level`?"),
        "{wrong}"
    );
    assert_eq!(wrong.len(), 2, "{wrong}");
    let built = DynamicNode::builder("x").body(body).allow("skipped_level");
    let built = built.build_with(json!({})).unwrap();
    assert!(!lints(&built).contains(&"skipped_level"));
}

#[test]
fn hints_come_from_every_door() {
    let tree = json!({ "body": "{*docks}\n{index}: {item}\n{/docks}\n{index}" });
    let node = DynamicNode::from_json_with(&tree.to_string(), json!({ "docks": [1], "index": 2 }));
    assert_eq!(lints(&node.unwrap()), ["hidden_name"]);
    #[derive(PromptNode)]
    #[prompt(template = "{shop}")]
    struct Typed {
        shop: &'static str,
    }
    let typed = Typed { shop: "T" };
    let b = with_text(&typed, "Hello {{title}}. {shop}").unwrap();
    assert_eq!(b.prompt().text().unwrap(), "Hello {title}. T");
    assert_eq!(lints(&b), ["doubled_braces"]);
    let b = with_text(&typed, "Sign with {{shop}}, {shop}.").unwrap();
    assert_eq!(lints(&b), ["doubled_braces"]);
    let file = json!({ "body": "Sign with {{shop}}, {shop}." });
    let node = DynamicNode::from_json_with(&file.to_string(), json!({ "shop": "T" }));
    assert_eq!(lints(&node.unwrap()), ["doubled_braces"]);
    let template = prompt_core::Template::parse("Sign with {{shop}}, {shop}.").unwrap();
    assert!(
        template
            .lints()
            .iter()
            .all(|it| it.code == Code::DoubledBraces)
    );
    assert_eq!(template.lints().len(), 1);
}

#[test]
fn hints_of_a_derived_type_are_lints() {
    /// Sign with {{shop}}, {shop}.
    #[derive(PromptNode)]
    struct Doubled {
        shop: &'static str,
        /// Say {{nothing}}.
        #[section]
        more: (),
    }
    let doubled = Doubled {
        shop: "T",
        more: (),
    };
    let lints = doubled.prompt().lint();
    assert_eq!(lints.len(), 2);
    assert_eq!(lints[0].code, Code::DoubledBraces);
    assert_eq!(
        lints[0].message,
        "text, line 1: `{{shop}}` prints `{shop}` and no value: two braces print one"
    );
    assert!(lints[1].message.starts_with("`{{nothing}}` prints"));

    /// Sign with {{shop}}, {shop}.
    #[derive(PromptNode)]
    #[prompt(allow(doubled_braces))]
    struct Meant {
        shop: &'static str,
    }
    assert!(Meant { shop: "T" }.prompt().lint().is_empty());
    // Another text has its own hints.
    let other = with_text(&doubled, "Sign with {shop}.\n\n{more}").unwrap();
    let left = other.prompt().lint().into_iter();
    let left: Vec<String> = left.map(|lint| lint.message).collect();
    assert!(left.iter().all(|it| !it.contains("{{shop}}")), "{left:?}");
}

// ---- loops

#[test]
fn loops_go_over_whatever_has_items() {
    let tree = json!({ "body": "{*x}[{item.0}={item.1}]{else}-{/x}|{*x as y}{index}/{index0}{?first}f{/first}{?last}l{/last} {/x}" });
    assert_eq!(
        text(&tree, &json!({ "x": { "b": 1, "a": [2] } })),
        "[a=[2]][b=1]|1/0f 2/1l "
    );
    assert_eq!(text(&tree, &json!({ "x": null })), "-|");
    assert_eq!(text(&tree, &json!({ "x": [] })), "-|");
    for value in [json!(1), json!("a"), json!(true)] {
        let faults = faults(&tree, &json!({ "x": value }));
        let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, [Code::NotAList; 2], "{faults}");
    }
    let inner = json!({ "body": "{*a as b}\n{*b.c as d}\n- {d.e} {d.f}\n{/b.c}\n{/a}" });
    let items = json!({ "a": [{ "c": null }, { "c": [{ "e": 1 }, { "e": 2, "f": 3 }] }] });
    assert_eq!(text(&inner, &items), "- 1 \n- 2 3");
    let said = faults(&inner, &json!({ "a": [{ "c": [{ "e": 1, "g": 2 }] }] })).to_string();
    assert!(
        said.contains("no item of `b.c` has the field `f`"),
        "{said}"
    );
    let said = faults(&inner, &json!({ "a": [{ "c": 5 }] })).to_string();
    assert!(said.contains("`b.c` is no list [not_a_list]"), "{said}");
    let slip = json!({ "body": "{*a}{item.nmae}{/a}" });
    let said = faults(&slip, &json!({ "a": [{ "name": 1 }] })).to_string();
    assert!(said.contains("did you mean `name`?"), "{said}");
}

/// As in a derived type, a template that is nothing but its item prints it as it is.
#[test]
fn an_item_alone_keeps_its_line_breaks() {
    #[derive(PromptNode)]
    #[prompt(template = "({names})")]
    struct Names {
        #[var(item = "{item}", join = ", ")]
        names: Vec<&'static str>,
    }
    let names = vec!["\na", "b\n"];
    let tree = json!({
        "body": "({names})",
        "vars": { "names": { "item": "{item}", "join": ", " } },
    });
    let printed = text(&tree, &json!({ "names": names }));
    assert_eq!(printed, "(\na, b\n)");
    assert_eq!(Names { names }.prompt().text().unwrap(), printed);
}

/// What `vars` names is known in code, also of a file that has no values yet.
#[test]
fn forms_are_used_by_code_too() {
    let tree = json!({ "body": "```\n{x}\n```", "vars": { "x": { "join": ", " } } });
    let node: DynamicNode = serde_json::from_value(tree).unwrap();
    assert_eq!(lints(&node), ["missing_value"]);
    let tree = json!({ "body": "```\n{y}\n```", "vars": { "x": { "join": ", " } } });
    let node: DynamicNode = serde_json::from_value(tree).unwrap();
    assert_eq!(lints(&node), ["unused_variable"]);
}

#[test]
fn templates_of_items_have_loops_too() {
    let tree = json!({
        "body": "{ships}",
        "vars": { "ships": { "item": "{item.name}{*item.crew as one} {one}{/item.crew}", "join": "; " } },
        "sections": [{ "key": "list", "value": "ships", "item": "{index}{*item.crew} {item}{?!last},{/last}{/item.crew}" }]
    });
    let values =
        json!({ "ships": [{ "name": "A", "crew": ["x", "y"] }, { "name": "B", "crew": [] }] });
    assert_eq!(text(&tree, &values), "A x y; B\n\n# List\n\n1 x, y\n2");
}

#[test]
fn hostile_nesting_is_refused_and_long_lists_are_linear() {
    let deep = format!("{}x{}", "{?a}\n".repeat(5_000), "\n{/a}".repeat(5_000));
    let tree = json!({ "body": deep });
    assert!(DynamicNode::from_json_with(&tree.to_string(), json!({ "a": true })).is_err());
    let items: Vec<Value> = (0..10_000)
        .map(|number| json!({ "name": number }))
        .collect();
    let long = text(
        &json!({ "body": "{*x}\n- {item.name}\n{/x}" }),
        &json!({ "x": items }),
    );
    assert_eq!(long.lines().count(), 10_000);
}

/// What a text uses is numbered with 16 bits: more is a fault, and never the value of another name.
#[test]
fn more_values_than_there_are_numbers_are_a_fault() {
    let body = |count: usize, before: &str, piece: &dyn Fn(usize) -> String, after: &str| {
        let pieces: String = (0..count).map(piece).collect();
        format!("{before}{pieces}{after}")
    };
    let item = |number: usize| format!("{{item.{number}}}");
    let build = |count: usize| {
        let numbers: Vec<usize> = (0..count).collect();
        let node = DynamicNode::builder("x").body(body(count, "{*l}", &item, "{/l}"));
        node.build_with(json!({ "l": [numbers] }))
    };
    let printed: String = (0..65_536).map(|number| number.to_string()).collect();
    assert!(build(65_536).unwrap().prompt().text().unwrap() == printed);
    assert_eq!(build(65_537).unwrap_err().code(), Code::TextTooLong);
    for text in [
        body(65_537, "", &|number| format!("{{v.{number}}}"), ""),
        body(
            65_537,
            "",
            &|number| format!("{{?v.{number}}}x{{/v.{number}}}"),
            "",
        ),
        body(65_537, "", &|_| "{*l}x{/l}".to_owned(), ""),
    ] {
        let code = Template::parse(&text).unwrap_err().code();
        assert_eq!(code, Code::TextTooLong, "{:.40}", text);
    }
}

// ---- what is missing

#[test]
fn what_misses_a_value_is_told_how_to_give_it() {
    let tree = json!({ "body": "Sail on {day}.", "sections": [
        { "key": "a", "priority": 1, "body": "x", "sections": [{ "key": "b", "priority": 2, "body": "y" }] }
    ] });
    let faults = faults(&tree, &json!({}));
    assert!(faults.to_string().contains("bind a value"), "{faults}");
    // Without values all that needs none is looked at.
    let unbound = DynamicNode::from_json(&tree.to_string()).unwrap();
    let found = lints(&unbound);
    assert!(found.contains(&"priority_inversion"), "{found:?}");
    let conditional = DynamicNode::builder("x").body("{?a}b{/a}").build().unwrap();
    assert!(conditional.prompt().text().is_err());
    let looped = DynamicNode::builder("x").body("{*a}b{/a}").build().unwrap();
    assert!(looped.prompt().text().is_err());
}

// ---- places of faults

fn places(text: &str) -> Vec<(Code, usize, usize)> {
    let faults = DynamicNode::from_json_with(text, json!({ "v": 1 })).unwrap_err();
    let place = |fault: &prompt_core::diagnostics::Diagnostic| {
        (fault.code, fault.line.unwrap(), fault.column.unwrap())
    };
    faults.iter().map(place).collect()
}

#[test]
fn faults_stand_at_their_own_place_in_one_line() {
    let text = r#"{"sections":[{"key":"a","body":"x"},{"key":"a","when":"nope"},{"body":"é \"\n{w} {v}\u0041{w}"}]}"#;
    let column = |part: &str, nth: usize| {
        let (at, _) = text.match_indices(part).nth(nth).unwrap();
        text[..at].chars().count() + 1
    };
    assert_eq!(
        places(text),
        [
            (Code::DuplicateKey, 1, column("\"a\"", 1)),
            (Code::UnknownVariable, 1, column("\"nope\"", 0)),
            (Code::InvalidKey, 1, column("{\"body\":\"é", 0)),
            (Code::UnknownVariable, 1, column("{w}", 0)),
            (Code::UnknownVariable, 1, column("{w}", 1)),
        ]
    );
}

#[test]
fn faults_stand_at_their_own_place_in_toml() {
    let text = "body = \"\"\"\n   One\n   {w} é{w} \\\n   still {w}\n\"\"\"\n\n[[sections]]\nkey = 'b'\nbody = '''  {w}'''\nattr = { a = 1, b = [2] }\ntag = \"b\"\n";
    let faults = DynamicNode::from_toml_with(text, json!({})).unwrap_err();
    let found: Vec<_> = faults
        .iter()
        .map(|fault| (fault.line.unwrap(), fault.column.unwrap()))
        .collect();
    assert_eq!(
        found,
        [(3, 4), (3, 9), (4, 10), (9, 13), (10, 21)],
        "{faults}"
    );
}

#[test]
fn one_bad_item_hides_no_other() {
    let tree = r#"{"titel":"x","sections":[{"key":"a","level":9,"body":"{w}"},5,{"key":7,"tag":"<"},null]}"#;
    let codes: Vec<Code> = places(tree).into_iter().map(|(code, ..)| code).collect();
    assert_eq!(
        codes,
        [
            Code::UnknownAttribute,
            Code::InvalidValue,
            Code::UnknownVariable,
            Code::InvalidInput,
            Code::InvalidValue,
            Code::InvalidTag,
            Code::InvalidInput,
        ]
    );
    let wrong = [
        r#"{"sections":{}}"#,
        r#"{"sections":null,"body":"{w}"}"#,
        r#"{"body":null,"when":"!"}"#,
    ];
    for tree in wrong {
        assert_eq!(places(tree).len(), 1, "{tree}");
    }
}

#[test]
fn many_faults_are_found_in_one_pass() {
    let count = 20_000;
    let mut body = String::new();
    let mut sections = String::new();
    for number in 0..count {
        _ = write!(body, "{{w{number}}} ");
        _ = write!(sections, "{{\"key\":\"k{number}\",\"titel\":1}},");
    }
    let text = format!(
        "{{\"body\":\"{body}\",\"sections\":[{}]}}",
        sections.trim_end_matches(',')
    );
    let found = places(&text);
    assert_eq!(found.len(), 2 * count);
    assert!(found.is_sorted_by_key(|(_, line, column)| (*line, *column)));
}

#[test]
fn a_file_that_is_too_deep_for_its_parser_is_told_once() {
    let header = |depth: usize| format!("[[{}]]\nkey = \"a\"\n", vec!["sections"; depth].join("."));
    let text: String = (1..=120).map(header).collect();
    let faults = DynamicNode::from_toml(&text).unwrap_err();
    let fault = faults.iter().next().unwrap();
    assert_eq!((faults.len(), fault.code), (1, Code::TooDeep), "{faults}");
    assert!(fault.line.is_some() && !fault.help.is_empty(), "{faults}");
}

// ---- sections

#[test]
fn empty_stands_for_a_section_that_prints_nothing() {
    let tree = |value: Value| json!({ "sections": [{ "key": "crew", "value": "crew", "empty": "Nobody.", "body": value }] });
    assert_eq!(
        text(&tree(json!("")), &json!({ "crew": [] })),
        "# Crew\n\nNobody."
    );
    let by_key = json!({ "sections": [{ "key": "crew", "empty": "Nobody." }] });
    assert_eq!(
        text(&by_key, &json!({ "crew": ["Ada"] })),
        "# Crew\n\n- Ada"
    );
    assert_eq!(text(&by_key, &json!({ "crew": null })), "# Crew\n\nNobody.");
}

#[test]
fn the_short_form_of_a_whole_list_knows_no_item() {
    let section =
        json!({ "key": "l", "value": "x", "summary": "[{item}]", "visibility": "summary" });
    let faults = faults(
        &json!({ "sections": [section] }),
        &json!({ "x": ["p", "q"] }),
    );
    assert_eq!(codes(&faults), [Code::UnknownVariable], "{faults}");
}

#[test]
fn builders_and_files_refuse_the_same() {
    let built = DynamicNode::builder("x").section(
        DynamicNode::builder("a")
            .level(7)
            .gap(3)
            .untitled()
            .heading("{title}")
            .tag("<")
            .attr("x y", 1),
    );
    let file = json!({ "key": "x", "sections": [
        { "key": "a", "level": 7, "gap": 3, "untitled": true, "heading": "{title}", "tag": "<", "attr": { "x y": 1 } }
    ] });
    let built: Vec<_> = codes(&built.build().unwrap_err());
    let read = codes(&DynamicNode::from_json(&file.to_string()).unwrap_err());
    let sorted = |mut codes: Vec<Code>| {
        codes.sort();
        codes
    };
    assert_eq!(sorted(built), sorted(read));
}

fn codes(faults: &Diagnostics) -> Vec<Code> {
    faults.iter().map(|fault| fault.code).collect()
}

/// Half a megabyte of stack is enough for a tree of 128 levels, in everything that is done with it.
#[test]
fn a_tree_of_128_levels_needs_little_stack() {
    let work = || {
        let level = |number: usize| {
            DynamicNode::builder("inner")
                .body(format!("{{?ship}}Level {number} of {{ship}}.{{/ship}}"))
        };
        let builder: DynamicNodeBuilder = (0..128)
            .rev()
            .fold(level(128), |inner, number| level(number).section(inner));
        let node = builder.clone().build().unwrap();
        let node = node.bind(json!({ "ship": "Heron" })).unwrap();
        assert_eq!(node.clone(), node);
        assert!(serde_json::to_string(&node).is_err());
        assert_eq!(node.prompt().text().unwrap().matches("Level").count(), 129);
        assert_eq!(node.prompt().render().unwrap().sections().len(), 128);
        drop(DynamicNodeBuilder::from(node));
        drop(builder);
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(work).unwrap().join().unwrap();
}

// ---- other wordings

#[test]
fn another_wording_has_the_loops_of_the_type() {
    struct Dock {
        name: &'static str,
        boats: Vec<&'static str>,
    }
    /// {*docks as dock}
    /// {index}. {dock.name}{?dock.boats}: {*dock.boats}{item}{?!last}, {/last}{/dock.boats}{/dock.boats}
    /// {/docks}
    /// At {place}.
    #[derive(PromptNode)]
    struct Port {
        docks: Vec<Dock>,
        place: &'static str,
    }
    let port = Port {
        docks: vec![
            Dock {
                name: "North",
                boats: vec!["Heron", "Tern"],
            },
            Dock {
                name: "Mole",
                boats: vec![],
            },
        ],
        place: "Wick",
    };
    let b = with_text(
        &port,
        "{place}\n{*docks as d}\n- {d.name}{*d.boats as b} ({b}){/d.boats}\n{/docks}",
    )
    .unwrap();
    assert_eq!(
        b.prompt().text().unwrap(),
        "Wick\n- North (Heron) (Tern)\n- Mole"
    );
    let wrong = with_text(
        &port,
        "{*docks}{item.size}{/docks}\n{*place}{/place} {?port}x{/port} {?place}y{/place}",
    );
    let wrong = wrong.unwrap_err();
    let found: Vec<_> = wrong
        .iter()
        .map(|fault| (fault.code, fault.place))
        .collect();
    assert!(found.iter().all(|(_, place)| place.is_some()), "{wrong}");
    assert!(wrong.to_string().contains("`{dock.name}`"), "{wrong}");
    assert!(with_text(&port, " \n").is_err());
}

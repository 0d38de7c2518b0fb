//! Prompt files and run-time trees: values, lists, conditions, typed sections, other wordings, and what is wrong, where.

use prompt_core::{
    Code, Diagnostics, DynamicNode, PromptError, PromptNode, Style,
    dynamic::{DynamicNodeBuilder, with_text},
};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn print(body: &str, values: impl Serialize) -> String {
    let node = DynamicNode::builder("x")
        .body(body)
        .build_with(values)
        .unwrap();
    node.prompt().text().unwrap()
}

fn text(node: &DynamicNode) -> String {
    node.prompt().text().unwrap()
}

/// Code, path, part, line of the file, place.
fn found(faults: &Diagnostics) -> Vec<String> {
    let fault = |fault: &prompt_core::diagnostics::Diagnostic| {
        let line = fault.line.map_or("-".to_owned(), |line| line.to_string());
        format!("{line} {} {}/{}", fault.code, fault.path, fault.part)
    };
    faults.iter().map(fault).collect()
}

// ---- values

/// {whole} {big} {tenth} {narrow} {nan} {far} {wide} {yes} {letter}
#[derive(PromptNode, Serialize)]
struct Numbers {
    whole: f64,
    big: f64,
    tenth: f32,
    narrow: i8,
    nan: f64,
    far: f32,
    wide: u128,
    yes: bool,
    letter: char,
}

#[test]
fn values_print_as_in_a_derived_type() {
    let numbers = Numbers {
        whole: 1.0,
        big: 1e21,
        tenth: 0.1,
        narrow: -3,
        nan: f64::NAN,
        far: f32::NEG_INFINITY,
        wide: u128::MAX,
        yes: true,
        letter: 'ß',
    };
    let body = "{whole} {big} {tenth} {narrow} {nan} {far} {wide} {yes} {letter}";
    let derived = numbers.prompt().text().unwrap();
    assert_eq!(print(body, &numbers), derived);
    assert!(
        derived.starts_with("1 1000000000000000000000 0.1 -3 NaN -inf "),
        "{derived}"
    );
}

#[test]
fn specs_take_floats_of_both_widths() {
    #[derive(Serialize)]
    struct Values {
        single: f32,
        double: f64,
    }
    let values = Values {
        single: 0.1,
        double: 2.0,
    };
    assert_eq!(
        print("[{single:.12}] [{single:>6}] [{double:*^7.2}]", &values),
        format!("[{:.12}] [{:>6}] [{:*^7.2}]", 0.1_f32, 0.1_f32, 2.0)
    );
}

#[test]
fn dates_of_toml_print_as_they_are_written() {
    let values: toml::Table = toml::from_str("day = 1979-05-27\nat = 07:32:00").unwrap();
    assert_eq!(print("{day} {at}", &values), "1979-05-27 07:32:00");
    let file =
        "[[sections]]\nkey = \"log\"\nbody = \"x\"\ntag = \"log\"\nattr = { since = 1979-05-27 }";
    let node = DynamicNode::from_toml(file).unwrap();
    assert_eq!(text(&node), "<log since=\"1979-05-27\">\nx\n</log>");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let json = "\u{feff}{ \"body\": \"Hello.\" }";
    assert_eq!(text(&DynamicNode::from_json(json).unwrap()), "Hello.");
    let toml = "\u{feff}body = \"Hello.\"";
    assert_eq!(text(&DynamicNode::from_toml(toml).unwrap()), "Hello.");
}

#[test]
fn structs_keep_the_order_of_their_fields_and_maps_are_sorted() {
    #[derive(Serialize)]
    struct Point {
        y: u8,
        x: u8,
    }
    let map: std::collections::HashMap<String, u8> = (0..20_u8)
        .map(|number| (format!("k{number:02}"), number))
        .collect();
    let values = json!({});
    assert_eq!(values, json!({}));
    #[derive(Serialize)]
    struct Values {
        point: Point,
        map: std::collections::HashMap<String, u8>,
    }
    let text = print(
        "{point} {map}",
        Values {
            point: Point { y: 1, x: 2 },
            map,
        },
    );
    assert!(
        text.starts_with(r#"{"y":1,"x":2} {"k00":0,"k01":1,"#),
        "{text}"
    );
}

// ---- conditions

#[test]
fn a_value_decides_whether_a_section_is_there() {
    let json = r#"{ "sections": [
        { "key": "fog", "body": "Sound the horn.", "when": "fog" },
        { "key": "sun", "body": "Sail.", "when": "!fog" },
        { "key": "late", "body": "Say sorry.", "when": "ship.delays" }
    ]}"#;
    let node = |fog: bool, delays: Value| {
        let values = json!({ "fog": fog, "ship": { "delays": delays } });
        text(&DynamicNode::from_json_with(json, values).unwrap())
    };
    assert_eq!(node(true, json!([])), "# Fog\n\nSound the horn.");
    assert_eq!(
        node(false, json!([1])),
        "# Sun\n\nSail.\n\n# Late\n\nSay sorry."
    );
    let faults = DynamicNode::from_json_with(json, json!({ "fgo": 1, "ship": {} })).unwrap_err();
    assert_eq!(
        found(&faults),
        ["2 unknown_variable fog/when", "3 unknown_variable sun/when"]
    );
    assert!(
        faults.to_string().contains("did you mean `fgo`?"),
        "{faults}"
    );
    let unbound = DynamicNode::from_json(json).unwrap();
    assert_eq!(
        unbound.prompt().walk().unwrap().len(),
        3,
        "it can be walked through"
    );
    assert!(matches!(
        unbound.prompt().text(),
        Err(PromptError::MissingValue { .. })
    ));
}

#[test]
fn a_body_asks_whether_a_section_prints() {
    let node = |when| {
        let rules = DynamicNode::builder("rules").body("Be kind.").when(when);
        let node = DynamicNode::builder("x")
            .body("Hello.{?rules} Mind the rules.{/rules}")
            .section(rules);
        text(&node.build_with(json!({})).unwrap())
    };
    assert_eq!(node(true), "Hello. Mind the rules.\n\n# Rules\n\nBe kind.");
    assert_eq!(node(false), "Hello.");
}

// ---- lists

fn crew() -> Value {
    json!({ "crew": [
        { "slug": "ada", "name": "Ada", "note": "steers" },
        { "slug": "bo", "name": "Bo", "note": "" },
    ], "none": [], "ship": "Heron" })
}

fn section(json: &Value, values: &Value) -> String {
    let tree = json!({ "sections": [json] }).to_string();
    text(&DynamicNode::from_json_with(&tree, values).unwrap())
}

#[test]
fn lists_print_by_their_item_template() {
    let item = "- {item.name}{?item.note}: {item.note}{/item.note} ({index} on {ship})";
    assert_eq!(
        section(
            &json!({ "key": "crew", "body": "All of {ship}:", "item": item }),
            &crew()
        ),
        "# Crew\n\nAll of Heron:\n\n- Ada: steers (1 on Heron)\n- Bo (2 on Heron)"
    );
    let joined = json!({ "key": "c", "value": "crew", "item": "{item.name}", "join": ", ", "last": " and " });
    assert_eq!(section(&joined, &crew()), "# C\n\nAda and Bo");
    assert_eq!(
        section(&json!({ "key": "ship", "value": "ship" }), &crew()),
        "# Ship\n\nHeron"
    );
    let bullets = json!({ "key": "l", "value": "v.list" });
    assert_eq!(
        section(&bullets, &json!({ "v": { "list": [1, "b"] } })),
        "# L\n\n- 1\n- b"
    );
}

#[test]
fn items_have_titles_keys_summaries_and_tags() {
    let titled = json!({
        "key": "crew", "item": "{item.note}", "item_title": "{item.name}", "item_key": "slug",
        "summary": "{item.name}: on file.", "visibility": "summary"
    });
    let tree = json!({ "sections": [titled] }).to_string();
    let node = DynamicNode::from_json_with(&tree, json!({ "crew": [
        { "slug": "ada", "name": "Ada", "note": "steers" }, { "slug": "bo", "name": "Bo", "note": "cooks" }
    ]})).unwrap();
    let rendered = node.prompt().render().unwrap();
    assert!(
        rendered
            .as_str()
            .ends_with("\n\n- crew.ada: Ada: on file.\n- crew.bo: Bo: on file."),
        "{rendered}"
    );
    let mut open = prompt_core::Overrides::default();
    open.open("crew.ada").open("crew.bo");
    assert_eq!(
        node.prompt().overrides(&open).text().unwrap(),
        "# Crew\n\n## Ada\n\nsteers\n\n## Bo\n\ncooks"
    );
    let tagged = json!({ "key": "crew", "item": "{item.name}", "item_tag": "name" });
    let tree = json!({ "sections": [tagged] }).to_string();
    let node = DynamicNode::from_json_with(&tree, crew()).unwrap();
    let xml = node.prompt().style(Style::Xml).text().unwrap();
    assert_eq!(
        xml,
        "<crew>\n  <name>Ada</name>\n  <name>Bo</name>\n</crew>\n"
    );
}

#[test]
fn two_lists_of_one_node_do_not_mix() {
    let tree = json!({ "sections": [
        { "key": "a", "item": "{item}", "item_title": "A {item}" },
        { "key": "b", "item": "{item}", "item_title": "B {item}" }
    ]})
    .to_string();
    let node = DynamicNode::from_json_with(&tree, json!({ "a": ["x"], "b": ["y"] })).unwrap();
    assert_eq!(text(&node), "# A\n\n## A x\n\nx\n\n# B\n\n## B y\n\ny");
}

#[test]
fn empty_values_leave_no_trace_or_print_empty() {
    let none = |json: Value| section(&json, &json!({ "none": [], "null": null, "blank": "" }));
    for name in ["none", "null", "blank"] {
        assert_eq!(
            none(json!({ "key": "n", "value": name, "item": "{item}" })),
            ""
        );
        assert_eq!(
            none(json!({ "key": "n", "value": name, "item": "{item}", "empty": "Nobody." })),
            "# N\n\nNobody."
        );
    }
}

#[test]
fn vars_say_how_values_print() {
    let tree = json!({
        "body": "{names}; {late}; {note}; {port}; {data}",
        "vars": {
            "names": { "item": "<{item}>", "join": ", ", "last": " or " },
            "late": { "yes": "late", "no": "on time" },
            "note": { "default": "no note" },
            "port": { "some": "of {}" },
            "data": { "json": 1 }
        }
    })
    .to_string();
    let values = json!({ "names": ["a", "b", "c"], "late": false, "note": null, "port": "Wick", "data": { "k": 1 } });
    let node = DynamicNode::from_json_with(&tree, values).unwrap();
    assert_eq!(
        text(&node),
        "<a>, <b> or <c>; on time; no note; of Wick; {\n \"k\": 1\n}"
    );
    assert_eq!(node.prompt().lint(), []);
}

#[test]
fn a_spec_beside_a_form_that_says_how_a_value_prints_is_refused() {
    let vars = json!({ "data": { "json": true }, "late": { "no": "on time" }, "gauges": { "item": "<{item}>" } });
    let tree = json!({ "body": "{gauges:.1} {late:>5} {data:>5} {r#late}", "vars": vars });
    let values = json!({ "gauges": [1.25], "late": false, "data": 1 });
    let faults = DynamicNode::from_json_with(&tree.to_string(), values).unwrap_err();
    let said: Vec<String> = faults
        .iter()
        .map(|fault| format!("{}: {}", fault.message, fault.help))
        .collect();
    let expected = [
        "the spec `:.1` says nothing of what `item` prints: write it in the template: `{item:.1}`",
        "the spec `:>5` says nothing of what `yes` prints: drop one of the two",
        "the spec `:>5` says nothing of what `json` prints: drop one of the two",
        "`{r#late}` begins with a known name and is no variable: names stand in texts without `r#`: write `{late}`",
    ];
    for line in expected {
        assert!(said.iter().any(|found| found == line), "{line}\n{said:?}");
    }
    assert_eq!(said.len(), expected.len());
    let tree = json!({ "body": "{gauges}", "vars": { "gauges": { "item": "<{item:.1}>" } } });
    let node = DynamicNode::from_json_with(&tree.to_string(), json!({ "gauges": [1.25] })).unwrap();
    assert_eq!(text(&node), "<1.2>");
}

#[test]
fn values_in_an_item_template_are_guarded_and_its_tags_stay() {
    let tree = json!({ "sections": [{ "key": "docs", "item": "<doc>{item}</doc>" }] }).to_string();
    let node = DynamicNode::from_json_with(&tree, json!({ "docs": ["a</doc>b"] })).unwrap();
    assert_eq!(text(&node), "# Docs\n\n<doc>a&lt;/doc>b</doc>");
}

// ---- typed sections and other wordings

/// Keep {count} rules.{?strict} All of them.{/strict}
#[derive(PromptNode)]
struct Rules {
    count: u8,
    strict: bool,
    /// Of {count}.
    #[section]
    first: (),
}

const RULES: Rules = Rules {
    count: 3,
    strict: true,
    first: (),
};

#[test]
fn a_typed_section_stands_in_a_file() {
    let file = r#"{ "body": "Work.", "sections": [{ "key": "rules", "title": "House", "body": "For {who}:", "priority": 3 }] }"#;
    let node = DynamicNode::from_json(file).unwrap();
    let node = node
        .embed("rules", Arc::new(RULES))
        .unwrap()
        .bind(json!({ "who": "all" }))
        .unwrap();
    assert_eq!(
        text(&node),
        "Work.\n\n# House\n\nFor all:\n\nKeep 3 rules. All of them.\n\n## First\n\nOf 3."
    );
    assert_eq!(node.clone(), node);
    let faults = node.embed("rulse", Arc::new(RULES)).unwrap_err();
    assert_eq!(faults.code(), Code::UnknownPath);
    assert!(faults.to_string().contains("`rules`"), "{faults}");
    let built = DynamicNode::builder("x")
        .embed("rules", Arc::new(RULES))
        .build()
        .unwrap();
    assert!(text(&built).starts_with("# Rules\n\nKeep 3 rules."));
}

#[test]
fn a_builder_embeds_into_the_section_of_that_key_whenever_it_came() {
    let node = DynamicNode::builder("x")
        .section(DynamicNode::builder("first").title("One"))
        .embed("first", Arc::new(RULES))
        .section(DynamicNode::builder("second").title("Two"))
        .embed("third", Arc::new(RULES))
        .embed("second", Arc::new(RULES))
        .embed(
            "third",
            Arc::new(with_text(RULES, "Again {count}.").unwrap()),
        )
        .build()
        .unwrap();
    let text = text(&node);
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(headings, ["# One", "# Two", "# Third"]);
    assert!(text.contains("# Third\n\nAgain 3."), "{text}");
}

#[test]
fn another_wording_keeps_the_types() {
    let b = with_text(
        &RULES,
        "{?strict}\nBe strict.\n{/strict}\n\n{first}\n\nAll {count} of <b>them</b>.",
    )
    .unwrap();
    assert_eq!(
        b.prompt().text().unwrap(),
        "Be strict.\n\n# First\n\nOf 3.\n\nAll 3 of <b>them</b>."
    );
    let faults = with_text(&RULES, "{cuont} {count:>4}\n\n{?first}x{/first}").unwrap_err();
    let codes: Vec<Code> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [Code::UnknownVariable; 3], "{faults}");
    assert!(
        faults.to_string().contains("print it as `{count}`"),
        "{faults}"
    );
    assert!(with_text(vec!["a"], "b").is_err());
    let node =
        DynamicNode::builder("x").embed("rules", Arc::new(with_text(RULES, "{count}.").unwrap()));
    assert_eq!(
        text(&node.build().unwrap()),
        "# Rules\n\n3.\n\n## First\n\nOf 3."
    );
}

#[test]
fn a_builder_says_what_a_file_says() {
    let values = json!({ "notes": [{ "name": "a", "text": "x" }], "fog": true });
    let file = r#"{ "key": "r", "description": "Notes.", "start": "<<", "end": ">>", "sections": [
        { "key": "list", "when": "fog", "value": "notes", "item": "{item.text}", "item_title": "{item.name}",
          "item_key": "name", "join": ", ", "last": " and ", "empty": "None.", "gap": 0, "level": 3 },
        { "key": "tags", "value": "notes", "item": "{item.text}", "item_tag": "note", "untitled_items": true,
          "tag": "notes", "indent": 4, "tight": true },
        { "key": "short", "heading": "{title}:", "body": "b", "summary": "s", "summary_suffix": "({key})" } ] }"#;
    let section = DynamicNode::builder;
    let list = section("list")
        .when_value("fog")
        .value("notes")
        .item("{item.text}");
    let list = list
        .item_title("{item.name}")
        .item_key("name")
        .join(", ")
        .last(" and ");
    let tags = section("tags")
        .value("notes")
        .item("{item.text}")
        .item_tag("note");
    let short = section("short").heading("{title}:").body("b").summary("s");
    let built = section("r")
        .description("Notes.")
        .start("<<")
        .end(">>")
        .section(list.empty("None.").gap(0).level(3))
        .section(tags.untitled_items().tag("notes").indent(4).tight())
        .section(short.summary_suffix("({key})"));
    let shown = format!("{built:?}");
    assert!(shown.contains("\"tags\""), "{shown}");
    match (
        built.build_with(&values),
        DynamicNode::from_json_with(file, &values),
    ) {
        (Ok(built), Ok(read)) => {
            assert_eq!(built, read);
            for style in [Style::Markdown, Style::Xml] {
                let text = |node: &DynamicNode| node.prompt().style(style).text().unwrap();
                assert_eq!(text(&built), text(&read));
            }
        }
        (built, read) => assert_eq!(built.unwrap_err(), read.unwrap_err()),
    }
}

#[test]
fn values_have_the_shapes_of_their_json() {
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Wrapped(Option<u8>);
    #[derive(Serialize)]
    struct Pair(u8, &'static str);
    #[derive(Serialize)]
    enum Kind {
        Plain,
        Named(u8),
        Two(u8, u8),
        Fields { a: f32 },
    }
    #[derive(Serialize)]
    struct All {
        unit: Unit,
        wrapped: Wrapped,
        nothing: Wrapped,
        pair: Pair,
        plain: Kind,
        named: Kind,
        two: Kind,
        fields: Kind,
    }
    let all = All {
        unit: Unit,
        wrapped: Wrapped(Some(1)),
        nothing: Wrapped(None),
        pair: Pair(2, "b"),
        plain: Kind::Plain,
        named: Kind::Named(3),
        two: Kind::Two(4, 5),
        fields: Kind::Fields { a: 0.5 },
    };
    let body = "{?!unit}{/unit}{wrapped}{?nothing}x{/nothing} {pair.0}{pair.1} {plain} {named.Named} {two.Two.1} \
                {fields.Fields.a}";
    let json = serde_json::to_value(&all).unwrap();
    assert_eq!(print(body, &all), "1 2b Plain 3 5 0.5");
    assert_eq!(print(body, &json), print(body, &all));
}

// ---- faults

#[test]
fn keys_that_mean_nothing_on_the_root_are_faults() {
    let json = r#"{ "key": "r", "untrusted": true, "priority": 3, "when": false, "item": "x", "role": "user" }"#;
    let faults = DynamicNode::from_json(json).unwrap_err();
    let parts: Vec<&str> = faults.iter().map(|fault| fault.part).collect();
    assert_eq!(parts, ["untrusted", "priority", "when", "item", "role"]);
    assert!(
        faults
            .iter()
            .all(|fault| fault.code == Code::UnknownAttribute)
    );
    let applied = r#"{ "title": "T", "start": "<<", "end": ">>", "tight": true, "gap": 0, "level": 3,
        "heading": "{title}:", "sections": [{ "key": "a", "body": "b" }, { "key": "c", "body": "d" }] }"#;
    assert_eq!(
        text(&DynamicNode::from_json(applied).unwrap()),
        "<<A:\nb\nC:\nd>>"
    );
}

#[test]
fn faults_name_their_line_of_a_toml_file() {
    let toml = "titel = \"x\"\nbody = \"\"\"\nHello {name}.\n\n# A\n\n```\n\"\"\"\n\n[[sections]]\nkey = \"b\"\nlevel = 9\n\
                body = '''Say\n{ name }'''\n\n[[sections]]\nkey = \"b\"\nsummary = \"{nmae}\"\n";
    let faults = DynamicNode::from_toml_with(toml, json!({ "name": 1 })).unwrap_err();
    assert_eq!(
        found(&faults),
        [
            "1 unknown_attribute /",
            "12 invalid_value b/level",
            "14 spaced_variable b/body",
            "17 duplicate_key b/key",
            "18 unknown_variable b/summary",
        ]
    );
    assert!(
        faults
            .to_string()
            .contains("line 14: body of section `b`, column 1: "),
        "{faults}"
    );
    let broken = DynamicNode::from_toml("a = \nb = [\n").unwrap_err();
    assert!(broken.len() > 1, "every error of the format: {broken}");
}

#[test]
fn faults_name_their_line_of_a_json_file() {
    let json = "{\n  \"body\": \"{a}\",\n  \"sections\": [\n    { \"key\": \"x\",\n      \"attr\": { \"key\": [1, {\"sections\": 2}] },\n\
                \"sections\": [{ \"key\": \"y\", \"tag\":\n\"<\" }] },\n    { \"key\": \"x y\" }\n  ]\n}";
    let faults = DynamicNode::from_json_with(json, json!({})).unwrap_err();
    assert_eq!(
        found(&faults),
        [
            "2 unknown_variable /body",
            "5 invalid_value x/attr",
            "7 invalid_tag x.y/tag",
            "8 invalid_key x y/key",
        ]
    );
}

#[test]
fn a_fault_of_a_file_says_one_place() {
    let says = |json: &str, expected: &str| {
        let faults = DynamicNode::from_json_with(json, json!({})).unwrap_err();
        let text = faults.to_string();
        assert!(text.starts_with(expected), "{text}");
    };
    says(
        "{\n\"body\": \"Hello {a}.\" }",
        "line 2: body of the root, column 7: ",
    );
    // All lines of the text stand on one line of the file.
    says(
        "{\n\"body\": \"One.\\nHello {a}.\" }",
        "line 2: body of the root: its line 2, column 7: ",
    );
    says(
        "{\n\"bdoy\": 1 }",
        "line 2: the root has no key `bdoy` [unknown_attribute]\n  help: did you mean `body`?",
    );
    says("{\n\"level\": 9 }", "line 2: level of the root: ");
    says(
        "{ \"sections\": 3 }",
        "line 1: sections of the root: `sections` takes a list of sections [invalid_value]",
    );
    for key in ["section", "sectoins"] {
        let json = format!("{{ \"{key}\": [] }}");
        says(
            &json,
            &format!(
                "line 1: the root has no key `{key}` [unknown_attribute]\n  help: did you mean `sections`?"
            ),
        );
    }
    says(
        "{ \"xyz\": 1 }",
        "line 1: the root has no key `xyz` [unknown_attribute]\n  help: its keys are `title`, `summary`",
    );
    let on_section = "{ \"sections\": [{ \"key\": \"a\", \"xyz\": 1 }] }";
    says(
        on_section,
        "line 1: section `a`: a section has no key `xyz` [unknown_attribute]\n  help: its keys are `description`",
    );
    says(
        "{ \"sections\": [{ \"key\": \"a\" },\n{ \"body\": \"x\" }] }",
        "line 2: sections of the root: section 2 has no key [invalid_key]",
    );
    says(
        "{ \"sections\": [{ \"key\": \"a\", \"sections\": [\n{ \"body\": \"x\" }] }] }",
        "line 2: sections of section `a`: section 1 has no key [invalid_key]",
    );
    says(
        "{ \"sections\": [{ \"sections\": [{ \"key\": \"a\",\n\"body\": \"{x}\" }] }] }",
        "line 1: sections of the root: section 1 has no key [invalid_key]",
    );
    let inside = "{ \"sections\": [{ \"body\": \"\", \"xyz\": 1, \"sections\": [{ \"key\": \"a\", \"body\": \"{x}\" }] }] }";
    let faults = DynamicNode::from_json_with(inside, json!({})).unwrap_err();
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["", "#1", "#1.a"], "{faults}");
}

#[test]
fn a_path_that_leads_nowhere_is_a_fault_before_anything_is_printed() {
    let node = DynamicNode::builder("x").body("{ship.naem} and {ship.crew.7}{?ship.x}!{/ship.x}");
    let values = json!({ "ship": { "name": "Heron", "crew": [1, 2] } });
    let faults = node.build_with(values).unwrap_err();
    let text = faults.to_string();
    assert_eq!(faults.len(), 2, "{text}");
    assert!(
        text.contains("did you mean `name`?") && text.contains("the items 0 to 1"),
        "{text}"
    );
}

/// The fault of one section, or of `vars`, if there is one.
fn slip(tree: &Value, values: &Value) -> Option<String> {
    let faults = DynamicNode::from_json_with(&tree.to_string(), values).err()?;
    assert_eq!(faults.len(), 1, "{faults}");
    assert_eq!(faults.code(), Code::UnknownVariable);
    Some(faults.to_string())
}

#[test]
fn a_misspelt_field_of_items_is_a_fault() {
    let values = json!({
        "tools": [{ "slug": "rg", "name": "rg", "text": "finds" }, { "slug": "jq", "name": "jq" }],
        "ship": { "name": "Heron" },
        "map": { "a": { "name": "A" } },
    });
    let section = |more: Value| {
        let mut section = json!({ "key": "t", "value": "tools" });
        section
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "sections": [section] })
    };
    let trees = [
        section(json!({ "item": "{item.nmae}: {item.text}" })),
        section(json!({ "item": "{item.name}: {item.txt}" })),
        section(json!({ "item": "{item.name}{?item.txt}: {item.text}{/item.txt}" })),
        section(json!({ "item": "{item.name}{?item.text}: {item.txt}{/item.text}" })),
        section(json!({ "item": "{item}", "item_title": "{item.nmae}" })),
        section(json!({ "item": "{item}", "item_key": "slgu" })),
        section(json!({ "item": "{item}", "item_key": "slug", "summary": "{item.nmae}" })),
        section(json!({ "value": "map", "item": "{item.0}: {item.1.nmae}" })),
        section(json!({ "value": "map", "item": "{item.nmae}" })),
        section(json!({ "when": "ship.nmae", "item": "{item.name}" })),
        json!({ "body": "{tools}", "vars": { "tools": { "item": "{item.nmae}" } } }),
        json!({ "body": "{?ship.nmae}Sail." }),
        json!({ "body": "{?ship.nmae}Sail the {ship.name}.{/ship.nmae}" }),
    ];
    for tree in trees {
        let fault = slip(&tree, &values).unwrap_or_else(|| panic!("{tree}"));
        assert!(fault.contains("did you mean `"), "{fault}");
    }
    let lines = slip(&section(json!({ "item": "a\n{item.nmae}" })), &values).unwrap();
    let expected =
        "no item of `tools` has the field `nmae` [unknown_variable]\n  help: did you mean `name`?";
    assert!(lines.ends_with(expected), "{lines}");
    let unlike = slip(&section(json!({ "item": "{item.price}" })), &values).unwrap();
    assert!(unlike.contains("write it behind its condition"), "{unlike}");
}

#[test]
fn what_some_items_lack_prints_nothing() {
    let prints = |tree: Value, values: Value, expected: &str| {
        assert_eq!(slip(&tree, &values), None, "{tree}");
        let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
        assert_eq!(text(&node), expected);
    };
    let item =
        |item: &str| json!({ "body": "{x}.", "vars": { "x": { "item": item, "join": ", " } } });
    let some = json!({ "x": [{ "a": 1 }, { "a": 2, "b": { "c": 3 } }] });
    prints(item("{item.a}-{item.b.c}"), some.clone(), "1-, 2-3.");
    // What a condition asks for may be missing everywhere, and so may what stands behind it.
    prints(
        item("{item.a}{?item.price}: {item.price}{/item.price}"),
        some,
        "1, 2.",
    );
    prints(
        json!({ "body": "Go{?s.price} for {s.price}{/s.price}." }),
        json!({ "s": { "a": 1 } }),
        "Go.",
    );
    // Nobody knows what an absent item has, or one that is not there.
    prints(item("{item.a}"), json!({ "x": [] }), ".");
    prints(
        item("[{item.a.b}]"),
        json!({ "x": [null, { "a": null }] }),
        "[], [].",
    );
    // As a derive says of a field, a text has no items.
    let tree = json!({ "body": "{x}.", "vars": { "x": { "item": "{item.a}" } } });
    let faults = DynamicNode::from_json_with(&tree.to_string(), json!({ "x": "text" }));
    assert_eq!(faults.unwrap_err().code(), Code::InvalidValue);
}

#[test]
fn many_misspelt_fields_of_many_items_are_found_in_linear_time() {
    let start = Instant::now();
    let items: Vec<Value> = (0..50_000)
        .map(|number| json!({ "name": number }))
        .collect();
    let item = "{item.nmae}".repeat(5_000);
    let tree = json!({ "sections": [{ "key": "t", "value": "x", "item": item }] });
    let faults = DynamicNode::from_json_with(&tree.to_string(), json!({ "x": items })).unwrap_err();
    assert!(faults.iter().next().unwrap().help.contains("`name`"));
    let count = faults.iter().count();
    assert!(count < 10, "{count}");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn tools_are_found_when_a_tree_is_built_or_bound() {
    let clash = |name: &str| {
        let a = DynamicNode::builder("a").body("x").tool("gauge");
        let b = DynamicNode::builder("b").body("x").tool(name);
        DynamicNode::builder("r")
            .section(a)
            .section(b)
            .build()
            .unwrap_err()
            .code()
    };
    assert_eq!(clash("gauge"), Code::DuplicateTool);
    assert_eq!(clash("open_sections"), Code::ReservedToolName);
}

#[test]
fn unplaced_sections_can_be_forbidden() {
    let node = |body: &str| {
        let section = DynamicNode::builder("a").body("x");
        DynamicNode::builder("r")
            .append(false)
            .body(body)
            .section(section)
            .build()
    };
    assert_eq!(node("Text.").unwrap_err().code(), Code::UnplacedSection);
    assert!(node("{a}").is_ok() && node("{PROMPT_SUBTREE}").is_ok());
}

#[test]
fn slips_of_run_time_texts_are_lints() {
    let node = DynamicNode::builder("r")
        .body("Write {{user}} to {name}.\n===")
        .var("nobody", json!({ "default": "-" }))
        .build_with(json!({ "name": "Ada", "nobody": null }))
        .unwrap();
    let mut codes: Vec<&str> = node
        .prompt()
        .lint()
        .iter()
        .map(|lint| lint.code.as_str())
        .collect();
    codes.sort_unstable();
    assert_eq!(
        codes,
        ["doubled_braces", "setext_heading", "unused_variable"]
    );
}

#[test]
fn text_beside_messages() {
    use prompt_core::Role;
    let node = |body: &str| {
        let ask = DynamicNode::builder("ask").role(Role::User).body("Hi?");
        let example = DynamicNode::builder("example").body(body).section(ask);
        DynamicNode::builder("r")
            .body("Be kind.")
            .section(example)
            .section(DynamicNode::builder("s").body("x"))
            .build()
            .unwrap()
    };
    let lints = node("How users ask.").prompt().lint();
    assert_eq!(
        lints
            .iter()
            .map(|lint| (lint.code.as_str(), lint.path.as_str()))
            .collect::<Vec<_>>(),
        [("text_beside_messages", "example")]
    );
    assert_eq!(node("").prompt().lint(), []);
}

#[test]
fn preview_takes_any_title() {
    let node = DynamicNode::builder("r")
        .section(
            DynamicNode::builder("a")
                .title("é".repeat(65_530))
                .body("x"),
        )
        .section(DynamicNode::builder("b").title("{t}").body("x"))
        .build_with(json!({ "t": "one\ntwo" }))
        .unwrap();
    let preview = node.prompt().preview().unwrap();
    assert_eq!(preview.rows[0].title.chars().count(), 65_530);
    // A heading is one line.
    assert!(preview.to_string().contains("b \"one two\""), "{preview}");
    assert_eq!(preview.path(1), "b");
    let data = serde_json::to_value(&preview).unwrap();
    assert_eq!(data["rows"][1]["form"], "full");
}

#[test]
fn preview_says_what_opening_costs() {
    let closed = DynamicNode::builder("a")
        .summary("Short.")
        .visibility(prompt_core::Visibility::Summary)
        .body("word ".repeat(400))
        .section(DynamicNode::builder("b").body("word ".repeat(400)));
    let preview = DynamicNode::builder("r").section(closed).build().unwrap();
    let preview = preview.prompt().preview().unwrap();
    let opening = preview.rows[0].opening.unwrap();
    assert!((600..1_200).contains(&opening), "{preview}");
    assert_eq!(preview.rows[1].opening, None);
}

#[test]
fn remedies_are_ones_that_a_file_can_follow() {
    let bodies = ["{name.len()}", "{?name > 3}x{/name}", "{nmae}", "{other}"];
    for body in bodies {
        let faults = DynamicNode::builder("x")
            .body(body)
            .build_with(json!({ "name": 1 }))
            .unwrap_err();
        let text = faults.to_string();
        let is_foreign = ["allow(", "vars(", "self.", "field"]
            .iter()
            .any(|words| text.contains(words));
        assert!(!is_foreign, "{text}");
    }
}

/// Three attributes whose names are in no order.
#[test]
fn attributes_stand_as_written_in_every_form() {
    let tree = r#"{"key":"root","sections":[{"key":"log","body":"x","tag":"log","attr":{"to":"2","from":"1","by":"3"}}]}"#;
    let printed = "<log to=\"2\" from=\"1\" by=\"3\">\nx\n</log>";
    let node = DynamicNode::from_json(tree).unwrap();
    let toml = toml::to_string(&node).unwrap();
    let forms = [
        DynamicNode::from_toml(&toml).unwrap(),
        serde_json::from_str(tree).unwrap(),
        DynamicNodeBuilder::from(node.clone()).build().unwrap(),
        DynamicNode::builder("root")
            .section(
                DynamicNode::builder("log")
                    .body("x")
                    .tag("log")
                    .attr("to", "0")
                    .attr("from", "1")
                    .attr("by", "3")
                    .attr("to", "2"),
            )
            .build()
            .unwrap(),
        node,
    ];
    for form in forms {
        assert_eq!(form.prompt().text().unwrap(), printed);
        assert_eq!(serde_json::to_string(&form).unwrap(), tree);
    }
}

#[test]
fn a_brace_that_never_closes_makes_no_name_known() {
    for (tree, values) in [
        (
            json!({ "key": "root", "title": "Smile {x", "body": "x" }),
            json!({ "y": 1 }),
        ),
        (
            json!({ "key": "root", "body": "x", "attr": { "a": "{x" } }),
            json!({ "y": 1 }),
        ),
    ] {
        let tree = tree.to_string();
        assert!(DynamicNode::from_json(&tree).is_ok(), "{tree}");
        let bound = DynamicNode::from_json_with(&tree, values.as_object().unwrap());
        assert!(bound.is_ok(), "{tree}");
        let known = json!({ "x": 1 });
        let error = DynamicNode::from_json_with(&tree, known.as_object().unwrap()).unwrap_err();
        assert_eq!(error.code().as_str(), "unclosed_brace", "{tree}");
    }
}

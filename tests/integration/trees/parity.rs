//! One description, two doors: what a key may say, and the code of what it may not, is the same in a derive and in a file.

use prompt_core::DynamicNode;
use prompt_derive::prompt_node;
use prompt_syntax::{
    Code,
    book::{self, Holder},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where a key stands, and what it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Root,
    Section,
    /// Of a value: a text, an `Option`, a `bool`, a list.
    Text,
    Maybe,
    Flag,
    List,
}

use Place::{Flag, List, Maybe, Root, Section, Text};

/// Keys as the derive and as a file spells them, and the codes that they give at both doors.
type Row = (Place, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (Root, r#"key = "node_a""#, r#"{"key": "node_a"}"#, &[]),
    (Root, r#"key = "node a""#, r#"{"key": "node a"}"#, &["invalid_key"]),
    (Root, r#"title = "T {name}""#, r#"{"title": "T {name}"}"#, &[]),
    (Root, r#"title = " ""#, r#"{"title": " "}"#, &["invalid_value"]),
    (Root, r#"title = "T {nam}""#, r#"{"title": "T {nam}"}"#, &["unknown_variable"]),
    (Root, r#"title = 3"#, r#"{"title": 3}"#, &["invalid_value"]),
    (Root, r#"summary = "S {name}""#, r#"{"summary": "S {name}"}"#, &[]),
    (Root, r#"summary = "S {nam}""#, r#"{"summary": "S {nam}"}"#, &["unknown_variable"]),
    (Root, r#"summary_suffix = "{key}: {subsections}""#, r#"{"summary_suffix": "{key}: {subsections}"}"#, &[]),
    (Root, r#"summary_suffix = "{kee}""#, r#"{"summary_suffix": "{kee}"}"#, &["unknown_variable"]),
    (Root, r#"description = "What for.""#, r#"{"description": "What for."}"#, &[]),
    (Root, r#"description = true"#, r#"{"description": true}"#, &["invalid_value"]),
    (Root, r#"heading = "== {title}""#, r#"{"heading": "== {title}"}"#, &[]),
    (Root, r#"heading = "== {titel}""#, r#"{"heading": "== {titel}"}"#, &["unknown_variable"]),
    (Root, r#"level = 2"#, r#"{"level": 2}"#, &[]),
    (Root, r#"level = 7"#, r#"{"level": 7}"#, &["invalid_value"]),
    (Root, r#"tight"#, r#"{"tight": true}"#, &[]),
    (Root, r#"tight = 2"#, r#"{"tight": 2}"#, &["invalid_value"]),
    (Root, r#"gap = 0"#, r#"{"gap": 0}"#, &[]),
    (Root, r#"gap = 9"#, r#"{"gap": 9}"#, &[]),
    (Root, r#"gap = 10"#, r#"{"gap": 10}"#, &["invalid_value"]),
    (Root, r#"numbering = "decimal""#, r#"{"numbering": "decimal"}"#, &[]),
    (Root, r#"numbering = "roman""#, r#"{"numbering": "roman"}"#, &["invalid_value"]),
    (Root, r#"append = true"#, r#"{"append": true}"#, &[]),
    (Root, r#"append = false"#, r#"{"append": false}"#, &["unplaced_section"]),
    (Root, r#"start = "\n""#, r#"{"start": "\n"}"#, &[]),
    (Root, r#"start = "For {name}.""#, r#"{"start": "For {name}."}"#, &["unsupported_expression"]),
    (Root, r#"end = "{other}""#, r#"{"end": "{other}"}"#, &[]),
    (Root, r#"end = "For {name}.""#, r#"{"end": "For {name}."}"#, &["unsupported_expression"]),
    (Root, r#"tag = "note", inline"#, r#"{"tag": "note", "inline": true}"#, &["invalid_value"]),
    (Root, r#"tag = "note", indent = 4"#, r#"{"tag": "note", "indent": 4}"#, &[]),
    (Root, r#"indent = 256"#, r#"{"indent": 256}"#, &["invalid_value"]),
    (Root, r#"tag = "a note""#, r#"{"tag": "a note"}"#, &["invalid_tag"]),
    (Root, r#"inline"#, r#"{"inline": true}"#, &["invalid_value"]),
    (Root, r#"tag = "note", attr(kind = "a", title)"#, r#"{"tag": "note", "attr": {"kind": "a", "title": true}}"#, &[]),
    (Root, r#"tag = "note", attr(a·b = "a")"#, r#"{"tag": "note", "attr": {"a·b": "a"}}"#, &["invalid_tag"]),
    (Root, r#"allow(skipped_level)"#, r#"{"allow": ["skipped_level"]}"#, &[]),
    (Root, r#"allow(skiped_level)"#, r#"{"allow": ["skiped_level"]}"#, &["invalid_value"]),
    (Root, r#"deny(generic_name)"#, r#"{"deny": ["generic_name"]}"#, &[]),
    (Root, r#"deny(no_rule)"#, r#"{"deny": ["no_rule"]}"#, &["invalid_value"]),
    (Root, r#"wrong = 1"#, r#"{"wrong": 1}"#, &["unknown_attribute"]),
    (Root, r#"role = "user""#, r#"{"role": "user"}"#, &["unknown_attribute"]),

    (Section, r#"key = "parts_a""#, r#"{"key": "parts_a"}"#, &[]),
    (Section, r#"key = "parts a""#, r#"{"key": "parts a"}"#, &["invalid_key"]),
    (Section, r#"title = "T {name}""#, r#"{"title": "T {name}"}"#, &[]),
    (Section, r#"title = "T {nam}""#, r#"{"title": "T {nam}"}"#, &["unknown_variable"]),
    (Section, r#"title = """#, r#"{"title": ""}"#, &["invalid_value"]),
    (Section, r#"untitled"#, r#"{"untitled": true}"#, &[]),
    (Section, r#"untitled = 3"#, r#"{"untitled": 3}"#, &["invalid_value"]),
    (Section, r#"title = "T", untitled"#, r#"{"title": "T", "untitled": true}"#, &["conflicting_attributes"]),
    (Section, r#"heading = "== {title}""#, r#"{"heading": "== {title}"}"#, &[]),
    (Section, r#"heading = "{item}""#, r#"{"heading": "{item}"}"#, &["unknown_variable"]),
    (Section, r#"level = 3"#, r#"{"level": 3}"#, &[]),
    (Section, r#"level = "3""#, r#"{"level": "3"}"#, &["invalid_value"]),
    (Section, r#"tight"#, r#"{"tight": true}"#, &[]),
    (Section, r#"gap = 2"#, r#"{"gap": 2}"#, &[]),
    (Section, r#"gap = 9"#, r#"{"gap": 9}"#, &[]),
    (Section, r#"gap = -1"#, r#"{"gap": -1}"#, &["invalid_value"]),
    (Section, r#"visibility = "full""#, r#"{"visibility": "full"}"#, &[]),
    (Section, r#"visibility = "summary""#, r#"{"visibility": "summary"}"#, &["summary_missing"]),
    (Section, r#"visibility = "short""#, r#"{"visibility": "short"}"#, &["invalid_value"]),
    (Section, r#"visibility = "summary", summary = "S {name}""#, r#"{"visibility": "summary", "summary": "S {name}"}"#, &[]),
    (Section, r#"summary = "S {item}""#, r#"{"summary": "S {item}"}"#, &["unknown_variable"]),
    (Section, r#"summary = "S {item.name}", item_key = name"#, r#"{"summary": "S {item.name}", "item_key": "name"}"#, &[]),
    (Section, r#"empty = "No {name}.""#, r#"{"empty": "No {name}."}"#, &[]),
    (Section, r#"empty = "\n""#, r#"{"empty": "\n"}"#, &["invalid_value"]),
    (Section, r#"empty = "{_}""#, r#"{"empty": "{_}"}"#, &[]),
    (Section, r#"empty = "No {nam}.""#, r#"{"empty": "No {nam}."}"#, &["unknown_variable"]),
    (Section, r#"when = true"#, r#"{"when": true}"#, &[]),
    (Section, r#"item = "- {item.name} {name}""#, r#"{"item": "- {item.name} {name}"}"#, &[]),
    (Section, r#"item = "- {itm}""#, r#"{"item": "- {itm}"}"#, &["unknown_variable"]),
    (Section, r##"item = "# {item.name}", item_tag = "part""##, r##"{"item": "# {item.name}", "item_tag": "part"}"##, &["invalid_value"]),
    (Section, r#"item = "{item.name}", join = ", ", last = " or ""#, r#"{"item": "{item.name}", "join": ", ", "last": " or "}"#, &[]),
    (Section, r#"item = "{item.name}", join = "{name}""#, r#"{"item": "{item.name}", "join": "{name}"}"#, &["unsupported_expression"]),
    (Section, r#"item = "{item.name}", last = "{name}""#, r#"{"item": "{item.name}", "last": "{name}"}"#, &["unsupported_expression"]),
    (Section, r#"item_title = "{item.name}", item = "{item.name}""#, r#"{"item_title": "{item.name}", "item": "{item.name}"}"#, &[]),
    (Section, r#"item_title = "{itm}", item = "{item.name}""#, r#"{"item_title": "{itm}", "item": "{item.name}"}"#, &["unknown_variable"]),
    (Section, r#"item_tag = "part", item = "{item.name}""#, r#"{"item_tag": "part", "item": "{item.name}"}"#, &[]),
    (Section, r#"item_tag = "a part", item = "{item.name}""#, r#"{"item_tag": "a part", "item": "{item.name}"}"#, &["invalid_tag"]),
    (Section, r#"item_key = name, item = "{item.name}", untitled_items"#, r#"{"item_key": "name", "item": "{item.name}", "untitled_items": true}"#, &[]),
    (Section, r#"tag = "parts", attr(kind = "a"), inline"#, r#"{"tag": "parts", "attr": {"kind": "a"}, "inline": true}"#, &[]),
    (Section, r#"tag = "<parts>""#, r#"{"tag": "<parts>"}"#, &["invalid_tag"]),
    (Section, r#"indent = 2"#, r#"{"indent": 2}"#, &[]),
    (Section, r#"indent = 256"#, r#"{"indent": 256}"#, &["invalid_value"]),
    (Section, r#"guard = "strict""#, r#"{"guard": "strict"}"#, &[]),
    (Section, r#"guard = "lax""#, r#"{"guard": "lax"}"#, &["invalid_value"]),
    (Section, r#"untrusted"#, r#"{"untrusted": true}"#, &[]),
    (Section, r#"raw"#, r#"{"raw": true}"#, &[]),
    (Section, r#"raw, untrusted"#, r#"{"raw": true, "untrusted": true}"#, &["conflicting_attributes"]),
    (Section, r#"raw, guard = "strict""#, r#"{"raw": true, "guard": "strict"}"#, &["conflicting_attributes"]),
    (Section, r#"priority = -3"#, r#"{"priority": -3}"#, &[]),
    (Section, r#"priority = "required""#, r#"{"priority": "required"}"#, &[]),
    (Section, r#"priority = "high""#, r#"{"priority": "high"}"#, &["invalid_value"]),
    (Section, r#"role = "user""#, r#"{"role": "user"}"#, &[]),
    (Section, r#"role = "author""#, r#"{"role": "author"}"#, &["invalid_value"]),
    (Section, r#"cache = 60"#, r#"{"cache": 60}"#, &[]),
    (Section, r#"cache = 0"#, r#"{"cache": 0}"#, &["invalid_value"]),
    (Section, r#"volatile"#, r#"{"volatile": true}"#, &[]),
    (Section, r#"wrong"#, r#"{"wrong": true}"#, &["unknown_attribute"]),

    (Maybe, r#"default = "no {name}""#, r#"{"default": "no {name}"}"#, &[]),
    (Maybe, r#"default = " ""#, r#"{"default": " "}"#, &["invalid_value"]),
    (Maybe, r#"default = """#, r#"{"default": ""}"#, &[]),
    (Maybe, r#"default = "no {nam}""#, r#"{"default": "no {nam}"}"#, &["unknown_variable"]),
    (Maybe, r#"some = " ({})""#, r#"{"some": " ({})"}"#, &[]),
    (Maybe, r#"some = "there""#, r#"{"some": "there"}"#, &["invalid_value"]),
    (Maybe, r#"some = "{} {}""#, r#"{"some": "{} {}"}"#, &["invalid_value"]),
    (Flag, r#"yes = "on", no = "off {name}""#, r#"{"yes": "on", "no": "off {name}"}"#, &[]),
    (Flag, r#"yes = "{nam}""#, r#"{"yes": "{nam}"}"#, &["unknown_variable"]),
    (Flag, r#"yes = "on", default = "?""#, r#"{"yes": "on", "default": "?"}"#, &["conflicting_attributes"]),
    (List, r#"item = "{index}. {item.name}", join = "; ", last = " and ""#, r#"{"item": "{index}. {item.name}", "join": "; ", "last": " and "}"#, &[]),
    (List, r#"item = "{itm}""#, r#"{"item": "{itm}"}"#, &["unknown_variable"]),
    (List, r#"item = "{item.name}", join = "{name}""#, r#"{"item": "{item.name}", "join": "{name}"}"#, &["unsupported_expression"]),
    (List, r#"item = "{item.name}", last = "{name}""#, r#"{"item": "{item.name}", "last": "{name}"}"#, &["unsupported_expression"]),
    (List, r#"json"#, r#"{"json": true}"#, &[]),
    (List, r#"json = "prety""#, r#"{"json": "prety"}"#, &["invalid_value"]),
    (List, r#"json, join = ",""#, r#"{"json": true, "join": ","}"#, &["conflicting_attributes"]),
    (Text, r#"trim, max = 3, more = "..""#, r#"{"trim": true, "max": 3, "more": ".."}"#, &[]),
    (Text, r#"more = "..""#, r#"{"more": ".."}"#, &["invalid_value"]),
    (Text, r#"max = 0"#, r#"{"max": 0}"#, &["invalid_value"]),
    (Text, r#"hang"#, r#"{"hang": true}"#, &[]),
    (Text, r#"hang = "4""#, r#"{"hang": "4"}"#, &["invalid_value"]),
    (Text, r#"raw"#, r#"{"raw": true}"#, &[]),
    (Text, r#"raw = 1"#, r#"{"raw": 1}"#, &["invalid_value"]),
    (Text, r#"untrusted"#, r#"{"untrusted": true}"#, &[]),
    (Text, r#"raw, untrusted"#, r#"{"raw": true, "untrusted": true}"#, &["conflicting_attributes"]),
];

/// Keys whose values are Rust, or lists of names of another kind at each door.
const APART: &[&str] = &["tools", "vars"];

/// The codes of a derive, in brackets behind the facts of what it says to the compiler.
fn of_derive((place, keys, ..): Row) -> BTreeSet<String> {
    let on = |wanted: Place| if wanted == place { keys } else { "" };
    let var = |wanted: Place| match on(wanted) {
        "" => String::new(),
        keys => format!("#[var({keys})]"),
    };
    let shown = match place {
        Root | Section => "",
        Text => "{text}",
        Maybe => "{maybe}",
        Flag => "{flag}",
        List => "{list}",
    };
    let item = if keys.contains("item") && !keys.contains("{item}") {
        "Part"
    } else {
        "String"
    };
    let source = format!(
        "#[prompt({}, template = \"Of {{name}}. {shown}\")] struct Node {{ name: String, {} text: String, {} maybe: \
         Option<String>, {} flag: bool, {} list: Vec<Part>, #[section({})] parts: Vec<{item}> }}",
        if on(Root).is_empty() {
            "tight = false"
        } else {
            on(Root)
        },
        var(Text),
        var(Maybe),
        var(Flag),
        var(List),
        on(Section),
    );
    let tokens = prompt_node(source.parse().expect("the table holds tokens"));
    let written = tokens.to_string();
    let codes = written.split('[').filter_map(|rest| rest.split(']').next());
    let codes = codes.filter_map(|word| word.parse::<Code>().ok());
    codes.map(|code| code.to_string()).collect()
}

/// The codes of a file with the same keys, with values.
fn of_file((place, _, keys, _): Row) -> BTreeSet<String> {
    let keys: Value = serde_json::from_str(keys).expect("the table holds JSON");
    let (shown, name) = match place {
        Root | Section => ("", ""),
        Text => ("{text}", "text"),
        Maybe => ("{maybe}", "maybe"),
        Flag => ("{flag}", "flag"),
        List => ("{list}", "list"),
    };
    let mut section = json!({"key": "parts", "value": "parts"});
    let mut root = json!({"key": "node", "body": format!("Of {{name}}. {shown}")});
    let added = match place {
        Root => &mut root,
        Section => &mut section,
        _ => {
            root["vars"] = json!({name: {}});
            &mut root["vars"][name]
        }
    };
    for (key, value) in keys.as_object().expect("keys are a map") {
        added[key] = value.clone();
    }
    root["sections"] = json!([section]);
    let part = json!({"name": "a"});
    let values = json!({
        "name": "Bo", "text": "t", "maybe": "m", "flag": true, "list": [part], "parts": [part],
    });
    match DynamicNode::from_json_with(&root.to_string(), values) {
        Ok(_) => BTreeSet::new(),
        Err(faults) => faults.iter().map(|fault| fault.code.to_string()).collect(),
    }
}

#[test]
fn both_doors_take_and_refuse_the_same() {
    let mut failed = Vec::new();
    for row in ROWS {
        let wanted: BTreeSet<String> = row.3.iter().map(ToString::to_string).collect();
        let (derive, file) = (of_derive(*row), of_file(*row));
        if derive != wanted || file != wanted {
            failed.push(format!("{row:?}\n  derive: {derive:?}\n  file: {file:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_key_that_both_doors_have_is_in_the_table() {
    for (derive, file) in [
        (Holder::Prompt, Holder::FileRoot),
        (Holder::Section, Holder::FileSection),
        (Holder::Var, Holder::FileVar),
    ] {
        for key in book::keys(derive) {
            let is_shared = book::keys(file).any(|other| other.name == key.name);
            let is_there = |row: &Row| row.2.contains(&format!("\"{}\":", key.name));
            let is_told = APART.contains(&key.name) || ROWS.iter().any(is_there);
            assert!(!is_shared || is_told, "`{}` of {derive:?}", key.name);
        }
    }
}

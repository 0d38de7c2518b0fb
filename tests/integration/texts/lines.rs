//! Which lines go, and which blank lines go along: what the oracle found, written down.

use prompt_core::{DynamicNode, PromptNode, Style};
use serde_json::{Value, json};

fn print(text: &str, values: &Value) -> String {
    let node = DynamicNode::builder("page").body(text).build_with(values);
    let node = node.unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let text = node.prompt().text().unwrap();
    assert_eq!(node.prompt().render().unwrap().as_str(), text);
    text
}

fn prints(rows: &[(&str, &str)]) {
    let values = json!({
        "t": true, "f": false, "e": "", "v": "V", "l": ["p", "q"], "le": ["p", "", "r"], "none": [],
        "fs": [{ "n": "A", "t": "x" }, { "n": "B", "t": "" }, { "n": "C", "t": "y" }],
    });
    for (text, expected) in rows {
        assert_eq!(print(text, &values), *expected, "{text:?}");
    }
}

#[test]
fn a_loop_that_prints_nothing_leaves_what_stands_before_it_on_its_line() {
    prints(&[
        ("x\n- {*l}{e}{/l}{v}", "x\n- V"),
        ("x\n> {*l}{e}{/l}{v}", "x\n> V"),
        ("x\n    {*l}{e}{/l}{v}", "x\n    V"),
        ("x\n- {*l}{e}{/l}{?t}y{/t}", "x\n- y"),
        ("x\n  {*l}{e}{/l}{*l}{item}{/l}", "x\n  pq"),
        ("x\n- {*l}{?f}[{item}] {/f}{/l}{v}", "x\n- V"),
        ("```\n  {*l}{e}{/l}{v}\n```", "```\n  V\n```"),
        ("x\n- {*none}{item}{/none}{v}", "x\n- V"),
        ("x\n- {*l}{e}{/l}\ny", "x\ny"),
    ]);
}

#[test]
fn a_list_marker_in_front_of_a_value_stays_whatever_conditions_do() {
    prints(&[
        ("- {e}{?f}: z{/f}\n- b", "- \n- b"),
        ("- {e}{?t}: z{/t}\n- b", "- : z\n- b"),
        ("- {?f}z{/f}{e}\n- b", "- \n- b"),
        ("1. {e}{*none}{item}{/none}\n2. b", "1. \n2. b"),
        ("- [ ] {e}{?f}z{/f}\n- b", "- [ ] \n- b"),
        ("> - {e}{?f}z{/f}\nb", "> - \nb"),
        // Everything on it is under a condition or a loop.
        ("- {?t}{e}\n- b", "- b"),
        ("- {?t}{e}{/t}\n- b", "- b"),
        ("- {*le}{item}\n- b", "- p\n- r\n- b"),
        ("- {?f}x{/f}{?t}{e}{/t}\n- b", "- b"),
        // No condition changes whether a quote mark, or indentation, is left.
        ("> {e}\nb", "b"),
        ("> {e}{?f}z{/f}\nb", "b"),
        ("x\n  {e}{?f}z{/f}\nb", "x\nb"),
    ]);
}

#[test]
fn what_is_empty_at_the_end_of_a_body_or_branch_takes_the_blank_lines_before_it_along() {
    prints(&[
        (
            "{*fs}\n## {item.n}\n\n{item.t}\n\n{/fs}\nEnd",
            "## A\n\nx\n\n## B\n\n## C\n\ny\nEnd",
        ),
        (
            "{*fs}\n## {item.n}\n\n{item.t}\n{/fs}",
            "## A\n\nx\n## B\n## C\n\ny",
        ),
        ("{?t}\na\n\n{e}\n{/t}\n\nb", "a\n\nb"),
        ("{?t}\na\n\n{e}\n{/t}\nb", "a\nb"),
        ("{?t}\na\n\n{e}\n\n{/t}\n\nb", "a\n\n\nb"),
        ("{?f}\nx\n{else}\na\n\n{?f}b\n{/f}\nb", "a\nb"),
        ("{?t}\na\n\n{?f}\nx\n{/f}\n{/t}\nb", "a\nb"),
        ("{?t}\na\n\n<!--# why -->\n{/t}\n\nb", "a\n\nb"),
        ("{?t}\na\n\n<!--# why -->\n{else}\nb\n{/t}\nc", "a\nc"),
        ("{*l}\n{item}\n\n<!--# why -->\n{/l}\nc", "p\nq\nc"),
        // A part of a paragraph leaves its blank lines there.
        ("{?t}\na\n\n{e}\nb\n{/t}", "a\n\nb"),
        ("a\n\n{?t}\n{e}\nb\n{/t}", "a\n\nb"),
    ]);
}

#[test]
fn a_branch_of_blank_lines_prints_them() {
    prints(&[
        ("a\n{?t}\n\n{/t}\nb", "a\n\nb"),
        ("a\n{?f}\n\n{/f}\nb", "a\nb"),
        ("a\n{?f}\nx\n{else}\n\n\n{/f}\nb", "a\n\n\nb"),
        ("a\n\n{?t}\n\n{/t}\n\nb", "a\n\n\n\nb"),
        ("{*l}\n{item}\n{?!last}\n\n{/last}\n{/l}\nb", "p\n\nq\nb"),
        ("> a\n{?t}\n\n{/t}\n> b", "> a\n\n> b"),
        ("a\n{*l}\n\n{/l}\nb", "a\n\n\nb"),
        // There are none at both ends of a text.
        ("{?t}\n\n{/t}\nb\n{?t}\n\n{/t}", "b"),
    ]);
}

#[test]
fn a_line_behind_a_fence_in_a_list_or_a_quotation_is_no_code() {
    prints(&[
        ("- ```\n  a\n  ```\n{e}\nb", "- ```\n  a\n  ```\nb"),
        ("> ```\n> a\n> ```\n> {e}\nb", "> ```\n> a\n> ```\nb"),
    ]);
}

#[test]
fn the_entries_of_a_map_come_in_the_order_of_their_keys_as_text_and_those_of_a_list_as_they_stand()
{
    let text = "{*berths}\n{item.0}: {item.1}\n{/berths}";
    let map = json!({ "berths": { "9": "North", "10": "Mole" } });
    assert_eq!(print(text, &map), "10: Mole\n9: North");
    let pairs = json!({ "berths": [["9", "North"], ["10", "Mole"]] });
    assert_eq!(print(text, &pairs), "9: North\n10: Mole");
}

fn in_xml(text: &str, values: &Value) -> String {
    let node = DynamicNode::builder("page").body(text).build_with(values);
    let node = node.unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let prompt = node.prompt().style(prompt_core::Style::Xml);
    let text = prompt.text().unwrap();
    assert_eq!(prompt.render().unwrap().as_str(), text);
    text
}

#[test]
fn titles_in_xml_are_tags_whatever_stands_around_them() {
    let values = json!({ "t": true, "f": false, "e": "", "v": "A\nB", "l": [] });
    for (text, expected) in [
        // What is absent at the end of a branch leaves the tag its line break.
        ("{?t}\n# A\n{*l}\n{/l}\n{/t}\nab", "<a>\nab\n</a>\n"),
        ("{?t}\n# A\n\n{e}\n{/t}\nab", "<a>\nab\n</a>\n"),
        // A title that prints nothing ends nothing, as one whose condition fails.
        ("## A\n\nab\n\n# {e}\ncd", "<a>\nab\n\ncd\n</a>\n"),
        ("## A\n\nab\n\n{?f}# B\ncd", "<a>\nab\n\ncd\n</a>\n"),
        // A title in an attribute is on one line.
        (
            "# {v} x\n\nab",
            "<section title=\"A B x\">\nab\n</section>\n",
        ),
        // A line of nothing is a line.
        ("{_}\n\n\n# A\n\nab", "\n\n<a>\nab\n</a>\n"),
    ] {
        assert_eq!(in_xml(text, &values), expected, "{text:?}");
    }
}

#[test]
fn a_title_of_blanks_leaves_no_heading() {
    prints(&[
        ("ab\n\n# {?t} {/t}\n\ncd", "ab\n\ncd"),
        ("# {e} {e}\n\ncd", "cd"),
    ]);
}

#[test]
fn line_ends_and_blank_lines_of_tabs_change_nothing() {
    let body = "\n  a\n  \t\n  # {v}\n  \n  {?t}\n    b\n  {/t}\n";
    for end in ["\n", "\r\n", "\r"] {
        let node = DynamicNode::builder("page").body(body.replace('\n', end));
        let node = node.build_with(json!({ "v": "V", "t": true })).unwrap();
        let print = |style| node.prompt().style(style).text().unwrap();
        assert_eq!(print(Style::Markdown), "a\n\t\n# V\n\n  b");
        let in_xml = "a\n\n<section title=\"V\">\n  b\n</section>\n";
        assert_eq!(print(Style::Xml), in_xml);
    }
}

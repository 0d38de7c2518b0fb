//! The author's bytes: what is printed as it was written, and the one place where white space goes.

use prompt_core::{DynamicNode, Markdown, PromptNode, Role, Style};
use prompt_syntax::{Code, Options, Place, parse};
use serde_json::{Value, json};

fn file(text: &str, values: &Value) -> DynamicNode {
    let allow = ["skipped_level", "heading_above_top"];
    let file = json!({ "key": "page", "body": text, "allow": allow });
    let values = values.as_object().cloned().unwrap_or_default();
    let node = DynamicNode::from_json_with(&file.to_string(), values);
    node.unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

fn prints(rows: &[(&str, &str)]) {
    let values = json!({
        "t": true, "f": false, "e": "", "v": "V", "n": "a\n\n", "b": "\n", "w": "  ", "l": ["p", "q"], "one": ["p"],
    });
    for (text, expected) in rows {
        assert_eq!(
            file(text, &values).prompt().text().unwrap(),
            *expected,
            "{text:?}"
        );
    }
}

const HEADINGS: &str =
    "### TASK ###\nx\n\n  ##\tTwo  tabs \t\n# C#\n## C # #\n### \\#\n   # Three #  \ny";

#[test]
fn a_heading_is_printed_as_it_was_written() {
    prints(&[
        (HEADINGS, HEADINGS),
        ("x\n{?t}\n ##  A ## \n{/t}\ny", "x\n ##  A ## \ny"),
        ("x\n{?t}  #  A #\ny", "x\n  #  A #\ny"),
        ("x\n  {?t}## A\ny", "x\n  ## A\ny"),
        ("x\n{?t}# A #{/t}\ny", "x\n# A #\ny"),
        ("x\n{?t}# A{/t} ##\ny", "x\n# A ##\ny"),
        ("x\n{?f}# A{/f} ##\ny", "x\ny"),
        ("{*l}\n##   {item} ##\n{/l}", "##   p ##\n##   q ##"),
        ("{*l}## {item} #", "## p #\n## q #"),
        ("# {v} ##", "# V ##"),
    ]);
}

#[test]
fn a_heading_that_moves_keeps_all_but_its_hashes() {
    let node = json!({ "key": "page", "body": "# Top\n\n{part}", "sections": [
        { "key": "part", "untitled": true, "body": " #  A ## \n\n##\tB" },
    ] });
    let node: DynamicNode = serde_json::from_value(node).unwrap();
    assert_eq!(
        node.prompt().text().unwrap(),
        "# Top\n\n ##  A ## \n\n###\tB"
    );
    let markdown = Markdown::from(" #  A ## \n\n##\tB");
    assert_eq!(
        markdown.prompt().base_level(3).text().unwrap(),
        " ###  A ## \n\n####\tB"
    );
    // In XML the words are the name of the tag, as ever.
    assert_eq!(
        node.prompt().style(Style::Xml).text().unwrap(),
        "<top>\n  <a>\n    <b/>\n  </a>\n</top>\n"
    );
}

#[test]
fn elements_print_their_source() {
    for text in [
        HEADINGS,
        "  {?t}{*l}#  A\t##",
        "{?t}   ## A\n{?t}# B #{/t}",
        "a\n\n  {?t}## {v} ##",
    ] {
        let options = Options {
            names: &["t", "l", "v"],
            ..Options::new(Place::Node)
        };
        let elements = parse(text, &options).elements;
        assert_eq!(elements.to_markdown(), text);
        let again = parse(&elements.to_markdown(), &options).elements;
        assert_eq!(again, elements);
        assert_eq!(
            serde_json::to_value(&again).unwrap(),
            serde_json::to_value(&elements).unwrap()
        );
    }
}

#[test]
fn a_value_is_printed_as_it_is_but_at_the_two_ends_of_a_text() {
    prints(&[
        ("Top.\n{n}\nEnd.", "Top.\na\n\n\nEnd."),
        ("Top.\n\n{n}\n\nEnd.", "Top.\n\na\n\n\n\nEnd."),
        ("Top.\n{?n}\n{n}\n{/n}\nEnd.", "Top.\na\n\n\nEnd."),
        ("Top.\n{*l}\n{n}\n{/l}\nEnd.", "Top.\na\n\n\na\n\n\nEnd."),
        ("Top: {n}.\nEnd.", "Top: a\n\n.\nEnd."),
        ("{n}\nx\n{n}", "a\n\n\nx\na"),
        ("x: {n}", "x: a"),
        // What a value prints is there, white space too; one that prints nothing takes its line along.
        ("a\n{b}\nc", "a\n\n\nc"),
        ("a\n{w}\nc", "a\n  \nc"),
        ("a\n{e}\nc", "a\nc"),
        ("{b}", ""),
        ("a\n{b}", "a"),
        // Words behind a value that ends in a break are in the quotation.
        ("> {n}b\nc", "> a\n>\n> b\nc"),
        ("> {n}\n> c", "> a\n>\n>\n> c"),
        ("{?t}> {n}b\nc", "> a\n>\n> b\nc"),
    ]);
}

#[test]
fn in_code_blank_lines_are_lines() {
    prints(&[
        ("```\na\n\n{?f}\nb\n{/f}\n\nc\n```", "```\na\n\n\nc\n```"),
        ("```\n\n{?f}\nb\n{/f}\n\n```", "```\n\n\n```"),
        (
            "```\na\n\n{*l}\n\n{item}\n\n{/l}\n\nb\n```",
            "```\na\n\n\np\n\n\nq\n\nb\n```",
        ),
        (
            "- ```\n  a\n\n  {?f}\n  b\n  {/f}\n\n  c\n  ```\n\nx",
            "- ```\n  a\n\n\n  c\n  ```\n\nx",
        ),
        ("```\na\n  \n{?f}\nb\n{/f}\n```", "```\na\n  \n```"),
        ("```\n{_}\n```", "```\n{_}\n```"),
        // Behind the fence what is gone takes its blank lines along, as everywhere.
        ("- ```\n  a\n  ```\n\n{?f}b\n\nc", "- ```\n  a\n  ```\n\nc"),
    ]);
    let hints = file("```\n{_}\n```", &Value::Null).prompt().lint();
    assert_eq!(
        hints.iter().map(|hint| hint.code).collect::<Vec<_>>(),
        [Code::NothingInCode]
    );
    let hints = file("`{_}` and {_}", &Value::Null).prompt().lint();
    assert_eq!(hints, []);
}

#[test]
fn blank_lines_of_a_loop_stand_before_each_item_and_between_two() {
    prints(&[
        (
            "Ask.\n{*l}\n\nQ: {item}\n{/l}\nEnd.",
            "Ask.\n\nQ: p\n\nQ: q\nEnd.",
        ),
        (
            "Ask.\n{*l}\nQ: {item}\n\n{/l}\nEnd.",
            "Ask.\nQ: p\n\nQ: q\nEnd.",
        ),
        (
            "Ask.\n{*l}\n\nQ: {item}\n\n{/l}\nEnd.",
            "Ask.\n\nQ: p\n\n\nQ: q\nEnd.",
        ),
        ("Ask.\n\n{*one}\n\nQ: {item}\n{/one}", "Ask.\n\n\nQ: p"),
        ("{*l}\n\nQ: {item}\n{/l}", "Q: p\n\nQ: q"),
        ("- a\n{*l}\n\n- {item}\n{/l}", "- a\n\n- p\n\n- q"),
        ("> a\n{*l}\n>\n> {item}\n{/l}", "> a\n>\n> p\n>\n> q"),
        (
            "> a\n> {*l}\n> {item}\n>\n> {/l}\n> b",
            "> a\n> p\n>\n> q\n>\n> b",
        ),
        (
            "> ```\n> {*l}\n> {item}\n>\n> {/l}\n> ```",
            "> ```\n> p\n>\n> q\n>\n> ```",
        ),
    ]);
}

#[test]
fn an_end_closes_what_was_opened_last_under_its_name() {
    prints(&[
        (
            "{?l}All: {*l}{item}{?!last}, {/last}{/l}\nx",
            "All: p, q\nx",
        ),
        ("{?t}{?t}a{/t}\nx", "a\nx"),
        ("{?f}{?f}a{/f}b\nx", "x"),
        ("- {?l}{*l}[{item}]{/l} {?t}yes{/t}", "- [p][q] yes"),
    ]);
}

#[test]
fn a_condition_on_a_path_asks_each_step() {
    #[derive(PromptNode)]
    #[prompt(
        template = "a\n{?sub.name}{sub.name}, {sub.age}\n{?sub.inner.word}\n{sub.inner.word}\n{/sub.inner.word}\nb"
    )]
    struct Page {
        sub: Option<Sub>,
    }
    struct Sub {
        name: Option<&'static str>,
        age: u8,
        inner: Option<Inner>,
    }
    struct Inner {
        word: &'static str,
    }
    let sub = |name, word: Option<&'static str>| Sub {
        name,
        age: 3,
        inner: word.map(|word| Inner { word }),
    };
    for (sub, expected) in [
        (None, "a\nb"),
        (Some(sub(None, None)), "a\nb"),
        (Some(sub(Some("n"), None)), "a\nn, 3\nb"),
        (Some(sub(Some("n"), Some("w"))), "a\nn, 3\nw\nb"),
        (Some(sub(None, Some(""))), "a\nb"),
    ] {
        assert_eq!(Page { sub }.prompt().text().unwrap(), expected);
    }
    let text = "a\n{?sub.name}{sub.name}, {sub.age}\nb";
    for sub in [json!(null), json!({ "name": null, "age": 3 })] {
        assert_eq!(
            file(text, &json!({ "sub": sub })).prompt().text().unwrap(),
            "a\nb"
        );
    }
    let sub = json!({ "sub": { "name": "n", "age": 3 } });
    assert_eq!(file(text, &sub).prompt().text().unwrap(), "a\nn, 3\nb");
}

/// A value that is printed behind several conditions is there if each of them says so.
#[test]
fn conditions_on_several_paths_say_that_one_is_there() {
    /// {?ship}The {ship.name} sails.
    /// {?ship.late}The {ship.name} is late.
    /// {?ship.hold.full}{ship.hold.name}
    /// {?ship.hold.open}{ship.hold.name}
    #[derive(PromptNode)]
    struct Page {
        ship: Option<Ship>,
    }
    struct Ship {
        name: &'static str,
        late: bool,
        hold: Option<Hold>,
    }
    struct Hold {
        name: &'static str,
        full: bool,
        open: bool,
    }
    let hold = Some(Hold {
        name: "H",
        full: false,
        open: true,
    });
    let ship = Some(Ship {
        name: "Heron",
        late: true,
        hold,
    });
    assert_eq!(
        Page { ship }.prompt().text().unwrap(),
        "The Heron sails.\nThe Heron is late.\nH"
    );
    assert_eq!(Page { ship: None }.prompt().text().unwrap(), "");
}

#[test]
fn two_headings_in_the_branches_of_one_line_are_text() {
    prints(&[
        ("{?t}# A{else}# B{/t}\n\nx", "# A\n\nx"),
        ("{?f}# A{else}# B{/f}\n\nx", "# B\n\nx"),
        ("{*l}# {item}{else}# none{/l}\nx", "# p# q\nx"),
        ("# {?f}A{else}B{/f}\nx", "# B\nx"),
    ]);
}

#[test]
fn untrusted_values_leave_no_fence_of_a_list_item_or_quotation() {
    let vars = json!({ "w": { "untrusted": true } });
    for (text, value, expected) in [
        ("- ```\n  {w}\n  ```", "a\n# h", "- ```\n  a\n\\# h\n  ```"),
        ("> ```\n> {w}\n> ```", "```", "> ```\n> \\```\n> ```"),
        ("```\n{w}\n```", "```\n# h", "````\n```\n# h\n````"),
    ] {
        let file = json!({ "key": "r", "body": text, "vars": vars });
        let node = DynamicNode::from_json_with(&file.to_string(), json!({ "w": value })).unwrap();
        assert_eq!(node.prompt().text().unwrap(), expected);
    }
}

#[test]
fn a_section_may_be_raw_and_nine_lines_apart() {
    /// <answer>Yes.</answer>
    #[derive(PromptNode)]
    struct Shots {
        #[section(untitled, raw)]
        shot: &'static str,
        #[section(untitled, gap = 9)]
        value: &'static str,
    }
    let tag = "<answer>No.</answer>";
    assert_eq!(
        Shots {
            shot: tag,
            value: tag
        }
        .prompt()
        .text()
        .unwrap(),
        format!(
            "<answer>Yes.</answer>\n\n{tag}{}&lt;answer>No.&lt;/answer>",
            "\n".repeat(10)
        )
    );
    #[derive(PromptNode)]
    #[prompt(template = "Answer in <answer>.. </answer>.")]
    struct Talk {
        #[section(untitled, role = "assistant", raw)]
        shot: &'static str,
    }
    let messages = Talk { shot: tag }.prompt().render().unwrap().messages();
    assert_eq!(
        (messages[1].role, messages[1].text()),
        (Role::Assistant, tag.to_owned())
    );
    let node = json!({ "key": "r", "body": tag, "sections": [
        { "key": "a", "untitled": true, "raw": true, "value": "shot" },
        { "key": "b", "untitled": true, "value": "shot" },
    ] });
    let node = DynamicNode::from_json_with(&node.to_string(), json!({ "shot": tag })).unwrap();
    assert_eq!(
        node.prompt().text().unwrap(),
        format!("{tag}\n\n{tag}\n\n&lt;answer>No.&lt;/answer>")
    );
}

#[test]
fn what_stands_before_everything_joins_nothing() {
    let node = |text: &str| {
        let node = json!({ "key": "r", "start": "\n", "body": text, "sections": [{ "key": "a", "body": "x" }] });
        let node: DynamicNode = serde_json::from_value(node).unwrap();
        node.prompt().text().unwrap()
    };
    assert_eq!(node(""), "\n# A\n\nx");
    assert_eq!(node("Own."), "\nOwn.\n\n# A\n\nx");
}

#[test]
fn tags_in_a_tag_stand_further_right_than_it() {
    /// x
    #[derive(PromptNode)]
    #[prompt(tag = "a", indent = 4)]
    struct Outer {
        #[section(tag = "b", indent = 0)]
        b: Inner,
        #[section(tag = "e")]
        e: Inner,
    }
    #[derive(PromptNode)]
    #[prompt(indent = 1, tag = "own")]
    struct Inner {
        /// y
        #[section(tag = "c")]
        c: (),
    }
    let outer = Outer {
        b: Inner { c: () },
        e: Inner { c: () },
    };
    assert_eq!(
        outer.prompt().text().unwrap(),
        "<a>\nx\n    <b>\n    <c>\ny\n    </c>\n    </b>\n    <e>\n     <c>\ny\n     </c>\n    </e>\n</a>"
    );
}

#[test]
fn inline_is_for_one_line() {
    let node = json!({ "key": "r", "sections": [
        { "key": "a", "tag": "a", "inline": true, "body": "One." },
        { "key": "b", "tag": "b", "inline": true, "body": "One.\nTwo." },
    ] });
    let node: DynamicNode = serde_json::from_value(node).unwrap();
    assert_eq!(
        node.prompt().text().unwrap(),
        "<a>One.</a>\n\n<b>\nOne.\nTwo.\n</b>"
    );
    let lints = node.prompt().lint();
    let lints: Vec<_> = lints.iter().map(|lint| (lint.code, &*lint.path)).collect();
    assert_eq!(lints, [(Code::InlineLines, "b")]);
}

//! One treatment for all templates: headings, fences, guarding and titles in them mean what they mean in a text.

use super::prints;
use prompt_core::{Code, DynamicNode, PromptNode, Style, Visibility, tree::Collected};
use serde_json::{Value, json};

struct Named {
    name: &'static str,
}

const NAMED: Named = Named { name: "x" };

/// ### A
///
/// {some}
///
/// {items}
#[derive(PromptNode)]
struct Values {
    #[var(some = "# Some\n\n{}", default = "# None")]
    some: Option<&'static str>,
    #[var(item = "#### {item}\n\n```text\n# no heading\n```\n", join = "\n")]
    items: Vec<&'static str>,
}

#[test]
fn headings_in_templates_of_values_move_with_their_text() {
    let full = Values {
        some: Some("x"),
        items: vec!["i", "j"],
    };
    let code = "```text\n# no heading\n```";
    prints(
        &full,
        &[&format!(
            "### A\n\n# Some\n\nx\n\n#### i\n\n{code}\n\n#### j\n\n{code}"
        )],
    );
    let moved = full.prompt().base_level(2).text().unwrap();
    assert_eq!(
        moved,
        format!("#### A\n\n## Some\n\nx\n\n##### i\n\n{code}\n\n##### j\n\n{code}")
    );
    let none = Values {
        some: None,
        items: vec![],
    };
    let moved = none.prompt().base_level(3).text().unwrap();
    assert_eq!(moved, "##### A\n\n### None");
}

/// ### A
#[derive(PromptNode)]
struct Sections {
    #[section(item = "# {item.name}\n\ntext\n\n## Below")]
    list: Vec<Named>,
    #[section(empty = "# Empty\n\nnone")]
    nobody: Vec<String>,
    #[section(empty = "# Empty\n\n{?nobody}none", untitled)]
    nothing: Vec<String>,
}

const EMPTY: Sections = Sections {
    list: vec![],
    nobody: vec![],
    nothing: vec![],
};

#[test]
fn headings_in_templates_of_sections_stand_below_them() {
    let node = Sections {
        list: vec![NAMED],
        ..EMPTY
    };
    prints(
        &node,
        &[
            "### A",
            "",
            "#### List",
            "",
            "##### x",
            "",
            "text",
            "",
            "###### Below",
            "",
            "#### Nobody",
            "",
            "##### Empty",
            "",
            "none",
            "",
            "#### Empty",
            "",
            "none",
        ],
    );
    let xml = EMPTY.prompt().style(Style::Xml).text().unwrap();
    assert!(
        xml.contains("  <nobody>\n    <empty>\nnone\n    </empty>\n  </nobody>"),
        "{xml}"
    );
}

#[test]
fn templates_of_files_are_those_of_a_type() {
    let file = json!({
        "key": "page", "body": "### A\n\n{some}\n\n{none}\n\n{items}",
        "vars": {
            "some": { "some": "# Some\n\n{}\n\n" },
            "none": { "default": "# None" },
            "items": { "item": "#### {item}\n", "join": "\n" },
        },
        "sections": [
            { "key": "list", "value": "named", "item": "# {item.name}\n\ntext" },
            { "key": "nobody", "empty": "# Empty\n\nnone" },
        ],
    });
    let values = json!({ "some": "x", "none": null, "items": ["i", "j"], "named": [{ "name": "x" }], "nobody": [] });
    let node = DynamicNode::from_json_with(&file.to_string(), values).unwrap();
    assert_eq!(
        node.prompt().base_level(2).text().unwrap(),
        "#### A\n\n## Some\n\nx\n\n\n\n## None\n\n##### i\n\n##### j\n\n##### List\n\n###### x\n\ntext\n\n##### Nobody\n\n###### Empty\n\nnone"
    );
}

/// Agent.
#[derive(PromptNode)]
#[prompt(tag = "agent", title = "Big", attr(title, n = 1))]
struct Agent;

#[test]
fn a_root_has_its_title_in_an_attribute() {
    prints(&Agent, &["<agent title=\"Big\" n=\"1\">\nAgent.\n</agent>"]);
    /// a
    #[derive(PromptNode)]
    #[prompt(tag = "agent", attr(title))]
    struct Untitled;
    prints(&Untitled, &["<agent>\na\n</agent>"]);
}

/// Short.
#[derive(PromptNode)]
#[prompt(summary = "short")]
struct Short;

/// T
#[derive(PromptNode)]
struct Shown {
    #[section(visibility = "summary")]
    part: Short,
    #[section(visibility = "summary", untitled_items)]
    parts: Vec<std::rc::Rc<Short>>,
    #[section(visibility = Visibility::Summary)]
    other: Option<Short>,
}

#[test]
fn a_section_is_shown_by_the_short_form_of_its_type() {
    let node = Shown {
        part: Short,
        parts: vec![std::rc::Rc::new(Short)],
        other: Some(Short),
    };
    let text = node.prompt().text().unwrap();
    assert_eq!(text.matches("short\n\n---").count(), 2, "{text}");
    assert!(text.contains("\n- parts.0: short\n"), "{text}");
}

/// T
#[derive(PromptNode)]
#[prompt(numbering)]
struct Titles {
    #[section(title = "{title}")]
    a: (),
    #[section(title = "{?flag}x{/flag}")]
    b: Short,
    #[section(item_title = "{item.name}")]
    list: Vec<Item>,
    #[section]
    last: (),
    title: &'static str,
    flag: bool,
}

/// {name}.
#[derive(PromptNode)]
struct Item {
    name: &'static str,
}

#[test]
fn a_title_that_prints_nothing_leaves_no_heading() {
    let node = Titles {
        a: (),
        b: Short,
        list: vec![Item { name: "" }, Item { name: "i" }],
        last: (),
        title: "",
        flag: false,
    };
    prints(
        &node,
        &[
            "T",
            "",
            "Short.",
            "",
            "# 3. List",
            "",
            ".",
            "",
            "## 3.2. i",
            "",
            "i.",
            "",
            "# 4. Last",
        ],
    );
    let lints = node.prompt().lint();
    let found: Vec<_> = lints
        .iter()
        .map(|lint| (lint.code, lint.path.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Code::EmptyTitle, "a"),
            (Code::EmptyTitle, "b"),
            (Code::EmptyTitle, "list.0")
        ]
    );
    let full = Titles {
        title: "A",
        flag: true,
        list: vec![],
        ..node
    };
    assert!(full.prompt().lint().is_empty());
}

/// T
#[derive(PromptNode)]
#[prompt(numbering)]
struct Numbered {
    #[section(untitled)]
    a: Inner,
    #[section(untitled)]
    b: Inner,
    #[section]
    c: (),
}

/// p
#[derive(PromptNode)]
struct Inner {
    #[section]
    x: (),
}

#[test]
fn numbers_of_untitled_sections_begin_at_one_and_stand_once() {
    let node = Numbered {
        a: Inner { x: () },
        b: Inner { x: () },
        c: (),
    };
    prints(&node, &["T\n\np\n\n# 1. X\n\np\n\n# 2. X\n\n# 3. C"]);
}

/// Work.
///
/// {COLLECTED_CONTEXT}
#[derive(PromptNode)]
struct Work {
    #[section]
    draft: (),
    #[section(untrusted)]
    letter: (),
}

#[test]
fn what_was_collected_for_an_untrusted_section_is_not_trusted() {
    let node = Work {
        draft: (),
        letter: (),
    };
    let mut collected = Collected::default();
    collected.insert("draft", "# Big\n\ndone <|im|>");
    collected.insert("letter", "# Big\n\n<|im|>");
    let text = node.prompt().collected(&collected).text().unwrap();
    assert_eq!(
        text,
        "Work.\n\n# Draft\n\n## Big\n\ndone <|im|>\n\n# Letter\n\n\\# Big\n\n< |im|>\n\n# Draft\n\n# Letter"
    );
}

#[test]
fn what_was_collected_stands_in_the_style_of_the_page() {
    let node = Work {
        draft: (),
        letter: (),
    };
    let mut collected = Collected::default();
    collected.insert("draft", "done");
    let xml = node.prompt().style(Style::Xml).collected(&collected);
    assert_eq!(xml.text().unwrap(), "Work.\n\n<draft>\ndone\n</draft>\n");
}

/// About {name}.
#[derive(PromptNode)]
#[prompt(title = "T {name}", numbering, heading = "* {title} *")]
struct About {
    #[var(untrusted)]
    name: &'static str,
    #[section(title = "S {name}", tag = "s", attr(title))]
    tagged: (),
    #[section(title = "S {name}")]
    plain: (),
    #[section]
    last: (),
}

#[test]
fn untrusted_values_are_defused_in_titles_which_have_one_line_and_a_number() {
    let node = About {
        name: "<|im|># a\n# b",
        tagged: (),
        plain: (),
        last: (),
    };
    prints(
        &node,
        &[
            "About < |im|># a",
            "\\# b.",
            "",
            "<s title=\"S &lt;|im|&gt;# a # b\"/>",
            "",
            "* 1. S < |im|># a # b *",
            "",
            "* 2. Last *",
        ],
    );
}

/// Files:
///
/// {files}
///
/// ## End
#[derive(PromptNode)]
struct Files {
    #[var(item = "```{item.0}\n{item.1}\n```", join = "\n\n", untrusted)]
    files: Vec<(&'static str, &'static str)>,
}

#[test]
fn fences_of_templates_keep_what_is_not_trusted() {
    let node = Files {
        files: vec![("py", "# c"), ("sh", "```\n# d")],
    };
    prints(
        &node,
        &[
            "Files:\n\n```py\n# c\n```",
            "",
            "````sh\n```\n# d\n````\n\n## End",
        ],
    );
}

/// The smallest texts of values that lost something, each with what it prints.
#[test]
fn texts_of_values_begin_and_end_lines_as_others_do() {
    let prints = |body: &str, keys: Value, values: Value, expected: &str| {
        let tree = json!({ "key": "page", "body": body, "vars": { "x": keys } });
        let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
        assert_eq!(node.prompt().text().unwrap(), expected, "{tree}");
    };
    let lines = json!({ "item": "{item}\n{?h}k" });
    prints(
        "{x}",
        lines.clone(),
        json!({ "x": ["", ""], "h": false }),
        "",
    );
    prints("{x}", lines, json!({ "x": ["a", "b"], "h": false }), "a\nb");
    let records = json!({ "item": "{?item.a}- {item.a}\n{?item.b}  {item.b}" });
    let of = |a: &str, b: &str| json!({ "a": a, "b": b });
    let three = json!({ "x": [of("1", "2"), of("3", ""), of("", "")] });
    prints("{x}", records, three, "- 1\n  2\n- 3");
    // The marker at the start of a text is printed, in a line of its own and in a sentence.
    let two = json!({ "x": ["a", "b"] });
    let quoted = json!({ "item": "> {item}" });
    prints("A\n{x}", quoted, two.clone(), "A\n> a\n> b");
    let bullets = json!({ "item": "- {?item}{item}{/item}" });
    prints(
        "A\n{x}",
        bullets,
        json!({ "x": ["a", "", "b"] }),
        "A\n- a\n- b",
    );
    prints(
        "A{x}",
        json!({ "item": " {item}", "join": "" }),
        two.clone(),
        "A a b",
    );
    let lists = json!({ "x": [{ "n": [1] }, { "n": [] }, { "n": [2, 3] }] });
    prints(
        "{x}",
        json!({ "item": "- {*item.n}{item}{/item.n}" }),
        lists,
        "- 1\n- 23",
    );
    // What joins nothing still ends in other words.
    prints(
        "{x}",
        json!({ "join": "", "last": " and " }),
        two,
        "a and b",
    );
    prints(
        "{x}",
        json!({ "join": ", ", "last": " or " }),
        json!({ "x": ["a", "", "b", ""] }),
        "a or b",
    );
}

/// What a value is worded as, on lines that begin with something: all of its lines are there, each begins so.
#[test]
fn texts_of_values_hang_on_their_lines() {
    let prints = |body: &str, keys: Value, values: Value, expected: &str| {
        let tree = json!({ "key": "page", "body": body, "vars": { "x": keys } });
        let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
        assert_eq!(node.prompt().text().unwrap(), expected, "{tree}");
    };
    let v = || json!({ "x": "v", "y": "p\nq" });
    let pair = || json!({ "x": ["a\nb", "c"] });
    let asking = |yes: &str| json!({ "yes": yes });
    // In a heading.
    let three = "a\n{?g}\nz\n{/g}\nc";
    prints(
        "# T {x}",
        asking(three),
        json!({ "x": true, "g": true }),
        "# T a\nz\nc",
    );
    prints(
        "# T {x}",
        asking(three),
        json!({ "x": true, "g": false }),
        "# T a\nc",
    );
    // In code.
    let titles = json!({ "item": "# {item}" });
    prints(
        "```\n{x}\n```",
        titles.clone(),
        pair(),
        "```\n# a\nb\n# c\n```",
    );
    prints(
        "- ```\n  {x}\n  ```",
        titles,
        pair(),
        "- ```\n  # a\nb\n# c\n  ```",
    );
    // In a quotation.
    let fence = json!({ "some": "a\n\n```\n{}\n```\n\nb" });
    prints(
        "> {x}",
        fence.clone(),
        v(),
        "> a\n>\n> ```\n> v\n> ```\n>\n> b",
    );
    let title = json!({ "some": "a\n\n# {}\n\nb" });
    prints("> {x}", title, v(), "> a\n>\n> # v\n>\n> b");
    let inner = json!({ "some": "{}\n> {y}" });
    prints("> {x}", inner, v(), "> v\n> > p\n> > q");
    let markers = json!({ "some": "Note:\n> {}\nend" });
    let lines = json!({ "x": "a\nb" });
    prints("{x}", markers, lines, "Note:\n> a\n> b\nend");
    // In a column.
    let hangs = |some: &str| json!({ "hang": true, "some": some });
    prints("- {x}", hangs("{}\n\n# H\n\nb"), v(), "- v\n\n  # H\n\n  b");
    prints("- {x}", hangs("{y}\n{}"), v(), "- p\n  q\n  v");
    prints(
        "- {x}",
        json!({ "hang": true, "item": "{index}. {item}" }),
        pair(),
        "- 1. a\n     b\n  2. c",
    );
    // A line that goes, and blocks behind words.
    prints(
        "{x}",
        json!({ "item": "k\n{item}" }),
        json!({ "x": ["", "b"] }),
        "k\nk\nb",
    );
    prints(
        "A {x} B",
        asking("k\n{?h}k"),
        json!({ "x": true, "h": false }),
        "A k\n B",
    );
    prints("a {x}\nz", fence, v(), "a a\n\n```\nv\n```\n\nb\nz");
    prints(
        "a {x}\nz",
        json!({ "some": "```\n{}\n```" }),
        v(),
        "a ```\nv\n```\nz",
    );
    prints(
        "a {x} b",
        json!({ "some": "```\n{}\n```" }),
        v(),
        "a ```\nv\n```\n b",
    );
}

/// What strangers found in texts of values, as small as it gets.
#[test]
fn texts_of_values_lose_no_words_and_leave_no_lines() {
    let prints = |body: &str, keys: Value, values: Value, expected: &str| {
        let tree = json!({ "key": "page", "body": body, "vars": { "x": keys } });
        let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
        assert_eq!(node.prompt().text().unwrap(), expected, "{tree}");
    };
    let given = |x: Value| json!({ "x": x, "y": true, "n": false, "w": "", "v": "c\nd" });
    let heading = || json!({ "some": "# {}" });
    let item = |item: &str| json!({ "item": item });
    let yes = |yes: &str| json!({ "yes": yes });
    // A heading is one where it begins a line.
    prints("- {?y}{x}\n- z", heading(), given(json!("v")), "- # v\n- z");
    prints("A {x} B", heading(), given(json!("v")), "A # v B");
    prints("A\n{x} B\nC", heading(), given(json!("v")), "A\n# v\n B\nC");
    prints("A `b {x}` C", heading(), given(json!("v")), "A `b # v` C");
    prints("A\n  {x}\nB", heading(), given(json!("v")), "A\n  # v\nB");
    prints("# T {x}", heading(), given(json!("v")), "# T # v");
    // A line of which nothing is left goes, and blank lines before what is absent at the end.
    let ab = || given(json!(["a", ""]));
    prints("A\n{x}\nB", item("{item}\nk"), ab(), "A\na\nk\nk\nB");
    prints("A\n{x}\nB", item("{w}\nk"), ab(), "A\nk\nk\nB");
    prints(
        "A\n{x}\nB",
        item("{?item}\nc\n{/item}\nk"),
        ab(),
        "A\nc\nk\nk\nB",
    );
    prints("A\n{x}\nB", item("k\n\n{?n}gone"), ab(), "A\nk\nk\nB");
    prints(
        "A\n{x}\nB",
        yes("k\n\n{?n}gone"),
        given(json!(true)),
        "A\nk\nB",
    );
    prints("A\n{x}\nB", yes("k\n\n{w}"), given(json!(true)), "A\nk\nB");
    prints("A\n\n{x}\nB", yes("{w}"), given(json!(true)), "A\n\nB");
    // A quotation begins where a line does.
    let two = || given(json!(["a\nb", "c"]));
    prints("{x}", item("> {item}"), two(), "> a\n> b\n> c");
    prints("> {x}", item("> {item}"), two(), "> > a\n> > b\n> > c");
    let sentence = json!({ "item": "> {item}", "join": ", " });
    prints("A {x}", sentence, two(), "A > a\nb, > c");
    prints(
        "```\n{x}\n```",
        yes("> {v}"),
        given(json!(true)),
        "```\n> c\nd\n```",
    );
    prints(
        "> A {x} {v}",
        json!({ "some": "{}" }),
        given(json!("a\nb")),
        "> A a\n> b c\n> d",
    );
    // What joins items.
    let join = |join: &str, last: &str| json!({ "join": join, "last": last });
    let three = || given(json!(["a", "b", "c", ""]));
    prints(
        "{x}",
        json!({ "join": "\n---\n" }),
        three(),
        "a\n---\nb\n---\nc",
    );
    prints("{x}", join(",\n", "\nand "), three(), "a,\nb\nand c");
    prints("{x}", join("\n", " and "), three(), "a\nb and c");
    let ruled = json!({ "item": "k\n{item}", "join": "\n---\n", "last": "\n---\n" });
    prints("{x}", ruled, given(json!(["", "b"])), "k\n---\nk\nb");
    prints("{x}", join(", ", "\nand "), three(), "a, b\nand c");
    prints("{x}", join("\n\n", "\n\nand "), three(), "a\n\nb\n\nand c");
}

/// In a text about an item `item` is that, whatever loops with other names stand around.
#[test]
fn the_item_of_a_text_is_known_in_its_loops() {
    let given = json!({ "x": [{ "a": "A", "l": ["p", "q"] }] });
    let item = "{*item.l as q}{q} {item.a};{/item.l}";
    let worded = json!({ "key": "page", "body": "{x}", "vars": { "x": { "item": item } } });
    let section = json!({ "key": "s", "untitled": true, "value": "x", "item": item });
    let listed = json!({ "key": "page", "sections": [section] });
    for tree in [worded, listed] {
        let node = DynamicNode::from_json_with(&tree.to_string(), given.clone()).unwrap();
        assert_eq!(node.prompt().text().unwrap(), "p A;q A;", "{tree}");
    }
}

/// A section that embeds a value is not trusted where the value is not; other keys of the value are for texts.
#[test]
fn sections_with_values_are_trusted_as_the_values_are() {
    let tree = |keys: Value| {
        json!({
            "key": "page",
            "vars": { "x": keys },
            "deny": ["unused_variable"],
            "sections": [{ "key": "s", "untitled": true, "value": "x" }],
        })
    };
    let given = json!({ "x": "# a" });
    let untrusted = tree(json!({ "untrusted": true })).to_string();
    let node = DynamicNode::from_json_with(&untrusted, given.clone()).unwrap();
    assert_eq!(node.prompt().text().unwrap(), "\\# a");
    let trimmed = tree(json!({ "trim": true })).to_string();
    let error = DynamicNode::from_json_with(&trimmed, given).unwrap_err();
    let fault = error.iter().next().unwrap();
    assert_eq!(fault.code.as_str(), "unused_variable");
}

/// Texts of values know one another, and have notes as other texts do. In a slot a quotation is indented whole.
#[test]
fn texts_of_values_know_what_others_know() {
    let prints = |tree: Value, values: Value, expected: &str| {
        let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
        assert_eq!(node.prompt().text().unwrap(), expected, "{tree}");
    };
    let vars = json!({
        "x": { "some": "{} {z}" },
        "z": { "of": "y.a", "some": "<{}>" },
    });
    let values = json!({ "x": "v", "y": { "a": "b" } });
    prints(
        json!({ "key": "page", "body": "{x}", "vars": vars }),
        values.clone(),
        "v <b>",
    );
    let vars = json!({ "x": { "some": "a\n<!--# note -->\n{}" } });
    prints(
        json!({ "key": "page", "body": "{x}", "vars": vars }),
        values,
        "a\nv",
    );
    let tree = json!({
        "key": "page",
        "body": "- a\n\n  {c}\n\nz",
        "sections": [{ "key": "c", "untitled": true, "body": "> {v}\nw" }],
    });
    prints(
        tree,
        json!({ "v": "a\n\nb" }),
        "- a\n\n  > a\n  >\n  > b\n  w\n\nz",
    );
    // A format says nothing of a value whose key words all of it, whichever is read first.
    let vars = json!({ "a": { "some": "{} {z:>5}" }, "z": { "of": "y", "item": "<{item}>" } });
    let tree = json!({ "key": "page", "body": "{a}", "vars": vars }).to_string();
    let given = json!({ "a": "v", "y": ["b"] });
    let error = DynamicNode::from_json_with(&tree, given).unwrap_err();
    assert_eq!(
        error.iter().next().unwrap().code.as_str(),
        "unsupported_spec"
    );
}

/// Hints that only the print shows.
mod hints {
    use super::*;
    use prompt_core::{Budget, Markdown, tokens::EstimatedTokens};

    /// T
    #[derive(PromptNode)]
    struct Dup {
        #[section(attr(id = 2, own = 1))]
        k: Tagged,
    }

    /// dup
    #[derive(PromptNode)]
    #[prompt(tag = "k", attr(id = 1, other = 3))]
    struct Tagged;

    #[test]
    fn an_attribute_that_section_and_type_give() {
        prints(
            &Dup { k: Tagged },
            &["T\n\n<k id=\"2\" own=\"1\" other=\"3\">\ndup\n</k>"],
        );
        let lints = Dup { k: Tagged }.prompt().lint();
        assert_eq!(
            lints.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "section `k`: the section and its type both give the attribute `id`: that of the section is printed [duplicate_attribute]\n  help: keep one of them"
            ]
        );
    }

    /// # Desk
    ///
    /// {note}
    ///
    /// ## Product
    ///
    /// {note}
    /// ```text
    /// {code}
    /// ```
    #[derive(PromptNode)]
    struct Desk {
        note: &'static str,
        code: &'static str,
        #[section]
        text: String,
        #[section]
        markdown: Markdown,
        #[section(untrusted)]
        letter: String,
    }

    #[test]
    fn a_value_that_begins_a_heading_above_its_own() {
        let desk = |note, text: &str| Desk {
            note,
            code: "# c",
            text: text.into(),
            markdown: Markdown::from("# A\n\n# B"),
            letter: "# A".into(),
        };
        let found = |desk: &Desk| -> Vec<String> {
            let lints = desk.prompt().lint();
            assert!(lints.iter().all(|lint| lint.code == Code::HeadingInValue));
            lints
                .iter()
                .map(|lint| format!("{}: {}", lint.path, lint.message))
                .collect()
        };
        assert_eq!(
            found(&desk("### Deeper", "#### Deeper\n\n#### Too")),
            [""; 0]
        );
        assert_eq!(
            found(&desk(
                "Care.\n\n## Care",
                "```text\n# c\n```\n# Care\n# More"
            )),
            [
                ": `note` begins a heading of level 2, and the one above it has level 2",
                ": `text` begins a heading of level 1, and the one above it has level 3",
            ]
        );
        let lints = desk("## Care", "").prompt().style(Style::Xml).lint();
        assert!(lints.iter().all(|lint| lint.code != Code::HeadingInValue));
    }

    /// Shop.
    #[derive(PromptNode)]
    struct Shop {
        #[section(visibility = "summary", summary = "Prices.")]
        prices: String,
        #[section(visibility = "summary", summary = "Times.")]
        times: Times,
        #[section(summary = "Never shown.")]
        places: String,
    }

    /// {long}
    #[derive(PromptNode)]
    struct Times {
        long: String,
        #[section(visibility = "summary", summary = "Inner.")]
        inner: String,
    }

    #[test]
    fn a_summary_that_saves_nothing() {
        let shop = |prices: &str| Shop {
            prices: prices.into(),
            times: Times {
                long: "Open all day. ".repeat(40),
                inner: "At six.".into(),
            },
            places: "Here.".into(),
        };
        let node = shop("Lamps 27.");
        let lints = node.prompt().lint();
        assert_eq!(
            lints,
            node.prompt().counter(&EstimatedTokens::default()).lint()
        );
        let found: Vec<_> = lints
            .iter()
            .map(|lint| (lint.code, lint.path.as_str()))
            .collect();
        let code = Code::SummarySavesNothing;
        assert_eq!(found, [(code, "prices"), (code, "times.inner")]);
        let bytes = |text: &str| text.len();
        let budget = Budget::tokens(10_000).counter(&bytes);
        let lints = shop(&"Lamps 27. ".repeat(40))
            .prompt()
            .budget(budget)
            .lint();
        assert_eq!(lints.len(), 1);
        assert!(
            lints[0].message.contains("the full text 20:"),
            "{}",
            lints[0]
        );
    }
}

/// {*rules}
/// - {item}
/// {/rules}
/// > {?said}
/// > {*said}{item}{?!last}, {/last}{/said}
/// > {/said}
#[derive(PromptNode)]
struct Hung {
    #[var(hang, untrusted)]
    rules: Vec<&'static str>,
    said: Vec<&'static str>,
}

#[test]
fn what_is_said_of_a_list_is_said_of_its_items() {
    let node = Hung {
        rules: vec!["a\n# b", "c"],
        said: vec!["x\ny"],
    };
    prints(&node, &["- a\n  \\# b\n- c\n> x\n> y"]);

    let file = json!({
        "key": "page", "body": "{*rules}\n- {item.text}\n{/rules}\n{user.name}",
        "vars": { "rules": { "untrusted": true, "hang": true }, "user": { "untrusted": true } },
    });
    let values = json!({ "rules": [{ "text": "a\n# b" }], "user": { "name": "# c" } });
    let node = DynamicNode::from_json_with(&file.to_string(), values).unwrap();
    assert_eq!(node.prompt().text().unwrap(), "- a\n  \\# b\n\\# c");
}

#[test]
fn an_item_with_a_place_of_its_own_has_its_heading_there() {
    let file = json!({ "key": "page", "sections": [
        { "key": "list", "value": "named", "item": "# {item.name}\n\ntext", "item_tag": "one" },
    ] });
    let values = json!({ "named": [{ "name": "x" }] });
    let faults = DynamicNode::from_json_with(&file.to_string(), values).unwrap_err();
    assert_eq!(faults.code(), Code::InvalidValue, "{faults}");
    assert!(
        faults.to_string().contains("stands in `item_title`"),
        "{faults}"
    );
}

#[test]
fn files_deny_what_types_deny() {
    let denied = |rule: &str, section: serde_json::Value| {
        let file = json!({ "key": "page", "deny": [rule], "sections": [
            section, { "key": "manual", "body": "Long.", "cache": true },
        ] });
        let fault = DynamicNode::from_json(&file.to_string()).unwrap_err();
        let faults: Vec<_> = fault
            .iter()
            .map(|fault| (fault.code.as_str(), fault.path.as_str()))
            .collect();
        assert_eq!(faults.len(), 1, "{fault}");
        assert_eq!(faults[0].0, rule);
        assert_eq!(faults[0].1, section["key"].as_str().unwrap());
    };
    denied(
        "naming",
        json!({ "key": "rules", "tag": "OurRules", "body": "a" }),
    );
    denied("generic_name", json!({ "key": "section_3", "body": "a" }));
    denied(
        "long_name",
        json!({ "key": "a_name_of_more_than_thirty_two_letters", "body": "a" }),
    );
    denied(
        "volatile_before_cache",
        json!({ "key": "today", "volatile": true, "body": "a" }),
    );
}

/// A template is dedented like a `body`: the same text prints the same in a type and in a file.
#[test]
fn lines_of_a_template_lose_what_they_share() {
    const TEXT: &str = "\n    # A\n\n    - b {a}\n      - c\n    ";
    #[derive(PromptNode)]
    #[prompt(template = "\n    # A\n\n    - b {a}\n      - c\n    ")]
    struct Own {
        a: u8,
    }
    #[derive(PromptNode)]
    struct Outer {
        #[section(untitled, template = "\n    # A\n\n    - b {a}\n      - c\n    ")]
        own: (),
        a: u8,
    }
    let expected = "# A\n\n- b 1\n  - c";
    prints(&Own { a: 1 }, &[expected]);
    prints(&Outer { own: (), a: 1 }, &[expected]);
    let file = json!({ "key": "own", "body": TEXT });
    let file = DynamicNode::from_json_with(&file.to_string(), json!({ "a": 1 })).unwrap();
    prints(&file, &[expected]);
}

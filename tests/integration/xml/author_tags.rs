//! The author's tags: every tag in an author's words, with values in its name, its attributes and its content, in comments.

use prompt_core::disclosure::Delivery;
use prompt_core::{Budget, Disclosure, DynamicNode, Overrides, PromptNode, Style, ToolCall};
use proptest::prelude::*;
use serde_json::{Value, json};

fn text(body: &str, values: Value) -> String {
    let tree = json!({ "key": "root", "body": body }).to_string();
    let node = DynamicNode::from_json_with(&tree, values.as_object().unwrap()).unwrap();
    node.prompt().text().unwrap()
}

#[test]
fn a_value_in_the_name_of_a_tag_prints_what_a_name_may_hold() {
    for (body, value, printed) in [
        (
            "<document-{v} name=\"{v}\">\n{w}\n</document-{v}>",
            "r1",
            "<document-r1 name=\"r1\">\n&lt;/document-r1>\n</document-r1>",
        ),
        (
            "<document-{v}>\n{w}\n</document-{v}>",
            "r1\"><x é",
            "<document-r1___x___>\n</document-r1>\n</document-r1___x___>",
        ),
        (
            "<{v}>{w}</{v}>",
            "document-r1",
            "<document-r1>&lt;/document-r1></document-r1>",
        ),
        ("<{v}-a>b</{v}-a>", "7 <b>", "<___b_-a>b</___b_-a>"),
        ("<a-{v} />", "1/><b", "<a-1___b />"),
        ("<x_{v}{v}>a</x_{v}{v}>", ">", "<x___>a</x___>"),
    ] {
        let values = json!({ "v": value, "w": "</document-r1>" });
        assert_eq!(text(body, values), printed, "{body}");
    }
    // In a loop each item has its own.
    let body = "{*l as b}\n<box-{b}>{w}</box-{b}>\n{/l}";
    let values = json!({ "l": ["1", "2>"], "w": "</box-1></box-2_></BOX-3>" });
    assert_eq!(
        text(body, values),
        "<box-1>&lt;/box-1>&lt;/box-2_></BOX-3></box-1>\n<box-2_>&lt;/box-1>&lt;/box-2_></BOX-3></box-2_>"
    );
}

#[test]
fn a_tag_that_closes_itself_is_a_tag() {
    let values = || json!({ "v": "\"><b>", "w": "<a/> <photo x> <b>" });
    assert_eq!(
        text("<a id=\"{v}\" />\n{w}", values()),
        "<a id=\"&quot;&gt;&lt;b&gt;\" />\n&lt;a/> <photo x> <b>"
    );
    assert_eq!(
        text("<photo of='{v}'>\n{w}", values()),
        "<photo of='\"&gt;&lt;b&gt;'>\n<a/> &lt;photo x> <b>"
    );
    assert_eq!(
        text("End it.</photo>\n{w}", values()),
        "End it.</photo>\n<a/> &lt;photo x> <b>"
    );
}

#[test]
fn what_is_no_tag_of_the_author_stays() {
    for body in [
        "From {v} <{m}>: {w}",
        "Write to <path>, see <number>. {w}",
        "Vec<T>, a < b, a <{m} {w}",
        "`<a id=\"1\" />` {w}",
        "```\n<a id=\"{m}\" />\n```\n{w}",
    ] {
        let (m, w) = ("ada@x.org", "<a> </path> <number> Vec<u8> 1 < 2 && x > y");
        let expected = body
            .replace("{m}", m)
            .replace("{w}", w)
            .replace("{v}", "Ada");
        let values = json!({ "v": "Ada", "m": m, "w": w });
        let values: serde_json::Map<String, Value> = values
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| body.contains(&format!("{{{name}}}")))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        assert_eq!(text(body, values.into()), expected, "{body}");
    }
}

#[test]
fn no_value_ends_a_comment_of_the_author() {
    for (body, value, printed) in [
        ("<!-- {v} --> x", "a --> b", "<!-- a --&gt; b --> x"),
        ("<!-- {v}> --> x", "a --", "<!-- a -&#45;> --> x"),
        ("<!-- a -{v} --> x", "->", "<!-- a --&gt; --> x"),
        ("<!--{v}--> x", ">", "<!--&gt;--> x"),
        ("<!-- {v} --> x", "--!>", "<!-- --!&gt; --> x"),
        ("<!-- {v}--> x", "-", "<!-- ---> x"),
        ("{v} <!-- a -->", "-->", "--> <!-- a -->"),
        ("`<!-- {v} -->`", "-->", "`<!-- --> -->`"),
    ] {
        assert_eq!(text(body, json!({ "v": value })), printed, "{body}");
    }
}

#[test]
fn a_strict_value_in_a_name_or_comment_is_refused() {
    let of = |body: &str, value: &str| {
        let tree = json!({ "key": "root", "sections": [
            { "key": "a", "untitled": true, "guard": "strict", "body": body }
        ] });
        let values = json!({ "v": value });
        let node = DynamicNode::from_json_with(&tree.to_string(), values.as_object().unwrap());
        node.unwrap()
            .prompt()
            .text()
            .map_err(|error| error.code().as_str())
    };
    assert_eq!(of("<b-{v} />", "1>"), Err("guard_violation"));
    assert_eq!(of("<b-{v} />", "1"), Ok("<b-1 />".to_owned()));
    assert_eq!(of("<!-- {v} -->", "-->"), Err("guard_violation"));
}

/// Pieces of templates: tags with values in front of, in and behind their names, in attributes and contents.
const PIECES: &[&str] = &[
    "<doc-{v} a=\"{w}\">{x}</doc-{v}>",
    "<{v}-doc>{w}</{v}-doc>",
    "<d{v}c b='{x}'>\n{w}\n</d{v}c>",
    "<pic-{v} a=\"{w}\"/>",
    "<doc>{v}{w}</doc>",
    "<!-- {v} {w} END-->",
    "{*l as i}\n<box-{i} n=\"{w}\">{x}</box-{i}>\n{/l}",
    "## Of <b>{w}</b>",
    "- <i-{v}>{x}</i-{v}> {w}",
    "{w}{x}",
    "\n\n",
    " words ",
];

fn hostile() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "<",
        "</",
        ">",
        "/>",
        "/",
        " ",
        "\n",
        "doc",
        "doc-",
        "-doc",
        "d",
        "c",
        "pic",
        "box-",
        "b",
        "i-",
        "a",
        "x",
        "-",
        "--",
        "-->",
        "--!>",
        "\"",
        "'",
        "=",
        "&",
        "é",
        "1",
        "_",
        "</doc>",
        "<pic a=\"",
        "</box-a>",
        "root",
        "</root>",
        "<doc-x a=\"",
    ];
    proptest::collection::vec(proptest::sample::select(PARTS), 1..5)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(256), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_open_close_and_leave_nothing_of_the_author(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..5),
        [v, w, x] in [hostile(), hostile(), hostile()],
        l in proptest::collection::vec(hostile(), 1..3),
        is_xml in any::<bool>(),
    ) {
        let body = pieces.join("\n");
        let tree = json!({ "key": "root", "tag": "root", "body": body }).to_string();
        let style = if is_xml { Style::Xml } else { Style::Markdown };
        let print = |values: Value| {
            let used = values.as_object().unwrap().iter();
            let used = used.filter(|(name, _)| body.contains(&format!("{{{name}}}")) || body.contains(&format!("{{*{name} ")));
            let used: serde_json::Map<_, _> = used.map(|(name, value)| (name.clone(), value.clone())).collect();
            let node = DynamicNode::from_json_with(&tree, used).unwrap();
            node.prompt().style(style).text().unwrap()
        };
        let name = |value: &str| -> String {
            value.bytes().map(|byte| if byte.is_ascii_alphanumeric() || b"_-.".contains(&byte) { char::from(byte) } else { '_' }).collect()
        };
        let quiet: Vec<&str> = l.iter().map(|_| "q").collect();
        let harmless = print(json!({ "v": "q", "w": "q", "x": "q", "l": quiet }));
        let printed = print(json!({ "v": v, "w": w, "x": x, "l": l }));
        // The author's own names, as they are printed.
        let v = name(&v);
        let of_value = [
            ("<doc-q ", format!("doc-{v}")),
            ("<q-doc>", format!("{v}-doc")),
            ("<dqc ", format!("d{v}c")),
            ("<pic-q ", format!("pic-{v}")),
            ("<i-q>", format!("i-{v}")),
            ("<doc>", "doc".into()),
            ("<b>", "b".into()),
        ];
        let of_items = l.iter().map(|item| ("<box-q ", format!("box-{}", name(item))));
        let written = of_value.into_iter().chain(of_items).filter(|(tag, _)| harmless.contains(tag));
        let names: Vec<String> = written.map(|(_, name)| name).chain(["root".into()]).collect();
        let is_own = |name: &str| names.iter().any(|own| own.eq_ignore_ascii_case(name));
        // As a model reads them: what stands in the quotes of another's tag counts.
        let of = |text: &str| {
            let own = text.split('<').skip(1).filter(|rest| {
                let rest = rest.strip_prefix('/').unwrap_or(rest);
                let end = rest.find(|found: char| !(found.is_ascii_alphanumeric() || "_-.".contains(found)));
                let name = &rest[..end.unwrap_or(rest.len())];
                is_own(name) || name.contains('q')
            });
            own.count()
        };
        // What begins with a digit or the like is sanitised in its first byte, too.
        if v.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            prop_assert_eq!(of(&printed), of(&harmless), "{}\n{}", body, printed);
        }
        let comments: Vec<&str> = printed.split("<!--").skip(1).collect();
        prop_assert_eq!(comments.len(), body.matches("<!--").count(), "{}\n{}", body, printed);
        for comment in comments {
            let end = ["-->", "--!>"].into_iter().filter_map(|end| comment.find(end)).min();
            prop_assert!(end.is_some_and(|end| comment[..end].ends_with("END")), "{}\n{}", body, printed);
        }
    }
}

/// {note}
#[derive(PromptNode)]
struct Ship {
    note: &'static str,

    /// <cargo>Tea.</cargo>
    #[section(tag = "hold", visibility = "summary", summary = "Much.", priority = 1)]
    hold: (),

    #[section(priority = 2)]
    crew: Option<Crew>,
}

/// <mate/>
#[derive(PromptNode)]
struct Crew;

#[test]
fn the_tags_of_a_document_are_those_of_its_types() {
    let ship = Ship {
        note: "</cargo><hold><mate></b>",
        hold: (),
        crew: None,
    };
    let note = "&lt;/cargo>&lt;hold>&lt;mate></b>";
    let mut open = Overrides::default();
    open.open("hold");
    let prompt = || ship.prompt();
    for (how, prompt) in [
        ("closed", prompt()),
        ("open", prompt().overrides(&open)),
        ("cut", prompt().budget(Budget::tokens(12))),
        ("beside the focus", prompt().focus("hold")),
    ] {
        let text = prompt.text().unwrap();
        assert!(
            how == "beside the focus" || text.starts_with(note),
            "{how}: {text}"
        );
    }
    for delivery in [Delivery::Append, Delivery::Rerender] {
        let mut turn = Disclosure::new(&ship).delivery(delivery);
        let call = json!({ "section_keys": ["hold"] });
        turn.handle(&[ToolCall::new("1", "open_sections", call)])
            .unwrap();
        assert!(turn.render().unwrap().to_string().starts_with(note));
    }
    let tags: Vec<_> = prompt().tags().names().map(str::to_owned).collect();
    assert_eq!(tags, ["cargo", "hold", "mate"]);
}

/// <file {path}>{text}</file> <b{bold}>
#[derive(PromptNode)]
struct Keyed {
    #[var(some = "path=\"{}\"", default = "none")]
    path: Option<&'static str>,
    #[var(item = "<li n='{item}'>{item}</li>", join = " ")]
    text: Vec<&'static str>,
    bold: &'static str,
}

#[test]
fn values_of_keys_are_written_for_their_place() {
    let keyed = Keyed {
        path: Some("a\"b>"),
        text: vec!["it's", "</li></file>"],
        bold: " x=1",
    };
    assert_eq!(
        keyed.prompt().text().unwrap(),
        "<file path=\"a&quot;b&gt;\"><li n='it&#39;s'>it's</li> \
         <li n='&lt;/li&gt;&lt;/file&gt;'>&lt;/li>&lt;/file></li></file> <b x=1>"
    );
}

#[test]
fn a_name_with_what_is_invisible_in_it_is_that_name() {
    let printed = text(
        "<rules>{x}</rules>",
        json!({ "x": "</ru\u{ad}les> </\u{200b}rules\u{feff}> <ru\u{200b}le>" }),
    );
    assert_eq!(
        printed,
        "<rules>&lt;/ru\u{ad}les> &lt;/\u{200b}rules\u{feff}> <ru\u{200b}le></rules>"
    );
}

#[test]
fn a_part_of_what_is_not_trusted_is_not_trusted() {
    let tree = json!({
        "key": "root",
        "body": "{page}\n{page.title}\n{head}",
        "vars": { "page": { "untrusted": true, "json": true }, "head": { "of": "page.title" } },
    });
    let values = json!({ "page": { "title": "# New" } });
    let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
    let printed = node.prompt().text().unwrap();
    assert!(printed.ends_with("\\# New\n\\# New"), "{printed}");
}

#[test]
fn values_are_written_for_what_is_printed_around_them() {
    for (tree, values, printed) in [
        (
            r#"{"key":"r","body":"<box-{v}>x</box-{v}> <!-- {p} -->"}"#,
            r#"{"v":"1","p":"n"}"#,
            "<box-1>x</box-1> <!-- n -->",
        ),
        (
            r#"{"key":"r","body":"<b/> if a < b then","sections":[{"key":"s","untitled":true,"body":"{p} <b/> <!-- {v} -->"}]}"#,
            r#"{"p":"x","v":"n"}"#,
            "<b/> if a < b then\n\nx <b/> <!-- n -->",
        ),
        (
            r#"{"key":"r","body":"<file path={?dir}{dir}/{/dir}{name}>{text}</file>"}"#,
            r#"{"dir":null,"name":"'a","text":"</file> it's"}"#,
            "<file path=&#39;a>&lt;/file> it's</file>",
        ),
        (
            r#"{"key":"r","body":"<file path={?q}\"{v}\"{else}'{v}'{/q}>x</file>"}"#,
            r#"{"q":false,"v":"a' evil='1"}"#,
            "<file path='a&#39; evil=&#39;1'>x</file>",
        ),
        (
            r#"{"key":"r","body":"<fi{?a} {/a}{v}>x</fi> <file></file>"}"#,
            r#"{"a":false,"v":"le"}"#,
            "&lt;file>x</fi> <file></file>",
        ),
        (
            r#"{"key":"r","body":"<task{?n} {n}{/n}{flags}>x</task> <tasks></tasks>"}"#,
            r#"{"n":null,"flags":"s"}"#,
            "&lt;tasks>x</task> <tasks></tasks>",
        ),
        (
            r#"{"key":"r","body":"<b x={?a}{?c}\"{v}\"{else}'{v}'{/c}{else}{v}{/a}>x</b>"}"#,
            r#"{"a":true,"c":false,"v":"a' on=1"}"#,
            "<b x='a&#39; on=1'>x</b>",
        ),
        (
            r#"{"key":"r","body":"<b x=\"{*v}{item}{?!last}\" y='{/last}{/v}'>x</b>"}"#,
            r#"{"v":["a\" on=1","b' on=1"]}"#,
            "<b x=\"a&quot; on=1\" y='b&#39; on=1'>x</b>",
        ),
        (
            r#"{"key":"r","body":"<file/> <!-- <file {v}> -->"}"#,
            r#"{"v":"--"}"#,
            "<file/> <!-- <file -&#45;> -->",
        ),
        (
            r#"{"key":"r","body":"<task {v}'s notes>x</task>"}"#,
            r#"{"v":"x="}"#,
            "<task x&#61;'s notes>x</task>",
        ),
        (
            r#"{"key":"r","body":"<task {a} {v}>x</task>"}"#,
            r#"{"a":"x=","v":"'w"}"#,
            "<task x&#61; 'w>x</task>",
        ),
        (
            r#"{"key":"r","body":"<task {a}{v}>x</task>"}"#,
            r#"{"a":"x=","v":"'w"}"#,
            "<task x&#61;'w>x</task>",
        ),
        (
            r#"{"key":"r","body":"<b a={p}{v}>{v}</b>"}"#,
            r#"{"p":"","v":"\""}"#,
            "<b a=&quot;>\"</b>",
        ),
        (
            r#"{"key":"r","body":"<row/> see <row {v}","sections":[{"key":"s","untitled":true,"body":"a > b"}]}"#,
            r#"{"v":"x\n> y"}"#,
            "<row/> see &lt;row x\n> y\n\na > b",
        ),
        (
            r#"{"key":"r","body":"<b></b> Say {v}","sections":[{"key":"s","untitled":true,"body":"b is it"}]}"#,
            r#"{"v":"a <"}"#,
            "<b></b> Say a <\n\nb is it",
        ),
        (
            r#"{"key":"r","body":"x <b></b>{list}<!-- {k} z -->","vars":{"list":{"item":"{item}","join":" and "}}}"#,
            r#"{"list":["--><b>"],"k":"K"}"#,
            "x <b></b>-->&lt;b><!-- K z -->",
        ),
        (
            r#"{"key":"r","body":"<t{k}>\n{v}\n</t{k}>"}"#,
            r#"{"k":"","v":"</t>"}"#,
            "<t>\n&lt;/t>\n</t>",
        ),
        (
            r#"{"key":"r","body":"<rules/> <{k} a=\"{v}\"/> <{k}/>"}"#,
            r#"{"k":"a b","v":"\"><rules>&\n"}"#,
            "<rules/> <a_b a=\"&quot;&gt;&lt;rules&gt;&amp;&#10;\"/> <a_b/>",
        ),
        (
            r#"{"key":"r","body":"<{kind}>\n{text}\n</{kind}>\n\nCompare a < {limit} first."}"#,
            r#"{"kind":"fact","text":"</fact>","limit":"3"}"#,
            "<fact>\n&lt;/fact>\n</fact>\n\nCompare a < 3 first.",
        ),
        (
            r#"{"key":"r","body":"<doc {?x}path=\"{x}\"{/x}>{t}</doc>"}"#,
            r#"{"x":"a\"b>\n","t":"</doc>"}"#,
            "<doc path=\"a&quot;b&gt;&#10;\">&lt;/doc></doc>",
        ),
        (
            r#"{"key":"r","body":"<t{?k}-{k}{/k}>{v}</t{?k}-{k}{/k}>"}"#,
            r#"{"k":"q q","v":"</t-q_q>"}"#,
            "<t-q_q>&lt;/t-q_q></t-q_q>",
        ),
    ] {
        let values: Value = serde_json::from_str(values).unwrap();
        let node = DynamicNode::from_json_with(tree, values.as_object().unwrap()).unwrap();
        assert_eq!(node.prompt().text().unwrap(), printed, "{tree}");
    }
}

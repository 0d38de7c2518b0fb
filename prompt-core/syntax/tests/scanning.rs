//! Tags and code in a text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use prompt_syntax::{
    CodeKind, TagKind, code, columns, is_tag_byte, list_marker, snake_case, tag_at, tag_lints, tags,
};

#[test]
fn tags_have_names_and_attributes() {
    let text = "<a\n x='1'\r\n y = \"2>\" z:q=3/4 >";
    let tag = tag_at(text, 0).unwrap();
    assert_eq!(
        (tag.kind, tag.range.clone(), &text[tag.name.clone()]),
        (TagKind::Open, 0..text.len(), "a")
    );
    let attributes = tag
        .attributes
        .iter()
        .map(|one| (&text[one.name.clone()], &text[one.value.clone()], one.quote));
    assert_eq!(
        attributes.collect::<Vec<_>>(),
        [
            ("x", "1", Some('\'')),
            ("y", "2>", Some('"')),
            ("z:q", "3/4", None)
        ]
    );
    for (text, kind) in [
        ("<a>", TagKind::Open),
        ("<a_b.c-d >", TagKind::Open),
        ("</a >", TagKind::Close),
        ("<a/>", TagKind::SelfClosing),
        ("<a x=1/>", TagKind::SelfClosing),
        ("</a/>", TagKind::Malformed),
        ("</a x=1>", TagKind::Malformed),
        ("<a x=\"1>", TagKind::Malformed),
        ("<a x='1' <b>", TagKind::Malformed),
        ("<a x=\"1\" y='", TagKind::Malformed),
    ] {
        assert_eq!(tag_at(text, 0).map(|tag| tag.kind), Some(kind), "{text}");
    }
    for text in [
        "<a",
        "<a b>",
        "<a, b>",
        "<your name here>",
        "<a x=>",
        "<a x= 1>",
        "<a x=1",
        "<a x=\"1\"y=\"2\">",
        "<https://x.y>",
        "< a>",
        "<3>",
        "<=",
        "<",
        "</",
        "<!x>",
        "<é>",
        "a>",
    ] {
        assert_eq!(tag_at(text, 0), None, "{text}");
    }
}

/// The tags of a text, each as it is written.
fn found(text: &str) -> Vec<(TagKind, &str)> {
    tags(text).map(|tag| (tag.kind, &text[tag.range])).collect()
}

#[test]
fn tags_are_found_outside_of_code_and_comments() {
    use TagKind::{
        CData, Close, Comment, Instruction, Malformed, Open, UnclosedCData, UnclosedComment,
    };
    assert_eq!(
        found("<a> <!-- <b> --> <![CDATA[<c>]]> <?d <e> ?> </a>"),
        [
            (Open, "<a>"),
            (Comment, "<!-- <b> -->"),
            (CData, "<![CDATA[<c>]]>"),
            (Instruction, "<?d <e> ?>"),
            (Close, "</a>")
        ]
    );
    assert_eq!(
        found("`<a>` ``<b>`` <c>\n\n```\n<d>\n```\n- ~~~\n  <e>\n  ~~~\n<f>").len(),
        2
    );
    assert_eq!(found("```\n<a>"), [(Open, "<a>")]);
    assert_eq!(
        found("<!-- <a>"),
        [(UnclosedComment, "<!--"), (Open, "<a>")]
    );
    assert_eq!(
        found("<![CDATA[ <a> <![CDATA["),
        [(UnclosedCData, "<![CDATA["), (Open, "<a>")]
    );
    assert_eq!(found("<? <a>"), [(Open, "<a>")]);
    assert_eq!(
        found("<a x=\"1 <b>"),
        [(Malformed, "<a x=\"1 <b>"), (Open, "<b>")]
    );
    assert_eq!(found("a < b `<c>` <d"), []);
}

#[test]
fn code_is_found_where_markdown_finds_it() {
    use CodeKind::{Fence, Indented, Inline};
    let found = |text: &'static str| -> Vec<(CodeKind, &str)> {
        code(text)
            .into_iter()
            .map(|code| (code.kind, &text[code.range]))
            .collect()
    };
    assert_eq!(
        found("a `b\nc` `` ` `` `\n\n`"),
        [(Inline, "`b\nc`"), (Inline, "`` ` ``")]
    );
    assert_eq!(
        found("# `a`\n\\`b` `c`"),
        [(Inline, "`a`"), (Inline, "` `")]
    );
    assert_eq!(
        found("~~~\n`a`\n~~~\n> ```\n> x\n\n    y\n\n    z\n"),
        [
            (Fence { is_closed: true }, "~~~\n`a`\n~~~"),
            (Fence { is_closed: false }, "> ```\n> x"),
            (Indented, "    y\n\n    z")
        ]
    );
    assert_eq!(found("- a\n\n      `b`\n"), [(Indented, "      `b`")]);
    assert_eq!(found("a\n    `b`"), [(Inline, "`b`")]);
    assert_eq!(found(""), []);
}

#[test]
fn names_of_tags() {
    assert_eq!(snake_case("HTTPHeaders-2.x"), "http_headers_2_x");
    assert_eq!(tag_lints("rules"), []);
    let codes = |name: &str| {
        tag_lints(name)
            .iter()
            .map(|(code, _)| code.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes("Section-3"), ["naming", "generic_name"]);
    assert_eq!(codes("box_3"), [""; 0]);
    assert_eq!(codes("xmlData"), ["naming"]);
    assert_eq!(codes(&"a".repeat(33)), ["long_name"]);
    assert!(is_tag_byte(b'-') && !is_tag_byte(b':'));
}

#[test]
fn lines() {
    assert_eq!(
        ["- a", "* ", "+", "12) a", "1.\tx"].map(list_marker),
        [Some(1), Some(1), Some(1), Some(3), Some(2)]
    );
    assert_eq!(["-a", "1234567890. a", "a", ""].map(list_marker), [None; 4]);
    assert_eq!(["", " \t", "\t\t", "   \t"].map(columns), [0, 4, 8, 4]);
}

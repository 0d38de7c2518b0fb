//! Tags: the cases and properties of validation.

use prompt_core::xml;
use prompt_core::xml::TagError;
use prompt_core::xml::TagErrorKind;
use proptest::prelude::*;
use serde_json::Value;

fn cases(group: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../../cases/xml.json")).unwrap();
    all[group].as_array().unwrap().clone()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn validated(case: &Value) -> Vec<TagError> {
    let known: Vec<&str> = case["known"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let result = match text(case, "mode") {
        "known" => xml::validate_known(text(case, "text"), known),
        _ => xml::validate(text(case, "text")),
    };
    result.err().into_iter().flatten().collect()
}

#[test]
fn validation_cases() {
    for case in cases("validate") {
        let id = text(&case, "id");
        let (errors, expected) = (validated(&case), &case["expected"]);
        assert_eq!(
            errors.is_empty(),
            expected["ok"].as_bool().unwrap(),
            "{id}: {errors:?}"
        );
        let (Some(error), Some(first)) = (errors.first(), expected["first_error"].as_object())
        else {
            continue;
        };
        assert_eq!(error.kind.as_str(), first["kind"], "{id}");
        assert_eq!(error.tag, first["tag"], "{id}");
        assert_eq!(
            (error.line, error.column),
            (place(&first["line"]), place(&first["column"])),
            "{id}"
        );
        if let Some(name) = first.get("expected_close") {
            assert_eq!(error.expected.as_deref(), name.as_str(), "{id}");
        }
    }
}

fn place(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// `(kind, line, column, tag, expected)` of every error.
fn errors(text: &str) -> Vec<(TagErrorKind, usize, usize, String, Option<String>)> {
    let errors = xml::validate(text).err().into_iter().flatten();
    errors
        .map(|error| {
            (
                error.kind,
                error.line,
                error.column,
                error.tag,
                error.expected,
            )
        })
        .collect()
}

fn error(
    kind: TagErrorKind,
    line: usize,
    column: usize,
    tag: &str,
    expected: &str,
) -> Vec<ErrorTuple> {
    let expected = (!expected.is_empty()).then(|| expected.to_owned());
    vec![(kind, line, column, tag.to_owned(), expected)]
}

type ErrorTuple = (TagErrorKind, usize, usize, String, Option<String>);

#[test]
fn every_kind_is_found_with_its_place() {
    use TagErrorKind::*;
    for (text, expected) in [
        ("é <a>\nb</c>", error(Mismatched, 2, 2, "c", "a")),
        ("日本</a>", error(UnexpectedClose, 1, 3, "a", "")),
        ("x\n  <a><b></b>", error(Unclosed, 2, 3, "a", "a")),
        (
            "<Rules>x</rules>",
            error(CaseMismatch, 1, 9, "rules", "Rules"),
        ),
        ("a <!-- b", error(UnclosedComment, 1, 3, "!--", "-->")),
        (
            "a <!-- b <!-- c",
            error(UnclosedComment, 1, 3, "!--", "-->"),
        ),
        (
            "a\r\n<![CDATA[ b",
            error(UnclosedCdata, 2, 1, "![CDATA[", "]]>"),
        ),
        ("<a x=\"1>y</a>", error(MalformedTag, 1, 1, "a", "")),
        (
            "<a x=\"1\" <b>y</b></a>",
            error(MalformedTag, 1, 1, "a", ""),
        ),
        ("<a>y</a x=1>", error(MalformedTag, 1, 5, "a", "")),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn all_errors_come_out_in_text_order() {
    use TagErrorKind::*;
    let found = errors("<a><b>\n</x></y>\n<c></C>");
    let kinds: Vec<_> = found
        .iter()
        .map(|error| (error.0, error.3.as_str()))
        .collect();
    // `b` was named by the two mismatches; `a` was not.
    assert_eq!(
        kinds,
        [
            (Unclosed, "a"),
            (Mismatched, "x"),
            (Mismatched, "y"),
            (CaseMismatch, "C")
        ]
    );
    let unclosed = errors("<a>\n<b>\n<c>");
    assert_eq!(
        unclosed
            .iter()
            .map(|error| error.3.as_str())
            .collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
}

#[test]
fn false_alarms() {
    for text in [
        "<a>`</b>` and ``<c> ` </d>``</a>",
        "<a><!-- </b> --><?php <c> ?><![CDATA[</d>]]></a>",
        "<a>\n  ```xml\n  </b>\n  ```\n</a>",
        "<a>\n      ~~~\n</b>\n\n      ~~~\n</a>",
        "one ` tick\n\n<a>\n\ntwo ` tick\n\n</a>",
        "<a>a ` b</a>",
        "<a>\n````\n```\n</a>",
        "iter.collect::<Vec<_>>() Vec::<T>::new() fn f<T>(x: T) -> Vec<T>",
        "if a<b and c>d, i <n && k> 3, a<=b, x <- y, <3, <>, </>, < a >",
        "mail <me@x.org>, see <https://x.org/a>, <!DOCTYPE html>, <your name>",
        "word<b>bold</b> <br/> <hr /> <img src=\"a>b\" />",
        "Vec<T> <b>T</b> Box<U>",
    ] {
        assert_eq!(errors(text), [], "{text}");
    }
}

#[test]
fn errors_are_walked_and_their_kinds_named() {
    let errors = xml::validate("</a><b>").unwrap_err();
    let kinds: Vec<String> = (&errors)
        .into_iter()
        .map(|error| error.kind.to_string())
        .collect();
    assert_eq!(kinds, ["unexpected_close", "unclosed"]);
}

#[test]
fn regions_end_where_they_end() {
    for text in [
        "<a><!-- x --></a>",
        "<a><![CDATA[<b>]]></a>",
        "~~~\n<a>\n   ~~~",
        "   ~~~\n<a>\n~~~",
        // A backslash takes one backtick, not the run.
        "\\``<a>`",
        "`x` \\``<a>`",
        "\\```<a>``",
    ] {
        assert_eq!(errors(text), [], "{text:?}");
    }
    for text in [
        "<!-- x --><a>",
        "~~~\n<a>\n    ~~~",
        "\\`<a>`",
        "\\``<a>``",
        "``<a>`",
    ] {
        assert_eq!(errors(text).len(), 1, "{text:?}");
    }
}

#[test]
fn a_glued_tag_counts_if_its_close_follows() {
    use TagErrorKind::*;
    assert_eq!(
        errors("word<b>bold</i></b>"),
        error(UnexpectedClose, 1, 12, "i", "")
    );
    assert_eq!(errors("<a>word<b>x<c></b></c></a>")[0].0, Mismatched);
    assert_eq!(errors("word<b x=1>"), error(Unclosed, 1, 5, "b", "b"));
}

#[test]
fn known_names_skip_nothing() {
    let known = |text: &str| {
        xml::validate_known(text, ["a", "b"])
            .err()
            .map(|errors| errors.errors()[0].kind)
    };
    assert_eq!(known("<a>` </b> `</a>"), Some(TagErrorKind::Mismatched));
    assert_eq!(
        known("<a><!-- </b> --></a>"),
        Some(TagErrorKind::Mismatched)
    );
    assert_eq!(known("<a><c><!-- <![CDATA[ ``` </a><b></b>"), None);
    assert_eq!(known("x<a>"), Some(TagErrorKind::Unclosed));
    assert_eq!(known("<a></A>"), Some(TagErrorKind::CaseMismatch));
    assert_eq!(known("<a><A></a></C>"), None);
}

#[test]
fn words_in_a_known_tag_count_if_its_close_follows() {
    let known = |text: &str| {
        xml::validate_known(text, ["Task", "file"])
            .err()
            .map(|errors| errors.errors()[0].kind)
    };
    assert_eq!(known("<Task ID 17>x</Task>"), None);
    assert_eq!(
        known("<Task ID 17>x<Task a=\">\" of it>y</Task></Task>"),
        None
    );
    assert_eq!(known("<file path=a b.md><Task ID 1/></file>"), None);
    assert_eq!(known("<Task ID 17>x</Task ID 17>"), None);
    // A placeholder that nobody closes, and a close that nothing opened.
    assert_eq!(known("Write <Task ID and number>."), None);
    assert_eq!(
        known("<file a, b></Task>"),
        Some(TagErrorKind::UnexpectedClose)
    );
    // Of any text, that is no tag.
    assert_eq!(
        errors("<Task ID 17>x</Task>")[0].0,
        TagErrorKind::UnexpectedClose
    );
}

#[test]
fn quotes_in_a_tag_with_words_open_behind_an_equals_sign() {
    let is_known = |text| xml::validate_known(text, ["rules"]).is_ok();
    assert!(is_known("<rules a b=\"<\" c>y</rules>"));
    assert!(is_known("<rules it's b>y</rules>"));
    // Behind a stray quote none is looked at.
    assert!(!is_known("<rules it's b=\"<\" c>y</rules>"));
}

#[test]
fn errors_print_one_line_each() {
    let errors = xml::validate("<a>\n</b>\n</C x=\"1\">").unwrap_err();
    assert_eq!(
        errors.to_string(),
        "line 2, column 1: `</b>` where `</a>` was expected\nline 3, column 1: the tag `C` is not well formed"
    );
    assert_eq!(
        serde_json::to_value(&errors).unwrap()[0]["kind"],
        "mismatched"
    );
}

const NAMES: [&str; 3] = ["rules", "user_input", "a"];

/// Texts of whole and broken tags, skipped regions, and anything.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "<",
        "</",
        ">",
        "/>",
        " ",
        "\n",
        "\n\n",
        "<rules>",
        "</rules>",
        "<a x=\"1\">",
        "</a>",
        "</A>",
        "user_input",
        "=",
        "\"",
        "'",
        "<a x='",
        "`",
        "``",
        "\n```\n",
        "\n~~~ x\n",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "Vec",
        "::",
        "\\",
        "é",
        "日本",
    ];
    let piece = prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: prompt_tests::random_cases(2_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn validation_takes_any_text(text in texts()) {
        for error in xml::validate(&text).err().into_iter().chain(xml::validate_known(&text, NAMES).err()).flatten() {
            let line = text.split('\n').nth(error.line - 1).unwrap();
            prop_assert!(line.chars().nth(error.column - 1) == Some('<'), "{error:?}");
            prop_assert!(text[error.offset..].starts_with('<'));
        }
    }

    #[test]
    fn balanced_trees_are_valid(tags in proptest::collection::vec((0..3_usize, any::<bool>()), 1..30)) {
        let (mut text, mut open) = (String::new(), Vec::new());
        for (tag, closes) in tags {
            if closes && let Some(name) = open.pop() {
                text.extend(["</", name, ">"]);
            } else {
                text.extend([" <", NAMES[tag], ">"]);
                open.push(NAMES[tag]);
            }
        }
        open.iter().rev().for_each(|name| text.extend(["</", name, ">"]));
        prop_assert!(xml::validate(&text).is_ok());
        let last = text.rfind("</").unwrap();
        prop_assert!(xml::validate(&text[..last]).is_err());
        prop_assert!(xml::validate_known(&text[..last], NAMES).is_err());
    }
}

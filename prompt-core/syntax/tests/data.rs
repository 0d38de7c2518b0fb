//! Elements as data.

mod support;

use prompt_syntax::{Element, Elements, Options, Place, parse, parse_free};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::texts::{all_texts, options, places};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn data_gives_the_list_back(text in all_texts(), place in places()) {
        let list = parse(&text, &options(place)).elements;
        let written = serde_json::to_string(&list).unwrap();
        let read: Elements = serde_json::from_str(&written)
            .map_err(|error| TestCaseError::fail(format!("{error}: {written}")))?;
        prop_assert_eq!(read, list, "{}", written);
    }
}

fn read(text: &str) -> Elements {
    parse_free(text, &Options::new(Place::Free)).elements
}

fn round_trip(list: &Elements) -> Elements {
    serde_json::from_value(serde_json::to_value(list).unwrap()).unwrap()
}

#[test]
fn parse_cases_as_data() {
    support::run_all("parse", |case| {
        let text = case["text"].as_str().unwrap();
        if case["expected"]["elements"].is_null() {
            return Ok(());
        }
        let list = read(text);
        let written = serde_json::to_value(&list).unwrap();
        let same = written == case["expected"]["elements"] && round_trip(&list) == list;
        same.then_some(()).ok_or(written.to_string())
    });
}

#[test]
fn shift_cases() {
    support::run_all("shift", |case| {
        let list: Elements = serde_json::from_value(case["elements"].clone()).unwrap();
        let level = u8::try_from(case["base_level"].as_u64().unwrap()).unwrap();
        let moved = list.clone().embed_at(level);
        let written = serde_json::to_value(&moved).unwrap();
        let same = written == case["expected"] && moved.embed_at(list.top()) == list;
        same.then_some(()).ok_or(written.to_string())
    });
}

#[test]
fn conditions_are_written_as_their_source() {
    for text in [
        "{?x}## B {?y}z{/y}\n\n{?x}text\n- {?!a.b}c",
        "A.\n\n{?x}\n## B\n\nC.\n  {else}\n\n```sh\nz\n```\n{/x}\n\nD.",
        "a\n \n## B\n\n{PROMPT_SUBTREE}",
    ] {
        let list = read(text);
        assert_eq!(list.to_markdown(), text);
        let written = serde_json::to_string(&list).unwrap();
        assert!(!written.contains("pieces"), "{written}");
        assert_eq!(round_trip(&list), list, "{written}");
    }
    let title = json!({"type": "title", "level": 2, "content": "B", "conditions": "{?x}"});
    assert_eq!(
        serde_json::to_value(read("{?x}## B").get(0)).unwrap(),
        title
    );
}

#[test]
fn pieces_are_written_where_the_text_alone_does_not_tell() {
    let options = Options {
        names: &["x"],
        ..Options::new(Place::Node)
    };
    let list = parse("`{x}`{y}\n\n`{?x}a{/x}`\n{?x}", &options).elements;
    assert_eq!(round_trip(&list), list);
    let written = serde_json::to_value(&list).unwrap();
    assert!(written[0]["pieces"].is_array());
}

#[test]
fn what_is_no_element_is_refused() {
    for (data, error) in [
        (
            json!({"type": "title", "level": 0, "content": "x"}),
            "levels count from 1",
        ),
        (
            json!({"type": "title", "level": 1, "content": "a\nb"}),
            "one line",
        ),
        (
            json!({"type": "text", "content": "{a", "pieces": [{"literal": "b"}]}),
            "the pieces print",
        ),
        (json!({"type": "text", "content": "x {?a}y"}), "never ends"),
        (
            json!({"type": "code", "content": "a\n```\nb"}),
            "one code block",
        ),
    ] {
        let found = serde_json::from_value::<Element>(data.clone())
            .unwrap_err()
            .to_string();
        assert!(found.contains(error), "{data}: {found}");
    }
    assert!(serde_json::from_value::<Elements>(Value::Null).is_err());
}

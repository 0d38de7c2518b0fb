//! The numbers behind names.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use prompt_syntax::{
    Element, Elements, Inline, InlineText, Options, Origin, Place, Special, Tables, Target, Text,
    Used, parse,
};

fn read(text: &str, place: Place) -> Elements {
    let options = Options {
        names: &["team", "item", "index", "rules", "title", "file"],
        sections: &["part", "rest"],
        ..Options::new(place)
    };
    parse(text, &options).elements
}

fn shown(used: &[Used]) -> Vec<(String, Origin)> {
    used.iter()
        .map(|used| (used.to_string(), used.origin))
        .collect()
}

const NODE: Origin = Origin::Node { item: 0 };

#[test]
fn equal_values_are_one_entry_over_all_texts() {
    let mut tables = Tables::new(&[]);
    tables.text(
        read("{team} {team:>8} {team.name} {team}", Place::Node),
        &[],
        0,
    );
    tables.text(read("{team.name}{?team}x{/team}", Place::Inline), &[], 0);
    let expected = ["team", "team:>8", "team.name"].map(|name| (name.to_owned(), NODE));
    assert_eq!(shown(tables.values()), expected);
    assert_eq!(shown(tables.conditions()), [("team".to_owned(), NODE)]);
    let used = tables.values()[2].clone();
    assert_eq!(tables.value(used), 2);
    let fresh = Used {
        name: "file".to_owned(),
        path: Vec::new(),
        spec: None,
        origin: NODE,
    };
    assert_eq!((tables.value(fresh.clone()), tables.value(fresh)), (3, 3));
}

#[test]
fn names_in_loops_belong_to_these() {
    let mut tables = Tables::new(&[]);
    let text = "{index} {*rules as rule}{rule}{item.a}{index}{*rule.parts}{item}{rule}{index0}{?last}x{/last}\
                {else}{item}{/rule.parts}{/rules} {item}";
    tables.text(read(text, Place::Node), &[], 0);
    let values = [
        ("index", NODE),
        ("rule", Origin::Item(0)),
        ("item.a", Origin::Item(0)),
        ("index", Origin::Index(0)),
        ("item", Origin::Item(1)),
        ("index0", Origin::Index0(1)),
        ("item", Origin::Item(0)),
        ("item", NODE),
    ];
    let values = values.map(|(name, origin)| (name.to_owned(), origin));
    assert_eq!(shown(tables.values()), values);
    assert_eq!(
        shown(tables.conditions()),
        [("last".to_owned(), Origin::Last(1))]
    );
    let loops: Vec<_> = tables
        .loops()
        .iter()
        .map(|looped| {
            let list = (looped.list.to_string(), looped.list.origin);
            (list, looped.alias.as_str(), looped.outer)
        })
        .collect();
    let outer = ("rules".to_owned(), NODE);
    let inner = ("rule.parts".to_owned(), Origin::Item(0));
    assert_eq!(loops, [(outer, "rule", None), (inner, "item", Some(0))]);
}

#[test]
fn templates_have_names_of_their_own() {
    let mut tables = Tables::new(&[]);
    let list = read("{index}. {item.name} of {team}, {title}", Place::Inline);
    let text = tables.text(list, &[Special::Title], 3);
    let item = Origin::Node { item: 3 };
    let values = [("index", item), ("item.name", item), ("team", NODE)];
    let values = values.map(|(name, origin)| (name.to_owned(), origin));
    assert_eq!(shown(tables.values()), values);
    let Element::Text { text, .. } = &text.elements[0] else {
        unreachable!("a template is one text");
    };
    assert_eq!(
        text.iter().next_back(),
        Some(&Inline::Special(Special::Title))
    );
}

const B: InlineText = InlineText::new(const { &[Inline::literal("B")] });
const STATIC: Text = Text::new(const { &[Element::title(3, B), Element::slot("part", 4)] });

#[test]
fn slots_and_levels() {
    let mut tables = Tables::new(&["part", "rest"]);
    let text = "## A\n\n{rest}\n\n{?team}\n### B\n{else}\n#### C\n{/team}\n\n{PROMPT_SUBTREE}";
    let text = tables.text(read(text, Place::Node), &[], 0);
    assert_eq!((text.base, text.end), (2, 5));
    let Element::Slot { target, .. } = &text.elements[1] else {
        unreachable!("the second element is a slot");
    };
    assert_eq!(*target, Target::Section(1));
    assert_eq!((Text::EMPTY.base, Text::EMPTY.end), (1, 1));
    assert_eq!((STATIC.base, STATIC.end), (3, 4));
}

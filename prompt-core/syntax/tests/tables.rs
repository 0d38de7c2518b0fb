//! The numbers behind names.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use prompt_syntax::{
    Context, Element, Elements, Inline, InlineText, Loop, Options, Origin, Place, Special, Tables,
    Target, Text, Used, parse,
    wording::{ListWording, Wording, Wordings},
};
use std::collections::BTreeMap;

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

const NODE: Origin = Origin::Node;

#[test]
fn equal_values_are_one_entry_over_all_texts() {
    let mut tables = Tables::new(&[]);
    tables.text(
        read("{team} {team:>8} {team.name} {team}", Place::Node),
        &Context::default(),
    );
    tables.text(
        read("{team.name}{?team}x{/team}", Place::Inline),
        &Context::default(),
    );
    let expected = ["team", "team:>8", "team.name"].map(|name| (name.to_owned(), NODE));
    assert_eq!(shown(tables.values()), expected);
    assert_eq!(shown(tables.conditions()), [("team".to_owned(), NODE)]);
    let used = tables.values()[2].clone();
    assert_eq!(tables.value(used), 2);
    let fresh = Used {
        name: "file".to_owned(),
        path: Vec::new(),
        spec: None,
        is_presence: false,
        is_inner: false,
        origin: NODE,
    };
    assert_eq!((tables.value(fresh.clone()), tables.value(fresh)), (3, 3));
}

/// Values of which some are worded.
struct Words(BTreeMap<&'static str, Wording>);

impl Wordings for Words {
    fn of(&self, used: &Used) -> Option<&Wording> {
        self.0.get(used.name.as_str())
    }
}

fn used(name: &str) -> Used {
    Used {
        name: name.to_owned(),
        path: Vec::new(),
        spec: None,
        is_presence: false,
        is_inner: false,
        origin: NODE,
    }
}

fn template(text: &str) -> Elements {
    read(text, Place::Template)
}

#[test]
fn what_is_worded_is_a_condition_or_a_loop() {
    let rules = Wording {
        list: Some(ListWording {
            item: Some(template("{index}. {item} ({team})")),
            join: "; ".into(),
            last: Some(" and ".into()),
        }),
        default: Some(template("none")),
        ..Wording::default()
    };
    let team = Wording {
        some: Some(template("<{}>")),
        ..Wording::default()
    };
    let words = Words(BTreeMap::from([("rules", rules), ("team", team)]));
    let context = Context {
        wordings: Some(&words),
        ..Context::default()
    };
    let mut tables = Tables::new(&[]);
    // An item that is called like a value is no value.
    let source = "{rules} {*rules as team}{team}{/rules}";
    let text = tables.text(read(source, Place::Node), &context);
    assert_eq!(
        text.elements[..],
        *read(source, Place::Node).iter().as_slice()
    );
    let worded = tables.worded().iter().map(|(number, pieces)| {
        let pieces: String = pieces.iter().map(ToString::to_string).collect();
        (
            shown(tables.values())[usize::from(*number)].0.clone(),
            pieces,
        )
    });
    let expected = [
        ("team", "{?team}<{team}>"),
        (
            "rules",
            "{?rules}{*rules}{index}. {item} ({team}){else}none",
        ),
    ];
    let expected = expected.map(|(name, pieces)| (name.to_owned(), pieces.to_owned()));
    assert_eq!(worded.collect::<Vec<_>>(), expected);
    let asked = tables
        .conditions()
        .iter()
        .map(|it| (it.to_string(), it.is_presence));
    let asked: Vec<_> = asked.collect();
    let presence = |name: &str| (name.to_owned(), true);
    assert_eq!(asked, [presence("team"), presence("rules")]);
    let loops: Vec<&Loop> = tables.loops().iter().collect();
    assert_eq!(
        (loops.len(), loops[0].outer, &*loops[1].alias),
        (2, None, "team")
    );
    assert!(tables.faults().is_empty());
}

#[test]
fn what_prints_itself_is_told_once() {
    let prints = |text| Wording {
        some: Some(template(text)),
        ..Wording::default()
    };
    let words = Words(BTreeMap::from([
        ("rules", prints("{team} {}")),
        ("team", prints("{} {rules}")),
    ]));
    let context = Context {
        wordings: Some(&words),
        ..Context::default()
    };
    let mut tables = Tables::new(&[]);
    tables.text(read("{rules} {rules}", Place::Node), &context);
    let faults = tables.faults();
    let facts: Vec<_> = faults
        .iter()
        .map(|(name, fault)| (&**name, &*fault.message))
        .collect();
    assert_eq!(
        facts,
        [("team", "`team` prints `rules`, which prints it again")]
    );
}

/// Values that print each other many times over are worded once each.
#[test]
fn what_is_named_often_is_worded_once() {
    const NAMES: [&str; 6] = ["team", "item", "index", "rules", "title", "file"];
    let mut words = BTreeMap::new();
    for names in NAMES.windows(2) {
        let text = format!("{{{}}}", names[1]).repeat(20);
        let wording = Wording {
            default: Some(template(&text)),
            ..Wording::default()
        };
        words.insert(names[0], wording);
    }
    let words = Words(words);
    let context = Context {
        wordings: Some(&words),
        ..Context::default()
    };
    let mut tables = Tables::new(&[]);
    tables.text(read("{team}", Place::Node), &context);
    assert_eq!((tables.worded().len(), tables.problem()), (5, None));
}

/// Values of which each prints the next one.
struct Chain(BTreeMap<String, Wording>);

impl Wordings for Chain {
    fn of(&self, used: &Used) -> Option<&Wording> {
        self.0.get(&used.name)
    }
}

/// A value that prints through many others is a fault, in whatever order they are named.
#[test]
fn what_prints_through_many_others_is_told() {
    let names: Vec<String> = (0..70).map(|number| format!("v{number}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let read = |text: &str, place| {
        let options = Options {
            names: &all,
            ..Options::new(place)
        };
        parse(text, &options).elements
    };
    let wording = |next: &String| Wording {
        some: Some(read(&format!("{{{next}}}{{}}"), Place::Template)),
        ..Wording::default()
    };
    let chain = names.iter().zip(&names[1..]);
    let chain = Chain(
        chain
            .map(|(name, next)| (name.clone(), wording(next)))
            .collect(),
    );
    let context = Context {
        wordings: Some(&chain),
        ..Context::default()
    };
    let backwards = format!(
        "{{{}}}",
        all.iter().rev().copied().collect::<Vec<_>>().join("}{")
    );
    for text in ["{v0}", &backwards] {
        let mut tables = Tables::new(&[]);
        tables.text(read(text, Place::Node), &context);
        let (name, fault) = &tables.faults()[0];
        assert!(
            fault.message.contains("more than 16 other values"),
            "{name}: {fault:?}"
        );
    }
}

#[test]
fn names_in_loops_belong_to_these() {
    let mut tables = Tables::new(&[]);
    let text = "{index} {*rules as rule}{rule}{item.a}{index}{*rule.parts}{item}{rule}{index0}{?last}x{/last}\
                {else}{item}{/rule.parts}{/rules} {item}";
    tables.text(read(text, Place::Node), &Context::default());
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
fn texts_about_an_item_know_it() {
    let mut tables = Tables::new(&[]);
    let list = read("{index}. {item.name} of {team}, {title}", Place::Inline);
    let rules = tables.value(used("rules"));
    let rules = tables.list(tables.values()[usize::from(rules)].clone());
    let context = Context {
        specials: &[Special::Title],
        list: Some(rules),
        ..Context::default()
    };
    let text = tables.text(list, &context);
    let values = [
        ("rules", NODE),
        ("index", Origin::Index(rules)),
        ("item.name", Origin::Item(rules)),
        ("team", NODE),
    ];
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
    let text = tables.text(read(text, Place::Node), &Context::default());
    assert_eq!((text.base, text.end), (2, 5));
    let Element::Slot { target, .. } = &text.elements[1] else {
        unreachable!("the second element is a slot");
    };
    assert_eq!(*target, Target::Section(1));
    assert_eq!((Text::EMPTY.base, Text::EMPTY.end), (1, 1));
    assert_eq!((STATIC.base, STATIC.end), (3, 4));
}

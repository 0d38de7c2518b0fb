//! `static_prefix`: the first byte whose presence or content depends on a value.

use prompt_core::{DynamicNode, Markdown, PromptNode, Style};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Renders all values: they must agree on the prefix, and share it to the byte.
#[track_caller]
fn prefix<N: PromptNode>(values: &[N], expected: &str) {
    for node in values {
        let rendered = node.prompt().render().unwrap();
        assert_eq!(
            &rendered.as_str()[..rendered.static_prefix()],
            expected,
            "of {:?}",
            rendered.as_str()
        );
    }
}

#[test]
fn a_text_without_values_is_static() {
    /// # Title
    /// Text.
    #[derive(PromptNode)]
    struct Fixed {
        /// Intro.
        #[section]
        a: (),
        #[section]
        b: Leaf,
    }
    /// Leaf.
    #[derive(PromptNode)]
    struct Leaf;
    let fixed = Fixed { a: (), b: Leaf };
    prefix(
        &[&fixed],
        "# Title\nText.\n\n## A\n\nIntro.\n\n## B\n\nLeaf.",
    );
}

#[test]
fn a_variable_ends_it() {
    /// Hello {name}.
    #[derive(PromptNode)]
    struct Name {
        name: &'static str,
    }
    prefix(&[Name { name: "a" }, Name { name: "" }], "Hello ");
}

#[test]
fn a_paragraph_that_may_be_empty_ends_it_before_its_gap() {
    /// Hello.
    ///
    /// {note}
    ///
    /// End.
    #[derive(PromptNode)]
    struct Note {
        note: &'static str,
    }
    prefix(&[Note { note: "a" }, Note { note: "" }], "Hello.");
}

#[test]
fn options_conditions_and_lists_end_it() {
    /// Head.
    #[derive(PromptNode)]
    struct Parts {
        #[section]
        fixed: (),
        #[section]
        option: Option<&'static str>,
    }
    prefix(
        &[
            Parts {
                fixed: (),
                option: None,
            },
            Parts {
                fixed: (),
                option: Some("x"),
            },
        ],
        "Head.\n\n# Fixed",
    );

    /// Head.
    #[derive(PromptNode)]
    struct When {
        #[section(when = self.on)]
        part: (),
        /// Tail.
        #[section(untitled)]
        tail: (),
        on: bool,
    }
    prefix(
        &[true, false].map(|on| When {
            part: (),
            tail: (),
            on,
        }),
        "Head.",
    );

    /// Head.
    #[derive(PromptNode)]
    struct List {
        #[section]
        list: Vec<&'static str>,
    }
    prefix(&[List { list: vec![] }, List { list: vec!["x"] }], "Head.");

    /// Head.
    #[derive(PromptNode)]
    struct Text {
        #[section(empty = "None.")]
        text: Markdown,
    }
    prefix(
        &[Text { text: "".into() }, Text { text: "x".into() }],
        "Head.",
    );
}

#[test]
fn enums_end_it() {
    #[derive(PromptNode)]
    enum Mode {
        /// Quiet.
        Quiet,
        /// Quite loud.
        #[prompt(title = "Other")]
        Loud,
    }
    /// Head.
    #[derive(PromptNode)]
    struct Modes {
        #[section]
        mode: Mode,
    }
    prefix(
        &[Modes { mode: Mode::Quiet }, Modes { mode: Mode::Loud }],
        "Head.",
    );
    prefix(&[Mode::Quiet, Mode::Loud], "");

    #[derive(PromptNode)]
    enum Single {
        /// Only {number}.
        #[prompt(vars(number = _0))]
        Only(u8),
    }
    prefix(&[Single::Only(1)], "Only ");
}

#[test]
fn guards_end_it_before_what_goes_with_the_line() {
    /// A
    /// {?on}B
    #[derive(PromptNode)]
    struct Last {
        on: bool,
    }
    prefix(&[true, false].map(|on| Last { on }), "A");

    /// A
    ///
    /// {?on}B
    ///
    /// C
    #[derive(PromptNode)]
    struct Middle {
        on: bool,
    }
    prefix(&[true, false].map(|on| Middle { on }), "A");

    /// - A
    /// - {?on}B
    /// - C
    #[derive(PromptNode)]
    struct List {
        on: bool,
    }
    for on in [true, false] {
        let rendered = List { on }.prompt().render().unwrap();
        assert!(
            rendered.static_prefix() <= "- A\n- ".len() && rendered.static_prefix() >= "- A".len()
        );
    }
}

#[test]
fn headings_that_may_go_end_it_before_them() {
    /// Head.
    ///
    /// # Maybe
    ///
    /// ## Inner
    ///
    /// {slot}
    ///
    /// # Next
    #[derive(PromptNode)]
    struct Slots {
        #[section(untitled)]
        slot: Option<&'static str>,
    }
    prefix(&[Slots { slot: None }, Slots { slot: Some("x") }], "Head.");

    /// Head.
    ///
    /// # Surely
    ///
    /// {slot}
    #[derive(PromptNode)]
    struct Sure {
        /// Always {n}.
        #[section(untitled)]
        slot: (),
        n: u8,
    }
    prefix(
        &[Sure { slot: (), n: 1 }, Sure { slot: (), n: 2 }],
        "Head.\n\n# Surely\n\nAlways ",
    );
}

#[test]
fn tags_that_may_go_end_it_before_them() {
    #[derive(PromptNode)]
    struct Outer {
        /// Head.
        #[section(untitled)]
        head: (),
        #[section(tag = "inner")]
        inner: Inner,
    }
    #[derive(PromptNode)]
    struct Inner {
        #[section(tag = "leaf")]
        leaf: Option<&'static str>,
    }
    let both = [None, Some("x")].map(|leaf| Outer {
        head: (),
        inner: Inner { leaf },
    });
    prefix(&both, "Head.");
    for outer in &both {
        let rendered = outer.prompt().style(Style::Xml).render().unwrap();
        assert_eq!(rendered.static_prefix(), "Head.".len(), "{rendered}");
    }
}

#[test]
fn titles_headings_and_attributes_with_values_end_it() {
    /// Head.
    #[derive(PromptNode)]
    struct Titled {
        #[section(title = "Part {n}")]
        part: (),
        n: u8,
    }
    prefix(
        &[Titled { part: (), n: 1 }, Titled { part: (), n: 2 }],
        "Head.\n\n# ",
    );

    /// Head.
    #[derive(PromptNode)]
    struct Named {
        #[section(title = "{name}")]
        part: (),
        name: &'static str,
    }
    prefix(
        &["One", "Two"].map(|name| Named { part: (), name }),
        "Head.",
    );
    prefix(&["One", " "].map(|name| Named { part: (), name }), "Head.");

    /// Head.
    #[derive(PromptNode)]
    struct Form {
        #[section(heading = "== {title} {n}")]
        part: (),
        n: u8,
    }
    for n in [1, 2] {
        let rendered = Form { part: (), n }.prompt().render().unwrap();
        assert!(
            rendered.static_prefix() <= "Head.\n\n== Part ".len(),
            "{rendered}"
        );
    }

    /// Head.
    #[derive(PromptNode)]
    struct Tagged {
        /// Text.
        #[section(tag = "part", attr(n = self.n))]
        part: (),
        n: Option<u8>,
    }
    prefix(
        &[
            Tagged {
                part: (),
                n: Some(1),
            },
            Tagged { part: (), n: None },
        ],
        "Head.",
    );
}

#[test]
fn values_as_prompts_have_none() {
    prefix(&["a", "b"], "");
    prefix(&[None, Some("a")], "");
    prefix(&[Markdown::from("# A"), Markdown::from("")], "");
    prefix(&[vec!["a"], vec![]], "");
}

/// {?lead}Lead.
///
/// Head.
/// {?extra}Extra {name}.
///
/// # Slots
///
/// {optional}
///
/// ## Below
/// {listed}
///
/// # Rest
///
/// {PROMPT_SUBTREE}
///
/// - {?!extra}No extra.
/// - End.
#[derive(Clone, Debug, PromptNode)]
struct Many {
    lead: bool,
    extra: bool,
    name: String,
    #[section(untitled)]
    optional: Option<String>,
    #[section(untitled)]
    listed: Vec<String>,
    #[section(tag = "kind")]
    kind: Kind,
    /// Intro.
    #[section(when = self.lead)]
    conditional: (),
    #[section(title = "Called {name}", tag = "called", attr(title, n = self.number))]
    called: Option<Box<Many>>,
    #[section(untitled, empty = "No map.")]
    map: BTreeMap<String, Kind>,
    number: Option<u8>,
}

#[derive(Clone, Debug, PromptNode)]
enum Kind {
    Silent,
    /// Text.
    Text,
    #[prompt(template = "{value}")]
    Value {
        value: String,
    },
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Silent),
        Just(Kind::Text),
        word().prop_map(|value| Kind::Value { value })
    ]
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", " ", "a", "b", "a\nb", "# a", "<kind>"]).prop_map(str::to_owned)
}

fn many() -> impl Strategy<Value = Many> {
    let flags = (
        any::<bool>(),
        any::<bool>(),
        word(),
        prop::option::of(word()),
        prop::collection::vec(word(), 0..3),
    );
    let sections = (
        kind(),
        prop::collection::btree_map(word(), kind(), 0..2),
        prop::option::of(0u8..3),
    );
    let leaf = (flags, sections).prop_map(
        |((lead, extra, name, optional, listed), (kind, map, number))| Many {
            lead,
            extra,
            name,
            optional,
            listed,
            kind,
            conditional: (),
            called: None,
            map,
            number,
        },
    );
    let leaf = std::rc::Rc::new(leaf);
    (leaf.clone(), prop::option::of(leaf)).prop_map(|(outer, inner)| Many {
        called: inner.map(Box::new),
        ..outer
    })
}

/// Everything before `first` is the same in every call.
#[derive(Debug, PromptNode)]
#[prompt(template = "Head.\n\n# Slots\n\n## Below\n{first}\n\n# Rest\n\n{PROMPT_SUBTREE}")]
struct Behind<F: PromptNode> {
    #[section(untitled)]
    first: F,
    /// Fixed.
    #[section(tag = "fixed", attr(title))]
    fixed: (),
    #[section(tag = "outer")]
    many: Wrapped,
}

#[derive(Debug, PromptNode)]
struct Wrapped {
    #[section(tag = "inner")]
    many: Option<Many>,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_values_share_the_prefix(one in many(), other in many()) {
        for style in [Style::Markdown, Style::Xml] {
            same_prefix(&one, &other, style)?;
            let [one, other] = [&one, &other].map(|many| Outer { later: many });
            same_prefix(&one, &other, style)?;
        }
    }

    #[test]
    fn behind_fixed_text(
        one in (prop::option::of(many()), word(), kind()),
        other in (prop::option::of(many()), word(), kind()),
    ) {
        let parts = [one, other];
        let [one, other] = parts.clone().map(|(many, ..)| behind((), many));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.\n\n# Rest\n\n<fixed title=\"Fixed\">\nFixed.\n</fixed>".len());
        let [one, other] = parts.clone().map(|(many, ..)| behind(many, None));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.".len());
        let [one, other] = parts.clone().map(|(many, word, _)| behind(word, many));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.".len());
        let [one, other] = parts.clone().map(|(many, word, _)| behind(Markdown::from(word), many));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.".len());
        let [one, other] = parts.clone().map(|(many, _, kind)| behind(kind, many));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.".len());
        let [one, other] = parts.map(|(many, word, kind)| behind(vec![Some(kind), None], many.filter(|_| word.is_empty())));
        prop_assert_eq!(behind_each(&one, &other)?, "Head.".len());
    }
}

fn behind<F: PromptNode>(first: F, many: Option<Many>) -> Behind<F> {
    Behind {
        first,
        fixed: (),
        many: Wrapped { many },
    }
}

/// The prefix in Markdown.
fn behind_each(one: &impl PromptNode, other: &impl PromptNode) -> Result<usize, TestCaseError> {
    same_prefix(one, other, Style::Xml)?;
    same_prefix(one, other, Style::Markdown)
}

/// {later}
///
/// End.
#[derive(PromptNode)]
struct Outer<'a> {
    #[section(tag = "later")]
    later: &'a Many,
}

fn same_prefix(
    one: &impl PromptNode,
    other: &impl PromptNode,
    style: Style,
) -> Result<usize, TestCaseError> {
    let one = one.prompt().style(style).render().unwrap();
    let other = other.prompt().style(style).render().unwrap();
    let prefix = one.static_prefix();
    prop_assert_eq!(
        prefix,
        other.static_prefix(),
        "{:?} and {:?}",
        one.as_str(),
        other.as_str()
    );
    prop_assert_eq!(&one.as_str()[..prefix], &other.as_str()[..prefix]);
    Ok(prefix)
}

#[test]
fn headings_of_sections_that_may_go_end_it_before_them() {
    let untitled = json!([{ "key": "k", "untitled": true, "body": "{a}" }]);
    for section in [
        json!({ "key": "s", "title": "{?a}Part" }),
        json!({ "key": "s", "title": "- {a}" }),
        json!({ "key": "s", "heading": "{?a}{title}" }),
        json!({ "key": "s", "heading": "{a}", "title": "Part" }),
        json!({ "key": "s", "title": "Part {a}", "sections": untitled }),
        json!({ "key": "s", "heading": "== {title} {a}", "sections": untitled }),
        json!({ "key": "s", "untitled": true, "body": "{a}" }),
        json!({ "key": "s", "untitled": true, "sections": untitled }),
    ] {
        let tree = json!({ "key": "root", "body": "Head.", "sections": [section] }).to_string();
        let values = [json!({ "a": "One" }), json!({ "a": "" })];
        prefix(
            &values.map(|values| DynamicNode::from_json_with(&tree, values).unwrap()),
            "Head.",
        );
    }
}

/// In an open fence lines of white space are lines, and at the end of the text they go where the values behind them are blank.
#[test]
fn white_space_at_the_end_of_a_text_ends_it() {
    for body in ["```\n    {a}", "k\n```\n {a} ", "```\n\t\n{?a}- {b}"] {
        let tree = json!({ "key": "root", "body": body, "allow": ["unclosed_fence"] }).to_string();
        let render = |a: &str| {
            let values = json!({ "a": a, "b": "x" });
            let values = values.as_object().unwrap().clone();
            let values: serde_json::Map<_, _> = values
                .into_iter()
                .filter(|(name, _)| body.contains(name))
                .collect();
            DynamicNode::from_json_with(&tree, values)
                .unwrap()
                .prompt()
                .render()
                .unwrap()
        };
        let [one, two] = [render("x"), render("")];
        let bytes = one.as_str().bytes().zip(two.as_str().bytes());
        let shared = bytes.take_while(|(one, two)| one == two).count();
        assert!(
            one.static_prefix() <= shared && two.static_prefix() <= shared,
            "{body:?}"
        );
        assert!(one.static_prefix() >= 3, "{body:?}");
    }
}

/// An attribute of the root's tag that is left out could be there; one of fixed words is always the same.
#[test]
fn attributes_of_the_root_end_it_also_where_they_are_left_out() {
    #[derive(PromptNode)]
    #[prompt(tag = "desk", attr(n = self.n))]
    struct Desk {
        n: Option<u8>,
        #[section(untitled)]
        text: &'static str,
    }
    let text = "Lamps.";
    assert_eq!(
        Desk { n: None, text }
            .prompt()
            .render()
            .unwrap()
            .static_prefix(),
        0
    );

    /// Lamps.
    #[derive(PromptNode)]
    #[prompt(tag = "desk", title = "Desk", attr(title))]
    struct Fixed;
    let prompt = Fixed.prompt().render().unwrap();
    assert_eq!(prompt.static_prefix(), prompt.as_str().len());
}

/// What two calls share is what both begin with; tools stand before the text.
#[test]
fn two_calls_share_what_both_begin_with() {
    /// Lamps of {shop} on {day}.
    #[derive(PromptNode)]
    struct Desk {
        shop: &'static str,
        day: &'static str,
        #[section(tools = prompt_core::ToolSpec::closed("t", "T.").unwrap())]
        tool: Option<&'static str>,
    }
    let render = |shop, day, tool| Desk { shop, day, tool }.prompt().render().unwrap();
    let one = render("Tern", "Monday", None);
    assert_eq!(one.shared_prefix(&one), one.as_str().len());
    assert_eq!(
        one.shared_prefix(&render("Tern", "Tuesday", None)),
        "Lamps of Tern on ".len()
    );
    assert_eq!(one.shared_prefix(&render("Tern", "Monday", Some("x"))), 0);
    // No character is cut.
    assert_eq!(
        render("ä", "d", None).shared_prefix(&render("ö", "d", None)),
        "Lamps of ".len()
    );
}

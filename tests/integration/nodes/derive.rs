//! What a derived type says about itself and what it writes: descriptions, values, sections, conditions and tools.

use prompt_core::__private::{
    Element, Guarding, Hang, Node, NodeInfo, Output, Priority, Scope, SectionInfo, Target, Text,
    Title,
};
use prompt_core::Message;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_syntax::Elements;
use serde::Serialize;
use std::{
    borrow::Cow,
    cell::Cell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::{self, Display},
    rc::Rc,
    sync::Arc,
};

/// A text as it was written.
fn written(text: &Text) -> String {
    Elements::from_iter(text.elements.iter().cloned()).to_markdown()
}

/// The number of the variable with this source.
fn number(node: &dyn Node, source: &str) -> usize {
    let mut variables = node.info().variables.iter();
    variables
        .position(|variable| variable.source == source)
        .unwrap()
}

fn written_by(scope: &dyn Scope, index: usize) -> String {
    let mut text = String::new();
    scope.value(index, &mut Output::new(&mut text)).unwrap();
    text
}

/// What the variable with this source writes.
fn value(node: &dyn Node, source: &str) -> String {
    written_by(node, number(node, source))
}

/// What the variable with this number writes about each item of a section's list.
fn values_of_items(node: &dyn Node, key: &str, index: usize) -> Vec<String> {
    let list = section(node.info(), key).items.list.unwrap();
    let mut texts = Vec::new();
    let each = node.each(list.into(), &mut |scope, _| {
        texts.push(written_by(scope, index));
        Ok(())
    });
    each.unwrap();
    texts
}

fn section<'a>(info: &'a NodeInfo, key: &str) -> &'a SectionInfo {
    info.sections
        .iter()
        .find(|section| section.key == key)
        .unwrap()
}

struct Shouted(&'static str);

impl Display for Shouted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!", self.0)
    }
}

/// {text} {str} {cow} {boxed} {arc} {rc} {char} {yes} {own} {nested}
#[derive(PromptNode)]
struct Texts<'a> {
    text: String,
    str: &'a str,
    cow: Cow<'a, str>,
    boxed: Box<str>,
    arc: Arc<str>,
    rc: Rc<String>,
    char: char,
    yes: bool,
    own: Shouted,
    nested: &'a &'a Shouted,
}

#[test]
fn text_values() {
    let node = Texts {
        text: "a\r\nb\rc".into(),
        str: "str",
        cow: "cow".into(),
        boxed: "boxed".into(),
        arc: "arc".into(),
        rc: Rc::new("rc".into()),
        char: 'é',
        yes: true,
        own: Shouted("own"),
        nested: &&Shouted("nested"),
    };
    let sources = [
        "text", "str", "cow", "boxed", "arc", "rc", "char", "yes", "own", "nested",
    ];
    let values = sources.map(|source| value(&node, source));
    assert_eq!(
        values,
        [
            "a\nb\nc", "str", "cow", "boxed", "arc", "rc", "é", "true", "own!", "nested!"
        ]
    );
}

/// {a} {b} {c} {d} {e} {f} {g} {h} {i}
#[derive(PromptNode)]
struct Numbers {
    a: u8,
    b: i8,
    c: u64,
    d: i64,
    e: usize,
    f: isize,
    g: u128,
    h: f64,
    i: i32,
}

#[test]
fn numbers_print_as_display_does() {
    for seed in [
        0_u64,
        1,
        9,
        10,
        99,
        100,
        12_345,
        u64::from(u32::MAX),
        u64::MAX / 2,
        u64::MAX,
    ] {
        let (a, e) = (seed.to_le_bytes()[0], 7_usize);
        let d = i64::from_le_bytes(seed.to_le_bytes());
        let node = Numbers {
            a,
            b: i8::MIN,
            c: seed,
            d,
            e,
            f: isize::MIN,
            g: u128::MAX,
            h: 1.5,
            i: i32::MIN,
        };
        let expected = [
            a.to_string(),
            "-128".into(),
            seed.to_string(),
            d.to_string(),
            e.to_string(),
        ];
        assert_eq!(
            ["a", "b", "c", "d", "e"].map(|source| value(&node, source)),
            expected
        );
        let expected = [
            isize::MIN.to_string(),
            u128::MAX.to_string(),
            "1.5".into(),
            i32::MIN.to_string(),
        ];
        assert_eq!(
            ["f", "g", "h", "i"].map(|source| value(&node, source)),
            expected
        );
    }
}

#[derive(Serialize, Debug)]
struct Config {
    limit: u8,
}

fn shout(text: &str) -> String {
    text.to_uppercase()
}

/// {absent}{present}{both}{wide}{narrow} {limit:>6.2} {limit} {config} {pretty} {debug} {with} {optional_list}
/// {empty} {letters} {pairs} {map:?} {config.limit}
#[derive(PromptNode)]
struct Prints {
    #[var(default = "none")]
    absent: Option<u8>,
    #[var(some = " ({})")]
    present: Option<String>,
    #[var(some = "<{}>", default = "-")]
    both: Option<&'static str>,
    #[var(yes = "wide")]
    wide: bool,
    #[var(yes = "wide", no = "narrow")]
    narrow: bool,
    limit: f64,
    #[var(json)]
    config: Config,
    #[var(json = "pretty", raw)]
    pretty: Config,
    #[var(debug, untrusted)]
    debug: Vec<u8>,
    #[var(with = shout)]
    with: String,
    #[var(join = ", ")]
    optional_list: Option<Vec<u8>>,
    #[var(join = ", ", default = "nothing")]
    empty: BTreeSet<u8>,
    #[var(
        item = "{index}. {item} of {limit:.1}",
        join = "; ",
        last = " and ",
        hang
    )]
    letters: VecDeque<char>,
    #[var(item = "{item.1}={item.0}")]
    pairs: Vec<(u8, Shouted)>,
    map: BTreeMap<u8, u8>,
}

fn prints() -> Prints {
    Prints {
        absent: None,
        present: Some("blue".into()),
        both: None,
        wide: false,
        narrow: false,
        limit: 5.444,
        config: Config { limit: 3 },
        pretty: Config { limit: 4 },
        debug: vec![1, 2],
        with: "loud".into(),
        optional_list: Some(vec![1, 2]),
        empty: BTreeSet::new(),
        letters: "abc".chars().collect(),
        pairs: vec![(1, Shouted("one")), (2, Shouted("two"))],
        map: BTreeMap::from([(1, 2)]),
    }
}

#[test]
fn ways_to_print() {
    let node = prints();
    let text = node.prompt().text().unwrap();
    assert_eq!(
        text,
        "none (blue)-narrow   5.44 5.444 {\"limit\":3} {\n  \"limit\": 4\n} [1, 2] LOUD 1, 2\n\
         nothing 1. a of 5.4; 2. b of 5.4 and 3. c of 5.4 one!=1\ntwo!=2 {1: 2} 3"
    );
    let other = Prints {
        absent: Some(7),
        present: None,
        both: Some("x"),
        wide: true,
        optional_list: None,
        ..node
    };
    let text = other.prompt().text().unwrap();
    assert!(text.starts_with("7<x>widenarrow   5.44"), "{text}");
    assert!(text.contains(" LOUD \nnothing"), "{text}");
}

#[test]
fn every_variable_has_one_entry_and_its_flags() {
    let node = prints();
    let variables = &node.info().variables;
    // Seventeen that texts name; and in what some of them are worded as an option's own value, an item, and its number.
    assert_eq!(variables.len(), 27);
    let of = |source: &str| {
        variables
            .iter()
            .find(|variable| variable.source == source)
            .unwrap()
    };
    let treatment = |source: &str| of(source).treatment;
    assert_eq!(treatment("letters").hang, Hang::First);
    assert!(treatment("pretty").raw && treatment("debug").untrusted);
    let usual = treatment("limit");
    assert!(usual.hang == Hang::None && !usual.raw && !usual.untrusted);
    assert!(of("absent").optional && of("optional_list").optional && !of("empty").optional);
    assert!(
        variables
            .iter()
            .all(|variable| variable.description.is_none())
    );
}

const TOOL: &str = "find";

/// {tool} {count} {name}
///
/// - {?name}Named.
/// - {?!list}Empty.
/// - {?many}Many.
#[derive(PromptNode)]
#[prompt(
    key = "sorter",
    title = "Sorter {name}",
    description = "Sorts.",
    tag = "sorter",
    attr(id = self.number, kind = "x", missing = self.missing, off = false, on = true, title),
    vars(tool = TOOL, count = self.list.len() + 1, many = self.list.len() > 1),
    tools = self.own_tools(1),
    indent = 4,
    tight,
    numbering,
    level = 2,
    end = "\n",
    heading = "== {title}",
    summary_suffix = "Call {key}: {subsections}."
)]
struct Container {
    /// The name of it.
    name: String,
    list: Vec<u8>,
    missing: Option<&'static str>,
    number: u8,
    #[section(tools = self.own_tools(10))]
    extra: (),
    asked: Cell<u8>,
}

impl Container {
    fn own_tools(&self, weight: u8) -> [Option<ToolSpec>; 1] {
        self.asked.set(self.asked.get() + weight);
        [None]
    }
}

#[test]
fn containers() {
    let node = Container {
        name: "n".into(),
        list: vec![],
        missing: None,
        number: 4,
        extra: (),
        asked: Cell::new(0),
    };
    let info = node.info();
    let container = &info.container;
    assert_eq!(
        (info.name.as_ref(), container.key.as_deref()),
        ("Container", Some("sorter"))
    );
    assert_eq!(
        (
            container.markup.tag.as_deref(),
            container.description.as_deref()
        ),
        (Some("sorter"), Some("Sorts."))
    );
    assert!(container.markup.indent == Some(4) && container.heading.tight && container.has_tools);
    assert_eq!(
        (
            container.numbered,
            container.heading.level,
            container.end.as_ref()
        ),
        (Some(true), Some(2), "\n")
    );
    let literal = |text: &Option<Text>| written(text.as_ref().unwrap());
    assert_eq!(literal(&container.heading.form), "== {title}");
    assert_eq!(
        literal(&container.summary_suffix),
        "Call {key}: {subsections}."
    );
    assert_eq!(literal(&container.title), "Sorter {name}");
    assert_eq!(
        info.variables
            .iter()
            .find(|v| v.source == "name")
            .unwrap()
            .description
            .as_deref(),
        Some("The name of it.")
    );

    assert_eq!(
        ["tool", "count"].map(|source| value(&node, source)),
        ["find", "1"]
    );
    let text = node.prompt().text().unwrap();
    let tag = "<sorter id=\"4\" kind=\"x\" on=\"true\" title=\"Sorter n\">";
    assert!(text.starts_with(tag), "{text}");
    let conditions: Vec<&str> = info
        .conditions
        .iter()
        .map(|condition| condition.source.as_ref())
        .collect();
    let holds: Vec<bool> = (0..info.conditions.len())
        .map(|index| node.ask(index))
        .collect();
    assert_eq!(
        (conditions, holds),
        (vec!["name", "list", "many"], vec![true, false, false])
    );
    let asked = [None, Some(0), Some(9)].map(|section| {
        node.asked.set(0);
        assert!(node.tools(section).is_empty());
        node.asked.get()
    });
    assert_eq!(asked, [1, 10, 0]);
}

/// A node.
#[derive(PromptNode)]
struct Child;

/// Text.
///
/// {second}
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Sections {
    /// Read {name} twice.
    #[section(when = self.name.is_empty(), visibility = self.depth(), priority = self.rank())]
    first: (),
    #[section(key = "two", title = "The {name}", tag = "second", priority = -3, role = "user", guard = "escaped", indent = 4)]
    second: Child,
    #[section(
        tight,
        inline,
        volatile,
        untrusted,
        level = 3,
        cache = 60,
        visibility = "summary",
        summary = "{name}"
    )]
    third: Option<Child>,
    #[section(item = "- {item}", join = "; ", empty = "none")]
    list: Vec<String>,
    #[section(item = "{item}", item_tag = "rule")]
    tagged: Rules,
    #[section(item_title = "{index}. {item.title}", item_key = title, summary = "{item.title} of {name}")]
    nodes: Vec<Item>,
    #[section(messages)]
    history: Vec<Message>,
    #[section(untitled)]
    map: BTreeMap<String, String>,
    #[section(cache)]
    r#type: [&'static str; 2],
    name: String,
}

/// An alias hides that it is a list.
type Rules = Vec<&'static str>;

impl Sections {
    fn depth(&self) -> Visibility {
        Visibility::Summary
    }

    fn rank(&self) -> i32 {
        i32::from(self.name.len() == 2) * 2
    }
}

/// {title}
#[derive(PromptNode)]
struct Item {
    title: &'static str,
}

fn sections() -> Sections {
    Sections {
        first: (),
        second: Child,
        third: None,
        list: vec!["a".into(), "b".into()],
        tagged: vec!["x", "y"],
        nodes: vec![Item { title: "one" }, Item { title: "two" }],
        history: vec![Message::user("hi")],
        map: BTreeMap::from([("k".into(), "v".into())]),
        r#type: ["p", "q"],
        name: "it".into(),
    }
}

#[test]
fn sections_are_described() {
    let node = sections();
    let info = node.info();
    let first = section(info, "first");
    assert_eq!(
        (first.title.clone(), written(&first.intro).as_str()),
        (Title::Fallback("First".into()), "Read {name} twice.")
    );
    let location = first.location.unwrap();
    assert!(location.file.ends_with("derive.rs"));
    let source = include_str!("derive.rs")
        .lines()
        .nth(location.line as usize - 1)
        .unwrap();
    assert_eq!(source.trim(), "first: (),");

    let second = section(info, "two");
    assert_eq!(
        (
            second.field.as_ref(),
            second.markup.tag.as_deref(),
            second.placed
        ),
        ("second", Some("second"), true)
    );
    assert_eq!(
        (second.policy.priority, second.policy.role),
        (
            Some(Priority::Level(-3)),
            Some(prompt_core::__private::Role::User)
        )
    );
    assert_eq!(
        (second.markup.guarding, second.markup.indent),
        (Guarding::Escaped, Some(4))
    );
    assert!(matches!(&second.title, Title::Explicit(text) if written(text).starts_with("The ")));

    let third = section(info, "third");
    assert!(third.heading.tight && third.markup.inline && third.policy.volatile);
    assert!(third.markup.untrusted && !third.placed);
    assert!(matches!(section(info, "map").title, Title::Untitled(_)));
    assert_eq!(
        (third.heading.level, third.policy.cache, third.visibility),
        (
            Some(3),
            Some(60),
            prompt_core::__private::Visibility::Summary
        )
    );
    assert_eq!(section(info, "type").policy.cache, Some(0));
    assert_eq!(
        written(section(info, "list").empty.as_ref().unwrap()),
        "none"
    );
    let list = &section(info, "list").items;
    assert_eq!(list.join.as_deref(), Some("; "));
    let slot = |element: &Element| match element {
        Element::Slot { target, .. } => Some(*target),
        _ => None,
    };
    let slots: Vec<Target> = info.text.elements.iter().filter_map(slot).collect();
    assert_eq!(slots, [Target::Section(1), Target::Subtree]);
}

#[test]
fn sections_are_handed_out() {
    let node = sections();
    let rendered = node.prompt().render().unwrap();
    let sections = rendered.sections();
    let paths: Vec<&str> = sections.iter().map(|section| &*section.path).collect();
    assert_eq!(
        paths,
        [
            "two",
            "list",
            "tagged",
            "nodes",
            "nodes.one",
            "nodes.two",
            "history",
            "map",
            "type"
        ]
    );
    for text in [
        "- a; - b",
        "<rule>x</rule>",
        "1. one",
        "## 2. two",
        "- p\n- q",
    ] {
        assert!(rendered.as_str().contains(text), "{text}\n{rendered}");
    }
    // Its condition holds for an empty name only: then its visibility is asked, and it has no summary.
    let node = Sections {
        name: String::new(),
        ..node
    };
    let error = node.prompt().text().unwrap_err();
    assert!(
        matches!(&error, PromptError::SummaryMissing { path } if path == "first"),
        "{error}"
    );
}

#[test]
fn templates_of_items_run_in_the_scope_of_the_item() {
    let node = sections();
    let of_nodes = |source| values_of_items(&node, "nodes", number(&node, source));
    assert_eq!(of_nodes("item.title"), ["one", "two"]);
    // Where an item stands the renderer says.
    let text = node.prompt().text().unwrap();
    assert!(text.contains("1. one") && text.contains("2. two"), "{text}");
    // What is around the item is known there too.
    assert_eq!(
        of_nodes("name"),
        [value(&node, "name"), value(&node, "name")]
    );
    let key = section(node.info(), "nodes").items.key.unwrap();
    assert_eq!(values_of_items(&node, "nodes", key.into()), ["one", "two"]);
    let list = &section(node.info(), "list").items;
    assert_eq!(written(list.text.as_ref().unwrap()), "- {item}");
    assert!(section(node.info(), "map").items.list.is_none());
}

#[derive(PromptNode)]
#[prompt(tag = "flow", vars(size = 3))]
enum Workflow {
    /// At most {limit} of {size}.
    ///
    /// - {?strict}Strict.
    #[prompt(title = "Plan {limit}")]
    Plan {
        limit: u8,
        strict: bool,
    },
    /// Pack.
    #[prompt(tag = "pack", vars(half = *size / 2))]
    Pack {
        size: u8,
        /// Half is {half}.
        #[section(when = *size > 2)]
        seeds: &'static str,
    },
    Tuple(#[section(key = "text")] String, u8),
    Unit,
}

#[test]
fn every_variant_is_a_node() {
    let plan = Workflow::Plan {
        limit: 5,
        strict: true,
    };
    assert_eq!(
        (
            plan.info().name.as_ref(),
            plan.info().container.markup.tag.as_deref()
        ),
        ("Plan", Some("flow"))
    );
    assert_eq!(
        (value(&plan, "limit"), value(&plan, "size"), plan.ask(0)),
        ("5".into(), "3".into(), true)
    );
    assert!(plan.info().container.title.is_some());

    let pack = Workflow::Pack {
        size: 8,
        seeds: "dry",
    };
    assert_eq!(
        (
            pack.info().container.markup.tag.as_deref(),
            value(&pack, "half")
        ),
        (Some("pack"), "4".into())
    );
    assert!(pack.info().container.title.is_none());
    let text = pack.prompt().text().unwrap();
    assert_eq!(
        text,
        "<pack>\nPack.\n\n# Seeds\n\nHalf is 4.\n\ndry\n</pack>"
    );
    let text = Workflow::Tuple("t".into(), 1).prompt().text().unwrap();
    assert_eq!(text, "<flow>\n# Text\n\nt\n</flow>");
    assert!(Workflow::Unit.info().text.is_empty());
}

#[derive(PromptNode)]
#[prompt(file = "fixtures/texts/greeting.md")]
struct FromFile {
    name: String,
    #[section(template = "Rules for {name}:")]
    rules: String,
}

/** Block comment of {name}:
 *
 *   - indented
 * - {name}
 */
#[doc = "More."]
#[derive(PromptNode)]
struct Block {
    name: String,
}

///   Indented
///     more
// not a doc comment
///
///  less
#[derive(PromptNode)]
struct Dedented;

#[derive(PromptNode)]
#[prompt(template = "\n\nKeeps {name} \n\n")]
struct Template {
    name: String,
}

#[test]
fn texts_come_from_everywhere() {
    let name = String::from("n");
    let file = FromFile {
        name: name.clone(),
        rules: String::new(),
    };
    assert_eq!(
        written(&file.info().text),
        "Hello {name}.\n\n## Rules\n\n{rules}"
    );
    assert_eq!(
        written(&section(file.info(), "rules").intro),
        "Rules for {name}:"
    );
    let block = Block { name: name.clone() };
    assert_eq!(
        written(&block.info().text),
        "Block comment of {name}:\n\n  - indented\n- {name}\nMore."
    );
    assert_eq!(written(&Dedented.info().text), " Indented\n   more\n\nless");
    assert_eq!(written(&Template { name }.info().text), "Keeps {name} ");
}

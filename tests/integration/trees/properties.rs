//! Laws of trees: both doors give one output, a focus is the tree without the rest, and the author's text comes out as it
//! was written.

use prompt_core::DynamicNode;
use prompt_core::Prompt;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::elements;
use prompt_core::prompt::Numbering;
use prompt_core::tree::Collected;
use prompt_core::tree::ContextForm;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

// ---- one text through both doors

/// Declares a derived type and the same tree as a dynamic node, from the same texts.
macro_rules! pair {
    ($name:ident, $body:tt, { $($variable:ident),* }, [ $($key:ident = $title:tt: $text:tt),* ]) => {
        mod $name {
            use prompt_core::DynamicNode;
            use prompt_core::dynamic::DynamicNodeBuilder;
            use prompt_core::PromptNode;

            #[derive(PromptNode)]
            #[prompt(template = $body)]
            pub(crate) struct Derived {
                $(pub(crate) $variable: String,)*
                $(#[section(title = $title, template = $text)] pub(crate) $key: (),)*
            }

            pub(crate) fn derived(values: &[String]) -> Derived {
                let mut values = values.iter().cloned();
                Derived { $($variable: values.next().unwrap_or_default(),)* $($key: (),)* }
            }

            pub(crate) fn written() -> DynamicNodeBuilder {
                DynamicNode::builder(stringify!($name)).body($body)
                    $(.section(DynamicNode::builder(stringify!($key)).title($title).body($text)))*
            }

            pub(crate) const NAMES: &[&str] = &[$(stringify!($variable)),*];
        }
    };
}

pair!(plain, "One line, {who}.", { who }, []);
pair!(
    placed,
    "Work for {team}.\n\n## Rules\n{rules}\n\n## Rest\n\n{PROMPT_SUBTREE}\n\nThe end, {team}.",
    { team, reader },
    [
        rules = "The Rules of {team}": "- be kind to {reader}\n- `{reader}` and {\"json\": 1}",
        more = "More": "# Deep\n\n```text\n{team} {unknown}\n```\n\n## Deeper\ntext",
        last = "Last": ""
    ]
);
pair!(
    guarded,
    "{?extra}Extra: {extra}\n\nBody.\n\n{?!extra}No extra.\n- {?extra}item",
    { extra },
    [note = "Note": "{?extra}gone or not\n\nstays"]
);
pair!(
    collecting,
    "Write.\n\n## So far\n\n{COLLECTED_CONTEXT}\n\n## Now\n\n  {PROMPT_SUBTREE}",
    { who },
    [first = "First of {who}": "Do {who}.", second = "Second": "Then that."]
);
pair!(
    odd,
    "\n\n  # Top  ##\ntext with  two  blanks   \n\n\n\n{{who}} and {{other}} and { 1 }\n<!--# a note -->\n\n===\n> # quoted\n",
    { who },
    [tail = "Tail": "margin\n\n    four\n\n\tTab {who:>9}|{who:*^3}|"]
);

/// Words, blanks, line breaks, braces, tags, fences.
fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("word"),
        Just(" "),
        Just("\n"),
        Just("\n\n"),
        Just("# x"),
        Just("```"),
        Just("{team}"),
        Just("<job>"),
        Just("ä🍞"),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

#[derive(Clone, Debug)]
struct Options {
    style: Style,
    base_level: u8,
    numbering: Numbering,
    form: ContextForm,
    focus: usize,
    collected: Vec<(usize, String)>,
}

fn options() -> impl Strategy<Value = Options> {
    let style = prop_oneof![Just(Style::Markdown), Just(Style::Xml)];
    let numbering = prop_oneof![Just(Numbering::None), Just(Numbering::Decimal)];
    let form = prop_oneof![Just(ContextForm::Value), Just(ContextForm::Reference)];
    let collected = prop::collection::vec((0..9_usize, value()), 0..3);
    (style, 1..4_u8, numbering, form, 0..9_usize, collected).prop_map(
        |(style, base_level, numbering, form, focus, collected)| Options {
            style,
            base_level,
            numbering,
            form,
            focus,
            collected,
        },
    )
}

impl Options {
    fn collected(&self, leaves: &[String]) -> Collected {
        let known = self
            .collected
            .iter()
            .filter_map(|(leaf, text)| Some((leaves.get(*leaf)?.as_str(), text.as_str())));
        known.collect()
    }

    fn of<'a, N: PromptNode>(
        &self,
        prompt: Prompt<'a, N>,
        leaves: &[String],
        collected: &'a Collected,
    ) -> Prompt<'a, N> {
        let prompt = prompt
            .style(self.style)
            .base_level(self.base_level)
            .numbering(self.numbering);
        let prompt = prompt.context_form(self.form).collected(collected);
        match leaves.get(self.focus) {
            Some(leaf) => prompt.focus(leaf.as_str()),
            None => prompt,
        }
    }
}

/// Compares everything that can be seen of two nodes.
fn compare(derived: &impl PromptNode, dynamic: &DynamicNode, options: &Options) {
    assert_eq!(
        elements::of(derived.embedded()),
        elements::of(dynamic.embedded())
    );
    let leaves: Vec<String> = derived
        .prompt()
        .walk()
        .unwrap()
        .into_iter()
        .map(String::from)
        .collect();
    assert_eq!(
        leaves,
        dynamic
            .prompt()
            .walk()
            .unwrap()
            .into_iter()
            .map(String::from)
            .collect::<Vec<_>>()
    );
    let collected = options.collected(&leaves);
    let prompts = [
        options
            .of(derived.prompt(), &leaves, &collected)
            .render()
            .unwrap(),
        options
            .of(dynamic.prompt(), &leaves, &collected)
            .render()
            .unwrap(),
    ];
    let [left, right] = &prompts;
    assert_eq!(left.as_str(), right.as_str());
    let sections = |index: usize| -> Vec<_> {
        let sections = prompts[index].sections();
        sections
            .into_iter()
            .map(|section| (section.path, section.title, section.level, section.range))
            .collect()
    };
    assert_eq!(sections(0), sections(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn derive_and_dynamic_node_give_the_same_output(
        values in prop::collection::vec(value(), 2),
        options in options(),
    ) {
        macro_rules! check {
            ($($name:ident),*) => {$({
                let named: BTreeMap<&str, &String> = $name::NAMES.iter().copied().zip(&values).collect();
                let dynamic = $name::written().build_with(&named).unwrap();
                compare(&$name::derived(&values), &dynamic, &options);
                let json = serde_json::to_string(&dynamic).unwrap();
                let loaded = DynamicNode::from_json_with(&json, &named).unwrap();
                prop_assert_eq!(&loaded, &dynamic);
            })*};
        }
        check!(plain, placed, guarded, collecting, odd);
    }
}

// ---- focus

/// A tree in which the key of each node is its number among its siblings.
#[derive(Clone, Debug)]
struct Tree {
    body: usize,
    sections: Vec<Tree>,
}

const BODIES: &[&str] = &[
    "",
    "Text only.",
    "Text.\n\n{PROMPT_SUBTREE}",
    "# Head\n\n{PROMPT_SUBTREE}\n\n## After\n\nTail.",
    "## First\n{k0}\n\n## Second\n\n{k1}\n\nBetween.\n\n{PROMPT_SUBTREE}",
    "{PROMPT_SUBTREE}\ntail",
    "- item\n  {k1}\n- item",
    "{COLLECTED_CONTEXT}\n\n{PROMPT_SUBTREE}",
];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = (0..BODIES.len()).prop_map(|body| Tree {
        body,
        sections: Vec::new(),
    });
    leaf.prop_recursive(4, 40, 4, |inner| {
        (0..BODIES.len(), prop::collection::vec(inner, 0..4))
            .prop_map(|(body, sections)| Tree { body, sections })
    })
}

impl Tree {
    /// Everything off the chain is hidden, where there is one.
    fn written(&self, key: String, chain: Option<&[usize]>) -> DynamicNodeBuilder {
        let body = BODIES[self.body].to_owned();
        let body = [(0, "{k0}"), (1, "{k1}")]
            .into_iter()
            .fold(body, |body, (index, slot)| {
                if index < self.sections.len() {
                    body
                } else {
                    body.replace(slot, "a line")
                }
            });
        let mut node = DynamicNode::builder(key).body(body);
        for (index, section) in self.sections.iter().enumerate() {
            let below = chain
                .filter(|chain| chain.first() == Some(&index))
                .and_then(|chain| chain.get(1..));
            let written = section.written(format!("k{index}"), below);
            let is_off =
                chain.is_some_and(|chain| chain.first().is_some_and(|first| *first != index));
            node = node.section(written.when(!is_off));
        }
        node
    }

    /// The path of the node with this number, and its indexes.
    fn chain(&self, mut choices: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut node = self;
        while let (Some(choice), false) = (choices.next(), node.sections.is_empty()) {
            let index = choice % node.sections.len();
            chain.push(index);
            node = &node.sections[index];
        }
        chain
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn a_focus_is_the_tree_without_what_is_off_the_chain(
        tree in tree(),
        choices in prop::collection::vec(0..4_usize, 1..5),
        numbered: bool,
        xml: bool,
    ) {
        let chain = tree.chain(choices.into_iter());
        prop_assume!(!chain.is_empty());
        let path = chain.iter().map(|index| format!("k{index}")).collect::<Vec<_>>().join(".");
        let whole = tree.written("r".into(), None).build().unwrap();
        let pruned = tree.written("r".into(), Some(&chain)).build().unwrap();
        let numbering = if numbered { Numbering::Decimal } else { Numbering::None };
        let style = if xml { Style::Xml } else { Style::Markdown };
        let of = |node: &DynamicNode| node.prompt().numbering(numbering).style(style).text().unwrap();
        let focused = whole.prompt().numbering(numbering).style(style).focus(path).text().unwrap();
        prop_assert_eq!(focused, of(&pruned));
    }

    #[test]
    fn collected_survives_json(texts in prop::collection::btree_map("[a-z0-9.]{1,8}", any::<String>(), 0..6)) {
        let collected: Collected = texts.iter().collect::<BTreeMap<_, _>>().into_iter().collect();
        let saved = serde_json::to_string(&collected).unwrap();
        prop_assert_eq!(serde_json::from_str::<Collected>(&saved).unwrap(), collected);
    }

    #[test]
    fn what_is_resumed_from_json_asks_for_the_same_leaf(tree in tree(), taken in 0..8_usize) {
        let node = tree.written("r".into(), None).build().unwrap();
        let leaves = node.prompt().walk().unwrap();
        let collected: Collected = leaves.iter().take(taken).map(|leaf| (leaf.path.as_str(), "x")).collect();
        let saved: Value = serde_json::to_value(&collected).unwrap();
        let resumed: Collected = serde_json::from_value(saved).unwrap();
        let reloaded: DynamicNode = serde_json::from_value(serde_json::to_value(&node).unwrap()).unwrap();
        let next = reloaded.prompt().next(&resumed).unwrap();
        prop_assert_eq!(next.as_ref(), leaves.get(taken));
    }
}

// ---- spacing

/// A line of an author: blank lines before it, and its kind. Its number makes it unlike any other.
#[derive(Clone, Debug)]
struct Line {
    blanks: usize,
    kind: usize,
}

#[derive(Clone, Debug)]
struct Page {
    lines: Vec<Line>,
    /// Where the slot for the sections stands, if it has a line.
    slot: Option<(usize, usize)>,
    hidden: bool,
    sections: Vec<Page>,
}

/// The kind of a line that a guard takes away.
const GONE: usize = 0;
const KINDS: usize = 8;

fn line_text(kind: usize, number: usize) -> String {
    match kind {
        GONE => format!("{{?never}}gone {number}"),
        1 => format!("  indented  {number}"),
        2 => format!("- item {number}  "),
        3 => format!("{{\"json\": {number}, \"empty\": {{}}}}"),
        4 => format!("```text\n  raw {number}\n\n\n# no heading\n```"),
        5 => format!("<tag n=\"{number}\"/>\ttab"),
        6 => format!("1. `code {number}` and **more**"),
        _ => format!("word {number}"),
    }
}

fn page(most_blanks: usize) -> impl Strategy<Value = Page> {
    let line = (0..=most_blanks, 0..KINDS).prop_map(|(blanks, kind)| Line { blanks, kind });
    let own = (
        prop::collection::vec(line, 0..5),
        prop::option::of((0..6_usize, 0..=most_blanks)),
        prop::bool::weighted(0.3),
    );
    let page = |(lines, slot, hidden), sections| Page {
        lines,
        slot,
        hidden,
        sections,
    };
    let leaf = own.clone().prop_map(move |own| page(own, Vec::new()));
    leaf.prop_recursive(3, 20, 3, move |inner| {
        (own.clone(), prop::collection::vec(inner, 0..3))
            .prop_map(move |(own, sections)| page(own, sections))
    })
}

/// What must come out: author's lines in order, and how many blank lines the author put before each, where the line
/// before it is of the same text and comes out too.
struct Expected {
    number: usize,
    lines: Vec<(Option<usize>, String)>,
}

impl Page {
    fn written(&self, key: String, shown: bool, expected: &mut Expected) -> DynamicNodeBuilder {
        let shown = shown && !self.hidden;
        let mut body = String::new();
        let mut sections = Vec::new();
        let mut gap = None;
        let slot_at = self.slot.map(|(at, _)| at.min(self.lines.len()));
        for index in 0..=self.lines.len() {
            if slot_at == Some(index) {
                body.push_str(&"\n".repeat(self.slot.map_or(0, |(_, blanks)| blanks)));
                body.push_str("{PROMPT_SUBTREE}\n");
                sections = self.sections_written(shown, expected);
                gap = None;
            }
            let Some(line) = self.lines.get(index) else {
                continue;
            };
            expected.number += 1;
            // A text that is indented as a whole is dedented, so the first line stands at the margin.
            let kind = if index == 0 && line.kind == 1 {
                KINDS
            } else {
                line.kind
            };
            let text = line_text(kind, expected.number);
            body.push_str(&"\n".repeat(line.blanks));
            body.push_str(&text);
            body.push('\n');
            if line.kind == GONE {
                gap = None;
            } else if shown {
                expected.lines.push((gap.map(|()| line.blanks), text));
                gap = Some(());
            }
        }
        if slot_at.is_none() {
            sections = self.sections_written(shown, expected);
        }
        let node = DynamicNode::builder(key).body(body).when(!self.hidden);
        sections.into_iter().fold(node, DynamicNodeBuilder::section)
    }

    fn sections_written(&self, shown: bool, expected: &mut Expected) -> Vec<DynamicNodeBuilder> {
        let sections = self.sections.iter().enumerate();
        sections
            .map(|(index, page)| page.written(format!("k{index}"), shown, expected))
            .collect()
    }

    fn render(&self) -> (String, Expected) {
        // From 1000 on, so that no number begins with another.
        let mut expected = Expected {
            number: 1_000,
            lines: Vec::new(),
        };
        let root = Self {
            hidden: false,
            ..self.clone()
        };
        let node = root.written("r".into(), true, &mut expected);
        let node = DynamicNode::builder("top")
            .body("Top.")
            .section(node.untitled());
        let node = node.build_with(json!({ "never": false })).unwrap();
        (node.prompt().text().unwrap(), expected)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn no_line_of_the_author_is_lost_doubled_or_spaced_anew(page in page(3)) {
        let (text, expected) = page.render();
        let mut rest = text.as_str();
        for (gap, line) in &expected.lines {
            let Some(at) = rest.find(line.as_str()) else {
                panic!("{line:?} is lost or out of order in\n{text}")
            };
            prop_assert_eq!(text.matches(line.as_str()).count(), 1, "{:?} is doubled in\n{}", line, &text);
            if let Some(blanks) = gap {
                prop_assert_eq!(&rest[..at], "\n".repeat(blanks + 1), "before {:?} in\n{}", line, &text);
            }
            rest = &rest[at + line.len()..];
        }
        prop_assert!(!text.contains("gone"), "{}", text);
    }

    #[test]
    fn what_is_hidden_leaves_no_double_blank_line(page in page(1)) {
        let (text, _) = page.render();
        let outside = text.replace("\n\n\n# no heading", "");
        prop_assert!(!outside.contains("\n\n\n"), "{:?}", text);
        prop_assert!(!text.starts_with('\n') && !text.ends_with('\n'), "{:?}", text);
    }
}

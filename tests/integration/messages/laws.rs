//! Laws of the section table and of messages, over random trees with every option: ranges stand inside the text, on
//! character boundaries, nested like the sections; messages lose and double nothing; what is called static is.

use prompt_core::Budget;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::Style;
use prompt_core::Visibility;
use prompt_core::budget::Policy;
use prompt_core::prompt::Numbering;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const BODIES: [&str; 14] = [
    "",
    "",
    "Text of ä.",
    "Hello {name}.",
    "{name}",
    "{PROMPT_SUBTREE}",
    "Before.\n\n{PROMPT_SUBTREE}\n\nAfter {name}.",
    "## Notes\n\n{k0}\n\n## Rules\n\nBe kind 🍞.",
    "# Top\n\n## Maybe\n{k1}\n{?flag}### Asked\n\n## End\nText",
    "{?flag}Only now.\n\n- {?!flag}Else.\n- item {name}",
    "{?k0}There is one.\n\n{k0}\n\n    {k1}",
    "```\n{name}\n```\n\n{k1}",
    "<doc>{name}</doc>\n{k0}",
    "\n\n{note}\n\n## Behind\n{note}\n",
];

#[derive(Clone, Debug)]
struct Tree {
    body: usize,
    keys: Map<String, Value>,
    sections: Vec<Tree>,
}

/// Each key with a chance of its own.
fn keys() -> impl Strategy<Value = Map<String, Value>> {
    let maybe = |key: &'static str, values: Vec<Value>, chance: f64| {
        prop::option::weighted(chance, prop::sample::select(values))
            .prop_map(move |value| value.map(|value| (key.to_owned(), value)))
    };
    let all = vec![
        maybe("untitled", vec![json!(true)], 0.3),
        maybe("title", vec![json!("Title ö"), json!("Of {name}")], 0.3),
        maybe(
            "summary",
            vec![json!("Short."), json!("Short {name}.")],
            0.3,
        ),
        maybe("tag", vec![json!("doc"), json!("box")], 0.2),
        maybe("inline", vec![json!(true)], 0.1),
        maybe("attr", vec![json!({"id": 1}), json!({"id": "{name}"})], 0.1),
        maybe("indent", vec![json!(0), json!(3)], 0.1),
        maybe("guard", vec![json!("escaped")], 0.1),
        maybe("untrusted", vec![json!(true)], 0.1),
        maybe(
            "heading",
            vec![json!("== {title} =="), json!("{title}:")],
            0.1,
        ),
        maybe("tight", vec![json!(true)], 0.1),
        maybe("gap", vec![json!(0), json!(2)], 0.1),
        maybe("level", vec![json!(1), json!(4)], 0.1),
        maybe("priority", vec![json!(1), json!(2), json!("required")], 0.5),
        maybe(
            "role",
            vec![json!("user"), json!("assistant"), json!("system")],
            0.15,
        ),
        maybe("cache", vec![json!(true), json!(3600)], 0.2),
        maybe(
            "when",
            vec![json!("flag"), json!("!flag"), json!(false)],
            0.2,
        ),
        maybe("start", vec![json!("S:"), json!("<doc>\n")], 0.1),
        maybe("end", vec![json!(":E"), json!("\n")], 0.1),
        maybe("summary_suffix", vec![json!("(more: {key})")], 0.1),
    ];
    all.prop_map(|pairs| pairs.into_iter().flatten().collect())
}

/// Sections that print a value: none, one, or a list.
fn value_keys() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop::sample::select(vec!["name", "note", "list", "flag"]);
    let items = prop::option::of(prop::sample::select(vec![
        json!({"item": "<doc>{item}</doc>"}),
        json!({"item": "* {item}", "join": " | "}),
        json!({"item_title": "No {item}"}),
        json!({"item_tag": "box"}),
        json!({"empty": "Nothing."}),
    ]));
    (value, items).prop_map(|(value, items)| {
        let mut keys = Map::from_iter([("value".to_owned(), json!(value))]);
        if let Some(Value::Object(items)) = items.filter(|_| value == "list") {
            keys.extend(items);
        }
        keys
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let own = || (0..BODIES.len(), keys());
    let leaf = (own(), prop::option::of(value_keys())).prop_map(|((body, mut keys), value)| {
        keys.extend(value.unwrap_or_default());
        Tree {
            body,
            keys,
            sections: Vec::new(),
        }
    });
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let sections = prop::collection::vec(inner, 0..4);
        (own(), sections).prop_map(|((body, keys), sections)| Tree {
            body,
            keys,
            sections,
        })
    })
}

impl Tree {
    fn json(&self, key: &str) -> Value {
        let mut node = self.keys.clone();
        let mut body = BODIES[self.body].to_owned();
        for index in self.sections.len()..2 {
            body = body.replace(&format!("{{k{index}}}"), "a line");
            body = body.replace(&format!("{{?k{index}}}"), "");
        }
        if key == "root" {
            const OF_ROOTS: [&str; 6] = ["tag", "start", "end", "title", "heading", "tight"];
            node.retain(|key, _| OF_ROOTS.contains(&key.as_str()));
        }
        node.insert("key".into(), json!(key));
        if !node.contains_key("value") {
            node.insert("body".into(), json!(body));
        }
        let sections = self.sections.iter().enumerate();
        let sections: Vec<Value> = sections
            .map(|(at, tree)| tree.json(&format!("k{at}")))
            .collect();
        node.insert("sections".into(), sections.into());
        node.into()
    }

    /// The section at a path, which may be that of an item.
    fn at(&self, path: &str) -> Option<&Self> {
        let mut keys = path.split('.').map(|key| key.trim_start_matches('k'));
        keys.try_fold(self, |tree, key| {
            tree.sections.get(key.parse::<usize>().ok()?)
        })
    }

    /// The text without the headings and tags of sections that hold nothing but messages.
    fn sent(&self, prompt: &RenderedPrompt) -> String {
        let text = prompt.as_str();
        let mut is_sent = vec![true; text.len()];
        let shown = prompt
            .sections()
            .into_iter()
            .filter(|shown| !shown.range.is_empty());
        let shown: Vec<_> = shown.filter(|shown| !shown.path.is_empty()).collect();
        let is_turn = |path: &str| {
            let ends = path
                .match_indices('.')
                .map(|(at, _)| at)
                .chain([path.len()]);
            ends.into_iter()
                .filter_map(|end| self.at(&path[..end]))
                .any(|tree| tree.keys.contains_key("role"))
        };
        for outer in shown.iter().filter(|outer| !is_turn(&outer.path)) {
            let inside = format!("{}.", outer.path);
            let inside = shown.iter().filter(|shown| shown.path.starts_with(&inside));
            let around = [&outer.path]
                .into_iter()
                .chain(inside.clone().map(|shown| &shown.path));
            let mut own = around
                .filter(|path| !is_turn(path))
                .map(|path| self.at(path));
            let has_words = |tree: Option<&Self>| {
                let Some(tree) = tree else { return true };
                let is_slot = ["", "{PROMPT_SUBTREE}"].contains(&BODIES[tree.body]);
                let has = |key| tree.keys.contains_key(key);
                !is_slot || has("value") || has("start") || has("end")
            };
            let is_closed = |shown: &prompt_core::prompt::RenderedSection| {
                shown.visibility == Visibility::Summary && !is_turn(&shown.path)
            };
            let has_short = is_closed(outer) || inside.clone().any(is_closed);
            let turns: Vec<_> = inside.filter(|shown| is_turn(&shown.path)).collect();
            if !turns.is_empty() && !has_short && !own.any(has_words) {
                is_sent[outer.range.clone()].fill(false);
                turns
                    .iter()
                    .for_each(|turn| is_sent[turn.range.clone()].fill(true));
            }
        }
        let sent = text.char_indices().filter(|(at, _)| is_sent[*at]);
        sent.map(|(_, letter)| letter).collect()
    }

    fn node(&self, values: &Value) -> Option<DynamicNode> {
        let json = self.json("root").to_string();
        DynamicNode::from_json_with(&json, values).ok()
    }
}

fn values() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "",
        "x",
        "two\nlines",
        "# a",
        "</doc>",
        "ß",
        "</box> `",
        " \n",
    ]);
    let note = prop::option::of(prop::sample::select(vec!["", "noted", "<box>"]));
    let list = prop::collection::vec(prop::sample::select(vec!["", "a", "b\nc", "</doc>"]), 0..3);
    (name, note, list, any::<bool>()).prop_map(|(name, note, list, flag)| {
        json!({ "name": name, "note": note, "list": list, "flag": flag })
    })
}

#[derive(Clone, Debug)]
struct Options {
    xml: bool,
    level: u8,
    numbered: bool,
    indent: usize,
    overrides: Vec<(usize, bool)>,
    budget: Option<(usize, Policy)>,
    focus: Option<usize>,
}

fn options() -> impl Strategy<Value = Options> {
    let look = (any::<bool>(), 1..4_u8, any::<bool>(), 0..5_usize);
    let policies = [Policy::Cutoff, Policy::Prefix, Policy::Greedy];
    let budget = prop::option::of((5..120_usize, prop::sample::select(policies.to_vec())));
    let overrides = prop::collection::vec((0..9_usize, any::<bool>()), 0..4);
    let focus = prop::option::weighted(0.2, 0..9_usize);
    (look, overrides, budget, focus).prop_map(|(look, overrides, budget, focus)| {
        let (xml, level, numbered, indent) = look;
        Options {
            xml,
            level,
            numbered,
            indent,
            overrides,
            budget,
            focus,
        }
    })
}

/// The paths that options speak of by number.
fn leaves(node: &DynamicNode) -> Vec<String> {
    let leaves = node.prompt().walk().unwrap_or_default();
    leaves.into_iter().map(|leaf| leaf.path).collect()
}

fn render(node: &DynamicNode, options: &Options, leaves: &[String]) -> Option<RenderedPrompt> {
    let mut overrides = Overrides::default();
    for (leaf, is_open) in &options.overrides {
        let visibility = if *is_open {
            Visibility::Full
        } else {
            Visibility::Summary
        };
        if let Some(leaf) = leaves.get(*leaf) {
            overrides.set(leaf.clone(), visibility);
        }
    }
    let words = |text: &str| text.len();
    let style = if options.xml {
        Style::Xml
    } else {
        Style::Markdown
    };
    let numbering = if options.numbered {
        Numbering::Decimal
    } else {
        Numbering::None
    };
    let mut prompt = node
        .prompt()
        .style(style)
        .numbering(numbering)
        .base_level(options.level);
    prompt = prompt.indent(options.indent).overrides(&overrides);
    if let Some((limit, policy)) = options.budget {
        prompt = prompt.budget(Budget::tokens(limit).counter(&words).policy(policy));
    }
    if let Some(leaf) = options.focus.and_then(|focus| leaves.get(focus)) {
        prompt = prompt.focus(leaf.clone());
    }
    prompt.render().ok()
}

/// All characters but white space, which alone is no message, in an order of their own: messages put the system text first.
fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    letters.sort_unstable();
    letters
}

fn check_ranges(prompt: &RenderedPrompt) -> Result<(), TestCaseError> {
    let (text, sections) = (prompt.as_str(), prompt.sections());
    let mut last = 0;
    for section in &sections {
        let range = section.range.clone();
        prop_assert!(
            text.get(range.clone()).is_some(),
            "{}: {range:?} of {}",
            section.path,
            text.len()
        );
        prop_assert!(
            range.is_empty() || range.start >= last,
            "{} in {text:?}",
            section.path
        );
        last = last.max(range.start);
        let around = section.path.rsplit_once('.').map(|(around, _)| around);
        let around = around.and_then(|around| sections.iter().find(|other| other.path == around));
        if let Some(around) = around {
            let (outer, path) = (&around.range, &section.path);
            prop_assert!(
                outer.start <= range.start && range.end <= outer.end,
                "{path}: {range:?} is not in {outer:?} of {text:?}"
            );
        }
    }
    // Neighbours do not overlap.
    for (index, one) in sections.iter().enumerate() {
        for other in &sections[index + 1..] {
            let (a, b) = (&one.range, &other.range);
            let is_inside = other.path.starts_with(&format!("{}.", one.path));
            let is_apart = a.end <= b.start || a.is_empty() || b.is_empty();
            prop_assert!(
                is_inside || is_apart,
                "{} and {} in {text:?}",
                one.path,
                other.path
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(256), failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn ranges_and_messages_are_those_of_the_text(tree in tree(), values in values(), options in options()) {
        let prompt = tree.node(&values).and_then(|node| render(&node, &options, &leaves(&node)));
        let Some(prompt) = prompt else { return Err(TestCaseError::reject("no prompt")) };
        check_ranges(&prompt)?;
        let messages = prompt.messages();
        let joined: Vec<String> = messages.iter().map(|message| message.text().to_string()).collect();
        let sent = tree.sent(&prompt);
        prop_assert_eq!(letters(&joined.concat()), letters(&sent), "{:?} of {:?}", joined, prompt.as_str());
        let turns = messages.iter().filter(|message| message.role != prompt_core::Role::System);
        for text in turns.map(|message| message.text().to_string()) {
            prop_assert!(prompt.as_str().contains(&text), "{:?} in {:?}", text, prompt.as_str());
        }
        prop_assert!(prompt.as_str().is_char_boundary(prompt.static_prefix()));
    }

    #[test]
    fn a_static_prefix_is_what_any_two_renderings_share(
        tree in tree(),
        one in values(),
        other in values(),
        options in options(),
    ) {
        let (Some(one), Some(other)) = (tree.node(&one), tree.node(&other)) else {
            return Err(TestCaseError::reject("no node"))
        };
        let leaves = leaves(&one);
        let prompt = |node| render(node, &options, &leaves);
        let (Some(one), Some(other)) = (prompt(&one), prompt(&other)) else {
            return Err(TestCaseError::reject("no prompt"))
        };
        let prefix = one.static_prefix().max(other.static_prefix());
        let shared = one.as_str().bytes().zip(other.as_str().bytes()).take_while(|(a, b)| a == b).count();
        prop_assert!(prefix <= shared, "{prefix} of {:?} and {:?}", one.as_str(), other.as_str());
    }
}

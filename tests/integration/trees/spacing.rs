//! Spacing, as properties over random texts and sections: what the author wrote comes out to the byte, and what is hidden
//! takes only its own line and the blank lines before it along.
//!
//! The expected text is put together line by line from the rules of the documentation; nothing of the renderer is used.

use prompt_core::DynamicNode;
use prompt_core::PromptNode;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A piece of the root's text, with the blank lines before it.
#[derive(Clone, Debug)]
struct Block {
    blank: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Line(&'static str),
    Title(usize),
    Code,
    /// A line with a guard, and whether it holds.
    Guarded(bool),
    /// A section, and the columns before its slot.
    Slot(Section, usize),
}

#[derive(Clone, Debug)]
struct Section {
    titled: bool,
    shown: bool,
    body: &'static str,
}

const LINES: &[&str] = &[
    "plain words",
    "- item",
    "  - inner item",
    "> quote",
    "trailing blanks  ",
    "<!-- a comment -->",
    "{\"json\": [1, {}]}",
    "|a|b|",
    "\\# no title",
    "#hash",
    "<tag>",
    "`code` and {0}",
    "ends with ä",
];

const BODIES: &[&str] = &[
    "one",
    "one\ntwo",
    "one\n\n\ntwo",
    "- one\n  two\n\n```text\n\n\n# three\n```",
];

fn section() -> impl Strategy<Value = Section> {
    (any::<bool>(), any::<bool>(), prop::sample::select(BODIES)).prop_map(
        |(titled, shown, body)| Section {
            titled,
            shown,
            body,
        },
    )
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        4 => prop::sample::select(LINES).prop_map(Kind::Line),
        2 => (1usize..5).prop_map(Kind::Title),
        1 => Just(Kind::Code),
        2 => any::<bool>().prop_map(Kind::Guarded),
        4 => (section(), 0usize..5).prop_map(|(section, indent)| Kind::Slot(section, indent)),
    ]
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let block = (0usize..4, kind()).prop_map(|(blank, kind)| Block { blank, kind });
    prop::collection::vec(block, 0..12).prop_map(|mut blocks| {
        // A text that is indented as a whole is dedented: so one line of it stands at the margin.
        let at_margin = |block: &Block| match block.kind {
            Kind::Line(line) => !line.starts_with(' '),
            Kind::Title(_) | Kind::Code | Kind::Guarded(_) => true,
            Kind::Slot(..) => false,
        };
        if !blocks.iter().any(at_margin) {
            blocks.push(Block {
                blank: 1,
                kind: Kind::Code,
            });
        }
        blocks
    })
}

impl Block {
    /// As the author writes it.
    fn source(&self, index: usize) -> String {
        match &self.kind {
            Kind::Line(line) => format!("{line} {index}").replace("blanks   ", "blanks  "),
            Kind::Title(level) => format!("{} Title {index}", "#".repeat(*level)),
            Kind::Code => format!("```text\n{{x}} {index}\n\n\n# no title\n```"),
            Kind::Guarded(_) => format!("{{?guard_{index}}}guarded {index}"),
            Kind::Slot(_, indent) => format!("{}{{s{index}}}", " ".repeat(*indent)),
        }
    }

    /// As it is to come out; `None` if it is hidden.
    fn printed(&self, index: usize, level: usize) -> Option<String> {
        match &self.kind {
            Kind::Guarded(on) => on.then(|| format!("guarded {index}")),
            Kind::Slot(section, _) if !section.shown => None,
            Kind::Slot(section, indent) => {
                let text = section.printed(index, level);
                let line = |line: &str| {
                    if line.is_empty() {
                        String::new()
                    } else {
                        " ".repeat(*indent) + line
                    }
                };
                Some(text.split('\n').map(line).collect::<Vec<_>>().join("\n"))
            }
            _ => Some(self.source(index)),
        }
    }
}

impl Section {
    fn printed(&self, index: usize, level: usize) -> String {
        let heading = if self.titled {
            format!("{} Section {index}\n\n", "#".repeat(level.min(6)))
        } else {
            String::new()
        };
        heading + self.body
    }
}

fn source(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            text.push_str(&"\n".repeat(block.blank + 1));
        }
        text.push_str(&block.source(index));
    }
    text
}

/// Blocks up to the next title of this level or above.
fn body(blocks: &[Block], at: usize, level: usize) -> &[Block] {
    let rest = &blocks[at + 1..];
    let end = rest
        .iter()
        .position(|block| matches!(block.kind, Kind::Title(other) if other <= level));
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether a title stands over slots only.
fn is_optional(blocks: &[Block], at: usize, level: usize) -> bool {
    let body = body(blocks, at, level);
    let first = at + 1;
    let fits = |(offset, block): (usize, &Block)| match block.kind {
        Kind::Slot(..) => true,
        Kind::Title(level) => is_optional(blocks, first + offset, level),
        _ => false,
    };
    !body.is_empty() && body.iter().enumerate().all(fits)
}

fn is_gone(blocks: &[Block], at: usize, level: usize) -> bool {
    let shown = |block: &Block| matches!(&block.kind, Kind::Slot(section, _) if section.shown);
    is_optional(blocks, at, level) && !body(blocks, at, level).iter().any(shown)
}

fn expected(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut level = 1;
    // The blank lines before a line that was dropped, as long as the paragraph goes on.
    let mut dropped: Option<usize> = None;
    for (index, block) in blocks.iter().enumerate() {
        let printed = match block.kind {
            Kind::Title(own) if is_gone(blocks, index, own) => None,
            _ => block.printed(index, level),
        };
        if let Kind::Title(own) = block.kind {
            level = own + 1;
        }
        let blank = dropped
            .take()
            .filter(|_| block.blank == 0)
            .unwrap_or(block.blank);
        let Some(printed) = printed else {
            dropped = matches!(block.kind, Kind::Guarded(_)).then_some(blank);
            continue;
        };
        if !text.is_empty() {
            text.push_str(&"\n".repeat(blank + 1));
        }
        text.push_str(&printed);
    }
    text
}

fn node(blocks: &[Block], unplaced: &[Section]) -> DynamicNode {
    let mut builder = DynamicNode::builder("root").body(source(blocks));
    let mut values = Map::new();
    let mut add = |key: String, index: usize, section: &Section| {
        let child = DynamicNode::builder(key)
            .body(section.body)
            .when(section.shown);
        let title = format!("Section {index}");
        builder = builder.clone().section(if section.titled {
            child.title(title)
        } else {
            child.untitled()
        });
    };
    for (index, block) in blocks.iter().enumerate() {
        match &block.kind {
            Kind::Slot(section, _) => add(format!("s{index}"), index, section),
            Kind::Guarded(on) => drop(values.insert(format!("guard_{index}"), Value::Bool(*on))),
            _ => {}
        }
    }
    for (index, section) in unplaced.iter().enumerate() {
        add(format!("unplaced_{index}"), 100 + index, section);
    }
    builder.build().unwrap().bind(values).unwrap()
}

/// The longest run of blank lines.
fn blank_lines(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for line in text.lines() {
        run = if line.trim().is_empty() { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(1_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_hidden_takes_only_its_own_blank_lines_along(blocks in blocks()) {
        prop_assert_eq!(node(&blocks, &[]).prompt().text().unwrap(), expected(&blocks), "of {:?}", source(&blocks));
    }

    #[test]
    fn sections_without_a_place_follow_with_one_blank_line(
        blocks in blocks(),
        unplaced in prop::collection::vec(section(), 1..4),
    ) {
        let level = blocks.iter().rev().find_map(|block| match block.kind {
            Kind::Title(level) => Some(level + 1),
            _ => None,
        });
        let shown = unplaced.iter().enumerate().filter(|(_, section)| section.shown);
        let sections = shown.map(|(index, section)| section.printed(100 + index, level.unwrap_or(1)));
        let parts: Vec<String> = std::iter::once(expected(&blocks)).filter(|text| !text.is_empty()).chain(sections).collect();
        prop_assert_eq!(node(&blocks, &unplaced).prompt().text().unwrap(), parts.join("\n\n"), "of {:?}", source(&blocks));
    }

    #[test]
    fn no_line_is_lost_doubled_or_moved(blocks in blocks()) {
        let text = node(&blocks, &[]).prompt().text().unwrap();
        let own = |kind: &Kind| matches!(kind, Kind::Line(_) | Kind::Guarded(true));
        let written = blocks.iter().enumerate().filter(|(_, block)| own(&block.kind));
        let mut from = 0;
        for (index, block) in written {
            let line = block.printed(index, 1).unwrap();
            let at = text[from..].find(&line).map(|at| from + at);
            prop_assert!(at.is_some(), "{line:?} is lost, or not in order, in {text:?}");
            prop_assert_eq!(text.lines().filter(|other| *other == line.as_str()).count(), 1, "{:?} in {:?}", line, text);
            from = at.unwrap_or(from) + line.len();
        }
    }

    #[test]
    fn hidden_things_leave_no_blank_lines_of_their_own(blocks in blocks()) {
        let text = node(&blocks, &[]).prompt().text().unwrap();
        // The fences of the texts have two blank lines in them.
        let longest = blocks.iter().skip(1).map(|block| block.blank).max().unwrap_or(0).max(2);
        prop_assert!(blank_lines(&text) <= longest, "{text:?}");
        prop_assert!(!text.starts_with('\n') && !text.ends_with('\n'), "{text:?}");
    }

    #[test]
    fn a_text_in_which_nothing_happens_comes_out_to_the_byte(lines in prop::collection::vec("[ -z|~äß\u{3000}]{0,12}", 0..12)) {
        let text = lines.join("\n").replace(['{', '}'], "");
        let prompt = DynamicNode::builder("root").body(format!("start\n{text}\nend")).build();
        prop_assume!(prompt.is_ok());
        prop_assert_eq!(prompt.unwrap().prompt().text().unwrap(), format!("start\n{text}\nend"));
    }
}

/// Blank lines beside a block in code are those that they would be in a text, and the first and the last line stay.
#[test]
fn blank_lines_in_code() {
    let on = json!({ "x": true });
    let off = json!({ "x": false });
    let code = |lines: &str| format!("```\n{lines}\n```");
    let prints = |lines: &str, values: &Value, expected: &str| {
        let node = DynamicNode::builder("root").body(code(lines));
        let printed = node.build_with(values).unwrap().prompt().text().unwrap();
        assert_eq!(printed, code(expected), "{lines:?}, {values}");
    };
    prints("{?x}\na\n{/x}\n", &on, "a\n");
    prints("{?x}\na\n{/x}\n", &off, "");
    prints("{?x}a\n", &on, "a\n");
    prints("{?x}a\n", &off, "");
    prints("\n{?x}\na\n{/x}\nz", &on, "\na\nz");
    prints("\n{?x}\na\n{/x}\nz", &off, "\nz");
    prints("S\n{?x}\na\n\n{/x}\n\nE", &on, "S\na\n\n\nE");
    prints("S\n{?x}\na\n\n{/x}\n\nE", &off, "S\n\nE");
    prints(
        "S\n\n{*x}\n{item}\n\n{/x}\n\nE",
        &json!({ "x": ["a", "b"] }),
        "S\n\na\n\nb\n\nE",
    );
}

/// In code the line of an empty value stays, also where it is the only one.
#[test]
fn empty_values_in_code() {
    let empty = json!({ "x": "", "y": "" });
    for (text, expected) in [
        ("```\na\n{x}\nb\n```", "```\na\n\nb\n```"),
        ("```\n{x}\n```", "```\n\n```"),
        ("```\n{x}{y}\n```\nend", "```\n\n```\nend"),
        ("```\n{x}\n{y}\n```", "```\n\n\n```"),
        ("a\n{x}\nb", "a\nb"),
    ] {
        let node = DynamicNode::builder("root").body(text);
        let printed = node.build_with(&empty).unwrap().prompt().text().unwrap();
        assert_eq!(printed, expected, "{text:?}");
    }
}

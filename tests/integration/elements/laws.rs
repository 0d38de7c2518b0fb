//! Laws of element lists, over random texts: both ways to a list agree, and nothing is lost on the way.

use prompt_core::Template;
use prompt_core::elements::Element;
use prompt_core::elements::Elements;
use prompt_core::node::NodeInfo;
use prompt_core::node::SectionInfo;
use prompt_core::node::Text;
use prompt_core::node::Variable;
use prompt_syntax::{
    Block, BlockKind, Inline, Lowered, Mark, MarkKind, Options, Place, Target, blocks_source,
    inline_source, lower, parse,
};
use proptest::prelude::*;
use std::borrow::Cow;

const NAMES: &[&str] = &["name", "größe", "item"];
const SECTIONS: &[&str] = &["rules", "style_guide"];

/// How lines start.
const STARTS: &[&str] = &[
    "",
    "",
    "# ",
    "## ",
    "### ",
    "   #### ",
    "    # ",
    "- ",
    "  ",
    "\t",
    "1. ",
    "> ",
    "{?name}",
    "{?name}{?!item}",
    "- {?!name}",
    "```",
    "  ```",
    "~~~",
    "~~~~",
    "```",
    "- ```",
    "<!--",
    "<!--# ",
    "===",
    "---",
    "  # ",
];

/// What stands in them.
const PIECES: &[&str] = &[
    "word",
    "two words",
    " ",
    "{name}",
    "{größe}",
    "{item.0.x}",
    "{name:>8}",
    "{name::>3}",
    "{item.x:.2}",
    "{unknown}",
    "{name",
    "{ name }",
    "{{name}}",
    "{{{name}}}",
    "{{x}}",
    "{{x_{name}}}",
    "${name}",
    "${{name}}",
    "{}",
    "{0}",
    "{\"a\": 1}",
    "{",
    "}",
    "`",
    "``",
    "`{name}`",
    "`{x}`",
    "`{{name}}`",
    "```",
    "#",
    " #",
    " ##",
    "\\",
    "\t",
    "é",
    "日本",
    "\u{3000}",
    "{PROMPT_SUBTREE}",
    "{{PROMPT_SUBTREE}}",
    "{rules}",
    "<!--",
    "-->",
    "{?name}",
    "{?nope}",
    "\r",
];

/// Whole lines.
const LINES: &[&str] = &[
    "",
    "",
    "",
    "  ",
    "{PROMPT_SUBTREE}",
    "  {COLLECTED_CONTEXT}",
    "\t{rules}",
    "{style_guide}",
    "{name}",
    "{name}",
    "```",
    "```",
    "~~~",
    "  ```",
    "# T {name}",
    "###### Six",
    "## Two ##",
    "``` {name} ",
    "```rust",
    "{?name}",
    "<!--# n -->",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..5);
    let line = (prop::sample::select(STARTS), pieces)
        .prop_map(|(start, rest)| format!("{start}{}", rest.concat()));
    let whole = prop::sample::select(LINES).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![line, whole], 0..14).prop_map(|lines| lines.join("\n"))
}

fn places() -> impl Strategy<Value = Place> {
    prop::sample::select(&[Place::Node, Place::Introduction, Place::Inline, Place::Free][..])
}

fn options(place: Place) -> Options<'static> {
    Options {
        names: NAMES,
        sections: SECTIONS,
        ..Options::new(place)
    }
}

fn variable(variable: &prompt_syntax::Variable) -> Variable {
    let source = inline_source(&[Inline::Variable(variable.clone())]);
    Variable {
        source: Cow::Owned(source[1..source.len() - 1].to_owned()),
        ..Variable::DEFAULT
    }
}

/// The description that a derive would emit for these blocks.
fn info(blocks: &[Block]) -> NodeInfo {
    let Lowered {
        literal,
        marks,
        variables,
        guards,
        base,
        end,
        tags: _,
    } = lower(blocks);
    let section = |field: &&'static str| SectionInfo {
        field: Cow::Borrowed(*field),
        ..SectionInfo::DEFAULT
    };
    NodeInfo {
        text: Text {
            literal: literal.into(),
            marks: marks.into(),
            base,
            end,
        },
        variables: variables.iter().map(variable).collect(),
        guards: guards.into_iter().map(Cow::Owned).collect(),
        sections: SECTIONS.iter().map(section).collect(),
        ..NodeInfo::DEFAULT
    }
}

fn lines(list: &Elements) -> Vec<u32> {
    list.iter().map(|element| element.metadata().line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_ways_give_equal_lists(text in texts(), place in places()) {
        let blocks = parse(&text, &options(place)).blocks;
        let info = info(&blocks);
        let (direct, compact) = (Elements::from_blocks(&blocks), Elements::from_text(&info.text, &info));
        prop_assert_eq!(&direct, &compact);
        prop_assert_eq!(lines(&direct), lines(&compact));
    }

    #[test]
    fn printing_gives_the_source_back(text in texts(), place in places()) {
        let blocks = parse(&text, &options(place)).blocks;
        let list = Elements::from_blocks(&blocks);
        let has_tab = |block: &Block| matches!(&block.kind, BlockKind::Slot { indent, .. } if indent.contains('\t'));
        if !blocks.iter().any(has_tab) {
            prop_assert_eq!(list.to_markdown(), blocks_source(&blocks));
        }
        let again = parse(&list.to_markdown(), &options(place)).blocks;
        prop_assert_eq!(Elements::from_blocks(&again), list);
    }

    #[test]
    fn data_gives_the_list_back(text in texts(), place in places()) {
        let list = Elements::from_blocks(&parse(&text, &options(place)).blocks);
        let written = serde_json::to_string(&list).unwrap();
        let read: Elements = serde_json::from_str(&written).map_err(|error| TestCaseError::fail(format!("{error}: {written}")))?;
        prop_assert_eq!(read, list, "{}", written);
    }

    #[test]
    fn titles_are_optional_as_the_grammar_says(text in texts(), place in places()) {
        let blocks = parse(&text, &options(place)).blocks;
        let expected = blocks.iter().map(|block| match block.kind {
            BlockKind::Title { optional, .. } => optional,
            BlockKind::Slot { .. } => true,
            _ => false,
        });
        prop_assert_eq!(Elements::from_blocks(&blocks).optional(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn embedding_moves_the_smallest_level_and_keeps_gaps(text in texts(), level in 1u8..100) {
        let list = Elements::from_blocks(&parse(&text, &options(Place::Node)).blocks);
        let moved = list.clone().embed_at(level);
        let levels = |list: &Elements| list.iter().filter_map(Element::level).map(i32::from).collect::<Vec<_>>();
        let offset = i32::from(level) - i32::from(list.top());
        prop_assert_eq!(levels(&moved), levels(&list).iter().map(|level| level + offset).collect::<Vec<_>>());
        if !levels(&list).is_empty() {
            prop_assert_eq!(moved.top(), level);
        }
        prop_assert_eq!(moved.embed_at(list.top()), list);
    }

    #[test]
    fn a_template_has_the_elements_of_its_text(text in texts()) {
        match (Template::parse(&text), Elements::parse(&text)) {
            (Ok(template), Ok(list)) => {
                prop_assert_eq!(template.names(), list.names());
                prop_assert_eq!(template.elements(), list);
            }
            (Err(left), Err(right)) => prop_assert_eq!(left, right),
            (left, right) => prop_assert!(false, "{left:?} {right:?}"),
        }
    }
}

fn any_mark() -> impl Strategy<Value = Mark> {
    let number = || prop_oneof![0u32..40, Just(u32::MAX)];
    let kind =
        (0..10, number(), number(), any::<u16>()).prop_map(|(kind, len, line, small)| match kind {
            0 => MarkKind::Text { line },
            1 => MarkKind::Title {
                line,
                level: u8::MAX,
                optional: false,
                len,
                marks: small,
            },
            2 => MarkKind::Code {
                line,
                indent: 3,
                fence: len,
            },
            3 => MarkKind::CodeEnd { len },
            4 => MarkKind::Gap { len },
            5 => MarkKind::Variable(small),
            6 => MarkKind::Block(small % 3),
            7 => MarkKind::Guard {
                guard: small,
                negated: true,
                len,
                offset: small,
                marks: small,
            },
            8 => MarkKind::Escape { len },
            _ => MarkKind::Slot {
                target: Target::Section(small),
                line,
                level: 0,
                indent: 1,
            },
        });
    (number(), kind).prop_map(|(at, kind)| Mark { at, kind })
}

proptest! {
    /// Whoever implements `PromptNode` by hand can get the marks wrong.
    #[test]
    fn wrong_marks_do_no_harm(literal in "[a#`é \n]{0,30}", marks in prop::collection::vec(any_mark(), 0..8)) {
        let text = Text { literal: literal.into(), marks: marks.into(), base: 1, end: 1 };
        prop_assert!(Elements::from_text(&text, NodeInfo::EMPTY).len() <= 9);
    }
}

#[test]
fn a_long_text_takes_linear_time() {
    let text = "# T {name}\n\ntext `{name}` {{x}}\n```\n{name}\n```\n{name}\n\n".repeat(20_000);
    let start = std::time::Instant::now();
    let list = Template::parse(&text).unwrap().elements();
    assert_eq!(list.len(), 80_000);
    assert_eq!(list.names(), ["name"]);
    assert!(list.embed_at(2).outline().len() > text.len() / 2);
    assert!(start.elapsed().as_secs() < 20);
}

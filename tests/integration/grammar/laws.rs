//! Laws of the grammar, over random texts.

use prompt_syntax::{
    Block, BlockKind, Code, Inline, Mark, MarkKind, Options, Place, Span, Specs, blocks_source,
    lower, nearest, parse,
};
use proptest::prelude::*;

const NAMES: &[&str] = &["name", "größe", "item", "type"];
const SECTIONS: &[&str] = &["rules", "style_guide"];

/// What Markdown, templates and this grammar stumble over.
const FRAGMENTS: &[&str] = &[
    "word",
    "two words",
    "{name}",
    "{größe}",
    "{item.0.x}",
    "{name:>8}",
    "{name:.2}",
    "{nam}",
    "{unknown}",
    "{ name }",
    "{name",
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
    "{{",
    "}}",
    "{?name}",
    "{?!name}",
    "{?nope}",
    "{{?name}}",
    "{PROMPT_SUBTREE}",
    "{COLLECTED_CONTEXT}",
    "{rules}",
    "{style_guide}",
    "{{PROMPT_SUBTREE}}",
    "#",
    "# ",
    "## ",
    "###### ",
    "####### ",
    " #",
    " ##",
    "\\#",
    "\\",
    "`",
    "``",
    "```",
    "````",
    "~~~",
    "~~~~",
    "```text",
    "```rust",
    "```ignore",
    "``` {name} ",
    "    ",
    "  ",
    " ",
    "\t",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "10. ",
    "> ",
    "---",
    "===",
    "***",
    "<!--",
    "-->",
    "<!--# ",
    "<!--# note -->",
    "<!-- x -->",
    "<tag>",
    "</tag>",
    "<a b=\"{name}\">",
    "Vec<T>",
    "<",
    "|",
    "é",
    "日本",
    "\u{3000}",
    "\u{a0}",
    "\u{2028}",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n\n",
    "\n  ",
    "\n    ",
    "\n# ",
    "\n{PROMPT_SUBTREE}\n",
    "\n- ",
    "\n> ",
];

/// How lines start.
const STARTS: &[&str] = &[
    "",
    "",
    "",
    "# ",
    "## ",
    "### ",
    " # ",
    "   ### ",
    "    # ",
    "- ",
    "- - ",
    "  ",
    "    ",
    "\t",
    "      ",
    "1. ",
    "2. ",
    "> ",
    "> - ",
    "{?name}",
    "- {?!name}",
    "```",
    "  ```",
    "```",
    "~~~",
    "    ```",
    "- ```",
    "<!--",
    "<!--# ",
    "{PROMPT_SUBTREE}",
    "  {rules}",
    "---",
    "-",
];

/// Texts without order, and texts made of lines.
fn texts() -> impl Strategy<Value = String> {
    let fragment = || prop::sample::select(FRAGMENTS);
    let line = (
        prop::sample::select(STARTS),
        prop::collection::vec(fragment(), 0..4),
    )
        .prop_map(|(start, rest)| format!("{start}{}", rest.concat()));
    let line = prop_oneof![3 => line, 1 => Just(String::new())];
    prop_oneof![
        prop::collection::vec(fragment(), 0..40).prop_map(|parts| parts.concat()),
        prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n")),
    ]
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

/// The blocks without what depends on where they stood.
fn placeless(mut blocks: Vec<Block>) -> Vec<Block> {
    let clear = |pieces: &mut Vec<Inline>| {
        for piece in pieces {
            match piece {
                Inline::Variable(variable) => variable.span = Span::default(),
                Inline::Guard { span, .. } => *span = Span::default(),
                _ => {}
            }
        }
    };
    for block in &mut blocks {
        (block.span, block.line) = (Span::default(), 0);
        match &mut block.kind {
            BlockKind::Title { text, .. } | BlockKind::Text(text) => clear(text),
            BlockKind::Code { info, text, .. } => {
                clear(info);
                clear(text);
            }
            BlockKind::Slot { .. } => {}
        }
    }
    blocks
}

/// Whether the text is written the way blocks are printed, so that it comes back byte for byte.
fn is_canonical(text: &str) -> bool {
    !text.contains("<!--#")
        && !text.starts_with('\n')
        && !text.ends_with('\n')
        && text.split('\n').all(is_canonical_line)
}

fn is_canonical_line(line: &str) -> bool {
    let content = line.trim_matches([' ', '\t']);
    let title = content.trim_start_matches('#');
    match content.chars().next() {
        None => line.is_empty(),
        Some('#') => {
            content == line
                && title.starts_with(' ')
                && !title[1..].starts_with([' ', '\t'])
                && !line.ends_with('#')
        }
        Some('{') => !line.ends_with([' ', '\t']),
        Some(_) => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_gives_the_text_back(text in texts(), place in places()) {
        let parsed = parse(&text, &options(place));
        let printed = blocks_source(&parsed.blocks);
        if place == Place::Inline || is_canonical(&text) {
            prop_assert_eq!(&printed, &text);
        }
        let again = parse(&printed, &options(place));
        prop_assert_eq!(placeless(again.blocks), placeless(parsed.blocks));
    }

    #[test]
    fn line_ends_make_no_difference(text in texts(), place in places(), ends in prop::sample::select(&["\r", "\r\n"][..])) {
        let unix = parse(&text, &options(place));
        let other = parse(&text.replace('\n', ends), &options(place));
        let lines = |blocks: &[Block]| blocks.iter().map(|block| (block.line, block.blank_lines)).collect::<Vec<_>>();
        prop_assert_eq!(lines(&unix.blocks), lines(&other.blocks));
        let facts = |problems: &[prompt_syntax::Problem]| {
            problems.iter().map(|p| (p.code, p.line, p.column, p.message.clone(), p.help.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(facts(&unix.problems), facts(&other.problems));
        prop_assert_eq!(placeless(unix.blocks), placeless(other.blocks));
    }

    #[test]
    fn spans_lie_in_the_text_and_in_order(text in texts(), place in places(), ends in prop::sample::select(&["\r", "\r\n", "\n"][..])) {
        let text = text.replace('\n', ends);
        let parsed = parse(&text, &options(place));
        let mut end = 0;
        for block in &parsed.blocks {
            prop_assert!(text.get(block.span.start..block.span.end).is_some());
            prop_assert!(block.span.start >= end);
            end = block.span.end;
            if let BlockKind::Text(pieces) | BlockKind::Title { text: pieces, .. } = &block.kind {
                for piece in pieces {
                    if let Inline::Variable(variable) = piece {
                        let written = &text[variable.span.start..variable.span.end];
                        prop_assert_eq!(written, prompt_syntax::inline_source(std::slice::from_ref(piece)));
                    }
                }
            }
        }
        let mut start = 0;
        for problem in &parsed.problems {
            prop_assert!(text.get(problem.span.start..problem.span.end).is_some(), "{:?}", problem);
            prop_assert!(problem.span.start >= start);
            start = problem.span.start;
            let before = text[..start].replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(problem.line, before.matches('\n').count() + 1);
            prop_assert_eq!(problem.column, before.rsplit('\n').next().unwrap().chars().count() + 1);
        }
    }

    #[test]
    fn any_text_can_be_read(text in any::<String>(), place in places(), doc_comment in any::<bool>()) {
        let options = Options { doc_comment, specs: Specs::Runtime, allow: Code::ALL, ..options(place) };
        let parsed = parse(&text, &options);
        let lowered = lower(&parsed.blocks);
        check_marks(&lowered.literal, &lowered.marks)?;
        prop_assert!(nearest(&text, NAMES.iter().copied()).is_none_or(|near| NAMES.contains(&near)));
    }

    #[test]
    fn lowering_keeps_every_byte(text in texts(), place in places()) {
        let parsed = parse(&text, &options(place));
        let lowered = lower(&parsed.blocks);
        check_marks(&lowered.literal, &lowered.marks)?;
        prop_assert_eq!(raised(&lowered), rendered(&parsed.blocks));
    }
}

/// The source text of blocks with single braces where the author doubled them, and headings as they print.
fn rendered(blocks: &[Block]) -> String {
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        match &mut block.kind {
            BlockKind::Title { level, text, .. } => {
                let source = inline_printed(text);
                block.kind = BlockKind::Text(vec![Inline::Literal(format!(
                    "{} {source}",
                    "#".repeat(usize::from(*level))
                ))]);
            }
            BlockKind::Text(text) => *text = vec![Inline::Literal(inline_printed(text))],
            BlockKind::Code { info, text, .. } => {
                *info = vec![Inline::Literal(inline_printed(info))];
                if !text.is_empty() {
                    *text = vec![Inline::Literal(inline_printed(text))];
                }
            }
            BlockKind::Slot { indent, .. } => indent.clear(),
        }
    }
    blocks_source(&blocks)
}

fn inline_printed(pieces: &[Inline]) -> String {
    let print = |piece: &Inline| match piece {
        Inline::Escaped(text) => text.clone(),
        Inline::Guard { .. } => String::new(),
        piece => prompt_syntax::inline_source(std::slice::from_ref(piece)),
    };
    pieces.iter().map(print).collect()
}

/// The literal with variables and slots put back where the marks say.
fn raised(lowered: &prompt_syntax::Lowered) -> String {
    let mut text = String::new();
    let mut from = 0;
    for mark in &lowered.marks {
        let written = match mark.kind {
            MarkKind::Variable(index) | MarkKind::Block(index) => {
                prompt_syntax::inline_source(&[Inline::Variable(
                    lowered.variables[usize::from(index)].clone(),
                )])
            }
            MarkKind::Slot {
                target: prompt_syntax::Target::Subtree,
                ..
            } => "{PROMPT_SUBTREE}".into(),
            MarkKind::Slot {
                target: prompt_syntax::Target::Collected,
                ..
            } => "{COLLECTED_CONTEXT}".into(),
            MarkKind::Slot {
                target: prompt_syntax::Target::Section(index),
                ..
            } => {
                format!("{{{}}}", SECTIONS[usize::from(index)])
            }
            _ => continue,
        };
        text.push_str(&lowered.literal[from..mark.at as usize]);
        text.push_str(&written);
        from = mark.at as usize;
    }
    text + &lowered.literal[from..]
}

/// Marks are sorted; gaps are white space with a line break, between lines; guards cover whole lines.
fn check_marks(literal: &str, marks: &[Mark]) -> Result<(), TestCaseError> {
    prop_assert!(marks.is_sorted_by_key(|mark| mark.at));
    let mut gap_end = 0;
    for (index, mark) in marks.iter().enumerate() {
        let at = mark.at as usize;
        prop_assert!(literal.is_char_boundary(at));
        prop_assert!(
            at >= gap_end || matches!(mark.kind, MarkKind::CodeEnd { .. }),
            "a mark inside a gap: {mark:?}"
        );
        match mark.kind {
            MarkKind::Gap { len } => {
                gap_end = at + len as usize;
                let gap = &literal[at..gap_end];
                prop_assert!(
                    gap.starts_with('\n')
                        && gap.ends_with('\n')
                        && gap.trim_matches([' ', '\t', '\n']).is_empty()
                );
            }
            MarkKind::Guard {
                len,
                offset,
                marks: count,
                ..
            } => {
                let end = at + len as usize;
                prop_assert!(at == 0 || literal.as_bytes()[at - 1] == b'\n');
                prop_assert!(end == literal.len() || literal.as_bytes()[end] == b'\n');
                prop_assert!(u32::from(offset) <= len);
                let inside = marks[index + 1..].iter().take(usize::from(count));
                prop_assert!(inside.clone().count() == usize::from(count));
                let (first, last) = (mark.at, mark.at + len);
                prop_assert!(inside.clone().all(|mark| (first..=last).contains(&mark.at)));
                let is_inline = |mark: &Mark| {
                    matches!(
                        mark.kind,
                        MarkKind::Variable(_) | MarkKind::Escape { .. } | MarkKind::Guard { .. }
                    )
                };
                prop_assert!(inside.clone().all(is_inline));
            }
            MarkKind::Title {
                len,
                marks: count,
                level,
                ..
            } => {
                let title = &literal[at..at + len as usize];
                prop_assert!(
                    title.starts_with(&"#".repeat(usize::from(level))) && !title.contains('\n')
                );
                prop_assert!(marks[index + 1..].len() >= usize::from(count));
            }
            MarkKind::Escape { len } => {
                let escaped = &literal[at..at + len as usize];
                prop_assert_eq!(
                    (escaped.chars().next(), escaped.chars().last()),
                    (Some('{'), Some('}'))
                );
            }
            _ => {}
        }
    }
    Ok(())
}

//! Laws of the grammar, over random texts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{
    Code, ConditionForm, Element, Elements, Lowering, Mark, MarkKind, Options, Place, Specs,
    Target, UseKind, lower, nearest, parse, parse_free, raise, tags,
};
use proptest::prelude::*;
use support::texts::{NAMES, SECTIONS, all_texts, options, places};

/// Whether the text is written the way blocks are printed, so that it comes back byte for byte.
fn is_canonical(text: &str) -> bool {
    !text.contains("<!--#")
        && text.split('\n').next().is_none_or(|line| !is_blank(line))
        && text.rsplit('\n').next().is_none_or(|line| !is_blank(line))
        && text.split('\n').all(is_canonical_line)
}

fn is_blank(line: &str) -> bool {
    line.trim_matches([' ', '\t']).is_empty()
}

fn is_canonical_line(line: &str) -> bool {
    let content = line.trim_matches([' ', '\t']);
    let title = content.trim_start_matches('#');
    match content.chars().next() {
        Some('#') => {
            content == line
                && title.starts_with(' ')
                && !title[1..].starts_with([' ', '\t'])
                && !line.ends_with('#')
        }
        Some('{') => {
            let heading = content.rsplit('}').next().unwrap_or_default();
            let marks = content.find('#').map_or("", |at| &content[at..]);
            !line.ends_with([' ', '\t'])
                && !line[..line.len() - content.len()].contains('\t')
                && (marks.is_empty() || is_canonical_line(marks))
                && !heading.starts_with(' ')
                && (marks.is_empty() || content == line)
        }
        None | Some(_) => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_gives_the_text_back(text in all_texts(), place in places()) {
        let parsed = parse(&text, &options(place));
        let printed = parsed.elements.to_string();
        if is_canonical(&text) {
            prop_assert_eq!(&printed, &text);
        }
        // The closing hashes of a heading are not printed, and may have kept a note from being one.
        if !text.contains("<!--#") {
            let again = parse(&printed, &options(place));
            prop_assert_eq!(again.elements, parsed.elements);
        }
    }

    #[test]
    fn line_ends_make_no_difference(text in all_texts(), place in places(), ends in prop::sample::select(&["\r", "\r\n"][..])) {
        let unix = parse(&text, &options(place));
        let other = parse(&text.replace('\n', ends), &options(place));
        let lines = |list: &Elements| list.iter().map(|element| element.metadata().line).collect::<Vec<_>>();
        prop_assert_eq!(lines(&unix.elements), lines(&other.elements));
        let facts = |problems: &[prompt_syntax::Problem]| {
            problems.iter().map(|p| (p.code, p.line, p.column, p.message.clone(), p.help.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(facts(&unix.problems), facts(&other.problems));
        prop_assert_eq!(unix.elements, other.elements);
        let places = |uses: &[prompt_syntax::Use]| uses.iter().map(|used| (used.line, used.column)).collect::<Vec<_>>();
        prop_assert_eq!(places(&unix.uses), places(&other.uses));
    }

    #[test]
    fn spans_lie_in_the_text_and_in_order(text in all_texts(), place in places(), ends in prop::sample::select(&["\r", "\r\n", "\n"][..])) {
        let text = text.replace('\n', ends);
        let parsed = parse(&text, &options(place));
        let place_of = |start: usize| {
            let before = text[..start].replace("\r\n", "\n").replace('\r', "\n");
            (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().chars().count() + 1)
        };
        let mut start = 0;
        for used in &parsed.uses {
            let written = &text[used.span.start..used.span.end];
            let has_braces = written.starts_with('{') && written.ends_with('}');
            prop_assert!(has_braces && written.contains(&used.name));
            prop_assert_eq!(matches!(used.kind, UseKind::Condition { .. }), written.starts_with("{?"));
            prop_assert!(used.span.start >= start);
            start = used.span.end;
            prop_assert_eq!((used.line, used.column), place_of(used.span.start));
        }
        let mut start = 0;
        for problem in &parsed.problems {
            prop_assert!(text.get(problem.span.start..problem.span.end).is_some(), "{:?}", problem);
            prop_assert!(problem.span.start >= start);
            start = problem.span.start;
            prop_assert_eq!((problem.line, problem.column), place_of(start));
        }
        let variables = parsed.elements.iter().flat_map(Element::pieces).filter(|piece| {
            matches!(piece, prompt_syntax::Inline::Variable { .. } | prompt_syntax::Inline::If { .. })
        });
        prop_assert_eq!(variables.count(), parsed.uses.len());
    }

    #[test]
    fn any_text_can_be_read(text in any::<String>(), place in places(), doc_comment in any::<bool>()) {
        let options = Options { doc_comment, specs: Specs::Runtime, allow: Code::ALL, ..options(place) };
        let parsed = parse(&text, &options);
        let lowered = lower(&parsed.elements, SECTIONS);
        check_marks(&lowered.literal, &lowered.marks)?;
        prop_assert!(parse_free(&text, &options).elements.len() <= text.len());
        prop_assert!(tags(&text).all(|tag| text.get(tag.range).is_some() && text.get(tag.name).is_some()));
        prop_assert!(nearest(&text, NAMES.iter().copied()).is_none_or(|near| NAMES.contains(&near)));
    }

    #[test]
    fn a_text_is_read_with_the_names_that_it_uses(text in all_texts()) {
        let options = options(Place::Free);
        let free = Options { names: &[], ..options };
        let uses = parse(&text, &free).uses;
        let names: Vec<&str> = uses.iter().map(|used| used.name.as_str()).collect();
        prop_assert_eq!(parse_free(&text, &free), parse(&text, &Options { names: &names, ..options }));
    }

    #[test]
    fn lowering_loses_nothing(text in all_texts(), place in places()) {
        let elements = parse(&text, &options(place)).elements;
        // What is wrong with the conditions of a heading stands before its hashes: no renderer sees it.
        let is_wrong = |element: &Element| {
            matches!(element, Element::Title { conditions, .. } if conditions.iter().any(|piece| piece.form().is_none()))
        };
        prop_assume!(!elements.iter().any(is_wrong));
        let mut lowering = Lowering::new(SECTIONS);
        lowering.text(&parse("{item} {?item}x", &options(place)).elements);
        let lowered = lowering.text(&elements);
        check_marks(&lowered.literal, &lowered.marks)?;
        let raised = raise(&lowered.literal.into(), &lowered.marks, &lowering);
        let lines = |list: &Elements| list.iter().map(|element| element.metadata().line).collect::<Vec<_>>();
        prop_assert_eq!(lines(&raised), lines(&elements));
        prop_assert_eq!(raised, elements);
    }

    #[test]
    fn rendering_follows_the_marks(text in all_texts(), has_values in any::<bool>()) {
        let parsed = parse(&text, &options(Place::Node));
        let lowered = lower(&parsed.elements, SECTIONS);
        let value = if has_values { "v" } else { "" };
        let rendered = support::render(&lowered, &serde_json::json!({"name": value, "item": value}));
        // What is printed is what stands in the text, and the values: nothing is made up.
        let count = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != 'v').count();
        prop_assert!(count(&rendered) <= count(&lowered.literal));
    }

    #[test]
    fn embedding_moves_the_smallest_level_and_keeps_gaps(text in all_texts(), level in 1u8..100) {
        let list = parse(&text, &options(Place::Node)).elements;
        let moved = list.clone().embed_at(level);
        let levels = |list: &Elements| list.iter().filter_map(Element::level).map(i32::from).collect::<Vec<_>>();
        let offset = i32::from(level) - i32::from(list.top());
        prop_assert_eq!(levels(&moved), levels(&list).iter().map(|level| level + offset).collect::<Vec<_>>());
        if !levels(&list).is_empty() {
            prop_assert_eq!(moved.top(), level);
        }
        prop_assert_eq!(moved.embed_at(list.top()), list);
    }
}

/// Marks are sorted; gaps are white space with a line break; conditions are nested and know their ends.
fn check_marks(literal: &str, marks: &[Mark]) -> Result<(), TestCaseError> {
    prop_assert!(marks.is_sorted_by_key(|mark| mark.at));
    let mut gap_end = 0;
    let mut open: Vec<(usize, ConditionForm)> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let at = mark.at as usize;
        prop_assert!(literal.is_char_boundary(at));
        prop_assert!(
            at >= gap_end || matches!(mark.kind, MarkKind::CodeEnd { .. }),
            "a mark inside a gap: {mark:?}"
        );
        if let MarkKind::Else { form, .. } | MarkKind::End { form } = mark.kind {
            let (opener, form_before) = open.pop().expect("what ends has begun");
            prop_assert_eq!(
                std::mem::discriminant(&form_before),
                std::mem::discriminant(&form)
            );
            let (MarkKind::If { end, .. } | MarkKind::Else { end, .. }) = marks[opener].kind else {
                unreachable!()
            };
            prop_assert_eq!(end as usize, index);
        }
        match mark.kind {
            MarkKind::If { form, .. } | MarkKind::Else { form, .. } => open.push((index, form)),
            MarkKind::Gap { len, ends_line } => {
                gap_end = at + len as usize;
                let gap = &literal[at..gap_end];
                prop_assert!(
                    gap.ends_with('\n') && is_blank(&gap.replace('\n', "")),
                    "{gap:?} {marks:?}"
                );
                prop_assert!(!ends_line || gap.starts_with('\n'));
            }
            MarkKind::Line { head } => {
                prop_assert!(at == 0 || literal.as_bytes()[at - 1] == b'\n');
                prop_assert!(!literal[at..at + usize::from(head)].contains('\n'));
            }
            MarkKind::Title {
                len,
                marks: count,
                level,
                ..
            } => {
                let line = &literal[at..at + len as usize];
                prop_assert!(
                    line.starts_with(&"#".repeat(usize::from(level))) && !line.contains('\n')
                );
                let inside = &marks[index + 1..][..usize::from(count)];
                prop_assert!(
                    inside
                        .iter()
                        .all(|mark| mark.at as usize <= at + len as usize)
                );
                let is_outside = |mark: &Mark| {
                    matches!(
                        mark.kind,
                        MarkKind::Gap { .. } | MarkKind::Title { .. } | MarkKind::Text { .. }
                    )
                };
                prop_assert!(!inside.iter().any(is_outside));
                let after = marks
                    .get(index + 1 + usize::from(count))
                    .map(|mark| mark.kind);
                let is_left = matches!(
                    after,
                    Some(
                        MarkKind::Variable(_)
                            | MarkKind::End {
                                form: ConditionForm::Line | ConditionForm::Inline
                            }
                    )
                );
                prop_assert!(!is_left, "{:?}", after);
            }
            MarkKind::Escape { len } => prop_assert!(literal.get(at..at + len as usize).is_some()),
            _ => {}
        }
    }
    prop_assert!(open.is_empty());
    Ok(())
}

fn form(number: u16) -> ConditionForm {
    match number % 3 {
        0 => ConditionForm::Line,
        1 => ConditionForm::Inline,
        _ => ConditionForm::Block { indent: number },
    }
}

fn any_mark() -> impl Strategy<Value = Mark> {
    let number = || prop_oneof![0u32..40, Just(u32::MAX)];
    let kind =
        (0..13, number(), number(), any::<u16>()).prop_map(|(kind, len, line, small)| match kind {
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
            4 => MarkKind::Gap {
                len,
                ends_line: small > 9,
            },
            5 => MarkKind::Variable(small),
            6 => MarkKind::Block(small % 3),
            7 => MarkKind::If {
                condition: small,
                negated: true,
                form: form(small),
                end: len,
            },
            9 => MarkKind::Else {
                form: form(small),
                end: len,
            },
            10 => MarkKind::End { form: form(small) },
            11 => MarkKind::Line { head: small },
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
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whoever implements `PromptNode` by hand can get the marks wrong.
    #[test]
    fn wrong_marks_do_no_harm(literal in "[a#`é \n]{0,30}", marks in prop::collection::vec(any_mark(), 0..8)) {
        let count = marks.len();
        let elements = raise(&literal.into(), &marks, &Lowering::new(&[]));
        prop_assert!(elements.len() <= 9);
        // Nor does a list that no text gives.
        let lowered = lower(&elements, SECTIONS);
        prop_assert!(lowered.marks.len() <= 8 * (count + 1));
    }
}

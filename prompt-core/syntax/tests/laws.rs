//! Laws of the grammar, over random texts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{
    Code, Context, Each, Element, Elements, If, Inline, Options, Part, Place, Specs, Tables,
    UseKind, nearest, parse, parse_free, tags,
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
        // Marker lines are kept as they are written.
        Some('{')
            if !content.contains('#')
                && ["{?", "{*", "{/", "{else"]
                    .iter()
                    .any(|start| content.starts_with(start)) =>
        {
            true
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

/// So many of the cases that are tried in the gate: a tenth, or as many percent as the variable `CASES_PERCENT` says.
fn percent() -> u32 {
    let percent = std::env::var("CASES_PERCENT");
    percent.map_or(10, |percent| percent.parse().expect("a number of percent"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20 * percent(), failure_persistence: None, ..ProptestConfig::default() })]

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
        let lines = |list: &Elements| list.all().map(|element| element.metadata().line).collect::<Vec<_>>();
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
            prop_assert_eq!(matches!(used.kind, UseKind::Loop { .. }), written.starts_with("{*"));
            if let Some(of) = used.in_loop.map(|in_loop| in_loop.of).filter(|of| *of < usize::MAX) {
                let is_loop = matches!(parsed.uses[of].kind, UseKind::Loop { .. });
                prop_assert!(is_loop);
                prop_assert!(parsed.uses[of].span.end <= used.span.start);
            }
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
        let count: usize = parsed.elements.all().map(|element| {
            let own = usize::from(matches!(element, Element::If { .. } | Element::Each { .. }));
            own + element.inline_texts().map(|text| count(text.iter().as_slice())).sum::<usize>()
        }).sum();
        prop_assert_eq!(count, parsed.uses.len());
    }

    #[test]
    fn any_text_can_be_read(text in any::<String>(), place in places(), doc_comment in any::<bool>()) {
        let options = Options { doc_comment, specs: Specs::Runtime, allow: Code::ALL, ..options(place) };
        let parsed = parse(&text, &options);
        Tables::new(SECTIONS).text(parsed.elements, &Context::default());
        prop_assert!(parse_free(&text, &options).elements.len() <= text.len());
        prop_assert!(tags(&text).all(|tag| text.get(tag.range).is_some() && text.get(tag.name).is_some()));
        prop_assert!(nearest(&text, NAMES.iter().copied()).is_none_or(|near| NAMES.contains(&near)));
    }

    #[test]
    fn a_text_is_read_with_the_names_that_it_uses(text in all_texts()) {
        let options = options(Place::Free);
        let free = Options { names: &[], ..options };
        let uses = parse(&text, &free).uses;
        let names = uses.iter().filter(|used| used.in_loop.is_none());
        let names: Vec<&str> = names.map(|used| used.name.as_str()).collect();
        prop_assert_eq!(parse_free(&text, &free), parse(&text, &Options { names: &names, ..options }));
    }

    #[test]
    fn numbers_lie_in_their_tables(text in all_texts(), place in places()) {
        let elements = parse(&text, &options(place)).elements;
        let mut tables = Tables::new(SECTIONS);
        let text = tables.text(elements.clone(), &Context::default());
        prop_assert_eq!(&text.elements[..], elements.iter().as_slice());
        check_list(&text.elements, &tables)?;
    }

    #[test]
    fn what_is_printed_stands_in_the_text(text in all_texts(), has_values in any::<bool>()) {
        let value = if has_values { "v" } else { "" };
        let values = serde_json::json!({"name": value, "item": value, "größe": [value], "type": [value, value]});
        let parsed = support::read(&text, &values);
        let source = parsed.elements.to_string();
        let count = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != 'v').count();
        prop_assert!(count(&support::print(parsed, &values)) <= 3 * count(&source));
    }

    #[test]
    fn embedding_moves_the_smallest_level_and_keeps_gaps(text in all_texts(), level in 1u8..100) {
        let list = parse(&text, &options(Place::Node)).elements;
        let moved = list.clone().embed_at(level);
        let levels = |list: &Elements| list.all().filter_map(Element::level).map(i32::from).collect::<Vec<_>>();
        let offset = i32::from(level) - i32::from(list.top());
        prop_assert_eq!(levels(&moved), levels(&list).iter().map(|level| level + offset).collect::<Vec<_>>());
        if !levels(&list).is_empty() {
            prop_assert_eq!(moved.top(), level);
        }
        prop_assert_eq!(moved.embed_at(list.top()), list);
    }
}

/// How many values, conditions and loops a list has.
fn count(list: &[Inline]) -> usize {
    let piece = |piece: &Inline| {
        let own = matches!(
            piece,
            Inline::Value { .. } | Inline::If(_) | Inline::Each(_)
        );
        usize::from(own) + piece.parts().map(|part| count(&part.list)).sum::<usize>()
    };
    list.iter().map(piece).sum()
}

fn check_list(list: &[Element], tables: &Tables) -> Result<(), TestCaseError> {
    for element in list {
        match element {
            Element::If { branches, .. } => check_if(branches, tables)?,
            Element::Each { branches, .. } => check_each(branches, tables)?,
            _ => {}
        }
        for text in element.inline_texts() {
            check_pieces(text.iter().as_slice(), tables)?;
        }
        for part in element.parts() {
            check_part(part)?;
            check_list(&part.list, tables)?;
            let first = part.list.first().map(Element::metadata);
            prop_assert!(first.is_none_or(|first| first.blank_lines == 0));
        }
    }
    Ok(())
}

fn check_if<T: Clone>(branches: &If<T>, tables: &Tables) -> Result<(), TestCaseError> {
    let used = &tables.conditions()[usize::from(branches.index)];
    prop_assert!(branches.then.marker.contains(&used.to_string()));
    prop_assert_eq!(branches.negated, branches.then.marker.contains("{?!"));
    Ok(())
}

fn check_each<T: Clone>(branches: &Each<T>, tables: &Tables) -> Result<(), TestCaseError> {
    let used = &tables.loops()[usize::from(branches.index)];
    let marker = &branches.body.marker;
    prop_assert!(marker.contains(&used.list.to_string()));
    prop_assert!(used.alias == "item" || marker.contains(&used.alias));
    Ok(())
}

fn check_part<T: Clone>(part: &Part<T>) -> Result<(), TestCaseError> {
    for blanks in [&part.lead, &part.trail] {
        prop_assert!(blanks.is_empty() || blanks.ends_with('\n') && blanks.trim().is_empty());
    }
    Ok(())
}

/// Whether a line of code begins at a piece: behind a break or a marker line.
fn begins_line(list: &[Inline], at: usize) -> bool {
    let before = list[..at].last();
    matches!(before, None | Some(Inline::Break(_)))
}

/// Literals are joined and not empty, but for empty lines of code; breaks are white space, numbers are those of the names.
fn check_pieces(list: &[Inline], tables: &Tables) -> Result<(), TestCaseError> {
    for pair in list.windows(2) {
        let are_apart = !matches!(pair, [Inline::Literal(_), Inline::Literal(_)]);
        prop_assert!(are_apart);
    }
    for (at, piece) in list.iter().enumerate() {
        match piece {
            Inline::Literal(text) => prop_assert!(!text.is_empty() || begins_line(list, at)),
            Inline::Break(text) => {
                prop_assert!(text.trim_matches([' ', '\t', '\n']).is_empty());
            }
            Inline::Line { head } => prop_assert!(!head.contains('\n')),
            Inline::Value { source, index, .. } => {
                prop_assert_eq!(&tables.values()[usize::from(*index)].to_string(), source);
            }
            Inline::If(branches) => check_if(branches, tables)?,
            Inline::Each(branches) => check_each(branches, tables)?,
            _ => {}
        }
        for part in piece.parts() {
            check_part(part)?;
            check_pieces(&part.list, tables)?;
        }
    }
    Ok(())
}

/// A text of one thing, again and again.
fn many(thing: &str, count: usize) -> String {
    thing.repeat(count)
}

/// Hostile texts: the time is linear, nothing overflows the stack, and what is printed back is the text.
#[test]
fn monotonous_texts_are_read_in_linear_time() {
    let things = [
        "{",
        "}",
        "`",
        "#",
        "#\n",
        "{?a}",
        "{*a}",
        "{?a}\n",
        "{*a}\n",
        "{/a}",
        "{else}",
        "{?a}x{/a}",
        "{*a}{item}{/a}",
        "{?a}\n{else}\n",
        "- ",
        "> ",
        "- {?a}\n",
        "> {?a}\n",
        "```\n",
        "```x\n",
        "{#a",
        "{%",
        "{a",
        "{_}",
        "{a}\n",
        "<",
        "{*a as b}",
        "{?a}{/b}",
        "{item}",
        "* {*a}",
        "{a}{?a}",
        "{*a}\n{item}\n{/a}\n",
        "{?a}\nx\n{/a}\n",
        "{/b}{?a}",
        "[ ] ",
        "1. ",
        "<!--# x -->\n",
        "\n ",
        "{? a",
        "{ a }",
        "{/ a}",
        "{/}",
        "{ else }",
        "{* a}\n",
        "{if a}",
        "{if a}x{/if}",
        "{*a}\n\n{item}\n\n",
        "{*a}x\n{item}\n{/a}\n",
        "x {?a}y\n{/a}\n",
        "{{ a }}",
        "{{ a",
        "{{#if a}}",
        "{{#if a}}x{{else}}{{/if}}",
        "{?a}{% else %}",
        "{% if b %}",
        "<% a",
        "<% a %>",
        "{b[0]}",
        "{b[0][",
    ];
    for thing in things
        .iter()
        .step_by(100 / percent().clamp(1, 100) as usize)
    {
        let time = |count: usize| {
            let text = many(thing, count);
            let start = std::time::Instant::now();
            for place in [Place::Node, Place::Inline] {
                let options = Options {
                    names: &["a"],
                    ..Options::new(place)
                };
                let parsed = parse(&text, &options);
                Tables::new(&[]).text(parsed.elements, &Context::default());
            }
            let _ = parse_free(&text, &Options::new(Place::Free));
            start.elapsed().as_secs_f64()
        };
        time(500);
        let (small, large) = (time(1_000), time(16_000));
        // Sixteen times the text: quadratic would be 256 times the time.
        assert!(
            large < 100.0 * small + 0.5,
            "{thing:?}: {small} and {large} seconds"
        );
    }
}

#[test]
fn deep_nesting_is_refused_with_one_problem() {
    let options = Options {
        names: &["a"],
        ..Options::new(Place::Node)
    };
    for (open, close) in [
        ("{?a}\n", "{/a}\n"),
        ("x {?a}", "{/a}"),
        ("{*a}\n", "{/a}\n"),
        ("{?a}", ""),
    ] {
        let nested = |depth: usize| format!("{}x\n{}", many(open, depth), many(close, depth));
        let codes = |depth: usize| {
            let problems = parse(&nested(depth), &options).problems;
            problems
                .iter()
                .map(|problem| problem.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(120), [], "{open:?}");
        assert_eq!(codes(200), [Code::TooDeep], "{open:?}");
        assert_eq!(codes(100_000), [Code::TooDeep], "{open:?}");
    }
}

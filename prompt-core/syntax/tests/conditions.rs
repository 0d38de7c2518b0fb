//! Conditions and loops: their forms, what does not fit, and what they print.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{
    Code, Context, Element, Form, Inline, Options, Parsed, Place, Problem, Specs, Tables, UseKind,
    parse, parse_free,
};
use serde_json::json;

const OPTIONS: Options<'static> = Options {
    names: &["a", "b", "c", "ship", "list"],
    sections: &["rules"],
    ..Options::new(Place::Node)
};

fn read(text: &str) -> Parsed {
    let parsed = parse(text, &OPTIONS);
    assert_eq!(parsed.problems, [], "{text:?}");
    assert_eq!(parsed.elements.to_markdown(), text);
    parsed
}

/// The forms of the conditions of a text, in order: of their beginnings only.
fn forms(text: &str) -> String {
    let mut forms = String::new();
    elements(read(text).elements.iter().as_slice(), &mut forms);
    forms
}

fn letter(form: Form) -> char {
    match form {
        Form::Line => 'L',
        Form::Inline => 'I',
        Form::Block => 'B',
    }
}

fn elements(list: &[Element], forms: &mut String) {
    for element in list {
        match element {
            Element::If { branches, .. } => forms.push(letter(branches.form)),
            Element::Each { branches, .. } => forms.push(letter(branches.form)),
            _ => {}
        }
        for text in element.inline_texts() {
            pieces(text.iter().as_slice(), forms);
        }
        for part in element.parts() {
            elements(&part.list, forms);
        }
    }
}

fn pieces(list: &[Inline], forms: &mut String) {
    for piece in list {
        match piece {
            Inline::If(branches) => forms.push(letter(branches.form)),
            Inline::Each(branches) => forms.push(letter(branches.form)),
            _ => {}
        }
        piece.parts().for_each(|part| pieces(&part.list, forms));
    }
}

/// The problems of a text, each with its line.
fn problems(text: &str) -> Vec<(&'static str, usize)> {
    let parsed = parse(text, &OPTIONS);
    parsed
        .problems
        .iter()
        .map(|problem| (problem.code.as_str(), problem.line))
        .collect()
}

/// The conditions of a text that hold something; what does not fit is text.
fn asked(text: &str) -> Vec<String> {
    let uses = parse(text, &OPTIONS).uses.into_iter();
    let conditions = uses.filter(|used| matches!(used.kind, UseKind::Condition { .. }));
    conditions.map(|used| used.name).collect()
}

#[test]
fn what_does_not_fit_is_text() {
    assert_eq!(asked("x {?a}1{?b}2{/b}3{/a}"), ["a", "b"]);
    assert_eq!(asked("x {?a}1{?b}2{/a}3"), [""; 0]);
    assert_eq!(asked("x {?a}y"), [""; 0]);
    let text = "x {?nope}1{else}2{/nope}";
    let list = parse(text, &OPTIONS).elements;
    let mut forms = String::new();
    elements(list.iter().as_slice(), &mut forms);
    assert_eq!(forms, "");
}

#[test]
fn messages_show_the_condition_and_its_end() {
    let first = |text: &str| {
        let problem = parse(text, &OPTIONS).problems.into_iter().next().unwrap();
        (problem.message, problem.help)
    };
    let never = "the condition `{?ship.name}` never ends".to_owned();
    for (text, help) in [
        (
            "{?ship.name}\nx",
            "write `{/ship.name}` alone on a line behind its last line",
        ),
        (
            "x {?ship.name}y",
            "write `{/ship.name}` where it ends, in the same paragraph or heading",
        ),
        (
            "```\nx {?ship.name}y\n```",
            "write `{/ship.name}` where it ends, on the same line",
        ),
    ] {
        assert_eq!(first(text), (never.clone(), help.into()), "{text:?}");
    }
    assert_eq!(
        first("x{/a}").0,
        "`{/a}` ends a condition or loop that is not open"
    );
    assert_eq!(
        first("x {?a}1{?b}2{/a}3{/b}").0,
        "`{/a}` stands where `{/b}` is expected"
    );
    assert_eq!(
        first("{?a}\nx{/a}").0,
        "`{/a}` ends a condition over whole lines and shares its line"
    );
}

/// What a text prints where `a` is there, and where it is not. `b` always is.
fn both(text: &str) -> (String, String) {
    let with = |a: &str| support::print(read(text), &json!({"a": a, "b": "B", "c": ""}));
    (with("A"), with(""))
}

fn is(text: &str, shown: &str, dropped: &str) {
    assert_eq!(both(text), (shown.into(), dropped.into()), "{text:?}");
}

#[test]
fn where_a_condition_stands_decides_how_far_it_reaches() {
    for (text, expected) in [
        ("{?a}text", "L"),
        ("  - {?a}{?!b}text", "LL"),
        ("1. {?a} {?b}text", "LL"),
        ("{?a}text{/a}", "I"),
        ("{?a}{?b}x{/b}{/a}", "II"),
        ("{?a}{?b}x{/b} more", "LI"),
        ("text {?a}x{else}y{/a}.", "I"),
        ("x{?a}y\nz{/a}", "I"),
        ("{?a}\nx\n{else}\ny\n{/a}", "B"),
        ("x\n  {?a}\n{?b}\ny\n{/b}\n {/a}", "BB"),
        ("{?a}\n# T\n\n{rules}\n{/a}", "B"),
        ("# T {?a}x{/a}", "I"),
        ("{?a}{?b}## B", "LL"),
        ("{?a}x {{/a}", "I"),
        ("{?a}x {{/a}}", "L"),
        ("{?a}# #{/a}", "I"),
        // The end is that of the heading.
        ("{?a}## B{/a}", "L"),
        ("{*list}## {item}", "L"),
        ("{?a}{*list}## {item}{/list}{/a}", "LL"),
        ("- {*list}{item}", "L"),
        ("- {?a}{*list}{item}", "LL"),
        ("{*list}\n{*item.x as y}\n{y}\n{/item.x}\n{/list}", "BB"),
        ("> {?a}\n> x\n> {/a}", "B"),
        ("- [ ] {?a}x", "L"),
        (
            "```{?a}sh{/a}\n{?b}x\n{?a}\ny\n{/a}\nz{?a}1{else}2{/a}\n```",
            "ILBI",
        ),
        ("- ```\n  {?a}x\n  ```", "L"),
        ("`x{?a}y{/a}`", "I"),
        ("{?rules}Rules apply.", "L"),
    ] {
        assert_eq!(forms(text), expected, "{text:?}");
    }
}

#[test]
fn conditions_that_do_not_fit() {
    for (text, expected) in [
        ("x {?a}y", &[("unclosed_condition", 1)][..]),
        ("```{?a}sh\nx\n```", &[("unclosed_condition", 1)]),
        ("x\n{?a}\ny", &[("unclosed_condition", 2)]),
        ("{?a}x{else}y", &[("unclosed_condition", 1)]),
        (
            "{?a}{?b}\nx\n{/b}",
            &[("unclosed_condition", 1), ("mismatched_condition", 3)],
        ),
        ("- {?a}\n", &[("unclosed_condition", 1)]),
        ("## {?a}A", &[("unclosed_condition", 1)]),
        (
            "x {?a}y\n\nz{/a}",
            &[("unclosed_condition", 1), ("mismatched_condition", 3)],
        ),
        (
            "- x {?a}y\n- z{/a}",
            &[("unclosed_condition", 1), ("mismatched_condition", 2)],
        ),
        (
            "```\nx {?a}y\nz{/a}\n```",
            &[("unclosed_condition", 2), ("mismatched_condition", 3)],
        ),
        ("{?a}\n```\n{/a}\n```\n{/a}", &[("mismatched_condition", 3)]),
        ("x{/a}", &[("mismatched_condition", 1)]),
        ("{?a}x\ny{/a}", &[("mismatched_condition", 2)]),
        ("{?a}\nx{/a}", &[("mismatched_condition", 2)]),
        ("x {?a}y{/b}", &[("mismatched_condition", 1)]),
        ("x {?a}1{?b}2{/a}3{/b}", &[("mismatched_condition", 1)]),
        ("{*list}x\ny{/list}", &[("mismatched_condition", 2)]),
        ("x {*list}y", &[("unclosed_loop", 1)]),
        ("{*list}\n{rules}\n{/list}", &[("slot_in_loop", 2)]),
        (
            "{?a}\n{rules}\n{/a}\n{?rules}Above.",
            &[("conditional_slot", 2)],
        ),
        (
            "{?rules}x\n\n{?!a}\n{rules}\n{/a}",
            &[("conditional_slot", 4)],
        ),
        (
            "{?a}\nx\n{else}\n{?rules}\n{rules}\n{/rules}\n{/a}",
            &[("conditional_slot", 5)],
        ),
        (
            "{?!rules}None.\n\n{?a}\n{rules}\n{/a}",
            &[("conditional_slot", 4)],
        ),
        ("{?a}\n{rules}\n{/a}", &[]),
        ("{?rules}\n{rules}\n{/rules}\n{?rules}Above.", &[]),
        ("{?rules}Below.\n\n{rules}\n\n{?a}\nx\n{/a}", &[]),
        ("{?a}\n{PROMPT_SUBTREE}\n{/a}\n{?rules}Above.", &[]),
        (
            "{?rules}\n{PROMPT_SUBTREE}\n{/rules}",
            &[("conditional_slot", 2)],
        ),
        (
            "{?rules}\nx\n{else}\n{rules}\n{/rules}",
            &[("conditional_slot", 4)],
        ),
        ("{?!rules}\nx\n{else}\n{rules}\n{/rules}", &[]),
        (
            "{*list}{item}{?!last}\n{/last}{/list}",
            &[("mismatched_condition", 2)],
        ),
        ("{*list}\n{item}\n{/list} x", &[("mismatched_condition", 3)]),
        ("{first}", &[("unknown_variable", 1)]),
        ("{?a}x{else if b}y{/a}", &[("foreign_template", 1)]),
        ("{?a}x{else}{?b}y{/b}{/a}", &[]),
        ("{else if b}{else if nope}", &[]),
        ("{#each a}{item}", &[("foreign_template", 1)]),
        ("{?a}\n{?b}\nx\n{/a}", &[("mismatched_condition", 4)]),
        ("{?ship.name}x{/ship}", &[("mismatched_condition", 1)]),
        ("{else}", &[("stray_else", 1)]),
        ("x {?a}1{else}2{else}3{/a}", &[("stray_else", 1)]),
        ("{?a}\n1{else}2\n{/a}", &[("stray_else", 2)]),
        ("{?a}\n1\n{else}\n2\n{else}\n3\n{/a}", &[("stray_else", 5)]),
        ("{?nope}x", &[("unknown_variable", 1)]),
        ("x {?nope}1{else}2{/nope}", &[("unknown_variable", 1)]),
        ("{?nope}\nx\n{else}\ny\n{/nope}", &[("unknown_variable", 1)]),
        ("{?a}{rules}", &[("slot_not_alone", 1)]),
        ("`{?shap}`", &[("unknown_variable", 1)]),
    ] {
        let mut found = problems(text);
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text:?}");
        let parsed = parse(text, &OPTIONS);
        assert_eq!(parsed.elements.to_markdown(), text.trim_end(), "{text:?}");
    }
}

#[test]
fn what_is_no_condition_is_text() {
    for text in [
        "{/if} {/nope}",
        "`{?nope} {else} {/nope} {/if}`",
        "```\n{?nope}x\n{else}\n{/nope}\n```",
        "{?a}\n```\n{else}\n```\n{/a}",
        "{?1} {*.rs} {:?} {:#?} {/ nope} {? nope} {* nope}",
        "`{?} {/} { else } {/ nope} {:else}` ${ else }",
        "${?nope} ${else}",
        "GET `/items{?limit,offset}`",
    ] {
        read(text);
    }
    is(
        "```\n{else}{?a}1{/a}\n```",
        "```\n{else}1\n```",
        "```\n{else}\n```",
    );
}

/// Each slip is told once, at its place, and nothing that belongs to it is a second mistake.
#[test]
fn no_slip_of_a_marker_is_text() {
    let spaced = "spaced_variable";
    let mismatched = "mismatched_condition";
    let stray = "stray_else";
    let expression = "unsupported_expression";
    let foreign = "foreign_template";
    for (text, slip, code, help) in [
        (
            "{?a}\nx\n{ else }\ny\n{/a}",
            "{ else }",
            spaced,
            "write `{else}`",
        ),
        ("x {?a}1{else }2{/a}", "{else }", spaced, "write `{else}`"),
        ("{?a}x{ else}", "{ else}", spaced, "write `{else}`"),
        (
            "x { else } y",
            "{ else }",
            spaced,
            "write `{else}` behind the `{?name}`",
        ),
        ("x {?a}1{:else}2{/a}", "{:else}", stray, "write `{else}`"),
        ("x {?a}1{/else}2{/a}", "{/else}", stray, "write `{else}`"),
        (
            "x {*list}{item}{?else}none{/list}",
            "{?else}",
            stray,
            "write `{else}`",
        ),
        ("x{ :else }", "{ :else }", stray, "write `{else}` behind"),
        ("{? a}x{/a}", "{? a}", spaced, "write `{?a}`"),
        ("{ ?!a }\nx\n{/a}", "{ ?!a }", spaced, "write `{?!a}`"),
        (
            "{? ! ship.name}x",
            "{? ! ship.name}",
            spaced,
            "write `{?!ship.name}`",
        ),
        (
            "{? rules}\nx\n{/rules}",
            "{? rules}",
            spaced,
            "write `{?rules}`",
        ),
        ("{?a}x{/ a}", "{/ a}", spaced, "write `{/a}`"),
        ("x {?a}y{ / a }", "{ / a }", spaced, "write `{/a}`"),
        (
            "{?ship.name}\nx\n{/ship.name }",
            "{/ship.name }",
            spaced,
            "write `{/ship.name}`",
        ),
        (
            "y{/ a}",
            "{/ a}",
            spaced,
            "write `{/a}` behind the `{?name}`",
        ),
        ("{?!a}x{/!a}", "{/!a}", mismatched, "write `{/a}`"),
        ("{?a}x{/?a}", "{/?a}", mismatched, "write `{/a}`"),
        (
            "x {*list}{item}{/*list}",
            "{/*list}",
            mismatched,
            "write `{/list}`",
        ),
        (
            "{*list}\n- {item}\n{ /*list }",
            "{ /*list }",
            mismatched,
            "write `{/list}`",
        ),
        ("{?a}x{/}", "{/}", mismatched, "write `{/a}`"),
        ("{?a}\nx\n{ / }", "{ / }", mismatched, "write `{/a}`"),
        ("x{/}", "{/}", mismatched, "write `{/name}` behind"),
        ("x {?a}y{/a now}", "{/a now}", mismatched, "write `{/a}`"),
        (
            "{* list}\n- {item}\n{/list}",
            "{* list}",
            spaced,
            "write `{*list}`",
        ),
        (
            "{*list as it }{it} {index}",
            "{*list as it }",
            spaced,
            "write `{*list as it}`",
        ),
        (
            "{ *list as it}\n{it}\n{else}\nno\n{/list}",
            "{ *list as it}",
            spaced,
            "write `{*list as it}`",
        ),
        (
            "{*list as}\n- {item}\n{/list}",
            "{*list as}",
            expression,
            "write `{*list}`",
        ),
        (
            "x {*list as 1x}{item}{/list}",
            "{*list as 1x}",
            expression,
            "write `{*list}`",
        ),
        (
            "{*list.iter()}\n- {item}\n{/list}",
            "{*list.iter()}",
            expression,
            "write `{*list}`",
        ),
        ("- {*list }{item}", "{*list }", spaced, "write `{*list}`"),
        (
            "{!a}x{/a}",
            "{!a}",
            expression,
            "write `{?!a}` to ask whether",
        ),
        (
            "x {!?a}y{else}z{/a}",
            "{!?a}",
            expression,
            "write `{?!a}` to ask whether",
        ),
        ("{??a}x{/a}", "{??a}", expression, "write `{?a}`"),
        (
            "{?a > 3}x{/a}",
            "{?a > 3}",
            expression,
            "a condition asks a name",
        ),
        ("x{:a}", "{:a}", expression, "write `{a}`"),
        (
            "{ship.name }",
            "{ship.name }",
            spaced,
            "write `{ship.name}`",
        ),
        ("x{?}", "{?}", expression, "write a name behind the sign"),
        (
            "x{ * }",
            "{ * }",
            expression,
            "write a name behind the sign",
        ),
        ("{if a}x{/if}", "{if a}", foreign, "a condition is"),
        (
            "{ if a }\nx\n{else}\ny\n{/if}",
            "{ if a }",
            foreign,
            "a condition is",
        ),
        (
            "x {:if a}y{:else if b}z{:else}w{/if}",
            "{:if a}",
            foreign,
            "a condition is",
        ),
        ("{if a}x{endif}", "{if a}", foreign, "a condition is"),
        ("{if a}\nx\n{/}", "{if a}", foreign, "a condition is"),
        (
            "{if a == b}x{/if}y",
            "{if a == b}",
            foreign,
            "a condition asks a name",
        ),
        (
            "{foreach list as x}{x}{/foreach}",
            "{foreach list as x}",
            foreign,
            "a loop is `{*list as x}..{x}..{/list}`",
        ),
        (
            "{for x in list}\n- {x.name}\n{/for}",
            "{for x in list}",
            foreign,
            "a loop is `{*list as x}..{x}..{/list}`",
        ),
        (
            "{#each list}{this}{/each}",
            "{#each list}",
            foreign,
            "a loop is `{*list}..{item}..{/list}`",
        ),
        (
            "{#list}\n{item}\n{/list}",
            "{#list}",
            foreign,
            "a condition is",
        ),
        (
            "{?b}\n{if a}\nx\n{/if}\n{/b}",
            "{if a}",
            foreign,
            "a condition is",
        ),
        (
            "{?a}1{:else if b}2",
            "{:else if b}",
            foreign,
            "an else-if is",
        ),
        // in code, where they name something or something is open there
        ("`{? a}x`", "{? a}", spaced, "write `{?a}`"),
        ("`{?a}x{ else }y{/a}`", "{ else }", spaced, "write `{else}`"),
        ("```\n{?a}\nx\n{/}\n```", "{/}", mismatched, "write `{/a}`"),
        (
            "```\n{* list}\n{item}\n{/list}\n```",
            "{* list}",
            spaced,
            "write `{*list}`",
        ),
        ("`{?!a}x{/!a}`", "{/!a}", mismatched, "write `{/a}`"),
        ("`{!a}`", "{!a}", expression, "write `{?!a}`"),
        ("# A {?a}b{ / a}", "{ / a}", spaced, "write `{/a}`"),
        ("> {? a}x", "{? a}", spaced, "write `{?a}`"),
    ] {
        for place in [
            Place::Node,
            Place::Introduction,
            Place::Inline,
            Place::Template,
        ] {
            let options = Options { place, ..OPTIONS };
            let parsed = parse(text, &options);
            // A fence in a text of a line is a mistake of its own.
            let of_marker = |problem: &&Problem| problem.code != Code::FenceInTitle;
            let problems: Vec<_> = parsed.problems.iter().filter(of_marker).collect();
            let [problem] = problems.as_slice() else {
                panic!("{text:?} at {place:?}: {problems:?}");
            };
            let found = &text[problem.span.start..problem.span.end];
            assert_eq!((problem.code.as_str(), found), (code, slip), "{text:?}");
            assert!(problem.help.starts_with(help), "{text:?}: {problem}");
            assert_eq!(parsed.elements.to_markdown(), text);
        }
    }
}

#[test]
fn what_is_known_at_run_time_is_what_the_text_uses() {
    let codes = |text: &str| {
        let options = Options {
            specs: Specs::Runtime,
            ..Options::new(Place::Free)
        };
        let problems = parse_free(text, &options).problems;
        problems
            .iter()
            .map(|problem| problem.code.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes("{* l}\n- {item}\n{/l}"), ["spaced_variable"]);
    assert_eq!(codes("{?a}x{/ a}"), ["spaced_variable"]);
    assert_eq!(codes("{if a}x{/if}"), [""; 0]);
    assert_eq!(codes("{a}{if a}x{/if}"), ["foreign_template"]);
    assert_eq!(codes("{* a note *} {/ b}"), [""; 0]);
    assert_eq!(codes("{a} {/ a} `{? a}`"), ["spaced_variable"; 2]);
}

#[test]
fn a_slip_that_is_allowed_is_text() {
    let allow = &[Code::SpacedVariable, Code::ForeignTemplate];
    let options = Options { allow, ..OPTIONS };
    for text in [
        "{?a}x{ else }y{/a}",
        "{?b}\n{if a}x{/if}\n{/b}",
        "{? a}{a}",
        "x{/ a}",
    ] {
        let parsed = parse(text, &options);
        assert_eq!(parsed.problems, [], "{text:?}");
        assert_eq!(parsed.elements.to_markdown(), text);
    }
    let text = "{?a}x{ else }y";
    assert_eq!(parse(text, &options).uses.len(), 1);
}

#[test]
fn doubled_slips_print_one_brace_around_known_names_as_markers_do() {
    for (text, printed) in [
        ("{{!a}} `{{!a}}` `{{/ a}}`", "{!a} `{!a}` `{/ a}`"),
        (
            "{{ nope }} {{ else }} {{/}} {{/ nope}}",
            "{{ nope }} {{ else }} {{/}} {{/ nope}}",
        ),
    ] {
        is(text, printed, printed);
    }
}

/// What goes on behind the line of a loop, or ends a phrase on a line of its own, is one mistake.
#[test]
fn one_slip_is_one_error() {
    let first = |text: &str| {
        let problems = parse(text, &OPTIONS).problems;
        assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
        problems.into_iter().next().unwrap()
    };
    for text in [
        "{*list}a {item.x}\n  b {item.y} {index}\n{/list}",
        "{?a}\n- {*list as it}{it}\n  {it}\n{/list}\n{/a}",
    ] {
        let problem = first(text);
        assert_eq!(problem.code.as_str(), "mismatched_condition");
        assert!(problem.help.contains("ends with the line"), "{problem}");
    }
    let problem = first("Go {?a}x{else}y{/ a }.");
    assert_eq!(problem.code.as_str(), "spaced_variable");
    let problem = first("{?a}x{else}y{/ a }");
    assert_eq!(problem.code.as_str(), "spaced_variable");
    let problem = first("- {*list}{item}\n\nAnd {item} and {item} of {index}.");
    assert_eq!(
        problem.message,
        "unknown variable `item`: the loop `{*list}` has ended with its line"
    );
    for text in ["Say {?a}b\n{/a}", "{?b}\nSay {?a}b\n{/a}\n{/b}"] {
        let problem = first(text);
        assert_eq!(problem.code.as_str(), "unclosed_condition");
        assert!(
            problem
                .help
                .starts_with("`{/a}` alone on its line ends whole lines")
                && problem.help.contains("`{_}`"),
            "{problem}"
        );
    }
}

#[test]
fn conditions_drop_what_they_hold_and_nothing_else() {
    is("{?a}## B\n\ntext", "## B\n\ntext", "text");
    is(
        "x\n\n{?a}## B{?b} (b){/b}\n\ntext",
        "x\n\n## B (B)\n\ntext".replace("(B)", "(b)").as_str(),
        "x\n\ntext",
    );
    is(
        "x\n\n## {?a}A{/a}\n\ntext",
        "x\n\n## A\n\ntext",
        "x\n\ntext",
    );
    is("{?a}- x\n- y", "- x\n- y", "- y");
    is("x\n\n{?a}\ny\n{/a}\nz", "x\n\ny\nz", "x\n\nz");
    is("x\n{?a}\n\n{/a}\ny", "x\n\ny", "x\ny");
    is("x\n{?a}\n{_}\n{/a}\ny", "x\n\ny", "x\ny");
    is("x{?a}\ny\n{/a}z", "x\ny\nz", "xz");
    is("{?a}\nx\n\n{/a}\n\ny", "x\n\n\ny", "y");
    is(
        "x\n\n  {?a}\n  y\n  {else}\n  z\n  {/a}",
        "x\n\n  y",
        "x\n\n  z",
    );
    is("x\n{?a}\n{?b}\ny\n{/b}\n{/a}\nz", "x\ny\nz", "x\nz");
    is("x\n{?a}{c}\ny", "x\ny", "x\ny");
    is("x\n- {?a}{c}\ny", "x\ny", "x\ny");
    is("x {?!a}no{else}yes{/a}", "x yes", "x no");
    is("x\n\n{c}{a}\n{c}\n\ny", "x\n\nA\n\ny", "x\n\ny");
    is("x\n\n{c}\n\ny", "x\n\ny", "x\n\ny");
    is("> x\n> {c}\ny", "> x\ny", "> x\ny");
    is("- x\n- {c}", "- x\n- ", "- x\n- ");
}

#[test]
fn an_end_behind_the_reach_of_its_condition_ends_nothing() {
    // A marker right behind the paragraph is out of it.
    let text = "x {?a}\n\n{/a} y";
    assert_eq!(
        problems(text),
        [("unclosed_condition", 1), ("mismatched_condition", 3)]
    );
    // A condition reaches no further than the one around it, which ends with its line here.
    assert_eq!(
        problems("{?a}x {?b}y\n{/b} z"),
        [("unclosed_condition", 1), ("mismatched_condition", 2)]
    );
}

#[test]
fn levels_are_those_of_the_text_with_everything_shown() {
    assert_eq!(
        problems("# T\n{?a}\n## A\n{?b}\n### B\n{/b}\n{else}\n### C\n{/a}"),
        [("skipped_level", 8)]
    );
    let text = "# T\n{?a}\n## A\n\n### B\n{rules}\n{else}\n## C\n{/a}\n### D";
    let numbered = Tables::new(OPTIONS.sections).text(read(text).elements, &Context::default());
    assert_eq!((numbered.base, numbered.end), (1, 4));
    assert_eq!(
        problems("# T\n{?a}\n## A\n{else}\n### B\n{/a}"),
        [("skipped_level", 5)]
    );
    let levels = |text: &str| {
        read(text)
            .elements
            .slots()
            .map(|(_, level)| level)
            .collect::<Vec<_>>()
    };
    assert_eq!(levels("# T\n{?a}\n## A\n{else}\n{rules}\n{/a}"), [2]);
    assert_eq!(levels("{?a}## A\n\n{rules}"), [3]);
}

#[test]
fn markers_do_not_keep_a_heading_over_slots() {
    let optional = |text: &str| read(text).elements.get(0).unwrap().metadata().optional;
    assert!(optional("## A\n\n{?a}\n{rules}\n{/a}"));
    assert!(!optional("## A\n\n{?a}\n{rules}\nx\n{/a}"));
}

#[test]
fn templates_have_conditions_too() {
    let options = Options {
        names: &["item", "index"],
        ..Options::new(Place::Inline)
    };
    let printed = |template: &str, note: &str| {
        let parsed = parse(template, &options);
        assert_eq!(parsed.problems, [], "{template:?}");
        let item = json!({"item": {"name": "N", "note": note}});
        support::print(parsed, &item)
    };
    let line = "- {item.name}{?item.note} ({item.note}){/item.note}";
    assert_eq!(
        (printed(line, "x"), printed(line, "")),
        ("- N (x)".into(), "- N".into())
    );
    let block = "## {item.name}\n{?item.note}\n\n{item.note}\n{/item.note}\n";
    assert_eq!(
        (printed(block, "x"), printed(block, "")),
        ("## N\n\nx".into(), "## N".into())
    );
}

#[test]
fn uses_tell_where_a_value_is_known_to_be_there() {
    let guarded = |text: &str| {
        let uses = read(text).uses.into_iter();
        let guarded = uses.filter_map(|used| match used.kind {
            UseKind::Variable { is_guarded, .. } => Some(is_guarded),
            _ => None,
        });
        guarded.collect::<Vec<_>>()
    };
    assert_eq!(
        guarded("{a} {?a}{a}{b}{else}{a}{/a} {a}"),
        [false, true, false, false, false]
    );
    assert_eq!(
        guarded("{?!a}{a}\n{a} {?!a}{a}{else}{a}{/a}"),
        [false, false, false, true]
    );
    assert_eq!(
        guarded("- {?a}{a}\n{a}\n{?a}\n{a}\n\n{?b}{a}\n{/a}\n{a}"),
        [true, false, true, true, false]
    );
    assert_eq!(
        guarded("{?ship.name}{ship.name} {ship} {ship.name.0} {ship.mate}"),
        [true, true, true, true]
    );
}

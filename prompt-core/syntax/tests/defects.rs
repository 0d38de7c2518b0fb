//! Mistakes that were found in use, each with its smallest text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{Code, Element, Inline, Options, Place, Specs, UseKind, parse};
use serde_json::{Value, json};

fn is(text: &str, values: &Value, expected: &str) {
    let parsed = support::read(text, values);
    let is_lint = |code: Code| code.is_lint();
    assert!(
        parsed.problems.iter().all(|problem| is_lint(problem.code)),
        "{text:?}: {:?}",
        parsed.problems
    );
    assert_eq!(parsed.elements.to_markdown(), text);
    assert_eq!(support::print(parsed, values), expected, "{text:?}");
}

fn codes(text: &str, options: &Options<'_>) -> Vec<&'static str> {
    let problems = parse(text, options).problems;
    problems
        .iter()
        .map(|problem| problem.code.as_str())
        .collect()
}

#[test]
fn a_heading_under_a_condition_is_a_heading_under_a_condition() {
    let values = json!({"night": false, "x": ""});
    is(
        "{?night}# Night\n\n{?night}Carry a lamp.\n\n# Always\n\nKnock.",
        &values,
        "# Always\n\nKnock.",
    );
    is("# {?night}X{/night}\n\ntext", &values, "text");
    is("{?night}{?x}# X\n\ntext", &values, "text");
    let list = support::read("{?night}# Night", &values).elements;
    assert!(matches!(list.get(0), Some(Element::If { .. })));
}

#[test]
fn a_condition_that_ends_in_the_words_of_a_heading_makes_none() {
    let values = json!({"name": false});
    let text = "{?!name}# {/name}{?!name}{/name}\nword";
    is(text, &values, "# \nword");
    is(
        "{?!name}# A {?name}B{/name}C{/name}\nword",
        &values,
        "# A C\nword",
    );
}

#[test]
fn blank_lines_of_an_else_branch_stay() {
    let is_not = json!({"x": false});
    is("A\n\n{?x}\nX\n{else}\n\nY\n{/x}\nB", &is_not, "A\n\n\nY\nB");
    is(
        "A\n\n\n{?x}\nX\n{else}\n\nY\n{/x}\nB",
        &is_not,
        "A\n\n\n\nY\nB",
    );
    is(
        "A\n\n{?x}\n\nX\n{else}\nY\n{/x}\nB",
        &json!({"x": true}),
        "A\n\n\nX\nB",
    );
}

#[test]
fn paths_are_guarded_by_a_condition_on_what_they_go_through() {
    let options = Options {
        names: &["repo"],
        ..Options::new(Place::Node)
    };
    let text = "{?repo}{repo.name}{?repo.branch}b{/repo.branch}{*repo.files}{item.name}{/repo.files}{/repo} {repo.name}";
    let uses = parse(text, &options).uses;
    let guarded = uses.iter().map(|used| match used.kind {
        UseKind::Variable { is_guarded, .. }
        | UseKind::Condition { is_guarded, .. }
        | UseKind::Loop { is_guarded, .. } => is_guarded,
        _ => false,
    });
    assert_eq!(
        guarded.collect::<Vec<_>>(),
        [false, true, true, true, false, false]
    );
}

#[test]
fn a_fence_in_a_fence() {
    let text = "```yaml\n{?x}\na: |\n  ```mermaid\n  b\n  ```\n{/x}\nc\n```";
    is(
        text,
        &json!({"x": true}),
        "```yaml\na: |\n  ```mermaid\n  b\n  ```\nc\n```",
    );
    is(text, &json!({"x": false}), "```yaml\nc\n```");
    // Where the usual reading closes all, it holds.
    let usual = "```md\na\n```\n\n```sh\nb\n```";
    assert_eq!(support::read(usual, &json!({})).elements.counts().code, 2);
    // A condition around a fence that no reading closes.
    let options = Options::new(Place::Node);
    assert_eq!(codes("```a\nb", &options), ["unclosed_fence"]);
    assert_eq!(codes("- ```a\n  b\n\ntext", &options), ["unclosed_fence"]);
    assert_eq!(codes("- ```a\n  b", &options), ["unclosed_fence"]);
    assert_eq!(codes("- ```a\n  b\n  ```\n- c", &options), [""; 0]);
}

#[test]
fn a_value_that_prints_nothing_takes_its_line_along() {
    let values = json!({"x": "", "y": true});
    is("A\n\n{x}\n\nB", &values, "A\n\nB");
    is("A\n{x}\n\nB", &values, "A\n\nB");
    is("A\n\n{x}\nB", &values, "A\n\nB");
    is("A\n{?y}\nq\n{/y}\n{x}\n\nB", &values, "A\nq\n\nB");
    is("A\n{x}", &values, "A");
    is("A\n  {x}", &values, "A");
    is("{x}\nB", &values, "B");
    is("A\n- {x}\nB", &values, "A\n- \nB");
}

#[test]
fn a_text_may_end_in_an_open_fence() {
    let text = "Answer:\n```yaml\nname: {x}";
    assert_eq!(
        support::read(text, &json!({"x": 1})).problems[0].code,
        Code::UnclosedFence
    );
    is(text, &json!({"x": 1}), "Answer:\n```yaml\nname: 1");
    let allow = Options {
        allow: &[Code::UnclosedFence],
        ..Options::new(Place::Free)
    };
    assert_eq!(codes(text, &allow), [""; 0]);
}

/// What is opened before a fence that never closes, and closed in it, is right.
#[test]
fn an_open_fence_in_a_condition_is_one_mistake() {
    let options = Options {
        names: &["a", "b"],
        ..Options::new(Place::Node)
    };
    let fence = "unclosed_fence";
    for text in [
        "{?a}\n```sh\nls\n{/a}",
        "{?a}\n```sh\nls\n{else}\nx\n{/a}\n\nEnd.",
        "{*a}\n```sh\n{?b}ls{/b}\n{/a}",
        "{?a}\n{*b}\n~~~\nls\n{/b}\n{/a}",
    ] {
        assert_eq!(codes(text, &options), [fence], "{text:?}");
        // An open fence of a prefill is right, and what it ends with is code.
        let allow = &[Code::UnclosedFence];
        let prefill = Options { allow, ..options };
        assert!(codes(text, &prefill).len() > 1, "{text:?}");
    }
    assert_eq!(
        codes("{?a}\n```sh\nls", &options),
        ["unclosed_condition", fence]
    );
    assert_eq!(
        codes("```sh\nls\n{/a}", &options),
        [fence, "mismatched_condition"]
    );
    // In files an open fence is a hint.
    let specs = Specs::Runtime;
    let file = Options { specs, ..options };
    let text = "{?a}\n```sh\nls\n{/a}";
    assert_eq!(codes(text, &file), ["unclosed_condition", fence]);
    assert_eq!(
        parse(text, &file).problems[0].help,
        "`{/a}` stands in a fence that never closes: close the fence before it"
    );
}

#[test]
fn quotes_and_task_items_lose_their_markers_with_the_line() {
    let (yes, no) = (json!({"x": true}), json!({"x": false}));
    let quote = "> a\n> {?x}\n> b\n> {/x}\n> c";
    is(quote, &yes, "> a\n> b\n> c");
    is(quote, &no, "> a\n> c");
    is("- [ ] {?x}b{/x}\n- c", &no, "- c");
    is("- [x] {?x}b\n- c", &no, "- c");
    is("> {?x}rest\n> c", &no, "> c");
    is(
        "> {*l}\n> - {item}\n> {/l}\n> c",
        &json!({"l": ["a", "b"]}),
        "> - a\n> - b\n> c",
    );
    // In a fence of its own `>` is a character.
    is("```\n> {?x}b{/x}c\n```", &no, "```\n> c\n```");
}

#[test]
fn the_lines_of_a_value_in_a_quote_get_its_marker() {
    let values = json!({"v": "a\n\nb"});
    is("> {v}", &values, "> a\n>\n> b");
    is("> - x {v}", &values, "> - x a\n>\n> b");
    is("- > {v}", &values, "- > a\n  >\n  > b");
    is("a > {v}", &values, "a > a\n\nb");
}

#[test]
fn a_note_between_blank_lines_leaves_one_blank_line() {
    let printed = |text: &str| {
        parse(text, &Options::new(Place::Node))
            .elements
            .to_markdown()
    };
    assert_eq!(printed("a\n\n<!--# n -->\n\nb"), "a\n\nb");
    assert_eq!(printed("a\n\n<!--# n -->\n<!--# m -->\n\n\nb"), "a\n\nb");
    assert_eq!(printed("a\n<!--# n -->\n\nb"), "a\n\nb");
    assert_eq!(printed("a\n\n<!--# n -->\nb"), "a\n\nb");
    assert_eq!(printed("<!--# n -->\n\n"), "");
}

#[test]
fn one_mistake_is_one_message() {
    let options = Options {
        names: &["a", "b", "n", "list"],
        ..Options::new(Place::Node)
    };
    for (text, expected) in [
        ("x {?a}1{else if b}2{/a}", &["foreign_template"][..]),
        ("x {?a}1{else ?b}2{/a}", &["foreign_template"]),
        (
            "{?a}\n{*list}\n{item}\n{/a}\n{/list}",
            &["mismatched_condition"],
        ),
        ("{*list}\n- {item}\n{/lst}\nEnd.", &["mismatched_condition"]),
        (
            "{*boots}\n- {item.name}\n{else}\n{/boots}",
            &["unknown_variable"],
        ),
        (
            "{*boots as boot}\n- {boot.name}\n{/boots}",
            &["unknown_variable"],
        ),
        ("{*list}\n- {item}", &["unclosed_loop"]),
        ("{?n > 3}x{/n}", &["unsupported_expression"]),
        ("{?n > 3}\nx\n{else}\ny\n{/n}", &["unsupported_expression"]),
        ("{?n > 3}", &["unsupported_expression"]),
    ] {
        assert_eq!(codes(text, &options), expected, "{text:?}");
    }
}

#[test]
fn an_unknown_name_in_a_loop_is_told_what_the_loop_gives() {
    let options = Options {
        names: &["docks"],
        ..Options::new(Place::Node)
    };
    let problems = parse("{*docks as dock}\n- {dok.name}\n{/docks}", &options).problems;
    assert_eq!(
        problems[0].help,
        "the item of the loop has a similar name: `dock`"
    );
}

#[test]
fn remedies_compile() {
    let help = |text: &str| {
        let options = Options {
            names: &["name", "list"],
            ..Options::new(Place::Node)
        };
        parse(text, &options).problems[0].help.clone()
    };
    assert!(help("{name.len()}").contains("`vars(n = self.name.len())`"));
    assert!(help("{name!r}").contains("`vars(n = ..)`"));
    assert!(help("- {*list}{item.len()}").contains("`{item.field}`"));
    assert!(help("{?name > 3}x{/name}").contains("`vars(is_large = self.size > 3)`"));
}

#[test]
fn the_head_of_a_line_is_repeated_with_it() {
    let values = json!({"l": ["a", "b"], "on": true, "off": false});
    is("- {?on}{*l}{item}\nEnd.", &values, "- a\n- b\nEnd.");
    is("- {?off}{*l}{item}\nEnd.", &values, "End.");
    is("1. [ ] {*l}{?!last}{item}\nEnd.", &values, "1. [ ] a\nEnd.");
    let list = support::read("  - {?on}{*l}x {item}", &values).elements;
    let text = list.texts().next().unwrap();
    assert!(matches!(text.iter().next(), Some(Inline::If(_))));
    assert_eq!(text.to_string(), "  - {?on}{*l}x {item}");
}

#[test]
fn a_name_with_accents_of_their_own_is_told_so() {
    let options = Options {
        names: &["größe"],
        ..Options::new(Place::Node)
    };
    for text in ["{gro\u{308}ße}", "{?gro\u{308}ße}a"] {
        let problems = parse(text, &options).problems;
        assert_eq!(problems.len(), 1);
        assert!(problems[0].help.ends_with("type it again"), "{problems:?}");
    }
    assert!(parse("{größe}", &options).problems.is_empty());
}

//! The grammar by example: blocks, inline pieces, and every rule.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{
    Code, Each, Element, If, Inline, InlineText, Options, Parsed, Part, Place, Specs, is_key,
    is_tag, key_case, nearest, parse, title_case,
};
use serde_json::json;
use std::hash::BuildHasher;

fn options(place: Place) -> Options<'static> {
    Options {
        names: &["language", "team", "limit"],
        sections: &["rules", "style_guide"],
        ..Options::new(place)
    }
}

fn node(text: &str) -> Parsed {
    parse(text, &options(Place::Node))
}

/// The codes of the problems of a node's own text, each with what it points at.
fn problems(text: &str) -> Vec<(&'static str, &str)> {
    found(text, &options(Place::Node))
}

fn found<'t>(text: &'t str, options: &Options<'_>) -> Vec<(&'static str, &'t str)> {
    let problems = parse(text, options).problems;
    problems
        .iter()
        .map(|problem| {
            (
                problem.code.as_str(),
                &text[problem.span.start..problem.span.end],
            )
        })
        .collect()
}

/// One line per element: its kind and its content.
fn outline(text: &str) -> Vec<String> {
    let elements = node(text).elements;
    outline_of(elements.iter().as_slice(), "")
}

/// The elements under a heading's conditions stand behind these.
fn outline_of(list: &[Element], before: &str) -> Vec<String> {
    let line = |element: &Element| match element {
        Element::Title {
            level,
            text,
            metadata,
            ..
        } => {
            let mark = if metadata.optional { "?" } else { "" };
            Vec::from([format!("title {level}{mark} {before}{text}")])
        }
        Element::If { .. } | Element::Each { .. } => {
            let part = |part: &Part<Element>| {
                outline_of(&part.list, &format!("{before}{}", part.marker.trim()))
            };
            element.parts().flat_map(part).collect()
        }
        element => Vec::from([leaf(element)]),
    };
    list.iter().flat_map(line).collect()
}

fn leaf(element: &Element) -> String {
    match element {
        Element::Text { text, .. } => format!("text {text}"),
        Element::Code { info, text, .. } => format!("code {info}|{text}"),
        Element::Slot {
            name,
            level,
            indent,
            ..
        } => format!("slot {level} +{indent} {name}"),
        _ => String::new(),
    }
}

/// What the pieces of a text print, variables as `<name>`, parts of conditions as they are written, between `<` and `>`.
fn pieces(text: &str, place: Place) -> String {
    let parsed = parse(text, &options(place));
    let mut printed = String::new();
    for text in parsed.elements.all().flat_map(Element::inline_texts) {
        push(text.iter().as_slice(), &mut printed);
    }
    printed
}

fn push(list: &[Inline], printed: &mut String) {
    let angled = |text: &str| text.replace('{', "<").replace('}', ">");
    for piece in list {
        match piece {
            Inline::Literal(text) | Inline::Escaped(text) => printed.push_str(text),
            Inline::If(If { end, .. }) | Inline::Each(Each { end, .. }) => {
                for part in piece.parts() {
                    printed.push_str(&angled(&part.marker));
                    push(&part.list, printed);
                }
                printed.push_str(&angled(end));
            }
            piece => printed.push_str(&angled(&piece.to_string())),
        }
    }
}

/// The first problem that is more than a lint.
fn first_error(parsed: &Parsed) -> Option<&'static str> {
    parsed
        .problems
        .iter()
        .find(|problem| !problem.code.is_lint() || problem.code == Code::UnclosedFence)
        .map(|problem| problem.code.as_str())
}

#[test]
fn parse_cases() {
    support::run_all("parse", |case| {
        let parsed = parse(case["text"].as_str().unwrap(), &Options::new(Place::Free));
        let element = |(index, element): (usize, &Element)| {
            let mut written = match element {
                Element::Title { level, text, .. } => {
                    json!({"type": "title", "level": level, "content": text.to_string()})
                }
                Element::Text { text, .. } => json!({"type": "text", "content": text.to_string()}),
                Element::Code {
                    info, text, fence, ..
                } => {
                    let mut code = json!({"type": "code", "info": info.to_string(), "content": text.to_string()});
                    if fence != "```" {
                        code["fence"] = json!(fence);
                    }
                    code
                }
                Element::Slot { name, level, .. } => {
                    json!({"type": "slot", "level": level, "name": name})
                }
                element => json!(element.to_string()),
            };
            let blank_lines = element.metadata().blank_lines;
            if index > 0 && blank_lines != 1 {
                written["blank_lines"] = json!(blank_lines);
            }
            written
        };
        let actual = match first_error(&parsed) {
            Some(code) => json!({"error": code}),
            None => {
                json!({"elements": parsed.elements.iter().enumerate().map(element).collect::<Vec<_>>()})
            }
        };
        same(&actual, &case["expected"])
    });
}

fn same(actual: &serde_json::Value, expected: &serde_json::Value) -> Result<(), String> {
    if actual == expected {
        Ok(())
    } else {
        Err(format!("{actual}, and not {expected}"))
    }
}

#[test]
fn check_cases() {
    support::run_all("check", |case| {
        let known = case["known"].as_array().unwrap().iter();
        let known: Vec<&str> = known.map(|name| name.as_str().unwrap()).collect();
        let is_node = case["where"] == "node";
        let place = if is_node {
            Place::Node
        } else {
            Place::Introduction
        };
        let options = Options {
            names: &known,
            ..Options::new(place)
        };
        let parsed = parse(case["text"].as_str().unwrap(), &options);
        let ok = json!({"ok": true});
        same(
            &first_error(&parsed).map_or(ok, |code| json!({"error": code})),
            &case["expected"],
        )
    });
}

#[test]
fn title_cases() {
    support::run_all("title", |case| {
        same(
            &json!(title_case(case["field"].as_str().unwrap())),
            &case["expected"],
        )
    });
    assert_eq!(title_case("parseHTTPResponse"), "Parse HTTP Response");
    assert_eq!(title_case("order_of_work"), "Order of Work");
    assert_eq!(title_case("whatToDo"), "What to Do");
    assert_eq!(title_case("the_cases_to_look_for"), "The Cases to Look For");
    assert_eq!(title_case("this_OR_that"), "This OR That");
    assert_eq!(title_case("of"), "Of");
    assert_eq!(title_case("r#type"), "Type");
    assert_eq!(title_case("API_KEY"), "API KEY");
}

#[test]
fn keys_are_snake_case() {
    for (field, key) in [
        ("literature_review", "literature_review"),
        ("r#type", "type"),
        ("class_", "class"),
        ("mainAnalysis", "main_analysis"),
        ("parseHTTPResponse", "parse_http_response"),
        ("q3_results", "q3_results"),
        ("my__var", "my_var"),
    ] {
        assert_eq!(key_case(field), key);
    }
    let long = "a".repeat(64);
    assert!(["a", "0-x_y", &long].iter().all(|key| is_key(key)));
    assert!(
        !["", "A", "_a", "-a", "größe", "a.b", &format!("{long}a")]
            .iter()
            .any(|key| is_key(key))
    );
    assert!(["a", "_", "A.b-c_9"].iter().all(|tag| is_tag(tag)));
    assert!(!["", "1a", "-a", "a b", "ä"].iter().any(|tag| is_tag(tag)));
}

#[test]
fn nearest_names() {
    let names = ["language", "team", "PROMPT_SUBTREE"];
    assert_eq!(nearest("langauge", names), Some("language"));
    assert_eq!(nearest("prompt_subtree", names), Some("PROMPT_SUBTREE"));
    assert_eq!(nearest("PROMPT_SUBTRE", names), Some("PROMPT_SUBTREE"));
    assert_eq!(nearest("teams", names), Some("team"));
    assert_eq!(nearest("x", names), None);
    assert_eq!(nearest("a", ["b"]), None);
    assert_eq!(nearest("", names), None);
    assert_eq!(nearest(&"team".repeat(100_000), names), None);
}

#[test]
fn near_is_a_third_of_a_name_and_three_letters_at_most() {
    let is_near = |name: &str, candidate: &str| nearest(name, [candidate]).is_some();
    for (name, candidate) in [
        // One letter too many, too few, another one, two in each other's place.
        ("teeam", "team"),
        ("eteam", "team"),
        ("tem", "team"),
        ("tean", "team"),
        ("xeam", "team"),
        ("taem", "team"),
        ("etam", "team"),
        ("tema", "team"),
        ("langauge_s", "languages"),
        ("abcdefghi", "abcdefghi日本語"),
        ("abcdefghi", "abcdefghi𝒳𝒳𝒳"),
        ("abcdefghi", "bcadefgih"),
    ] {
        assert!(is_near(name, candidate), "{name} {candidate}");
    }
    for (name, candidate) in [
        ("meat", "team"),
        ("tezn", "team"),
        ("teamxy", "texm"),
        ("abcde", "axcye"),
        ("abcde", "cbade"),
        ("abcdefghi", "abcdefghiwxyz"),
        ("abcdefghi", "badcfehgi"),
        ("ab", "ba_"),
        ("a", "b"),
    ] {
        assert!(!is_near(name, candidate), "{name} {candidate}");
    }
    assert_eq!(nearest("team", ["tear", "teal"]), Some("tear"));
    assert_eq!(
        nearest("languages", ["longuagez", "languagex"]),
        Some("languagex")
    );
    assert_eq!(
        nearest("languages", ["languagex", "longuagez"]),
        Some("languagex")
    );
    // Nobody mistypes longer names by two letters.
    let [shorter, longest, longer] = [63, 64, 65].map(|length| "a".repeat(length));
    assert!(is_near(&longest, &shorter) && is_near(&shorter, &longest));
    assert!(!is_near(&longer, &longest) && !is_near(&longest, &longer));
    assert!(!is_near(&longer, &longer));
}

#[test]
fn headings() {
    assert_eq!(
        outline("# One\nbody\n   ## Two ##  \n###\tThree #\n###### Six"),
        [
            "title 1 One",
            "text body",
            "title 2 Two",
            "title 3 Three",
            "title 6 Six"
        ]
    );
    for text in [
        "#word",
        "\\# x",
        "- # x",
        "> # x",
        "    # x",
        "#\u{3000}x",
        "1. # x",
        "##########",
        "\t# x",
        "- a\n\n  # in the item",
        "2. a\n\n   # in the item",
        "  - a\n\n    # in the item",
        "10. a\n\n    # in the item",
        "- - a\n\n    # in the item",
    ] {
        assert_eq!(outline(text), [format!("text {text}")], "{text:?}");
        assert_eq!(problems(text), [], "{text:?}");
    }
    assert_eq!(
        outline("## a#\n## # b\n## a \\#\n## x # #"),
        ["title 2 a#", "title 2 # b", "title 2 a \\#", "title 2 x #"]
    );
    assert_eq!(
        outline("- a\n\n# after the list"),
        ["text - a", "title 1 after the list"]
    );
    assert_eq!(
        outline("  - a\n\n   # after the list"),
        ["text   - a", "title 1 after the list"]
    );
    assert_eq!(
        outline("-    a\n\n   # after the list"),
        ["text -    a", "title 1 after the list"]
    );
    assert_eq!(
        outline("10. a\n\n   # after the list"),
        ["text 10. a", "title 1 after the list"]
    );
    assert_eq!(
        outline("{?team}{?!limit}## B {team} ##\n  {?team}# C"),
        ["title 2 {?team}{?!limit}B {team}", "title 1 {?team}C"]
    );
    assert_eq!(outline("{?nope}## B"), ["text {?nope}## B"]);
    // A closing run is printed only where another one was taken.
    for text in ["## a#", "## a \\#", "## a"] {
        assert_eq!(node(text).elements.to_markdown(), text);
    }
    assert_eq!(node("## a # #").elements.to_markdown(), "## a # #");
    assert_eq!(Element::title(2, "a ".into()).to_string(), "## a ");
    assert_eq!(
        problems("##\n\n### ###"),
        [("empty_heading", "##"), ("empty_heading", "### ###")]
    );
    assert_eq!(problems("####### Seven\n######## RULES ########").len(), 2);
    assert_eq!(
        problems("####### Seven"),
        [("heading_level", "####### Seven")]
    );
    assert!(
        node("######## Eight # #").problems[0]
            .message
            .starts_with("a heading with 8 hashes")
    );
}

#[test]
fn heading_rules() {
    assert_eq!(problems("# A\n### B\n# C"), [("skipped_level", "### B")]);
    assert_eq!(problems("## A\n# B\n## C"), [("heading_above_top", "# B")]);
    assert_eq!(problems("### A\n## B\n# C").len(), 2);
    let allow = Options {
        allow: &[Code::SkippedLevel, Code::UnknownVariable],
        ..options(Place::Node)
    };
    assert_eq!(found("# A\n### {x}", &allow), [("unknown_variable", "{x}")]);
}

#[test]
fn code_blocks() {
    assert_eq!(
        outline("a\n```rust\n# {x}\n\n\n```\nb"),
        ["text a", "code rust|# {x}\n\n", "text b"]
    );
    assert_eq!(outline("~~~~ a `b`\n~~~\n~~~~~  "), ["code a `b`|~~~"]);
    assert_eq!(outline("``` a`b\ntext"), ["text ``` a`b\ntext"]);
    assert_eq!(outline("    ```\n    x"), ["text     ```\n    x"]);
    assert_eq!(
        outline("```\n{PROMPT_SUBTREE}\n```"),
        ["code |{PROMPT_SUBTREE}"]
    );
    for text in [
        "```\n```",
        "```\n\n```",
        "  ~~~ x y  \n\n a \n ~~~ ",
        "```",
        "```\nx",
    ] {
        assert_eq!(node(text).elements.to_markdown(), text);
    }
    assert_ne!(node("```\n```").elements, node("```\n\n```").elements);
    assert_eq!(problems("a\n```sh\nx\n``"), [("unclosed_fence", "```")]);
    assert_eq!(problems("a\n  ~~~\nx"), [("unclosed_fence", "~~~")]);
    // A fence that may go would leave its closing line behind.
    for text in ["{?team}```\nx", "{?team} ~~~\nx"] {
        assert_eq!(outline(text), [format!("text {text}")]);
    }
    let allow = Options {
        allow: &[Code::UnclosedFence],
        ..options(Place::Node)
    };
    assert_eq!(found("```json\n{", &allow), []);
}

#[test]
fn fences_in_lists_and_quotes_are_text_with_the_rules_of_code() {
    let list = "1. Run:\n   ```sh\n   # {x} {team}\n   {rules}\n   ```\n   then {team}.";
    assert_eq!(outline(list), [format!("text {list}")]);
    assert_eq!(problems(list), []);
    assert_eq!(
        pieces(list, Place::Node),
        "1. Run:\n   ```sh\n   # {x} <team>\n   {rules}\n   ```\n   then <team>."
    );
    assert_eq!(
        problems("> ```\n> {x}\n> ```\n\n{x}"),
        [("unknown_variable", "{x}")]
    );
    assert_eq!(
        problems("> ```\n> {x}\n{x}"),
        [("unclosed_fence", "```"), ("unknown_variable", "{x}")]
    );
    assert_eq!(
        outline("- ```\n  x\n# heading"),
        ["text - ```\n  x", "title 1 heading"]
    );
}

#[test]
fn comments_and_notes() {
    assert_eq!(
        outline("<!--\n# hidden\n```\n-->\n# Shown"),
        ["text <!--\n# hidden\n```\n-->", "title 1 Shown"]
    );
    assert_eq!(
        outline("<!--\na\n# hidden\n-->"),
        ["text <!--\na\n# hidden\n-->"]
    );
    let keep = Options {
        keep_notes: true,
        ..options(Place::Node)
    };
    let text = "a\n<!--# note -->\nb";
    assert_eq!(parse(text, &keep).elements.to_markdown(), text);
    // A note takes its own lines, and nothing around it.
    assert_eq!(outline("a\n\n<!--# note -->\nb"), ["text a\n\nb"]);
    assert_eq!(outline("a\n\n<!--# note -->\n\nb"), ["text a\n\nb"]);
    assert_eq!(outline("a\n<!--# note\n# still\n-->\nb"), ["text a\nb"]);
    assert_eq!(outline("a\n<!--# one -->\n<!--# two -->"), ["text a"]);
    assert_eq!(
        outline("<!--# note -->\n\na\n\n  <!--# end -->  "),
        ["text a"]
    );
    assert_eq!(
        outline("# T\n\n<!--# n -->\n{rules}"),
        ["title 1? T", "slot 2 +0 rules"]
    );
    for text in [
        "a <!--# inside --> b",
        "<!--# n --> tail",
        "```\n<!--# n -->\n```",
        "<!--\n<!--# n -->",
        "- <!--# n -->",
    ] {
        assert_eq!(node(text).elements.to_markdown(), text);
    }
    assert_eq!(
        problems("a\n\n<!--# never\n\n{x}\n# {y}"),
        [("unclosed_note", "<!--#")]
    );
    let elements = node("<!--# two\nlines -->\r\n\r\na\r\n\r\n<!--# n -->\r\n# T").elements;
    let places = elements
        .iter()
        .map(|element| (element.metadata().line, element.metadata().blank_lines));
    assert_eq!(places.collect::<Vec<_>>(), [(4, 1), (7, 1)]);
}

#[test]
fn blank_lines_are_kept_with_their_blanks() {
    let text = "a\n  \n\t\n# T\n \n{rules}\n\n  \nb\n \nc";
    let elements = node(text).elements;
    let blanks = elements
        .iter()
        .map(|element| (element.metadata().blank_lines, &*element.metadata().blanks));
    assert_eq!(
        blanks.collect::<Vec<_>>(),
        [(1, ""), (2, "  \n\t\n"), (1, " \n"), (2, "\n  \n")]
    );
    assert_eq!(elements.to_markdown(), text);
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let text = "\u{FEFF}# T\r\n{x}";
    assert_eq!(outline(text), ["title 1 T", "text {x}"]);
    assert_eq!(problems(text), [("unknown_variable", "{x}")]);
    assert_eq!(pieces("\u{FEFF}a", Place::Inline), "a");
}

#[test]
fn slots() {
    assert_eq!(
        outline("a\n   {rules}\nb\n###### T\n{COLLECTED_CONTEXT}\n\n\t{PROMPT_SUBTREE}"),
        [
            "text a",
            "slot 1 +3 rules",
            "text b",
            "title 6? T",
            "slot 7 +0 COLLECTED_CONTEXT",
            "slot 7 +4 PROMPT_SUBTREE"
        ]
    );
    for (text, code) in [
        ("Lead {PROMPT_SUBTREE} tail", "slot_not_alone"),
        ("see {rules}.", "slot_not_alone"),
        ("- {rules}", "slot_not_alone"),
        ("{?team}{rules}", "slot_not_alone"),
        ("# {rules}", "slot_in_heading"),
        ("{rules}\n\n{rules}", "duplicate_slot"),
        ("{ rules }", "spaced_variable"),
        ("{prompt_subtree}", "unknown_variable"),
    ] {
        assert_eq!(
            problems(text)
                .iter()
                .map(|problem| problem.0)
                .collect::<Vec<_>>(),
            [code],
            "{text:?}"
        );
    }
    assert_eq!(problems("`{rules}` and `{PROMPT_SUBTREE}`"), []);
    let introduction = options(Place::Introduction);
    assert_eq!(
        found("{PROMPT_SUBTREE}\n\nand {COLLECTED_CONTEXT}", &introduction),
        [
            ("slot_in_section", "{PROMPT_SUBTREE}"),
            ("slot_in_section", "{COLLECTED_CONTEXT}")
        ]
    );
    assert_eq!(
        found("{rules}", &introduction),
        [("unknown_variable", "{rules}")]
    );
    assert_eq!(
        found(
            "{rules}",
            &Options {
                names: &["rules"],
                ..introduction
            }
        ),
        []
    );
    assert_eq!(
        found("x {PROMPT_SUBTREE}", &options(Place::Inline)),
        [("slot_not_alone", "{PROMPT_SUBTREE}")]
    );
}

#[test]
fn optional_titles() {
    assert_eq!(
        outline("# A\n## B\n{rules}\n## C\n{style_guide}"),
        [
            "title 1? A",
            "title 2? B",
            "slot 3 +0 rules",
            "title 2? C",
            "slot 3 +0 style_guide"
        ]
    );
    assert_eq!(
        outline("# A\n## B\n{rules}\n## C\nx\n# D"),
        [
            "title 1 A",
            "title 2? B",
            "slot 3 +0 rules",
            "title 2 C",
            "text x",
            "title 1 D"
        ]
    );
}

#[test]
fn variables() {
    assert_eq!(
        pieces("{team} {limit:>8.2} {team.name.0}{team}", Place::Node),
        "<team> <limit:>8.2> <team.name.0><team>"
    );
    assert_eq!(
        pieces("# In {language}\n\n```{language}\n{team}\n```", Place::Node),
        "In <language><language><team>"
    );
    assert_eq!(
        problems("a {langage} {x.y}"),
        [
            ("unknown_variable", "{langage}"),
            ("unknown_variable", "{x.y}")
        ]
    );
    for text in [
        "{}",
        "{0}",
        "{\"a\": 1}",
        "fn f() { x }",
        "{{ title }}",
        "{a b}",
        "{% if x %}",
        "{a: 1}",
        "{key:value}",
        "{x.}",
        "{-}",
        "{ \"team\": 1 }",
        "{\nteam}",
        "${x}",
        "`{x}`",
        "`` ` {x} ``",
        "{:>8}",
        "{/nope}",
        "{",
        "}",
        "}}",
        "{'team'}",
    ] {
        assert_eq!(problems(text), [], "{text:?}");
        assert_eq!(pieces(text, Place::Node), text);
    }
    assert_eq!(problems("{{x}"), [("unknown_variable", "{x}")]);
    assert_eq!(pieces("{team:}", Place::Node), "<team:>");
    assert_eq!(
        pieces("größe {größe} {名前} {a̋b} {_x}", Place::Free),
        "größe <größe> <名前> <a̋b> <_x>"
    );
}

#[test]
fn doubled_braces() {
    for (text, printed) in [
        ("{{team}}", "{team}"),
        ("{{{team}}}", "{<team>}"),
        ("{{{{team}}}}", "{{team}}"),
        ("{{{{{team}}}}}", "{{<team>}}"),
        ("{{rules}} {{{{rules}}}}", "{rules} {{rules}}"),
        ("{{PROMPT_SUBTREE}}", "{PROMPT_SUBTREE}"),
        (
            "{{team.name}} {{limit:>8}} {{?team}} {{/team}} {{team:}}",
            "{team.name} {limit:>8} {?team} {/team} {team:}",
        ),
        ("{{rewritten_{team}}}", "{{rewritten_<team>}}"),
        ("{\"a\": {team}}", "{\"a\": <team>}"),
        ("{{{team}}", "{{team}"),
        ("{{team}}}", "{team}}"),
        ("{{{team}", "{{<team>"),
        (
            "{{ user }} {{else}} {{#if x}} {{> x}}",
            "{{ user }} {{else}} {{#if x}} {{> x}}",
        ),
        ("{{team.len()}} {{team: 1}}", "{team.len()} {team: 1}"),
        (
            "`{{team}} {{x}} {{{x}}}` ${{team}} ${{x}} ${{ x }} `{{{team}}}`",
            "`{team} {{x}} {{{x}}}` ${team} ${{x}} ${{ x }} `{<team>}`",
        ),
        ("```\n{{team}} {{x}}\n```", "{team} {{x}}"),
    ] {
        assert_eq!(pieces(text, Place::Node), printed, "{text:?}");
        let others = problems(text).into_iter();
        let others: Vec<_> = others.filter(|it| it.0 != "doubled_braces").collect();
        assert_eq!(others, [], "{text:?}");
        assert_eq!(node(text).elements.to_markdown(), text);
        for used in node(text).uses {
            let span = &text[used.span.start..used.span.end];
            assert_eq!(span, format!("{{{}}}", used.name), "{text:?}");
        }
    }
    // Names are known where a text may use any, and sections where conditions may ask them.
    assert_eq!(found("{{?x}}", &options(Place::Free)), []);
    assert_eq!(found("{/if} {else}", &options(Place::Free)).len(), 1);
    assert_eq!(
        pieces("`{{?rules}}` `{{?team}}`", Place::Introduction),
        "`{?rules}` `{?team}`"
    );
    assert_eq!(pieces("{{team.len()}", Place::Node), "{{team.len()}");
}

#[test]
fn doubled_markers_are_printed() {
    for text in ["{{?x}}", "{{*x}}"] {
        assert_eq!(pieces(text, Place::Node), text);
        assert_eq!(problems(text), []);
    }
    assert_eq!(
        pieces("{{?team}}{{*team}}{{/team}}", Place::Node),
        "{?team}{*team}{/team}"
    );
}

#[test]
fn doubled_unknown_names_are_a_hint() {
    for (text, printed) in [
        ("{{anything}}", "{anything}"),
        ("{{{anything}}}", "{{anything}}"),
        ("{{any.x:>8}}", "{any.x:>8}"),
    ] {
        assert_eq!(pieces(text, Place::Node), printed, "{text:?}");
        assert_eq!(problems(text), [("doubled_braces", text)]);
        let shown = &text[1..text.len() - 1];
        let message = format!("`{text}` prints `{shown}`: two braces print one");
        assert_eq!(node(text).problems[0].message, message);
        assert_eq!(node(text).elements.to_markdown(), text);
        let allow = Options {
            allow: &[Code::DoubledBraces],
            ..options(Place::Node)
        };
        assert_eq!(found(text, &allow), []);
    }
    assert!(
        Code::DoubledBraces.is_lint()
            && Code::DoubledBraces.is_hint()
            && Code::DoubledBraces.can_allow()
    );
    assert!(!Code::SkippedLevel.is_hint() && Code::SetextHeading.is_hint());
}

#[test]
fn doubled_known_names_are_a_hint() {
    for (text, doubled) in [
        ("Sign with {{team}}, {team}.", "{{team}}"),
        ("{{team.name:>8}}", "{{team.name:>8}}"),
        ("{{team.len()}}", "{{team.len()}}"),
        ("{{team}}}", "{{team}}"),
        ("{{{team}}}", "{{{team}}}"),
        ("{{rules}}", "{{rules}}"),
        ("{{PROMPT_SUBTREE}}", "{{PROMPT_SUBTREE}}"),
        ("# {{team}}", "{{team}}"),
        ("Pay ${{team}}.", "{{team}}"),
        ("Run `{{team}}` and `{{x}}`.", "{{team}}"),
        ("```\n{{team}} {{x}}\n```", "{{team}}"),
    ] {
        assert_eq!(problems(text), [("doubled_braces", doubled)], "{text}");
    }
    let problem = &node("{{team}}").problems[0];
    assert_eq!(
        problem.message,
        "`{{team}}` prints `{team}` and no value: two braces print one"
    );
    assert_eq!(
        problem.help,
        "write `{team}` to print the value, `{{{{team}}}}` to print two braces; if what is printed is meant, switch the hint off with `allow(doubled_braces)`"
    );
    // What prints a value, or clearly means the braces, is none.
    for text in [
        "`{{{team}}}`",
        "{{{{team}}}}",
        "{{_}}",
        "{{?team}} {{/team}}",
    ] {
        assert_eq!(problems(text), [], "{text}");
    }
    assert_eq!(
        found("{{x}} {x}", &options(Place::Free)),
        [("doubled_braces", "{{x}}")]
    );
}

/// What the hint says to write is no hint again, and prints what it says, wherever it stands.
#[test]
fn four_braces_print_two() {
    for inner in [
        "team",
        "any",
        "team.name",
        "any.x",
        "team:>8",
        "any:>8",
        "rules",
        "team.len()",
        "team: 1",
    ] {
        for around in ["@", "# @", "- a\n\n- @ b", "Pay $@.", "`@`", "```\n@\n```"] {
            let with = |braces: usize| {
                let [open, close] = ["{", "}"].map(|brace| brace.repeat(braces));
                around.replace('@', &format!("{open}{inner}{close}"))
            };
            // In code there is no variable but a known one.
            let is_name = !inner.contains(['(', ' ']);
            if is_name || !around.contains(['`', '$']) {
                assert_eq!(problems(&with(4)), [], "{}", with(4));
                let printed = pieces(&with(4), Place::Node);
                assert!(printed.contains(&format!("{{{{{inner}}}}}")), "{printed}");
                assert!(!printed.contains("{{{"), "{printed}");
            }
            let hints = node(&with(2)).problems;
            let [hint] = hints.as_slice() else {
                assert!(around.contains(['`', '$']), "{}", with(2));
                assert!(
                    pieces(&with(2), Place::Node)
                        .contains(&with(2)[with(2).find('{').unwrap()..][..inner.len() + 4])
                );
                continue;
            };
            assert!(
                hint.help
                    .contains(&format!("`{{{{{{{{{inner}}}}}}}}}` to print two braces")),
                "{hint}"
            );
        }
    }
}

#[test]
fn a_raw_name_is_written_without_its_mark() {
    for (text, plain) in [
        ("{r#team}", "{team}"),
        ("{r#team:>8}", "{team:>8}"),
        ("{r#limit.r#type}", "{limit.type}"),
        ("{limit.r#type}", "{limit.type}"),
        ("{?r#team}", "{?team}"),
    ] {
        assert_eq!(problems(text), [("unsupported_expression", text)]);
        let help = format!("names stand in texts without `r#`: write `{plain}`");
        assert_eq!(node(text).problems[0].help, help);
    }
    assert_eq!(pieces("{{r#team}}", Place::Node), "{r#team}");
    for text in [
        "{r#other}",
        "`{r#team}`",
        "${r#team}",
        "{r #team}",
        "{r}#",
        "r#{",
    ] {
        let unknown = |code: &str| code == "unknown_variable";
        assert!(
            problems(text).iter().all(|(code, _)| unknown(code)),
            "{text:?}"
        );
    }
    let names = Options {
        names: &["r", "team"],
        ..options(Place::Node)
    };
    let text = "{r#team}";
    assert_eq!(found(text, &names), [("unsupported_expression", text)]);
}

#[test]
fn a_number_is_text_unless_a_tuple_has_that_field() {
    let tuple = Options {
        tuple: &["self.0", "", "self.2"],
        ..options(Place::Node)
    };
    for text in ["{0}", "{2}", "{0:>8}", "{0.name}", "{?0}", "{?!2.name}"] {
        assert_eq!(found(text, &tuple), [("tuple_field", text)]);
        assert_eq!(problems(text), []);
        assert_eq!(node(text).elements, parse(text, &tuple).elements);
        let allow = Options {
            allow: &[Code::TupleField],
            ..tuple
        };
        assert_eq!(found(text, &allow), []);
    }
    for text in [
        "{1}",
        "{3}",
        "{}",
        "{{0}}",
        "{0: 1}",
        "{0, 2}",
        "{0",
        "{0x}",
        "${0}",
        "`{0}`",
        "{99999999999999999999}",
    ] {
        assert_eq!(found(text, &tuple), [], "{text:?}");
    }
    let problem = parse("{2}", &tuple).problems.remove(0);
    assert!(problem.help.contains("vars(name = self.2)"), "{problem}");
}

#[test]
fn braces_that_miss_a_known_name_can_be_allowed() {
    let text = "{ team } and {team";
    let codes = [("spaced_variable", "{ team }"), ("unclosed_brace", "{team")];
    assert_eq!(problems(text), codes);
    let allow = Options {
        allow: &[Code::SpacedVariable, Code::UnclosedBrace],
        ..options(Place::Node)
    };
    assert_eq!(found(text, &allow), []);
    assert_eq!(parse(text, &allow).elements, node(text).elements);
}

#[test]
fn what_begins_with_a_known_name_is_never_silently_text() {
    for text in [
        "{team.len()}",
        "{team[0]}",
        "{team|upper}",
        "{team!r}",
        "{`team`}",
        "{team + limit}",
        "{team::x}",
        "{team: 1}",
        "{team, language}",
        "{team: {a: 1}, language}",
        "{rules()}",
    ] {
        assert_eq!(
            problems(text),
            [("unsupported_expression", text)],
            "{text:?}"
        );
        let in_code = format!("`` {text} ``");
        assert_eq!(problems(&in_code), [], "{in_code:?}");
        assert_eq!(node(text).elements.to_markdown(), text);
    }
    for text in [
        "{x.len()}",
        "{teams}s",
        "{{ team.len() }}",
        "${team.len()}",
        "{\"team\"}",
        "{(team)}",
    ] {
        assert!(
            !problems(text)
                .iter()
                .any(|(code, _)| *code == "unsupported_expression"),
            "{text:?}"
        );
    }
    assert_eq!(problems("{team {{ b }} x"), [("unclosed_brace", "{team")]);
    assert_eq!(
        problems("{team {{{limit} }} }"),
        [("unsupported_expression", "{team {{{limit} }} }")]
    );
    let long = format!("{{team.{}()}}", "x".repeat(60));
    let shown = format!("`{}..` begins with a known name", &long[..40]);
    assert!(node(&long).problems[0].message.starts_with(&shown));
    let help = &node("{team.len()}").problems[0].help;
    assert!(
        help.contains("vars(n = self.team.len())") && help.contains("double"),
        "{help}"
    );
}

#[test]
fn only_what_may_be_rust_is_offered_as_an_expression() {
    let help = |text: &str, options: &Options<'_>| {
        let problems = parse(text, options).problems;
        assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
        problems[0].help.clone()
    };
    let of_type = options(Place::Node);
    let of_variant = Options {
        access: "",
        ..of_type
    };
    for (text, expression) in [
        ("{team.len()}", "self.team.len()"),
        ("{team + limit}", "self.team + self.limit"),
        ("{ team[0] }", "self.team[0]"),
        ("{limit.max(team, 3)}", "self.limit.max(self.team, 3)"),
        ("{team, limit}", ".."),
        ("{team|upper}", ".."),
        ("{team::x}", ".."),
        ("{team -}", ".."),
        ("{team (}", ".."),
    ] {
        let written = |expression| format!("vars(n = {expression}), and");
        let written = written(expression).replace("),", ")`,");
        assert!(
            help(text, &of_type).contains(&written),
            "{text:?}: {}",
            help(text, &of_type)
        );
        let written = written.replace("self.", "");
        assert!(help(text, &of_variant).contains(&written), "{text:?}");
    }
    assert!(help("{team?}", &of_type).starts_with("`{?team}` asks whether it is there"));
    let in_loop = help("{*team}{item.len()}", &of_type);
    assert!(
        in_loop.contains("vars(rows = self.team.iter().map(..)"),
        "{in_loop}"
    );
    let in_loop = help(
        "{item.len()}",
        &Options {
            names: &["item"],
            ..options(Place::Template)
        },
    );
    assert!(
        in_loop.contains("vars(rows = self.items.iter().map(..)"),
        "{in_loop}"
    );
}

#[test]
fn a_field_of_a_section_has_no_slot() {
    for (text, help) in [
        (
            "{rules.0}",
            "vars(value = &self.rules.0)`, and write `{value}`",
        ),
        (
            "See {rules.name.first}.",
            "vars(first = &self.rules.name.first)`",
        ),
    ] {
        let problems = node(text).problems;
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].code, Code::UnsupportedExpression);
        assert!(
            problems[0].message.contains("`rules` is a section"),
            "{}",
            problems[0]
        );
        assert!(problems[0].help.contains(help), "{}", problems[0]);
    }
}

#[test]
fn what_a_loop_gives_is_named_where_it_is_missed() {
    let help = |text: &str| node(text).problems[0].help.clone();
    for text in [
        "{index}",
        "{item.name}",
        "{?first}x{/first}",
        "{?!last}, {/last}",
    ] {
        assert!(
            help(text).contains("stands in a loop"),
            "{text:?}: {}",
            help(text)
        );
    }
    // In the template of an item there are its place and its neighbours' keys, but no `{?last}`.
    let keys = "given by the keys `join` and `last`";
    assert!(!help("{?last}x{/last}").contains("template") && !help("{?last}x").contains(keys));
    let names = &["names", "item", "index", "index0"];
    let item = Options {
        names,
        ..options(Place::Template)
    };
    let problems = parse("{item}{?!last}, {/last}{?index}.{/index}", &item).problems;
    assert_eq!(problems.len(), 1);
    assert!(problems[0].help.contains(keys), "{}", problems[0]);
    assert_eq!(
        help("{*team}{teams.name}"),
        "the item of `{*team}` is `{item}`; `{*team as name}` gives it another name"
    );
    let heading = Options {
        names: &["title"],
        ..options(Place::Inline)
    };
    let problems = parse("{titel}", &heading).problems;
    assert_eq!(
        problems[0].help,
        "a variable with a similar name exists: `title`"
    );
}

#[test]
fn near_misses_in_code() {
    assert_eq!(
        problems("`{langage}` `{tea}` `{x}` ${languag}"),
        [
            ("unknown_variable", "{langage}"),
            ("unknown_variable", "{languag}")
        ]
    );
    assert_eq!(
        pieces("`{team}` ${team} `{team:name}` `{langxxge}`", Place::Node),
        "`<team>` $<team> `{team:name}` `{langxxge}`"
    );
    // The first of several, however many there are, and nothing that is two letters away.
    let many: Vec<String> = (10..40).map(|number| format!("name_{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let near = |text: &str| {
        let options = Options {
            names: &many,
            ..Options::new(Place::Node)
        };
        let help = parse(text, &options).problems.into_iter().next();
        help.map(|problem| problem.help.split('`').nth(1).unwrap().to_owned())
    };
    assert_eq!(near("`{naem_39}`").as_deref(), Some("name_39"));
    assert_eq!(near("`{name_3}`").as_deref(), Some("name_13"));
    assert_eq!(near("`{mname_3}`"), None);
    let longest = ["a".repeat(64), "a".repeat(63) + "b"];
    for (name, written, nearest) in [
        ("Abcd abcdz", "abcd", Some("Abcd")),
        (&longest[0], &longest[1], Some(&*longest[0])),
        (&"a".repeat(65), &("a".repeat(64) + "b"), None),
    ] {
        let names: Vec<&str> = name.split(' ').collect();
        let options = Options {
            names: &names,
            ..Options::new(Place::Node)
        };
        let problems = parse(&format!("`{{{written}}}`"), &options).problems;
        let found = problems
            .first()
            .and_then(|problem| problem.help.split('`').nth(1));
        assert_eq!(found, nearest);
    }
}

#[test]
fn inline_code_is_found_as_commonmark_does() {
    for (text, code) in [
        ("`a\nb {x}`", true),
        ("`a\n\nb {x}`", false),
        ("- ` a\n- {x} `", false),
        ("``{x}`", false),
        ("\\`{x}`", false),
        ("\\\\`{x}`", true),
        ("\\``{x}`", true),
        ("`a\\`{x}`", false),
        ("`a` {x} `b`", false),
        ("` # {x}\n# `", false),
        ("> `a\n> {x}`", true),
        ("> `a\n>\n> {x}`", false),
        ("a `b\n# `\n{x}`", false),
    ] {
        assert_eq!(problems(text).is_empty(), code, "{text:?}");
    }
}

#[test]
fn spaced_and_unclosed() {
    assert_eq!(
        problems("{ team } {team } { x } `{ team }` ${ team } { team:>8 }"),
        [
            ("spaced_variable", "{ team }"),
            ("spaced_variable", "{team }"),
            ("spaced_variable", "{ team:>8 }")
        ]
    );
    assert_eq!(
        problems("You review {language code for {team}."),
        [("unclosed_brace", "{language")]
    );
    assert_eq!(
        problems("{PROMPT_SUBTREE"),
        [("unclosed_brace", "{PROMPT_SUBTREE")]
    );
    assert_eq!(problems("{unknown and `{team` and ${team"), []);
}

#[test]
fn specs() {
    let runtime = Options {
        specs: Specs::Runtime,
        ..options(Place::Free)
    };
    assert_eq!(found("{a:*^9.3} {a:<} {a:5} {a:.1} {a:é>3}", &runtime), []);
    assert_eq!(
        pieces("{a:*^9.3} {a:<} {a:5} {a:.1} {a:é>3}", Place::Free),
        "<a:*^9.3> <a:<> <a:5> <a:.1> <a:é>3>"
    );
    for text in [
        "{a:?}",
        "{a:x}",
        "{a:05}",
        "{a:+}",
        "{a:#?}",
        "`{limit:?}`",
        "{limit:name}",
        "{limit:w$}",
    ] {
        assert_eq!(
            found(text, &runtime)
                .iter()
                .map(|problem| problem.0)
                .collect::<Vec<_>>(),
            ["unsupported_spec"],
            "{text}"
        );
    }
    assert_eq!(problems("{limit:?} {limit:#x} {limit:+05} {limit:x?}"), []);
    for (text, code) in [
        ("{limit:w$}", "unsupported_spec"),
        ("{limit:1$}", "unsupported_spec"),
        ("{limit:.*}", "unsupported_spec"),
        ("{limit:name}", "unsupported_spec"),
        // `std::fmt` could not read these either.
        ("{limit:$}", "unsupported_expression"),
        ("{limit:.}", "unsupported_expression"),
        ("{limit:.x}", "unsupported_expression"),
    ] {
        assert_eq!(problems(text), [(code, text)]);
    }
    let help = |text: &str, options: &Options<'_>| parse(text, options).problems[0].help.clone();
    assert!(help("{limit:w$}", &options(Place::Node)).starts_with("write width and precision"));
    assert!(help("{limit:name}", &options(Place::Node)).contains("`std::fmt` reads"));
    assert!(help("{limit:?}", &runtime).starts_with("fill, align, width"));
}

#[test]
fn templates_of_one_piece() {
    for text in [
        "",
        " ",
        "# {team}",
        "\n- {team}\n",
        "` ``\n{rules",
        "====",
        "{team}\r\n",
    ] {
        let parsed = parse(text, &options(Place::Inline));
        assert_eq!(parsed.problems, [], "{text:?}");
        assert_eq!(parsed.elements.len(), usize::from(!text.is_empty()));
        assert_eq!(parsed.elements.to_markdown(), text.replace("\r\n", "\n"));
    }
    let inline = |text| found(text, &options(Place::Inline));
    assert_eq!(inline("`a\n{x}`"), []);
    assert_eq!(inline("`a\n\n{x}`"), [("unknown_variable", "{x}")]);
    assert_eq!(
        inline("`a\n{?team}\n{x}`\n{/team}"),
        [("unknown_variable", "{x}")]
    );
}

#[test]
fn setext_underlines_are_a_lint() {
    assert_eq!(
        problems("Title\n=====\n\nSub\n---\nBody"),
        [("setext_heading", "====="), ("setext_heading", "---")]
    );
    for text in [
        "---",
        "a\n\n---",
        "# T\n---",
        "- a\n---",
        "> a\n---",
        "<rules>\n---",
        "a | b\n--- | ---",
        "    a\n---",
        "a\n- - -",
        "***\n---",
        // a blank line that stays
        "{_}\n---",
        "a\n\n{_}\n---",
        "a\n {_} \n---",
        "<a>\n{_}\n===",
    ] {
        assert_eq!(problems(text), [], "{text:?}");
    }
    assert_eq!(problems("{_}\na\n---"), [("setext_heading", "---")]);
    assert_eq!(problems("{_}\n{team}\n---"), [("setext_heading", "---")]);
    assert_eq!(problems("{_} a\n---"), [("setext_heading", "---")]);
    let allow = Options {
        allow: &[Code::SetextHeading],
        ..options(Place::Node)
    };
    assert_eq!(found("a\n===", &allow), []);
    assert!(
        Code::SetextHeading.can_allow()
            && Code::SetextHeading.is_lint()
            && Code::UnclosedFence.is_lint()
    );
}

#[test]
fn doc_comments_hold_no_tests() {
    let options = Options {
        doc_comment: true,
        ..options(Place::Node)
    };
    for text in [
        "```\nx\n```",
        "~~~rust\n~~~",
        "```no_run\n```",
        "```rust,no_run\n```",
        "```should_panic edition2021\n```",
        "a\n\n    x\n    y\n\n    z",
        "    x",
        "# T\n    x",
        "- a\n\n  ```\n  x\n  ```",
        "- a\n\n      x",
        "> ```\n> ```",
        "```E0308\n```",
        "```rust,json\n```",
    ] {
        assert_eq!(
            found(text, &options)
                .iter()
                .map(|problem| problem.0)
                .collect::<Vec<_>>(),
            ["doctest_fence"],
            "{text:?}"
        );
        assert_eq!(
            found(
                text,
                &Options {
                    allow: &[Code::DoctestFence],
                    ..options
                }
            ),
            []
        );
        assert_eq!(
            found(
                text,
                &Options {
                    doc_comment: false,
                    ..options
                }
            ),
            []
        );
    }
    for text in [
        "```text\n```",
        "```ignore\n```",
        "```rust,ignore\n```",
        "```json\n```",
        "```E308\n```",
        "```E03x8\n```",
        "```X0308\n```",
        "```abcde\n```",
        "a\n    x",
        "- a\n\n    x",
        "- a\n  - b\n\n      x",
        "<x>\n    y",
    ] {
        assert_eq!(found(text, &options), [], "{text:?}");
    }
    assert_eq!(
        parse("``` ignore\nx\n```\n- ```ignore\n  y\n  ```", &options)
            .elements
            .to_markdown(),
        "```\nx\n```\n- ```\n  y\n  ```"
    );
    assert_eq!(
        parse("```ignore,x\n```", &options).elements.to_markdown(),
        "```ignore,x\n```"
    );
}

#[test]
fn messages_say_what_and_what_to_write() {
    let first = |text: &str| {
        let problem = node(text).problems.into_iter().next().unwrap();
        (problem.message, problem.help)
    };
    let pair = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    assert_eq!(
        first("{langage}"),
        pair(
            "unknown variable `langage`",
            "a field with a similar name exists: `language`"
        )
    );
    assert_eq!(
        first("{prompt_subtree}").1,
        "a slot with a similar name exists: `PROMPT_SUBTREE`"
    );
    assert_eq!(
        first("{zzz}").1,
        "the variables are `language`, `limit`, `team`; to print the braces, write `{{zzz}}`"
    );
    assert_eq!(first("{?langage}x{/langage}").1, first("{langage}").1);
    let of_section = "a field with a similar name exists: `rules`";
    let inline = parse("{?ruls}x{/ruls}", &options(Place::Inline)).problems;
    assert_eq!(inline[0].help, of_section);
    assert!(
        first("{?PROMPT_SUBTREX}x{/PROMPT_SUBTREX}")
            .1
            .starts_with("the variables are")
    );
    assert_eq!(
        first("{?zzz}q{/zzz}").1,
        "the variables are `language`, `limit`, `team`; to print it, write `{?zzz}` in code, between backticks"
    );
    assert_eq!(
        first("a {PROMPT_SUBTREE}"),
        pair(
            "`{PROMPT_SUBTREE}` must stand alone on its line",
            "put it on a line of its own"
        )
    );
    assert_eq!(
        first("{team and"),
        pair("the brace of `{team` never closes", "write `{team}`")
    );
    assert_eq!(first("{ team }").1, "write `{team}`");
    let help = |text: &str, options: &Options<'_>| parse(text, options).problems[0].help.clone();
    let introduction = options(Place::Introduction);
    assert!(help("{rules}", &introduction).starts_with("`rules` is a section"));
    assert_eq!(help("{zzz}", &introduction), first("{zzz}").1);
    assert_eq!(first("~~~~ sh\nls").0, "the fence \"~~~~\" never closes");
    let without = Options::new(Place::Node);
    assert!(help("{zzz}", &without).starts_with("there are no variables here"));
    let sections = ["manual"];
    let with_sections = Options {
        sections: &sections,
        ..Options::new(Place::Node)
    };
    assert!(help("See {zzz}.", &with_sections).contains("the sections are `manual`"));
    let many = Options {
        names: &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
        ..without
    };
    assert!(help("{zzz}", &many).starts_with("add a field of that name"));
    assert!(help("x {rules}", &options(Place::Inline)).starts_with("`rules` is a section"));
    assert_eq!(
        help("x {PROMPT_SUBTREE}", &options(Place::Inline)),
        "put it on a line of its own in the node's text"
    );
}

#[test]
fn codes_are_read_as_they_are_written() {
    for code in Code::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
    }
    assert_eq!("no_code".parse::<Code>(), Err(()));
    assert!(Code::SkippedLevel.can_allow() && !Code::UnknownVariable.can_allow());
}

#[test]
fn equal_texts_and_no_others_have_one_hash() {
    let state = std::hash::RandomState::new();
    let [a, b, again] = ["a", "b", "a"].map(|text| state.hash_one(InlineText::from(text)));
    assert_eq!(a, again);
    assert_ne!(a, b);
}

#[test]
fn places_count_characters_and_any_line_end() {
    for end in ["\n", "\r", "\r\n"] {
        let text = ["größe", "", "  日本 {x} {y}", "{z}"].join(end);
        let places: Vec<_> = node(&text)
            .problems
            .iter()
            .map(|problem| (problem.line, problem.column))
            .collect();
        assert_eq!(places, [(3, 6), (3, 10), (4, 1)]);
    }
}

#[test]
fn all_problems_come_out_together_and_in_order() {
    let text = "### {x}\n\n# {rules}\n\n{?team} {?x}y {?team}z\n\n```\nopen {langage}";
    let codes: Vec<_> = problems(text)
        .into_iter()
        .map(|problem| problem.0)
        .collect();
    assert_eq!(
        codes,
        [
            "unknown_variable",
            "heading_above_top",
            "slot_in_heading",
            "unknown_variable",
            "unclosed_condition",
            "unclosed_fence",
            "unknown_variable",
        ]
    );
}

#[test]
fn a_fence_in_a_text_of_a_line_is_an_error_and_code_in_a_template_is_none() {
    use prompt_syntax::{Options, Place, parse};
    let codes = |text: &str, place| -> Vec<_> {
        let parsed = parse(text, &Options::new(place));
        let place = |problem: prompt_syntax::Problem| (problem.code.as_str(), problem.line);
        parsed.problems.into_iter().map(place).collect()
    };
    for text in ["```sh\nls\n```", "- ```\n  ls\n  ```", "~~~\r\nls\r\n~~~"] {
        assert_eq!(
            codes(text, Place::Inline),
            [("fence_in_title", 1)],
            "{text:?}"
        );
        assert_eq!(codes(text, Place::Template), [], "{text:?}");
        let below = format!("Run:\n{text}");
        assert_eq!(
            codes(&below, Place::Inline),
            [("fence_in_title", 2)],
            "{below:?}"
        );
    }
    for text in ["```ls```", "Run `ls`", "one ~~~ two", ""] {
        assert_eq!(codes(text, Place::Inline), [], "{text:?}");
    }
}

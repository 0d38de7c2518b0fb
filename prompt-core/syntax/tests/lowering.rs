//! Lowering by example: the literal, and what the marks say about it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{
    ConditionForm, Element, Elements, Inline, InlineText, Lowered, Lowering, Mark, MarkKind,
    Options, Place, Special, Target, lower, parse, parse_free, raise,
};

const SECTIONS: &[&str] = &["one", "two"];

fn lowered(text: &str) -> Lowered {
    let options = Options {
        names: &["a", "b", "c"],
        sections: SECTIONS,
        ..Options::new(Place::Node)
    };
    let parsed = parse(text, &options);
    assert_eq!(parsed.problems, [], "{text:?}");
    comes_back(&parsed.elements);
    lower(&parsed.elements, SECTIONS)
}

/// Nothing is lost on the way to a literal and its marks.
fn comes_back(elements: &Elements) {
    let mut lowering = Lowering::new(SECTIONS);
    let text = lowering.text(elements);
    let raised = raise(&text.literal.into(), &text.marks, &lowering);
    let lines = |list: &Elements| {
        let lines = list.iter().map(|element| element.metadata().line);
        lines.collect::<Vec<_>>()
    };
    assert_eq!(&raised, elements, "{elements}");
    assert_eq!(lines(&raised), lines(elements), "{elements}");
}

#[test]
fn the_texts_of_the_cases_come_back_from_their_marks() {
    for (family, key) in [
        ("parse", "text"),
        ("check", "text"),
        ("conditions", "template"),
    ] {
        for case in support::cases(family) {
            let options = Options::new(Place::Free);
            comes_back(&parse_free(case[key].as_str().unwrap(), &options).elements);
        }
    }
}

#[test]
fn inline_texts_come_back_from_their_marks() {
    let options = Options {
        names: &["a", "b"],
        ..Options::new(Place::Inline)
    };
    for text in [
        "",
        "a",
        "{a}",
        "\n{a}\n",
        "{?a}x{/a}",
        "{a} {{b}}",
        "x\n\n{a}\n\n{?a}\n\n{b}\n{/a}",
        "{?a}\nx\n{/a}\n",
    ] {
        comes_back(&parse(text, &options).elements);
    }
}

fn letter(form: ConditionForm) -> String {
    match form {
        ConditionForm::Line => "L".into(),
        ConditionForm::Inline => "I".into(),
        ConditionForm::Block { indent } => format!("B{indent}"),
    }
}

/// The literal with its marks written into it: `<name ..>`.
fn show(text: &str) -> String {
    let lowered = lowered(text);
    let mut shown = String::new();
    let mut from = 0;
    for mark in &lowered.marks {
        let at = mark.at as usize;
        shown += &lowered.literal[from..at];
        from = at;
        let variable = |index: u16| lowered.variables[usize::from(index)].name.clone();
        let written = match mark.kind {
            MarkKind::Text { line } => format!("<text {line}>"),
            MarkKind::Title {
                line,
                level,
                optional,
                len,
                marks,
            } => {
                format!(
                    "<title{} {line} h{level} {len}/{marks}>",
                    if optional { "?" } else { "" }
                )
            }
            MarkKind::Code {
                line,
                indent,
                fence,
            } => format!("<code {line} {indent}+{fence}>"),
            MarkKind::CodeEnd { len } => format!("<end {len}>"),
            MarkKind::Gap { len, ends_line } => {
                format!("<{} {len}>", if ends_line { "gap" } else { "blank" })
            }
            MarkKind::Line { head } => format!("<line {head}>"),
            MarkKind::Special(special) => format!("<*{}>", special.name()),
            MarkKind::Variable(index) => format!("<{}>", variable(index)),
            MarkKind::Block(index) => format!("<block {}>", variable(index)),
            MarkKind::If {
                condition,
                negated,
                form,
                end,
            } => {
                let asked = &lowered.conditions[usize::from(condition)];
                let path = asked.to_string();
                format!(
                    "<?{}{path}{} {end}>",
                    if negated { "!" } else { "" },
                    letter(form)
                )
            }
            MarkKind::Else { form, end } => format!("<else{} {end}>", letter(form)),
            MarkKind::End { form } => format!("</{}>", letter(form)),
            MarkKind::Escape { len } => format!("<escape {len}>"),
            MarkKind::Slot {
                target,
                line,
                level,
                indent,
            } => {
                let target = match target {
                    Target::Subtree => "subtree".to_owned(),
                    Target::Collected => "collected".to_owned(),
                    Target::Section(index) => format!("section {index}"),
                };
                format!("<slot {target} {line} h{level} +{indent}>")
            }
        };
        shown += &written;
    }
    shown + &lowered.literal[from..]
}

#[test]
fn blanks_and_marker_lines_come_back_from_their_marks() {
    for text in [
        "a\n  \n\t\n# T\n \nb",
        "# T\nx  \n# U\ny \t\n\n{one}",
        "# A long heading\n{?a}\nx\n{/a}\ny\n# T",
        "# A long heading\n\n{?a}\nx\n{/a}\n\n  \n# T\n{?a}\n{b}\n\n{/a}\n\n{one}",
        "{?a}\n{?b}x\n- {?b}y{/b}\n{else}\n{b}\n{/a}",
        "```\n{?a}\nx\n{/a}\n\n```\n\n```\n\n{?a}\n{/a}\n```",
    ] {
        lowered(text);
    }
}

#[test]
fn a_literal_needs_no_mark_where_it_starts() {
    let tables = Lowering::new(&[]);
    let raised = |literal: &'static str, marks: &[Mark]| {
        let raised = raise(&literal.into(), marks, &tables);
        (raised.len(), raised.to_markdown())
    };
    assert_eq!(raised("", &[]), (0, String::new()));
    assert_eq!(raised("a\nb", &[]), (1, "a\nb".into()));
    let title = Mark {
        at: 2,
        kind: MarkKind::Special(Special::Title),
    };
    assert_eq!(raised("# ", &[title]), (1, "# {title}".into()));
}

#[test]
fn plain_text_has_one_mark() {
    assert_eq!(show("a\n\nb"), "<text 1>a\n\nb");
    assert_eq!(
        lowered(""),
        Lowered {
            base: 1,
            end: 1,
            ..Lowered::default()
        }
    );
}

#[test]
fn titles_are_printed_anew() {
    assert_eq!(
        show("##  One {a} {{b}}  ##\ntext"),
        "<title 1 h2 11/2>## One <a> <escape 3>{b}\n<text 2>text"
    );
    assert_eq!(
        show("# {{b}} {{c}}"),
        "<title 1 h1 9/2># <escape 3>{b} <escape 3>{c}"
    );
}

#[test]
fn code_is_kept_to_the_byte() {
    assert_eq!(
        show("x\n\n  ~~~ sh {a} \n {b}\n ~~~~ \ny"),
        "<text 1>x\n\n<code 3 2+3>  ~~~ sh <a> \n <b>\n<end 6> ~~~~ \n<text 6>y"
    );
    assert_eq!(show("```\n```"), "<code 1 0+3>```\n<end 3>```");
    assert_eq!(show("```\n\n```"), "<code 1 0+3>```\n\n<end 3>```");
    let options = Options {
        allow: &[prompt_syntax::Code::UnclosedFence],
        ..Options::new(Place::Node)
    };
    let prefill = lower(&parse("```json\n{", &options).elements, &[]);
    assert_eq!(prefill.literal, "```json\n{");
    assert_eq!(
        prefill.marks.last().map(|mark| (mark.at, mark.kind)),
        Some((9, MarkKind::CodeEnd { len: 0 }))
    );
}

#[test]
fn a_line_of_code_is_no_paragraph() {
    assert!(!show("```\nx\n\n{a}\n\ny\n```").contains("block"));
    assert!(show("```\nx\n```\n\n{a}").ends_with("<gap 2>\n\n<text 5><block a>"));
}

#[test]
fn slots_stand_between_gaps() {
    assert_eq!(
        show("a\n{one}\n\n  {PROMPT_SUBTREE}\n\n\nb"),
        "<text 1>a<gap 1>\n<slot section 0 2 h1 +0><gap 2>\n\n<slot subtree 4 h1 +2><gap 3>\n\n\n<text 7>b"
    );
    assert_eq!(show("{two}"), "<slot section 1 1 h1 +0>");
    assert_eq!(
        show("\t{COLLECTED_CONTEXT}\nx"),
        "<slot collected 1 h1 +4><gap 1>\n<text 2>x"
    );
}

#[test]
fn optional_titles_stand_between_gaps() {
    assert_eq!(
        show("x\n\n# T {a}\n\n{one}\n# U"),
        "<text 1>x<gap 2>\n\n<title? 3 h1 4/1># T <a><gap 2>\n\n<slot section 0 5 h2 +0><gap 1>\n<title 6 h1 3/0># U"
    );
}

#[test]
fn variables_that_are_paragraphs_are_blocks() {
    assert_eq!(show("{a}"), "<text 1><block a>");
    assert_eq!(
        show("x\n\n{a}\n\n\n{b}"),
        "<text 1>x<gap 2>\n\n<block a><gap 3>\n\n\n<block b>"
    );
    assert_eq!(
        show("# T\n\n{a}\n\n```\n{b}\n\n{a}\n```"),
        "<title 1 h1 3/0># T<gap 2>\n\n<text 3><block a><gap 2>\n\n<code 5 0+3>```\n<b>\n\n<a>\n<end 3>```"
    );
    for text in [
        "x\n{a}",
        "{a}\nx",
        "{a} {b}",
        "{a}.",
        "# T\n{a}",
        "- {a}",
        "x\n\n  {a}\n\ny",
    ] {
        assert!(
            !show(text).contains("block") && !show(text).contains("gap"),
            "{text:?}"
        );
    }
    assert_eq!(
        show("{a}\n \n{a:>4}"),
        "<text 1><block a><gap 3>\n \n<block a>"
    );
    assert_eq!(lowered("{a} {a:>4} {a} {b} {a.x}").variables.len(), 4);
}

#[test]
fn lines_of_variables_go_one_by_one() {
    assert_eq!(
        show("x\n\n{a}{b}\n{c}\n\ny"),
        "<text 1>x<gap 2>\n\n<line 0><a><b><gap 1>\n<line 0><c><gap 2>\n\ny"
    );
    assert_eq!(show("{a} {b}"), "<text 1><line 0><a> <b>");
    assert_eq!(show("{a} {b}\n- {c}"), "<text 1><a> <b>\n- <c>");
}

#[test]
fn conditions_over_a_line() {
    assert_eq!(
        show("x\n\n- {?a} y {b}\nz"),
        "<text 1>x<gap 2>\n\n<line 2>- <?aL 5> y <b></L><gap 1>\nz"
    );
    assert_eq!(
        show("{?a}{?!b} {c}{{b}}"),
        "<text 1><line 1><?aL 7><?!bL 6> <c><escape 3>{b}</L></L>"
    );
    assert_eq!(
        show("{?a}{b}\n\n{one}"),
        "<text 1><line 0><?aL 4><b></L><gap 2>\n\n<slot section 0 3 h1 +0>"
    );
    assert_eq!(
        show("```\n{?a}x\n\n{?b}y\n```"),
        "<code 1 0+3>```<gap 1>\n<line 0><?aL 4>x</L><gap 2>\n\n<line 0><?bL 8>y</L><gap 1>\n<end 3>```"
    );
    assert_eq!(
        show("x\n\n{?a}## B {?b}c{/b}\n\ny"),
        "<text 1>x<gap 2>\n\n<title 3 h2 6/5><line 3><?aL 7>## B <?bI 6>c</I></L><gap 2>\n\n<text 5>y"
    );
    assert_eq!(lowered("{?a}x\n{?b}y\n{?!a}z").conditions.len(), 2);
    assert_eq!(
        show("  - {?a}x\n-  {?b}y{/b}"),
        "<text 1><line 4>  - <?aL 3>x</L><gap 1>\n<line 3>-  <?bI 7>y</I>"
    );
    // What stands outside of the conditions keeps the line.
    for text in [
        "x\n{?a}y{/a} z\nw",
        "x\ny {?a}z{/a}\nw",
        "x\n{?a}y{/a}{b} z\nw",
    ] {
        assert!(!show(text).contains("<line"), "{text:?}");
    }
    assert_eq!(show("{?a}- {b}"), "<text 1><line 2><?aL 4>- <b></L>");
    assert_eq!(
        show("{?a}x\n{b}"),
        "<text 1><line 0><?aL 3>x</L><gap 1>\n<line 0><b>"
    );
}

#[test]
fn conditions_within_a_line() {
    assert_eq!(
        show("x {?a}y{else}z{/a}."),
        "<text 1>x <?aI 2>y<elseI 3>z</I>."
    );
    assert_eq!(
        show("x\n{?a}y{/a}\nz"),
        "<text 1>x<gap 1>\n<line 0><?aI 4>y</I><gap 1>\nz"
    );
    assert_eq!(
        show("x\n- {b}{?a.x.0}y{/a.x.0} \nz"),
        "<text 1>x<gap 1>\n<line 2>- <b><?a.x.0I 5>y</I> <gap 1>\nz"
    );
    assert_eq!(
        show("x {?a}y\nz{/a}\nw"),
        "<text 1>x <?aI 4>y<gap 1>\n<line 0>z</I><gap 1>\nw"
    );
    assert_eq!(
        show("```{?a}sh{/a}\n```"),
        "<code 1 0+3>```<?aI 2>sh</I>\n<end 3>```"
    );
}

#[test]
fn conditions_over_blocks() {
    assert_eq!(
        show("A.\n\n{?a}\nB.\n{/a}\n\nC."),
        "<text 1>A.<gap 2>\n\n<?aB0 4>B.<gap 1>\n</B0><blank 1>\nC."
    );
    assert_eq!(
        lowered("A.\n\n{?a}\nB.\n{/a}\n\nC.").literal,
        "A.\n\nB.\n\nC."
    );
    assert_eq!(
        show("A.\n  {?a}\n\nB.\n\n{else}\n  \nC.\n\t{/a}"),
        "<text 1>A.<gap 1>\n<?aB2 5><blank 1>\nB.<gap 2>\n\n<elseB0 8><blank 3>  \nC.<gap 1>\n</B4>"
    );
    assert_eq!(
        show("{?a}\n## A\n\n{one}\n{/a}\n\n## B"),
        "<text 1><?aB0 7><title? 2 h2 4/0>## A<gap 2>\n\n<slot section 0 4 h3 +0><gap 1>\n<text 5></B0><blank 1>\n<title 7 h2 4/0>## B"
    );
    assert_eq!(
        show("```sh\nx\n{?a}\ny\n{/a}\n```"),
        "<code 1 0+3>```sh\nx<gap 1>\n<?aB0 4>y<gap 1>\n</B0><end 3>```"
    );
    assert_eq!(
        show("{?a}\n{b}\n{/a}"),
        "<text 1><?aB0 4><block b><gap 1>\n</B0>"
    );
}

/// Whoever builds a list by hand can leave conditions open, or end what is not open.
#[test]
fn conditions_of_a_list_built_by_hand_are_nested_too() {
    let begin = |form| Inline::If {
        name: "a".into(),
        path: "".into(),
        negated: false,
        form,
    };
    let end = |form| Inline::End {
        name: "a".into(),
        path: "".into(),
        form,
    };
    let (inline, block) = (ConditionForm::Inline, ConditionForm::Block { indent: 0 });
    let marks = |pieces: &[Inline]| {
        let text: InlineText = pieces.iter().cloned().collect();
        let lowered = lower(&Elements::from(vec![Element::text(text)]), &[]);
        let kinds = lowered.marks.iter().map(|mark| mark.kind);
        let ends = kinds.filter(|kind| matches!(kind, MarkKind::End { .. }));
        (lowered.literal.clone(), ends.collect::<Vec<_>>())
    };
    let open = marks(&[begin(inline), Inline::literal("x")]);
    assert_eq!(open, ("x".into(), vec![MarkKind::End { form: inline }]));
    let mixed = marks(&[begin(inline), Inline::literal("x"), end(block)]);
    assert_eq!(mixed.1, [MarkKind::End { form: inline }]);
    assert!(mixed.0.contains("{/a}"), "{mixed:?}");
    let stray = marks(&[Inline::literal("x"), end(inline)]);
    assert_eq!(stray, ("x{/a}".into(), vec![]));
}

#[test]
fn one_lowering_for_the_texts_of_a_node() {
    let options = Options {
        names: &["a", "b", "title"],
        ..Options::new(Place::Inline)
    };
    let mut lowering = Lowering::new(&["one"]);
    let texts = [
        "{a} <x>{?a}",
        "{b}{?b.c}y{/b.c}{a:>4}{a}</x>",
        "{title:>3} {title} {?a}z{/a}",
    ];
    let read = |text: &str| parse(text, &options).elements;
    lowering.text(&read("{a} <x>{?a}z{/a}"));
    let second = lowering.text(&read(texts[1]));
    assert!(
        second
            .marks
            .iter()
            .any(|mark| mark.kind == MarkKind::Variable(0))
    );
    let heading = lowering.template(&read(texts[2]), &[Special::Title]);
    let specials = heading
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Special(Special::Title));
    assert_eq!(specials.count(), 1);
    let heading = lowering.template(&read("{?a}x{/a}{title}"), &[Special::Title]);
    let lines = heading
        .marks
        .iter()
        .filter(|mark| matches!(mark.kind, MarkKind::Line { .. }));
    assert_eq!(lines.count(), 0, "a title is printed in any case");
    assert_eq!(
        (lowering.variables().len(), lowering.conditions().len()),
        (4, 2)
    );
    let variables = lowering.variables().iter().map(ToString::to_string);
    assert_eq!(
        variables.collect::<Vec<_>>(),
        ["a", "b", "a:>4", "title:>3"]
    );
    assert_eq!(lowering.opens().collect::<Vec<_>>(), ["x"]);
    assert_eq!(lowering.closes().collect::<Vec<_>>(), ["x"]);
}

#[test]
fn levels() {
    let levels = |text: &str| (lowered(text).base, lowered(text).end);
    assert_eq!(levels("text"), (1, 1));
    assert_eq!(levels("## A\n### B"), (2, 4));
    assert_eq!(levels("{one}\n## A"), (1, 3));
    assert_eq!(levels("###### A\n{one}"), (6, 7));
}

#[test]
fn tags_of_static_text() {
    let opens = |text: &str| lowered(text).opens.join(" ");
    let closes = |text: &str| lowered(text).closes.join(" ");
    assert_eq!(
        opens("<rules>\n{a}\n</rules>\n<b/> <c d=\"{a}\" e='>'>  </f > <x.y-z_1>"),
        "rules c x.y-z_1"
    );
    assert_eq!(
        closes("<rules>\n{a}\n</rules>\n<b/>  </f > </rules>"),
        "rules f"
    );
    assert_eq!(
        opens("a < b > c <3> <a b> <-x> <> </> <x <y> <https://x.org>"),
        "y"
    );
    assert_eq!(
        opens("`<a>` ``<b>``\n\n```xml\n<c>\n```\n- ```\n  <d>\n  ```\n\n{one}\n<e>"),
        "e"
    );
    assert_eq!(
        opens("# <in_title>\n\n<A>\n<A>\n<a x={a} y='1'>"),
        "in_title A a"
    );
    assert_eq!(
        opens("<Task ID {a}> <Task no> <Job {a}/> <{a}> <x{a}>"),
        "Task"
    );
    assert!(
        lowered("<file path=\"{a}\">").values_in_tags && lowered("<Task ID {a}>").values_in_tags
    );
    assert!(!lowered("<file> {a} </file> `<x y={a}>` < {a} >").values_in_tags);
}

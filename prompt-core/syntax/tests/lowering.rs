//! Lowering by example: the literal, and what the marks say about it.

use prompt_syntax::{Lowered, MarkKind, Options, Place, Target, lower, parse};

fn lowered(text: &str) -> Lowered {
    let options = Options {
        names: &["a", "b", "c"],
        sections: &["one", "two"],
        ..Options::new(Place::Node)
    };
    let parsed = parse(text, &options);
    assert_eq!(parsed.problems, [], "{text:?}");
    lower(&parsed.blocks)
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
            MarkKind::Gap { len } => format!("<gap {len}>"),
            MarkKind::Variable(index) => format!("<{}>", variable(index)),
            MarkKind::Block(index) => format!("<block {}>", variable(index)),
            MarkKind::Guard {
                guard,
                negated,
                len,
                offset,
                marks,
            } => {
                let name = &lowered.guards[usize::from(guard)];
                format!(
                    "<?{}{name} {len}@{offset}/{marks}>",
                    if negated { "!" } else { "" }
                )
            }
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
        show("##  One {a} {{x}}  ##\ntext"),
        "<title 1 h2 11/2>## One <a> <escape 3>{x}\n<text 2>text"
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
    let prefill = lower(&parse("```json\n{", &options).blocks);
    assert_eq!(prefill.literal, "```json\n{");
    assert_eq!(
        prefill.marks.last().map(|mark| (mark.at, mark.kind)),
        Some((9, MarkKind::CodeEnd { len: 0 }))
    );
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
        "{a}\n{b}",
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
fn guards_cover_their_line() {
    assert_eq!(
        show("x\n\n- {?a} y {b}\nz"),
        "<text 1>x<gap 2>\n\n<?a 5@2/1>-  y <b><gap 1>\nz"
    );
    assert_eq!(
        show("{?a}{?!b} {c}{{x}}\n{?a}"),
        "<text 1><?a 4@0/3><?!b 4@0/2> <c><escape 3>{x}<gap 1>\n<?a 0@0/0>"
    );
    assert_eq!(
        show("{?a}{b}\n\n{one}"),
        "<text 1><?a 0@0/1><b><gap 2>\n\n<slot section 0 3 h1 +0>"
    );
    assert_eq!(
        show("```\n{?a}x\n\n{?b}y\n```"),
        "<code 1 0+3>```<gap 1>\n<?a 1@0/0>x<gap 2>\n\n<?b 1@0/0>y<gap 1>\n<end 3>```"
    );
    assert_eq!(lowered("{?a}x\n{?b}y\n{?!a}z").guards, ["a", "b"]);
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
    let tags = |text: &str| lowered(text).tags.join(" ");
    assert_eq!(
        tags("<rules>\n{a}\n</rules>\n<b/> <c d=\"{a}\" e='>'>  </f > <x.y-z_1>"),
        "rules b c f x.y-z_1"
    );
    assert_eq!(tags("a Vec<T> and Vec::<U>, f<V> and</V>"), "V");
    assert_eq!(
        tags("a < b > c <3> <a b> <-x> <> </> <x <y> <https://x.org>"),
        "y"
    );
    assert_eq!(
        tags("`<a>` ``<b>``\n\n```xml\n<c>\n```\n- ```\n  <d>\n  ```\n\n{one}\n<!-- <e> --> <e>"),
        "e"
    );
    assert_eq!(
        tags("# <in_title>\n\n<A>\n<A>\n<a x={a} y = '1'>"),
        "in_title A a"
    );
    assert_eq!(tags("<a x='1'y='2'> <b x=\"<c>"), "c");
}

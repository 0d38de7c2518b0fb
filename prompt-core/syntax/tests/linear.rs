//! Time grows with the text and no faster, whatever it is made of.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use prompt_syntax::{Elements, Lowering, Options, Place, code, parse, parse_free, raise, tags};
use std::time::{Duration, Instant};

/// Repeats of the shorter text; the longer one has eight times as many.
const COUNT: usize = 500;

/// Reads, lowers, raises and prints a text, and scans it for tags and code.
fn work(text: &str, names: &[&str], sections: &[&str]) {
    let options = Options {
        names,
        sections,
        ..Options::new(Place::Node)
    };
    let elements = parse(text, &options).elements;
    let mut lowering = Lowering::new(sections);
    let lowered = lowering.text(&elements);
    let raised: Elements = raise(&lowered.literal.into(), &lowered.marks, &lowering);
    assert_eq!(raised.len(), elements.len());
    assert!(elements.to_markdown().len() <= text.len() + 1);
    let read = parse(
        text,
        &Options {
            place: Place::Inline,
            ..options
        },
    )
    .elements
    .len()
        + parse_free(text, &Options::new(Place::Free)).elements.len();
    assert!(read + code(text).len() + tags(text).count() <= 6 * text.len() + 6);
}

fn time(text: &str, names: &[String], sections: &[String]) -> Duration {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sections: Vec<&str> = sections.iter().map(String::as_str).collect();
    let best = (0..3).map(|_| {
        let start = Instant::now();
        work(text, &names, &sections);
        start.elapsed()
    });
    best.min().unwrap_or_default()
}

/// Eight times the text takes about eight times the time: a square would take sixty-four times. On a busy machine one
/// measurement says little, so it is repeated before it counts.
fn assert_linear(name: &str, make: impl Fn(usize) -> (String, Vec<String>, Vec<String>)) {
    let measure = |count| {
        let (text, names, sections) = make(count);
        time(&text, &names, &sections)
    };
    let ratio = || {
        let (short, long) = (measure(COUNT), measure(8 * COUNT));
        let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-4);
        println!("{name:?}: {short:?}, {long:?}, {ratio:.1}");
        ratio
    };
    assert!(
        (0..5).any(|_| ratio() < 25.0),
        "{name:?} takes more than linear time"
    );
}

fn numbered(start: &str, count: usize) -> Vec<String> {
    (0..count)
        .map(|index| format!("{start}{index:06}"))
        .collect()
}

#[test]
fn repeated_pieces() {
    for piece in [
        "{",
        "}",
        "{{",
        "`",
        "``` ",
        "```\n",
        "# ",
        "#",
        "## a\n",
        "<",
        "<a x=\"",
        "<!--",
        "<!--# ",
        "<!--# n -->\n",
        "\n",
        " ",
        "\t",
        "- ",
        "> ",
        "- a\n",
        "{a}",
        "{a} {b}\n",
        "{?a}",
        "{?a}\n",
        "{/a}",
        "{/a}\n",
        "{else}",
        "{else}\n",
        "{?a}x{/a}",
        "x {?a}y\n",
        "{?a}x\n",
        "{?a}{?b}x{/a}",
        "{{a}}",
        "{{{a}}}",
        "{{x}}",
        "{a.len()}",
        "{ a",
        "{a",
        "`{?a}`",
        "`{x",
        "  {?a}\n",
        "\\`",
        "{a.a}",
        ".a",
        "{?a}## T\n",
        "{?a}\n# T\n{/a}\n",
        "```\n{?a}\n{/a}\n```\n",
        "{PROMPT_SUBTREE}\n",
        "word ",
        "{?zz}\n",
        "{zzz}",
        "a\n=\n",
        "1. ```\n",
        "</a>",
        "<a {a}>",
        "é",
        "|",
        "    x\n\n",
    ] {
        assert_linear(piece, |count| {
            (piece.repeat(count), vec!["a".into(), "b".into()], vec![])
        });
    }
}

#[test]
fn nested_conditions() {
    assert_linear("blocks", |count| {
        (
            format!("{}x\n{}", "{?a}\n".repeat(count), "{/a}\n".repeat(count)),
            vec!["a".into()],
            vec![],
        )
    });
    assert_linear("inline", |count| {
        (
            format!("x{}y{}", "{?a}".repeat(count), "{/a}".repeat(count)),
            vec!["a".into()],
            vec![],
        )
    });
    assert_linear("unclosed", |count| {
        (
            format!("x{}y{}", "{?a}".repeat(count), "{/b}".repeat(count)),
            vec!["a".into(), "b".into()],
            vec![],
        )
    });
    assert_linear("blanks", |count| {
        (
            format!("{}{}", " ".repeat(count), "{?a}".repeat(count)),
            vec!["a".into()],
            vec![],
        )
    });
}

#[test]
fn many_names() {
    let braces = |names: &[String], around: &str| {
        let lines: Vec<String> = names
            .iter()
            .map(|name| format!("{around}{{{name}}}{around}\n"))
            .collect();
        lines.concat()
    };
    assert_linear("unknown names", |count| {
        (
            braces(&numbered("wrong_", count), ""),
            numbered("right_", count),
            vec![],
        )
    });
    assert_linear("near unknown names", |count| {
        (
            braces(&numbered("nime_", count), ""),
            numbered("name_", count),
            vec![],
        )
    });
    assert_linear("near misses in code", |count| {
        (
            braces(&numbered("nime_", count), "`"),
            numbered("name_", count),
            vec![],
        )
    });
    assert_linear("known names", |count| {
        (
            braces(&numbered("name_", count), ""),
            numbered("name_", count),
            vec![],
        )
    });
    assert_linear("slots", |count| {
        (
            braces(&numbered("slot_", count), ""),
            vec![],
            numbered("slot_", count),
        )
    });
    let conditions = |count| {
        let names = numbered("name_", count);
        let open: Vec<String> = names.iter().map(|name| format!("{{?{name}}}\n")).collect();
        let close: Vec<String> = names.iter().map(|name| format!("{{/{name}}}\n")).collect();
        let (open, close) = (open.concat(), close.concat());
        (format!("{open}{close}"), names, vec![])
    };
    assert_linear("crossed conditions", conditions);
}

/// Prose with headings. Run by hand: `cargo test --release -p prompt-syntax --test linear -- --ignored --nocapture`.
#[test]
#[ignore = "a figure, not a rule"]
fn megabytes_in_a_second() {
    let section = "## Signals of trouble\n\nLook at the stack trace before you read the ticket, and say what you see.\n\
        Mention {team} where it matters; never guess.\n\n- one thing\n- another thing, which is longer\n\n";
    let prose = section.replace("{team}", "the team");
    for (name, text) in [
        ("prose", prose.repeat(2_000)),
        ("variables", section.repeat(2_000)),
    ] {
        let options = Options {
            names: &["team"],
            ..Options::new(Place::Node)
        };
        let figure = |what: &str, work: &dyn Fn() -> usize| {
            let best = (0..20).map(|_| {
                let start = Instant::now();
                assert!(work() > 0);
                start.elapsed()
            });
            let seconds = best.min().unwrap_or_default().as_secs_f64();
            let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
            println!(
                "{name}, {what}: {:.0} MB/s",
                f64::from(bytes) / seconds / 1e6
            );
        };
        figure("parse", &|| parse(&text, &options).elements.len());
        let elements = parse(&text, &options).elements;
        figure("lower", &|| Lowering::new(&[]).text(&elements).marks.len());
        figure("print", &|| elements.to_markdown().len());
    }
}

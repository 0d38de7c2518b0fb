//! Speed of the grammar: throughput on an ordinary text, alone and in what programs call, and the ratio of times when
//! pathological texts double; in processor time.
#![allow(missing_docs)]

use cpu_time::ThreadTime;
use prompt_core::{DynamicNode, Template};
use prompt_syntax::{Context, Elements, Options, Place, Tables, Text, parse};
use std::{fmt::Write, hint::black_box};

/// Megabytes of text in a second, for the grammar.
const BAR: u32 = 200;

fn main() {
    let document = document();
    let options = Options {
        names: &["language", "team", "limit"],
        ..Options::new(Place::Node)
    };
    println!(
        "document: {} bytes, {} headings",
        document.len(),
        document.matches("## ").count()
    );
    let seconds = best_of(60, || parse(&document, &options));
    report("parse", document.len(), seconds);
    let parsed = parse(&document, &options);
    assert!(parsed.problems.is_empty(), "{:?}", parsed.problems.first());
    let seconds = best_of(60, || number(parsed.elements.clone()));
    report("number", document.len(), seconds);
    let both = || number(parse(&document, &options).elements);
    report("parse and number", document.len(), best_of(60, both));
    let seconds = best_of(60, || Template::parse(&document));
    report("Template::parse", document.len(), seconds);
    let build = || DynamicNode::builder("root").body(document.as_str()).build();
    assert!(build().is_ok());
    let seconds = best_of(60, build);
    report("DynamicNode of one body", document.len(), seconds);

    println!("\ntime for 1 MiB, and the ratio to 512 KiB (linear: about 2)");
    for (name, fragment) in PATHOLOGICAL {
        report_doubling(name, &options, |bytes| {
            fragment.repeat(bytes / fragment.len())
        });
    }
    report_doubling("deep list, blank lines", &options, |bytes| {
        format!(
            "{}x\n{}",
            "- ".repeat(bytes / 4),
            " \n  y\n".repeat(bytes / 12)
        )
    });
    report_doubling("deep quote, lazy lines", &options, |bytes| {
        format!("{}x\n{}", "> ".repeat(bytes / 4), "y\n".repeat(bytes / 4))
    });
    report_doubling("one long list marker", &options, |bytes| {
        "- ".repeat(bytes / 2) + "x"
    });
    report_doubling("blanks before guards", &options, |bytes| {
        " ".repeat(bytes / 2) + "x" + &"{?team}".repeat(bytes / 14)
    });
}

/// Prints the time for 1 MiB and its ratio to the time for half of it.
fn report_doubling(name: &str, options: &Options<'_>, text: impl Fn(usize) -> String) {
    let time = |bytes: usize| {
        let text = text(bytes);
        best_of(3, || number(parse(&text, options).elements))
    };
    let (half, whole) = (time(1 << 19), time(1 << 20));
    println!("{name:<24} {:>8.2} ms   {:>5.2}", whole * 1e3, whole / half);
}

/// What a naive reader searches again and again.
const PATHOLOGICAL: &[(&str, &str)] = &[
    ("{", "{"),
    ("{a", "{a"),
    ("{language", "{language "),
    ("{a}", "{a}"),
    ("{language}", "{language}"),
    ("{{", "{{language}}"),
    ("{?a}", "{?language}"),
    ("x{?a}", "x{?language}"),
    ("{a:", "{a:"),
    ("}", "}"),
    ("`", "`"),
    ("`a``b", "`a``b```c"),
    ("\\`", "\\`"),
    ("#", "#"),
    ("# #", "# "),
    ("# a", "# a\n"),
    ("<", "<"),
    ("<a ", "<a "),
    ("<a b='", "<a b='"),
    ("<a>", "<a>"),
    ("<!--", "<!--"),
    ("<!-- lines", "<!--\n"),
    ("<!--# lines", "<!--# a --> b\n"),
    ("notes", "<!--# a -->\n"),
    ("fences", "```\n"),
    ("growing fences", "~~~ a\n```b\n"),
    ("list markers", "- "),
    ("list lines", "- - - a\n"),
    ("quotes", "> "),
    ("quote lines", "> > a\n"),
    ("stars", "* - + "),
    ("blank lines", " \n"),
    ("lone variables", "{language}\n\n"),
    ("guards", "{?language}\n"),
    ("slots", "{PROMPT_SUBTREE}\n"),
    ("carriage returns", "\r"),
    ("tabs", "\t-"),
];

/// 2000 sections of about 72 bytes.
fn document() -> String {
    let mut text = String::from("# Reviewing {language} code\n");
    for section in 1..=2000 {
        let body = match section % 10 {
            0 => "```sh\n# run {limit}\nmake test\n```",
            3 => "- Read `{x}` twice.\n- Then ask {team}.",
            6 => "Reply with {\"score\": 1}, for {language} only.",
            _ => "Say what is wrong, where, and what to write.",
        };
        let _ = write!(text, "\n## Step {section}: look closely\n\n{body}\n");
    }
    text
}

fn report(name: &str, bytes: usize, seconds: f64) {
    #[allow(clippy::cast_precision_loss, reason = "a figure to read")]
    let speed = bytes as f64 / seconds / 1e6;
    println!(
        "{name:<24} {:>8.3} ms {speed:>6.0} MB/s  bar {BAR} MB/s",
        seconds * 1e3
    );
}

/// The shortest of several times, in seconds; what the work gives is dropped outside of it.
fn best_of<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = ThreadTime::now();
        let result = black_box(work());
        let seconds = start.elapsed().as_secs_f64();
        drop(result);
        seconds
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

/// Gives the values, conditions and loops of a text their numbers.
fn number(elements: Elements) -> Text {
    Tables::new(&[]).text(elements, &Context::default())
}

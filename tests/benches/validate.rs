//! Speed of validating and guarding: MB/s on usual texts, and growth on texts that invite rescans: at 16 times the size the
//! time must be about 16 times as long, not 256 times. All in processor time.
#![allow(missing_docs)]

use cpu_time::ThreadTime;
use prompt_core::xml;
use std::hint::black_box;

const USUAL: usize = 4 << 20;
const SMALL: usize = 64 << 10;
const LARGE: usize = 1 << 20;

const PROSE: &str =
    "Read the report twice, then write down what is missing. Be brief: three sentences.\n";
const TAGGED: &str = "<rule id=\"a\">Use `x < y` and Vec<T>; never\nguess.</rule>\n\n";

fn main() {
    println!("{:<44}{:>10}", "usual texts, 4 MiB", "MB/s");
    for (name, unit) in [("plain text", PROSE), ("text full of tags", TAGGED)] {
        let text = unit.repeat(USUAL / unit.len());
        let speed = |name: &str, seconds: f64| {
            println!("{name:<44}{:>10.0}", size(&text) / seconds / 1e6);
        };
        speed(
            &format!("validate, {name}"),
            time(|| xml::validate(&text).is_ok()),
        );
        speed(
            &format!("validate_known, {name}"),
            time(|| xml::validate_known(&text, ["rule"]).is_ok()),
        );
        speed(
            &format!("guard one value, {name}"),
            time(|| xml::guard_text(&text, ["rules"]).len()),
        );
        speed(
            &format!("neutralize, {name}"),
            time(|| xml::neutralize(&text).len()),
        );
    }
    println!(
        "\n{:<44}{:>10}{:>10}",
        "hostile texts, 1 MiB", "MB/s", "16x takes"
    );
    for (name, unit) in HOSTILE {
        let row = |what: &str, measure: &dyn Fn(&str) -> f64| {
            let [small, large] = [SMALL, LARGE].map(|size| text(name, unit, size));
            let (before, after) = (measure(&small), measure(&large));
            let name = format!("{what} {name}");
            println!(
                "{name:<44}{:>10.0}{:>10.1}",
                size(&large) / after / 1e6,
                after / before
            );
        };
        row("validate", &|text| time(|| xml::validate(text).is_ok()));
        row("validate_known", &|text| {
            time(|| xml::validate_known(text, ["a", "b"]).is_ok())
        });
        row("guard", &|text| {
            time(|| xml::guard_text(text, ["a", "rules"]).len())
        });
        row("neutralize", &|text| time(|| xml::neutralize(text).len()));
    }
}

const HOSTILE: &[(&str, &str)] = &[
    ("<", "<"),
    ("<a x=\"", "<a x=\""),
    ("<a x='1' y=\"", "<a x='1' y=\""),
    ("<a \" x=\"", "<a \" x=\""),
    ("</ rules", "</ rules"),
    ("< and blanks", "<                 "),
    ("backticks", "`"),
    ("backticks of all lengths", ""),
    ("unclosed fences", "```a\n"),
    ("fences of all lengths", "\n"),
    ("quotes", "\""),
    ("list marks", "- "),
    ("<!-- without end", "<!-- "),
    ("<![CDATA[ without end", "<![CDATA["),
    ("Vec<T> and </b>", "Vec<T> </b>"),
    ("<a> never closed", "<a> "),
    ("</a> never opened", "</a> "),
    ("<a words> never closed", "<a b c> "),
];

#[allow(clippy::cast_precision_loss)]
fn size(text: &str) -> f64 {
    text.len() as f64
}

fn text(name: &str, unit: &str, size: usize) -> String {
    let of_all_lengths = |first: &str, byte: &str, between: &str| {
        let mut text = String::from(first);
        for length in (3..).take_while(|length| length * length / 2 < size) {
            text.push_str(&byte.repeat(length));
            text.push_str(between);
        }
        text
    };
    match name {
        "backticks of all lengths" => of_all_lengths("", "`", " "),
        "fences of all lengths" => of_all_lengths("\n", "~", "\n"),
        _ => unit.repeat(size / unit.len()),
    }
}

/// The shortest of seven runs, in seconds: what other programs on the machine do is not to be measured.
fn time<T>(run: impl Fn() -> T) -> f64 {
    let once = || {
        let start = ThreadTime::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..7).map(|_| once()).fold(f64::INFINITY, f64::min)
}

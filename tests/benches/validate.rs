//! Times of validating and guarding texts that invite rescans, at doubling sizes: the time must double, not square.
#![allow(missing_docs)]

use prompt_core::xml;
use std::{hint::black_box, ops::Range, time::Instant};

/// Doubling from 256 KiB to this.
const LARGEST: usize = 4 << 20;

fn main() {
    let sizes: Vec<usize> = std::iter::successors(Some(256 << 10), |size| Some(size * 2))
        .take_while(|&size| size <= LARGEST)
        .collect();
    let header = cells(&sizes, |size| format!("{} KiB", size >> 10));
    println!(
        "{:<46}{header}   last/first (linear: {})",
        "milliseconds",
        LARGEST >> 18
    );
    for (name, unit) in [
        ("<", "<"),
        ("<a x=\"", "<a x=\""),
        ("<a x='1' y=\"", "<a x='1' y=\""),
        ("backticks", "`"),
        ("backticks of all lengths", ""),
        ("unclosed fences", "```a\n"),
        ("fences of all lengths", "\n"),
        ("<!-- without end", "<!-- "),
        ("<![CDATA[ without end", "<![CDATA["),
        ("Vec<T>", "Vec<T> "),
        ("Vec<T> and </b>", "Vec<T> </b>"),
        ("<a> never closed", "<a> "),
        ("</a> never opened", "</a> "),
        (
            "prompt text",
            "<rule id=\"a\">Use `x < y` and Vec<T>; never\nguess.</rule>\n\n",
        ),
    ] {
        row(&format!("validate {name}"), &sizes, |size| {
            let text = text(name, unit, size);
            time(|| xml::validate(&text).is_ok())
        });
    }
    for (name, unit) in [
        ("<", "<"),
        ("</ rules", "</ rules"),
        ("< and blanks", "<                 "),
        ("<doc \" x=\"", "<doc \" x=\""),
        ("prose", "a < b, Vec<T>, <p>some text</p> "),
    ] {
        row(
            &format!("guard {name}, half of it values"),
            &sizes,
            |size| {
                let text = unit.repeat(size / unit.len());
                let values: Vec<Range<usize>> = (0..text.len() / 32)
                    .map(|index| index * 32..index * 32 + 16)
                    .collect();
                time(|| xml::guard_values(&text, &values, ["rules", "doc"]).len())
            },
        );
        row(
            &format!("guard {name}, a value at the end"),
            &sizes,
            |size| {
                let text = unit.repeat(size / unit.len());
                let value = Range {
                    start: text.len() - 1,
                    end: text.len(),
                };
                time(|| {
                    xml::guard_values(&text, std::slice::from_ref(&value), ["rules", "doc"]).len()
                })
            },
        );
    }
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

/// The shortest of seven runs, in milliseconds: what other programs on the machine do is not to be measured.
fn time<T>(run: impl Fn() -> T) -> f64 {
    let once = || {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..7).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn row(name: &str, sizes: &[usize], measure: impl Fn(usize) -> f64) {
    let times: Vec<f64> = sizes.iter().map(|&size| measure(size)).collect();
    let cells = cells(&times, |time| format!("{time:.2}"));
    let ratio = times
        .last()
        .zip(times.first())
        .map_or(0.0, |(last, first)| last / first);
    println!("{name:<46}{cells}   {ratio:.1}");
}

fn cells<T>(values: &[T], print: impl Fn(&T) -> String) -> String {
    values.iter().fold(String::new(), |row, value| {
        row + &format!("{:>13}", print(value))
    })
}

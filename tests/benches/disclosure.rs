//! A handbook of 100 sections: rendered in full, with half of it in summaries, and through a turn in which the model opens a
//! section; as a derived tree and as a `DynamicNode` of the same bytes. Times stand beside those of `push_str` of the same
//! text in the same run, all in processor time. `cargo bench -p prompt-tests --bench disclosure`
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use cpu_time::ThreadTime;
use prompt_core::{Disclosure, DynamicNode, PromptNode, ToolCall, Visibility};
use serde_json::json;
use std::{hint::black_box, time::Duration};

/// The time that the bar allows: a hundredth of the 1.4 ms of the Python library this one follows.
const BAR_MICROS: f64 = 14.0;
/// A dynamic tree takes so many times as long as a derived one, at most.
const BAR_DYNAMIC: f64 = 1.5;

/// What everybody does who works on this.
#[derive(PromptNode, Default)]
struct Chapter {
    /// Read the whole task before the first change, and say in one sentence what is asked for.
    #[section]
    method: (),
    /// Look at the callers of what you change. Most mistakes are made one file away.
    #[section]
    callers: (),
    /// Write the test first where a behaviour changes. It has to fail before the change.
    #[section]
    tests: (),
    /// Keep the names that are there. A better name is a change of its own.
    #[section]
    names: (),
    /// Errors say what is wrong, where, and what to write instead.
    #[section]
    errors: (),
    /// No output but what the program is for; what helps to find faults goes to the log.
    #[section]
    output: (),
    /// Figures stand with their unit, and with the command that measured them.
    #[section]
    figures: (),
    /// Say what was left out and why, in the last paragraph.
    #[section]
    rest: (),
    /// Read your own answer once as the one who has to live with it.
    #[section]
    answer: (),
}

/// What everybody does who works on this.
#[derive(PromptNode, Default)]
struct Half {
    /// Read the whole task before the first change, and say in one sentence what is asked for.
    #[section]
    method: (),
    /// Look at the callers of what you change. Most mistakes are made one file away.
    #[section(visibility = "summary", summary = "Who calls what.")]
    callers: (),
    /// Write the test first where a behaviour changes. It has to fail before the change.
    #[section(visibility = "summary", summary = "Which tests.")]
    tests: (),
    /// Keep the names that are there. A better name is a change of its own.
    #[section]
    names: (),
    /// Errors say what is wrong, where, and what to write instead.
    #[section(visibility = "summary", summary = "What errors say.")]
    errors: (),
    /// No output but what the program is for; what helps to find faults goes to the log.
    #[section]
    output: (),
    /// Figures stand with their unit, and with the command that measured them.
    #[section(visibility = "summary", summary = "How figures stand.")]
    figures: (),
    /// Say what was left out and why, in the last paragraph.
    #[section]
    rest: (),
    /// Read your own answer once as the one who has to live with it.
    #[section(visibility = "summary", summary = "How to end.")]
    answer: (),
}

/// Ten chapters of a type that is known: in a generic struct they would not be printed in one go.
macro_rules! handbook {
    ($name:ident, $chapter:ty) => {
        /// You work on a library.
        #[derive(PromptNode, Default)]
        struct $name {
            #[section]
            parsing: $chapter,
            #[section]
            printing: $chapter,
            #[section]
            budgets: $chapter,
            #[section]
            guarding: $chapter,
            #[section]
            messages: $chapter,
            #[section]
            histories: $chapter,
            #[section]
            formats: $chapter,
            #[section]
            diagnostics: $chapter,
            #[section]
            examples: $chapter,
            #[section]
            releases: $chapter,
        }
    };
}

handbook!(Handbook, Chapter);
handbook!(HalfHandbook, Half);

/// The texts of a chapter: key, text, and the summary where half of them are short.
const SECTIONS: [(&str, &str, Option<&str>); 9] = [
    (
        "method",
        "Read the whole task before the first change, and say in one sentence what is asked for.",
        None,
    ),
    (
        "callers",
        "Look at the callers of what you change. Most mistakes are made one file away.",
        Some("Who calls what."),
    ),
    (
        "tests",
        "Write the test first where a behaviour changes. It has to fail before the change.",
        Some("Which tests."),
    ),
    (
        "names",
        "Keep the names that are there. A better name is a change of its own.",
        None,
    ),
    (
        "errors",
        "Errors say what is wrong, where, and what to write instead.",
        Some("What errors say."),
    ),
    (
        "output",
        "No output but what the program is for; what helps to find faults goes to the log.",
        None,
    ),
    (
        "figures",
        "Figures stand with their unit, and with the command that measured them.",
        Some("How figures stand."),
    ),
    (
        "rest",
        "Say what was left out and why, in the last paragraph.",
        None,
    ),
    (
        "answer",
        "Read your own answer once as the one who has to live with it.",
        Some("How to end."),
    ),
];

const CHAPTERS: [&str; 10] = [
    "parsing",
    "printing",
    "budgets",
    "guarding",
    "messages",
    "histories",
    "formats",
    "diagnostics",
    "examples",
    "releases",
];

fn dynamic(is_half: bool) -> DynamicNode {
    let section = |(key, text, summary): (&str, &str, Option<&str>)| {
        let section = DynamicNode::builder(key).body(text);
        match summary.filter(|_| is_half) {
            Some(summary) => section.summary(summary).visibility(Visibility::Summary),
            None => section,
        }
    };
    let chapter = |key: &str| {
        let chapter = DynamicNode::builder(key).body("What everybody does who works on this.");
        SECTIONS
            .into_iter()
            .map(section)
            .fold(chapter, |chapter, section| chapter.section(section))
    };
    let root = DynamicNode::builder("handbook").body("You work on a library.");
    let root = CHAPTERS
        .iter()
        .fold(root, |root, key| root.section(chapter(key)));
    root.build().unwrap()
}

fn main() {
    let full = Handbook::default();
    let half = HalfHandbook::default();
    compare("100 sections in full", &full, &dynamic(false));
    compare(
        "100 sections, 50 of them as summaries",
        &half,
        &dynamic(true),
    );
    turn(&half);
}

fn compare<D: PromptNode>(what: &str, derived: &D, dynamic: &DynamicNode) {
    let text = derived.prompt().text().unwrap();
    assert_eq!(dynamic.prompt().text().unwrap(), text);
    let pieces: Vec<&str> = text.split_inclusive("\n\n").collect();
    println!(
        "{what}: {} bytes, {} sections in the table",
        text.len(),
        derived.prompt().render().unwrap().sections().len()
    );
    let figures = measured(&mut [
        &mut || drop(black_box(pushed(text.len(), &pieces))),
        &mut || drop(black_box(derived.prompt().text())),
        &mut || drop(black_box(derived.prompt().render())),
        &mut || drop(black_box(dynamic.prompt().text())),
        &mut || drop(black_box(dynamic.prompt().render())),
        &mut || {
            let rendered = derived.prompt().render().unwrap();
            black_box(rendered.tools());
            drop(rendered);
        },
    ]);
    let bar = format!("bar {BAR_MICROS:.0} µs");
    let names = [
        ("push_str", ""),
        ("text()", ""),
        ("render(), with the section table", bar.as_str()),
        ("text() of a DynamicNode", ""),
        ("render() of a DynamicNode", bar.as_str()),
        ("render() and tools()", ""),
    ];
    for ((name, bar), figure) in names.iter().zip(&figures) {
        println!(
            "  {name:<34} {:>8.1} µs {:>6.1} x push_str  {bar}",
            figure.micros, figure.ratio
        );
    }
    println!(
        "  DynamicNode to derived: text() {:.2} x, render() {:.2} x  bar {BAR_DYNAMIC} x\n",
        figures[3].micros / figures[1].micros,
        figures[4].micros / figures[2].micros
    );
}

fn pushed(bytes: usize, pieces: &[&str]) -> String {
    let mut text = String::with_capacity(bytes);
    for piece in black_box(pieces) {
        text.push_str(piece);
    }
    text
}

/// One turn: the prompt is rendered, the model opens a section, and it is rendered again.
fn turn<D: PromptNode>(node: &D) {
    let arguments = json!({ "section_keys": ["budgets.tests"], "reason": "to write one" });
    let call = [ToolCall::new("call_1", "open_sections", arguments)];
    let opened = {
        let mut conversation = Disclosure::new(node);
        conversation.handle(&call).unwrap();
        conversation.render().unwrap().into_string()
    };
    let pieces: Vec<&str> = opened.split_inclusive("\n\n").collect();
    let figures = measured(&mut [
        &mut || drop(black_box(pushed(opened.len(), &pieces))),
        &mut || {
            let mut conversation = Disclosure::new(node);
            black_box(conversation.handle(&call)).unwrap();
        },
        &mut || {
            let mut conversation = Disclosure::new(node);
            drop(black_box(conversation.render()));
            black_box(conversation.handle(&call)).unwrap();
            drop(black_box(conversation.render()));
        },
    ]);
    println!("a turn with 50 summaries, of which the model opens one");
    let names = [
        "push_str of the result",
        "handle()",
        "render(), handle(), render()",
    ];
    for (name, figure) in names.iter().zip(&figures) {
        println!(
            "  {name:<34} {:>8.1} µs {:>6.1} x push_str",
            figure.micros, figure.ratio
        );
    }
}

struct Figure {
    micros: f64,
    ratio: f64,
}

const ROUNDS: usize = 31;
const SLICE: Duration = Duration::from_millis(4);

/// The lowest time of each, and the median of its ratios to the first in the same round.
fn measured(contestants: &mut [&mut dyn FnMut()]) -> Vec<Figure> {
    let rounds: Vec<Vec<f64>> = (0..ROUNDS)
        .map(|_| {
            contestants
                .iter_mut()
                .map(|run| micros(&mut **run))
                .collect()
        })
        .collect();
    let figure = |index: usize| {
        let mut ratios: Vec<f64> = rounds.iter().map(|round| round[index] / round[0]).collect();
        ratios.sort_by(f64::total_cmp);
        Figure {
            micros: rounds
                .iter()
                .map(|round| round[index])
                .fold(f64::INFINITY, f64::min),
            ratio: ratios[ROUNDS / 2],
        }
    };
    (0..contestants.len()).map(figure).collect()
}

fn micros(run: &mut dyn FnMut()) -> f64 {
    let (start, mut runs) = (ThreadTime::now(), 0_u32);
    while start.elapsed() < SLICE {
        for _ in 0..16 {
            run();
        }
        runs += 16;
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(runs)
}

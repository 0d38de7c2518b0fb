//! What grows faster than its input? `cargo bench -p prompt-tests --bench growth [-- PART OF A NAME]`
//!
//! Every public entry runs on inputs that double. The table shows the time and the peak memory at the largest, and the
//! exponent over the last three doublings: 1 is linear. Above 1.15 the command fails.
//!
//! Against noise: a size is measured several times and counts with its fastest run, only times above a floor count, and an entry
//! that looks too steep is measured twice more and judged by its best sweep.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use prompt_core::budget::Policy;
use prompt_core::compaction::{CompactionConfig, Compactor, CostModel, simulate};
use prompt_core::disclosure::Delivery;
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::prompt::Numbering;
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use prompt_core::tool::Tools;
use prompt_core::tree::Collected;
use prompt_core::wire::{Provider, RequestOptions};
use prompt_core::{
    Budget, Content, Disclosure, DynamicNode, History, Message, Overrides, PromptNode, Role, Style,
    Template, ToolCall, ToolResult, ToolSpec, xml,
};
use prompt_syntax::{Options, Place, lower, parse};
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A text of so many parts.
type Write = fn(usize) -> String;

/// More than this is a failure.
const STEEPEST: f64 = 1.15;
/// Shorter times are noise.
const FLOOR: Duration = Duration::from_millis(2);
/// An entry is not made larger once it takes this long.
const ENOUGH: Duration = Duration::from_millis(120);
/// Doublings that the exponent is taken over.
const SPAN: usize = 3;
const RUNS: usize = 5;

/// Work on an input that is already made.
type Work = Box<dyn Fn()>;

struct Entry {
    name: String,
    first: usize,
    last: usize,
    make: Box<dyn Fn(usize) -> Work>,
}

struct Sweep {
    n: usize,
    time: Duration,
    exponent: Option<f64>,
    peak: Option<f64>,
}

fn main() -> ExitCode {
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let is_asked = |entry: &Entry| filter.as_ref().is_none_or(|part| entry.name.contains(part));
    let mut steep = Vec::new();
    println!("| entry | n | ms | exponent | peak MB |\n|---|--:|--:|--:|--:|");
    for entry in entries().into_iter().filter(is_asked) {
        let mut found = sweep(&entry);
        for _ in 0..2 {
            if found.exponent.is_some_and(|exponent| exponent > STEEPEST) {
                let again = sweep(&entry);
                if again.exponent < found.exponent {
                    found = again;
                }
            }
        }
        let Sweep {
            n,
            time,
            exponent,
            peak,
        } = found;
        let number = |number: Option<f64>, places| {
            number.map_or("-".to_owned(), |number| format!("{number:.places$}"))
        };
        println!(
            "| {} | {n} | {:.2} | {} | {} |",
            entry.name,
            time.as_secs_f64() * 1e3,
            number(exponent, 2),
            number(peak, 1)
        );
        if exponent.is_some_and(|exponent| exponent > STEEPEST) {
            steep.push(format!("{}: {}", entry.name, number(exponent, 2)));
        }
    }
    if steep.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nsteeper than {STEEPEST}:\n{}", steep.join("\n"));
    ExitCode::FAILURE
}

/// Doubles the input until it takes long enough.
fn sweep(entry: &Entry) -> Sweep {
    let (mut times, mut n): (Vec<Duration>, usize) = (Vec::new(), entry.first);
    let peak = loop {
        let work = (entry.make)(n);
        let (time, peak) = measure(&work);
        times.push(time);
        if time >= ENOUGH || n * 2 > entry.last {
            break peak;
        }
        n *= 2;
    };
    let counted: Vec<f64> = times
        .iter()
        .filter(|time| **time >= FLOOR)
        .map(Duration::as_secs_f64)
        .collect();
    let span = SPAN.min(counted.len().saturating_sub(1));
    let exponent = (span >= 2).then(|| {
        let (first, last) = (
            counted[counted.len() - 1 - span],
            counted[counted.len() - 1],
        );
        (last / first).log2() / span as f64
    });
    Sweep {
        n,
        time: times[times.len() - 1],
        exponent,
        peak,
    }
}

/// The fastest of several runs, and the megabytes that the first one took.
fn measure(work: &Work) -> (Duration, Option<f64>) {
    // Linux forgets the peak of a process that writes this; elsewhere there is no figure.
    let forgot = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = memory("VmRSS:");
    let mut best = timed(work);
    let peak = memory("VmHWM:").zip(before).filter(|_| forgot);
    let peak = peak.map(|(peak, before)| (peak - before).max(0.0));
    for _ in 1..RUNS {
        if best > ENOUGH * 4 {
            break;
        }
        best = best.min(timed(work));
    }
    (best, peak)
}

/// Time on a processor where the system tells it, so that what else runs on the machine counts little.
fn timed(work: &Work) -> Duration {
    let (start, before) = (Instant::now(), on_processor());
    work();
    let spent = on_processor()
        .zip(before)
        .map(|(after, before)| after - before);
    spent
        .filter(|spent| !spent.is_zero())
        .unwrap_or_else(|| start.elapsed())
}

/// What Linux has counted for this thread.
fn on_processor() -> Option<Duration> {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = counted.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn memory(key: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Collects entries: a name, the first and the largest size, what makes the input, what is measured.
#[derive(Default)]
struct Entries(Vec<Entry>);

impl Entries {
    fn add<I: 'static, O: 'static>(
        &mut self,
        name: impl Into<String>,
        last: usize,
        make: impl Fn(usize) -> I + 'static,
        work: impl Fn(&I) -> O + Clone + 'static,
    ) {
        let make = move |n| -> Work {
            let (input, work) = (make(n), work.clone());
            Box::new(move || drop(black_box(work(&input))))
        };
        self.0.push(Entry {
            name: name.into(),
            first: (last / 256).max(1),
            last,
            make: Box::new(make),
        });
    }
}

fn entries() -> Vec<Entry> {
    let mut all = Entries::default();
    grammar(&mut all);
    trees(&mut all);
    rendering(&mut all);
    budgets(&mut all);
    disclosure(&mut all);
    tags(&mut all);
    histories(&mut all);
    wire(&mut all);
    all.0
}

fn repeated(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

fn grammar(all: &mut Entries) {
    let read = |text: &String| {
        let names = ["name", "other"];
        parse(
            text,
            &Options {
                names: &names,
                ..Options::new(Place::Node)
            },
        )
    };
    let texts: [(&str, Write); 9] = [
        ("n lines", |n| {
            repeated(n, |i| format!("Line {i} says {{name}} and more.\n"))
        }),
        ("n headings", |n| {
            repeated(n, |i| format!("# Heading {i}\n\ntext\n\n"))
        }),
        ("n fences", |n| {
            repeated(n, |_| "```json\n{\"a\": 1}\n```\n\n".into())
        }),
        ("n conditions", |n| {
            repeated(n, |_| "{?name}a {name}\n".into())
        }),
        ("n nested conditions", |n| {
            "{?name}\n".repeat(n) + &"{/name}\n".repeat(n)
        }),
        ("n open braces", |n| "{".repeat(n)),
        ("n backticks", |n| {
            repeated(n, |i| "`".repeat(i % 7 + 1) + " ")
        }),
        ("n unknown names", |n| {
            repeated(n, |i| format!("{{unknown_{i}}}\n"))
        }),
        ("n open fences and comments", |n| {
            repeated(n, |_| "<!-- ``` `\n".into())
        }),
    ];
    for (name, text) in texts {
        all.add(format!("parse: {name}"), 64_000, text, read);
    }
    all.add(
        "parse: n unknown names, n known",
        16_000,
        |n| {
            let known: Vec<String> = (0..n).map(|i| format!("known_{i}")).collect();
            (repeated(n, |i| format!("{{knwon_{i}}}\n")), known)
        },
        |(text, known)| {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            parse(
                text,
                &Options {
                    names: &names,
                    ..Options::new(Place::Node)
                },
            )
        },
    );
    all.add(
        "lower: n lines",
        64_000,
        move |n| read(&repeated(n, |i| format!("# A {i}\n\n{{name}}\n\n"))),
        |parsed| lower(&parsed.elements, &[]),
    );
    all.add(
        "Template: n names",
        32_000,
        |n| repeated(n, |i| format!("{{v{i}}} `{{v{i}}}`\n")),
        |text| Template::parse(text),
    );
    all.add(
        "tokens: n bytes",
        4_000_000,
        |n| "Some words, 12 numbers & signs.\n".repeat(n / 32 + 1),
        |text| EstimatedTokens::default().count(text),
    );
}

fn sections(n: usize, body: &str) -> DynamicNodeBuilder {
    (0..n).fold(DynamicNode::builder("root").body("Own."), |root, i| {
        root.section(DynamicNode::builder(format!("s{i}")).body(body))
    })
}

fn wide(n: usize) -> DynamicNode {
    sections(n, "Text of the section.").build().unwrap()
}

fn placed(n: usize) -> DynamicNodeBuilder {
    let body = repeated(n, |i| format!("{{s{i}}}\n\n"));
    (0..n).fold(DynamicNode::builder("root").body(body), |root, i| {
        root.section(DynamicNode::builder(format!("s{i}")).body("Text."))
    })
}

fn deep(n: usize) -> DynamicNode {
    let leaf = DynamicNode::builder("k").body("Leaf.");
    let chain = (1..n).fold(leaf, |inner, _| {
        DynamicNode::builder("k").body("Level.").section(inner)
    });
    chain.build().unwrap()
}

fn path(n: usize) -> String {
    vec!["k"; n.saturating_sub(1)].join(".")
}

fn written(n: usize, section: impl Fn(usize) -> Value) -> Value {
    json!({ "key": "root", "body": "Own.", "sections": (0..n).map(section).collect::<Vec<_>>() })
}

fn trees(all: &mut Entries) {
    let file = |n| {
        written(
            n,
            |i| json!({ "key": format!("s{i}"), "body": "# A\n\nText." }),
        )
    };
    all.add(
        "from_json: n sections",
        32_000,
        move |n| file(n).to_string(),
        |text| DynamicNode::from_json(text).unwrap(),
    );
    all.add(
        "from_toml: n sections",
        16_000,
        move |n| toml::to_string(&file(n)).unwrap(),
        |text| DynamicNode::from_toml(text).unwrap(),
    );
    all.add(
        "from_json: n faults",
        16_000,
        |n| {
            written(
                n,
                |i| json!({ "key": format!("s{i}"), "body": "####### A", "titel": 1 }),
            )
            .to_string()
        },
        |text| DynamicNode::from_json(text).unwrap_err(),
    );
    all.add(
        "from_json: n sections of one key",
        16_000,
        |n| written(n, |_| json!({ "key": "s" })).to_string(),
        |text| DynamicNode::from_json(text).unwrap_err(),
    );
    let body =
        |n| json!({ "key": "root", "body": repeated(n, |i| format!("{{v{i}}}\n")) }).to_string();
    let values = |n: usize| {
        (0..n)
            .map(|i| (format!("v{i}"), Value::from("x")))
            .collect::<Map<_, _>>()
    };
    all.add("build: 1 body, n variables", 32_000, body, |text| {
        DynamicNode::from_json(text).unwrap()
    });
    all.add(
        "bind: 1 body, n variables",
        32_000,
        move |n| (body(n), values(n)),
        |(text, values)| DynamicNode::from_json_with(text, values).unwrap(),
    );
    all.add(
        "bind: n variables without a value",
        16_000,
        move |n| {
            (
                body(n),
                values(n)
                    .into_iter()
                    .map(|(name, value)| (format!("{name}x"), value))
                    .collect::<Map<_, _>>(),
            )
        },
        |(text, values)| DynamicNode::from_json_with(text, values).unwrap_err(),
    );
    all.add(
        "bind: n sections, n values",
        16_000,
        move |n| {
            (
                written(
                    n,
                    |i| json!({ "key": format!("s{i}"), "body": format!("{{v{i}}}") }),
                )
                .to_string(),
                values(n),
            )
        },
        |(text, values)| DynamicNode::from_json_with(text, values).unwrap(),
    );
    all.add(
        "build: 1 body, n conditions",
        32_000,
        |n| {
            json!({ "key": "root", "body": repeated(n, |i| format!("{{?v{i}}}text\n")) })
                .to_string()
        },
        |text| DynamicNode::from_json(text).unwrap(),
    );
    all.add(
        "build: n sections placed",
        16_000,
        |n| n,
        |n| placed(*n).build().unwrap(),
    );
    all.add("build: depth n", 8_000, |n| n, |n| deep(*n));
    all.add("save: n sections", 32_000, wide, |node| {
        serde_json::to_string(node).unwrap()
    });
    all.add("clone and compare: depth n", 8_000, deep, |node| {
        node.clone() == *node
    });
    all.add("bind: depth n", 8_000, deep, |node| {
        node.clone().bind(json!({ "a": 1 })).unwrap()
    });
}

fn rendering(all: &mut Entries) {
    for (name, style) in [("markdown", Style::Markdown), ("xml", Style::Xml)] {
        all.add(
            format!("render {name}: n sections"),
            64_000,
            wide,
            move |node| node.prompt().style(style).render().unwrap(),
        );
        all.add(
            format!("render {name}: depth n"),
            8_000,
            deep,
            move |node| node.prompt().style(style).indent(0).render().unwrap(),
        );
        all.add(
            format!("preview {name}: n sections"),
            16_000,
            wide,
            move |node| node.prompt().style(style).preview().unwrap().to_string(),
        );
        all.add(
            format!("lint {name}: n sections"),
            16_000,
            wide,
            move |node| node.prompt().style(style).lint(),
        );
    }
    all.add(
        "render: n sections placed",
        16_000,
        |n| placed(n).build().unwrap(),
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "focus last: n sections placed",
        16_000,
        |n| (placed(n).build().unwrap(), format!("s{}", n - 1)),
        |(node, path)| node.prompt().focus(path.as_str()).render().unwrap(),
    );
    all.add("render: numbering, n sections", 32_000, wide, |node| {
        node.prompt()
            .numbering(Numbering::Decimal)
            .render()
            .unwrap()
    });
    all.add(
        "focus deepest: depth n",
        4_000,
        |n| (deep(n), path(n)),
        |(node, path)| node.prompt().focus(path.as_str()).render().unwrap(),
    );
    all.add("walk: n sections", 32_000, wide, |node| {
        node.prompt().walk().unwrap()
    });
    all.add(
        "next: n sections, all but one collected",
        16_000,
        |n| {
            (
                wide(n),
                (1..n)
                    .map(|i| (format!("s{}", i - 1), "done".to_owned()))
                    .collect::<Collected>(),
            )
        },
        |(node, done)| node.prompt().next(done).unwrap(),
    );
    all.add(
        "render: n collected",
        8_000,
        |n| {
            let node = sections(n, "Text.\n\n{COLLECTED_CONTEXT}").build().unwrap();
            (
                node,
                format!("s{}", n - 1),
                (1..n)
                    .map(|i| (format!("s{}", i - 1), "done".to_owned()))
                    .collect::<Collected>(),
            )
        },
        |(node, path, done)| {
            node.prompt()
                .focus(path.as_str())
                .collected(done)
                .render()
                .unwrap()
        },
    );
    all.add(
        "render: n overrides",
        16_000,
        |n| {
            let mut overrides = Overrides::default();
            for i in 0..n {
                overrides.close(format!("s{i}"));
            }
            let node = (0..n).fold(DynamicNode::builder("root"), |root, i| {
                root.section(DynamicNode::builder(format!("s{i}")).body("a").summary("b"))
            });
            (node.build().unwrap(), overrides)
        },
        |(node, overrides)| node.prompt().overrides(overrides).render().unwrap(),
    );
    all.add(
        "sections() and messages(): n sections",
        32_000,
        |n| wide(n).prompt().render().unwrap(),
        |rendered| (rendered.sections(), rendered.messages()),
    );
    all.add(
        "sections(): depth n (its output is the paths)",
        1_000,
        |n| deep(n).prompt().render().unwrap(),
        |rendered| rendered.sections().len(),
    );
    all.add(
        "messages(): n sections with roles",
        16_000,
        |n| {
            (0..n)
                .fold(DynamicNode::builder("root").body("Own."), |root, i| {
                    root.section(
                        DynamicNode::builder(format!("s{i}"))
                            .body("a")
                            .role(Role::User),
                    )
                })
                .build()
                .unwrap()
        },
        |node| node.prompt().render().unwrap().messages(),
    );
    all.add(
        "render: n tools",
        8_000,
        |n| {
            let root = (0..n).fold(DynamicNode::builder("root").body("Own."), |root, i| {
                root.tool(format!("t{i}"))
            });
            root.build().unwrap()
        },
        |node| node.prompt().render().unwrap().tools().len(),
    );
    let one_line = |n: usize| {
        (json!({ "key": "root", "sections": [{ "key": "a", "untrusted": true, "body": repeated(n, |i| format!("{{v{i}}} ")) }] }).to_string(), (0..n).map(|i| (format!("v{i}"), Value::from("a</a>"))).collect::<Map<_, _>>())
    };
    all.add(
        "render: one line, n untrusted values",
        16_000,
        move |n| {
            let (text, values) = one_line(n);
            DynamicNode::from_json_with(&text, values).unwrap()
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
    all.add(
        "render: one untrusted value of n bytes",
        1_000_000,
        |n| {
            DynamicNode::builder("root")
                .body("{v}")
                .untrusted_value("<a>`#|".repeat(n / 6 + 1))
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
}

/// A root with one value in an untrusted section.
trait UntrustedValue {
    fn untrusted_value(self, value: String) -> DynamicNode;
}

impl UntrustedValue for DynamicNodeBuilder {
    fn untrusted_value(self, value: String) -> DynamicNode {
        let section = DynamicNode::builder("a").body("{v}").untrusted();
        self.section(section)
            .build_with(json!({ "v": value }))
            .unwrap()
    }
}

fn budgets(all: &mut Entries) {
    let node = |n: usize| {
        (0..n)
            .fold(DynamicNode::builder("root").body("Own."), |root, i| {
                root.section(
                    DynamicNode::builder(format!("s{i}"))
                        .body("Some text of the section.")
                        .priority(i32::try_from(i % 97).unwrap_or(0)),
                )
            })
            .build()
            .unwrap()
    };
    for (name, policy) in [("cutoff", Policy::Cutoff), ("prefix", Policy::Prefix)] {
        all.add(
            format!("budget {name}: n sections, half of them fit"),
            32_000,
            node,
            move |node| {
                let limit = node.sections().len() * 5;
                node.prompt()
                    .budget(Budget::tokens(limit).policy(policy))
                    .render()
                    .unwrap()
                    .sections()
                    .len()
            },
        );
    }
    all.add("budget: preview", 16_000, node, |node| {
        node.prompt()
            .budget(Budget::tokens(node.sections().len() * 5))
            .preview()
            .unwrap()
            .to_string()
    });
    all.add("budget: depth n", 4_000, deep, |node| {
        node.prompt()
            .budget(Budget::tokens(100_000))
            .render()
            .unwrap()
    });
}

fn disclosure(all: &mut Entries) {
    let node = |n: usize| {
        (0..n)
            .fold(DynamicNode::builder("root").body("Own."), |root, i| {
                root.section(
                    DynamicNode::builder(format!("s{i}"))
                        .body("Long text.")
                        .summary("Short.")
                        .visibility(prompt_core::Visibility::Summary),
                )
            })
            .build()
            .unwrap()
    };
    for (name, delivery) in [
        ("append", Delivery::Append),
        ("rerender", Delivery::Rerender),
    ] {
        all.add(
            format!("{name}: render, n openable"),
            8_000,
            node,
            move |node| {
                Disclosure::new(node)
                    .delivery(delivery)
                    .render()
                    .unwrap()
                    .tools()
                    .len()
            },
        );
        all.add(
            format!("{name}: one call opens n"),
            8_000,
            move |n| {
                let keys: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
                (
                    node(n),
                    ToolCall::new(
                        "1",
                        "open_sections",
                        json!({ "section_keys": keys, "reason": "r" }),
                    ),
                )
            },
            move |(node, call)| {
                Disclosure::new(node)
                    .delivery(delivery)
                    .handle(std::slice::from_ref(call))
                    .map(|results| results.len())
                    .ok()
            },
        );
        all.add(
            format!("{name}: n calls of other tools"),
            16_000,
            move |n| {
                let calls: Vec<ToolCall> = (0..n)
                    .map(|i| ToolCall::new(i.to_string(), "f", json!({})))
                    .collect();
                (node(8), calls)
            },
            move |(node, calls)| {
                Disclosure::new(node)
                    .delivery(delivery)
                    .handle_all(calls, |call| ToolResult::ok(call, "x"))
                    .map(|results| results.len())
                    .ok()
            },
        );
    }
}

fn tags(all: &mut Entries) {
    let texts: [(&str, Write); 6] = [
        ("n <", |n| "<".repeat(n)),
        ("n open tags", |n| "<a>".repeat(n)),
        ("n nested tags", |n| {
            repeated(n, |i| format!("<t{i}>"))
                + &(0..n).rev().map(|i| format!("</t{i}>")).collect::<String>()
        }),
        ("n crossed tags", |n| "<a><b></a></b>".repeat(n)),
        ("n open quotes", |n| "<a x=\"".repeat(n)),
        ("n fences", |n| "```\n<a>\n".repeat(n)),
    ];
    for (name, text) in texts {
        all.add(format!("validate: {name}"), 256_000, text, |text| {
            xml::validate(text).is_ok()
        });
        all.add(format!("guard_text: {name}"), 256_000, text, |text| {
            xml::guard_text(text, ["a", "b"]).into_owned()
        });
        all.add(format!("neutralize: {name}"), 256_000, text, |text| {
            xml::neutralize(text).into_owned()
        });
    }
}

fn talk(n: usize) -> Vec<Message> {
    let turn = |i: usize| {
        let call = ToolCall::new(format!("c{i}"), "f", json!({ "a": i }));
        let said = Message {
            content: vec![Content::text("I look."), call.clone().into()],
            ..Message::assistant("")
        };
        [
            Message::user("A question."),
            said,
            Message::tool([ToolResult::ok(&call, "A result of some words.")]),
            Message::assistant("An answer."),
        ]
    };
    (0..n / 4 + 1).flat_map(turn).collect()
}

/// One answer with n calls, of ids of their own or of one, and their results in another order.
fn calls(n: usize, is_one_id: bool) -> Vec<Message> {
    let calls: Vec<ToolCall> = (0..n)
        .map(|i| {
            ToolCall::new(
                if is_one_id {
                    "c".to_owned()
                } else {
                    format!("c{i}")
                },
                "f",
                json!({}),
            )
        })
        .collect();
    let results = Message::tool(calls.iter().rev().map(|call| ToolResult::ok(call, "r")));
    let said = Message {
        content: calls.into_iter().map(Into::into).collect(),
        ..Message::assistant("")
    };
    vec![Message::user("Q"), said, results]
}

fn histories(all: &mut Entries) {
    let config = || {
        CompactionConfig::builder()
            .min_preserved(4)
            .batch_size(8)
            .build()
            .unwrap()
    };
    all.add("compact: n messages", 64_000, talk, move |log| {
        Compactor::new(config()).compact(log).messages().len()
    });
    all.add(
        "history: n pushed, a view after each",
        32_000,
        talk,
        move |log| {
            let mut history = History::new(config());
            for message in log {
                history.push(message.clone());
                black_box(history.view().len());
            }
        },
    );
    all.add(
        "compact: n calls of one id",
        32_000,
        |n| calls(n, true),
        move |log| Compactor::new(config()).compact(log).messages().len(),
    );
    all.add("simulate: n messages", 16_000, talk, move |log| {
        simulate(log, config(), &CostModel::anthropic())
    });
}

fn wire(all: &mut Entries) {
    let options = || RequestOptions::new("m");
    for &provider in Provider::ALL {
        all.add(
            format!("{provider}: request, n messages"),
            32_000,
            talk,
            move |log| provider.request(log, &[], &options()).is_ok(),
        );
        all.add(
            format!("{provider}: request, n calls"),
            16_000,
            |n| calls(n, false),
            move |log| provider.request(log, &[], &options()).is_ok(),
        );
        all.add(
            format!("{provider}: request, n calls of one id"),
            16_000,
            |n| calls(n, true),
            move |log| provider.request(log, &[], &options()).is_ok(),
        );
        all.add(
            format!("{provider}: request, n tools"),
            8_000,
            |n| {
                (0..n)
                    .map(|i| ToolSpec::closed(format!("t{i}"), "d").unwrap())
                    .collect::<Vec<_>>()
            },
            move |tools| {
                provider
                    .request(&[Message::user("u")], tools, &options())
                    .is_ok()
            },
        );
        all.add(
            format!("{provider}: stream, n pieces"),
            32_000,
            move |n| events(provider, n),
            move |events| {
                let mut reader = provider.stream();
                let deltas: usize = events
                    .iter()
                    .map(|event| reader.push(event).map_or(0, |deltas| deltas.len()))
                    .sum();
                (deltas, reader.finish().is_ok())
            },
        );
    }
    all.add("ToolSpec: n properties", 4_096, |n| {
        let names: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
        let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
        json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
    }, |schema| ToolSpec::new("t", "d", schema.clone()).unwrap());
    all.add(
        "Tools: n tools, n calls",
        16_000,
        |n| {
            let tools = (0..n).try_fold(Tools::new(), |tools, i| {
                tools.add(
                    ToolSpec::closed(format!("t{i}"), "d").unwrap(),
                    |_: Value| "done",
                )
            });
            (
                tools.unwrap(),
                (0..n)
                    .map(|i| ToolCall::new("c", format!("t{i}"), json!({})))
                    .collect::<Vec<_>>(),
            )
        },
        |(tools, calls)| tools.answer_all(calls).len(),
    );
}

/// A streamed answer of n pieces of text.
fn events(provider: Provider, n: usize) -> Vec<Value> {
    let texts = |piece: fn() -> Value| (0..n).map(move |_| piece());
    match provider {
        Provider::OpenAiChat => texts(|| json!({ "choices": [{ "index": 0, "delta": { "content": "word " } }] }))
            .chain([json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] })])
            .collect(),
        Provider::Anthropic => [json!({ "type": "message_start", "message": { "id": "1", "usage": { "input_tokens": 1 } } }), json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } })]
            .into_iter()
            .chain(texts(|| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "word " } })))
            .chain([json!({ "type": "content_block_stop", "index": 0 }), json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }), json!({ "type": "message_stop" })])
            .collect(),
        Provider::Gemini => texts(|| json!({ "candidates": [{ "content": { "parts": [{ "text": "word " }] } }] }))
            .chain([json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }] })])
            .collect(),
        Provider::OpenAiResponses => texts(|| json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "i", "delta": "word " })).collect(),
        _ => texts(|| json!({ "message": { "role": "assistant", "content": "word " }, "done": false }))
            .chain([json!({ "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop" })])
            .collect(),
    }
}

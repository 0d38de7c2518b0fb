//! The public entries: the largest size, what makes the input, what is measured.

use crate::measure::{Against, Entry, Work};
use prompt_agent::Tools;
use prompt_agent::wire::mcp::{self, McpPrompt, McpTool};
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::assembly::{AdapterContext, AdapterInstruction, PromptConfig, Registry};
use prompt_core::budget::Policy;
use prompt_core::compaction::{CompactionConfig, Compactor};
use prompt_core::disclosure::Delivery;
use prompt_core::dynamic::{DynamicNodeBuilder, with_text};
use prompt_core::message::{CachePlan, CachePoint};
use prompt_core::prompt::{Numbering, Preview};
use prompt_core::tokens::{self, EstimatedTokens, TokenCounter};
use prompt_core::tree::Collected;
use prompt_core::xml::Guarding;
use prompt_core::{
    Assembler, Budget, Content, Disclosure, DynamicNode, History, Markdown, Message, Overrides,
    PromptNode, PromptTask, RenderedPrompt, Role, Style, Template, ToolCall, ToolResult, ToolSpec,
    Visibility, xml,
};
use prompt_syntax::{Options, Place, parse};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::hint::black_box;
use std::sync::Arc;

/// Trees are so deep at most.
const LEVELS: usize = 128;

/// A text of so many parts.
type Write = fn(usize) -> String;

/// Collects entries.
#[derive(Default)]
struct Entries(Vec<Entry>);

impl Entries {
    /// Sizes go from a 256th to the last one. What the work gives is counted as its result.
    fn add<I: 'static, O: 'static>(
        &mut self,
        name: impl Into<String>,
        last: usize,
        make: impl Fn(usize) -> I + 'static,
        work: impl Fn(&I) -> O + Clone + 'static,
    ) {
        let make = move |n| -> Work {
            let (input, work) = (make(n), work.clone());
            Box::new(move || Box::new(work(&input)))
        };
        let name = name.into();
        let last = if name.contains("depth n") {
            last.min(LEVELS)
        } else {
            last
        };
        self.0.push(Entry {
            name,
            first: (last / 256).max(1),
            last,
            against: Against::Size,
            make: Box::new(make),
        });
    }

    /// For what compares names up to some limit: below it the product of both counts, past it linear.
    fn from(&mut self, first: usize) {
        if let Some(entry) = self.0.last_mut() {
            entry.first = first;
        }
    }

    /// For what lists a path or a number for each level: what comes out of depth n has the size of n squared, so the
    /// exponents are those of the result's bytes.
    fn against_result(&mut self) {
        if let Some(entry) = self.0.last_mut() {
            entry.against = Against::Result;
            entry.name += " (against its result)";
        }
    }
}

pub fn all() -> Vec<Entry> {
    let mut all = Entries::default();
    grammar(&mut all);
    words(&mut all);
    trees(&mut all);
    rendering(&mut all);
    budgets(&mut all);
    disclosure(&mut all);
    tags(&mut all);
    values(&mut all);
    assembly(&mut all);
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
        "parse: n slots, n sections",
        32_000,
        |n| {
            let keys: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
            (repeated(n, |i| format!("{{s{i}}}\n\n")), keys)
        },
        |(text, keys)| {
            let sections: Vec<&str> = keys.iter().map(String::as_str).collect();
            let options = Options {
                sections: &sections,
                ..Options::new(Place::Node)
            };
            parse(text, &options)
        },
    );
    all.add(
        "Template: n names",
        32_000,
        |n| repeated(n, |i| format!("{{v{i}}} `{{v{i}}}`\n")),
        |text| Template::parse(text),
    );
    all.add(
        "Template: n names in text, n near misses in code",
        16_000,
        |n| repeated(n, |i| format!("{{name_{i}}} `{{nmae_{i}}}`\n")),
        |text| Template::parse(text),
    );
    all.add(
        "Template: n faults",
        16_000,
        |n| "{ spaced } and {a:?}\n####### Deep\n".repeat(n),
        |text| Template::parse(text).unwrap_err(),
    );
    all.add(
        "with_text: n faults",
        16_000,
        |n| "{unknown} and {nmae}\n".repeat(n),
        |text| {
            let named = Member { name: "Ada".into() };
            with_text(&named, text).unwrap_err()
        },
    );
    all.add(
        "tokens: n bytes",
        4_000_000,
        |n| "Some words, 12 numbers & signs.\n".repeat(n / 32 + 1),
        |text| EstimatedTokens::default().count(text),
    );
}

fn words(all: &mut Entries) {
    let texts: [(&str, Write); 4] = [
        ("one word", |n| "a".repeat(n)),
        ("digits", |n| "7".repeat(n)),
        ("blanks", |n| " ".repeat(n)),
        ("signs", |n| "=-".repeat(n / 2)),
    ];
    for (name, text) in texts {
        all.add(
            format!("tokens: n bytes of {name}"),
            4_000_000,
            text,
            |text| EstimatedTokens::default().count(text),
        );
    }
}

fn sections(n: usize, body: &str) -> DynamicNodeBuilder {
    (0..n).fold(DynamicNode::builder("root").body("Own."), |root, i| {
        root.section(DynamicNode::builder(format!("s{i}")).body(body))
    })
}

fn sections_with(
    n: usize,
    set: impl Fn(usize, DynamicNodeBuilder) -> DynamicNodeBuilder,
) -> DynamicNodeBuilder {
    (0..n).fold(DynamicNode::builder("root").body("Own."), |root, i| {
        root.section(set(
            i,
            DynamicNode::builder(format!("s{i}")).body("Text of the section."),
        ))
    })
}

fn specs(n: usize) -> Vec<ToolSpec> {
    (0..n)
        .map(|i| ToolSpec::closed(format!("t{i}"), "d").unwrap())
        .collect()
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

/// A chain of n sections, each of them set up alike.
fn chain(
    n: usize,
    key: &str,
    set: impl Fn(DynamicNodeBuilder) -> DynamicNodeBuilder,
) -> DynamicNode {
    let leaf = set(DynamicNode::builder(key).body("Leaf.\nIts end."));
    let chain = (1..n).fold(leaf, |inner, _| {
        set(DynamicNode::builder(key).body("Level.")).section(inner)
    });
    chain.build().unwrap()
}

fn deep(n: usize) -> DynamicNode {
    chain(n, "k", |level| level)
}

fn tagged(n: usize) -> DynamicNode {
    chain(n, "k", |level| level.tag("t"))
}

/// {name} works here.
#[derive(PromptNode)]
struct Member {
    name: String,
}

impl Member {
    fn many<M: FromIterator<Self>>(n: usize) -> M {
        (0..n)
            .rev()
            .map(|i| Self {
                name: format!("m{i}"),
            })
            .collect()
    }
}

/// What was found:
#[derive(PromptNode)]
struct Report {
    #[section]
    findings: Markdown,
}

/// Who works here:
#[derive(PromptNode)]
struct Keyed {
    #[section(item_key = name)]
    team: Vec<Member>,
}

/// Who works here:
#[derive(PromptNode)]
struct Queued {
    #[section(item_key = name)]
    team: VecDeque<Member>,
}

/// Who works here:
#[derive(PromptNode)]
struct Titled {
    #[section(item_title = "{index}. {item.0}")]
    team: BTreeMap<String, Member>,
}

/// Who works here:
#[derive(PromptNode)]
struct Mapped {
    #[section(item_key = 0)]
    team: BTreeMap<String, Member>,
}

fn map(n: usize) -> BTreeMap<String, Member> {
    let members: Vec<Member> = Member::many(n);
    members
        .into_iter()
        .map(|member| (member.name.clone(), member))
        .collect()
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
    all.add(
        "build: depth n, keys of 64 bytes",
        4_000,
        |n| n,
        |n| chain(*n, &"k".repeat(64), |level| level),
    );
    all.add(
        "bind: n sections, 1 value",
        16_000,
        |n| sections(n, "{v}").build().unwrap(),
        |node| node.clone().bind(json!({ "v": "x" })).unwrap(),
    );
    all.add(
        "bind_tools: n sections, n tools",
        8_000,
        |n| {
            let tools: Vec<ToolSpec> = specs(n);
            let root = (0..n).fold(DynamicNode::builder("root"), |root, i| {
                root.section(DynamicNode::builder(format!("s{i}")).tool(format!("t{i}")))
            });
            (root.build().unwrap(), tools)
        },
        |(node, tools)| node.clone().bind_tools(tools.iter().cloned()).unwrap(),
    );
    all.add(
        "bind: a list of n items",
        16_000,
        |n| {
            let items: Vec<Value> = (0..n)
                .map(|i| json!({ "name": format!("m{i}"), "text": "Works." }))
                .collect();
            let list = json!({ "key": "team", "item": "{item.text}", "item_title": "{item.name}", "item_key": "name" });
            let text = json!({ "key": "root", "sections": [list] }).to_string();
            (text, json!({ "team": items }))
        },
        |(text, values)| {
            DynamicNode::from_json_with(text, values)
                .unwrap()
                .prompt()
                .render()
                .unwrap()
        },
    );
    all.add(
        "bind: n sections placed",
        16_000,
        move |n| (placed(n), values(n)),
        |(node, values)| node.clone().build_with(values).unwrap(),
    );
    all.add(
        "bind: n lost fields of a map of n",
        16_000,
        move |n| {
            let body = repeated(n, |i| format!("{{map.w{i}}}\n"));
            (
                DynamicNode::builder("root").body(body),
                json!({ "map": values(n) }),
            )
        },
        |(node, values)| node.clone().build_with(values).unwrap_err(),
    );
    all.from(1_000);
    all.add(
        "bind: n forms",
        16_000,
        move |n| {
            let body = repeated(n, |i| format!("{{v{i}}}\n"));
            let root = DynamicNode::builder("root").body(body);
            let form = || json!({ "default": "none", "hang": 2 });
            let root = (0..n).fold(root, |root, i| root.var(format!("v{i}"), form()));
            (root, values(n))
        },
        |(node, values)| {
            let node = node.clone().build_with(values).unwrap();
            node.prompt().render().unwrap()
        },
    );
    all.add(
        "build: n attributes",
        8_000,
        |n| {
            let section = DynamicNode::builder("a").tag("t");
            (0..n).fold(section, |section, i| section.attr(format!("a{i}"), i))
        },
        |section| {
            let root = DynamicNode::builder("root").section(section.clone());
            root.build()
                .unwrap()
                .prompt()
                .style(Style::Xml)
                .render()
                .unwrap()
        },
    );
    all.add(
        "build: n typed nodes",
        16_000,
        |n| n,
        |n| {
            let member = || Arc::new(Member { name: "Ada".into() });
            let root = (0..*n).fold(DynamicNode::builder("root"), |root, i| {
                root.embed(format!("s{i}"), member())
            });
            root.build().unwrap().prompt().render().unwrap()
        },
    );
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
            move |node| node.prompt().style(style).preview().unwrap(),
        );
        all.add(
            format!("lint {name}: n sections"),
            16_000,
            wide,
            move |node| node.prompt().style(style).lint(),
        );
    }
    for style in [Style::Markdown, Style::Xml] {
        all.add(
            format!("preview {style:?}: depth n"),
            4_000,
            deep,
            move |node| node.prompt().style(style).indent(0).preview().unwrap(),
        );
        all.add(
            format!("lint {style:?}: depth n"),
            4_000,
            deep,
            move |node| node.prompt().style(style).indent(0).lint(),
        );
    }
    all.add(
        "preview: page of n sections",
        16_000,
        |n| wide(n).prompt().preview().unwrap(),
        prompt_review::page,
    );
    let lines = |n: usize, what: &str| {
        let lines: Vec<String> = (0..n).map(|i| format!("{what} {i} of many")).collect();
        let node = DynamicNode::builder("root").body(lines.join("\n"));
        node.build().unwrap().prompt().preview().unwrap()
    };
    all.add(
        "review: n lines that took the place of others, as a page",
        8_000,
        move |n| (lines(n, "old"), lines(n, "new")),
        |(old, new)| prompt_review::diff(old, new).page(),
    );
    all.add(
        "lint: n lints",
        16_000,
        |n| {
            (0..n)
                .fold(DynamicNode::builder("root"), |root, i| {
                    root.section(
                        DynamicNode::builder(format!("section_{i}"))
                            .tag(format!("Section{i}"))
                            .body("# A\n\nText."),
                    )
                })
                .build()
                .unwrap()
        },
        |node| node.prompt().style(Style::Xml).lint(),
    );
    all.add("text: n sections", 64_000, wide, |node| {
        node.prompt().text().unwrap()
    });
    all.add("render: depth n, numbering", 8_000, deep, |node| {
        node.prompt()
            .numbering(Numbering::Decimal)
            .render()
            .unwrap()
    });
    all.against_result();
    all.add(
        "render: depth n, one override",
        8_000,
        |n| {
            let mut overrides = Overrides::default();
            overrides.close("k.k");
            let node = chain(n, "k", |level| level.summary("Short."));
            (node, overrides)
        },
        |(node, overrides)| node.prompt().overrides(overrides).render().unwrap(),
    );
    all.add("render: depth n, tags", 8_000, tagged, |node| {
        node.prompt().style(Style::Xml).indent(0).render().unwrap()
    });
    all.add(
        "render: depth n, summaries",
        4_000,
        |n| chain(n, "k", |level| level.summary("Short.")),
        |node| node.prompt().render().unwrap(),
    );
    all.add("walk: depth n", 8_000, deep, |node| {
        node.prompt().walk().unwrap()
    });
    all.add(
        "render: n inline tags, n values of two lines",
        16_000,
        |n| {
            let root = sections_with(n, |i, section| {
                section.tag(format!("t{i}")).inline().body("{v}")
            });
            root.build_with(json!({ "v": "One.\nTwo." })).unwrap()
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
    all.add(
        "render: n untrusted fences with values",
        32_000,
        |n| {
            let body = "```\n{v}\n```\n\n".repeat(n);
            let section = DynamicNode::builder("a").body(body).untrusted();
            let root = DynamicNode::builder("root").section(section);
            root.build_with(json!({ "v": "a ``` <a>" })).unwrap()
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
    all.add(
        "render: one line, n escaped values",
        16_000,
        |n| {
            let section = DynamicNode::builder("a").body("{v} ".repeat(n));
            let root = DynamicNode::builder("root").section(section.guard(Guarding::Escaped));
            root.build_with(json!({ "v": "<b>&" })).unwrap()
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
    all.add(
        "render: n values in attributes",
        16_000,
        |n| {
            let root = sections_with(n, |_, section| section.tag("t").attr("a", "{v}"));
            root.build_with(json!({ "v": "\"<b>&" })).unwrap()
        },
        |node| node.prompt().style(Style::Xml).render().unwrap(),
    );
    all.add(
        "render: list of n nodes, item_key",
        32_000,
        |n| Keyed {
            team: Member::many(n),
        },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "render: deque of n nodes, item_key",
        16_000,
        |n| Queued {
            team: Member::many(n),
        },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "render: map of n nodes, item_title",
        16_000,
        |n| Titled { team: map(n) },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "render: map of n nodes, item_key",
        16_000,
        |n| Mapped { team: map(n) },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "focus last: map of n nodes",
        16_000,
        |n| (Titled { team: map(n) }, format!("team.{}", n - 1)),
        |(node, path)| node.prompt().focus(path.as_str()).render().unwrap(),
    );
    all.add("focus: an unknown path, n sections", 32_000, wide, |node| {
        node.prompt().focus("zz").render().unwrap_err()
    });
    all.add(
        "render: depth n, a tool at each level",
        4_000,
        |n| {
            let leaf = DynamicNode::builder("k").body("Leaf.").tool("t0");
            let chain = (1..n).fold(leaf, |inner, i| {
                DynamicNode::builder("k")
                    .tool(format!("t{i}"))
                    .section(inner)
            });
            chain.build().unwrap()
        },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "messages() and cache plan: n sections with roles and cache points",
        16_000,
        |n| {
            let root = sections_with(n, |_, section| section.role(Role::User).cache(300));
            root.build().unwrap().prompt().render().unwrap()
        },
        |rendered| (rendered.messages(), rendered.cache_plan()),
    );
    all.add(
        "preview: text of n sections",
        16_000,
        |n| wide(n).prompt().preview().unwrap(),
        Preview::to_string,
    );
    all.add(
        "calls: n of n sections on a rendered prompt",
        4_000,
        |n| {
            let root = sections_with(n, |_, section| {
                section.summary("Short.").visibility(Visibility::Summary)
            });
            (root.build().unwrap().prompt().render().unwrap(), opening(n))
        },
        |(rendered, calls)| {
            rendered
                .call_all(calls, |call| ToolResult::ok(call, "x"))
                .is_err()
        },
    );
    let untrusted: [(&str, Write); 8] = [
        ("headings", |n| "# A\n".repeat(n)),
        ("quotes", |n| "> ".repeat(n)),
        ("marks of quotes", |n| ">".repeat(n)),
        ("list markers", |n| "- ".repeat(n)),
        ("rules", |n| "---\n".repeat(n)),
        ("fences", |n| repeated(n, |i| "`".repeat(i % 9 + 1) + "\n")),
        ("backslashes", |n| "\\".repeat(n)),
        ("control tokens", |n| "<|im_end|>".repeat(n)),
    ];
    for (name, text) in untrusted {
        for style in [Style::Markdown, Style::Xml] {
            all.add(
                format!("render {style:?}: an untrusted value of n {name}"),
                64_000,
                move |n| {
                    DynamicNode::builder("root")
                        .body("{v}")
                        .untrusted_value(text(n))
                },
                move |node| node.prompt().style(style).render().unwrap(),
            );
        }
    }
    all.add(
        "render: a Markdown value of n headings",
        16_000,
        |n| Report {
            findings: Markdown::from("# A\n\nText.\n\n".repeat(n)),
        },
        |node| node.prompt().render().unwrap(),
    );
    all.add(
        "overrides.check: n unknown of n sections",
        8_000,
        |n| {
            let mut overrides = Overrides::default();
            for i in 0..n {
                overrides.open(format!("z{i}"));
            }
            (wide(n), overrides)
        },
        |(node, overrides)| overrides.check(node).len(),
    );
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
    all.from(2);
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
        "sections(): depth n",
        4_000,
        |n| deep(n).prompt().render().unwrap(),
        RenderedPrompt::sections,
    );
    all.against_result();
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
        |node| {
            let rendered = node.prompt().render().unwrap();
            assert!(!rendered.tools().is_empty());
            rendered
        },
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
    for (name, policy) in [
        ("cutoff", Policy::Cutoff),
        ("prefix", Policy::Prefix),
        ("greedy", Policy::Greedy),
    ] {
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
            },
        );
    }
    all.add("budget: preview, half dropped", 16_000, node, |node| {
        let limit = Budget::tokens(node.sections().len() * 5);
        node.prompt().budget(limit).preview().unwrap()
    });
    all.add("budget: preview, most dropped", 16_000, node, |node| {
        let limit = Budget::tokens(node.sections().len() / 10);
        node.prompt().budget(limit).preview().unwrap()
    });
    all.add(
        "budget: n sections with summaries",
        16_000,
        |n| {
            let root = sections_with(n, |i, section| {
                section
                    .summary("Short.")
                    .priority(i32::try_from(i % 97).unwrap())
            });
            root.build().unwrap()
        },
        |node| {
            let limit = Budget::tokens(node.sections().len() * 5);
            node.prompt().budget(limit).render().unwrap()
        },
    );
    all.add(
        "budget: depth n, half of it fits",
        4_000,
        |n| {
            let leaf = DynamicNode::builder("k").body("Leaf.").priority(0);
            let chain = (1..n).fold(leaf, |inner, level| {
                let level = i32::try_from(level).unwrap();
                let outer = DynamicNode::builder("k").body("Level.");
                outer.priority(level).section(inner)
            });
            let chain = DynamicNode::builder("root").section(chain);
            (chain.build().unwrap(), n)
        },
        |(node, n)| {
            node.prompt()
                .budget(Budget::tokens(n * 3))
                .render()
                .unwrap()
        },
    );
    all.against_result();
    all.add(
        "budget of a request: n tools",
        8_000,
        |n| {
            let root = (0..n).fold(DynamicNode::builder("root"), |root, i| {
                root.section(
                    DynamicNode::builder(format!("s{i}"))
                        .body("Text.")
                        .tool(format!("t{i}"))
                        .priority(i32::try_from(i % 97).unwrap()),
                )
            });
            root.build().unwrap()
        },
        |node| {
            let limit = Budget::request(node.sections().len() * 10);
            node.prompt().budget(limit).render().unwrap()
        },
    );
}

fn disclosure(all: &mut Entries) {
    let node = |n: usize| {
        (0..n)
            .fold(DynamicNode::builder("root").body("Own."), |root, i| {
                root.section(
                    DynamicNode::builder(format!("s{i}"))
                        .body("Long text.")
                        .summary("Short.")
                        .visibility(Visibility::Summary),
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
                let rendered = Disclosure::new(node).delivery(delivery).render().unwrap();
                assert_eq!(rendered.tools().len(), 1);
                rendered
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
                    .unwrap()
            },
        );
        all.add(
            format!("{name}: n calls open one each"),
            4_000,
            move |n| (node(n), opening(n)),
            move |(node, calls)| {
                let mut conversation = Disclosure::new(node)
                    .delivery(delivery)
                    .max_rounds(usize::MAX);
                let results = conversation.handle(calls).unwrap();
                (results, conversation.state().clone())
            },
        );
        all.add(
            format!("{name}: one call names n unknown"),
            8_000,
            move |n| {
                let keys: Vec<String> = (0..n).map(|i| format!("z{i}")).collect();
                let arguments = json!({ "section_keys": keys, "reason": "r" });
                (node(n), ToolCall::new("1", "open_sections", arguments))
            },
            move |(node, call)| {
                Disclosure::new(node)
                    .delivery(delivery)
                    .handle(std::slice::from_ref(call))
                    .unwrap()
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
                    .unwrap()
            },
        );
    }
}

fn opening(n: usize) -> Vec<ToolCall> {
    let call = |i: usize| {
        let arguments = json!({ "section_keys": [format!("s{i}")], "reason": "r" });
        ToolCall::new(i.to_string(), "open_sections", arguments)
    };
    (0..n).map(call).collect()
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
            xml::validate(text)
        });
        all.add(format!("validate_known: {name}"), 256_000, text, |text| {
            xml::validate_known(text, ["a", "b"])
        });
        all.add(format!("guard_text: {name}"), 256_000, text, |text| {
            xml::guard_text(text, ["a", "b"]).into_owned()
        });
        all.add(format!("neutralize: {name}"), 256_000, text, |text| {
            xml::neutralize(text).into_owned()
        });
    }
}

fn values(all: &mut Entries) {
    let texts: [(&str, Write); 4] = [
        ("n tags", |n| {
            repeated(n, |i| format!("<t{i}>{{v}}</t{i}>\n"))
        }),
        ("n attributes", |n| {
            format!("<a {}>", "x=\"{v}\" ".repeat(n))
        }),
        ("n open tags", |n| "<a {v} ".repeat(n)),
        ("n values behind a <", |n| {
            format!("1 <{}", " {v}".repeat(n))
        }),
    ];
    for (name, text) in texts {
        all.add(
            format!("guard: {name}"),
            16_000,
            move |n| {
                let tree = json!({ "body": text(n) });
                DynamicNode::from_json_with(&tree.to_string(), json!({ "v": "</a> <" })).unwrap()
            },
            |tree| tree.prompt().text().unwrap(),
        );
    }
    all.add(
        "escape_text and escape_attribute: n bytes",
        1_000_000,
        |n| "a<b>&\"".repeat(n / 6 + 1),
        |text| {
            (
                xml::escape_text(text).into_owned(),
                xml::escape_attribute(text).into_owned(),
            )
        },
    );
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
        Compactor::new(config()).compact(log).messages()
    });
    all.add(
        "compaction: cache points, tokens and report of n messages",
        32_000,
        talk,
        move |log| {
            let counter = EstimatedTokens::default();
            let compactor = Compactor::new(config());
            let compacted = compactor.compact(log);
            (
                compacted.cache_points(),
                compacted.tokens(&counter),
                compacted.report(&counter),
            )
        },
    );
    all.add("tokens of a request: n messages", 32_000, talk, |log| {
        tokens::request(log, &[], &EstimatedTokens::default())
    });
    all.add("cache plan: n points", 32_000, talk, |log| {
        let plan = (0..log.len()).fold(CachePlan::auto(), |plan, at| {
            plan.after(at, CachePoint::default())
        });
        let mut log = log.clone();
        (plan.apply(&mut log), log)
    });
    all.add("messages as JSON: n messages", 16_000, talk, |log| {
        let text = serde_json::to_string(log).unwrap();
        serde_json::from_str::<Vec<Message>>(&text).unwrap()
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
            history
        },
    );
    all.add(
        "compact: n calls of one id",
        32_000,
        |n| calls(n, true),
        move |log| Compactor::new(config()).compact(log).messages(),
    );
}

#[derive(Clone, Copy, PromptTask)]
enum Task {
    Grade,
    Review,
}

fn assembly(all: &mut Entries) {
    all.add(
        "assemble: n adapters, n keys of context",
        16_000,
        |n| {
            let registry = (0..n).fold(Registry::builder(), |registry, i| {
                registry.register("chat_api", Task::Grade, move |context| {
                    let said = context.text(&format!("k{i}")).unwrap_or_default();
                    Ok(AdapterInstruction {
                        system: said.to_owned(),
                        user: "Answer.".into(),
                    })
                })
            });
            let context = (0..n).fold(AdapterContext::default(), |context, i| {
                context.value(format!("k{i}"), "In stars.")
            });
            (registry.build(), context)
        },
        |(registry, context)| {
            Assembler::new(Task::Grade, "chat_api")
                .registry(registry)
                .context(context.clone())
                .assemble_text("Grade it.", "The text.")
                .unwrap()
        },
    );
    all.add(
        "PromptConfig: n unknown entries",
        16_000,
        |n| {
            let entries: Map<String, Value> = (0..n)
                .map(|i| (format!("grde_{i}"), Value::from("x")))
                .collect();
            Value::from(entries).to_string()
        },
        |text| {
            PromptConfig::<Task>::from_json(text)
                .map(|config| config.resolve_task(&Task::Review).map(str::len))
                .unwrap_err()
        },
    );
}

fn wire(all: &mut Entries) {
    let options = || RequestOptions::new("m");
    for &provider in Provider::ALL {
        all.add(
            format!("{provider}: request, n messages"),
            32_000,
            talk,
            move |log| provider.request(log, &[], &options()).unwrap(),
        );
        all.add(
            format!("{provider}: request, n calls"),
            16_000,
            |n| calls(n, false),
            move |log| provider.request(log, &[], &options()).unwrap(),
        );
        all.add(
            format!("{provider}: request, n calls of one id"),
            16_000,
            |n| calls(n, true),
            move |log| provider.request(log, &[], &options()).unwrap(),
        );
        all.add(
            format!("{provider}: request, n tools"),
            8_000,
            specs,
            move |tools| {
                provider
                    .request(&[Message::user("u")], tools, &options())
                    .unwrap()
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
                (deltas, reader.finish().unwrap())
            },
        );
        all.add(
            format!("{provider}: stream, n calls"),
            8_000,
            move |n| calling(provider, n),
            move |events| {
                let mut reader = provider.stream();
                for event in events {
                    reader.push(event).unwrap();
                }
                let reply = reader.finish().unwrap();
                assert!(reply.message.tool_calls().count() > 1);
                reply
            },
        );
        all.add(
            format!("{provider}: reply, n calls"),
            16_000,
            move |n| called(provider, n),
            move |json| provider.reply(json).unwrap(),
        );
    }
    all.add(
        "mcp: n tools, prompts and messages",
        8_000,
        |n| (specs(n), talk(n)),
        |(tools, log)| {
            let options = mcp::McpOptions::new();
            let tools: Vec<McpTool> = tools.iter().cloned().map(McpTool::new).collect();
            let prompts: Vec<McpPrompt> = (0..tools.len())
                .map(|i| McpPrompt::new(format!("p{i}")))
                .collect();
            let texts: Vec<Message> = log
                .iter()
                .filter(|message| message.role == Role::User)
                .cloned()
                .collect();
            (
                mcp::tools_list(&tools, &options),
                mcp::prompts_list(&prompts, &options),
                mcp::messages(&mcp::prompts_get("", &texts, &options).unwrap()).unwrap(),
            )
        },
    );
    all.add("ToolSpec: n properties", 4_096, |n| {
        let names: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
        let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
        json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
    }, |schema| ToolSpec::new("t", "d", schema.clone()).unwrap());
    all.add(
        "Tools: n added, n calls of unknown ones",
        4_000,
        |n| {
            let call = |i: usize| ToolCall::new("c", format!("u{i}"), json!({}));
            (specs(n), (0..n).map(call).collect::<Vec<_>>())
        },
        |(specs, calls)| {
            let mut tools = Tools::new();
            for spec in specs {
                tools = tools.add(spec.clone(), |_: Value| "done").unwrap();
            }
            tools.run_all(calls)
        },
    );
    all.from(250);
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
        |(tools, calls)| tools.run_all(calls).len(),
    );
}

/// An answer with n calls.
fn called(provider: Provider, n: usize) -> Value {
    let all = |call: fn(usize) -> Value| (0..n).map(call).collect::<Vec<_>>();
    match provider {
        Provider::OpenAiChat => {
            let calls = all(
                |i| json!({ "id": format!("c{i}"), "type": "function", "function": { "name": "f", "arguments": "{}" } }),
            );
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": null, "tool_calls": calls }, "finish_reason": "tool_calls" }] })
        }
        Provider::OpenAiResponses => {
            let calls = all(
                |i| json!({ "type": "function_call", "call_id": format!("c{i}"), "name": "f", "arguments": "{}" }),
            );
            json!({ "status": "completed", "output": calls })
        }
        Provider::Anthropic => {
            let calls = all(
                |i| json!({ "type": "tool_use", "id": format!("c{i}"), "name": "f", "input": {} }),
            );
            json!({ "content": calls, "stop_reason": "tool_use" })
        }
        Provider::Gemini => {
            let calls = all(|_| json!({ "functionCall": { "name": "f", "args": {} } }));
            json!({ "candidates": [{ "content": { "parts": calls }, "finishReason": "STOP" }] })
        }
        _ => {
            let calls = all(|_| json!({ "function": { "name": "f", "arguments": {} } }));
            json!({ "message": { "role": "assistant", "content": "", "tool_calls": calls }, "done": true, "done_reason": "stop" })
        }
    }
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
        Provider::OpenAiResponses => {
            let said = json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "word ".repeat(n) }] });
            texts(|| json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "i", "delta": "word " }))
                .chain([json!({ "type": "response.completed", "response": { "status": "completed", "output": [said] } })])
                .collect()
        }
        _ => texts(|| json!({ "message": { "role": "assistant", "content": "word " }, "done": false }))
            .chain([json!({ "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop" })])
            .collect(),
    }
}

/// A streamed answer of n calls.
fn calling(provider: Provider, n: usize) -> Vec<Value> {
    let calls = |call: fn(usize) -> Vec<Value>| (0..n).flat_map(call);
    match provider {
        Provider::OpenAiChat => calls(|i| vec![json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": i, "id": format!("c{i}"), "function": { "name": "f", "arguments": "{}" } }] } }] })])
            .chain([json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] })])
            .collect(),
        Provider::Anthropic => [json!({ "type": "message_start", "message": { "id": "1", "usage": { "input_tokens": 1 } } })]
            .into_iter()
            .chain(calls(|i| vec![
                json!({ "type": "content_block_start", "index": i, "content_block": { "type": "tool_use", "id": format!("c{i}"), "name": "f", "input": {} } }),
                json!({ "type": "content_block_delta", "index": i, "delta": { "type": "input_json_delta", "partial_json": "{}" } }),
                json!({ "type": "content_block_stop", "index": i }),
            ]))
            .chain([json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } }), json!({ "type": "message_stop" })])
            .collect(),
        Provider::Gemini => calls(|_| vec![json!({ "candidates": [{ "content": { "parts": [{ "functionCall": { "name": "f", "args": {} } }] } }] })])
            .chain([json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }] })])
            .collect(),
        Provider::OpenAiResponses => {
            let item = |i: usize| json!({ "type": "function_call", "call_id": format!("c{i}"), "name": "f", "arguments": "{}" });
            (0..n)
                .flat_map(|i| [
                    json!({ "type": "response.output_item.added", "output_index": i, "item": item(i) }),
                    json!({ "type": "response.function_call_arguments.delta", "output_index": i, "delta": "{}" }),
                    json!({ "type": "response.output_item.done", "output_index": i, "item": item(i) }),
                ])
                .chain([json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } })])
                .collect()
        }
        _ => calls(|_| vec![json!({ "message": { "role": "assistant", "content": "", "tool_calls": [{ "function": { "name": "f", "arguments": {} } }] }, "done": false })])
            .chain([json!({ "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop" })])
            .collect(),
    }
}

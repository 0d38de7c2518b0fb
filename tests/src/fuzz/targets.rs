//! The targets: how each makes its input, and the laws that hold for it.

use super::{Source, Target, check, same};
use prompt_agent::Tools;
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::budget::Policy;
use prompt_core::compaction::{
    ClearToolResults, CompactionConfig, CompactionConfigBuilder, Compactor, RecapForm, Trigger,
};
use prompt_core::disclosure::Delivery;
use prompt_core::message::ImageSource;
use prompt_core::prompt::{HeadingOverflow, Numbering};
use prompt_core::tree::{Collected, ContextForm};
use prompt_core::{
    Budget, Content, Disclosure, DynamicNode, History, Message, Overrides, Prompt, PromptNode,
    Role, Style, Template, ToolCall, ToolResult, ToolSpec, xml,
};
use prompt_syntax::{Context, Options, Place, Tables, parse, parse_free};
use serde_json::{Map, Value, json};

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "grammar",
        run: grammar,
    },
    Target {
        name: "templates",
        run: templates,
    },
    Target {
        name: "trees",
        run: trees,
    },
    Target {
        name: "texts",
        run: super::texts::texts,
    },
    Target {
        name: "pages",
        run: super::pages::pages,
    },
    Target {
        name: "promises",
        run: super::promises::promises,
    },
    Target {
        name: "verbatim",
        run: super::verbatim::verbatim,
    },
    Target {
        name: "guards",
        run: super::guards::guards,
    },
    Target {
        name: "states",
        run: super::states::states,
    },
    Target {
        name: "layout",
        run: super::layout::layout,
    },
    Target {
        name: "doors",
        run: super::doors::doors,
    },
    Target {
        name: "tags",
        run: tags,
    },
    Target {
        name: "tools",
        run: tools,
    },
    Target {
        name: "disclosure",
        run: disclosure,
    },
    Target {
        name: "histories",
        run: histories,
    },
    Target {
        name: "replies",
        run: replies,
    },
    Target {
        name: "requests",
        run: requests,
    },
    Target {
        name: "config",
        run: config,
    },
    Target {
        name: "derive",
        run: super::derive::derive,
    },
    Target {
        name: "answer",
        run: super::answers::answer,
    },
    Target {
        name: "partial",
        run: super::answers::partial,
    },
];

/// What prompt text is made of.
const TEXT: &[&str] = &[
    "word",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n",
    "# ",
    "## ",
    "###### ",
    "####### ",
    "- ",
    "1. ",
    "> ",
    "\t",
    "    ",
    "```",
    "~~~~",
    "```json\n",
    "`",
    "``",
    "{name}",
    "{other}",
    "{team.lead}",
    "{list.0}",
    "{name:>8}",
    "{name:",
    "{{name}}",
    "{{",
    "}}",
    "{",
    "}",
    "{}",
    "{0}",
    "{?name}",
    "{?!name}",
    "{/name}",
    "{/none}",
    "{?other}",
    "{/other}",
    "{?name}\n",
    "{/name}\n",
    "{PROMPT_SUBTREE}\n",
    "{COLLECTED_CONTEXT}\n",
    "{a}\n",
    "{b}\n",
    "{PROMPT_SUBTREE}",
    "${name}",
    "\\",
    "\\#",
    "ä",
    "🍞",
    "日本",
    "\u{a0}",
    "\u{2028}",
    "\u{0}",
    "\u{feff}",
    "\r\n",
    "\r",
    "<!--",
    "-->",
    "<!--# ",
    "===",
    "---",
    "{\"a\": 1}",
    "$name",
    ":",
    "|",
    "*",
];

/// Pieces of text that are sound wherever they stand.
const SOUND: &[&str] = &[
    "word",
    " ",
    "\n",
    "\n\n",
    "\n\n",
    "{name}",
    "{other}",
    "{list}",
    "{team}",
    "{flag}",
    "{name:>8}",
    "{{name}}",
    "\n{?name}kept\n",
    "`code`",
    "`{name}`",
    "\n\n- {name}\n- {other}\n\n",
    "\n\n```json\n{\"a\": \"{name}\"}\n```\n\n",
    "\n\n> {name}\n\n",
    "\n{?flag}\nif\n{/flag}\n",
    "ä🍞",
    "\n{?!name}without {other}\n",
    "\na {?name}b{/name} c\n",
    "\n\n<!-- note -->\n\n",
    "\r\n",
    "  ",
    "\n    four\n",
    "{\"a\": 1}",
    ":",
    "\u{a0}",
];

/// Text that is mostly sound.
fn prose(source: &mut Source<'_>, most: usize) -> String {
    let pieces = if source.chance(92) { SOUND } else { TEXT };
    let mut text = source.text(pieces, most);
    if source.chance(15) {
        text.insert_str(0, "# Title of {name}\n\n");
    }
    if source.chance(15) {
        text.push_str(source.pick(&[
            "\n\n## Below\n\n{PROMPT_SUBTREE}\n",
            "\n\n{PROMPT_SUBTREE}\n\nlast",
            "\n\n{COLLECTED_CONTEXT}\n\n",
        ]));
    }
    text
}

/// What comes in values, besides that: tags and what looks like them.
const VALUE: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<A>",
    "</A >",
    "</\na>",
    "<a x=\"",
    "\"",
    "'",
    "=",
    "<root>",
    "</root>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&lt;",
    "&",
    "<|im_start|>",
    "```",
    "# x",
    "\n",
    "\n\n",
    " ",
    "word",
    "{name}",
    "🍞",
    "b",
    "-",
    "a",
    "\u{0}",
    "\r\n",
    "`",
    "~~~",
    "<a",
    "</b",
];

const NAMES: &[&str] = &["name", "other", "team", "list", "flag"];
const KEYS: &[&str] = &["a", "b", "c", "rules", "x-1", "A b", ""];

/// Elements are read and written without loss, and every problem has a place in the text.
fn grammar(source: &mut Source<'_>) -> Result<(), String> {
    let text = source.text(TEXT, 40);
    let places = [Place::Node, Place::Introduction, Place::Inline, Place::Free];
    let place = places[source.below(places.len())];
    let options = Options {
        names: &["name", "other", "team", "list"],
        sections: &["a", "b"],
        doc_comment: source.chance(30),
        ..Options::new(place)
    };
    let parsed = if source.chance(30) {
        parse_free(&text, &options)
    } else {
        parse(&text, &options)
    };
    let lines = text.split(['\n', '\r', '\u{2028}']).count();
    for problem in &parsed.problems {
        check(
            (1..=lines + 1).contains(&problem.line) && problem.column >= 1,
            || format!("{text:?}: a problem has no place: {problem:?}"),
        )?;
    }
    _ = Tables::new(&["a", "b"]).text(parsed.elements.clone(), &Context::default());
    if parsed.problems.is_empty() {
        let written = parsed.elements.to_markdown();
        let again = parse(&written, &options);
        // The mark at the beginning of a file is no part of its text; a second one is, until it stands there.
        if !written.starts_with('\u{feff}') {
            same(
                &format!("{text:?} written again"),
                &again.elements.to_markdown(),
                &written,
            )?;
        }
    }
    Ok(())
}

/// A text is a template or has faults; a template renders with values for all of its names.
fn templates(source: &mut Source<'_>) -> Result<(), String> {
    let text = source.text(TEXT, 30);
    let Ok(template) = Template::parse(&text) else {
        return Ok(());
    };
    same("the text of a template", &template.as_str(), &text.as_str())?;
    template.elements();
    let names: Vec<String> = template.names().into_iter().map(str::to_owned).collect();
    let values: Map<String, Value> = names
        .into_iter()
        .map(|name| (name, value(source, 2)))
        .collect();
    let built = DynamicNode::builder("t")
        .body(text.as_str())
        .build_with(&values);
    if let Ok(node) = built {
        laws_of(&node, source)?;
    }
    Ok(())
}

/// A value of any kind.
fn value(source: &mut Source<'_>, depth: usize) -> Value {
    match source.below(if depth == 0 { 8 } else { 11 }) {
        0..4 => source.text(VALUE, 12).into(),
        4 => Value::Bool(source.chance(50)),
        5 => Value::Null,
        6 => [
            json!(0),
            json!(-1),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e300),
            json!(0.1),
        ][source.below(6)]
        .clone(),
        7 => source.text(TEXT, 6).into(),
        8 => (0..source.below(4))
            .map(|_| value(source, depth - 1))
            .collect(),
        _ => {
            let pair = |source: &mut Source<'_>| {
                (
                    source.pick(&["lead", "a", "", "b c"]).to_owned(),
                    value(source, depth - 1),
                )
            };
            (0..source.below(4))
                .map(|_| pair(source))
                .collect::<Map<_, _>>()
                .into()
        }
    }
}

fn values(source: &mut Source<'_>) -> Map<String, Value> {
    let mut values: Map<_, _> = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), value(source, 2)))
        .collect();
    for key in ["a", "b"] {
        if source.chance(50) {
            values.insert(key.to_owned(), value(source, 2));
        }
    }
    values
}

/// A section as a file has it, with any of its keys.
fn section(source: &mut Source<'_>, depth: usize, at: usize, is_root: bool) -> Value {
    let mut map = Map::new();
    let key = if source.chance(2) {
        source.pick(KEYS)
    } else {
        ["a", "b", "c", "d", "e"][at % 5]
    };
    map.insert("key".into(), key.into());
    if source.chance(97) {
        map.insert("body".into(), prose(source, 14).into());
    }
    let mut set = |key: &str, value: Value| drop(map.insert(key.to_owned(), value));
    // What a root cannot have is left to the sections, most of the time.
    let most = if is_root { 1 } else { 4 };
    let mut rare = |source: &mut Source<'_>, key: &str, value: fn(&mut Source<'_>) -> Value| {
        if source.chance(most) {
            let value = value(source);
            set(key, value);
        }
    };
    rare(source, "title", |source| prose(source, 2).into());
    rare(source, "heading", |source| {
        source
            .pick(&["# {title}", "**{title}**", "{title}:", "{title}", "{"])
            .into()
    });
    rare(source, "untitled", |_| true.into());
    rare(source, "level", |source| {
        (1 + source.below(6) as u64).into()
    });
    rare(source, "tight", |_| true.into());
    rare(source, "gap", |source| (source.below(3) as u64).into());
    rare(source, "visibility", |source| {
        source.pick(&["summary", "full"]).into()
    });
    rare(source, "summary", |source| prose(source, 5).into());
    rare(source, "summary_suffix", |source| {
        source.pick(&["(see {key})", "{subsections}", "{"]).into()
    });
    rare(source, "when", |source| {
        [json!(true), json!(false), json!("flag"), json!("name")][source.below(4)].clone()
    });
    rare(source, "tag", |source| {
        source.pick(&["a", "b", "root", "x-1", "A", "note"]).into()
    });
    rare(
        source,
        "attr",
        |source| json!({ source.pick(&["k", "priority", "x"]): value(source, 1) }),
    );
    rare(source, "inline", |_| true.into());
    rare(source, "indent", |source| (source.below(12) as u64).into());
    rare(source, "guard", |source| {
        source.pick(&["escaped", "strict"]).into()
    });
    rare(source, "untrusted", |_| true.into());
    rare(source, "priority", |source| {
        [
            json!("required"),
            json!(0),
            json!(-5),
            json!(i32::MAX),
            json!(70),
        ][source.below(5)]
        .clone()
    });
    rare(source, "role", |source| {
        source.pick(&["user", "assistant", "system"]).into()
    });
    rare(source, "cache", |source| {
        [json!(true), json!(300), json!(0)][source.below(3)].clone()
    });
    rare(source, "volatile", |_| true.into());
    rare(source, "tools", |source| {
        json!([source.pick(&["look_up", "other", "a b"])])
    });
    rare(source, "numbering", |_| "decimal".into());
    rare(source, "start", |source| prose(source, 2).into());
    rare(source, "end", |source| prose(source, 2).into());
    rare(source, "append", |_| true.into());
    rare(source, "value", |source| source.pick(NAMES).into());
    rare(source, "item", |source| prose(source, 2).into());
    rare(source, "join", |source| {
        source.pick(&[", ", "\n", "", "\n\n"]).into()
    });
    rare(source, "empty", |source| prose(source, 2).into());
    rare(source, "item_tag", |source| {
        source.pick(&["item", "a", "b"]).into()
    });
    rare(source, "description", |source| prose(source, 2).into());
    if map.get("visibility").is_some_and(|form| form == "summary")
        || (!is_root && source.chance(15))
    {
        map.insert("visibility".into(), "summary".into());
        map.entry("summary")
            .or_insert_with(|| "In short, {name}.".into());
    }
    if depth > 0 {
        let count = source.below(4);
        let sections: Vec<Value> = (0..count)
            .map(|at| section(source, depth - 1, at, false))
            .collect();
        if count > 0 {
            if let (Some(Value::String(body)), true) = (map.get_mut("body"), source.chance(15)) {
                body.push_str("\n\n{a}\n\nand then");
            }
            map.insert("sections".into(), sections.into());
        }
    }
    map.into()
}

/// Trees from JSON and from TOML are the same, and keep the laws of prompts with any options.
fn trees(source: &mut Source<'_>) -> Result<(), String> {
    let mut tree = section(source, 3, 0, true);
    tree["key"] = "root".into();
    let text = tree.to_string();
    let read = DynamicNode::from_json(&text);
    if let Ok(toml) = toml::to_string(&tree) {
        let other = DynamicNode::from_toml(&toml);
        check(read.is_ok() == other.is_ok(), || {
            format!(
                "two doors, two opinions\n{text}\n{toml}\n{:?}\n{:?}",
                read.as_ref().err(),
                other.as_ref().err()
            )
        })?;
    }
    let values = values(source);
    let bound = DynamicNode::from_json_with(&text, &values);
    let Ok(node) = read else {
        check(bound.is_err(), || format!("values heal a fault: {text}"))?;
        return Ok(());
    };
    let saved = serde_json::to_string(&node).map_err(|error| error.to_string())?;
    check(DynamicNode::from_json(&saved).is_ok(), || {
        format!("saved, it is broken: {text}\n{saved}")
    })?;
    let Ok(node) = bound else {
        return Ok(());
    };
    laws_of(&node, source)
        .map_err(|fact| format!("{fact}\ntree {text}\nvalues {}", json!(values)))?;

    // What two renders with other values do not share is not static.
    let mut others = self::values(source);
    // Which braces are values is up to their names: these are the same.
    others.retain(|name, _| values.contains_key(name));
    for (name, value) in &values {
        others.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if let (Ok(other), true) = (
        DynamicNode::from_json_with(&text, &others),
        source.chance(70),
    ) {
        let style = if source.chance(50) {
            Style::Xml
        } else {
            Style::Markdown
        };
        if let (Ok(one), Ok(two)) = (
            node.prompt().style(style).render(),
            other.prompt().style(style).render(),
        ) {
            let shared = one
                .as_str()
                .bytes()
                .zip(two.as_str().bytes())
                .take_while(|(one, two)| one == two)
                .count();
            let promised = one.static_prefix().max(two.static_prefix());
            check(promised <= shared, || {
                format!(
                    "the static prefix has {promised} bytes, {shared} are shared\n{text}\n{}\n{}\n{:?}\n{:?}",
                    json!(values),
                    json!(others),
                    one.as_str(),
                    two.as_str()
                )
            })?;
        }
    }
    Ok(())
}

/// Whatever is asked of a sound tree: an error, or a text with a sound table.
fn laws_of(node: &DynamicNode, source: &mut Source<'_>) -> Result<(), String> {
    const PATHS: &[&str] = &[
        "a", "b", "a.a", "a.b", "b.c", "a.a.a", "nope", "", "a..b", "c",
    ];
    let mut overrides = Overrides::default();
    for _ in 0..source.below(4) {
        let path = source.pick(PATHS);
        if source.chance(50) {
            overrides.open(path)
        } else {
            overrides.close(path)
        };
    }
    let mut collected = Collected::default();
    for _ in 0..source.below(3) {
        collected.insert(source.pick(PATHS), source.text(VALUE, 5));
    }
    let is_xml = source.chance(50);
    let budget = source.chance(30).then(|| source.below(256));
    let mut prompt: Prompt<'_, _> = node
        .prompt()
        .style(if is_xml { Style::Xml } else { Style::Markdown })
        .overrides(&overrides)
        .collected(&collected)
        .numbering(if source.chance(30) {
            Numbering::Decimal
        } else {
            Numbering::None
        })
        .context_form(if source.chance(30) {
            ContextForm::Reference
        } else {
            ContextForm::Value
        })
        .keep_tool(source.chance(30));
    if source.chance(30) {
        prompt = prompt
            .base_level(source.below(9) as u8)
            .indent(source.below(200));
    }
    if source.chance(20) {
        prompt = prompt.heading_overflow(HeadingOverflow::Error);
    }
    if source.chance(20) {
        prompt = prompt.focus(source.pick(PATHS));
    }
    if let Some(limit) = budget {
        let policies = [Policy::Cutoff, Policy::Prefix, Policy::Greedy];
        let budget = Budget::tokens(limit).policy(policies[source.below(3)]);
        prompt = prompt.budget(budget.degrade(source.chance(50)));
    }
    _ = prompt.preview().map(|preview| preview.to_string());
    prompt.lint();
    _ = prompt.walk();
    _ = prompt.next(&collected);
    let rendered = match (prompt.render(), prompt.text()) {
        (Ok(rendered), Ok(text)) => {
            same("`text` and `render`", &rendered.as_str(), &text.as_str())?;
            rendered
        }
        (Err(one), Err(other)) => return same("two errors", &one.to_string(), &other.to_string()),
        (one, other) => {
            return Err(format!(
                "`text` and `render` differ: {:?} {:?}",
                one.err(),
                other.err()
            ));
        }
    };
    let text = rendered.as_str();
    // What is counted, and what is laid out from a tape, is the same text with its sections at the same places.
    let places = |rendered: &prompt_core::RenderedPrompt| -> Vec<_> {
        let sections = rendered.sections().into_iter();
        sections
            .map(|section| (section.path, section.range))
            .collect()
    };
    let counter = prompt_core::tokens::EstimatedTokens::default();
    let counted = prompt.clone().counter(&counter).render();
    let kept = budget
        .is_none()
        .then(|| prompt.clone().budget(Budget::tokens(1 << 40)).render());
    for other in [Some(counted), kept].into_iter().flatten() {
        let other = other.map_err(|error| format!("counted or kept, it is an error: {error}"))?;
        same("counted or kept, the text", &other.as_str(), &text)?;
        same(
            "counted or kept, the places",
            &places(&other),
            &places(&rendered),
        )?;
    }
    check(rendered.static_prefix() <= text.len(), || {
        "a static prefix beyond the text".into()
    })?;
    check(text.is_char_boundary(rendered.static_prefix()), || {
        "a static prefix inside a character".into()
    })?;

    let mut open: Vec<usize> = Vec::new();
    let sections = rendered.sections();
    for section in &sections {
        let range = section.range.clone();
        let is_inside = range.start <= range.end && text.get(range.clone()).is_some();
        check(is_inside, || {
            format!("{}: {range:?} is no range of {text:?}", section.path)
        })?;
        while open.last().is_some_and(|end| *end <= range.start) {
            open.pop();
        }
        check(open.last().is_none_or(|end| range.end <= *end), || {
            format!(
                "{}: {range:?} reaches out of what is around it, {open:?}, in {text:?}",
                section.path
            )
        })?;
        open.push(range.end);
    }
    if let (Some(limit), Some(report)) = (budget, rendered.budget_report()) {
        check(report.used <= limit, || {
            format!("{} tokens in a budget of {limit}", report.used)
        })?;
    }
    // What has no role is the system text, and what has one stands in the text as it is sent.
    let messages = rendered.messages();
    let has_role = json!(node).to_string().contains("\"role\"");
    if !has_role && messages.iter().all(|message| message.role == Role::System) {
        let said = messages.iter().map(Message::text).collect::<Vec<_>>();
        let lines = |text: &str| -> Vec<String> {
            // A message without a visible character is not sent.
            let lines = text.split('\n').filter(|line| !line.trim().is_empty());
            lines.map(str::to_owned).collect()
        };
        same(
            "the lines that are sent",
            &lines(&said.join("\n")),
            &lines(text),
        )?;
        if let [only] = &*said {
            same("the system text", &only.trim(), &text.trim())?;
        }
    }
    let mut rest = text;
    for message in messages
        .iter()
        .filter(|message| message.role != Role::System)
    {
        let said = message.text();
        let Some(at) = rest.find(&said) else {
            return Err(format!(
                "the message {said:?} is not in the rest of the text {rest:?} of {text:?}"
            ));
        };
        rest = rest.get(at + said.len()..).unwrap_or_default();
    }
    rendered.cache_plan();
    Ok(())
}

/// What guards and wraps leaves a text that is sound, and finding faults in any text ends.
fn tags(source: &mut Source<'_>) -> Result<(), String> {
    let text = source.text(VALUE, 40);
    _ = xml::validate(&text).map_err(|errors| errors.to_string());
    let names = ["a", "b", "root"];
    let guarded = xml::guard_text(&text, names).into_owned();
    xml::validate_known(&guarded, names)
        .map_err(|error| format!("guarded {text:?} is {guarded:?}: {error}"))?;
    same(
        "guarded twice",
        &xml::guard_text(&guarded, names).into_owned(),
        &guarded,
    )?;
    let safe = xml::neutralize(&text).into_owned();
    same(
        "neutralised twice",
        &xml::neutralize(&safe).into_owned(),
        &safe,
    )?;
    let wrapped = xml::wrap("a", &text).map_err(|error| error.to_string())?;
    xml::validate_known(&wrapped, ["a"])
        .map_err(|error| format!("wrapped {text:?} is {wrapped:?}: {error}"))?;
    let escaped = xml::escape_text(&text).into_owned();
    xml::validate(&format!(
        "<a x=\"{}\">{escaped}</a>",
        xml::escape_attribute(&text)
    ))
    .map_err(|error| format!("escaped {text:?}: {error}"))?;

    // The same inside a prompt: values in tags of our own, whatever they say.
    let key = |source: &mut Source<'_>| source.pick(&["a", "b", "root"]).to_owned();
    let keys = [key(source), key(source)];
    let inner = DynamicNode::builder(keys[0].as_str()).body("{other}\n\nof {name}");
    let outer = DynamicNode::builder(keys[1].as_str())
        .body("{name}")
        .section(inner);
    let node = DynamicNode::builder("n").section(outer).build();
    let values = json!({ "name": text, "other": source.text(VALUE, 12) });
    let node = node
        .and_then(|node| node.bind(&values))
        .map_err(|faults| faults.to_string())?;
    let printed = node
        .prompt()
        .style(Style::Xml)
        .text()
        .map_err(|error| error.to_string())?;
    xml::validate_known(&printed, &keys)
        .map_err(|error| format!("{values}: {printed:?}: {error}"))?;
    Ok(())
}

const SCHEMA: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "description",
    "anyOf",
    "$ref",
    "default",
    "format",
    "minimum",
    "a",
    "b",
    "oneOf",
    "const",
    "pattern",
    "$defs",
];

/// JSON of these keys.
fn shape(source: &mut Source<'_>, keys: &[&str], words: &[&str], depth: usize) -> Value {
    match source.below(if depth == 0 { 6 } else { 14 }) {
        0..3 => source.pick(words).into(),
        3 => [
            json!(0),
            json!(1),
            json!(-1),
            json!(u64::MAX),
            json!(2.5),
            json!(1e300),
        ][source.below(6)]
        .clone(),
        4 => Value::Bool(source.chance(50)),
        5 => Value::Null,
        6..8 => (0..source.below(4))
            .map(|_| shape(source, keys, words, depth - 1))
            .collect(),
        _ => {
            let count = source.below(6);
            let pair = |source: &mut Source<'_>| {
                (
                    source.pick(keys).to_owned(),
                    shape(source, keys, words, depth - 1),
                )
            };
            (0..count)
                .map(|_| pair(source))
                .collect::<Map<_, _>>()
                .into()
        }
    }
}

/// A schema is refused or can be sent, and every call is answered.
fn tools(source: &mut Source<'_>) -> Result<(), String> {
    let words = [
        "object", "string", "array", "integer", "null", "a", "b", "#/a", "date",
    ];
    let mut schema = shape(source, SCHEMA, &words, 5);
    if let (Some(map), true) = (schema.as_object_mut(), source.chance(80)) {
        map.insert("type".into(), "object".into());
        map.insert("additionalProperties".into(), false.into());
        let names: Vec<Value> = map
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .map(Value::from)
            .collect();
        map.insert("required".into(), names.into());
    }
    let made = if source.chance(50) {
        ToolSpec::new("t", "d", schema)
    } else {
        ToolSpec::loose("t", "d", schema)
    };
    let Ok(spec) = made else { return Ok(()) };
    let saved = serde_json::to_string(&spec).map_err(|error| error.to_string())?;
    let read: ToolSpec =
        serde_json::from_str(&saved).map_err(|error| format!("{saved}: {error}"))?;
    same("a tool saved and read", &read, &spec)?;
    for provider in Provider::ALL {
        _ = provider.request(
            &[Message::user("u")],
            std::slice::from_ref(&spec),
            &RequestOptions::new("m"),
        );
    }
    let tools = Tools::new()
        .add(spec, |given: Map<String, Value>| given.len().to_string())
        .map_err(|error| error.to_string())?;
    let call = ToolCall::new("1", source.pick(&["t", "T", ""]), value(source, 3));
    let result = tools.run(&call);
    same("the id of a result", &result.id, &call.id)
}

/// Any calls: every one is answered once, system text and tools stay under Append, and what is opened is there.
fn disclosure(source: &mut Source<'_>) -> Result<(), String> {
    let mut tree = section(source, 2, 0, true);
    tree["key"] = "root".into();
    let values = values(source);
    let Ok(node) = DynamicNode::from_json_with(&tree.to_string(), &values) else {
        return Ok(());
    };
    let delivery = if source.chance(50) {
        Delivery::Append
    } else {
        Delivery::Rerender
    };
    let mut talk = Disclosure::new(&node)
        .delivery(delivery)
        .max_rounds(source.below(5));
    let Ok(first) = talk.render() else {
        return Ok(());
    };
    let (first, offered) = (first.as_str().to_owned(), json!(first.tools()));
    for _ in 0..1 + source.below(5) {
        if source.chance(30) {
            talk.begin_turn();
        }
        let call = |source: &mut Source<'_>, at: usize| {
            let keys: Vec<&str> = (0..source.below(4))
                .map(|_| source.pick(&["a", "b", "a.a", "nope", "", "c"]))
                .collect();
            let given = match source.below(5) {
                0 => value(source, 2),
                _ => json!({ "section_keys": keys, "reason": "r" }),
            };
            ToolCall::new(
                format!("call_{at}"),
                source.pick(&["open_sections", "open_sections", "look_up", "other"]),
                given,
            )
        };
        let calls: Vec<ToolCall> = (0..source.below(4)).map(|at| call(source, at)).collect();
        let Ok(results) = talk.handle_all(&calls, |call| ToolResult::ok(call, "ran")) else {
            continue;
        };
        let ids = |ids: &mut dyn Iterator<Item = &String>| ids.cloned().collect::<Vec<_>>();
        same(
            "answers in order",
            &ids(&mut results.iter().map(|result| &result.id)),
            &ids(&mut calls.iter().map(|call| &call.id)),
        )?;
        let Ok(now) = talk.render() else { continue };
        if delivery == Delivery::Append {
            same("the text under Append", &now.as_str(), &first.as_str())?;
            same("the tools under Append", &json!(now.tools()), &offered)?;
        }
    }
    let state = serde_json::to_string(talk.state()).map_err(|error| error.to_string())?;
    let state = serde_json::from_str(&state).map_err(|error| error.to_string())?;
    let again = Disclosure::new(&node).delivery(delivery).restore(state);
    let text = |talk: &Disclosure<'_, DynamicNode>| {
        talk.render()
            .map(|rendered| rendered.into_string())
            .map_err(|error| error.to_string())
    };
    same("restored", &text(&again), &text(&talk))
}

fn messages(source: &mut Source<'_>, most: usize) -> Vec<Message> {
    let words = [
        "",
        "Yes.",
        "a\nb",
        "🍞",
        "{\"a\": 1}",
        "long text of some words",
        "<a>",
        "\u{0}",
    ];
    let piece = |source: &mut Source<'_>| {
        let text = source.pick(&words);
        let id = source.pick(&["1", "2", "3", "", "call_1"]).to_owned();
        match source.below(10) {
            0..5 => Content::text(text),
            5 => Content::ToolCall {
                id,
                name: source.pick(&["f", "g", "open_sections", "", "a b"]).into(),
                arguments: value(source, 2),
            },
            6 | 7 => Content::ToolResult {
                id,
                content: text.into(),
                is_error: source.chance(20),
            },
            8 => Content::Image {
                mime: "image/png".into(),
                source: ImageSource::Data("AA==".into()),
            },
            _ => Content::Resource {
                uri: "file:///a".into(),
                mime: None,
                text: text.into(),
            },
        }
    };
    let message = |source: &mut Source<'_>| {
        let roles = [Role::System, Role::User, Role::Assistant, Role::Tool];
        let role = roles[source.below(4)];
        let content: Vec<Content> = (0..source.below(4)).map(|_| piece(source)).collect();
        Message {
            content,
            ..Message::new(role, "")
        }
    };
    (0..source.below(most)).map(|_| message(source)).collect()
}

const NO_TOKENS: fn(&str) -> usize = |_| 0;

/// Makes some results long enough to be cleared.
fn lengthen(source: &mut Source<'_>, log: &mut [Message]) {
    let pieces = log.iter_mut().flat_map(|message| &mut message.content);
    for piece in pieces {
        if let Content::ToolResult { content, .. } = piece
            && source.chance(70)
        {
            *content = content.repeat(40);
        }
    }
}

/// Pushing one by one shows what compacting the whole log shows, and what was sent stays a prefix between two batches.
fn histories(source: &mut Source<'_>) -> Result<(), String> {
    let config = CompactionConfig::builder()
        .min_preserved(1 + source.below(4))
        .batch_size(1 + source.below(4))
        .recap_form([RecapForm::Exchange, RecapForm::Assistant][source.below(2)])
        .trigger(if source.chance(70) {
            Trigger::default()
        } else {
            Trigger::Tokens {
                high: source.below(200),
                low: source.below(100),
            }
        })
        .enabled(source.chance(90))
        .build();
    let Ok(mut config) = config else {
        return Ok(());
    };
    let mut log = messages(source, 60);
    if let Trigger::Tokens { .. } = config.trigger() {
        lengthen(source, &mut log);
        config = CompactionConfigBuilder::from(config)
            .clear_tool_results(
                ClearToolResults::default()
                    .keep(source.below(4))
                    .exclude_tools(source.chance(30).then_some("g"))
                    .clear_at_least(source.below(3) * 40),
            )
            .build()
            .map_err(|error| error.to_string())?;
    }
    let compactor = Compactor::new(config.clone());
    let mut history = History::new(config.clone());
    let mut frontier = 0;
    let (mut old, mut cleared) = (Vec::new(), Vec::new());
    for (at, message) in log.iter().enumerate() {
        history.push(message.clone());
        check(history.frontier() >= frontier, || {
            format!("the frontier goes back: {log:?}")
        })?;
        let (new, report) = (history.view().messages(), history.view().report(&NO_TOKENS));
        if (history.frontier(), &report.results_cleared) == (frontier, &cleared) {
            check(new.starts_with(&old), || format!("no prefix: {log:?}"))?;
        }
        frontier = history.frontier();
        (old, cleared) = (new, report.results_cleared);
        check(frontier <= at + 1, || "a frontier beyond the log".into())?;
        if source.chance(10) {
            let saved = serde_json::to_string(&history).map_err(|error| error.to_string())?;
            history = serde_json::from_str(&saved).map_err(|error| error.to_string())?;
            same("saved", &history.view().messages(), &old)?;
        }
    }
    let (shown, whole) = (
        history.view().messages(),
        compactor.compact(&log).messages(),
    );
    same("pushed and compacted", &shown, &whole)?;
    same(
        "read back",
        &History::from_log(config, log.clone()).view().messages(),
        &shown,
    )?;
    same("the log", &history.log().to_vec(), &log)?;
    Ok(())
}

const WIRE: &[&str] = &[
    "choices",
    "message",
    "delta",
    "content",
    "role",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "index",
    "id",
    "type",
    "text",
    "finish_reason",
    "usage",
    "prompt_tokens",
    "completion_tokens",
    "stop_reason",
    "input",
    "output",
    "candidates",
    "parts",
    "functionCall",
    "args",
    "finishReason",
    "usageMetadata",
    "done",
    "done_reason",
    "error",
    "code",
    "status",
    "response",
    "item",
    "output_index",
    "content_block",
    "partial_json",
    "thinking",
    "signature",
    "input_tokens",
    "output_tokens",
    "call_id",
    "refusal",
    "reasoning",
    "promptFeedback",
    "blockReason",
    "thoughtSignature",
    "item_id",
    "summary",
    "incomplete_details",
    "reason",
];
const WIRE_WORDS: &[&str] = &[
    "text",
    "tool_use",
    "function_call",
    "message",
    "stop",
    "tool_calls",
    "length",
    "end_turn",
    "max_tokens",
    "STOP",
    "assistant",
    "{\"a\":",
    "{}",
    "",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "text_delta",
    "input_json_delta",
    "thinking_delta",
    "response.completed",
    "response.output_item.added",
    "response.output_item.done",
    "response.output_text.delta",
    "response.function_call_arguments.delta",
    "completed",
    "incomplete",
    "output_text",
    "f",
    "call_1",
    "🍞",
];

/// Any JSON is a reply or an error, and a reply can be saved, read and sent back; what comes as servers write it is understood.
fn replies(source: &mut Source<'_>) -> Result<(), String> {
    if source.chance(60) {
        return super::servers::streams(source);
    }
    let provider = Provider::ALL[source.below(Provider::ALL.len())];
    let mut whole = shape(source, WIRE, WIRE_WORDS, 7);
    let inner = shape(source, WIRE, WIRE_WORDS, 4);
    if source.chance(60) {
        whole = match provider {
            Provider::OpenAiChat => {
                json!({ "choices": [{ "message": inner, "finish_reason": "stop" }] })
            }
            Provider::OpenAiResponses => json!({ "output": [inner], "status": "completed" }),
            Provider::Anthropic => json!({ "content": [inner], "stop_reason": "end_turn" }),
            Provider::Gemini => {
                json!({ "candidates": [{ "content": { "parts": [inner] }, "finishReason": "STOP" }] })
            }
            _ => json!({ "message": inner, "done": true }),
        };
    }
    if let Ok(reply) = provider.reply(&whole) {
        let saved = json!(reply);
        let read =
            serde_json::from_value(saved.clone()).map_err(|error| format!("{saved}: {error}"))?;
        same("a reply saved and read", &reply, &read)?;
        let results: Vec<ToolResult> = reply
            .message
            .tool_calls()
            .map(|call| ToolResult::ok(&call, "r"))
            .collect();
        let sent = [Message::user("u"), reply.message, Message::tool(results)];
        _ = provider.request(&sent, &[], &RequestOptions::new("m"));
    }
    let mut reader = provider.stream();
    for _ in 0..source.below(10) {
        let event = shape(source, WIRE, WIRE_WORDS, 6);
        let line = if source.chance(50) {
            format!("data: {event}")
        } else {
            event.to_string()
        };
        let line = if source.chance(10) {
            source.text(VALUE, 6)
        } else {
            line
        };
        _ = reader.push_line(&line);
    }
    _ = reader.finish();
    let body = if source.chance(50) {
        format!("{whole:#}")
    } else {
        source.text(VALUE, 9)
    };
    let status = [200, 503, 404][source.below(3)];
    let (head, tail) = body.as_bytes().split_at(source.below(body.len() + 1));
    let mut reader = provider.stream().response(status, [("retry-after", "1")]);
    _ = (reader.push_bytes(head), reader.push_bytes(tail));
    let read = provider.read(status, [("retry-after", "1")], body.as_bytes());
    same(&format!("{status} {body:?}"), &reader.finish(), &read)?;
    Ok(())
}

/// Any messages are a request or an error that names one of them; the same messages give the same bytes.
fn requests(source: &mut Source<'_>) -> Result<(), String> {
    let messages = messages(source, 14);
    let options = RequestOptions::new("m");
    for provider in Provider::ALL {
        let body = |messages: &[Message]| {
            provider
                .request(messages, &[], &options)
                .map(|body| body.to_string())
                .map_err(|error| error.to_string())
        };
        same(
            "the same request",
            &body(&messages),
            &body(&messages.clone()),
        )?;
    }
    let saved = serde_json::to_string(&messages).map_err(|error| error.to_string())?;
    let read: Vec<Message> =
        serde_json::from_str(&saved).map_err(|error| format!("{saved}: {error}"))?;
    same("messages saved and read", &read, &messages)
}

/// Settings are read or refused, and what was read is written and read again.
fn config(source: &mut Source<'_>) -> Result<(), String> {
    const KEYS: &[&str] = &[
        "enabled",
        "min_preserved",
        "batch_size",
        "recap_form",
        "extractor",
        "trigger",
        "tokens",
        "answers",
        "tag",
    ];
    let words = [
        "inline",
        "tool",
        "message",
        "first_line",
        "answers",
        "tokens",
        "",
        "tag",
    ];
    let given = shape(source, KEYS, &words, 3);
    if let Ok(config) = serde_json::from_value::<CompactionConfig>(given.clone()) {
        let saved = serde_json::to_value(&config).map_err(|error| error.to_string())?;
        let read = serde_json::from_value::<CompactionConfig>(saved.clone())
            .map_err(|error| format!("{given} is {saved}: {error}"))?;
        same("settings", &format!("{read:?}"), &format!("{config:?}"))?;
    }
    let text = source.text(
        &[
            "a", "b", " = ", "\"", "\n", "[", "]", "1", ".", "\"\"\"", "{", "}", "#", ",", "true",
            "\\", "🍞", "sections", "[[", "]]", "body", "key",
        ],
        30,
    );
    _ = DynamicNode::from_toml(&text);
    _ = DynamicNode::from_json(&text);
    Ok(())
}

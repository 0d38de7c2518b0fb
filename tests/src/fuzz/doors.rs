//! Trees whose texts ask about their sections, at any depth: every door prints the same bytes, and what a text says of a
//! section is so.

use super::Source;
use prompt_agent::Conversation;
use prompt_core::disclosure::Delivery;
use prompt_core::prompt::Numbering;
use prompt_core::{
    Budget, Disclosure, DynamicNode, Prompt, PromptError, PromptNode, RenderedPrompt, Style,
    ToolCall, Visibility,
};
use serde_json::{Map, Value, json};

const FLAGS: [&str; 3] = ["p", "q", "r"];
const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The keys of a node's sections: all, and those that have no slot yet.
struct Sections<'k> {
    all: &'k [&'static str],
    free: Vec<&'static str>,
    has_subtree: bool,
    path: &'k str,
}

/// A condition on a value or a section: how it opens and ends.
fn condition(source: &mut Source<'_>, sections: &Sections<'_>) -> (String, &'static str) {
    let not = if source.chance(30) { "!" } else { "" };
    let name = if source.chance(65) && !sections.all.is_empty() {
        source.pick(sections.all)
    } else {
        source.pick(&FLAGS)
    };
    (format!("{{?{not}{name}}}"), name)
}

/// Blocks: words, slots, words about a section, and branches with such in them.
fn blocks(source: &mut Source<'_>, sections: &mut Sections<'_>, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..source.below(5) {
        match source.below(7) {
            0 | 1 if !sections.free.is_empty() => {
                let at = source.below(sections.free.len());
                text += &format!("{{{}}}\n\n", sections.free.remove(at));
            }
            2 if !sections.has_subtree => {
                sections.has_subtree = true;
                text += "{PROMPT_SUBTREE}\n\n";
            }
            3 | 4 if depth > 0 => {
                let (open, name) = condition(source, sections);
                let then = blocks(source, sections, depth - 1);
                let otherwise = blocks(source, sections, depth - 1);
                let otherwise = if source.chance(50) {
                    format!("{{else}}\n{otherwise}Otherwise.\n")
                } else {
                    String::new()
                };
                text += &format!("{open}\n{then}Branch.\n{otherwise}{{/{name}}}\n\n");
            }
            5 => {
                let (open, name) = condition(source, sections);
                text += &format!("Go {open}on{{else}}off{{/{name}}}.\n\n");
            }
            _ if !sections.all.is_empty() => {
                let key = source.pick(sections.all);
                let of = format!("{}-{key}", sections.path);
                text += &format!("{{?{key}}}has{of} .{{else}}no{of} .{{/{key}}}\n\n");
            }
            _ => text += "Words.\n\n",
        }
    }
    text
}

fn node(source: &mut Source<'_>, key: &str, path: &str, depth: usize) -> Map<String, Value> {
    let count = if depth == 0 {
        0
    } else {
        source.below(KEYS.len() + 1)
    };
    let all = &KEYS[..count];
    let mut sections = Sections {
        all,
        free: all.to_vec(),
        has_subtree: false,
        path,
    };
    let body = blocks(source, &mut sections, 3);
    let mut node = Map::new();
    node.insert("key".into(), key.into());
    node.insert("body".into(), format!("in{path} .\n\n{body}").into());
    let inside = all.iter().map(|key| {
        let path = format!("{path}-{key}");
        let mut inner = node_of_section(source, key, &path, depth - 1);
        if source.chance(25) {
            inner.insert("when".into(), source.pick(&FLAGS).into());
        }
        Value::from(inner)
    });
    let inside: Vec<Value> = inside.collect();
    node.insert("sections".into(), inside.into());
    node
}

fn node_of_section(
    source: &mut Source<'_>,
    key: &str,
    path: &str,
    depth: usize,
) -> Map<String, Value> {
    let mut node = node(source, key, path, depth);
    if source.chance(40) {
        node.insert("summary".into(), format!("short{path} .").into());
        if source.chance(60) {
            node.insert("visibility".into(), "summary".into());
        }
    }
    match source.below(10) {
        0 => _ = node.insert("untitled".into(), true.into()),
        1 => _ = node.insert("tag".into(), "part".into()),
        _ => {}
    }
    if source.chance(50) {
        node.insert("priority".into(), source.below(4).into());
    }
    node
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// How it is printed at every door.
#[derive(Clone, Copy)]
struct Look {
    style: Style,
    numbering: Numbering,
}

impl Look {
    fn of<N: PromptNode + ?Sized>(self, prompt: Prompt<'_, N>) -> Prompt<'_, N> {
        prompt.style(self.style).numbering(self.numbering)
    }
}

/// What a section says of itself: paths are in its words.
fn said(path: &str) -> String {
    format!("-{}", path.replace('.', "-"))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split_whitespace().any(|found| found == word)
}

/// What is shown of a section stands there, and nothing of others; and what a text says of one is so.
fn is_true(rendered: &RenderedPrompt) -> Result<(), String> {
    let text = rendered.as_str();
    let stands =
        |of: &str| has_word(text, &format!("in{of}")) || has_word(text, &format!("short{of}"));
    for (path, visibility) in rendered.visibility() {
        let of = said(&path);
        let own = match visibility {
            Visibility::Full => format!("in{of}"),
            Visibility::Summary => format!("short{of}"),
        };
        if !has_word(text, &own) {
            return Err(format!(
                "{path} is {visibility:?}, and does not stand there"
            ));
        }
    }
    let visible = rendered.visibility();
    for word in text.split_whitespace() {
        let fact = if let Some(of) = word.strip_prefix("has-") {
            stands(&format!("-{of}"))
        } else if let Some(of) = word.strip_prefix("no-") {
            !stands(&format!("-{of}"))
        } else if let Some(of) = word.strip_prefix("in-").or(word.strip_prefix("short-")) {
            visible.contains_key(&of.replace('-', "."))
        } else {
            true
        };
        if !fact {
            return Err(format!("{word} is not so"));
        }
    }
    Ok(())
}

/// Every door prints the same bytes.
pub(super) fn doors(source: &mut Source<'_>) -> Result<(), String> {
    let is_xml = source.chance(50);
    let look = Look {
        style: if is_xml { Style::Xml } else { Style::Markdown },
        numbering: if source.chance(30) {
            Numbering::Decimal
        } else {
            Numbering::None
        },
    };
    let values = json!({ "p": source.chance(50), "q": source.chance(50), "r": source.chance(50) });
    let tree = Value::from(node(source, "root", "", 3)).to_string();
    let values = values.as_object().cloned().unwrap_or_default();
    let Ok(node) = DynamicNode::from_json_with(&tree, &values) else {
        // A value that no text asks for, a section that no slot reaches, and the like.
        return Ok(());
    };
    laws(&node, look, source)
        .map_err(|fact| format!("{fact}\n{tree}\n{} xml {is_xml}", json!(values)))
}

fn laws(node: &DynamicNode, look: Look, source: &mut Source<'_>) -> Result<(), String> {
    let told = |error: PromptError| error.to_string();
    let prompt = || look.of(node.prompt());
    let rendered = prompt().render().map_err(told)?;
    let text = rendered.as_str();
    is_true(&rendered).map_err(|fact| format!("{fact} in {text:?}"))?;
    let mut into = String::new();
    prompt().render_into(&mut into).map_err(told)?;
    let whole = [
        ("text", prompt().text().map_err(told)?),
        ("render_into", into),
        ("preview", prompt().preview().map_err(told)?.text),
    ];
    for (door, other) in whole {
        same(door, &other, text)?;
    }
    let huge = [
        ("budget", Budget::tokens(1 << 40)),
        ("counted", Budget::tokens(1 << 40).counter(&words)),
        ("request", Budget::request(1 << 40).counter(&words)),
    ];
    for (door, budget) in huge {
        let other = prompt().budget(budget).render().map_err(told)?;
        same(door, other.as_str(), text)?;
        // Under a budget the schema of `open_sections` names what may be left out.
        let names = |prompt: &RenderedPrompt| {
            let tools = prompt.tools().iter().map(prompt_core::ToolSpec::name);
            tools.map(str::to_owned).collect::<Vec<_>>()
        };
        if other.visibility() != rendered.visibility() || names(&other) != names(&rendered) {
            return Err(format!("{door} shows something else"));
        }
    }
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let disclosure = Disclosure::new(node)
            .delivery(delivery)
            .configure(|prompt| look.of(prompt));
        same(
            "disclosure",
            disclosure.render().map_err(told)?.as_str(),
            text,
        )?;
        let conversation = Conversation::default().delivery(delivery);
        let other = conversation
            .prompt(node)
            .configure(|prompt| look.of(prompt));
        same("conversation", &other.text().map_err(told)?, text)?;
        opens(node, look, delivery, &rendered)?;
    }
    let limit = source.below(60);
    match prompt()
        .budget(Budget::tokens(limit).counter(&words))
        .render()
    {
        Ok(cut) => {
            let fact = is_true(&cut).and(if words(cut.as_str()) > limit {
                Err("too much".into())
            } else {
                Ok(())
            });
            fact.map_err(|fact| format!("of {limit}: {fact} in {:?}", cut.as_str()))?;
        }
        Err(PromptError::Budget { .. }) => {}
        Err(error) => return Err(error.to_string()),
    }
    for leaf in prompt().walk().map_err(told)? {
        let focused = prompt()
            .focus(&leaf)
            .render()
            .map_err(|error| format!("{leaf}: {error}"))?;
        let budget = Budget::tokens(1 << 40).counter(&words);
        let counted = prompt()
            .focus(&leaf)
            .budget(budget)
            .render()
            .map_err(told)?;
        same("focused budget", counted.as_str(), focused.as_str())?;
        let preview = prompt().focus(&leaf).preview().map_err(told)?;
        same("focused preview", &preview.text, focused.as_str())?;
        let of = said(&leaf.path);
        let stands = |word: &str| has_word(focused.as_str(), &format!("{word}{of}"));
        if !stands("in") && !stands("short") {
            return Err(format!("{leaf} is not in {:?}", focused.as_str()));
        }
    }
    Ok(())
}

fn same(door: &str, other: &str, text: &str) -> Result<(), String> {
    if other == text {
        Ok(())
    } else {
        Err(format!("{door}: {other:?} instead of {text:?}"))
    }
}

/// What an answer calls open stands in what is sent next.
fn opens(
    node: &DynamicNode,
    look: Look,
    delivery: Delivery,
    rendered: &RenderedPrompt,
) -> Result<(), String> {
    for (path, _) in rendered
        .visibility()
        .into_iter()
        .filter(|(_, shown)| *shown == Visibility::Summary)
    {
        for limit in [None, Some(40)] {
            let start = Disclosure::new(node)
                .delivery(delivery)
                .configure(|prompt| match limit {
                    Some(limit) => look
                        .of(prompt)
                        .budget(Budget::tokens(limit).counter(&words)),
                    None => look.of(prompt),
                });
            let mut disclosure = start;
            let call = ToolCall::new(
                "1",
                "open_sections",
                json!({ "section_keys": [path], "reason": "" }),
            );
            let Ok(answers) = disclosure.handle(&[call]) else {
                continue;
            };
            if answers[0].is_error {
                continue;
            }
            let next = disclosure.render().map_err(|error| error.to_string())?;
            let sent = match delivery {
                Delivery::Append => &answers[0].content,
                _ => next.as_str(),
            };
            if !has_word(sent, &format!("in{}", said(&path))) {
                return Err(format!(
                    "{path} was opened ({delivery:?}, {limit:?}), and is not in {sent:?}"
                ));
            }
        }
    }
    Ok(())
}

//! Random trees of a few sections, in slots and without, against the oracle of the language page.

use super::{Source, check, texts};
use crate::oracle::{Look, Node, printed_node};
use prompt_core::prompt::Numbering;
use prompt_core::{DynamicNode, PromptNode, Style};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What hangs on whether a section prints something: lines, a line, or a part of one. None of it ends a text: blank lines
/// that a value prints there stay.
fn hanging(source: &mut Source<'_>, key: &str) -> String {
    let sign = source.pick(&["", "!"]);
    match source.below(11) {
        0 => format!("\n\n{{?{sign}{key}}}\nef\n{{/{key}}}\n\nab"),
        1 => format!("\n{{?{sign}{key}}}\n\nef {{v}}\n\n- cd\n{{else}}\n> {{w}}\n{{/{key}}}\nab"),
        2 => format!("\n\n- {{?{sign}{key}}}ef {{v}}\n- cd"),
        3 => format!("\n\n{{?{sign}{key}}}{{w}}\n\nab"),
        4 => format!(" ab{{?{sign}{key}}} cd{{w}}{{else}}, {{?a}}ef{{/a}}{{/{key}}}."),
        5 => format!("\n\n- {{?{sign}{key}}}{{*l}}ef {{item}}\n- cd"),
        6 => format!("\n\n- {{*l}}{{?{sign}{key}}}ef {{item}}\n- cd"),
        7 => format!("\n\n{{?{sign}{key}}}\n{{*m}}\n\n{{item}}\n\n{{/m}}\n{{/{key}}}\n\nab"),
        8 => format!(
            "\n\nab {{*l}}{{?{sign}{key}}}, {{item}}{{/{key}}}{{/l}}\n> {{?{sign}{key}}}{{v}}\nab"
        ),
        9 => format!("\n\n{{?{sign}{key}}}{{k}}{{j}}\n{{k}}\nab{{?{sign}{key}}} {{d}}{{/{key}}}."),
        _ => format!("\n\n{{?a}}\n{{?{sign}{key}}}ef\n{{/a}}\n\nab"),
    }
}

/// The text of a node: pieces between which titles and slots stand.
fn text(source: &mut Source<'_>, slots: &[String], all: &[Node]) -> String {
    let mut text = "ab".to_owned();
    let mut level = 0;
    let break_line = |source: &mut Source<'_>, text: &mut String| {
        *text += ["\n", "\n\n", "\n\n\n"][source.below(3)];
    };
    let mut slots = slots.iter();
    loop {
        if source.chance(60) {
            break_line(source, &mut text);
            text += &texts::paragraphs(source);
        }
        if !all.is_empty() && source.chance(40) {
            let asked = &all[source.below(all.len())];
            text += "\n\nab";
            text += &hanging(source, &asked.key);
        }
        let has_title = source.chance(40);
        let slot = slots.next();
        if has_title {
            // A heading above the first one, or more than one below the last, is no fault here.
            level = if level == 0 {
                1 + source.below(3)
            } else {
                1 + source.below(level + 1)
            };
            break_line(source, &mut text);
            _ = write!(
                text,
                "{} {}",
                "#".repeat(level),
                source.pick(&["Fixed", "Two words", "ef, gh"])
            );
            // Under a title that is emptied stand no other titles.
            if slot.is_none() || source.chance(50) {
                text += "\n\nab";
            }
        }
        let Some(slot) = slot else { return text };
        break_line(source, &mut text);
        _ = write!(text, "{{{slot}}}");
        if has_title {
            break_line(source, &mut text);
            text += "# End\nab";
            level = 1;
        }
    }
}

/// Titles; the last ones may print nothing. (Which numbers stand below those nothing says.)
const TITLES: &[&str] = &[
    "Fixed",
    "Part{?v} of {v}{/v}",
    "Two words",
    "{w}",
    "{?a}Maybe{/a}",
];

fn node(source: &mut Source<'_>, has_numbers: bool, key: &str, depth: usize) -> Node {
    let titles = if has_numbers { &TITLES[..3] } else { TITLES };
    let title = source.chance(70).then(|| source.pick(titles).to_owned());
    let count = if depth == 0 { 0 } else { source.below(4) };
    let mut sections: Vec<Node> = (0..count)
        .map(|at| node(source, has_numbers, &format!("{key}s{at}"), depth - 1))
        .collect();
    // Sections of an untitled one are counted as far as they are there.
    if title.is_none() && has_numbers {
        sections
            .iter_mut()
            .for_each(|section| section.is_there = true);
    }
    // Numbers are those of the declaration: what has a slot stands before what has none.
    let placed = source.below(count + 1);
    let keys: Vec<String> = sections[..placed]
        .iter()
        .map(|section| section.key.clone())
        .collect();
    Node {
        key: key.to_owned(),
        title,
        text: text(source, &keys, &sections),
        is_there: source.chance(75),
        sections,
    }
}

fn tree(node: &Node, is_root: bool) -> Value {
    let sections: Vec<Value> = node
        .sections
        .iter()
        .map(|section| tree(section, false))
        .collect();
    let mut map = Map::from_iter([
        ("key".to_owned(), json!(node.key)),
        ("body".to_owned(), json!(node.text)),
    ]);
    if !sections.is_empty() {
        map.insert("sections".into(), sections.into());
    }
    if is_root {
        map.insert("vars".into(), texts::keys());
        map.insert(
            "allow".into(),
            json!([
                "skipped_level",
                "heading_above_top",
                "setext_heading",
                "unclosed_fence"
            ]),
        );
    } else {
        map.insert("when".into(), node.is_there.into());
        match &node.title {
            Some(title) => drop(map.insert("title".into(), title.as_str().into())),
            None => drop(map.insert("untitled".into(), true.into())),
        }
    }
    map.into()
}

/// A tree prints what the oracle says, in both styles, with numbers and without.
pub(super) fn pages(source: &mut Source<'_>) -> Result<(), String> {
    let data = texts::data(source);
    let has_numbers = source.chance(50);
    let root = Node {
        is_there: true,
        title: Some(String::new()),
        ..node(source, has_numbers, "r", 2)
    };
    let tree = tree(&root, true);
    let values = serde_json::to_value(&data).expect("data is JSON");
    let built = DynamicNode::from_json_with(&tree.to_string(), &data);
    let built = built.map_err(|faults| format!("{faults}\n{tree:#}"))?;
    for (is_xml, level, is_numbered) in
        [(false, 1, false), (false, 2, has_numbers), (true, 1, false)]
    {
        let style = if is_xml { Style::Xml } else { Style::Markdown };
        let look = Look {
            is_xml,
            level,
            is_numbered,
        };
        let mut expected = printed_node(&root, &values, &texts::keys(), look);
        if is_xml && !expected.is_empty() {
            expected.push('\n');
        }
        let prompt = || {
            let prompt = built
                .prompt()
                .style(style)
                .base_level(u8::try_from(level).unwrap_or(1));
            if is_numbered {
                prompt.numbering(Numbering::Decimal)
            } else {
                prompt
            }
        };
        let printed = prompt().text().map_err(|error| error.to_string())?;
        let rendered = prompt().render().map_err(|error| error.to_string())?;
        check(rendered.as_str() == printed, || {
            format!("{printed}\n===== rendered\n{rendered}")
        })?;
        check(printed == expected, || {
            format!(
                "{look:?}\n{root:#?}\n--- of {data:?}\n===== found\n{printed}\n===== expected\n{expected}\n=====\n{printed:?}\n{expected:?}"
            )
        })?;
    }
    Ok(())
}

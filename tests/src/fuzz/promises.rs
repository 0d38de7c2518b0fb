//! What the guide promises of every tree. No law here reads a text a second time: the same tree is asked in another way, or
//! another tree says outright what an option, a budget or a focus says.

use super::{Source, check, same};
use prompt_core::budget::{Outcome, Policy, Reason};
use prompt_core::disclosure::Delivery;
use prompt_core::prompt::{Numbering, PreviewForm};
use prompt_core::{
    Budget, Disclosure, DynamicNode, Overrides, Prompt, PromptError, PromptNode, RenderedPrompt,
    Style, ToolCall, Visibility,
};
use serde_json::{Map, Value, json};
use std::ops::Range;

const WORDS: &[&str] = &[
    "alpha",
    "bravo two",
    "Charlie.",
    "ä 日",
    "x",
    "- item",
    "a < b",
];
const TEXTS: &[&str] = &["{s}", "{t}", "{e}", "{o}"];
const ASKED: &[&str] = &["b", "c", "s", "e", "o", "l", "m"];

/// A tree with its values, and how it is looked at.
struct Case {
    tree: Value,
    values: Value,
    look: Look,
}

struct Look {
    style: Style,
    base: u8,
    numbering: Numbering,
    overrides: Overrides,
    focus: Option<String>,
}

impl Look {
    fn of<'p, N: PromptNode + ?Sized>(&'p self, prompt: Prompt<'p, N>) -> Prompt<'p, N> {
        let prompt = prompt.style(self.style).base_level(self.base);
        let prompt = prompt.numbering(self.numbering).overrides(&self.overrides);
        match &self.focus {
            Some(focus) => prompt.focus(focus.clone()),
            None => prompt,
        }
    }
}

// ---- trees

struct Writer<'s, 'b> {
    source: &'s mut Source<'b>,
    /// Sections have numbers of their own, so that none has the key of another.
    count: usize,
    /// Whether texts ask about sections, sections are summarised, and so on: each in part of the trees.
    asks: bool,
    has_tags: bool,
    has_forms: bool,
    has_roles: bool,
}

impl Writer<'_, '_> {
    /// A condition on a value, or on one of these sections.
    fn asked(&mut self, keys: &[String]) -> String {
        if self.asks && !keys.is_empty() && self.source.chance(35) {
            return keys[self.source.below(keys.len())].clone();
        }
        self.source.pick(ASKED).to_owned()
    }

    fn inline(&mut self, keys: &[String], depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.source.below(3) {
            text += &match self.source.below(9) {
                0 | 1 => self.source.pick(TEXTS).to_owned(),
                2 if depth > 0 => {
                    let name = self.asked(keys);
                    let not = if self.source.chance(25) { "!" } else { "" };
                    let then = self.inline(keys, depth - 1);
                    let otherwise = if self.source.chance(50) {
                        "{else}no"
                    } else {
                        ""
                    };
                    format!("{{?{not}{name}}}{then}{otherwise}{{/{name}}}")
                }
                3 => self
                    .source
                    .pick(&[
                        "{*l}{item}{/l}",
                        "{*l}{?!last}{item}, {/last}{/l}",
                        "`{s}`",
                        "{_}",
                    ])
                    .to_owned(),
                4 if self.has_tags => self
                    .source
                    .pick(&["<note>{t}</note>", "<note p=\"{s}\">", "<br/>"])
                    .to_owned(),
                _ => self.source.pick(WORDS).to_owned() + " ",
            };
        }
        text
    }

    fn block(&mut self, keys: &[String], free: &mut Vec<String>, depth: usize) -> String {
        match self.source.below(11) {
            0 if depth > 0 => {
                let name = self.asked(keys);
                let then = self.block(&[], &mut Vec::new(), depth - 1);
                let otherwise = if self.source.chance(40) {
                    "\n{else}\nElse."
                } else {
                    ""
                };
                format!("{{?{name}}}\n{then}{otherwise}\n{{/{name}}}")
            }
            1 => format!(
                "{}{{?{}}}{}",
                self.source.pick(&["", "- ", "> "]),
                self.source.pick(ASKED),
                self.inline(&[], 1)
            ),
            2 => {
                let item =
                    self.source
                        .pick(&["- {item}", "{item}\n", "{?first}\nF\n{/first}\n{item}"]);
                format!("{{*l}}\n{item}\n{{/l}}")
            }
            3 | 4 if !free.is_empty() => {
                let at = self.source.below(free.len());
                format!("{{{}}}", free.remove(at))
            }
            5 => format!("## {}", self.inline(&[], 1)),
            6 => format!(
                "```\n{}\n```",
                self.source.pick(&["{s}", "{?b}\nx\n{/b}", "\n\n"])
            ),
            _ => self.inline(keys, 2),
        }
    }

    fn body(&mut self, keys: &[String]) -> String {
        let mut free = keys.to_vec();
        if self.source.chance(50) {
            free.clear();
        }
        let mut text = String::new();
        for at in 0..=self.source.below(4) {
            if at > 0 {
                text += self.source.pick(&["\n\n", "\n\n", "\n", "\n\n\n"]);
            }
            text += &self.block(keys, &mut free, 2);
        }
        text
    }

    fn key(&mut self) -> String {
        self.count += 1;
        format!("k{}", self.count)
    }

    fn node(&mut self, key: &str, depth: usize, is_root: bool) -> Value {
        let mut map = Map::from_iter([("key".to_owned(), json!(key))]);
        if !is_root && self.source.chance(20) {
            self.list(&mut map);
        } else {
            let count = if depth == 0 { 0 } else { self.source.below(4) };
            let keys: Vec<String> = (0..count).map(|_| self.key()).collect();
            let sections: Vec<Value> = keys
                .iter()
                .map(|key| self.node(key, depth - 1, false))
                .collect();
            if self.source.chance(75) {
                map.insert("body".into(), self.body(&keys).into());
            }
            map.insert("sections".into(), sections.into());
        }
        if is_root {
            let rules = ["skipped_level", "heading_above_top", "setext_heading"];
            map.insert("allow".into(), json!(rules));
        } else {
            self.keys(&mut map);
        }
        map.into()
    }

    fn list(&mut self, map: &mut Map<String, Value>) {
        let mut set = |key: &str, value: Value| _ = map.insert(key.to_owned(), value);
        match self.source.below(4) {
            0 => set("value", json!("l")),
            1 => {
                set("value", json!("l"));
                set(
                    "item",
                    self.source
                        .pick(&["{item}", "* {item}", "{?b}{item}"])
                        .into(),
                );
                set("join", json!(", "));
                if self.source.chance(50) {
                    set("last", json!(" or "));
                }
            }
            _ => {
                set("value", json!("m"));
                set(
                    "item",
                    self.source
                        .pick(&["{item.text}", "{item.name} is\n\n{s}"])
                        .into(),
                );
                set("item_key", json!("key"));
                match self.source.below(4) {
                    0 => set("untitled_items", json!(true)),
                    1 => set("item_tag", json!("it")),
                    _ => set(
                        "item_title",
                        self.source.pick(&["{item.name}", "T {index}"]).into(),
                    ),
                }
            }
        }
        if self.source.chance(30) {
            set("empty", json!("None."));
        }
    }

    fn keys(&mut self, map: &mut Map<String, Value>) {
        let has_items = map.contains_key("item_key");
        let mut set = |key: &str, value: Value| _ = map.insert(key.to_owned(), value);
        if self.source.chance(35) {
            let short = if has_items {
                "Of {item.name}"
            } else {
                "In short {s}"
            };
            set("summary", json!(short));
            if self.source.chance(60) {
                set("visibility", json!("summary"));
            }
        }
        if self.source.chance(50) {
            let level = self.source.below(4);
            set(
                "priority",
                if level == 3 {
                    json!("required")
                } else {
                    json!(level)
                },
            );
        }
        if self.source.chance(20) {
            set(
                "when",
                self.source.pick(&["b", "!b", "c", "l", "e", "o"]).into(),
            );
        }
        match self.source.below(6) {
            0 => set("untitled", json!(true)),
            1 => set(
                "title",
                self.source
                    .pick(&["Of {s}", "{e}", "{?b}B{/b}", "T"])
                    .into(),
            ),
            _ => {}
        }
        if self.has_tags && self.source.chance(20) {
            set("tag", json!("part"));
            if self.source.chance(30) {
                set("attr", json!({ "id": "{s}", "title": true }));
            }
        }
        if self.has_forms {
            match self.source.below(10) {
                0 => set("gap", json!(self.source.below(3))),
                1 => set("level", json!(1 + self.source.below(4))),
                2 => set("numbering", self.source.pick(&["decimal", "none"]).into()),
                3 => set("start", json!("S\n")),
                4 => set("end", json!("\nE")),
                5 => set("untrusted", json!(true)),
                _ => {}
            }
        }
        if self.has_roles && self.source.chance(25) {
            ["title", "untitled", "level"]
                .iter()
                .for_each(|key| _ = map.shift_remove(*key));
            map.insert(
                "role".into(),
                self.source.pick(&["user", "assistant"]).into(),
            );
        }
    }
}

fn text_value(source: &mut Source<'_>) -> String {
    source
        .pick(&[
            "",
            "word",
            "two words",
            "a\nb",
            "\nz",
            " ",
            "# h",
            "</part>",
            "- i",
            "\n\n",
        ])
        .to_owned()
}

fn values(source: &mut Source<'_>) -> Value {
    let texts: Vec<String> = (0..source.below(4)).map(|_| text_value(source)).collect();
    let items: Vec<Value> = (0..source.below(4))
        .map(|at| json!({ "key": format!("i{at}"), "name": text_value(source), "text": text_value(source) }))
        .collect();
    json!({
        "s": text_value(source), "t": text_value(source), "e": source.pick(&["", "", "E"]),
        "o": source.chance(40).then(|| text_value(source)),
        "b": source.chance(50), "c": source.chance(50), "l": texts, "m": items,
    })
}

fn case(source: &mut Source<'_>) -> Option<(Case, DynamicNode)> {
    let style = if source.chance(35) {
        Style::Xml
    } else {
        Style::Markdown
    };
    let base = if source.chance(15) {
        1 + source.below(6) as u8
    } else {
        1
    };
    let numbering = if source.chance(25) {
        Numbering::Decimal
    } else {
        Numbering::None
    };
    let mut writer = Writer {
        asks: source.chance(40),
        has_tags: source.chance(50),
        has_forms: source.chance(40),
        has_roles: source.chance(12),
        count: 0,
        source,
    };
    let tree = writer.node("root", 3, true);
    let values = values(source);
    let node = load(&tree, &values)?;
    let paths: Vec<String> = node.prompt().preview().map_or_else(
        |_| Vec::new(),
        |preview| {
            (0..preview.rows.len())
                .map(|row| preview.path(row))
                .collect()
        },
    );
    let (mut overrides, mut focus) = (Overrides::default(), None);
    if !paths.is_empty() {
        for _ in 0..source.below(5).saturating_sub(2) {
            let path = paths[source.below(paths.len())].clone();
            if source.chance(65) {
                overrides.open(path);
            } else {
                overrides.close(path);
            }
        }
        focus = source
            .chance(18)
            .then(|| paths[source.below(paths.len())].clone());
    }
    let look = Look {
        style,
        base,
        numbering,
        overrides,
        focus,
    };
    Some((Case { tree, values, look }, node))
}

fn load(tree: &Value, values: &Value) -> Option<DynamicNode> {
    DynamicNode::from_json_with(&tree.to_string(), values).ok()
}

fn told(error: PromptError) -> String {
    error.to_string()
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

// ---- laws

/// All laws, on one tree.
pub(super) fn promises(source: &mut Source<'_>) -> Result<(), String> {
    let Some((case, node)) = case(source) else {
        return Ok(());
    };
    let Ok(rendered) = case.look.of(node.prompt()).render() else {
        return Ok(());
    };
    let mut laws = || {
        doors(&case, &node, &rendered)?;
        saved(&case, &node, &rendered)?;
        places(&case, &node, &rendered)?;
        prefix(&case, &rendered, source)?;
        budgets(&case, &node, &rendered, source)?;
        focused(&case, &node, source)?;
        absent(&case, source)?;
        spelled(&case, &rendered)?;
        based(&case, &node)?;
        grown(&case, &node)?;
        placed(&case)?;
        openings(&case, &node, &rendered, source)
    };
    laws().map_err(|fact: String| {
        let Look {
            style,
            base,
            numbering,
            overrides,
            focus,
        } = &case.look;
        let overrides = json!(overrides);
        format!(
            "{fact}\n{}\n{}\n{style:?} {base} {numbering:?} {overrides} {focus:?}",
            case.tree, case.values
        )
    })
}

/// "Every door prints the same bytes", whatever the look.
fn doors(case: &Case, node: &DynamicNode, rendered: &RenderedPrompt) -> Result<(), String> {
    let text = rendered.as_str();
    let prompt = || case.look.of(node.prompt());
    same("text", &prompt().text().map_err(told)?.as_str(), &text)?;
    same(
        "preview",
        &prompt().preview().map_err(told)?.text.as_str(),
        &text,
    )?;
    let budget = prompt()
        .budget(Budget::tokens(1 << 40))
        .render()
        .map_err(told)?;
    same("a budget that cuts nothing", &budget.as_str(), &text)?;
    let document = node.prompt().document().map_err(told)?;
    let other = case.look.of(document.prompt()).render().map_err(told)?;
    same("document", &json!(other), &json!(rendered))?;
    let preview = |preview: Result<prompt_core::prompt::Preview, PromptError>| {
        preview.map(|it| json!(it)).map_err(told)
    };
    same(
        "preview of a document",
        &preview(case.look.of(document.prompt()).preview())?,
        &preview(prompt().preview())?,
    )
}

/// "A tree that loads is saved and loads again", and prints the same with the same values.
fn saved(case: &Case, node: &DynamicNode, rendered: &RenderedPrompt) -> Result<(), String> {
    let saved = serde_json::to_string(node).map_err(|error| error.to_string())?;
    let again =
        DynamicNode::from_json(&saved).map_err(|error| format!("saved, it is broken: {error}"))?;
    let again = again
        .bind(&case.values)
        .map_err(|error| error.to_string())?;
    let text = case.look.of(again.prompt()).text().map_err(told)?;
    same("saved", &text.as_str(), &rendered.as_str())?;
    same(
        "saved twice",
        &serde_json::to_string(&again).unwrap_or_default(),
        &saved,
    )
}

/// Sections stand in one another and in the order of the text, also in the preview.
fn places(case: &Case, node: &DynamicNode, rendered: &RenderedPrompt) -> Result<(), String> {
    let preview = case.look.of(node.prompt()).preview().map_err(told)?;
    let sections = rendered.sections();
    let (mut last, mut open) = (0, Vec::<(&str, usize)>::new());
    for section in &sections {
        let (path, range) = (&section.path, &section.range);
        open.retain(|(around, _)| path.starts_with(&format!("{around}.")));
        let is_sound = rendered.as_str().get(range.clone()).is_some()
            && last <= range.start
            && open.iter().all(|(_, end)| range.end <= *end);
        check(is_sound, || format!("{path} at {range:?}"))?;
        last = range.start;
        open.push((path, range.end));
    }
    for (at, row) in preview.rows.iter().enumerate() {
        let path = preview.path(at);
        let section = sections.iter().find(|section| section.path == path);
        let range = section
            .map(|section| section.range.clone())
            .filter(|range| !range.is_empty());
        let of_row = row.range.clone().filter(|range| !range.is_empty());
        same(&format!("the range of {path}"), &of_row, &range)?;
        let form = section.map(|section| match section.visibility {
            Visibility::Full => PreviewForm::Full,
            Visibility::Summary => PreviewForm::Summary,
        });
        if let Some(form) = form {
            same(&format!("the form of {path}"), &row.form, &form)?;
        }
    }
    let starts: Vec<usize> = preview
        .values
        .iter()
        .map(|value| value.range.start)
        .collect();
    check(starts.is_sorted(), || format!("values at {starts:?}"))
}

/// "The position of the first byte whose presence or content depends on a value": what other values of the same names share.
fn prefix(case: &Case, one: &RenderedPrompt, source: &mut Source<'_>) -> Result<(), String> {
    let others = values(source);
    let Some(node) = load(&case.tree, &others) else {
        return Ok(());
    };
    let Ok(two) = case.look.of(node.prompt()).render() else {
        return Ok(());
    };
    let bytes = one.as_str().bytes().zip(two.as_str().bytes());
    let shared = bytes.take_while(|(one, two)| one == two).count();
    let promised = one.static_prefix().max(two.static_prefix());
    check(promised <= shared, || {
        let (one, two) = (one.as_str(), two.as_str());
        format!(
            "the static prefix has {promised} bytes, {shared} are shared\n{one:?}\n{two:?}\n{others}"
        )
    })
}

/// The part of a tree at a path of keys.
fn at<'t>(tree: &'t mut Value, path: &str) -> Option<&'t mut Value> {
    path.split('.').try_fold(tree, |tree, key| {
        let sections = tree.get_mut("sections")?.as_array_mut()?;
        sections.iter_mut().find(|section| section["key"] == key)
    })
}

/// Items that are not there are not counted, but those that are left out are: the numbers behind them differ.
fn counts_items(case: &Case) -> bool {
    let tree = case.tree.to_string();
    let is_numbered = case.look.numbering == Numbering::Decimal || tree.contains("\"decimal\"");
    let counts_on = ["\"untitled\"", "\"title\"", "\"tag\"", "\"role\""];
    is_numbered && counts_on.iter().any(|key| tree.contains(key))
}

/// The text of a tree with some sections switched off, and others closed or opened.
fn text_of(case: &Case, off: &[String], overrides: &Overrides) -> Option<String> {
    let mut tree = case.tree.clone();
    for path in off {
        at(&mut tree, path)?["when"] = json!(false);
    }
    let node = load(&tree, &case.values)?;
    let Look {
        style,
        base,
        numbering,
        ..
    } = case.look;
    let prompt = node
        .prompt()
        .style(style)
        .base_level(base)
        .numbering(numbering);
    prompt.overrides(overrides).text().ok()
}

/// A budget holds, "what is dropped is as absent", and what is needed at least is what fits.
fn budgets(
    case: &Case,
    node: &DynamicNode,
    rendered: &RenderedPrompt,
    source: &mut Source<'_>,
) -> Result<(), String> {
    let whole = letters(rendered.as_str());
    let policies = [Policy::Cutoff, Policy::Prefix, Policy::Greedy];
    let policy = policies[source.below(3)];
    let fit = |limit: usize| {
        let budget = Budget::tokens(limit).counter(&letters).policy(policy);
        case.look.of(node.prompt()).budget(budget).render()
    };
    same(
        "a budget of all",
        &fit(whole).map_err(told)?.as_str(),
        &rendered.as_str(),
    )?;
    let limit = whole * source.below(100) / 100;
    let cut = match fit(limit) {
        Ok(cut) => cut,
        Err(PromptError::Budget { needed, .. }) => {
            check(needed > limit, || {
                format!("{needed} are needed, {limit} are too few")
            })?;
            return fit(needed)
                .map(|_| ())
                .map_err(|error| format!("of {needed}: {error}"));
        }
        Err(error) => return Err(told(error)),
    };
    check(letters(cut.as_str()) <= limit, || {
        format!("more than {limit}: {:?}", cut.as_str())
    })?;
    let Some(report) = cut.budget_report().filter(|_| case.look.focus.is_none()) else {
        return Ok(());
    };
    if counts_items(case) {
        return Ok(());
    }
    let (mut off, mut overrides) = (Vec::new(), case.look.overrides.clone());
    for section in &report.sections {
        let is_chosen = matches!(section.reason, Reason::Priority | Reason::Level);
        match section.outcome {
            Outcome::Dropped if is_chosen => off.push(section.path.clone()),
            Outcome::Summarised => _ = overrides.close(section.path.clone()),
            _ => {}
        }
    }
    if let Some(text) = text_of(case, &off, &overrides) {
        same(
            &format!("{limit} of {policy:?}, without {off:?}"),
            &cut.as_str(),
            &text.as_str(),
        )?;
    }
    Ok(())
}

/// What stands beside the focus is as absent; it is open, and so is what is on the way to it.
fn focused(case: &Case, node: &DynamicNode, source: &mut Source<'_>) -> Result<(), String> {
    let Look {
        style,
        base,
        numbering,
        overrides,
        ..
    } = &case.look;
    let prompt = || {
        let prompt = node.prompt().style(*style).base_level(*base);
        prompt.numbering(*numbering).overrides(overrides)
    };
    // An override may close what has no summary.
    let Ok(preview) = prompt().preview() else {
        return Ok(());
    };
    if preview.rows.is_empty() || counts_items(case) {
        return Ok(());
    }
    let focus = preview.path(source.below(preview.rows.len()));
    let rendered = prompt().focus(focus.clone()).render().map_err(told)?;
    let is_inside = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    for section in rendered.sections() {
        let is_near = is_inside(&section.path, &focus) || is_inside(&focus, &section.path);
        check(is_near, || format!("{} beside {focus}", section.path))?;
    }
    let (mut off, mut overrides) = (Vec::new(), overrides.clone());
    for row in 0..preview.rows.len() {
        let path = preview.path(row);
        if is_inside(&focus, &path) {
            overrides.open(path);
        } else if !is_inside(&path, &focus) {
            off.push(path);
        }
    }
    // A section whose slot stands beside one that goes is absent already.
    if let Some(text) = text_of(case, &off, &overrides) {
        let tree = case.tree.to_string();
        if !tree.contains("{?k") && !tree.contains("{?!k") {
            same(
                &format!("the focus {focus}"),
                &rendered.as_str(),
                &text.as_str(),
            )?;
        }
    }
    Ok(())
}

/// What is absent leaves no trace: it could as well not be declared.
fn absent(case: &Case, source: &mut Source<'_>) -> Result<(), String> {
    fn paths(tree: &Value, around: &str, found: &mut Vec<String>) {
        for section in tree["sections"].as_array().into_iter().flatten() {
            let key = section["key"].as_str().unwrap_or_default();
            let path = if around.is_empty() {
                key.to_owned()
            } else {
                format!("{around}.{key}")
            };
            paths(section, &path, found);
            found.push(path);
        }
    }
    let mut found = Vec::new();
    paths(&case.tree, "", &mut found);
    let is_numbered = case.look.numbering == Numbering::Decimal;
    if found.is_empty() || is_numbered || case.tree.to_string().contains("\"decimal\"") {
        return Ok(());
    }
    let path = found.swap_remove(source.below(found.len()));
    let (around, key) = path.rsplit_once('.').unwrap_or(("", &path));
    let mut tree = case.tree.clone();
    let node = if around.is_empty() {
        Some(&mut tree)
    } else {
        at(&mut tree, around)
    };
    let Some(node) = node else { return Ok(()) };
    let is_named = node["body"]
        .as_str()
        .is_some_and(|body| body.contains(&format!("{key}}}")));
    let sections = node["sections"]
        .as_array_mut()
        .filter(|list| !is_named && list.len() > 1);
    let Some(sections) = sections else {
        return Ok(());
    };
    sections.retain(|section| section["key"] != key);
    let deleted = Case {
        tree,
        values: case.values.clone(),
        look: Look {
            overrides: Overrides::default(),
            focus: None,
            ..case.look
        },
    };
    // Its tags are tags of the document, absent or not: values are guarded against them.
    let tags = |case: &Case| {
        let node = load(&case.tree, &case.values)?;
        Some(node.prompt().style(case.look.style).tags())
    };
    if tags(case) != tags(&deleted) {
        return Ok(());
    }
    let nothing = Overrides::default();
    let absent = text_of(case, std::slice::from_ref(&path), &nothing);
    let deleted = text_of(&deleted, &[], &nothing);
    match (absent, deleted) {
        (Some(absent), Some(deleted)) => same(&format!("without {path}"), &absent, &deleted),
        _ => Ok(()),
    }
}

/// The order of the keys of a node, and how the lines of its text end, mean nothing.
fn spelled(case: &Case, rendered: &RenderedPrompt) -> Result<(), String> {
    fn spelled(tree: &Value) -> Value {
        let Value::Object(map) = tree else {
            return tree.clone();
        };
        let keys = map.iter().rev().map(|(key, value)| {
            let value = match (key.as_str(), value) {
                ("body", Value::String(text)) => text.replace('\n', "\r\n").into(),
                ("sections", Value::Array(list)) => list.iter().map(spelled).collect(),
                _ => value.clone(),
            };
            (key.clone(), value)
        });
        keys.collect::<Map<_, _>>().into()
    }
    let node =
        load(&spelled(&case.tree), &case.values).ok_or("spelled in another way it is broken")?;
    let text = case.look.of(node.prompt()).text().map_err(told)?;
    same("spelled in another way", &text.as_str(), &rendered.as_str())
}

/// "`base_level` is the level of the first headings": all others follow.
fn based(case: &Case, node: &DynamicNode) -> Result<(), String> {
    if case.look.style == Style::Xml {
        return Ok(());
    }
    let at = |level| node.prompt().base_level(level).text().map_err(told);
    let (one, three) = (at(1)?, at(3)?);
    same("lines", &one.lines().count(), &three.lines().count())?;
    for (one, three) in one
        .lines()
        .zip(three.lines())
        .filter(|(one, three)| one != three)
    {
        let hashes = |line: &str| {
            line.trim_start()
                .bytes()
                .take_while(|byte| *byte == b'#')
                .count()
        };
        let is_moved = hashes(one) > 0
            && hashes(three) == (hashes(one) + 2).min(6)
            && one.trim_start().trim_start_matches('#')
                == three.trim_start().trim_start_matches('#');
        check(is_moved, || {
            format!("two levels deeper {one:?} is {three:?}")
        })?;
    }
    Ok(())
}

/// "What opening it would cost" is what the text grows by, where no text asks what is open.
fn grown(case: &Case, node: &DynamicNode) -> Result<(), String> {
    let tree = case.tree.to_string();
    let asks = ["{?k", "{?!k", "\"tag\"", "<note"];
    if !case.look.overrides.is_empty() || asks.iter().any(|asked| tree.contains(asked)) {
        return Ok(());
    }
    let preview = case.look.of(node.prompt()).counter(&letters).preview();
    let preview = preview.map_err(told)?;
    for (at, row) in preview.rows.iter().enumerate() {
        let around = std::iter::successors(row.parent, |row| preview.rows[*row].parent);
        let is_seen = row.form == PreviewForm::Summary
            && around
                .into_iter()
                .all(|row| preview.rows[row].form == PreviewForm::Full);
        let Some(says) = row.opening.filter(|_| is_seen) else {
            continue;
        };
        let (path, mut overrides) = (preview.path(at), Overrides::default());
        for row in at..preview.rows.len() {
            let inside = preview.path(row);
            if inside == path || inside.starts_with(&format!("{path}.")) {
                overrides.open(inside);
            }
        }
        let look = Look {
            overrides,
            focus: case.look.focus.clone(),
            ..case.look
        };
        let text = look.of(node.prompt()).text().map_err(told)?;
        let grown = letters(&text).saturating_sub(preview.tokens);
        // With its last closed item a list loses the sentence above them.
        let is_sibling = |other: &usize| {
            let other_row = &preview.rows[*other];
            *other != at && other_row.parent == row.parent && other_row.form == PreviewForm::Summary
        };
        let loses_sentence = preview.text.contains("[Call `open_sections` with the keys")
            && !(0..preview.rows.len()).any(|other| is_sibling(&other));
        // An item that is opened has another place, and so other blank lines before it.
        let marks = [format!("- {path}"), format!(" key=\"{path}\"")];
        let is_line = marks.iter().any(|mark| preview.text.contains(mark));
        if loses_sentence || (is_line && says.abs_diff(grown) <= 2) {
            continue;
        }
        // In XML a value may be an entity because of what is shown beside it.
        if !text.contains("&lt;") && !preview.text.contains("&lt;") {
            same(&format!("opening {path}"), &says, &grown)?;
        }
    }
    Ok(())
}

/// "`{PROMPT_SUBTREE}` all that have no slot of their own; without either they follow at the end."
fn placed(case: &Case) -> Result<(), String> {
    fn place(tree: &mut Value, count: &mut usize) {
        let Some(sections) = tree["sections"]
            .as_array_mut()
            .filter(|list| !list.is_empty())
        else {
            return;
        };
        sections
            .iter_mut()
            .for_each(|section| place(section, count));
        let body = tree["body"].as_str().unwrap_or_default();
        let is_plain =
            !body.contains(['#', '`', '\n']) && !body.contains("{k") && !body.contains("{_}");
        if is_plain && !body.is_empty() && body.trim() == body {
            tree["body"] = format!("{body}\n\n{{PROMPT_SUBTREE}}").into();
            *count += 1;
        }
    }
    let keys = [
        "\"tag\"",
        "\"level\"",
        "\"gap\"",
        "\"role\"",
        "\"start\"",
        "\"end\"",
    ];
    let tree = case.tree.to_string();
    // At the end of a text white space of values goes, in front of a slot it stays.
    let has_blanks = case.values.to_string().contains(['\\', ' ']);
    if case.look.style == Style::Xml || has_blanks || keys.iter().any(|key| tree.contains(key)) {
        return Ok(());
    }
    let (mut with_slots, mut count) = (case.tree.clone(), 0);
    place(&mut with_slots, &mut count);
    let text = |tree| {
        let node = load(tree, &case.values)?;
        case.look.of(node.prompt()).text().ok()
    };
    match (text(&case.tree), text(&with_slots)) {
        (Some(one), Some(two)) => same("slots at the end", &one, &two),
        _ => Ok(()),
    }
}

/// "Whatever an answer calls shown stands, in full, in what is sent next"; what has nothing to show says so; what is refused
/// changes nothing; and what was opened and is closed again leaves no trace.
fn openings(
    case: &Case,
    node: &DynamicNode,
    rendered: &RenderedPrompt,
    source: &mut Source<'_>,
) -> Result<(), String> {
    let look = &case.look;
    let disclosure = |delivery| {
        Disclosure::new(node)
            .delivery(delivery)
            .max_rounds(100)
            .configure(|prompt| {
                let prompt = prompt.style(look.style).base_level(look.base);
                let prompt = prompt.numbering(look.numbering);
                match &look.focus {
                    Some(focus) => prompt.focus(focus.clone()),
                    None => prompt,
                }
            })
            .overrides(look.overrides.clone())
    };
    let (mut anew, mut appended) = (disclosure(Delivery::Rerender), disclosure(Delivery::Append));
    let form_of = |prompt: &RenderedPrompt, path: &str| {
        let sections = prompt.sections().into_iter();
        // Line breaks alone are nothing to show.
        let has_words = |range: Range<usize>| !prompt.as_str()[range].trim_matches('\n').is_empty();
        let mut shown = sections.filter(|section| has_words(section.range.clone()));
        shown
            .find(|section| section.path == path)
            .map(|section| section.visibility)
    };
    let first = anew.render().map_err(told)?;
    let mut paths: Vec<String> = first.openable().collect();
    for _ in 0..paths.len().min(3) {
        let path = paths.swap_remove(source.below(paths.len()));
        let call = json!({ "section_keys": [path], "reason": "to see it" });
        let call = [ToolCall::new("1", "open_sections", call)];
        let before = anew.render().map_err(told)?;
        let answer = anew
            .handle(&call)
            .map_err(|error| format!("{path}: {error}"))?;
        let other = appended
            .handle(&call)
            .map_err(|error| format!("{path}: {error}"))?;
        let after = anew.render().map_err(told)?;
        same(
            "both deliveries refuse",
            &answer[0].is_error,
            &other[0].is_error,
        )?;
        same(
            "appended to",
            &appended.render().map_err(told)?.as_str(),
            &rendered.as_str(),
        )?;
        if answer[0].is_error {
            same(
                &format!("{path} is refused"),
                &after.as_str(),
                &before.as_str(),
            )?;
            let is_closed = form_of(&before, &path) == Some(Visibility::Summary);
            check(!is_closed, || {
                format!("{path} is closed and refused: {}", answer[0].content)
            })?;
            continue;
        }
        let is_blank = |content: &str| content.contains("with nothing in it to show");
        same(
            &format!("{path} is open"),
            &form_of(&after, &path),
            &(!is_blank(&answer[0].content)).then_some(Visibility::Full),
        )?;
        let mut overrides = look.overrides.clone();
        overrides.merge(&anew.state().opened);
        let opened = Case {
            tree: case.tree.clone(),
            values: case.values.clone(),
            look: Look {
                overrides,
                focus: look.focus.clone(),
                ..*look
            },
        };
        let text = opened.look.of(node.prompt()).text().map_err(told)?;
        same(
            &format!("{path} opened by overrides"),
            &text.as_str(),
            &after.as_str(),
        )?;
        let mut closed = anew.clone();
        closed.close(&path);
        let inside = format!("{path}.");
        if !anew
            .state()
            .opened
            .iter()
            .any(|(path, _)| path.starts_with(&inside))
        {
            let text = closed.render().map_err(told)?;
            same(
                &format!("{path} closed again"),
                &text.as_str(),
                &before.as_str(),
            )?;
        }
    }
    Ok(())
}

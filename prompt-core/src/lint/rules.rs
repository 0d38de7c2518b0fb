//! The rules: those about the declared tree visit it, those about what is printed render it once.

use super::Lint;
use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::Priority;
use crate::node::Text;
use crate::render::Options;
use crate::render::Prompt;
use crate::render::Style;
use crate::render::record::Entry;
use crate::render::record::Record;
use crate::tree;
use crate::tree::Flow;
use crate::tree::Visit;
use crate::visibility::Overrides;
use crate::xml::MAX_NAME_LENGTH;
use crate::xml::TagLint;
use crate::xml::TagLinter;
use prompt_syntax::Code;
use prompt_syntax::MarkKind;
use std::collections::BTreeMap;

/// What was found, with the place of its section in the order of the tree: 0 is the root.
#[derive(Default)]
struct Found {
    order: BTreeMap<String, usize>,
    lints: Vec<(usize, Lint)>,
}

impl Found {
    fn add(&mut self, code: Code, path: &str, message: String, help: impl Into<String>) {
        let place = self.order.get(path).copied().unwrap_or_default();
        self.lints.push((
            place,
            Lint {
                code,
                path: path.to_owned(),
                message,
                help: help.into(),
            },
        ));
    }

    fn add_error(&mut self, error: &PromptError) {
        self.add(error.code(), "", error.to_string(), "");
    }

    fn into_lints(mut self) -> Vec<Lint> {
        self.lints.sort_by_key(|(place, _)| *place);
        self.lints.into_iter().map(|(_, lint)| lint).collect()
    }
}

pub(super) fn lint(prompt: &Prompt<'_>) -> Vec<Lint> {
    let mut found = Found::default();
    let mut opened = Overrides::default();
    let root = prompt.root.embedded();
    headings("", &tree::info_of(&root).text, &mut found);
    let mut kept_until: Vec<Option<i32>> = vec![None];
    let visited = tree::visit(prompt.root, |section| {
        found
            .order
            .insert(section.path.to_owned(), found.order.len() + 1);
        opened.open(section.path);
        priority(section, &mut kept_until, &mut found);
        texts(section, &mut found);
        Ok(Flow::Into)
    });
    if let Err(error) = visited {
        found.add_error(&error);
        return found.into_lints();
    }
    match print(prompt, &opened) {
        Ok((text, record)) => {
            tags(prompt.options.style, &text, &record, &mut found);
            caches(&record, &mut found);
        }
        Err(error) => found.add_error(&error),
    }
    found.into_lints()
}

/// Everything that the prompt can show.
fn print(prompt: &Prompt<'_>, opened: &Overrides) -> Result<(String, Record), PromptError> {
    let options = Options {
        overrides: Some(opened),
        budget: None,
        focus: None,
        indent_text: false,
        ..prompt.options.clone()
    };
    let mut text = String::new();
    let mut record = Record {
        tags: Some(Vec::new()),
        ..Record::default()
    };
    Prompt {
        root: prompt.root,
        options,
    }
    .print(&mut text, Some(&mut record), None)?;
    Ok((text, record))
}

/// A section is never kept longer than the one around it, whatever it asks for.
fn priority(section: &Visit<'_, '_>, kept_until: &mut Vec<Option<i32>>, found: &mut Found) {
    kept_until.truncate(section.steps.len());
    let around = kept_until.last().copied().flatten();
    kept_until.push(tree::effective_priority(around, section.priority));
    let Some(around) = around else { return };
    let own = match section.priority {
        Some(Priority::Level(own)) if own > around => own.to_string(),
        Some(Priority::Required) => "\"required\"".to_owned(),
        _ => return,
    };
    let message = format!(
        "its priority {own} is above the {around} of the section around it, with which it is dropped"
    );
    let help = format!("write {around} or less, or raise the priority of the section around it");
    found.add(Code::PriorityInversion, section.path, message, help);
}

/// The texts of a section: its introduction, and the text or Markdown it embeds.
fn texts(section: &Visit<'_, '_>, found: &mut Found) {
    // An item shares the introduction of its list.
    if section.item().is_none() {
        headings(section.path, &section.info.intro, found);
    }
    match section.content {
        Embedded::Node(node) => headings(section.path, &node.info().text, found),
        Embedded::Markdown(markdown) => headings(section.path, markdown.text(), found),
        _ => {}
    }
}

/// Levels go down one at a time, and never above the first.
fn headings(path: &str, text: &Text, found: &mut Found) {
    let mut top: Option<u8> = None;
    let mut before: Option<u8> = None;
    for mark in text.marks.iter() {
        let MarkKind::Title { line, level, .. } = mark.kind else {
            continue;
        };
        let first = *top.get_or_insert(level);
        if let Some(before) = before.filter(|before| level > before + 1) {
            let message = format!(
                "a heading of level {level} follows one of level {before}, in line {line} of its text"
            );
            found.add(
                Code::SkippedLevel,
                path,
                message,
                format!("write it with {} hashes", before + 1),
            );
        }
        if level < first {
            let message = format!(
                "a heading of level {level}, in line {line} of a text whose first heading has level {first}"
            );
            found.add(
                Code::HeadingAboveTop,
                path,
                message,
                format!("write it with {first} hashes or more"),
            );
        }
        before = Some(level);
    }
}

/// The tags that are printed, and headings inside them.
fn tags(style: Style, text: &str, record: &Record, found: &mut Found) {
    let path = |entry: Option<usize>| entry.map_or_else(String::new, |entry| record.path(entry));
    let printed = record.tags.as_deref().unwrap_or_default();
    let mut linter = TagLinter::default();
    for tag in printed {
        linter.tag(&tag.name, tag.depth + 1);
        for lint in linter.take() {
            add_tag(&path(tag.entry), &lint, found);
        }
    }
    if style != Style::Xml {
        return;
    }
    let (fragments, base) = record.fragments(text);
    let around = names_around(record);
    let outside = printed
        .iter()
        .find(|tag| tag.entry.is_none())
        .map(|tag| tag.name.as_str());
    let mut lint_text = |entry: Option<usize>, name: Option<&str>, text: &str| {
        let Some(name) = name else { return };
        linter.text(name, text);
        for lint in linter.take() {
            add_tag(&path(entry), &lint, found);
        }
    };
    lint_text(None, outside, &base);
    for (index, fragment) in fragments.iter().enumerate() {
        lint_text(Some(index), around.get(index).copied().flatten(), fragment);
    }
}

/// For each section the tag around its text: its own, or the nearest one outside.
fn names_around(record: &Record) -> Vec<Option<&str>> {
    let mut names: Vec<Option<&str>> = vec![None; record.entries.len()];
    let mut root = None;
    for tag in record.tags.iter().flatten() {
        match tag.entry {
            Some(entry) => drop(
                names
                    .get_mut(entry)
                    .map(|name| name.get_or_insert(&tag.name)),
            ),
            None => root = root.or(Some(tag.name.as_str())),
        }
    }
    for (index, entry) in record.entries.iter().enumerate() {
        let outside = entry
            .parent
            .map_or(root, |parent| names.get(parent).copied().flatten());
        if let Some(name) = names.get_mut(index) {
            *name = name.or(outside);
        }
    }
    names
}

fn add_tag(path: &str, lint: &TagLint, found: &mut Found) {
    let fact = TagLint {
        suggestion: None,
        ..lint.clone()
    }
    .to_string();
    let help = match (&lint.suggestion, lint.code) {
        (Some(better), _) => format!("write `{better}`"),
        (None, Code::Naming) => {
            "use small letters, digits and `_`, and no `xml` at the start".to_owned()
        }
        (None, Code::GenericName) => "name it after what it holds".to_owned(),
        (None, Code::LongName) => format!("use at most {MAX_NAME_LENGTH} characters"),
        (None, Code::OverNesting) => {
            "make the innermost tags text or attributes of the tag around them".to_owned()
        }
        (None, _) => {
            "make each heading a section, or the text a node whose headings become tags".to_owned()
        }
    };
    found.add(lint.code, path, fact, help);
}

/// What changes from call to call comes after the last cache point, or that point is never reached.
fn caches(record: &Record, found: &mut Found) {
    let places = places(record);
    let in_order = |index: &usize| places.get(*index).copied();
    let is_cached = |index: &usize| {
        record
            .entries
            .get(*index)
            .is_some_and(|entry| entry.cache.is_some())
    };
    let mut points: Vec<usize> = (0..record.entries.len()).filter(is_cached).collect();
    points.sort_by_key(in_order);
    for (index, _) in record
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.volatile)
    {
        let Some(point) = points
            .iter()
            .find(|point| in_order(point) >= in_order(&index))
        else {
            continue;
        };
        let path = record.path(index);
        let cached = record.path(*point);
        let message = format!(
            "it changes from call to call and stands before the cache point after `{cached}`"
        );
        let help = format!("move it behind `{cached}`, or the cache point in front of it");
        found.add(Code::VolatileBeforeCache, &path, message, help);
    }
}

/// Where the end of each section stands in the messages: the system text comes first, then the sections with a role.
fn places(record: &Record) -> Vec<(bool, usize)> {
    let mut places: Vec<(bool, usize)> = Vec::with_capacity(record.entries.len());
    let outside = |entry: &Entry, places: &[(bool, usize)]| {
        entry
            .parent
            .and_then(|parent| places.get(parent))
            .is_some_and(|(is_turn, _)| *is_turn)
    };
    for entry in &record.entries {
        let is_turn = entry.role.is_some() || outside(entry, &places);
        places.push((is_turn, entry.end));
    }
    places
}

//! Templates of values may name other values, and their templates these others: but none itself.

use super::{
    text::Texts,
    value::{Known, Names},
};
use crate::{diagnostic::Errors, input::value::Words};
use prompt_syntax::{Code, Options, Origin, Place, Tables, Used};
use std::collections::HashMap;

/// How far the walk has come with a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// Its templates are being followed.
    Open,
    /// No template below it names itself.
    Done,
}

impl Texts<'_> {
    /// Reports every value whose templates print it again. Each name is followed once, so that templates which name
    /// each other many times over cost no more than their length.
    pub(crate) fn check_cycles(&self, errors: &mut Errors) {
        let edges = edges(&self.names);
        let mut walks: HashMap<&str, Walk> = HashMap::new();
        for start in self.names.with_templates().map(|known| &*known.name) {
            // A stack of its own: names, each with the edge to be followed next.
            let mut stack = vec![(start, 0)];
            while let Some((name, next)) = stack.last_mut() {
                if *next == 0 && walks.get(name) == Some(&Walk::Done) {
                    stack.pop();
                    continue;
                }
                walks.insert(name, Walk::Open);
                let Some(target) = edges.get(name).and_then(|targets| targets.get(*next)) else {
                    walks.insert(name, Walk::Done);
                    stack.pop();
                    continue;
                };
                *next += 1;
                match walks.get(target.as_str()) {
                    Some(Walk::Done) => {}
                    Some(Walk::Open) => {
                        if let Some(known) = self.names.get(name) {
                            complain(known, target, errors);
                        }
                    }
                    None => stack.push((target, 0)),
                }
            }
        }
    }
}

fn complain(known: &Known<'_>, target: &str, errors: &mut Errors) {
    let words = known
        .templates()
        .find(|words| !used(&words.value(), &[target]).is_empty());
    let span = words.map_or(known.span, Words::span);
    let fact = if known.name == target {
        format!("`{target}` prints itself")
    } else {
        format!("`{}` prints `{target}`, which prints it again", known.name)
    };
    let help = "an item is `{item}`, and its fields `{item.name}`; the `{}` of `some` is the value";
    errors.add(Code::InvalidValue, span, fact, help);
}

/// The names that the templates of each name use. Only names with templates can be part of a cycle.
fn edges<'a>(names: &'a Names<'_>) -> HashMap<&'a str, Vec<String>> {
    let all: Vec<&str> = names.all().collect();
    let targets = |known: &Known<'_>| {
        let texts = known.templates().map(Words::value);
        let found = texts.flat_map(|text| used(&text, &all));
        let has_templates = |name: &String| {
            let target = names.get(name);
            target.is_some_and(|target| target.templates().next().is_some())
        };
        found.filter(has_templates).collect()
    };
    let known = names.with_templates();
    known.map(|known| (&*known.name, targets(known))).collect()
}

/// The names that a template prints. In any of them `item` is not a name of the node.
fn used(text: &str, names: &[&str]) -> Vec<String> {
    let is_there = |name: &&str| text.contains(name);
    let names: Vec<&str> = names.iter().copied().filter(is_there).collect();
    let options = Options {
        names: &names,
        ..Options::new(Place::Inline)
    };
    let elements = prompt_syntax::parse(text, &options).elements;
    let mut tables = Tables::new(&[]);
    tables.text(elements, &[], 1);
    let is_name = |used: &&Used| used.origin == Origin::Node { item: 0 } && used.path.is_empty();
    let values = tables.values().iter().filter(is_name);
    values.map(|used| used.name.clone()).collect()
}

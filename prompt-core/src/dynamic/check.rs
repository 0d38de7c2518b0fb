//! The rules for the keys of one section that need no look at its texts: the same that the derive checks.

use super::{
    node::DynamicNode,
    path::Slip,
    spec::{KEYS, Key, NodeSpec, On},
    template::Form,
    written::{Lines, join, step},
};
use crate::diagnostics::Diagnostic;
use crate::visibility::Visibility;
use prompt_syntax::{Code, Problem};
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeSet};

/// The faults of one section.
pub(super) struct Faults<'p> {
    pub(super) list: Vec<Diagnostic>,
    /// The path of the node, or of the one around the section.
    node: &'p str,
    section: Option<Cow<'p, str>>,
    lines: &'p Lines,
}

impl<'p> Faults<'p> {
    pub(super) fn new(node: &'p str, lines: &'p Lines) -> Self {
        Self {
            list: Vec::new(),
            node,
            section: None,
            lines,
        }
    }

    /// Those of a section of the node.
    pub(super) fn below(node: &'p str, section: &'p DynamicNode, index: usize) -> Self {
        Self {
            section: Some(step(section.key(), index)),
            ..Self::new(node, &section.lines)
        }
    }

    /// Written only where there is a fault.
    pub(super) fn path(&self) -> Cow<'p, str> {
        match &self.section {
            None => self.node.into(),
            Some(key) => join(self.node.to_owned(), key).into(),
        }
    }

    pub(super) fn add(&mut self, code: Code, part: &'static str, message: String, help: &str) {
        let line = self.lines.of(part);
        let fault = Diagnostic::new(code, &self.path(), part, message, help);
        self.list.push(Diagnostic { line, ..fault });
    }

    /// A name that leads to nothing.
    pub(super) fn add_slip(&mut self, slip: Slip, part: &'static str) {
        self.add(Code::UnknownVariable, part, slip.message, &slip.help);
    }

    /// A fault of a text.
    pub(super) fn add_problem(&mut self, problem: Problem, part: &'static str) {
        let problem = with_remedy(problem);
        let (line, column) = (problem.line, problem.column);
        let fault = Diagnostic::of_text(problem, &self.path(), part);
        self.push_at(fault, line, column);
    }

    /// A fault at a place of a text.
    pub(super) fn push_at(&mut self, fault: Diagnostic, line: usize, column: usize) {
        let of_file = self.lines.of_text(fault.part, line);
        self.list.push(Diagnostic {
            place: Some((line, column)),
            line: of_file.map(|(line, _)| line),
            // The texts in `vars` have no lines of their own.
            is_exact: fault.part != "vars" && of_file.is_some_and(|(_, is_own)| is_own),
            ..fault
        });
    }

    /// A fault of a section below.
    fn add_at(&mut self, section: &DynamicNode, code: Code, message: String, help: &str) {
        let path = join(self.path().into_owned(), section.key());
        let fault = Diagnostic::new(code, &path, "key", message, help);
        let line = section.lines.of("key");
        self.list.push(Diagnostic { line, ..fault });
    }
}

/// The advice of the grammar speaks to the author of a type: a file has values instead of fields, and no `allow`.
pub(super) fn with_remedy(problem: Problem) -> Problem {
    let switch = [
        "; where the answer is to go on",
        "; or switch the",
        ", or switch the",
    ];
    let end = switch
        .iter()
        .filter_map(|words| problem.help.find(words))
        .min();
    let help = problem
        .help
        .get(..end.unwrap_or(problem.help.len()))
        .unwrap_or_default();
    let help = match problem.code {
        Code::UnknownVariable => help
            .replace("a field", "a value")
            .replace("add a value of that name", "bind a value of that name"),
        Code::UnsupportedExpression if help.starts_with("give it a name") => {
            "bind the result under a name of its own and write that; to print the braces, double them"
                .to_owned()
        }
        _ => help.to_owned(),
    };
    Problem { help, ..problem }
}

/// The key of a value's form that leaves nothing to a format spec.
pub(super) fn without_spec(form: &Form) -> Option<&'static str> {
    let has_item = form.list.as_ref().is_some_and(|list| list.item.is_some());
    let keys = [
        (form.yes.is_some() || form.no.is_some(), "yes"),
        (form.json.is_some(), "json"),
        (has_item, "item"),
    ];
    let key = keys.into_iter().find(|(is_set, _)| *is_set);
    key.map(|(_, key)| key)
}

/// A format spec beside a form of the value that says how it prints.
pub(super) fn idle_spec(spec: &str, key: &str, path: &str, part: &'static str) -> Diagnostic {
    let message = format!("the spec `:{spec}` says nothing of what `{key}` prints");
    let help = match key {
        "item" => format!("write it in the template: `{{item:{spec}}}`"),
        _ => "drop one of the two".to_owned(),
    };
    Diagnostic::new(Code::UnsupportedSpec, path, part, message, help)
}

/// Checks all of them.
pub(super) fn check(spec: &NodeSpec, faults: &mut Faults<'_>) {
    check_level(spec, faults);
    check_tag(spec, faults);
    check_attributes(spec, faults);
    check_title(spec, faults);
}

/// A level is one of Markdown's, a gap at most two lines.
fn check_level(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if let Some(level) = spec.heading.level.filter(|level| !(1..=6).contains(level)) {
        let message = format!("there is no heading level {level}");
        faults.add(
            Code::InvalidValue,
            "level",
            message,
            "levels go from 1 to 6",
        );
    }
    if let Some(gap) = spec.heading.gap.filter(|gap| *gap > 2) {
        let message = format!("there is no gap of {gap} lines");
        faults.add(Code::InvalidValue, "gap", message, "write 0, 1 or 2");
    }
}

/// A tag is `[A-Za-z_][A-Za-z0-9_.-]*`.
fn check_tag(spec: &NodeSpec, faults: &mut Faults<'_>) {
    let tags = [("tag", &spec.markup.tag), ("item_tag", &spec.items.tag)];
    for (part, tag) in tags {
        let tag = tag.as_deref().filter(|tag| !prompt_syntax::is_tag(tag));
        if let Some(tag) = tag {
            let message = format!("`{tag}` is no valid tag name");
            faults.add(Code::InvalidTag, part, message, TAG_HELP);
        }
    }
}

/// The name of an attribute is written like that of a tag; its value is one word of JSON.
fn check_attributes(spec: &NodeSpec, faults: &mut Faults<'_>) {
    for (name, value) in spec.markup.attr.iter() {
        if !prompt_syntax::is_tag(name) {
            let message = format!("`{name}` is no valid name of an attribute");
            faults.add(Code::InvalidTag, "attr", message, TAG_HELP);
        }
        if matches!(value, Value::Array(_) | Value::Object(_)) {
            let message = format!("the attribute `{name}` holds a list or a map");
            faults.add(
                Code::InvalidValue,
                "attr",
                message,
                "text, a number, `true` or `false`",
            );
        }
    }
}

/// Without a heading there is nothing to say about it; with one, its title is not empty.
fn check_title(spec: &NodeSpec, faults: &mut Faults<'_>) {
    if spec
        .title
        .as_deref()
        .is_some_and(|title| title.trim().is_empty())
    {
        let message = "the title is empty".to_owned();
        faults.add(
            Code::InvalidValue,
            "title",
            message,
            "write `untitled = true`",
        );
    }
    let about_heading = [
        ("title", spec.title.is_some()),
        ("heading", spec.heading.form.is_some()),
        ("tight", spec.heading.tight),
    ];
    let given = about_heading
        .into_iter()
        .filter(|(_, given)| *given && spec.untitled);
    for (part, _) in given {
        let message = format!("`untitled` and `{part}` exclude each other");
        faults.add(
            Code::ConflictingAttributes,
            part,
            message,
            "remove one of the two",
        );
    }
}

/// What is said of the root means something there; and the root has a legal key, or none.
pub(super) fn root(spec: &NodeSpec, is_typed: bool, faults: &mut Faults<'_>) {
    if !spec.key.is_empty() && !prompt_syntax::is_key(&spec.key) {
        let message = format!("`{}` is no legal key", spec.key);
        faults.add(Code::InvalidKey, "key", message, KEY_HELP);
    }
    let is_lost = |key: &&Key| matches!(key.on, On::Section | On::Value) && key.is_given(spec);
    for key in KEYS.iter().filter(is_lost) {
        let message = format!("`{}` has no effect on the root", key.name);
        faults.add(
            Code::InvalidValue,
            key.name,
            message,
            "say it of a section, or remove it",
        );
    }
    if is_typed {
        let message = "the root embeds a typed node".to_owned();
        faults.add(Code::InvalidValue, "", message, "embed it in a section");
    }
}

/// A section that embeds a value or a typed node has no sections of its own, and not both.
pub(super) fn hollow(spec: &NodeSpec, is_typed: bool, sections: usize, faults: &mut Faults<'_>) {
    let given: Vec<&Key> = KEYS
        .iter()
        .filter(|key| key.is_given(spec) && (key.on == On::Value || key.name == "value"))
        .collect();
    if is_typed {
        for key in &given {
            let message = format!("`{}` and a typed node exclude each other", key.name);
            faults.add(
                Code::ConflictingAttributes,
                key.name,
                message,
                "remove one of the two",
            );
        }
    }
    let embeds = if is_typed {
        Some("a typed node")
    } else {
        given.first().map(|_| "a value")
    };
    if let Some(embeds) = embeds.filter(|_| sections > 0) {
        let message = format!("the section embeds {embeds} and has sections of its own");
        let help = "put a section of its own around them";
        faults.add(Code::ConflictingAttributes, "sections", message, help);
    }
    if !spec.node.vars.is_empty() && !faults.path().is_empty() {
        let message = "`vars` stands in a section".to_owned();
        let help = "say it at the root: it holds for the whole tree";
        faults.add(Code::InvalidValue, "vars", message, help);
    }
}

/// A section that is to be summarised has a summary.
pub(super) fn summary(node: &DynamicNode, faults: &mut Faults<'_>) {
    if is_summarised_in_vain(node) {
        let message = "a summarised section has no `summary`".to_owned();
        let help = "add a `summary`, or show the section in full";
        faults.add(Code::SummaryMissing, "visibility", message, help);
    }
}

/// Under `append = false` every section has a place.
pub(super) fn unplaced(sections: &[DynamicNode], placed: &[usize], faults: &mut Faults<'_>) {
    let is_placed = |(index, _): &(usize, &DynamicNode)| placed.binary_search(index).is_err();
    for (_, section) in sections.iter().enumerate().filter(is_placed) {
        let key = section.key();
        let message = format!("the section `{key}` has no place in the text");
        let help = format!("write `{{{key}}}` or `{{PROMPT_SUBTREE}}` into the body");
        faults.add_at(section, Code::UnplacedSection, message, &help);
    }
}

/// Keys are legal, and siblings have different ones.
pub(super) fn keys_of(sections: &[DynamicNode], faults: &mut Faults<'_>) {
    let mut seen = BTreeSet::new();
    for (index, section) in sections.iter().enumerate() {
        let key = section.key();
        if key.is_empty() {
            let message = format!("number {} has no key", index + 1);
            let path = faults.path();
            let fault = Diagnostic::new(Code::InvalidKey, &path, "sections", message, KEY_HELP);
            let line = section.lines.of("key");
            faults.list.push(Diagnostic { line, ..fault });
        } else if !prompt_syntax::is_key(key) {
            let message = format!("`{key}` is no legal key");
            faults.add_at(section, Code::InvalidKey, message, KEY_HELP);
        } else if !seen.insert(key) {
            let message = format!("the key `{key}` stands twice");
            faults.add_at(
                section,
                Code::DuplicateKey,
                message,
                "rename one of the two",
            );
        }
    }
}

const KEY_HELP: &str =
    "small letters, digits, `_` and `-`, starting with a letter or digit, at most 64 characters";
const TAG_HELP: &str = "letters, digits, `_`, `.` and `-`, starting with a letter or `_`";

/// A section that is to be summarised has something to say in short.
pub(super) fn is_summarised_in_vain(node: &DynamicNode) -> bool {
    let of_type = || {
        let typed = node.typed.as_ref()?;
        let node = typed.embedded().content.node()?;
        node.info().container.summary.as_ref().map(drop)
    };
    node.spec.visibility == Visibility::Summary
        && node.spec.summary.is_none()
        && of_type().is_none()
}

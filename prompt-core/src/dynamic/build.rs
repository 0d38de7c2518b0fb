//! From what is written to a node: texts are parsed, keys and tags checked, and every fault is kept with its path.
//! Bottom up and with a stack of its own, so depth does not matter.

use super::{
    check,
    node::{DynamicNode, Slot},
    spec::{GuardSpec, NodeSpec, PrioritySpec},
    written::{Read, Written, join},
};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use crate::disclosure::OPEN_SECTIONS;
use crate::node::Attribute;
use crate::node::Guarding;
use crate::node::NodeInfo;
use crate::node::Priority;
use crate::node::SectionInfo;
use crate::node::Text;
use crate::node::Title;
use crate::node::Variable;
use crate::render::Numbering;
use crate::template;
use crate::tool::ToolSpec;
use crate::visibility::Visibility;
use prompt_syntax::Code;
use prompt_syntax::{MarkKind, Options, Place, Specs};
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub(super) type Values = Map<String, Value>;

/// Builds the tree. Without values the names of variables are not checked.
pub(super) fn build(
    read: Read,
    values: Option<Arc<Values>>,
    tools: &BTreeMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let mut build = Build {
        values,
        tools,
        offered: BTreeSet::new(),
        faults: read.faults,
        visited: 0,
    };
    let node = build.tree(read.tree);
    build.faults.sort_by_key(|(order, _)| *order);
    let mut faults = Diagnostics::default();
    faults.extend(build.faults.into_iter().map(|(_, fault)| fault));
    faults.or(node)
}

struct Build<'t> {
    values: Option<Arc<Values>>,
    tools: &'t BTreeMap<String, ToolSpec>,
    offered: BTreeSet<String>,
    /// With the position of the section among all, because children are built before their parents.
    faults: Vec<(usize, Diagnostic)>,
    visited: usize,
}

/// A node whose sections are being built.
struct Open {
    spec: NodeSpec,
    path: String,
    order: usize,
    todo: std::vec::IntoIter<Written>,
    done: Vec<DynamicNode>,
    /// Paths and positions of the sections that are done.
    places: Vec<(String, usize)>,
}

impl Build<'_> {
    fn tree(&mut self, root: Written) -> DynamicNode {
        let mut stack = vec![self.open(root, String::new())];
        loop {
            let next = stack
                .last_mut()
                .and_then(|top| Some((top.todo.next()?, top.path.clone())));
            if let Some((child, parent)) = next {
                let path = join(&parent, &child.spec.key);
                let open = self.open(child, path);
                stack.push(open);
                continue;
            }
            let Some(open) = stack.pop() else {
                return self.node(self.empty(), true);
            };
            let (path, order) = (open.path.clone(), open.order);
            let node = self.node(open, stack.is_empty());
            let Some(parent) = stack.last_mut() else {
                return node;
            };
            parent.done.push(node);
            parent.places.push((path, order));
        }
    }

    fn empty(&self) -> Open {
        let (spec, order) = (NodeSpec::new(String::new()), self.visited);
        Open {
            spec,
            path: String::new(),
            order,
            todo: Vec::new().into_iter(),
            done: Vec::new(),
            places: Vec::new(),
        }
    }

    fn open(&mut self, mut written: Written, path: String) -> Open {
        let todo = written.sections.take().into_iter();
        let order = self.visited;
        self.visited += 1;
        Open {
            spec: written.spec,
            path,
            order,
            todo,
            done: Vec::new(),
            places: Vec::new(),
        }
    }

    fn node(&mut self, open: Open, is_root: bool) -> DynamicNode {
        let mut parts = Parts {
            values: self.values.clone(),
            slots: Vec::new(),
            info: NodeInfo::DEFAULT,
        };
        let Open {
            spec,
            path,
            order,
            done: sections,
            places,
            ..
        } = open;
        let mut faults = Faults {
            list: Vec::new(),
            path: &path,
        };
        check::check_keys(&sections, &mut faults);
        let fields: Vec<&str> = sections.iter().map(DynamicNode::key).collect();
        let body = dedent(&spec.body);
        parts.info.text = parts.text(&body, Place::Node, &fields, "body", &mut faults);
        if is_root {
            parts.root(&spec, &mut faults);
        }
        parts.info.end = Cow::Owned(spec.end.clone());
        parts.info.tight = spec.tight && is_root;
        parts.info.numbered = spec
            .numbering
            .map(|numbering| numbering == Numbering::Decimal);
        parts.info.summary_suffix = spec
            .summary_suffix
            .as_deref()
            .map(|text| wording(text, "summary_suffix", &mut faults));
        let tools = self.tools_of(&spec, &mut faults);
        parts.info.has_tools = is_root && !tools.is_empty();
        self.faults
            .extend(faults.list.into_iter().map(|fault| (order, fault)));
        let placed = placed(&parts.info.text);
        let mut infos = Vec::with_capacity(sections.len());
        for (index, (section, (path, order))) in sections.iter().zip(&places).enumerate() {
            let mut faults = Faults {
                list: Vec::new(),
                path,
            };
            let mut info = parts.section(section, &mut faults);
            info.placed = placed.contains(&index);
            infos.push(info);
            self.faults
                .extend(faults.list.into_iter().map(|fault| (*order, fault)));
        }
        parts.info.sections = Cow::Owned(infos);
        let values = self.values.clone().unwrap_or_default();
        DynamicNode {
            spec,
            sections: sections.into(),
            info: parts.info,
            variables: parts.slots,
            values,
            tools,
        }
    }

    fn tools_of(&mut self, spec: &NodeSpec, faults: &mut Faults<'_>) -> Vec<ToolSpec> {
        let mut tools = Vec::with_capacity(spec.tools.len());
        for name in &spec.tools {
            if name == OPEN_SECTIONS {
                let message = format!("a tool is named `{OPEN_SECTIONS}`, which is reserved");
                faults.add(
                    Code::ReservedToolName,
                    "tools",
                    message,
                    "choose another name",
                );
            } else if !self.offered.insert(name.clone()) {
                faults.add(
                    Code::DuplicateTool,
                    "tools",
                    format!("the tool `{name}` stands twice"),
                    "keep one of the two",
                );
            }
            match self.tools.get(name) {
                Some(tool) => tools.push(tool.clone()),
                None => match ToolSpec::closed(name.as_str(), "") {
                    Ok(tool) => tools.push(tool),
                    Err(error) => faults.add(Code::InvalidValue, "tools", error.to_string(), ""),
                },
            }
        }
        tools
    }
}

/// A node in the making: its description, and where its variables find their values.
struct Parts {
    values: Option<Arc<Values>>,
    slots: Vec<Slot>,
    info: NodeInfo,
}

impl Parts {
    /// What only the outermost node has: a section's tag and heading belong to the node around it.
    fn root(&mut self, spec: &NodeSpec, faults: &mut Faults<'_>) {
        check::check(spec, faults);
        check::check_root_key(spec, faults);
        let attributes = self.attributes(spec);
        let info = &mut self.info;
        info.name = Cow::Owned(spec.key.clone());
        info.key = Some(Cow::Owned(spec.key.clone())).filter(|key: &Cow<'_, str>| !key.is_empty());
        info.description = spec.description.clone().map(Cow::Owned);
        info.inline = spec.inline;
        info.level = spec.level;
        info.tag = tag(spec);
        info.attributes = attributes;
        self.info.title = spec
            .title
            .as_deref()
            .map(|title| self.inline(title, "title", faults));
        self.info.heading = spec
            .heading
            .as_deref()
            .map(|form| wording(form, "heading", faults));
    }

    fn section(&mut self, node: &DynamicNode, faults: &mut Faults<'_>) -> SectionInfo {
        let spec = &node.spec;
        check::check(spec, faults);
        if spec.visibility == Visibility::Summary && spec.summary.is_none() {
            let help = "add a `summary`, or show the section in full";
            faults.add(
                Code::SummaryMissing,
                "visibility",
                "a summarised section has no `summary`".into(),
                help,
            );
        }
        let title = match spec.title.as_deref() {
            Some(title) => Title::Explicit(self.inline(title, "title", faults)),
            None => Title::Fallback(Cow::Owned(prompt_syntax::title_case(&spec.key))),
        };
        SectionInfo {
            key: Cow::Owned(spec.key.clone()),
            field: Cow::Owned(spec.key.clone()),
            title,
            untitled: spec.untitled,
            summary: spec
                .summary
                .as_deref()
                .map(|text| self.inline(text, "summary", faults)),
            visibility: spec.visibility,
            level: spec.level,
            heading: spec
                .heading
                .as_deref()
                .map(|form| wording(form, "heading", faults)),
            tight: spec.tight,
            tag: tag(spec),
            attributes: self.attributes(spec),
            inline: spec.inline,
            indent: spec.indent,
            guarding: guarding(spec),
            untrusted: spec.untrusted,
            priority: priority(spec),
            role: spec.role,
            cache: spec.cache.map(|cache| cache.0),
            volatile: spec.volatile,
            has_tools: !spec.tools.is_empty(),
            ..SectionInfo::DEFAULT
        }
    }

    fn inline(&mut self, source: &str, part: &'static str, faults: &mut Faults<'_>) -> Text {
        self.text(source, Place::Inline, &[], part, faults)
    }

    fn text(
        &mut self,
        source: &str,
        place: Place,
        sections: &[&str],
        part: &'static str,
        faults: &mut Faults<'_>,
    ) -> Text {
        let values = self.values.clone();
        let names: Vec<&str> = values
            .iter()
            .flat_map(|values| values.keys())
            .map(String::as_str)
            .collect();
        let place = if values.is_none() && place != Place::Inline {
            Place::Free
        } else {
            place
        };
        let parsed = prompt_syntax::parse(source, &options(&names, sections, place));
        let unknown = |problem: &prompt_syntax::Problem| {
            values.is_none() && problem.code == Code::UnknownVariable
        };
        let problems = parsed
            .problems
            .into_iter()
            .filter(|problem| !problem.code.is_lint() && !unknown(problem));
        faults
            .list
            .extend(problems.map(|problem| Diagnostic::of_text(problem, faults.path, part)));
        let lowered = prompt_syntax::lower(&parsed.blocks);
        let tags: Vec<Cow<'static, str>> = lowered.tags.iter().cloned().map(Cow::Owned).collect();
        self.info.tags.to_mut().extend(tags);
        let variables: Vec<u16> = lowered
            .variables
            .iter()
            .map(|variable| self.variable(variable))
            .collect();
        let guards: Vec<u16> = lowered.guards.iter().map(|name| self.guard(name)).collect();
        let mut text = template::text(lowered);
        renumber(&mut text, &variables, &guards);
        text
    }

    /// The index of a variable of this node.
    fn variable(&mut self, variable: &prompt_syntax::Variable) -> u16 {
        let source = source_of(variable);
        let known = self
            .info
            .variables
            .iter()
            .position(|known| known.source == source);
        let missing = self.values.is_none();
        let index = known.unwrap_or_else(|| {
            self.info.variables.to_mut().push(Variable {
                source: Cow::Owned(source),
                missing,
                ..Variable::DEFAULT
            });
            self.slots.push(Slot::Value(variable.clone()));
            self.slots.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn guard(&mut self, name: &str) -> u16 {
        let index = self
            .info
            .guards
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.info.guards.to_mut().push(Cow::Owned(name.to_owned()));
                self.info.guards.len() - 1
            });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn attributes(&mut self, spec: &NodeSpec) -> Cow<'static, [Attribute]> {
        let mut attributes = Vec::with_capacity(spec.attr.len());
        for (name, value) in &spec.attr {
            let source = Cow::Owned(name.clone());
            self.info.variables.to_mut().push(Variable {
                source,
                ..Variable::DEFAULT
            });
            self.slots.push(Slot::Attribute(value.clone()));
            let variable = u16::try_from(self.slots.len() - 1).unwrap_or(u16::MAX);
            attributes.push(Attribute {
                name: Cow::Owned(name.clone()),
                variable,
            });
        }
        Cow::Owned(attributes)
    }
}

/// The faults of one section.
pub(super) struct Faults<'p> {
    list: Vec<Diagnostic>,
    path: &'p str,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, code: Code, part: &'static str, message: String, help: &str) {
        self.list
            .push(Diagnostic::new(code, self.path, part, message, help));
    }

    /// A fault of the section with this key below.
    pub(super) fn add_at(
        &mut self,
        key: &str,
        code: Code,
        part: &'static str,
        message: String,
        help: &str,
    ) {
        let path = join(self.path, key);
        self.list
            .push(Diagnostic::new(code, &path, part, message, help));
    }
}

fn options<'a>(names: &'a [&'a str], sections: &'a [&'a str], place: Place) -> Options<'a> {
    Options {
        names,
        sections,
        place,
        doc_comment: false,
        allow: &[],
        specs: Specs::Runtime,
    }
}

/// A template with variables of its own: `{title}`, or `{key}` and `{subsections}`.
fn wording(source: &str, part: &'static str, faults: &mut Faults<'_>) -> Text {
    let special = [
        ("title", Text::TITLE),
        ("key", Text::KEY),
        ("subsections", Text::SUBSECTIONS),
    ];
    let names: Vec<&str> = special.iter().map(|(name, _)| *name).collect();
    let options = options(&names, &[], Place::Inline);
    let parsed = prompt_syntax::parse(source, &options);
    faults.list.extend(
        parsed
            .problems
            .into_iter()
            .map(|problem| Diagnostic::of_text(problem, faults.path, part)),
    );
    let lowered = prompt_syntax::lower(&parsed.blocks);
    let indexes: Vec<u16> = lowered
        .variables
        .iter()
        .map(|variable| {
            special
                .iter()
                .find(|(name, _)| *name == variable.name)
                .map_or(Text::TITLE, |(_, index)| *index)
        })
        .collect();
    let mut text = template::text(lowered);
    renumber(&mut text, &indexes, &[]);
    text
}

/// Marks count through the lists of the node, not of the text.
fn renumber(text: &mut Text, variables: &[u16], guards: &[u16]) {
    let of = |list: &[u16], index: u16| list.get(usize::from(index)).copied().unwrap_or(index);
    for mark in text.marks.to_mut() {
        match &mut mark.kind {
            MarkKind::Variable(index) | MarkKind::Block(index) => *index = of(variables, *index),
            MarkKind::Guard { guard, .. } => *guard = of(guards, *guard),
            _ => {}
        }
    }
}

fn placed(text: &Text) -> BTreeSet<usize> {
    let target = |mark: &prompt_syntax::Mark| match mark.kind {
        MarkKind::Slot {
            target: prompt_syntax::Target::Section(index),
            ..
        } => Some(usize::from(index)),
        _ => None,
    };
    text.marks.iter().filter_map(target).collect()
}

fn tag(spec: &NodeSpec) -> Option<Cow<'static, str>> {
    spec.tag.clone().map(Cow::Owned)
}

fn guarding(spec: &NodeSpec) -> Guarding {
    match spec.guard {
        None => Guarding::Default,
        Some(GuardSpec::Escaped) => Guarding::Escaped,
        Some(GuardSpec::Cdata) => Guarding::Cdata,
        Some(GuardSpec::Strict) => Guarding::Strict,
    }
}

fn priority(spec: &NodeSpec) -> Option<Priority> {
    match spec.priority? {
        PrioritySpec::Required => Some(Priority::Required),
        PrioritySpec::Level(level) => Some(Priority::Level(level)),
    }
}

/// The common indentation of non-blank lines goes.
fn dedent(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines = || text.split('\n');
    let common = lines()
        .filter(|line| !line.trim().is_empty())
        .map(blanks)
        .min()
        .unwrap_or(0);
    let cut = |line: &str| {
        line.get(common.min(blanks(line))..)
            .unwrap_or_default()
            .to_owned()
    };
    lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// `name.field:spec`.
fn source_of(variable: &prompt_syntax::Variable) -> String {
    let mut source = variable.name.clone();
    for field in &variable.path {
        source.push('.');
        source.push_str(field);
    }
    if !variable.spec.is_empty() {
        source.push(':');
        source.push_str(&variable.spec);
    }
    source
}

//! From what is written to a node: texts are parsed, keys and tags checked, and every fault is kept with its path.
//! Bottom up and with a stack of its own, so depth does not matter.

use super::{
    check::{self, Faults},
    node::{Built, DynamicNode, EmbeddedValue, Embeds, Source},
    path::{Names, Slip, path_of},
    spec::{NodeSpec, VarSpec},
    straight::course,
    template::{Form, Forms, ITEM_NAMES, ListForm, Template, Use},
    value::{Value, Values},
    written::{Read, Written, join, step},
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{
    Attribute, AttributeSource, ConditionInfo, Container, Heading, Items, Markup, NodeInfo, Policy,
    SectionInfo, SectionKeys, Str, Tags, Text, Title, ValueTreatment, Variable,
};
use crate::print::Numbering;
use crate::tool::OPEN_SECTIONS;
use crate::tool::ToolSpec;
use prompt_syntax::{
    Code, Element, Elements, Inline, InlineText, LoweredText, Lowering, MarkKind, Options, Parsed,
    Place, Special, Specs, Target, UseKind,
};
use serde::Deserialize;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// Builds the tree. Without values the names of variables are not checked.
pub(super) fn build(
    read: Read,
    values: Option<Arc<Values>>,
    tools: &HashMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let mut build = Build {
        names: Names::new(values),
        forms: Arc::default(),
        tools,
        offered: BTreeSet::new(),
        faults: read.faults,
        hints: Vec::new(),
        used: BTreeSet::new(),
        visited: 0,
    };
    let node = build.tree(read.tree);
    // In the order of the file, where all have lines; else in that of the sections.
    let by_line = build.faults.iter().all(|(_, fault)| fault.line.is_some());
    build.faults.sort_by_key(|(order, fault)| match fault.line {
        Some(line) if by_line => line,
        _ => *order,
    });
    let mut faults = Diagnostics::default();
    faults.extend(build.faults.into_iter().map(|(_, fault)| fault));
    faults.or(node)
}

struct Build<'t> {
    names: Names,
    forms: Arc<Forms>,
    tools: &'t HashMap<String, ToolSpec>,
    offered: BTreeSet<String>,
    /// With the position of the section among all, because children are built before their parents.
    faults: Vec<(usize, Diagnostic)>,
    /// What is no fault, of the node that is being built.
    hints: Vec<Diagnostic>,
    /// The values with forms that some text names.
    used: BTreeSet<String>,
    visited: usize,
}

/// What only one text knows: its names, and the list whose items it is about.
#[derive(Clone, Copy)]
struct Local<'l> {
    names: &'l [&'l str],
    list: Option<&'l Use>,
}

impl Local<'_> {
    const NONE: Self = Self {
        names: &[],
        list: None,
    };
}

/// A node whose sections are being built.
struct Open {
    written: Written,
    /// How many bytes of the path belong to the nodes around it.
    around: usize,
    order: usize,
    todo: std::vec::IntoIter<Written>,
    done: Vec<DynamicNode>,
    /// Positions of the sections that are done.
    orders: Vec<usize>,
}

impl Build<'_> {
    fn tree(&mut self, root: Written) -> DynamicNode {
        let mut faults = Faults::new("", &root.lines);
        self.forms = Arc::new(self.forms_of(&root.spec, &mut faults));
        self.faults
            .extend(faults.list.into_iter().map(|fault| (0, fault)));
        let mut stack = Vec::new();
        // The path of what is open, one for all: a path kept for each level would make depth quadratic.
        let mut path = String::new();
        let mut open = self.open(root, 0);
        loop {
            if let Some(child) = open.todo.next() {
                let around = path.len();
                path = join(path, &step(&child.spec.key, open.done.len()));
                let inner = self.open(child, around);
                stack.push(std::mem::replace(&mut open, inner));
                continue;
            }
            let (around, order) = (open.around, open.order);
            let Some(parent) = stack.pop() else {
                return self.node(open, &path, true);
            };
            let node = self.node(open, &path, false);
            path.truncate(around);
            open = parent;
            open.done.push(node);
            open.orders.push(order);
        }
    }

    fn open(&mut self, mut written: Written, around: usize) -> Open {
        let todo = written.sections.take().into_iter();
        let order = self.visited;
        self.visited += 1;
        Open {
            written,
            around,
            order,
            todo,
            done: Vec::new(),
            orders: Vec::new(),
        }
    }

    fn node(&mut self, open: Open, path: &str, is_root: bool) -> DynamicNode {
        let Open {
            written,
            order,
            done: sections,
            orders,
            ..
        } = open;
        let Written {
            spec, typed, lines, ..
        } = written;
        let mut faults = Faults::new(path, &lines);
        let is_hollow = typed.is_some() || spec.value_name().is_some();
        check::keys_of(&sections, &mut faults);
        check::hollow(&spec, typed.is_some(), sections.len(), &mut faults);
        if is_root {
            check::root(&spec, typed.is_some(), &mut faults);
        }
        let fields: Vec<&str> = sections.iter().map(DynamicNode::key).collect();
        let mut parts = Parts::new(self, &fields);
        let mut info = NodeInfo::DEFAULT;
        // The body of a section that embeds something is its introduction: the node around it prints it.
        if !is_hollow || is_root {
            info.text = parts.body(&spec.body, Place::Node, &fields, &mut faults);
        }
        info.container = parts.container(&spec, is_root, &mut faults);
        let tools = parts.build.tools_of(&spec, &mut faults);
        info.container.has_tools = is_root && !tools.is_empty();
        let placed = placed(&info.text);
        let mut infos = Vec::with_capacity(sections.len());
        let mut embeds = Vec::with_capacity(sections.len());
        if !spec.node.append.0 && !takes_all(&info.text) {
            check::unplaced(&sections, &placed, &mut faults);
        }
        parts.add_faults(order, faults);
        for (index, (section, order)) in sections.iter().zip(orders).enumerate() {
            let mut faults = Faults::below(path, section, index);
            let is_placed = placed.binary_search(&index).is_ok();
            let (section, embed) = parts.section(index, section, is_placed, &mut faults);
            infos.push(section);
            embeds.push(embed);
            parts.add_faults(order, faults);
        }
        info.sections = Cow::Owned(infos);
        if is_root {
            info.name = Cow::Owned(spec.key.clone());
        }
        let mut built = parts.finish(info, embeds);
        built.course = course(&built.info, &built.embeds, &sections);
        built.hints = std::mem::take(&mut self.hints);
        if is_root {
            built.hints.extend(self.unused_forms());
        }
        DynamicNode {
            spec,
            typed,
            lines,
            sections: sections.into(),
            built: Arc::new(built),
            values: self.names.values.clone(),
            forms: Arc::clone(&self.forms),
            tools,
        }
    }

    fn tools_of(&mut self, spec: &NodeSpec, faults: &mut Faults<'_>) -> Vec<ToolSpec> {
        let mut tools = Vec::with_capacity(spec.policy.tools.len());
        for name in &spec.policy.tools {
            if name == OPEN_SECTIONS {
                let message = format!("a tool is named `{OPEN_SECTIONS}`, which is reserved");
                faults.add(
                    Code::ReservedToolName,
                    "tools",
                    message,
                    "choose another name",
                );
            } else if !self.offered.insert(name.clone()) {
                let message = format!("the tool `{name}` stands twice");
                faults.add(Code::DuplicateTool, "tools", message, "keep one of the two");
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

    /// The forms of values: `vars` of the root.
    fn forms_of(&mut self, root: &NodeSpec, faults: &mut Faults<'_>) -> Forms {
        let mut forms = Forms::default();
        for (name, written) in &root.node.vars {
            match VarSpec::deserialize(written) {
                Ok(spec) => forms.insert(name.clone(), self.form(name, &spec, faults)),
                Err(error) => {
                    let message = format!("`{name}`: {error}");
                    faults.add(Code::InvalidInput, "vars", message, "");
                }
            }
            if let Some(slip) = self.names.of_value(name) {
                faults.add_slip(slip, "vars");
            }
        }
        forms
    }

    fn form(&mut self, name: &str, spec: &VarSpec, faults: &mut Faults<'_>) -> Form {
        let of_list = Local {
            names: &ITEM_NAMES,
            list: Some(&Use::named(name)),
        };
        let mut alone = |source: &str, local| self.alone(source, "vars", local, faults);
        let has_list = spec.item.is_some() || spec.join.is_some() || spec.last.is_some();
        let list = has_list.then(|| ListForm {
            item: spec.item.as_ref().map(|item| alone(item, of_list)),
            join: spec.join.clone().unwrap_or_else(|| "\n".to_owned()),
            last: spec.last.clone(),
        });
        let some = spec.some.as_ref().map(|some| {
            let (before, after) = some.split_once("{}").unwrap_or((some, ""));
            (alone(before, Local::NONE), alone(after, Local::NONE))
        });
        let mut optional =
            |source: &Option<String>| source.as_ref().map(|text| alone(text, Local::NONE));
        Form {
            default: optional(&spec.default),
            yes: optional(&spec.yes),
            no: optional(&spec.no),
            some,
            list,
            ..Form::of(spec)
        }
    }

    /// A template with tables of its own.
    fn alone(
        &mut self,
        source: &str,
        part: &'static str,
        local: Local<'_>,
        faults: &mut Faults<'_>,
    ) -> Template {
        let parsed = self.parse(source, Place::Inline, &[], local, part, faults);
        let lowered = prompt_syntax::lower(&parsed.elements, &[]);
        Template {
            variables: lowered.variables.iter().map(Use::from).collect(),
            conditions: lowered.conditions.iter().map(Use::from).collect(),
            text: Text {
                literal: Cow::Owned(lowered.literal),
                marks: Cow::Owned(lowered.marks),
                base: lowered.base,
                end: lowered.end,
            },
        }
    }

    /// Reads a text.
    fn parse(
        &mut self,
        source: &str,
        place: Place,
        sections: &[&str],
        local: Local<'_>,
        part: &'static str,
        faults: &mut Faults<'_>,
    ) -> Parsed {
        let values = self.names.values.clone();
        let names = self.names_for(source, values.as_deref(), sections, local.names);
        let options = |names, place| Options {
            names,
            sections,
            specs: Specs::Runtime,
            ..Options::new(place)
        };
        let parsed = match (&values, place) {
            (None, Place::Node) => prompt_syntax::parse_free(source, &options(&[], Place::Free)),
            _ => prompt_syntax::parse(source, &options(&names, place)),
        };
        for problem in &parsed.problems {
            if problem.code.is_hint() {
                let hint = check::with_remedy(problem.clone());
                self.hints
                    .push(Diagnostic::of_text(hint, &faults.path(), part));
            } else if !problem.code.is_lint() {
                faults.add_problem(problem.clone(), part);
            }
        }
        let names_used = parsed.uses.iter().map(|used| &used.name);
        let with_forms = names_used.filter(|name| self.forms.contains(name));
        self.used.extend(with_forms.cloned());
        self.check_paths(&parsed, local, part, faults);
        self.check_specs(&parsed, local.names, part, faults);
        parsed
    }

    /// The names that a text may use. Only those that stand behind one of its braces can matter, so that a tree with
    /// many values and many texts stays linear; where one of them is unknown, all names are given, for the nearest.
    fn names_for<'n>(
        &mut self,
        source: &'n str,
        values: Option<&'n Values>,
        sections: &[&str],
        local: &[&'n str],
    ) -> Vec<&'n str> {
        let used = names_behind_braces(source);
        let Some(values) = values else {
            return used.into_iter().chain(local.iter().copied()).collect();
        };
        let sections: BTreeSet<&str> = sections.iter().copied().collect();
        let is_known = |name: &str| {
            values.contains_key(name) || local.contains(&name) || sections.contains(name)
        };
        if used.iter().all(|name| is_known(name)) || !self.names.compares(values.len()) {
            let of_values = used.into_iter().filter(|name| values.contains_key(name));
            return of_values.chain(local.iter().copied()).collect();
        }
        values.keys().chain(local.iter().copied()).collect()
    }

    /// A path leads to something: a field that is not there is a slip. In a text about the items of a list `item` begins
    /// a path, too.
    fn check_paths(
        &mut self,
        parsed: &Parsed,
        local: Local<'_>,
        part: &'static str,
        faults: &mut Faults<'_>,
    ) {
        for used in &parsed.uses {
            // What a condition asks for, or what stands behind one, may be absent.
            let may_lack = match used.kind {
                UseKind::Variable { is_guarded, .. } => is_guarded,
                _ => true,
            };
            let names = &mut self.names;
            let slip = match local.list {
                Some(list) if used.name == "item" => names.of_item(list, &used.path, may_lack),
                _ if local.names.contains(&used.name.as_str()) => None,
                _ => names.of_path(&used.name, &used.path, may_lack),
            };
            if let Some(Slip { message, help }) = slip {
                let path = faults.path();
                let fault = Diagnostic::new(Code::UnknownVariable, &path, part, message, help);
                faults.push_at(fault, used.line, used.column);
            }
        }
    }

    /// A format spec says something of what the value's form prints.
    fn check_specs(
        &self,
        parsed: &Parsed,
        local: &[&str],
        part: &'static str,
        faults: &mut Faults<'_>,
    ) {
        for used in &parsed.uses {
            let UseKind::Variable {
                spec: Some(spec), ..
            } = &used.kind
            else {
                continue;
            };
            let is_whole = used.path.is_empty() && !local.contains(&used.name.as_str());
            let form = self.forms.get(&used.name).filter(|_| is_whole);
            let Some(key) = form
                .and_then(check::without_spec)
                .filter(|_| !spec.is_empty())
            else {
                continue;
            };
            let path = faults.path();
            let fault = check::idle_spec(spec, key, &path, part);
            faults.push_at(fault, used.line, used.column);
        }
    }

    /// Forms of values that no text of the tree names.
    fn unused_forms(&self) -> impl Iterator<Item = Diagnostic> {
        let is_unused = |name: &&str| !self.used.contains(*name);
        self.forms.names().filter(is_unused).map(|name| {
            let message = format!("`vars` says how `{name}` prints, and no text uses it");
            let help = "use it in a text, or remove the entry";
            Diagnostic::new(Code::UnusedVariable, "", "vars", message, help)
        })
    }

    /// A key of a section names a value that is there.
    fn check_value(
        &mut self,
        value: &Use,
        part: &'static str,
        may_lack: bool,
        faults: &mut Faults<'_>,
    ) {
        let slip = self.names.of_value(&value.name);
        let slip = slip.or_else(|| self.names.of_path(&value.name, &value.path, may_lack));
        if let Some(slip) = slip {
            faults.add_slip(slip, part);
        }
    }
}

/// A node in the making: its tables, and where its variables find their values.
struct Parts<'b, 't> {
    build: &'b mut Build<'t>,
    lowering: Lowering,
    /// Its sections by key, each with its first place.
    sections: BTreeMap<String, usize>,
    /// What no text names and yet stands in the table of variables, by its index there: attributes, whole lists.
    reserved: Vec<Option<Source>>,
}

impl<'b, 't> Parts<'b, 't> {
    fn new(build: &'b mut Build<'t>, fields: &[&str]) -> Self {
        let mut sections = BTreeMap::new();
        for (index, key) in fields.iter().enumerate() {
            sections.entry((*key).to_owned()).or_insert(index);
        }
        Self {
            build,
            lowering: Lowering::new(fields),
            sections,
            reserved: Vec::new(),
        }
    }

    fn body(
        &mut self,
        source: &str,
        place: Place,
        sections: &[&str],
        faults: &mut Faults<'_>,
    ) -> Text {
        let source = dedent(source);
        let parsed = self
            .build
            .parse(&source, place, sections, Local::NONE, "body", faults);
        text(self.lowering.text(&parsed.elements))
    }

    /// A template in which some names stand for what only the renderer knows, and `item` for an item of the list of
    /// this section.
    fn template(
        &mut self,
        source: &str,
        specials: &[Special],
        list: Option<(usize, &Use)>,
        part: &'static str,
        faults: &mut Faults<'_>,
    ) -> Text {
        // A short form has blocks; the others are one run of text.
        let place = if part == "summary" {
            Place::Introduction
        } else {
            Place::Inline
        };
        let mut names: Vec<&str> = specials.iter().map(|special| special.name()).collect();
        if list.is_some() {
            names.extend(ITEM_NAMES);
        }
        let local = Local {
            names: &names,
            list: list.map(|(_, list)| list),
        };
        let used = names_behind_braces(source);
        let sections: Vec<&str> = used
            .into_iter()
            .filter(|name| self.sections.contains_key(*name))
            .collect();
        let parsed = self
            .build
            .parse(source, place, &sections, local, part, faults);
        let elements = match list {
            Some((index, _)) => parsed.elements.map(|element| of_list(element, index)),
            None => parsed.elements,
        };
        text(self.lowering.template(&elements, specials))
    }

    fn inline(&mut self, source: &str, part: &'static str, faults: &mut Faults<'_>) -> Text {
        self.template(source, &[], None, part, faults)
    }

    /// An index in the table of variables for something that no text names.
    fn reserve(&mut self, name: String, source: Source) -> u16 {
        let piece = Inline::Variable {
            name: Cow::Owned(name),
            path: Cow::Borrowed(""),
            spec: None,
        };
        let only = Element::text(InlineText::from_iter([piece]));
        let lowered = self.lowering.text(&Elements::from_iter([only]));
        let index = lowered.marks.iter().find_map(|mark| match mark.kind {
            MarkKind::Variable(index) | MarkKind::Block(index) => Some(index),
            _ => None,
        });
        self.reserved
            .resize_with(self.lowering.variables().len(), || None);
        let place = index.and_then(|index| self.reserved.get_mut(usize::from(index)));
        if let Some(place) = place {
            *place = Some(source);
        }
        index.unwrap_or(u16::MAX)
    }

    /// What a node says of itself. Its tag and heading belong to the node around it, if there is one.
    fn container(&mut self, spec: &NodeSpec, is_root: bool, faults: &mut Faults<'_>) -> Container {
        let own = &spec.node;
        self.read_literal(&own.start);
        self.read_literal(&own.end);
        for form in own.vars.values().filter_map(serde_json::Value::as_object) {
            let words = form.values().filter_map(serde_json::Value::as_str);
            words.for_each(|words| self.read_literal(words));
        }
        let suffix = [Special::Key, Special::Subsections];
        let summary_suffix = own
            .summary_suffix
            .as_deref()
            .map(|source| self.template(source, &suffix, None, "summary_suffix", faults));
        let of_all = Container {
            start: Cow::Owned(own.start.clone()),
            end: Cow::Owned(own.end.clone()),
            numbered: own
                .numbering
                .map(|numbering| numbering == Numbering::Decimal),
            description: spec.description.clone().map(Cow::Owned),
            summary_suffix,
            ..Container::DEFAULT
        };
        if !is_root {
            return of_all;
        }
        check::check(spec, faults);
        let key = Some(Cow::Owned(spec.key.clone()));
        let title = spec.title.as_deref();
        let summary = spec.summary.as_deref();
        Container {
            key: key.filter(|key: &Str| !key.is_empty()),
            title: title.map(|source| self.inline(source, "title", faults)),
            summary: summary.map(|source| self.inline(source, "summary", faults)),
            markup: self.markup(spec, None),
            heading: self.heading(spec, faults),
            ..of_all
        }
    }

    fn section(
        &mut self,
        index: usize,
        node: &DynamicNode,
        placed: bool,
        faults: &mut Faults<'_>,
    ) -> (SectionInfo, Embeds) {
        let spec = &node.spec;
        check::check(spec, faults);
        check::summary(node, faults);
        self.check_when(spec, faults);
        let value = spec.value_name().map(Use::path);
        let list = value.as_ref().map(|value| (index, value));
        let words = || Cow::Owned(prompt_syntax::title_case(&spec.key));
        let title = match spec.title.as_deref() {
            Some(title) => Title::Explicit(self.inline(title, "title", faults)),
            None if spec.untitled => Title::Untitled(words()),
            None => Title::Fallback(words()),
        };
        let embeds = self.embeds(index, node, value.as_ref(), faults);
        let is_hollow = !matches!(embeds, Embeds::Own);
        let summary = spec.summary.as_deref();
        let heading = self.heading(spec, faults);
        let intro = if is_hollow {
            self.body(&spec.body, Place::Introduction, &[], faults)
        } else {
            Text::EMPTY
        };
        let empty = spec.items.empty.as_deref();
        let keys = SectionKeys {
            heading,
            summary: summary.map(|source| self.template(source, &[], list, "summary", faults)),
            visibility: spec.visibility,
            empty: empty.map(|source| self.inline(source, "empty", faults)),
            placed,
            markup: self.markup(spec, Some(index)),
            policy: policy(spec),
            items: self.items(spec, index, &embeds, faults),
        };
        let info = SectionInfo {
            key: Cow::Owned(spec.key.clone()),
            field: Cow::Owned(spec.key.clone()),
            title,
            intro,
            said: keys.into(),
            location: None,
        };
        (info, embeds)
    }

    /// What a section embeds besides a text of its own.
    fn embeds(
        &mut self,
        index: usize,
        node: &DynamicNode,
        value: Option<&Use>,
        faults: &mut Faults<'_>,
    ) -> Embeds {
        let spec = &node.spec;
        if let Some(typed) = &node.typed {
            return Embeds::Typed(Arc::clone(typed));
        }
        let Some(value) = value else {
            return Embeds::Own;
        };
        self.build.check_value(value, "value", false, faults);
        let local = Local {
            names: &ITEM_NAMES,
            list: Some(value),
        };
        let item = spec.items.item.as_deref();
        let list = ListForm {
            item: item.map(|source| {
                self.read_tags(source, index);
                self.build.alone(source, "item", local, faults)
            }),
            join: spec.items.join.clone().unwrap_or_else(|| "\n".to_owned()),
            last: spec.items.last.clone(),
        };
        let name = format!("{index} list");
        let variable = self.reserve(name, Source::List(index));
        Embeds::Value(Box::new(EmbeddedValue {
            value: value.clone(),
            list,
            variable,
        }))
    }

    /// The tags in a template that has tables of its own belong to the node all the same.
    fn read_tags(&mut self, source: &str, index: usize) {
        let names: Vec<&str> = names_behind_braces(source).into_iter().collect();
        let options = Options {
            names: &names,
            ..Options::new(Place::Inline)
        };
        let parsed = prompt_syntax::parse(source, &options);
        self.lowering
            .text(&parsed.elements.map(|element| of_list(element, index)));
    }

    /// The same of words that print as they stand.
    fn read_literal(&mut self, words: &str) {
        if words.contains('<') {
            let text = InlineText::from(words.to_owned());
            self.lowering
                .text(&Elements::from_iter([Element::text(text)]));
        }
    }

    fn add_faults(&mut self, order: usize, faults: Faults<'_>) {
        let faults = faults.list.into_iter().map(|fault| (order, fault));
        self.build.faults.extend(faults);
    }

    fn items(
        &mut self,
        spec: &NodeSpec,
        index: usize,
        embeds: &Embeds,
        faults: &mut Faults<'_>,
    ) -> Items {
        let items = &spec.items;
        let Embeds::Value(embedded) = embeds else {
            return Items::DEFAULT;
        };
        let list = &embedded.value;
        let joins = items.join.iter().chain(&items.last);
        joins.for_each(|words| self.read_literal(words));
        let title = items.title.as_deref();
        let title = title
            .map(|source| self.template(source, &[], Some((index, list)), "item_title", faults));
        let key = items.key.as_deref().map(|field| {
            let path = field.strip_prefix("item.").unwrap_or(field);
            let used = Use::path(&format!("item.{path}"));
            if let Some(slip) = self.build.names.of_item(list, &used.path, false) {
                faults.add_slip(slip, "item_key");
            }
            self.reserve(format!("{index} key"), Source::Item(used, index))
        });
        let is_named = title.is_some() || key.is_some();
        Items {
            whole: items.item.is_some() && !is_named && items.tag.is_none(),
            title,
            key,
            untitled: items.untitled,
            tag: items.tag.clone().map(Cow::Owned),
            join: items.join.clone().map(Cow::Owned),
            last: items.last.clone().map(Cow::Owned),
        }
    }

    fn heading(&mut self, spec: &NodeSpec, faults: &mut Faults<'_>) -> Heading {
        let heading = &spec.heading;
        let form = heading.form.as_deref();
        Heading {
            form: form
                .map(|source| self.template(source, &[Special::Title], None, "heading", faults)),
            level: heading.level,
            tight: heading.tight,
            gap: heading.gap,
        }
    }

    fn markup(&mut self, spec: &NodeSpec, section: Option<usize>) -> Markup {
        let markup = &spec.markup;
        let owner = section.map_or_else(|| "root".to_owned(), |index| index.to_string());
        let attribute = |(name, value): (&String, &serde_json::Value)| {
            let source = Source::Attribute(Value::of(value).unwrap_or(Value::Null));
            let index = self.reserve(format!("{owner} attr {name}"), source);
            Attribute {
                name: Cow::Owned(name.clone()),
                value: AttributeSource::Variable(index),
            }
        };
        Markup {
            tag: markup.tag.clone().map(Cow::Owned),
            attributes: Cow::Owned(markup.attr.iter().map(attribute).collect()),
            inline: markup.inline,
            indent: markup.indent,
            guarding: markup.guard.into(),
            untrusted: markup.untrusted,
        }
    }

    /// The value that decides whether the section is there has a name.
    fn check_when(&mut self, spec: &NodeSpec, faults: &mut Faults<'_>) {
        let Some((_, name, path)) = spec.when.asks() else {
            return;
        };
        if self.build.names.values.is_some() {
            let value = Use {
                path,
                ..Use::named(name)
            };
            self.build.check_value(&value, "when", true, faults);
        } else {
            // Until it is bound the node cannot be printed.
            self.reserve(name.to_owned(), Source::Value(Use::named(name)));
        }
    }

    fn finish(self, mut info: NodeInfo, embeds: Vec<Embeds>) -> Built {
        let Self {
            build,
            lowering,
            sections,
            reserved,
        } = self;
        let mut reserved = reserved.into_iter();
        let (mut variables, mut sources) = (Vec::new(), Vec::new());
        for variable in lowering.variables() {
            let found = reserved.next().flatten();
            let source = found.unwrap_or_else(|| source_of(Use::from(variable)));
            let form = match &source {
                Source::Value(used) => build.forms.get(&used.name),
                _ => None,
            };
            let treatment = form.and_then(|form| form.treatment);
            variables.push(Variable {
                source: Cow::Owned(written(variable)),
                description: form
                    .and_then(|form| form.description.clone())
                    .map(Cow::Owned),
                treatment: treatment.unwrap_or(ValueTreatment::USUAL),
                optional: false,
                missing: build.names.values.is_none()
                    && matches!(
                        source,
                        Source::Value(_) | Source::Item(..) | Source::List(_)
                    ),
            });
            sources.push(source);
        }
        let (mut asked, mut conditions) = (Vec::new(), Vec::new());
        for condition in lowering.conditions() {
            let used = Use::from(condition);
            let section = sections.get(&used.name).filter(|_| used.path.is_empty());
            asked.push(ConditionInfo {
                source: Cow::Owned(path_of(unqualified(&used.name), &used.path)),
                section: section.and_then(|index| u16::try_from(*index).ok()),
            });
            conditions.push(source_of(used));
        }
        let owned = |name: &str| Cow::Owned(name.to_owned());
        info.tags = Tags {
            opens: lowering.opens().map(owned).collect(),
            closes: lowering.closes().map(owned).collect(),
            values: lowering.values_in_tags(),
        };
        info.variables = Cow::Owned(variables);
        info.conditions = Cow::Owned(asked);
        Built {
            info: Arc::new(info),
            sources,
            conditions,
            embeds,
            hints: Vec::new(),
            course: None,
        }
    }
}

/// Two lists of a node both have an `item`: in the tables of the node each carries the number of its section.
fn of_list(element: Element, index: usize) -> Element {
    let qualified = |name: Cow<'static, str>| {
        if ITEM_NAMES.contains(&name.as_ref()) {
            Cow::Owned(format!("{index} {name}"))
        } else {
            name
        }
    };
    let piece = |piece: Inline| match piece {
        Inline::Variable { name, path, spec } => {
            let name = qualified(name);
            Inline::Variable { name, path, spec }
        }
        Inline::If {
            name,
            path,
            negated,
            form,
        } => {
            let name = qualified(name);
            Inline::If {
                name,
                path,
                negated,
                form,
            }
        }
        Inline::End { name, path, form } => {
            let name = qualified(name);
            Inline::End { name, path, form }
        }
        other => other,
    };
    match element {
        Element::Text { text, metadata } => Element::Text {
            text: text.into_iter().map(piece).collect(),
            metadata,
        },
        other => other,
    }
}

/// The name that was written.
fn unqualified(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

fn source_of(used: Use) -> Source {
    let number = used.name.split_once(' ');
    match number.and_then(|(number, name)| Some((number.parse().ok()?, name.to_owned()))) {
        Some((index, name)) => Source::Item(Use { name, ..used }, index),
        None => Source::Value(used),
    }
}

/// `name.field:spec`.
fn written(variable: &prompt_syntax::Variable) -> String {
    let mut source = path_of(unqualified(&variable.name), &variable.path);
    if let Some(spec) = &variable.spec {
        source.push(':');
        source.push_str(spec);
    }
    source
}

pub(super) fn text(lowered: LoweredText) -> Text {
    Text {
        literal: Cow::Owned(lowered.literal),
        marks: Cow::Owned(lowered.marks),
        base: lowered.base,
        end: lowered.end,
    }
}

fn policy(spec: &NodeSpec) -> Policy {
    let policy = &spec.policy;
    Policy {
        priority: policy.priority.map(|priority| priority.0),
        role: policy.role,
        cache: policy.cache.map(|cache| cache.0),
        volatile: policy.volatile,
        has_tools: !policy.tools.is_empty(),
    }
}

/// The identifiers that stand behind braces, with what a condition or a slip may put in between; each once.
pub(super) fn names_behind_braces(source: &str) -> BTreeSet<&str> {
    let end = |rest: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        rest.find(|c| !is_part(c)).unwrap_or(rest.len())
    };
    let behind = source.split('{').skip(1).flat_map(|rest| {
        let rest = rest.trim_start_matches(['?', '!', '/', '`', ' ', '\t']);
        let raw = rest.strip_prefix("r#").unwrap_or_default();
        [rest, raw].map(|rest| rest.get(..end(rest)).unwrap_or_default())
    });
    let is_name = |name: &&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    behind.filter(is_name).collect()
}

fn slots(text: &Text) -> impl Iterator<Item = Target> {
    text.marks.iter().filter_map(|mark| match mark.kind {
        MarkKind::Slot { target, .. } => Some(target),
        _ => None,
    })
}

/// The indices of the sections that have a place of their own, in order.
pub(super) fn placed(text: &Text) -> Vec<usize> {
    let section = |target| match target {
        Target::Section(index) => Some(usize::from(index)),
        _ => None,
    };
    let mut placed: Vec<usize> = slots(text).filter_map(section).collect();
    placed.sort_unstable();
    placed
}

fn takes_all(text: &Text) -> bool {
    slots(text).any(|target| target == Target::Subtree)
}

/// The common indentation of non-blank lines goes.
fn dedent(text: &str) -> Cow<'_, str> {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines = || text.split('\n');
    let common = lines()
        .filter(|line| !line.trim().is_empty())
        .map(blanks)
        .min()
        .unwrap_or(0);
    if common == 0 {
        return Cow::Borrowed(text);
    }
    let cut = |line: &'_ str| {
        line.get(common.min(blanks(line))..)
            .unwrap_or_default()
            .to_owned()
    };
    Cow::Owned(lines().map(cut).collect::<Vec<_>>().join("\n"))
}

//! From a tree as it is written to one that prints: texts are parsed and numbered, and every fault is kept with its place.

use super::{
    fault::{Faults, Spot},
    given::{Data, Entry, Given},
    keys::Keys,
    names::{Found, Lists, Names, Slip},
    node::{Built, Decision, DynamicNode, Tree, join, step},
    place::Source as File,
    rules,
    scope::{Base, Cut, Form, Forms, Layout, List, ListForm, Of, Source, Sources, Template},
    value::{ValuePath, Values, joined},
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::message::Role;
use crate::node::{
    Attribute, AttributeSource, ConditionInfo, Container, Hang, Heading, Items, LoopInfo, Markup,
    NodeInfo, Policy, Priority, SectionInfo, SectionKeys, Tags, Title, ValueTreatment, Variable,
};
use crate::tool::{OPEN_SECTIONS, ToolSpec};
use crate::visibility::Visibility;
use crate::xml::Guarding;
use prompt_syntax::{
    Code, Element, Elements, Inline, InlineText, Options, Origin, Parsed, Place, Special, Specs,
    Tables, Target, Text, UseKind, Used, ValuePlace, book::Holder,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The names that a text about an item knows.
const ITEM_NAMES: [&str; 3] = ["item", "index", "index0"];

/// Builds a tree. Without values the names of variables are not checked.
pub(super) fn build(
    mut root: DynamicNode,
    faults: Faults,
    file: Option<&Arc<File>>,
    values: Option<Arc<Values>>,
    tools: &HashMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let mut build = Build {
        names: Names::new(values.clone()),
        tree: Arc::default(),
        tools,
        offered: BTreeSet::new(),
        faults,
        hints: Vec::new(),
        used: BTreeSet::new(),
        allow: Vec::new(),
        deny: Vec::new(),
    };
    rules::check(&mut root, "", Holder::FileRoot, &mut build.faults);
    build.allow = build.codes(&root, "allow");
    build.deny = build.codes(&root, "deny");
    let forms = build.forms(&root);
    build.tree = Arc::new(Tree {
        values,
        forms,
        file: file.cloned(),
    });
    build.node(&mut root, "", true);
    build.say_unused(&mut root);
    rules::check_denied(&root, "", &build.deny, &mut build.faults);
    if build.faults.is_empty() {
        Ok(root)
    } else {
        Err(build.faults.located(file.map(|file| &**file)))
    }
}

/// Builds a tree that was built before, with other values, tools or typed nodes.
pub(super) fn again(
    node: DynamicNode,
    values: Option<Arc<Values>>,
    tools: &HashMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let file = node.built().tree.file.clone();
    build(node, Faults::default(), file.as_ref(), values, tools)
}

struct Build<'t> {
    names: Names,
    tree: Arc<Tree>,
    tools: &'t HashMap<String, ToolSpec>,
    offered: BTreeSet<String>,
    faults: Faults,
    /// What is no fault, of the node that is being built.
    hints: Vec<Diagnostic>,
    /// The forms that some text uses.
    used: BTreeSet<usize>,
    allow: Vec<Code>,
    deny: Vec<Code>,
}

/// The keys that give each item of a list a place of its own.
const PLACES: [&str; 3] = ["item_title", "item_key", "item_tag"];

/// What only one text knows: its names, and the list whose items it is about.
#[derive(Clone, Copy)]
struct Local<'l> {
    names: &'l [&'l str],
    list: Option<&'l ValuePath>,
}

impl<'l> Local<'l> {
    const NONE: Self = Self {
        names: &[],
        list: None,
    };

    fn items_of(list: &'l ValuePath) -> Self {
        Self {
            names: &ITEM_NAMES,
            list: Some(list),
        }
    }
}

impl Build<'_> {
    /// Builds a node, and then those below it.
    fn node(&mut self, node: &mut DynamicNode, path: &str, is_root: bool) {
        let of_sections = self.describe(node, path, is_root);
        for (index, faults) in of_sections.into_iter().enumerate() {
            self.faults.extend(faults);
            let section = &mut node.sections[index];
            let path = join(path, &step(section.key(), index));
            self.node(section, &path, false);
        }
    }

    /// Makes the description of a node; gives the faults of its sections, which stand behind those of sections before
    /// them.
    fn describe(&mut self, node: &mut DynamicNode, path: &str, is_root: bool) -> Vec<Faults> {
        let mut of_sections = Vec::with_capacity(node.sections.len());
        for (index, section) in node.sections.iter_mut().enumerate() {
            let path = join(path, &step(section.key(), index));
            let mut faults = Faults::default();
            rules::check(section, &path, Holder::FileSection, &mut faults);
            of_sections.push(faults);
        }
        let node = &mut *node;
        let built = self.built(node, path, is_root, &mut of_sections);
        node.built = Some(Arc::new(built));
        of_sections
    }

    fn built(
        &mut self,
        node: &DynamicNode,
        path: &str,
        is_root: bool,
        of_sections: &mut [Faults],
    ) -> Built {
        let keys = &node.keys;
        let fields: Vec<&str> = node.sections.iter().map(DynamicNode::key).collect();
        let tools = self.tools_of(node, path);
        let mut texts = Texts::new(self, &fields, path, &node.sections);
        let mut info = NodeInfo::DEFAULT;
        // The body of a section that embeds something is its introduction: the node around it prints it.
        if is_root || node.typed.is_none() && node.value_name().is_none() {
            info.text = texts.body(node, path, Place::Node, &fields);
        }
        info.container = texts.container(node, is_root);
        info.container.has_tools = is_root && !tools.is_empty();
        let slots = Slots::of(&info.text);
        let may_append = keys.get("append").and_then(Given::flag) != Some(false);
        let (mut infos, mut lists, mut whens) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for (index, section) in node.sections.iter().enumerate() {
            // The faults of a section are kept apart.
            let faults = std::mem::take(&mut of_sections[index]);
            let before = std::mem::replace(&mut texts.build.faults, faults);
            rules::check_key(path, index, section, &mut seen, &mut texts.build.faults);
            let is_placed = slots.sections.contains(&index);
            let path = join(path, &step(section.key(), index));
            if !may_append && !slots.takes_all && !is_placed {
                rules::check_place(&path, section, &mut texts.build.faults);
            }
            let (info, list) = texts.section(index, section, &path, is_placed);
            infos.push(info);
            lists.push(list);
            whens.push(texts.decision(section, &path));
            of_sections[index] = std::mem::replace(&mut texts.build.faults, before);
        }
        info.sections = Cow::Owned(infos);
        if is_root {
            info.name = Cow::Owned(node.key().to_owned());
        }
        let sources = texts.finish(&mut info);
        Built {
            info,
            sources,
            lists,
            whens,
            hints: std::mem::take(&mut self.hints),
            tools,
            tree: Arc::clone(&self.tree),
        }
    }

    fn tools_of(&mut self, node: &DynamicNode, path: &str) -> Vec<ToolSpec> {
        let around = node.spot(path, "tools");
        let mut tools = Vec::new();
        for given in node.keys.list("tools") {
            let (Some(name), spot) = (given.text(), around.at(given.span)) else {
                continue;
            };
            if name == OPEN_SECTIONS {
                let message = format!("a tool is named `{OPEN_SECTIONS}`, which is reserved");
                let help = "choose another name";
                self.faults.add(spot, Code::ReservedToolName, message, help);
            } else if !self.offered.insert(name.to_owned()) {
                let message = format!("the tool `{name}` stands twice");
                let help = "keep one of the two";
                self.faults.add(spot, Code::DuplicateTool, message, help);
            }
            match self
                .tools
                .get(name)
                .cloned()
                .map_or_else(|| ToolSpec::closed(name, ""), Ok)
            {
                Ok(tool) => tools.push(tool),
                Err(error) => self
                    .faults
                    .add(spot, Code::InvalidValue, error.to_string(), ""),
            }
        }
        tools
    }

    /// The rules that a key of the root names.
    fn codes(&mut self, root: &DynamicNode, part: &'static str) -> Vec<Code> {
        let mut codes = Vec::new();
        for given in root.keys.list(part) {
            let Some(name) = given.text() else { continue };
            let is_meant = |code: &Code| match part {
                "allow" => code.can_allow(),
                _ => code.is_lint() || code.can_deny(),
            };
            let code = name.parse().ok().filter(is_meant);
            if let Some(code) = code {
                codes.push(code);
                continue;
            }
            let known = Code::ALL.iter().filter(|code| is_meant(code));
            let known: Vec<&str> = known.map(|code| code.as_str()).collect();
            let message = format!("`{part}` knows no rule `{name}`");
            let help = match prompt_syntax::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the rules are `{}`", known.join("`, `")),
            };
            let spot = root.spot("", part).at(given.span);
            self.faults.add(spot, Code::InvalidValue, message, help);
        }
        codes
    }

    /// The forms of values: `vars` of the root.
    fn forms(&mut self, root: &DynamicNode) -> Forms {
        let mut forms = Forms::default();
        let Some(vars) = root.keys.get("vars") else {
            return forms;
        };
        let around = root.spot("", "vars");
        for Entry { name, value, .. } in vars.map() {
            let spot = around.at(value.span);
            let Data::Map(entries) = &value.data else {
                let message = format!("`{name}` has a form that is no map");
                let help = "write a map with the keys of `#[var(..)]`";
                self.faults.add(spot, Code::InvalidValue, message, help);
                continue;
            };
            if forms.position(name).is_some() {
                let message = format!("`{name}` is given twice");
                let help = "keep one of them, or call a second form of one value by another name, with `of`";
                self.faults
                    .add(spot, Code::DuplicateAttribute, message, help);
                continue;
            }
            let mut keys = Keys::read(entries.clone(), Holder::FileVar, spot, &mut self.faults);
            keys.check(Holder::FileVar, spot, &mut self.faults);
            let of = ValuePath::from(keys.text("of").unwrap_or(name));
            if let Some(slip) = self.names.look_up(&of, true) {
                self.faults.add_slip(spot, slip);
            }
            let form = self.form(&keys, &of, around);
            forms.insert(name.clone(), form);
        }
        forms
    }

    fn form(&mut self, keys: &Keys, of: &ValuePath, around: Spot<'_>) -> Form {
        let mut template = |name: &str, local: Local<'_>| {
            let given = keys.get(name)?;
            Some(self.template(given.text()?, around.at(given.span), local))
        };
        let some = keys.text("some").map(|some| {
            let span = keys.get("some").map_or(around.span, |given| given.span);
            let (before, after) = some.split_once("{}").unwrap_or((some, ""));
            (before, after, around.at(span))
        });
        let has_list = ["item", "join", "last"]
            .into_iter()
            .any(|key| keys.has(key));
        let mut form = Form {
            of: keys.has("of").then(|| of.clone()),
            default: template("default", Local::NONE),
            some: None,
            yes: template("yes", Local::NONE),
            no: template("no", Local::NONE),
            list: has_list.then(|| ListForm {
                item: template("item", Local::items_of(of)),
                join: keys.text("join").unwrap_or("\n").to_owned(),
                last: keys.text("last").map(str::to_owned),
            }),
            ..Form::of(keys)
        };
        form.some = some.map(|(before, after, spot)| {
            let mut half = |text| self.template(text, spot, Local::NONE);
            (half(before), half(after))
        });
        form
    }

    /// A template with tables of its own.
    fn template(&mut self, source: &str, spot: Spot<'_>, local: Local<'_>) -> Template {
        let parsed = self.parse(source, Place::Template, &[], local, spot);
        let mut tables = Tables::new(&[]);
        let text = tables.text(parsed.elements, &[], usize::from(local.list.is_some()));
        Template {
            text,
            sources: Some(self.sources(&tables, &BTreeMap::new())),
        }
    }

    fn sources(&mut self, tables: &Tables, reserved: &BTreeMap<u16, Base>) -> Sources {
        let mut all = |used: &[Used]| used.iter().map(|used| self.source(used)).collect();
        let mut values: Vec<Source> = all(tables.values());
        for (number, base) in reserved {
            values[usize::from(*number)] = Source::new(base.clone());
        }
        Sources {
            values,
            conditions: all(tables.conditions()),
            loops: tables
                .loops()
                .iter()
                .map(|each| self.source(&each.list))
                .collect(),
        }
    }

    /// Where a value of a table is found.
    fn source(&mut self, used: &Used) -> Source {
        let base = match used.origin {
            Origin::Node { item: 0 } => {
                let form = self.form_of(&used.name, &used.path);
                self.used.extend(form);
                let whole = self.form_of(&used.name, &[]);
                self.used.extend(whole);
                let forms = &self.tree.forms;
                let of = whole.and_then(|form| forms.at(form).of.as_ref());
                let (name, mut path) = match of {
                    Some(of) => (&of.name, of.path.clone()),
                    None => (&used.name, Vec::new()),
                };
                path.extend(used.path.iter().cloned());
                let values = self.names.values.as_deref();
                let position = values.and_then(|values| values.position(name));
                return Source {
                    base: position.map_or(Base::Missing, Base::Value),
                    path,
                    spec: used.spec.clone().unwrap_or_default(),
                    form,
                };
            }
            Origin::Node { item } => {
                let of = Of::List(item - 1);
                match used.name.as_str() {
                    "index" => Base::Number(of, 1),
                    "index0" => Base::Number(of, 0),
                    _ => Base::Item(of),
                }
            }
            Origin::Item(number) => Base::Item(Of::Loop(number)),
            Origin::Index(number) => Base::Number(Of::Loop(number), 1),
            Origin::Index0(number) => Base::Number(Of::Loop(number), 0),
            Origin::First(number) => Base::First(number),
            Origin::Last(number) => Base::Last(number),
        };
        Source {
            path: used.path.clone(),
            spec: used.spec.clone().unwrap_or_default(),
            ..Source::new(base)
        }
    }

    /// The form of a value, or of a part of one.
    fn form_of(&self, name: &str, path: &[String]) -> Option<usize> {
        let forms = &self.tree.forms;
        if forms.is_empty() {
            return None;
        }
        match path {
            [] => forms.position(name),
            path => forms.position(&joined(name, path)),
        }
    }

    /// How a value is treated: an item of a loop as its list is, whose own values they are.
    fn treatment(&self, used: &Used, loops: &[prompt_syntax::Loop]) -> ValueTreatment {
        let form = match used.origin {
            Origin::Item(of) => return self.treatment(&loops[usize::from(of)].list, loops),
            Origin::Node { item: 0 } => {
                let own = self.form_of(&used.name, &used.path);
                own.or_else(|| self.form_of(&used.name, &[]))
            }
            _ => None,
        };
        form.map_or(ValueTreatment::USUAL, |form| {
            self.tree.forms.at(form).treatment
        })
    }

    /// Reads a text.
    fn parse(
        &mut self,
        source: &str,
        place: Place,
        sections: &[&str],
        local: Local<'_>,
        spot: Spot<'_>,
    ) -> Parsed {
        let (values, tree) = (self.names.values.clone(), Arc::clone(&self.tree));
        let names = self.names_for(
            source,
            values.as_deref(),
            &tree.forms,
            sections,
            local.names,
        );
        let options = |names, place| Options {
            names,
            sections,
            specs: Specs::Runtime,
            allow: &self.allow,
            ..Options::new(place)
        };
        let parsed = match (&values, place) {
            (None, Place::Node) => prompt_syntax::parse_free(source, &options(&[], Place::Free)),
            _ => prompt_syntax::parse(source, &options(&names, place)),
        };
        for problem in &parsed.problems {
            if problem.code.is_lint() && !self.deny.contains(&problem.code) {
                self.hints.push(spot.problem(problem.clone()));
            } else {
                self.faults.add_problem(spot, problem.clone());
            }
        }
        let lists = Lists {
            of_text: local.list,
            uses: &parsed.uses,
            forms: &tree.forms,
        };
        for used in &parsed.uses {
            let place = (used.line, used.column);
            let is_local = used.in_loop.is_none() && local.names.contains(&used.name.as_str());
            if !is_local || used.name == "item" && local.list.is_some() {
                match self.names.look(used, lists) {
                    Found::Something => {}
                    Found::Slip(Slip { message, help }) => {
                        let code = Code::UnknownVariable;
                        self.faults.add_at(spot, place, code, message, help);
                    }
                    Found::NoList => {
                        let name = joined(&used.name, &used.path);
                        let message = format!("`{name}` is no list");
                        let help = "a loop goes over the items of a list or the entries of a map";
                        self.faults
                            .add_at(spot, place, Code::NotAList, message, help);
                    }
                }
            }
            if used.in_loop.is_none() && !is_local {
                self.check_spec(used, spot);
            }
        }
        parsed
    }

    /// A format spec says something of what the value's form prints.
    fn check_spec(&mut self, used: &prompt_syntax::Use, spot: Spot<'_>) {
        let UseKind::Variable {
            spec: Some(spec), ..
        } = &used.kind
        else {
            return;
        };
        let form = self.form_of(&used.name, &used.path);
        let key = form.and_then(|form| self.tree.forms.at(form).without_spec());
        let Some(key) = key.filter(|_| !spec.is_empty()) else {
            return;
        };
        let message = format!("the spec `:{spec}` says nothing of what `{key}` prints");
        let help = match key {
            "item" => format!("write it in the template: `{{item:{spec}}}`"),
            _ => "drop one of the two".to_owned(),
        };
        let (place, code) = ((used.line, used.column), Code::UnsupportedSpec);
        self.faults.add_at(spot, place, code, message, help);
    }

    /// The names that a text may use. Only those that stand in its braces can matter, so that a tree with many values and
    /// many texts stays linear; where one of them is unknown, all names are given, for the nearest.
    fn names_for<'n>(
        &mut self,
        source: &'n str,
        values: Option<&'n Values>,
        forms: &'n Forms,
        sections: &[&str],
        local: &[&'n str],
    ) -> Vec<&'n str> {
        let used = names_in_braces(source);
        let Some(values) = values else {
            return used.into_iter().chain(local.iter().copied()).collect();
        };
        let is_value = |name: &str| values.contains_key(name) || forms.of(name).is_some();
        let sections: BTreeSet<&str> = sections.iter().copied().collect();
        let is_known =
            |name: &str| is_value(name) || local.contains(&name) || sections.contains(name);
        if used.iter().all(|name| is_known(name)) || !self.names.compares(values.len()) {
            let of_values = used.into_iter().filter(|name| is_value(name));
            return of_values.chain(local.iter().copied()).collect();
        }
        let aliases = forms.iter().map(|(name, _)| name);
        let aliases = aliases.filter(|name| forms.of(name).is_some());
        let all = values.keys().chain(aliases);
        all.chain(local.iter().copied()).collect()
    }

    /// Says which forms of values no text of the tree uses.
    fn say_unused(&mut self, root: &mut DynamicNode) {
        let tree = Arc::clone(&self.tree);
        let unused = tree.forms.iter();
        let unused = unused.filter(|(_, position)| !self.used.contains(position));
        let mut hints = Vec::new();
        for (name, _) in unused {
            let message = format!("`vars` says how `{name}` prints, and no text uses it");
            let help = "use it in a text, or remove the entry";
            if self.deny.contains(&Code::UnusedVariable) {
                let spot = root.spot("", "vars");
                self.faults.add(spot, Code::UnusedVariable, message, help);
            } else {
                let code = Code::UnusedVariable;
                hints.push(Diagnostic::new(code, "", "vars", message, help));
            }
        }
        if let Some(built) = root.built.as_mut().and_then(Arc::get_mut) {
            built.hints.extend(hints);
        }
    }
}

/// The texts of a node while they get their numbers.
struct Texts<'b, 't> {
    build: &'b mut Build<'t>,
    tables: Tables,
    /// The path of the node.
    path: &'b str,
    /// Its sections by key, each with its first place.
    sections: BTreeMap<String, usize>,
    /// What no text names and yet stands in the table of values, by its number there.
    reserved: BTreeMap<u16, Base>,
}

impl<'b, 't> Texts<'b, 't> {
    fn new(
        build: &'b mut Build<'t>,
        fields: &[&str],
        path: &'b str,
        nodes: &[DynamicNode],
    ) -> Self {
        let mut sections = BTreeMap::new();
        for (index, section) in nodes.iter().enumerate() {
            sections.entry(section.key().to_owned()).or_insert(index);
        }
        Self {
            build,
            tables: Tables::new(fields),
            path,
            sections,
            reserved: BTreeMap::new(),
        }
    }

    fn body(&mut self, node: &DynamicNode, path: &str, place: Place, sections: &[&str]) -> Text {
        let (source, indent) = dedent(node.keys.text("body").unwrap_or_default());
        let spot = Spot {
            indent,
            ..node.spot(path, "body")
        };
        let parsed = self
            .build
            .parse(&source, place, sections, Local::NONE, spot);
        self.tables.text(parsed.elements, &[], 0)
    }

    /// A template in which some names stand for what only the renderer knows, and `item` for an item of the list of
    /// this section.
    fn template(
        &mut self,
        source: &str,
        spot: Spot<'_>,
        specials: &[Special],
        list: Option<(usize, &ValuePath)>,
    ) -> Text {
        // What stands in the place of a section has blocks; the others are one run of text.
        let place = match spot.part {
            "summary" | "empty" => Place::Introduction,
            "item" => Place::Template,
            _ => Place::Inline,
        };
        let mut names: Vec<&str> = specials.iter().map(|special| special.name()).collect();
        if list.is_some() {
            names.extend(ITEM_NAMES);
        }
        let local = Local {
            names: &names,
            list: list.map(|(_, list)| list),
        };
        let used = names_in_braces(source);
        let used = used.into_iter();
        let sections: Vec<&str> = used
            .filter(|name| self.sections.contains_key(*name))
            .collect();
        let parsed = self.build.parse(source, place, &sections, local, spot);
        let item = list.map_or(0, |(index, _)| index + 1);
        self.tables.text(parsed.elements, specials, item)
    }

    /// The template under a key of a node.
    fn key(
        &mut self,
        node: &DynamicNode,
        path: &str,
        part: &'static str,
        specials: &[Special],
        list: Option<(usize, &ValuePath)>,
    ) -> Option<Text> {
        let source = node.keys.text(part)?;
        Some(self.template(source, node.spot(path, part), specials, list))
    }

    /// A number in the table of values for something that no text names.
    fn reserve(&mut self, base: Base) -> u16 {
        // No text can write such a name.
        let name = format!(" {}", self.reserved.len());
        let number = self.number(name);
        self.reserved.insert(number, base);
        number
    }

    /// The number of a value.
    fn number(&mut self, source: String) -> u16 {
        let piece = Inline::Value {
            source: Cow::Owned(source),
            index: 0,
            place: ValuePlace::INLINE,
        };
        let element = Element::text(InlineText::from_iter([piece]));
        let text = self.tables.text(Elements::from_iter([element]), &[], 0);
        let Some(Element::Text { text, .. }) = text.elements.first() else {
            return u16::MAX;
        };
        match text.iter().next() {
            Some(Inline::Value { index, .. }) => *index,
            _ => u16::MAX,
        }
    }

    /// What a node says of itself. Its tag and heading belong to the node around it, if there is one.
    fn container(&mut self, node: &DynamicNode, is_root: bool) -> Container {
        let (keys, path) = (&node.keys, self.path);
        let text = |name: &str| keys.text(name).unwrap_or_default().to_owned();
        self.read_literal(&text("start"));
        self.read_literal(&text("end"));
        let vars = keys.get("vars").map_or(&[][..], Given::map);
        for form in vars {
            let words = form
                .value
                .map()
                .iter()
                .filter_map(|entry| entry.value.text());
            words.for_each(|words| self.read_literal(words));
        }
        let suffix = [Special::Key, Special::Subsections];
        let of_all = Container {
            start: Cow::Owned(text("start")),
            end: Cow::Owned(text("end")),
            numbered: keys.text("numbering").map(|form| form == "decimal"),
            description: keys
                .text("description")
                .map(|text| Cow::Owned(text.to_owned())),
            summary_suffix: self.key(node, path, "summary_suffix", &suffix, None),
            ..Container::DEFAULT
        };
        if !is_root {
            return of_all;
        }
        Container {
            key: keys.text("key").map(|key| Cow::Owned(key.to_owned())),
            title: self.key(node, path, "title", &[], None),
            summary: self.key(node, path, "summary", &[], None),
            markup: self.markup(node, path),
            heading: self.heading(node, path),
            ..of_all
        }
    }

    /// The description of a section, and the list or value that it embeds.
    fn section(
        &mut self,
        index: usize,
        node: &DynamicNode,
        path: &str,
        placed: bool,
    ) -> (SectionInfo, Option<List>) {
        let keys = &node.keys;
        let value = node.value_name().map(ValuePath::from);
        let value = value.filter(|_| node.typed.is_none());
        let list = value.as_ref().map(|value| (index, value));
        let words = || Cow::Owned(prompt_syntax::title_case(node.key()));
        let title = match self.key(node, path, "title", &[], None) {
            Some(title) => Title::Explicit(title),
            None if keys.flag("untitled") => Title::Untitled(words()),
            None => Title::Fallback(words()),
        };
        let embedded = list.map(|(index, value)| self.list(index, node, path, value));
        let heading = self.heading(node, path);
        let intro = if node.typed.is_some() || list.is_some() {
            self.body(node, path, Place::Introduction, &[])
        } else {
            Text::EMPTY
        };
        let is_summary = keys.text("visibility") == Some("summary");
        // A list whose items have no places of their own has one short form, which knows none of them.
        let has_places = PLACES.into_iter().any(|key| keys.has(key));
        let said = SectionKeys {
            heading,
            summary: self.key(node, path, "summary", &[], list.filter(|_| has_places)),
            visibility: if is_summary {
                Visibility::Summary
            } else {
                Visibility::Full
            },
            empty: self.key(node, path, "empty", &[], None),
            placed,
            markup: self.markup(node, path),
            policy: policy(keys),
            items: list.map_or(Items::DEFAULT, |(index, list)| {
                self.items(index, node, path, list)
            }),
        };
        let info = SectionInfo {
            key: Cow::Owned(node.key().to_owned()),
            field: Cow::Owned(node.key().to_owned()),
            title,
            intro,
            said: said.into(),
            location: None,
        };
        (info, embedded)
    }

    /// The value that a section embeds, and how it prints if it is a list.
    fn list(&mut self, index: usize, node: &DynamicNode, path: &str, value: &ValuePath) -> List {
        let spot = node.spot(path, "value");
        if let Some(slip) = self.build.names.look_up(value, false) {
            self.build.faults.add_slip(spot, slip);
        }
        let item = self.key(node, path, "item", &[], Some((index, value)));
        let has_title = item.as_ref().is_some_and(|text| {
            let mut titles = text.all();
            titles.any(|element| matches!(element, Element::Title { .. }))
        });
        if has_title && PLACES.into_iter().any(|key| node.keys.has(key)) {
            let message = "the heading of an item with a place of its own stands in `item_title`";
            let help = "write it there: `\"item_title\": \"{item.name}\"`";
            let spot = node.spot(path, "item");
            self.build
                .faults
                .add(spot, Code::InvalidValue, message, help);
        }
        let joins = ["join", "last"]
            .into_iter()
            .filter_map(|key| node.keys.text(key));
        joins.for_each(|words| self.read_literal(words));
        let form = ListForm {
            item: item.map(|text| Template {
                text,
                sources: None,
            }),
            join: node.keys.text("join").unwrap_or("\n").to_owned(),
            last: node.keys.text("last").map(str::to_owned),
        };
        let source = self.build.source(&Used {
            name: value.name.clone(),
            path: value.path.clone(),
            spec: None,
            origin: Origin::Node { item: 0 },
        });
        List {
            number: self.reserve(Base::List(index)),
            source,
            form: Form {
                list: Some(form),
                ..Form::default()
            },
        }
    }

    /// The tags in words that print as they stand belong to the node.
    fn read_literal(&mut self, words: &str) {
        if words.contains('<') {
            let text: InlineText = words.to_owned().into();
            let element = Element::text(text);
            self.tables.text(Elements::from_iter([element]), &[], 0);
        }
    }

    fn items(&mut self, index: usize, node: &DynamicNode, path: &str, list: &ValuePath) -> Items {
        let keys = &node.keys;
        let title = self.key(node, path, "item_title", &[], Some((index, list)));
        let key = keys.text("item_key").map(|field| {
            let field = ValuePath::from(field.strip_prefix("item.").unwrap_or(field));
            let mut path_of_key = vec![field.name];
            path_of_key.extend(field.path);
            if let Some(slip) = self.build.names.look_in(list, &path_of_key) {
                self.build
                    .faults
                    .add_slip(node.spot(path, "item_key"), slip);
            }
            self.reserve(Base::Field(index, path_of_key))
        });
        let owned = |name: &str| keys.text(name).map(|text| Cow::Owned(text.to_owned()));
        let is_named = title.is_some() || key.is_some() || keys.has("item_tag");
        Items {
            whole: keys.has("item") && !is_named,
            title,
            key,
            untitled: keys.flag("untitled_items"),
            tag: owned("item_tag"),
            join: owned("join"),
            last: owned("last"),
        }
    }

    fn heading(&mut self, node: &DynamicNode, path: &str) -> Heading {
        Heading {
            form: self.key(node, path, "heading", &[Special::Title], None),
            level: node.keys.number("level"),
            tight: node.keys.flag("tight"),
            gap: node.keys.number("gap"),
        }
    }

    fn markup(&mut self, node: &DynamicNode, path: &str) -> Markup {
        let keys = &node.keys;
        let mut attributes = Vec::new();
        let spot = node.spot(path, "attr");
        for Entry { name, value, .. } in keys.get("attr").map_or(&[][..], Given::map) {
            let source = match &value.data {
                Data::Bool(true) if name == "title" => AttributeSource::Title,
                Data::Null | Data::Bool(false) => continue,
                Data::Text(source) => {
                    let text = self.template(source, spot.at(value.span), &[], None);
                    AttributeSource::Variable(self.reserve(Base::Text(text)))
                }
                _ => {
                    let words: InlineText = value.printed().into();
                    let elements = Elements::from_iter([Element::text(words)]);
                    let text = self.tables.text(elements, &[], 0);
                    AttributeSource::Variable(self.reserve(Base::Text(text)))
                }
            };
            attributes.push(Attribute {
                name: Cow::Owned(name.clone()),
                value: source,
            });
        }
        Markup {
            tag: keys.text("tag").map(|tag| Cow::Owned(tag.to_owned())),
            attributes: Cow::Owned(attributes),
            inline: keys.flag("inline"),
            indent: keys.number("indent"),
            guarding: match keys.text("guard") {
                Some("escaped") => Guarding::Escaped,
                Some("cdata") => Guarding::Cdata,
                Some("strict") => Guarding::Strict,
                _ => Guarding::Default,
            },
            untrusted: keys.flag("untrusted"),
        }
    }

    /// The value that decides whether a section is there.
    fn decision(&mut self, node: &DynamicNode, path: &str) -> Option<Decision> {
        let source = node.keys.text("when")?;
        let name = source.strip_prefix('!');
        let value = ValuePath::from(name.unwrap_or(source));
        if let Some(slip) = self.build.names.look_up(&value, true) {
            self.build.faults.add_slip(node.spot(path, "when"), slip);
        }
        let used = Used {
            name: value.name,
            path: value.path,
            spec: None,
            origin: Origin::Node { item: 0 },
        };
        if self.build.names.values.is_none() {
            // Until it is bound the node cannot be printed.
            self.number(used.to_string());
        }
        Some(Decision {
            source: self.build.source(&used),
            negated: name.is_some(),
        })
    }

    /// Until the tree is bound, what conditions and loops ask is missing as the values are that are printed.
    fn ask_for_values(&mut self) {
        let loops = self.tables.loops().iter().map(|each| &each.list);
        let asked = self.tables.conditions().iter().chain(loops);
        let is_value = |used: &&Used| {
            let is_section = used.path.is_empty() && self.sections.contains_key(&used.name);
            used.origin == Origin::Node { item: 0 } && !is_section
        };
        let sources: Vec<String> = asked.filter(is_value).map(ToString::to_string).collect();
        for source in sources {
            self.number(source);
        }
    }

    /// The tables of the node.
    fn finish(mut self, info: &mut NodeInfo) -> Sources {
        let is_unbound = self.build.names.values.is_none();
        if is_unbound {
            self.ask_for_values();
        }
        let Self {
            build,
            tables,
            sections,
            reserved,
            ..
        } = self;
        let sources = build.sources(&tables, &reserved);
        let variable = |(used, source): (&Used, &Source)| {
            let form = source.form.map(|form| build.tree.forms.at(form));
            let is_text = matches!(source.base, Base::Text(_));
            Variable {
                source: Cow::Owned(used.to_string()),
                description: form
                    .and_then(|form| form.description.clone())
                    .map(Cow::Owned),
                treatment: build.treatment(used, tables.loops()),
                missing: is_unbound && !is_text,
                optional: false,
                item_of: item_of(used),
            }
        };
        let condition = |used: &Used| {
            let is_name = used.path.is_empty() && used.origin == Origin::Node { item: 0 };
            let section = sections.get(&used.name).filter(|_| is_name);
            ConditionInfo {
                source: Cow::Owned(used.to_string()),
                section: section.and_then(|index| u16::try_from(*index).ok()),
                item_of: item_of(used),
            }
        };
        let each = |each: &prompt_syntax::Loop| LoopInfo {
            source: Cow::Owned(each.list.to_string()),
            item_of: item_of(&each.list),
        };
        let values = tables.values().iter().zip(&sources.values);
        info.variables = values.map(variable).collect();
        info.conditions = tables.conditions().iter().map(condition).collect();
        info.loops = tables.loops().iter().map(each).collect();
        info.tags = Tags {
            opens: tables
                .opens()
                .map(|name| Cow::Owned(name.to_owned()))
                .collect(),
            closes: tables
                .closes()
                .map(|name| Cow::Owned(name.to_owned()))
                .collect(),
            values: tables.values_in_tags(),
        };
        sources
    }
}

/// The loop whose item, or whose place in the list, a name is about.
pub(super) fn item_of(used: &Used) -> Option<u16> {
    match used.origin {
        Origin::Node { .. } => None,
        Origin::Item(number)
        | Origin::Index(number)
        | Origin::Index0(number)
        | Origin::First(number)
        | Origin::Last(number) => Some(number),
    }
}

impl Form {
    /// What needs no template.
    fn of(keys: &Keys) -> Self {
        let json = keys.get("json").and_then(|json| match &json.data {
            Data::Bool(true) => Some(Layout::Line),
            Data::Text(_) => Some(Layout::Indented(2)),
            Data::Number(_) => json.number().map(Layout::Indented),
            _ => None,
        });
        let hang = keys.get("hang");
        let hang = hang.map_or(Hang::None, |hang| {
            hang.number().map_or(Hang::First, Hang::Column)
        });
        Self {
            json,
            cut: Cut {
                trim: keys.flag("trim"),
                max: keys.number("max"),
                more: keys.text("more").unwrap_or_default().to_owned(),
            },
            treatment: ValueTreatment {
                raw: keys.flag("raw"),
                untrusted: keys.flag("untrusted"),
                hang,
            },
            description: keys.text("description").map(str::to_owned),
            ..Self::default()
        }
    }
}

fn policy(keys: &Keys) -> Policy {
    let priority = keys.get("priority").and_then(|given| match given.text() {
        Some(_) => Some(Priority::Required),
        None => given.number().map(Priority::Level),
    });
    let cache = keys.get("cache").and_then(|given| match given.flag() {
        Some(_) => Some(0),
        None => given.number(),
    });
    Policy {
        priority,
        role: keys.text("role").and_then(|role| match role {
            "system" => Some(Role::System),
            "user" => Some(Role::User),
            "assistant" => Some(Role::Assistant),
            _ => None,
        }),
        cache,
        volatile: keys.flag("volatile"),
        has_tools: !keys.list("tools").is_empty(),
        ..Policy::DEFAULT
    }
}

/// What the slots of a text take.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) sections: BTreeSet<usize>,
    pub(super) takes_all: bool,
}

impl Slots {
    pub(super) fn of(text: &Text) -> Self {
        let mut slots = Self::default();
        slots.read(&text.elements);
        slots
    }

    fn read(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Slot { target, .. } => match target {
                    Target::Subtree => self.takes_all = true,
                    Target::Section(index) => {
                        self.sections.insert(usize::from(*index));
                    }
                    Target::Collected => {}
                },
                Element::If { branches, .. } => {
                    branches.parts().for_each(|part| self.read(&part.list));
                }
                Element::Each { branches, .. } => {
                    branches.parts().for_each(|part| self.read(&part.list));
                }
                _ => {}
            }
        }
    }
}

/// The identifiers that stand behind opening braces, up to the brace that closes or the end of the line; each once.
fn names_in_braces(source: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let inside = |rest: &'_ str| rest.find(['}', '\n']).unwrap_or(rest.len());
    let texts = source.split('{').skip(1);
    let texts = texts.map(|rest| &rest[..inside(rest)]);
    let words = texts.flat_map(|text| text.split(|c| !is_part(c)));
    words
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .collect()
}

/// The common indentation of non-blank lines goes; gives how much that was.
fn dedent(text: &str) -> (Cow<'_, str>, usize) {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = text.split('\n').filter(|line| !line.trim().is_empty());
    let common = filled.map(blanks).min().unwrap_or(0);
    if common == 0 {
        return (Cow::Borrowed(text), 0);
    }
    let lines = text
        .split('\n')
        .map(|line| &line[common.min(blanks(line))..]);
    (Cow::Owned(lines.collect::<Vec<_>>().join("\n")), common)
}

//! A derived type with other texts: an A/B test of wording keeps its types.
//!
//! A text gets the numbers that the type's own texts have for what it uses, so that the type answers what it asks.

use super::{
    build::{Slots, item_of},
    fault::{Faults, Spot},
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{
    Body, Content, Embedded, Node, NodeInfo, Output, Said, Scope, Section, SectionKeys,
};
use crate::prompt::PromptNode;
use crate::tool::ToolSpec;
use prompt_syntax::{
    Code, Each, Element, If, Inline, List, LoopName, Options, Origin, Part, Place, Specs, Tables,
    Text, Use, UseKind, Used,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt, mem,
    sync::Arc,
};

/// A node with other texts. Its variables, sections, tools and everything else are those of the node. See
/// [`with_text`](super::with_text) and [`with_texts`](super::with_texts).
pub struct Reworded<N> {
    pub(super) part: Exchanged<N>,
}

/// A node with other texts, and below it the sections with others: where it stands in the whole, and its description.
pub(super) struct Exchanged<N> {
    root: Arc<N>,
    /// The sections that lead to it.
    steps: Vec<usize>,
    info: NodeInfo,
    hints: Vec<Diagnostic>,
    below: BTreeMap<usize, Self>,
}

/// A text in place of another: where it is to stand, seen from some node, and how it is written.
#[derive(Clone)]
pub(super) struct Wanted<'t> {
    /// The keys that lead there from the node, the next one first.
    pub(super) keys: &'t [String],
    pub(super) spot: Spot<'t>,
    pub(super) form: TextForm,
    pub(super) text: &'t str,
}

/// Which text of a section is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextForm {
    /// That of the type in it, or its introduction where it has none.
    Text,
    Introduction,
    Summary,
}

impl<N: PromptNode> Exchanged<N> {
    /// The node that is at the end of these steps, with these texts.
    pub(super) fn new(
        root: &Arc<N>,
        steps: Vec<usize>,
        node: &dyn Node,
        wanted: Vec<Wanted<'_>>,
        faults: &mut Faults,
    ) -> Self {
        let answers = Answers::of(node.info());
        let mut rewriting = Rewriting::new(node.info(), &answers);
        let mut of_sections: BTreeMap<usize, Vec<Wanted<'_>>> = BTreeMap::new();
        for mut one in wanted {
            let Some((key, rest)) = one.keys.split_first() else {
                rewriting.own(&one, faults);
                continue;
            };
            one.keys = rest;
            match node
                .info()
                .sections
                .iter()
                .position(|section| section.key == *key)
            {
                Some(index) => of_sections.entry(index).or_default().push(one),
                None => faults.add(
                    one.spot,
                    Code::UnknownPath,
                    format!("there is no section `{}`", one.spot.path),
                    sections_like(one.spot.path, rest.len(), node.info()),
                ),
            }
        }
        let mut below = BTreeMap::new();
        for (index, wanted) in of_sections {
            let content = node.section(index).content;
            let child = content.node();
            let (own, deeper): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|one| {
                let is_of_child = child.is_some() && one.form == TextForm::Text;
                one.keys.is_empty() && !is_of_child
            });
            // Of what is not there nothing is known but what its section says itself.
            let is_there = !matches!(content, Content::Absent);
            for one in own
                .iter()
                .filter(|one| is_there || one.form != TextForm::Text)
            {
                rewriting.section(index, one, faults);
            }
            if deeper.is_empty() || !is_there {
                continue;
            }
            match child {
                Some(child) => {
                    let steps = steps.iter().copied().chain([index]).collect();
                    below.insert(index, Self::new(root, steps, child, deeper, faults));
                }
                None => {
                    for one in deeper {
                        let message = format!("there is no section `{}`", one.spot.path);
                        let help = "what stands around it has no sections with texts of their own: reword that as a whole";
                        faults.add(one.spot, Code::UnknownPath, message, help);
                    }
                }
            }
        }
        let Rewriting { info, hints, .. } = rewriting;
        Self {
            root: Arc::clone(root),
            steps,
            info,
            hints,
            below,
        }
    }

    fn described(&self) -> Option<&dyn Node> {
        let mut node = self.root.embedded().content.node()?;
        for step in &self.steps {
            node = node.section(*step).content.node()?;
        }
        Some(node)
    }
}

/// The path that was meant, and the keys that are there.
fn sections_like(path: &str, deeper: usize, info: &NodeInfo) -> String {
    let mut keys: Vec<&str> = path.split('.').collect();
    keys.truncate(keys.len() - deeper);
    let wrong = keys.pop().unwrap_or_default();
    let known = info.sections.iter().map(|section| section.key.as_ref());
    let full = |key: &str| {
        let keys: Vec<&str> = keys.iter().copied().chain([key]).collect();
        format!("`{}`", keys.join("."))
    };
    if let Some(near) = prompt_syntax::nearest(wrong, known.clone()) {
        return format!("did you mean {}?", full(near));
    }
    match listed(known.map(full)) {
        known if known.is_empty() => "there are no sections here".to_owned(),
        known => format!("there are {known}"),
    }
}

/// What a type answers: the number of each value, condition and loop.
struct Answers<'i> {
    info: &'i NodeInfo,
    values: BTreeMap<Asked<'i>, u16>,
    conditions: BTreeMap<Asked<'i>, u16>,
    /// A list may be gone through in several places, each with numbers of its own.
    loops: BTreeMap<Asked<'i>, Vec<u16>>,
}

/// The loop around, and what is asked: `name.path:spec`; of the item of the loop without its name, which is what an `as`
/// says.
type Asked<'i> = (Option<u16>, Cow<'i, str>);

/// How the words of a loop are told from fields of its item.
const WORD: char = '#';

impl<'i> Answers<'i> {
    fn of(info: &'i NodeInfo) -> Self {
        let number = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        let mut loops: BTreeMap<_, Vec<u16>> = BTreeMap::new();
        for (index, each) in info.loops.iter().enumerate() {
            let asked = asked(&each.source, each.item_of);
            loops.entry(asked).or_default().push(number(index));
        }
        let values = info.variables.iter().enumerate();
        let values = values.map(|(at, value)| (asked(&value.source, value.item_of), number(at)));
        let conditions = info.conditions.iter().enumerate();
        let conditions = conditions.map(|(at, it)| (asked(&it.source, it.item_of), number(at)));
        Self {
            info,
            // Of two with one source the first one counts.
            values: values.rev().collect(),
            conditions: conditions.rev().collect(),
            loops,
        }
    }

    /// The names that a text may use outside of loops. Those of a text about the items of a section are none.
    fn names(&self) -> Vec<&str> {
        let asked = self.values.keys().chain(self.conditions.keys());
        let of_node = asked.chain(self.loops.keys());
        let of_node = of_node.filter(|(of_loop, _)| of_loop.is_none());
        let names: BTreeSet<&str> = of_node.map(|(_, source)| split(source).0).collect();
        let is_own = |name: &&str| !matches!(*name, "" | "item" | "index" | "index0");
        names.into_iter().filter(is_own).collect()
    }

    /// The loops of the type that stand for those of a text, by their uses: the first one in which all that is used
    /// directly inside has an answer.
    fn loops_of(&self, uses: &[Use]) -> Vec<Option<u16>> {
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
        for (index, used) in uses.iter().enumerate() {
            // A loop that is a mistake itself is not among the uses.
            if let Some(inside) = used.in_loop.and_then(|around| inside.get_mut(around.of)) {
                inside.push(index);
            }
        }
        let mut found: Vec<Option<u16>> = vec![None; uses.len()];
        for (index, used) in uses.iter().enumerate() {
            if !matches!(used.kind, UseKind::Loop { .. }) {
                continue;
            }
            // A loop stands behind those around it.
            let around = used
                .in_loop
                .map(|around| found.get(around.of).copied().flatten());
            if around == Some(None) {
                continue;
            }
            let asked = (around.flatten(), source_of(used));
            let candidates = self.loops.get(&asked).map_or(&[][..], Vec::as_slice);
            let answers = |number: &&u16| {
                let mut inside = inside[index].iter();
                inside.all(|used| {
                    let asked = (Some(**number), source_of(&uses[*used]));
                    match uses[*used].kind {
                        UseKind::Variable { .. } => self.values.contains_key(&asked),
                        UseKind::Loop { .. } => self.loops.contains_key(&asked),
                        _ => self.conditions.contains_key(&asked),
                    }
                })
            };
            let best = candidates.iter().find(answers).or(candidates.first());
            found[index] = best.copied();
        }
        found
    }

    /// What a text uses and the type does not answer.
    fn check(&self, uses: &[Use], loops: &[Option<u16>], spot: Spot<'_>, faults: &mut Diagnostics) {
        for (index, used) in uses.iter().enumerate() {
            let around = used
                .in_loop
                .map(|around| loops.get(around.of).copied().flatten());
            if around == Some(None) {
                // Its loop has been told.
                continue;
            }
            let asked = (around.flatten(), source_of(used));
            let name = super::value::joined(&used.name, &used.path);
            let (message, help) = match &used.kind {
                UseKind::Variable { spec, .. } if !self.values.contains_key(&asked) => {
                    let spec = spec
                        .as_ref()
                        .map_or_else(String::new, |spec| format!(":{spec}"));
                    let message = format!("no text of the type prints `{name}{spec}`");
                    (message, self.forms(&asked, &used.name))
                }
                UseKind::Condition { .. } if !self.conditions.contains_key(&asked) => {
                    let known = self.info.conditions.iter();
                    let known = known.filter(|condition| condition.item_of == asked.0);
                    let known =
                        listed(known.map(|condition| format!("`{{?{}}}`", condition.source)));
                    let help = if known.is_empty() {
                        "the type's own texts ask nothing here".to_owned()
                    } else {
                        format!("the type's own texts ask {known}")
                    };
                    (format!("no text of the type asks `{{?{name}}}`"), help)
                }
                UseKind::Loop { .. } if loops[index].is_none() => {
                    let known = self
                        .info
                        .loops
                        .iter()
                        .filter(|each| each.item_of == asked.0);
                    let known = listed(known.map(|each| format!("`{{*{}}}`", each.source)));
                    let help = if known.is_empty() {
                        "the type's own texts have no loop here".to_owned()
                    } else {
                        format!("the type's own texts have {known}")
                    };
                    (
                        format!("no text of the type goes through `{{*{name}}}`"),
                        help,
                    )
                }
                _ => continue,
            };
            faults.push(Diagnostic {
                place: Some((used.line, used.column)),
                ..Diagnostic::new(Code::UnknownVariable, spot.path, spot.part, message, help)
            });
        }
    }

    /// The forms in which the type prints a name.
    fn forms(&self, (around, source): &Asked<'_>, name: &str) -> String {
        let is_of_name = |known: &&crate::node::Variable| {
            let is_same = split(&known.source).0 == name;
            let is_field = around.is_some() && !source.starts_with(WORD);
            known.item_of == *around && (is_same || is_field)
        };
        let known = self.info.variables.iter().filter(is_of_name);
        let known: Vec<String> = known
            .map(|known| format!("`{{{}}}`", known.source))
            .collect();
        match known.as_slice() {
            [] => "the type's own texts only ask for it, and print it nowhere".to_owned(),
            known => format!("print it as {}", known.join(" or ")),
        }
    }
}

fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// A source before and from the first dot or colon.
fn split(source: &str) -> (&str, &str) {
    source.split_at(source.find(['.', ':']).unwrap_or(source.len()))
}

/// What a source of the type asks.
fn asked(source: &str, item_of: Option<u16>) -> Asked<'_> {
    let (name, rest) = split(source);
    let asked = match (item_of, name) {
        (None, _) => Cow::Borrowed(source),
        (Some(_), "index" | "index0" | "first" | "last") => Cow::Owned(format!("{WORD}{source}")),
        (Some(_), _) => Cow::Borrowed(rest),
    };
    (item_of, asked)
}

/// What a text uses, without the loop.
fn source_of(used: &Use) -> Cow<'static, str> {
    let spec = match &used.kind {
        UseKind::Variable { spec, .. } => spec.as_deref(),
        _ => None,
    };
    let name = match used.in_loop.map(|around| around.name) {
        Some(LoopName::Item) => String::new(),
        Some(_) => format!("{WORD}{}", used.name),
        None => used.name.clone(),
    };
    written(name, &used.path, spec)
}

fn written(mut source: String, path: &[String], spec: Option<&str>) -> Cow<'static, str> {
    for field in path {
        source.push('.');
        source.push_str(field);
    }
    if let Some(spec) = spec {
        source.push(':');
        source.push_str(spec);
    }
    Cow::Owned(source)
}

/// The description of a type while texts in it are exchanged.
struct Rewriting<'i> {
    of_type: &'i NodeInfo,
    answers: &'i Answers<'i>,
    info: NodeInfo,
    /// What looks like a slip in the new texts.
    hints: Vec<Diagnostic>,
}

impl<'i> Rewriting<'i> {
    fn new(of_type: &'i NodeInfo, answers: &'i Answers<'i>) -> Self {
        Self {
            of_type,
            answers,
            info: of_type.clone(),
            hints: Vec::new(),
        }
    }

    /// Puts a text in place of the type's own.
    fn own(&mut self, wanted: &Wanted<'_>, faults: &mut Faults) {
        let Some(text) = self.read(wanted, Place::Node, faults) else {
            return;
        };
        let slots = Slots::of(&text);
        for (index, section) in self.info.sections.to_mut().iter_mut().enumerate() {
            section.said = Said::from(SectionKeys {
                placed: slots.sections.contains(&index),
                ..SectionKeys::clone(section)
            });
        }
        self.info.text = text;
    }

    /// Puts a text in place of the introduction, or the summary, of a section.
    fn section(&mut self, index: usize, wanted: &Wanted<'_>, faults: &mut Faults) {
        let section = &self.of_type.sections[index];
        if wanted.form == TextForm::Summary && section.summary.is_none() {
            let message = format!("section `{}` has no summary", wanted.spot.path);
            let help = "what is shown in short is said by the type: reword the text";
            faults.add(wanted.spot, Code::SummaryMissing, message, help);
            return;
        }
        let Some(text) = self.read(wanted, Place::Introduction, faults) else {
            return;
        };
        let section = &mut self.info.sections.to_mut()[index];
        if wanted.form == TextForm::Summary {
            section.said = Said::from(SectionKeys {
                summary: Some(text),
                ..SectionKeys::clone(section)
            });
        } else {
            section.intro = text;
        }
    }

    /// Reads a text, and gives it the numbers of the type.
    fn read(&mut self, wanted: &Wanted<'_>, place: Place, faults: &mut Faults) -> Option<Text> {
        let Wanted { spot, text, .. } = *wanted;
        if text.trim().is_empty() {
            let help = "write a text, or leave the type its own";
            faults.add(spot, Code::InvalidInput, "the text is empty", help);
            return None;
        }
        let sections = self.of_type.sections.iter();
        let fields: Vec<&str> = sections.map(|section| section.field.as_ref()).collect();
        let names = self.answers.names();
        let options = Options {
            names: &names,
            sections: &fields,
            specs: Specs::Compiled,
            ..Options::new(place)
        };
        let parsed = prompt_syntax::parse(text, &options);
        let mut found = Diagnostics::none();
        for problem in parsed.problems {
            if problem.code.is_lint() {
                self.hints.push(spot.problem(problem));
            } else {
                found.push(spot.problem(problem));
            }
        }
        let loops = self.answers.loops_of(&parsed.uses);
        self.answers.check(&parsed.uses, &loops, spot, &mut found);
        if !found.is_empty() {
            found.sort();
            for fault in found {
                faults.push(spot, fault);
            }
            return None;
        }
        let mut tables = Tables::new(&fields);
        let mut text = tables.text(parsed.elements, &[], 0);
        // Each loop of the text has a number of its own, in the order in which they stand.
        let is_loop = |used: &&(&Use, Option<u16>)| matches!(used.0.kind, UseKind::Loop { .. });
        let uses: Vec<_> = parsed.uses.iter().zip(loops).collect();
        let loops = uses.iter().filter(is_loop).map(|(_, number)| *number);
        let loops: Vec<_> = loops.collect();
        Numbers::of(self.answers, &tables, &loops).put(&mut text);
        let tags = &mut self.info.tags;
        let owned = |name: &str| Cow::Owned(name.to_owned());
        tags.opens.to_mut().extend(tables.opens().map(owned));
        tags.closes.to_mut().extend(tables.closes().map(owned));
        tags.values |= tables.values_in_tags();
        Some(text)
    }
}

/// The numbers of the type for those of a text.
struct Numbers {
    values: Vec<u16>,
    conditions: Vec<u16>,
    loops: Vec<u16>,
}

impl Numbers {
    fn of(answers: &Answers<'_>, tables: &Tables, loops: &[Option<u16>]) -> Self {
        let number = |of: &BTreeMap<Asked<'_>, u16>, used: &Used| {
            let around =
                item_of(used).and_then(|number| loops.get(usize::from(number)).copied()?);
            let name = match used.origin {
                Origin::Node { .. } => used.name.clone(),
                Origin::Item(_) => String::new(),
                _ => format!("{WORD}{}", used.name),
            };
            let asked = (around, written(name, &used.path, used.spec.as_deref()));
            of.get(&asked).copied().unwrap_or(u16::MAX)
        };
        let values = tables.values().iter();
        let conditions = tables.conditions().iter();
        Self {
            values: values.map(|used| number(&answers.values, used)).collect(),
            conditions: conditions
                .map(|used| number(&answers.conditions, used))
                .collect(),
            loops: loops
                .iter()
                .map(|number| number.unwrap_or(u16::MAX))
                .collect(),
        }
    }

    fn put(&self, text: &mut Text) {
        self.elements(&mut text.elements);
    }

    fn elements(&self, list: &mut List<Element>) {
        for element in list.to_mut() {
            match element {
                Element::Title { text, .. } | Element::Text { text, .. } => self.text(text),
                Element::Code { info, text, .. } => {
                    self.text(info);
                    self.text(text);
                }
                Element::Slot { .. } => {}
                Element::If { branches, .. } => self.condition(branches, Self::elements),
                Element::Each { branches, .. } => self.each(branches, Self::elements),
            }
        }
    }

    fn text(&self, text: &mut prompt_syntax::InlineText) {
        let mut pieces: List<Inline> = mem::take(text).into_iter().collect();
        self.pieces(&mut pieces);
        *text = pieces.into_owned().into_iter().collect();
    }

    fn pieces(&self, list: &mut List<Inline>) {
        for piece in list.to_mut() {
            match piece {
                Inline::Value { index, .. } => *index = self.values[usize::from(*index)],
                Inline::If(branches) => self.condition(branches, Self::pieces),
                Inline::Each(branches) => self.each(branches, Self::pieces),
                _ => {}
            }
        }
    }

    fn condition<T: Clone>(&self, branches: &mut If<T>, list: fn(&Self, &mut List<T>)) {
        branches.index = self.conditions[usize::from(branches.index)];
        self.parts(
            [Some(&mut branches.then), branches.otherwise.as_mut()],
            list,
        );
    }

    fn each<T: Clone>(&self, branches: &mut Each<T>, list: fn(&Self, &mut List<T>)) {
        branches.index = self.loops[usize::from(branches.index)];
        self.parts(
            [Some(&mut branches.body), branches.otherwise.as_mut()],
            list,
        );
    }

    fn parts<T: Clone>(&self, parts: [Option<&mut Part<T>>; 2], list: fn(&Self, &mut List<T>)) {
        for part in parts.into_iter().flatten() {
            list(self, &mut part.list);
        }
    }
}

impl<N: PromptNode> Reworded<N> {
    /// The node with its own text.
    pub fn node(&self) -> &N {
        &self.part.root
    }
}

impl<N: PromptNode> PromptNode for Reworded<N> {
    fn embedded(&self) -> Embedded<'_> {
        let embedded = Embedded::described(&self.part);
        if self.part.root.embedded().varies {
            return embedded.varying();
        }
        embedded
    }
}

impl<N: PromptNode> Scope for Exchanged<N> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        self.described().ok_or(fmt::Error)?.value(index, output)
    }

    fn ask(&self, index: usize, item: usize) -> bool {
        self.described().is_some_and(|node| node.ask(index, item))
    }

    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        self.described().ok_or(fmt::Error)?.each(index, item, body)
    }
}

impl<N: PromptNode> Node for Exchanged<N> {
    fn info(&self) -> &NodeInfo {
        &self.info
    }

    fn section(&self, index: usize) -> Section<'_> {
        let Some(node) = self.described() else {
            return Section::hidden();
        };
        let mut section = node.section(index);
        if let (Content::Node(node), Some(below)) = (&mut section.content, self.below.get(&index)) {
            *node = below;
        }
        section
    }

    fn hints(&self) -> &[Diagnostic] {
        &self.hints
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let node = self.described();
        node.map(|node| node.tools(section)).unwrap_or_default()
    }
}

impl<N> Clone for Exchanged<N> {
    fn clone(&self) -> Self {
        Self {
            root: Arc::clone(&self.root),
            steps: self.steps.clone(),
            info: self.info.clone(),
            hints: self.hints.clone(),
            below: self.below.clone(),
        }
    }
}

impl<N> Clone for Reworded<N> {
    fn clone(&self) -> Self {
        let part = self.part.clone();
        Self { part }
    }
}

impl<N> fmt::Debug for Reworded<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reworded")
            .field("name", &self.part.info.name)
            .finish_non_exhaustive()
    }
}

//! A derived type with other texts: an A/B test of wording keeps its types.
//!
//! A text gets the numbers that the type's own texts have for what it uses, so that the type answers what it asks.

use super::{
    fault::{Faults, Spot},
    parser::Slots,
};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{
    Body, Content, Embedded, Node, NodeInfo, Output, Said, Scope, Section, SectionKeys,
};
use crate::prompt::PromptNode;
use crate::tool::ToolSpec;
use prompt_syntax::{Code, LoopName, Options, Place, Specs, Tables, Text, Use, UseKind};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

/// A node with other texts. Its variables, sections, tools and everything else are those of the node. See
/// [`with_text`](super::with_text) and [`with_texts`](super::with_texts).
pub struct Reworded<N> {
    part: Arc<Exchanged<N>>,
}

/// A node with other texts, and below it the sections with others: where it stands in the whole, and its description.
struct Exchanged<N> {
    root: Arc<N>,
    /// The sections that lead to it.
    steps: Vec<usize>,
    info: NodeInfo,
    hints: Vec<Diagnostic>,
    below: BTreeMap<usize, Self>,
}

/// A text in place of another: where it is to stand, seen from some node, and how it is written.
pub(super) struct Wanted<'t> {
    /// The keys that lead there from the node, the next one last.
    pub(super) keys: Vec<&'t str>,
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
    fn new(
        root: &Arc<N>,
        steps: Vec<usize>,
        node: &dyn Node,
        wanted: Vec<Wanted<'_>>,
        faults: &mut Faults,
    ) -> Self {
        let mut rewriting = Rewriting::new(node.info());
        let mut of_sections: BTreeMap<usize, Vec<Wanted<'_>>> = BTreeMap::new();
        for mut one in wanted {
            let Some(key) = one.keys.pop() else {
                rewriting.own(&one, faults);
                continue;
            };
            let mut sections = node.info().sections.iter();
            if let Some(index) = sections.position(|section| section.key == key) {
                of_sections.entry(index).or_default().push(one);
            } else {
                let help = sections_like(one.spot.path, one.keys.len(), node.info());
                one.leads_nowhere(help, faults);
            }
        }
        let mut below = BTreeMap::new();
        for (index, wanted) in of_sections {
            let content = node.section(index).content;
            // Of what is not there nothing is known but what its section says itself.
            let is_there = !matches!(content, Content::Absent);
            let child = content.node();
            let mut deeper = Vec::new();
            for one in wanted {
                let is_of_child = child.is_some() && one.form == TextForm::Text;
                if is_of_child || !one.keys.is_empty() {
                    deeper.push(one);
                } else if is_there || one.form != TextForm::Text {
                    rewriting.section(index, &one, faults);
                }
            }
            match child {
                _ if deeper.is_empty() || !is_there => {}
                Some(child) => {
                    let steps = steps.iter().copied().chain([index]).collect();
                    below.insert(index, Self::new(root, steps, child, deeper, faults));
                }
                None => {
                    let help = "what stands around it has no sections with texts of their own: reword that as a whole";
                    for one in deeper {
                        one.leads_nowhere(help, faults);
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

impl Wanted<'_> {
    fn leads_nowhere(&self, help: impl Into<String>, faults: &mut Faults) {
        let message = format!("there is no section `{}`", self.spot.path);
        faults.add(self.spot, Code::UnknownPath, message, help);
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
    listed("there are", known.map(full)).unwrap_or_else(|| "there are no sections here".to_owned())
}

/// What a type answers, and the numbers of it. Of two with one source the first one counts; but a list may be gone through
/// in several places, each with numbers of its own.
struct Answers<'i> {
    info: &'i NodeInfo,
    /// Each with the source that the type's texts have.
    numbers: BTreeMap<Asked<'i>, Vec<(u16, &'i str)>>,
}

/// How a text uses something: `?` for a condition, `*` for a loop, nothing for a value. The loop around. And what is asked:
/// `name.path:spec`; of the item of the loop without its name, which is what an `as` says.
type Asked<'i> = (&'static str, Option<u16>, Cow<'i, str>);

fn sigil(used: &Use) -> &'static str {
    match used.kind {
        UseKind::Variable { .. } => "",
        UseKind::Loop { .. } => "*",
        _ => "?",
    }
}

/// How the words of a loop are told from fields of its item.
const WORD: char = '#';

impl<'i> Answers<'i> {
    fn of(info: &'i NodeInfo) -> Self {
        let mut answers = Self {
            info,
            numbers: BTreeMap::new(),
        };
        let values = info.variables.iter();
        answers.add("", values.map(|it| (&it.source, it.item_of)));
        let conditions = info.conditions.iter();
        answers.add("?", conditions.map(|it| (&it.source, it.item_of)));
        let loops = info.loops.iter();
        answers.add("*", loops.map(|it| (&it.source, it.item_of)));
        answers
    }

    fn add(
        &mut self,
        sigil: &'static str,
        sources: impl Iterator<Item = (&'i Cow<'static, str>, Option<u16>)>,
    ) {
        for (number, (source, around)) in (0..).zip(sources) {
            let asked = (sigil, around, asked(source, around));
            let numbers = self.numbers.entry(asked).or_default();
            numbers.push((number, source));
        }
    }

    /// The names that a text may use outside of loops. Those of a text about the items of a section are none.
    fn names(&self) -> Vec<&str> {
        let of_node = self
            .numbers
            .keys()
            .filter(|(_, around, _)| around.is_none());
        let names: BTreeSet<&str> = of_node.map(|(_, _, source)| split(source).0).collect();
        let is_own = |name: &&str| !matches!(*name, "" | "item" | "index" | "index0");
        names.into_iter().filter(is_own).collect()
    }

    /// The numbers of what a text uses, in its order; what the type does not answer is a fault.
    fn numbers(&self, uses: &[Use], spot: Spot<'_>, faults: &mut Diagnostics) -> Vec<Option<u16>> {
        let mut inside: Vec<Vec<&Use>> = vec![Vec::new(); uses.len()];
        for used in uses {
            // A loop that is a mistake itself is not among the uses.
            if let Some(inside) = used.in_loop.and_then(|around| inside.get_mut(around.of)) {
                inside.push(used);
            }
        }
        let mut numbers: Vec<Option<u16>> = Vec::with_capacity(uses.len());
        for (used, inside) in uses.iter().zip(inside) {
            // A loop stands before what is in it.
            let around = used.in_loop.map(|it| numbers.get(it.of).copied()?);
            if around == Some(None) {
                // Its loop has been told.
                numbers.push(None);
                continue;
            }
            let number = self.number(used, around.flatten(), &inside);
            if number.is_none() {
                let (message, help) = self.absent(used, around.flatten());
                faults.push(Diagnostic {
                    place: Some((used.line, used.column)),
                    ..Diagnostic::new(Code::UnknownVariable, spot.path, spot.part, message, help)
                });
            }
            numbers.push(number);
        }
        numbers
    }

    /// The number of a use. For a loop of a text the first one of the type stands in which all that is used directly
    /// inside has an answer.
    fn number(&self, used: &Use, around: Option<u16>, inside: &[&Use]) -> Option<u16> {
        let of = |used: &Use, around| {
            let asked = (sigil(used), around, source_of(used));
            self.numbers.get(&asked)
        };
        let numbers = of(used, around)?;
        let answers = |(number, _): &&(u16, &str)| {
            let mut inside = inside.iter();
            inside.all(|used| of(used, Some(*number)).is_some())
        };
        let best = numbers.iter().find(answers).or(numbers.first());
        best.map(|(number, _)| *number)
    }

    /// What is said of a use that the type does not answer.
    fn absent(&self, used: &Use, around: Option<u16>) -> (String, String) {
        let name = super::bound::joined(&used.name, &used.path);
        let sigil = sigil(used);
        let of_kind = self.numbers.iter().filter(|((it, ..), _)| *it == sigil);
        let of_loop = of_kind.filter(|((_, it, _), _)| *it == around);
        let mut known: Vec<&(u16, &str)> = of_loop.flat_map(|(_, known)| known).collect();
        known.sort_unstable();
        let written = |(_, source): &&(u16, &str)| format!("`{{{sigil}{source}}}`");
        if let UseKind::Variable { spec, .. } = &used.kind {
            let is_field = around.is_some() && !source_of(used).starts_with(WORD);
            known.retain(|(_, known)| is_field || split(known).0 == used.name);
            let known: Vec<String> = known.iter().map(written).collect();
            let spec = spec.as_ref().map(|spec| format!(":{spec}"));
            let spec = spec.unwrap_or_default();
            let help = match known.as_slice() {
                [] => "the type's own texts only ask for it, and print it nowhere".to_owned(),
                known => format!("print it as {}", known.join(" or ")),
            };
            return (format!("no text of the type prints `{name}{spec}`"), help);
        }
        let (does, have, nothing) = match sigil {
            "*" => ("goes through", "have", "have no loop here"),
            _ => ("asks", "ask", "ask nothing here"),
        };
        let message = format!("no text of the type {does} `{{{sigil}{name}}}`");
        let help = listed(have, known.iter().map(written)).unwrap_or_else(|| nothing.to_owned());
        (message, format!("the type's own texts {help}"))
    }
}

/// Some words and these names; nothing where there are none.
fn listed(words: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| format!("{words} {}", names.join(", ")))
}

/// A source before and from the first dot or colon.
fn split(source: &str) -> (&str, &str) {
    source.split_at(source.find(['.', ':']).unwrap_or(source.len()))
}

/// What a source of the type asks, without the loop.
fn asked(source: &str, around: Option<u16>) -> Cow<'_, str> {
    let (name, rest) = split(source);
    match (around, name) {
        (None, _) => Cow::Borrowed(source),
        (Some(_), "index" | "index0" | "first" | "last") => Cow::Owned(format!("{WORD}{source}")),
        (Some(_), _) => Cow::Borrowed(rest),
    }
}

/// What a text uses, without the loop.
fn source_of(used: &Use) -> Cow<'static, str> {
    let name = match used.in_loop.map(|around| around.name) {
        Some(LoopName::Item) => String::new(),
        Some(_) => format!("{WORD}{}", used.name),
        None => used.name.clone(),
    };
    let mut source = super::bound::joined(&name, &used.path);
    if let UseKind::Variable {
        spec: Some(spec), ..
    } = &used.kind
    {
        source.push(':');
        source.push_str(spec);
    }
    Cow::Owned(source)
}

/// The description of a type while texts in it are exchanged.
struct Rewriting<'i> {
    answers: Answers<'i>,
    info: NodeInfo,
    /// What looks like a slip in the new texts.
    hints: Vec<Diagnostic>,
}

impl<'i> Rewriting<'i> {
    fn new(info: &'i NodeInfo) -> Self {
        Self {
            answers: Answers::of(info),
            info: info.clone(),
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
        let section = &self.info.sections[index];
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
        let sections = self.answers.info.sections.iter();
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
        let numbers = self.answers.numbers(&parsed.uses, spot, &mut found);
        if !found.is_empty() {
            found.sort();
            for fault in found {
                faults.push(spot, fault);
            }
            return None;
        }
        let mut tables = Tables::new(&fields);
        // Both come in the order of the text: what it uses, and what is numbered in its elements.
        Some(tables.text_with(parsed.elements, numbers.into_iter().flatten().collect()))
    }
}

impl<N: PromptNode> Reworded<N> {
    /// The node with these texts; `None` where it has no text of its own.
    pub(super) fn new(node: N, wanted: Vec<Wanted<'_>>, faults: &mut Faults) -> Option<Self> {
        let root = Arc::new(node);
        let described = root.embedded().content.node()?;
        let part = Exchanged::new(&root, Vec::new(), described, wanted, faults);
        Some(Self {
            part: Arc::new(part),
        })
    }

    /// The node with its own text.
    pub fn node(&self) -> &N {
        &self.part.root
    }
}

impl<N: PromptNode> PromptNode for Reworded<N> {
    fn embedded(&self) -> Embedded<'_> {
        let embedded = Embedded::described(&*self.part);
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

impl<N> Clone for Reworded<N> {
    fn clone(&self) -> Self {
        let part = Arc::clone(&self.part);
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

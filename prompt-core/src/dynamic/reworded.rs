//! A derived type with another text: an A/B test of wording keeps its types.
//!
//! The text gets the numbers that the type's own texts have for what it uses, so that the type answers what it asks.

use super::build::{Slots, item_of};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{
    Body, Embedded, Node, NodeInfo, Output, Said, Scope, Section, SectionKeys, Tags,
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
};

/// A node with another text of its own. Its variables, sections, tools and everything else are those of the node. See
/// [`with_text`].
#[derive(Clone)]
pub struct Reworded<N> {
    node: N,
    info: NodeInfo,
    hints: Vec<Diagnostic>,
}

/// The same node with another text, as it may stand in a file that somebody else edits. It has the checks of the
/// derive: every variable, condition and loop must be one that the type's own texts use (in the same form: a `{price:.2}`
/// is no `{price}`), every slot a section. What is only odd is told by `lint`.
///
/// `node` is taken as it is: where an enum decides, the text is that of its active variant. Take a reference to go on
/// using it.
///
/// ```
/// use prompt_core::{PromptNode, dynamic::with_text};
///
/// /// You review {language} code.
/// #[derive(PromptNode)]
/// struct Reviewer {
///     language: &'static str,
/// }
///
/// let reviewer = Reviewer { language: "Rust" };
/// let b = with_text(&reviewer, "Review this {language} code like a colleague.")?;
/// assert_eq!(b.prompt().text().unwrap(), "Review this Rust code like a colleague.");
///
/// let faults = with_text(&reviewer, "Review {langauge} code.").unwrap_err();
/// assert_eq!(faults.code(), Some(prompt_core::Code::UnknownVariable));
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
///
/// # Errors
/// Every fault of the text at once, with line and column; an empty text; a node that has no text of its
/// own, such as a list.
pub fn with_text<N: PromptNode>(node: N, source: &str) -> Result<Reworded<N>, Diagnostics> {
    let Some(described) = node
        .embedded()
        .content
        .node()
        .map(|node| reword(node.info(), source))
    else {
        let message = "it is no node with a text of its own".to_owned();
        let help = "reword the items of a list, or the content of an `Option`";
        return Err(Diagnostic::new(Code::InvalidInput, "", "", message, help).into());
    };
    let (info, hints) = described?;
    Ok(Reworded { node, info, hints })
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
    fn check(&self, uses: &[Use], loops: &[Option<u16>], faults: &mut Diagnostics) {
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
                ..Diagnostic::new(Code::UnknownVariable, "", "", message, help)
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

/// The description of the type with the text in place of its own, and what looks like a slip in it.
fn reword(info: &NodeInfo, source: &str) -> Result<(NodeInfo, Vec<Diagnostic>), Diagnostics> {
    if source.trim().is_empty() {
        let help = "write a text, or leave the type its own";
        let message = "the text is empty".to_owned();
        return Err(Diagnostic::new(Code::InvalidInput, "", "", message, help).into());
    }
    let sections = info.sections.iter();
    let fields: Vec<&str> = sections.map(|section| section.field.as_ref()).collect();
    let answers = Answers::of(info);
    let names = answers.names();
    let options = Options {
        names: &names,
        sections: &fields,
        specs: Specs::Compiled,
        ..Options::new(Place::Node)
    };
    let parsed = prompt_syntax::parse(source, &options);
    let (mut faults, mut hints) = (Diagnostics::none(), Vec::new());
    for problem in parsed.problems {
        let is_lint = problem.code.is_lint();
        let diagnostic = Diagnostic::of_text(problem, "", "");
        if is_lint {
            hints.push(diagnostic);
        } else {
            faults.push(diagnostic);
        }
    }
    let loops = answers.loops_of(&parsed.uses);
    answers.check(&parsed.uses, &loops, &mut faults);
    if !faults.is_empty() {
        faults.sort();
        return Err(faults);
    }
    let mut tables = Tables::new(&fields);
    let mut text = tables.text(parsed.elements, &[], 0);
    // Each loop of the text has a number of its own, in the order in which they stand.
    let is_loop = |used: &&(&Use, Option<u16>)| matches!(used.0.kind, UseKind::Loop { .. });
    let uses: Vec<_> = parsed.uses.iter().zip(loops).collect();
    let loops = uses.iter().filter(is_loop).map(|(_, number)| *number);
    let loops: Vec<_> = loops.collect();
    Numbers::of(&answers, &tables, &loops).put(&mut text);
    let slots = Slots::of(&text);
    let mut sections = info.sections.clone().into_owned();
    for (index, section) in sections.iter_mut().enumerate() {
        section.said = Said::from(SectionKeys {
            placed: slots.sections.contains(&index),
            ..SectionKeys::clone(section)
        });
    }
    let with_own = |of_type: &List<Cow<'static, str>>, own: &mut dyn Iterator<Item = &str>| {
        let own = own.map(|name| Cow::Owned(name.to_owned()));
        of_type.iter().cloned().chain(own).collect()
    };
    let info = NodeInfo {
        text,
        sections: Cow::Owned(sections),
        tags: Tags {
            opens: with_own(&info.tags.opens, &mut tables.opens()),
            closes: with_own(&info.tags.closes, &mut tables.closes()),
            values: info.tags.values || tables.values_in_tags(),
        },
        ..info.clone()
    };
    Ok((info, hints))
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
        &self.node
    }

    fn described(&self) -> Option<&dyn Node> {
        self.node.embedded().content.node()
    }
}

impl<N: PromptNode> PromptNode for Reworded<N> {
    fn embedded(&self) -> Embedded<'_> {
        let embedded = Embedded::described(self);
        if self.node.embedded().varies {
            return embedded.varying();
        }
        embedded
    }
}

impl<N: PromptNode> Scope for Reworded<N> {
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

impl<N: PromptNode> Node for Reworded<N> {
    fn info(&self) -> &NodeInfo {
        &self.info
    }

    fn section(&self, index: usize) -> Section<'_> {
        match self.described() {
            Some(node) => node.section(index),
            None => Section::hidden(),
        }
    }

    fn hints(&self) -> &[Diagnostic] {
        &self.hints
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let node = self.described();
        node.map(|node| node.tools(section)).unwrap_or_default()
    }
}

impl<N> fmt::Debug for Reworded<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reworded")
            .field("name", &self.info.name)
            .finish_non_exhaustive()
    }
}

//! What the texts of a type ask: other texts for it get the same numbers, so that the type answers what they ask.

use super::fault::Spot;
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{ConditionInfo, NodeInfo, Said, SectionInfo, SectionKeys, Text, Title, Variable};
use prompt_syntax::{
    Code, Element, ITEM_NAMES, LoopName, Target, Use, UseKind,
    holding::{self, Table as Kind},
    lower::Slots,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Which text of a node: of its own, or of the section with this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Text,
    Title,
    Summary,
    Introduction(usize),
    SectionTitle(usize),
    SectionSummary(usize),
    Empty(usize),
    ItemTitle(usize),
}

impl Slot {
    /// All of a node.
    pub(super) fn all(info: &NodeInfo) -> impl Iterator<Item = Self> {
        let of_section = |index| {
            let forms = [
                Self::SectionTitle,
                Self::Introduction,
                Self::SectionSummary,
                Self::Empty,
                Self::ItemTitle,
            ];
            forms.map(|form| form(index))
        };
        let sections = (0..info.sections.len()).flat_map(of_section);
        [Self::Text, Self::Title, Self::Summary]
            .into_iter()
            .chain(sections)
    }

    /// The text that a type has there.
    pub(super) fn of(self, info: &NodeInfo) -> Option<&Text> {
        let container = &info.container;
        let section = |index: usize| &info.sections[index];
        match self {
            Self::Text => Some(&info.text).filter(|text| !text.is_empty()),
            Self::Title => container.title.as_ref(),
            Self::Summary => container.summary.as_ref(),
            Self::Introduction(index) => {
                Some(&section(index).intro).filter(|text| !text.is_empty())
            }
            Self::SectionTitle(index) => match &section(index).title {
                Title::Explicit(text) => Some(text),
                _ => None,
            },
            Self::SectionSummary(index) => section(index).summary.as_ref(),
            Self::Empty(index) => section(index).empty.as_ref(),
            Self::ItemTitle(index) => section(index).items.title.as_ref(),
        }
    }

    /// Puts a text there.
    pub(super) fn put(self, info: &mut NodeInfo, text: Text) {
        let slots = (self == Self::Text).then(|| Slots::of(&text));
        let container = &mut info.container;
        let index = match self {
            Self::Text => {
                info.text = text;
                for (index, section) in info.sections.to_mut().iter_mut().enumerate() {
                    let placed = slots
                        .as_ref()
                        .is_some_and(|it| it.sections.contains(&index));
                    change(section, |keys| keys.placed = placed);
                }
                return;
            }
            Self::Title => return container.title = Some(text),
            Self::Summary => return container.summary = Some(text),
            Self::Introduction(index)
            | Self::SectionTitle(index)
            | Self::SectionSummary(index)
            | Self::Empty(index)
            | Self::ItemTitle(index) => index,
        };
        let section = &mut info.sections.to_mut()[index];
        // It has title and introduction in one.
        section.lead = Cow::Borrowed("");
        match self {
            Self::Introduction(_) => section.intro = text,
            Self::SectionTitle(_) => section.title = Title::Explicit(text),
            Self::SectionSummary(_) => change(section, |keys| keys.summary = Some(text)),
            Self::Empty(_) => change(section, |keys| keys.empty = Some(text)),
            _ => change(section, |keys| keys.items.title = Some(text)),
        }
    }

    /// The section whose items it may speak of.
    fn items(self) -> Option<usize> {
        match self {
            Self::SectionSummary(index) | Self::ItemTitle(index) => Some(index),
            _ => None,
        }
    }
}

/// Changes the keys of a section.
fn change(section: &mut SectionInfo, change: impl FnOnce(&mut SectionKeys)) {
    let mut keys = SectionKeys::clone(section);
    change(&mut keys);
    section.said = Said::from(keys);
}

fn kind_of(used: &Use) -> Kind {
    match used.kind {
        UseKind::Variable { .. } => Kind::Value,
        UseKind::Loop { .. } => Kind::Loop,
        _ => Kind::Condition,
    }
}

fn sigil(kind: Kind) -> &'static str {
    match kind {
        Kind::Value => "",
        Kind::Condition => "?",
        Kind::Loop => "*",
    }
}

/// What a type answers, and the numbers of it. Of two with one source the first one counts; but a list may be gone through
/// in several places, each with numbers of its own.
pub(super) struct Answers<'i> {
    info: &'i NodeInfo,
    /// The loop whose item the new text is about.
    list: Option<u16>,
    /// Each with the source that the type's texts have.
    numbers: BTreeMap<Asked<'i>, Vec<(u16, &'i str)>>,
    /// Of values that stand only behind conditions on them: how many names of their path those ask.
    asked: BTreeMap<u16, usize>,
    /// What the type's texts ask, and the places in loops that others of its new texts ask for.
    pub(super) variables: Vec<Variable>,
    pub(super) conditions: Vec<ConditionInfo>,
}

/// How something is used, the loop around, and what is asked: `name.path:spec`; of the item of the loop without its name,
/// which is what an `as` says.
type Asked<'i> = (Kind, Option<u16>, Cow<'i, str>);

/// How the words of a loop are told from fields of its item.
const WORD: char = '#';

impl<'i> Answers<'i> {
    /// What the texts of a type ask, for one of them; `new` is its description with its new texts so far.
    pub(super) fn of(info: &'i NodeInfo, slot: Slot, new: &NodeInfo) -> Self {
        let section = slot.items().map(|index| &info.sections[index]);
        let mut answers = Self {
            info,
            list: section.and_then(|section| section.items.list),
            numbers: BTreeMap::new(),
            asked: BTreeMap::new(),
            variables: new.variables.to_vec(),
            conditions: new.conditions.to_vec(),
        };
        let forms = info.sections.iter().map(|it| it.heading.form.as_ref());
        let container = [&info.container.summary_suffix, &info.container.heading.form];
        let others = forms.chain(container.map(Option::as_ref)).flatten();
        let slots = Slot::all(info).filter_map(|it| it.of(info));
        let items = info.sections.iter();
        let items = items.filter_map(|section| section.items.text.as_ref());
        for text in slots.chain(others).chain(items) {
            answers.add(text);
        }
        answers
    }

    fn add(&mut self, text: &Text) {
        for it in holding::places(text) {
            let Some((source, around)) = self.source(it.table, it.index) else {
                continue;
            };
            let asked = (it.table, around, asked(source, around));
            let numbers = self.numbers.entry(asked).or_default();
            if numbers.iter().all(|(number, _)| *number != it.index) {
                numbers.push((it.index, source));
            }
            if it.table == Kind::Value {
                let depth = self.depth(it.index, &it.holding);
                let least = self.asked.entry(it.index).or_insert(depth);
                *least = depth.min(*least);
            }
        }
    }

    /// What the tables say of a number.
    fn source(&self, kind: Kind, number: u16) -> Option<(&'i str, Option<u16>)> {
        let (info, index) = (self.info, usize::from(number));
        let (source, around) = match kind {
            Kind::Value => info.variables.get(index).map(|it| (&it.source, it.item_of)),
            Kind::Condition => {
                let asked = info.conditions.get(index);
                asked.map(|it| (&it.source, it.item_of))
            }
            Kind::Loop => info.loops.get(index).map(|it| (&it.source, it.item_of)),
        }?;
        Some((source, around))
    }

    /// How many names of a value's path these conditions ask.
    fn depth(&self, value: u16, holding: &[u16]) -> usize {
        let Some((source, around)) = self.source(Kind::Value, value) else {
            return 0;
        };
        let path = source.split(':').next().unwrap_or_default();
        let depth = |condition: &u16| {
            let (asked, of) = self.source(Kind::Condition, *condition)?;
            let rest = path.strip_prefix(asked)?;
            let is_beginning = of == around && (rest.is_empty() || rest.starts_with('.'));
            is_beginning.then(|| asked.split('.').count())
        };
        holding.iter().filter_map(depth).max().unwrap_or(0)
    }

    /// The names that a text may use outside of loops.
    pub(super) fn names(&self) -> Vec<&str> {
        let of_node = self.numbers.keys();
        let of_node = of_node.filter(|(_, around, _)| around.is_none());
        let mut names: BTreeSet<&str> = of_node.map(|(_, _, source)| split(source).0).collect();
        if self.list.is_some() {
            names.extend(ITEM_NAMES);
        }
        names.into_iter().filter(|name| !name.is_empty()).collect()
    }

    /// The numbers of what a text uses, in its order; what the type does not answer is a fault.
    pub(super) fn numbers(
        &mut self,
        uses: &[Use],
        spot: Spot<'_>,
        faults: &mut Diagnostics,
    ) -> Vec<u16> {
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
            let around = match used.in_loop {
                Some(it) => Some(numbers.get(it.of).copied().flatten()),
                None => self.list_of(used).map(Some),
            };
            if around == Some(None) {
                // Its loop has been told.
                numbers.push(None);
                continue;
            }
            let around = around.flatten();
            let number = self
                .number(used, around, &inside)
                .or_else(|| self.place(used, around?));
            if number.is_none() {
                let (message, help) = self.absent(used, around);
                faults.push(Diagnostic {
                    place: Some((used.line, used.column)),
                    ..Diagnostic::new(Code::UnknownVariable, spot.path, spot.part, message, help)
                });
            }
            numbers.push(number);
        }
        numbers.into_iter().flatten().collect()
    }

    /// The loop whose item a use is about that stands in no loop of the text.
    fn list_of(&self, used: &Use) -> Option<u16> {
        let is_item = ITEM_NAMES.contains(&used.name.as_str());
        self.list.filter(|_| is_item && used.in_loop.is_none())
    }

    /// What a text uses, without the loop.
    fn source_of(&self, used: &Use) -> Cow<'static, str> {
        source_of(used, self.list_of(used).is_some())
    }

    /// Whether it is the place of an item in its loop.
    fn is_place(&self, used: &Use) -> bool {
        match used.in_loop {
            Some(it) => it.name != LoopName::Item,
            None => self.list_of(used).is_some() && used.name != "item",
        }
    }

    /// The number of a use. For a loop of a text the first one of the type stands in which all that is used directly
    /// inside has an answer.
    fn number(&self, used: &Use, around: Option<u16>, inside: &[&Use]) -> Option<u16> {
        let of = |used: &Use, around| {
            let asked = (kind_of(used), around, self.source_of(used));
            self.numbers.get(&asked)
        };
        let numbers = of(used, around)?;
        let is_answered =
            |used: &&Use, number| self.is_place(used) || of(used, Some(number)).is_some();
        let answers =
            |(number, _): &&(u16, &str)| inside.iter().all(|used| is_answered(used, *number));
        let best = numbers.iter().find(answers).or(numbers.first());
        best.map(|(number, _)| *number)
    }

    /// The number of a place in a loop: the renderer knows those of every loop.
    fn place(&mut self, used: &Use, around: u16) -> Option<u16> {
        let is_bare = self.source_of(used) == format!("{WORD}{}", used.name);
        let name = match used.in_loop {
            Some(it) => it.name,
            None if used.name == "index0" => LoopName::Index0,
            None => LoopName::Index,
        };
        if !self.is_place(used) || !is_bare {
            return None;
        }
        let source = || Cow::Owned(used.name.clone());
        let (item_of, place) = (Some(around), Some(name));
        let index = if kind_of(used) == Kind::Value {
            let variable = Variable {
                source: source(),
                item_of,
                place,
                ..Variable::DEFAULT
            };
            found_or_added(&mut self.variables, variable)
        } else {
            let condition = ConditionInfo {
                source: source(),
                section: None,
                is_presence: false,
                item_of,
                place,
            };
            found_or_added(&mut self.conditions, condition)
        };
        u16::try_from(index).ok()
    }

    /// What is said of a use that the type does not answer.
    fn absent(&self, used: &Use, around: Option<u16>) -> (String, String) {
        let name = super::bound::joined(&used.name, &used.path);
        let kind = kind_of(used);
        let sigil = sigil(kind);
        let of_loop = self.numbers.iter();
        let of_loop = of_loop.filter(|((its, of, _), _)| (*its, *of) == (kind, around));
        let mut known: Vec<&(u16, &str)> = of_loop.flat_map(|(_, known)| known).collect();
        known.sort_unstable();
        let written = |(_, source): &&(u16, &str)| format!("`{{{sigil}{source}}}`");
        if let UseKind::Variable { spec, .. } = &used.kind {
            let is_field = around.is_some() && !self.source_of(used).starts_with(WORD);
            known.retain(|(_, known)| is_field || split(known).0 == used.name);
            let known: Vec<String> = known.iter().map(written).collect();
            let spec = spec.as_ref().map(|spec| format!(":{spec}"));
            let spec = spec.unwrap_or_default();
            let help = match known.as_slice() {
                [] if self.is_place(used) => format!("write `{{{name}}}`"),
                [] => "the type's own texts only ask for it, and print it nowhere".to_owned(),
                known => format!("print it as {}", known.join(" or ")),
            };
            return (format!("no text of the type prints `{name}{spec}`"), help);
        }
        let (does, have, nothing) = match kind {
            Kind::Loop => ("goes through", "have", "have no loop here"),
            _ => ("asks", "ask", "ask nothing here"),
        };
        let message = format!("no text of the type {does} `{{{sigil}{name}}}`");
        let help = listed(have, known.iter().map(written)).unwrap_or_else(|| nothing.to_owned());
        (message, format!("the type's own texts {help}"))
    }

    /// What may be absent and is printed unasked, with its place.
    pub(super) fn check_asked(
        &self,
        text: &Text,
        uses: &[Use],
        spot: Spot<'_>,
        faults: &mut Diagnostics,
    ) {
        // Both come in the order of the text: what it uses, and what is numbered in its elements.
        for (it, used) in holding::places(text).iter().zip(uses) {
            let wanted = self.asked.get(&it.index).copied().unwrap_or(0);
            let variable = self.info.variables.get(usize::from(it.index));
            let may_lack = used.in_loop.is_some()
                || self.list_of(used).is_some()
                || !used.path.is_empty()
                || variable.is_some_and(|it| it.optional);
            if it.table != Kind::Value || !may_lack || self.depth(it.index, &it.holding) >= wanted {
                continue;
            }
            let name = super::bound::joined(&used.name, &used.path);
            let names: Vec<&str> = name.split('.').take(wanted).collect();
            let condition = names.join(".");
            let message = format!(
                "`{name}` may be absent: the type prints it where `{{?{condition}}}` holds"
            );
            let help = format!("ask first: `{{?{condition}}}..{{{name}}}..{{/{condition}}}`");
            faults.push(Diagnostic {
                place: Some((used.line, used.column)),
                ..Diagnostic::new(Code::MissingDefault, spot.path, spot.part, message, help)
            });
        }
    }

    /// The values and sections that the type's text prints and a new one does not, as they are written.
    pub(super) fn dropped(&self, old: &Text, new: &Text) -> Vec<String> {
        let names = |text: &Text| {
            let values = holding::places(text)
                .into_iter()
                .filter(|it| it.table == Kind::Value);
            let values = values.filter_map(|it| {
                let (source, _) = self.source(it.table, it.index)?;
                Some(source.split(':').next().unwrap_or_default().to_owned())
            });
            let mut names: Vec<String> = values.collect();
            names.extend(text.all().filter_map(|element| match element {
                Element::Slot { name, target, .. } if *target != Target::Subtree => {
                    Some(name.to_string())
                }
                _ => None,
            }));
            names
        };
        let (old, kept) = (names(old), names(new));
        let mut dropped: Vec<String> = Vec::new();
        for name in old {
            if !kept.contains(&name) && !dropped.contains(&name) {
                dropped.push(name);
            }
        }
        dropped
    }
}

/// The place of an entry in a list.
fn found_or_added<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    let known = list.iter().position(|known| *known == entry);
    known.unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}

/// Some words and these names; nothing where there are none.
pub(super) fn listed(words: &str, names: impl Iterator<Item = String>) -> Option<String> {
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
        (Some(_), _) => {
            let place = rest.strip_prefix('.').filter(|_| name != "item");
            let is_place =
                |place: &&str| matches!(place.split(':').next(), Some("index" | "index0"));
            match place.filter(is_place) {
                Some(place) => Cow::Owned(format!("{WORD}{place}")),
                None => Cow::Borrowed(rest),
            }
        }
    }
}

/// What a text uses, without the loop.
fn source_of(used: &Use, is_of_item: bool) -> Cow<'static, str> {
    let name = used.in_loop.map(|around| around.name);
    let of_item = match used.name.as_str() {
        "item" => LoopName::Item,
        _ => LoopName::Index,
    };
    let mut source = match name.or(is_of_item.then_some(of_item)) {
        Some(LoopName::Item) => super::bound::joined("", &used.path),
        // `index`, or that of an outer loop: `dock.index`.
        Some(_) => format!("{WORD}{}", used.path.last().unwrap_or(&used.name)),
        None => super::bound::joined(&used.name, &used.path),
    };
    if let UseKind::Variable {
        spec: Some(spec), ..
    } = &used.kind
    {
        source.push(':');
        source.push_str(spec);
    }
    Cow::Owned(source)
}

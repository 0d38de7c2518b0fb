//! What the texts of a type ask: other texts for it get the same numbers, so that the type answers what they ask.

use super::{bound::joined, fault::Spot};
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{ConditionInfo, NodeInfo, Said, SectionInfo, SectionKeys, Text, Title, Variable};
use prompt_syntax::{
    Code, Element, ITEM_NAMES, LoopName, Place, Target, Use, UseKind,
    holding::{self, Table as Kind},
    lower::Slots,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Which text: of a node, or of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TextForm {
    /// The node's own.
    Text,
    Title,
    Introduction,
    Summary,
    Empty,
    /// The title of each item of a list.
    ItemTitle,
}

impl TextForm {
    const ALL: [Self; 6] = [
        Self::Text,
        Self::Title,
        Self::Introduction,
        Self::Summary,
        Self::Empty,
        Self::ItemTitle,
    ];

    /// All that are written behind a colon.
    pub(super) const NAMED: [Self; 4] =
        [Self::Introduction, Self::Title, Self::Summary, Self::Empty];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Introduction => "introduction",
            Self::Title | Self::ItemTitle => "title",
            Self::Summary => "summary",
            Self::Empty => "empty",
        }
    }

    /// What may stand in it.
    pub(super) fn place(self) -> Place {
        match self {
            Self::Text => Place::Node,
            Self::Title | Self::ItemTitle => Place::Inline,
            Self::Introduction | Self::Summary | Self::Empty => Place::Introduction,
        }
    }
}

/// A text of a node: of its own, or of the section with this index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) section: Option<usize>,
    pub(super) form: TextForm,
}

impl Slot {
    /// All of a node.
    fn all(info: &NodeInfo) -> impl Iterator<Item = Self> {
        let sections = (0..info.sections.len()).map(Some);
        let owners = std::iter::once(None).chain(sections);
        owners.flat_map(|section| TextForm::ALL.map(|form| Self { section, form }))
    }

    /// The text that a type has there.
    pub(super) fn of(self, info: &NodeInfo) -> Option<&Text> {
        let filled = |text| Some(text).filter(|text: &&Text| !text.is_empty());
        let section = self.section.map(|index| &info.sections[index]);
        match (self.form, section) {
            (TextForm::Text, None) => filled(&info.text),
            (TextForm::Title, None) => info.container.title.as_ref(),
            (TextForm::Summary, None) => info.container.summary.as_ref(),
            (TextForm::Introduction, Some(section)) => filled(&section.intro),
            (TextForm::Title, Some(section)) => match &section.title {
                Title::Explicit(text) => Some(text),
                _ => None,
            },
            (TextForm::Summary, Some(section)) => section.summary.as_ref(),
            (TextForm::Empty, Some(section)) => section.empty.as_ref(),
            (TextForm::ItemTitle, Some(section)) => section.items.title.as_ref(),
            _ => None,
        }
    }

    /// Puts a text there.
    pub(super) fn put(self, info: &mut NodeInfo, text: Text) {
        let Some(index) = self.section else {
            match self.form {
                TextForm::Title => info.container.title = Some(text),
                TextForm::Summary => info.container.summary = Some(text),
                _ => {
                    let slots = Slots::of(&text);
                    info.text = text;
                    for (index, section) in info.sections.to_mut().iter_mut().enumerate() {
                        let placed = slots.sections.contains(&index);
                        change(section, |keys| keys.placed = placed);
                    }
                }
            }
            return;
        };
        let section = &mut info.sections.to_mut()[index];
        // It has title and introduction in one.
        section.lead = Cow::Borrowed("");
        match self.form {
            TextForm::Title => section.title = Title::Explicit(text),
            TextForm::Summary => change(section, |keys| keys.summary = Some(text)),
            TextForm::Empty => change(section, |keys| keys.empty = Some(text)),
            TextForm::ItemTitle => change(section, |keys| keys.items.title = Some(text)),
            TextForm::Text | TextForm::Introduction => section.intro = text,
        }
    }

    /// The section whose items it may speak of.
    fn items(self) -> Option<usize> {
        let speaks_of_items = matches!(self.form, TextForm::Summary | TextForm::ItemTitle);
        self.section.filter(|_| speaks_of_items)
    }
}

/// Changes the keys of a section.
pub(super) fn change(section: &mut SectionInfo, change: impl FnOnce(&mut SectionKeys)) {
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
    numbers: BTreeMap<Asked, Vec<(u16, &'i str)>>,
    /// Of values that stand only behind conditions on them: how many names of their path those ask.
    asked: BTreeMap<u16, usize>,
    /// What the type's texts ask, and the places in loops that others of its new texts ask for.
    pub(super) variables: Vec<Variable>,
    pub(super) conditions: Vec<ConditionInfo>,
}

/// What is asked, and in which loop.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    kind: Kind,
    around: Option<u16>,
    /// The place of the item in the loop that it is.
    place: Option<LoopName>,
    /// `name.path:spec`; of the item of a loop without its name, which is what an `as` says, and of its place the spec
    /// alone.
    what: String,
}

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
            let Some((source, asked)) = self.source(it.table, it.index) else {
                continue;
            };
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

    /// What the tables say of a number: its source, and what that asks.
    fn source(&self, kind: Kind, number: u16) -> Option<(&'i str, Asked)> {
        let (info, index) = (self.info, usize::from(number));
        let (source, around, place) = match kind {
            Kind::Value => {
                let variable = info.variables.get(index);
                variable.map(|it| (&it.source, it.item_of, it.place))
            }
            Kind::Condition => {
                let condition = info.conditions.get(index);
                condition.map(|it| (&it.source, it.item_of, it.place))
            }
            Kind::Loop => info
                .loops
                .get(index)
                .map(|it| (&it.source, it.item_of, None)),
        }?;
        let from = match (around, place) {
            (_, Some(_)) => path_of(source).len(),
            (Some(_), None) => name_of(source).len(),
            (None, None) => 0,
        };
        let asked = Asked {
            kind,
            around,
            place,
            what: source[from..].to_owned(),
        };
        Some((source, asked))
    }

    /// How many names of a value's path these conditions ask.
    fn depth(&self, value: u16, holding: &[u16]) -> usize {
        let Some((value, asked)) = self.source(Kind::Value, value) else {
            return 0;
        };
        let depth = |condition: &u16| {
            let (condition, its) = self.source(Kind::Condition, *condition)?;
            let rest = path_of(value).strip_prefix(condition)?;
            let is_beginning =
                its.around == asked.around && (rest.is_empty() || rest.starts_with('.'));
            is_beginning.then(|| condition.split('.').count())
        };
        holding.iter().filter_map(depth).max().unwrap_or(0)
    }

    /// The names that a text may use outside of loops.
    pub(super) fn names(&self) -> Vec<&str> {
        let of_node = self.numbers.keys();
        let of_node = of_node.filter(|asked| asked.around.is_none());
        let mut names: BTreeSet<&str> = of_node.map(|asked| name_of(&asked.what)).collect();
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
            let around = used.in_loop.map(|it| numbers.get(it.of).copied().flatten());
            if around == Some(None) {
                // Its loop has been told.
                numbers.push(None);
                continue;
            }
            let around = around.flatten().or_else(|| self.list_of(used));
            let asked = self.asked(used, around);
            let number = self.number(&asked, &inside);
            let number = number.or_else(|| self.place(used, &asked));
            if number.is_none() {
                let (message, help) = self.absent(used, &asked);
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

    /// What a text asks.
    fn asked(&self, used: &Use, around: Option<u16>) -> Asked {
        let of_list = |_| match used.name.as_str() {
            "item" => LoopName::Item,
            "index0" => LoopName::Index0,
            _ => LoopName::Index,
        };
        let in_loop = used.in_loop.map(|around| around.name);
        let in_loop = in_loop.or_else(|| self.list_of(used).map(of_list));
        let mut what = match in_loop {
            None => joined(&used.name, &used.path),
            Some(LoopName::Item) => joined("", &used.path),
            Some(_) => String::new(),
        };
        if let UseKind::Variable {
            spec: Some(spec), ..
        } = &used.kind
        {
            what.push(':');
            what.push_str(spec);
        }
        Asked {
            kind: kind_of(used),
            around,
            place: in_loop.filter(|name| *name != LoopName::Item),
            what,
        }
    }

    /// The number of a use. For a loop of a text the first one of the type stands in which all that is used directly
    /// inside has an answer.
    fn number(&self, asked: &Asked, inside: &[&Use]) -> Option<u16> {
        let numbers = self.numbers.get(asked)?;
        let answers = |(number, _): &&(u16, &str)| {
            inside.iter().all(|used| {
                let asked = self.asked(used, Some(*number));
                asked.place.is_some() || self.numbers.contains_key(&asked)
            })
        };
        let best = numbers.iter().find(answers).or(numbers.first());
        best.map(|(number, _)| *number)
    }

    /// The number of a place in a loop: the renderer knows those of every loop.
    fn place(&mut self, used: &Use, asked: &Asked) -> Option<u16> {
        let (item_of, place) = (asked.around, asked.place);
        if place.is_none() || !used.path.is_empty() || !asked.what.is_empty() {
            return None;
        }
        let source = || Cow::Owned(used.name.clone());
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
    fn absent(&self, used: &Use, asked: &Asked) -> (String, String) {
        let name = joined(&used.name, &used.path);
        let (kind, around) = (asked.kind, asked.around);
        let sigil = sigil(kind);
        let of_loop = self.numbers.iter();
        let of_loop = of_loop.filter(|(its, _)| (its.kind, its.around) == (kind, around));
        let mut known: Vec<&(u16, &str)> = of_loop.flat_map(|(_, known)| known).collect();
        known.sort_unstable();
        let written = |(_, source): &&(u16, &str)| format!("`{{{sigil}{source}}}`");
        if let UseKind::Variable { spec, .. } = &used.kind {
            let is_place = asked.place.is_some();
            let is_field = around.is_some() && !is_place;
            known.retain(|(_, known)| is_field || name_of(known) == used.name);
            let known: Vec<String> = known.iter().map(written).collect();
            let spec = spec.as_ref().map(|spec| format!(":{spec}"));
            let spec = spec.unwrap_or_default();
            let help = match known.as_slice() {
                [] if is_place => format!("write `{{{name}}}`"),
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
            let name = joined(&used.name, &used.path);
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
                Some(path_of(source).to_owned())
            });
            let mut names: Vec<String> = values.collect();
            // A section without a slot is printed at the end.
            names.extend(text.all().filter_map(|element| match element {
                Element::Slot { name, target, .. } if *target == Target::Collected => {
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

/// What stands in a source before the first dot or colon.
fn name_of(source: &str) -> &str {
    source.split(['.', ':']).next().unwrap_or_default()
}

/// What stands in a source before the colon.
fn path_of(source: &str) -> &str {
    source.split(':').next().unwrap_or_default()
}

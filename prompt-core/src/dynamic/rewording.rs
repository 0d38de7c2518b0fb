//! Other texts for a type, by path: where each path leads, through types and the values that are there, and the text that it
//! names, read like the one it takes the place of.

use super::{
    answers::{Answers, Slot, TextForm, listed},
    fault::{Faults, Spot},
    given::Span,
    node::join,
    parser::names_that_begin,
    words::Word,
};
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{
    Content, Hint, NodeInfo, NodeRef, SectionInfo, Title,
    reworded::{Reworded, Rewording},
    types::{TypeInfo, TypeOf, Variant},
};
use prompt_syntax::{Code, Options, Place, Problem, Specs, Tables, Text, book, lower};
use std::collections::HashSet;

/// A text in place of another: where it is to stand, and how it is written.
pub(super) struct Wanted<'t> {
    /// The keys that lead there.
    pub(super) keys: Vec<&'t str>,
    pub(super) spot: Spot<'t>,
    /// Where its path stands.
    pub(super) path_at: Span,
    pub(super) form: TextForm,
    /// The key of a value whose words they are, instead.
    pub(super) word: Option<Word>,
    pub(super) text: &'t str,
}

impl Wanted<'_> {
    /// What is wrong with it, or looks so, whatever names its type has.
    pub(super) fn syntax(&self) -> Vec<Problem> {
        if self.word.is_some() {
            return Vec::new();
        }
        let free = Options {
            specs: Specs::Compiled,
            ..Options::new(Place::Free)
        };
        let parsed = match self.form {
            TextForm::Text => prompt_syntax::parse_free(self.text, &free),
            form => {
                let names: Vec<&str> = names_that_begin(self.text).into_iter().collect();
                let options = Options {
                    names: &names,
                    place: form.place(),
                    ..free
                };
                prompt_syntax::parse(self.text, &options)
            }
        };
        parsed.problems
    }
}

/// The key of the items of a list.
pub(super) const ITEM: &str = "item";

/// Nodes of one type, as far as they are known: what their type says, and the values that are there.
pub(super) struct Seen<'a> {
    /// Whether a value decides which of the variants it is.
    pub(super) is_enum: bool,
    pub(super) variants: Vec<Known<'a>>,
    nodes: Vec<NodeRef<'a>>,
}

/// A struct, or a variant of an enum.
pub(super) struct Known<'a> {
    pub(super) info: &'a NodeInfo,
    variant: Option<&'static Variant>,
    /// A node like this.
    node: Option<NodeRef<'a>>,
}

/// What a section has in it.
pub(super) struct Child<'a> {
    pub(super) is_list: bool,
    /// The nodes, if it has any.
    pub(super) seen: Option<Seen<'a>>,
    /// Whether more may be known with another value.
    pub(super) is_unknown: bool,
}

impl<'a> Seen<'a> {
    /// The root.
    pub(super) fn root(node: NodeRef<'a>) -> Option<Self> {
        Self::of(None, vec![node])
    }

    fn of(declared: Option<TypeInfo>, nodes: Vec<NodeRef<'a>>) -> Option<Self> {
        let mut seen = Self {
            is_enum: false,
            variants: Vec::new(),
            nodes,
        };
        let types: Vec<_> = seen.nodes.iter().map(|node| node.type_info()).collect();
        for types in declared.into_iter().chain(types.into_iter().flatten()) {
            seen.is_enum |= types.is_enum;
            for variant in types.variants {
                seen.known(&variant.info, Some(variant));
            }
        }
        for node in seen.nodes.clone() {
            // A node that is built at run time has no type.
            seen.known(node.parts().0.info(), None).node = Some(node);
        }
        seen.is_enum |= seen.variants.len() > 1;
        (!seen.variants.is_empty()).then_some(seen)
    }

    /// What is known of a description, which is found or added.
    fn known(&mut self, info: &'a NodeInfo, variant: Option<&'static Variant>) -> &mut Known<'a> {
        let mut known = self.variants.iter();
        // A description of a type may stand at several places in memory; each node that is built at run time has its own.
        let is_it = |known: &Known<'_>| {
            std::ptr::eq(known.info, info) || known.has_type() && known.info == info
        };
        let found = known.position(is_it);
        let index = found.unwrap_or(self.variants.len());
        if found.is_none() {
            self.variants.push(Known {
                info,
                variant,
                node: None,
            });
        }
        &mut self.variants[index]
    }

    /// The other texts that the nodes have already.
    fn texts(&self) -> Rewording {
        let own = self.nodes.iter().find_map(|node| node.parts().1);
        own.cloned().unwrap_or_default()
    }
}

impl<'a> Known<'a> {
    /// Whether it is one of a type, and not built at run time.
    pub(super) fn has_type(&self) -> bool {
        self.variant.is_some()
    }

    /// What the section with this index has in it.
    pub(super) fn child(&self, index: usize) -> Child<'a> {
        let types = self.variant.map(|variant| variant.types);
        let of = match types {
            Some([]) => TypeOf::NoNode,
            Some(types) => types.get(index).copied().unwrap_or(TypeOf::Unknown),
            None => TypeOf::Unknown,
        };
        let content = self.node.map(|node| node.parts().0.section(index).content);
        let content = content.unwrap_or(Content::Absent);
        let is_list = matches!(of, TypeOf::List(_)) || matches!(content, Content::List(_));
        let is_absent = matches!(content, Content::Absent) || content.is_empty();
        let mut nodes = Vec::new();
        collect(&content, &mut nodes);
        let declared = match of {
            TypeOf::Node(info) | TypeOf::List(info) => Some(info()),
            TypeOf::NoNode | TypeOf::Unknown => None,
        };
        Child {
            is_list,
            seen: Seen::of(declared, nodes),
            is_unknown: matches!(of, TypeOf::Unknown) && is_absent,
        }
    }
}

fn collect<'a>(content: &Content<'a>, nodes: &mut Vec<NodeRef<'a>>) {
    match content {
        Content::Node(node) => nodes.push(*node),
        Content::List(entries) => {
            for entry in entries {
                collect(&entry.content, nodes);
            }
        }
        _ => {}
    }
}

/// A path without its last keys.
fn before(path: &str, keys: usize) -> &str {
    let mut rest = path;
    for _ in 0..keys {
        rest = rest.rsplit_once('.').map_or("", |(rest, _)| rest);
    }
    rest
}

/// A path, and a key below it, as they are told.
fn joined(path: &str, key: &str) -> String {
    format!("`{}`", join(path, key))
}

/// Puts texts in their places.
#[derive(Default)]
pub(super) struct Rewriter {
    /// The texts of a wording that were said.
    pub(super) said: HashSet<(String, TextForm)>,
    pub(super) faults: Faults,
    pub(super) hints: Faults,
    /// Whether what cannot be seen in these values is a fault.
    pub(super) is_check: bool,
}

impl Rewriter {
    /// A text at a path, seen from nodes; `keys` are those that are left of it.
    pub(super) fn put(
        &mut self,
        seen: &Seen<'_>,
        texts: &mut Rewording,
        keys: &[&str],
        wanted: &Wanted<'_>,
    ) {
        if texts.variants.is_empty() {
            *texts = seen.texts();
        }
        let mut variants = seen.variants.iter();
        let found = match keys {
            _ if !seen.is_enum => variants.next().map(|known| (known, keys)),
            [name, rest @ ..] => {
                let named = variants.find(|known| known.info.name == *name);
                named.map(|known| (known, rest))
            }
            [] => None,
        };
        let Some((known, keys)) = found else {
            return self.no_variant(seen, keys, wanted);
        };
        let reworded = texts.of_mut(known.info);
        if let (Some(word), [name]) = (wanted.word, keys) {
            return self.word(reworded, name, word, wanted);
        }
        let [key, rest @ ..] = keys else {
            if let Some(word) = wanted.word {
                let message = format!("`:{}` is of no value", word.name());
                return self.nowhere(wanted, message, "write the name of the value before it");
            }
            let (section, form) = (None, wanted.form);
            if matches!(form, TextForm::Introduction | TextForm::Empty) {
                let message = format!("`{}:{}` names no text", wanted.spot.path, form.name());
                return self.nowhere(wanted, message, "only a section has that");
            }
            return self.exchange(known, reworded, Slot { section, form }, wanted);
        };
        let sections = known.info.sections.iter();
        if let Some(index) = sections.clone().position(|it| it.key == *key) {
            return self.section(known, reworded, index, rest, wanted);
        }
        let at = before(wanted.spot.path, rest.len());
        let around = before(wanted.spot.path, keys.len());
        let names = sections.map(|section| section.key.as_ref());
        let help = nearest(around, key, names);
        self.nowhere(wanted, format!("there is no section `{at}`"), help);
    }

    /// The words of a key of a value.
    fn word(&mut self, reworded: &mut Reworded, name: &str, word: Word, wanted: &Wanted<'_>) {
        let (path, key) = (wanted.spot.path, word.name());
        let values = reworded.info.variables.iter();
        let names = values.filter_map(|it| it.source.split([':', '.']).next());
        let is_value = |asked: &str| names.clone().any(|name| name == asked);
        let blank = lower::blank_default(wanted.text).filter(|_| word == Word::Default);
        if let Some(problem) = blank.or_else(|| lower::not_literal(wanted.text, key, is_value)) {
            return self.faults.report(wanted.spot, problem);
        }
        if word.put(&mut reworded.info, name, wanted.text) {
            return;
        }
        let message = format!("`{path}` has no `{key}`");
        let help = "a wording says anew what is there: the type has it in `#[var(..)]`, or in `#[section(..)]` of a list";
        self.nowhere(wanted, message, help);
    }

    /// A text of a section, or of what is in it.
    fn section(
        &mut self,
        known: &Known<'_>,
        reworded: &mut Reworded,
        index: usize,
        keys: &[&str],
        wanted: &Wanted<'_>,
    ) {
        let info = &known.info.sections[index];
        let child = known.child(index);
        let is_below = match (keys, wanted.form) {
            ([ITEM], TextForm::Title) if child.is_list => info.items.title.is_none(),
            ([], form) => !child.is_list && child.says(form, info),
            _ => true,
        };
        if !is_below {
            if child.hides(wanted.form, info) {
                return self.not_there(wanted);
            }
            let form = match (keys, wanted.form) {
                ([_], _) => TextForm::ItemTitle,
                (_, TextForm::Text) => TextForm::Introduction,
                (_, form) => form,
            };
            let section = Some(index);
            return self.exchange(known, reworded, Slot { section, form }, wanted);
        }
        let at = before(wanted.spot.path, keys.len());
        let keys = match keys {
            [ITEM, rest @ ..] if child.is_list => rest,
            _ if child.is_list => {
                let message = format!("`{}` names no text of the list `{at}`", wanted.spot.path);
                let help = format!("all its items have one text: `{at}.{ITEM}`");
                return self.nowhere(wanted, message, help);
            }
            keys => keys,
        };
        match &child.seen {
            Some(seen) => {
                let below = reworded.below.entry(index).or_default();
                self.put(seen, below, keys, wanted);
            }
            None if child.is_unknown => self.not_there(wanted),
            None => {
                let message = format!("there is no text `{}`", wanted.spot.path);
                let help = if child.is_list {
                    format!(
                        "the items of `{at}` have no text of their own: give them a type that has one"
                    )
                } else {
                    format!("what is in `{at}` has no sections: reword `{at}`")
                };
                self.nowhere(wanted, message, help);
            }
        }
    }

    /// An enum has no text of its own, and needs the name of a variant.
    fn no_variant(&mut self, seen: &Seen<'_>, keys: &[&str], wanted: &Wanted<'_>) {
        let path = wanted.spot.path;
        let around = before(path, keys.len());
        let variants = seen.variants.iter();
        let names = variants.clone().map(|known| known.info.name.as_ref());
        let what = match around {
            "" => "what is reworded".to_owned(),
            path => format!("`{path}`"),
        };
        let Some((key, rest)) = keys.split_first() else {
            let message = format!("{what} is an enum: each variant has a text of its own");
            let written = names.map(|name| joined(around, name));
            let help = listed("name the variant:", written).unwrap_or_default();
            return self.nowhere(wanted, message, help);
        };
        let message = format!("{what} is an enum and has no variant `{key}`");
        let has_section = |known: &&Known<'_>| known.info.sections.iter().any(|it| it.key == *key);
        let meant = variants.filter(has_section);
        let meant = meant.map(|known| {
            let keys = [&[known.info.name.as_ref(), key], rest].concat();
            joined(around, &keys.join("."))
        });
        let help = listed("name the variant:", meant);
        let help = help.unwrap_or_else(|| nearest(around, key, names));
        self.nowhere(wanted, message, help);
    }

    /// Of what is not there nothing is known but what its section says itself.
    fn not_there(&mut self, wanted: &Wanted<'_>) {
        if self.is_check {
            let message = format!("what is at `{}` is not known", wanted.spot.path);
            let help = "its type is known with a value only: check with a value that has it";
            self.nowhere(wanted, message, help);
        }
    }

    fn nowhere(&mut self, wanted: &Wanted<'_>, message: String, help: impl Into<String>) {
        let (spot, code) = (wanted.spot.at(wanted.path_at), Code::UnknownPath);
        self.faults.add(spot, code, message, help);
    }

    /// Puts a text in place of one of a node.
    fn exchange(
        &mut self,
        known: &Known<'_>,
        reworded: &mut Reworded,
        slot: Slot,
        wanted: &Wanted<'_>,
    ) {
        let path = wanted.spot.path;
        if !self.said.insert((path.to_owned(), slot.form)) {
            let problem = book::twice(&format!("{path}:{}", slot.form.name()));
            return self.faults.report(wanted.spot.at(wanted.path_at), problem);
        }
        if let Some((code, message, help)) = missing(known.info, slot, wanted.spot.path) {
            self.faults.add(wanted.spot, code, message, help);
            return;
        }
        if slot.form == TextForm::Text {
            let is_other = |hint: &Hint| !matches!(hint.part.as_ref(), "text" | "body");
            reworded.info.hints.to_mut().retain(is_other);
        }
        let Some(text) = self.read(known, reworded, slot, wanted) else {
            return;
        };
        slot.put(&mut reworded.info, text);
    }

    /// Reads a text like the one in whose place it comes, and gives it the numbers of the type.
    fn read(
        &mut self,
        known: &Known<'_>,
        reworded: &mut Reworded,
        slot: Slot,
        wanted: &Wanted<'_>,
    ) -> Option<Text> {
        let Wanted { spot, text, .. } = *wanted;
        if text.trim().is_empty() {
            let help = "write a text, or leave the type its own";
            self.faults
                .add(spot, Code::InvalidInput, "the text is empty", help);
            return None;
        }
        let sections = known.info.sections.iter();
        let fields: Vec<&str> = sections.map(|section| section.field.as_ref()).collect();
        let mut answers = Answers::of(known.info, slot, &reworded.info);
        let names = answers.names();
        let codes = known.variant.map(|it| (it.allow, it.deny));
        let (allow, deny) = codes.unwrap_or_default();
        let options = Options {
            names: &names,
            sections: &fields,
            specs: Specs::Compiled,
            allow,
            ..Options::new(slot.form.place())
        };
        let parsed = prompt_syntax::parse(text, &options);
        let mut found = Diagnostics::none();
        for problem in parsed.problems {
            if problem.code.is_lint() && !deny.contains(&problem.code) {
                self.hint(reworded, spot, spot.problem(problem));
            } else {
                found.push(spot.problem(problem));
            }
        }
        let numbers = answers.numbers(&parsed.uses, spot, &mut found);
        let mut text = Text::EMPTY;
        if numbers.len() == parsed.uses.len() {
            let mut tables = Tables::new(&fields);
            text = tables.text_with(parsed.elements, numbers);
            let tags = tables.tags().map(|name| name.to_owned().into());
            reworded.info.tags.to_mut().extend(tags);
            answers.check_asked(&text, &parsed.uses, spot, &mut found);
        }
        let drops = Code::WordingDrops;
        if let Some(old) = slot.of(known.info).filter(|_| found.is_empty())
            && let Some(names) = written(&answers.dropped(old, &text))
            && !allow.contains(&drops)
        {
            let message = format!("the type's text prints {names}, this one does not");
            let help = "write it; a type whose wordings may leave it out has `#[prompt(allow(wording_drops))]`";
            let hint = Diagnostic::new(drops, spot.path, spot.part, message, help);
            if deny.contains(&drops) {
                found.push(hint);
            } else {
                self.hint(reworded, spot, hint);
            }
        }
        reworded.info.variables = answers.variables.into();
        reworded.info.conditions = answers.conditions.into();
        if found.is_empty() {
            return Some(text);
        }
        found.sort();
        for fault in found {
            self.faults.push(spot, fault);
        }
        None
    }

    fn hint(&mut self, reworded: &mut Reworded, spot: Spot<'_>, hint: Diagnostic) {
        reworded.info.hints.to_mut().push(Hint::from(&hint));
        self.hints.push(spot, hint);
    }
}

impl Child<'_> {
    /// Whether a text at the path of the section may be one of a node that is not there.
    fn hides(&self, form: TextForm, section: &SectionInfo) -> bool {
        self.is_unknown && leaves(section, form)
    }

    /// Whether a text at the path of the section is one of the node in it.
    pub(super) fn says(&self, form: TextForm, section: &SectionInfo) -> bool {
        let slot = Slot {
            section: None,
            form,
        };
        let is_there = |known: &Known<'_>| slot.of(known.info).is_some();
        let has_it = |seen: &Seen<'_>| seen.variants.iter().any(is_there);
        let is_own = |seen: &Seen<'_>| form == TextForm::Text || has_it(seen);
        leaves(section, form) && self.seen.as_ref().is_some_and(is_own)
    }
}

/// Whether a section leaves a text to the node in it.
fn leaves(section: &SectionInfo, form: TextForm) -> bool {
    match form {
        TextForm::Text => true,
        TextForm::Title => matches!(section.title, Title::Fallback(_)),
        TextForm::Summary => section.summary.is_none(),
        _ => false,
    }
}

/// What is wrong with a text where the type has none: what is printed there is not up to the wording.
fn missing(info: &NodeInfo, slot: Slot, path: &str) -> Option<(Code, String, &'static str)> {
    if slot.of(info).is_some() {
        return None;
    }
    let help = "whether there is one is said by the type: remove this text";
    let is_titled = |index: usize| !matches!(info.sections[index].title, Title::Untitled(_));
    let (code, what) = match slot.form {
        TextForm::Text | TextForm::Introduction => return None,
        TextForm::Title if slot.section.is_some_and(is_titled) => return None,
        TextForm::Title | TextForm::ItemTitle => (Code::InvalidInput, "title"),
        TextForm::Summary => (Code::SummaryMissing, "summary"),
        TextForm::Empty => (Code::InvalidInput, "`empty` text"),
    };
    let whose = match path {
        "" => "the root".to_owned(),
        path => format!("section `{path}`"),
    };
    Some((code, format!("{whose} has no {what}"), help))
}

/// The path that was meant, or all that there are.
fn nearest<'n>(around: &str, key: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    let mut forms = TextForm::NAMED.into_iter().map(TextForm::name);
    match around {
        "" if key == "text" => {
            return "the text of the type is `text` above `[NAME.texts]`".to_owned();
        }
        "" => {}
        path if forms.any(|form| form == key) => return format!("write `{path}:{key}`"),
        _ => {}
    }
    if let Some(near) = prompt_syntax::nearest(key, names.clone()) {
        return format!("did you mean {}?", joined(around, near));
    }
    let names = names.map(|name| joined(around, name));
    listed("there are", names).unwrap_or_else(|| "there are no sections here".to_owned())
}

/// Names as a text writes them.
fn written(names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{{{name}}}`")).collect();
    let (last, others) = names.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => format!("{} and {last}", others.join(", ")),
    })
}

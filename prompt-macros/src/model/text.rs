//! The texts of a node: parsed and lowered here and nowhere else. All texts of a node share one table of variables and
//! one of conditions.

use super::{
    Name,
    form::{Operand, Piece, Print, Template, Text},
    kind::{self, ItemType, Kind},
    value::{Known, Missed, Names, Variable, members},
};
use crate::{
    diagnostic::{Diagnostic, Errors, Inside},
    input::{
        Body, Field, FieldRole, Style,
        docs::{Location, Source},
        groups::ItemKeys,
        value::{Switch, Words},
    },
};
use proc_macro2::Span;
use prompt_syntax::{
    Code, Element, Elements, InlineText, Lowered, LoweredText, Lowering, Mark, MarkKind, Options,
    Parsed, Problem, Special, Specs, UseKind,
};
use std::collections::{BTreeSet, HashMap};

/// What a condition asks.
#[derive(Clone)]
pub(crate) struct Condition {
    /// As written behind the question mark.
    pub(crate) source: String,
    /// What it is.
    pub(crate) asked: Asked,
}

/// What stands behind a question mark.
#[derive(Clone)]
pub(crate) enum Asked {
    /// A value.
    Value(Operand),
    /// Something about an item of this list.
    Item { list: Operand, item: Operand },
    /// Whether the section with this index prints something.
    Section(u16),
}

/// What a text knows besides the names of its node, and where it stands.
#[derive(Clone, Copy, Default)]
pub(crate) struct Local<'a> {
    /// Names that the renderer fills in.
    pub(crate) special: &'a [Special],
    /// The text is about an item: of this list section, or of the value whose template it is.
    pub(crate) item: Option<Item<'a>>,
    /// It belongs to the enum around the node, and is read for each variant.
    pub(crate) inherited: bool,
    /// Why there is no `item` in it, where one might look for it.
    pub(crate) no_item: Option<&'static str>,
}

/// What `item` is.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    /// An item of a list section: its index and field.
    OfSection(usize, &'a Field),
    /// An item of the list whose template this is, with its type where that is known.
    OfValue(Option<&'a syn::Type>),
}

impl<'a> Item<'a> {
    /// The type of the list.
    fn list(self) -> Option<&'a syn::Type> {
        match self {
            Self::OfSection(_, field) => Some(&field.ty),
            Self::OfValue(ty) => ty,
        }
    }

    /// The list section, from 1; 0 for none.
    fn scope(self) -> usize {
        match self {
            Self::OfSection(index, _) => index + 1,
            Self::OfValue(_) => 0,
        }
    }
}

/// The names that texts about an item have besides.
const ITEM_NAMES: &[&str] = &["item", "index", "index0"];

/// The texts of a node while they are gathered.
pub(crate) struct Texts<'a> {
    body: &'a Body,
    /// What texts may name.
    pub(crate) names: Names<'a>,
    sections: Vec<String>,
    section_indices: HashMap<String, u16>,
    /// What reads each field of a tuple that is a variable.
    tuple: Vec<String>,
    allow: Vec<Code>,
    deny: Vec<Code>,
    in_variant: bool,
    /// The variables of all texts so far.
    pub(crate) variables: Vec<Variable>,
    indices: HashMap<(usize, String), u16>,
    /// Variables that some text prints where nothing says that they are there.
    bare: BTreeSet<u16>,
    /// What the conditions of all texts so far ask.
    pub(crate) conditions: Vec<Condition>,
    condition_indices: HashMap<(usize, String), u16>,
    /// Tags that the texts so far open, and close.
    pub(crate) tags: Tags,
    /// Names that some text uses.
    used: BTreeSet<String>,
}

/// Names of tags in static texts.
#[derive(Clone, Default)]
pub(crate) struct Tags {
    pub(crate) opens: Vec<String>,
    pub(crate) closes: Vec<String>,
    /// Whether a value stands inside such a tag.
    pub(crate) values: bool,
}

impl Tags {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.opens.is_empty() && self.closes.is_empty() && !self.values
    }
}

impl<'a> Texts<'a> {
    /// The names of a struct or variant; `sections` are the names of its slots.
    pub(crate) fn new(
        body: &'a Body,
        sections: Vec<String>,
        [allow, deny]: [Vec<Code>; 2],
        in_variant: bool,
    ) -> Self {
        let indices = sections.iter().zip(0..);
        Self {
            body,
            names: Names::of(body),
            section_indices: indices.map(|(name, index)| (name.clone(), index)).collect(),
            sections,
            tuple: tuple(body, in_variant),
            allow,
            deny,
            in_variant,
            variables: Vec::new(),
            indices: HashMap::new(),
            bare: BTreeSet::new(),
            conditions: Vec::new(),
            condition_indices: HashMap::new(),
            tags: Tags::default(),
            used: BTreeSet::new(),
        }
    }

    /// Parses a text. Its problems are reported where they stand.
    pub(crate) fn text(
        &mut self,
        source: &Source,
        place: prompt_syntax::Place,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Text {
        let read = self.read(source, place, local, errors);
        let variables: Vec<u16> = read
            .lowered
            .variables
            .iter()
            .map(|found| self.index(found, local, &read, errors))
            .collect();
        let conditions: Vec<u16> = read
            .lowered
            .conditions
            .iter()
            .map(|asked| self.condition(asked, local, &read, errors))
            .collect();
        Text::of(&read.lowered, |mark| {
            remap(mark, Some(&variables), Some(&conditions))
        })
    }

    /// The short form of a section: blocks, but no slots.
    pub(crate) fn summary(&mut self, words: &Words, local: Local<'_>, errors: &mut Errors) -> Text {
        let source = Source::verbatim(&words.0);
        self.text(&source, prompt_syntax::Place::Introduction, local, errors)
    }

    /// A one-line text: a title.
    pub(crate) fn line(&mut self, words: &Words, local: Local<'_>, errors: &mut Errors) -> Text {
        self.text(
            &Source::verbatim(&words.0),
            prompt_syntax::Place::Inline,
            local,
            errors,
        )
    }

    /// Parses and lowers a text by itself.
    pub(crate) fn read<'s>(
        &mut self,
        source: &'s Source,
        place: prompt_syntax::Place,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Read<'s> {
        let mut names: Vec<&str> = self.names.all().collect();
        names.extend(local.special.iter().map(|special| special.name()));
        if local.item.is_some() {
            names.extend(ITEM_NAMES);
        }
        let sections: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        let tuple: Vec<&str> = self.tuple.iter().map(String::as_str).collect();
        let options = Options {
            names: &names,
            sections: &sections,
            tuple: &tuple,
            doc_comment: source.doc_comment,
            allow: &self.allow,
            specs: Specs::Compiled,
            ..Options::new(place)
        };
        let parsed = prompt_syntax::parse(&source.text, &options);
        for problem in &parsed.problems {
            if !problem.code.is_hint() || self.deny.contains(&problem.code) {
                errors.push(self.complaint(problem, source, local));
            }
        }
        let lowered = self.lowered(&parsed, local.special);
        Read::new(source, lowered, parsed.uses)
    }

    fn lowered(&mut self, parsed: &Parsed, special: &[Special]) -> Lowered {
        let sections: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        let mut lowering = Lowering::new(&sections);
        let LoweredText {
            literal,
            marks,
            base,
            end,
        } = lowering.template(&parsed.elements, special);
        let lowered = Lowered {
            literal,
            marks,
            base,
            end,
            variables: lowering.variables().to_vec(),
            conditions: lowering.conditions().to_vec(),
            ..Lowered::default()
        };
        let tags = &mut self.tags;
        merge(&mut tags.opens, lowering.opens());
        merge(&mut tags.closes, lowering.closes());
        tags.values |= lowering.values_in_tags();
        let names = lowered.variables.iter().map(|found| &found.name);
        let asked = lowered.conditions.iter().map(|found| &found.name);
        self.used.extend(names.chain(asked).cloned());
        lowered
    }

    /// The node-wide index of a variable.
    fn index(
        &mut self,
        found: &prompt_syntax::Variable,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> u16 {
        let item = local.item.filter(|_| is_item(&found.name));
        let key = (item.map_or(0, Item::scope), written(found));
        let free = read.is_free(found);
        if let Some(&index) = self.indices.get(&key) {
            self.note_use(index, free);
            return index;
        }
        // The place is taken before its templates are read: they may name other values, and these others.
        let index = self.add(Variable::new(
            key.1.clone(),
            Operand::Index { from: 0 },
            Print::Display,
            Span::call_site(),
        ));
        self.indices.insert(key, index);
        self.note_use(index, free);
        let variable = self.variable(found, local, read, errors);
        if let Some(place) = self.variables.get_mut(usize::from(index)) {
            *place = variable;
        }
        index
    }

    fn note_use(&mut self, index: u16, free: bool) {
        if !free {
            self.bare.insert(index);
        }
    }

    /// Adds a variable to the table.
    pub(crate) fn add(&mut self, variable: Variable) -> u16 {
        self.variables.push(variable);
        narrow(self.variables.len() - 1)
    }

    /// A variable that prints a field, an entry of `vars`, or something about an item.
    fn variable(
        &mut self,
        found: &prompt_syntax::Variable,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> Variable {
        let (operand, print) = self.value(found, local, read, errors);
        if let Some(Item::OfSection(_, list)) = local.item.filter(|_| is_item(&found.name)) {
            let print = Print::Item(Box::new(Template::of(operand, print)));
            return Variable {
                missed: (found.name == "item").then_some(Missed::Nothing),
                ..Variable::new(written(found), Operand::field(list), print, list.span)
            };
        }
        let Some(known) = self.names.get(&found.name) else {
            let span = read.span(&found.name, &found.path);
            return Variable::new(written(found), operand, print, span);
        };
        let whole = found.path.is_empty();
        let bare = print.is_bare();
        let missed = match known.kind {
            _ if !bare || known.keys.faulty => None,
            _ if whole && known.is_hashed() => Some(Missed::Order),
            Kind::Option if whole => Some(Missed::Default),
            Kind::List { .. } if whole => Some(Missed::Join),
            Kind::Text | Kind::Scalar | Kind::Unit if whole => None,
            _ => Some(Missed::Nothing),
        };
        Variable {
            description: known.description.clone().filter(|_| whole),
            treatment: known.treatment(),
            optional: whole && known.kind == Kind::Option,
            missed,
            ..Variable::new(written(found), operand, print, known.span)
        }
    }

    /// What a template prints: a value that is one short call, or else what the table says.
    pub(crate) fn piece(
        &mut self,
        found: &prompt_syntax::Variable,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> (Operand, Print) {
        let own = local.item.is_some() && is_item(&found.name);
        let simple = self.names.get(&found.name).is_none_or(|known| {
            let bare = known.keys.is_silent();
            (known.keys.own.some.is_none() && known.keys.own.default.is_none())
                && known.keys.items.is_silent()
                && (known.keys.own.yes.is_none() && known.keys.own.no.is_none())
                && !(bare && is_missed(known))
        });
        if own || simple || !found.path.is_empty() {
            let (operand, print) = self.value(found, local, read, errors);
            let print = if read.is_free(found) && may_be_option(&print, own, found, &self.names) {
                Print::Freed(Box::new(print))
            } else {
                print
            };
            return (operand, print);
        }
        let index = self.index(found, Local::default(), read, errors);
        (Operand::Index { from: 0 }, Print::Table(index))
    }

    /// What `{name.path:spec}` prints, and how. In a text about an item `item` and `index` come first.
    fn value(
        &mut self,
        found: &prompt_syntax::Variable,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> (Operand, Print) {
        // Most uses are a name alone, and need no place.
        let span = || read.span(&found.name, &found.path);
        let path = match &*found.path {
            [] => Vec::new(),
            path => members(path, span()),
        };
        let spec = found.spec.as_ref().filter(|spec| !spec.is_empty());
        let plain = spec.map_or(Print::Display, |spec| Print::Spec(spec.clone(), span()));
        if let Some(item) = local.item {
            match found.name.as_str() {
                "index" => return (Operand::Index { from: 1 }, plain),
                "index0" => return (Operand::Index { from: 0 }, plain),
                "item" => {
                    self.check_item(item, &found.path, read, errors);
                    let is_option = item.list().is_some_and(kind::has_optional_items);
                    if is_option && path.is_empty() && plain.is_bare() && !read.is_free(found) {
                        errors.push(optional_item(span()));
                    }
                    return (Operand::Item(path, span()), plain);
                }
                _ => {}
            }
        }
        match self.names.get(&found.name).cloned() {
            Some(known) if path.is_empty() => {
                if let (Some(spec), Some(key)) = (spec, known.keys.without_spec()) {
                    let fact = format!("the spec `:{spec}` says nothing of what `{key}` prints");
                    let help = match key {
                        "item" => format!("write it in the template: `{{item:{spec}}}`"),
                        _ => "drop one of the two; `with` takes both".to_owned(),
                    };
                    errors.add(Code::UnsupportedSpec, span(), fact, help);
                }
                (known.operand.clone(), self.print(&known, plain, errors))
            }
            Some(known) => (known.operand.with_path(path), plain),
            // An unknown name: its problem has been reported.
            None => (Operand::Index { from: 0 }, Print::Display),
        }
    }

    /// How a name prints: what its keys say, with the spec of the text that prints it.
    fn print(&mut self, known: &Known<'_>, plain: Print, errors: &mut Errors) -> Print {
        let keys = &known.keys.own;
        if let Some(path) = &keys.with {
            return Print::With(path.0.clone(), Box::new(plain));
        }
        if keys.yes.is_some() || keys.no.is_some() {
            return Print::Choice {
                yes: self.words(keys.yes.as_ref(), errors),
                no: self.words(keys.no.as_ref(), errors),
            };
        }
        let is_list = matches!(known.kind, Kind::List { .. });
        let (inner, whole) = match (keys.json, keys.debug) {
            (Some(json), _) => (Print::Json(json), is_list),
            (None, Some(Switch { on: true, span })) => (Print::Spec("?".to_owned(), span), is_list),
            _ if !known.keys.items.is_silent() => (
                self.list(&known.keys.items, (known.ty, plain, known.span), errors),
                true,
            ),
            _ => (plain, false),
        };
        let some = keys.some.as_ref().map(|some| self.some(some, errors));
        let default = keys.default.as_ref();
        let default = default.map(|words| self.template(words, Local::default(), errors));
        let inner = Box::new(inner);
        match (&some, &default) {
            (None, None) => *inner,
            _ if whole => Print::Whole {
                some,
                default,
                inner,
            },
            _ => Print::Maybe {
                some,
                default,
                inner,
            },
        }
    }

    fn words(&mut self, words: Option<&Words>, errors: &mut Errors) -> Template {
        words.map_or_else(
            || Template::Pieces(Vec::new()),
            |words| self.template(words, Local::default(), errors),
        )
    }

    /// A list: items as their template says, or plain.
    pub(crate) fn list(
        &mut self,
        keys: &ItemKeys,
        (ty, plain, span): (Option<&syn::Type>, Print, Span),
        errors: &mut Errors,
    ) -> Print {
        let local = Local {
            item: Some(Item::OfValue(ty)),
            ..Local::default()
        };
        let item = keys.item.as_ref();
        let item = item.map(|template| self.template(template, local, errors));
        if item.is_none() && plain.is_bare() && ty.is_some_and(kind::has_optional_items) {
            errors.push(optional_item(span));
        }
        let item = item.unwrap_or_else(|| Template::of(Operand::Item(Vec::new(), span), plain));
        let [join, last] = self.joins(keys, errors);
        let join = join.unwrap_or_else(|| "\n".to_owned());
        let last = last.unwrap_or_else(|| join.clone());
        Print::List { join, last, item }
    }

    /// What stands between items, and before the last one.
    pub(crate) fn joins(&mut self, keys: &ItemKeys, errors: &mut Errors) -> [Option<String>; 2] {
        let mut words = |words: &Option<Words>, key| {
            let words = words.as_ref();
            words.map(|words| self.literal(words, key, errors))
        };
        [words(&keys.join, "join"), words(&keys.last, "last")]
    }

    /// Words that are printed as they stand. Their tags are the document's, and a name of the node in braces would stay
    /// there in silence.
    pub(crate) fn literal(&mut self, words: &Words, key: &str, errors: &mut Errors) -> String {
        let text = words.value();
        if !text.contains(['<', '{']) {
            return text;
        }
        let names: Vec<&str> = self.names.all().collect();
        let options = Options {
            names: &names,
            ..Options::new(prompt_syntax::Place::Inline)
        };
        let parsed = prompt_syntax::parse(&text, &options);
        if let Some(used) = parsed
            .uses
            .iter()
            .find(|used| self.names.get(&used.name).is_some())
        {
            let fact = format!(
                "`{key}` takes no values: `{{{}}}` would be printed as it stands",
                used.name
            );
            let help = "write the value in the text, or in the template of an item";
            errors.add(Code::UnsupportedExpression, words.span(), fact, help);
        }
        let literal = InlineText::from(text.clone());
        let mut lowering = Lowering::new(&[]);
        lowering.text(&Elements::from_iter([Element::text(literal)]));
        merge(&mut self.tags.opens, lowering.opens());
        merge(&mut self.tags.closes, lowering.closes());
        text
    }

    /// The node-wide index of a condition.
    fn condition(
        &mut self,
        found: &prompt_syntax::Condition,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> u16 {
        let item = local.item.filter(|_| is_item(&found.name));
        let key = (item.map_or(0, Item::scope), condition_source(found));
        if let Some(&index) = self.condition_indices.get(&key) {
            return index;
        }
        let asked = match (item, self.section_indices.get(&found.name)) {
            (Some(Item::OfSection(_, list)), _) => Asked::Item {
                list: Operand::field(list),
                item: self.local_condition(found, local, read, errors),
            },
            (None, Some(&index)) => Asked::Section(index),
            _ => Asked::Value(self.local_condition(found, local, read, errors)),
        };
        let index = narrow(self.conditions.len());
        self.conditions.push(Condition {
            source: key.1.clone(),
            asked,
        });
        self.condition_indices.insert(key, index);
        index
    }

    /// What a condition asks, where it is no section.
    pub(crate) fn local_condition(
        &mut self,
        found: &prompt_syntax::Condition,
        local: Local<'_>,
        read: &Read<'_>,
        errors: &mut Errors,
    ) -> Operand {
        if local.item.is_none_or(|_| !is_item(&found.name))
            && self.section_indices.contains_key(&found.name)
        {
            let fact = format!(
                "this template cannot ask whether the section `{}` prints",
                found.name
            );
            let help = "ask in the text that prints the value, or ask the field: `vars(has_it = !self.field.is_empty())`";
            errors.add(Code::InvalidValue, read.source.span(), fact, help);
        }
        let span = read.span(&found.name, &found.path);
        let path = members(&found.path, span);
        match (local.item, found.name.as_str()) {
            (Some(_), "index") => return Operand::Index { from: 1 },
            (Some(_), "index0") => return Operand::Index { from: 0 },
            (Some(item), "item") => {
                self.check_item(item, &found.path, read, errors);
                return Operand::Item(path, span);
            }
            _ => {}
        }
        self.names
            .get(&found.name)
            .map_or(Operand::Index { from: 0 }, |known| {
                known.operand.clone().with_path(path)
            })
    }
}

/// A text that has been read by itself.
pub(crate) struct Read<'s> {
    pub(crate) source: &'s Source,
    pub(crate) lowered: Lowered,
    uses: HashMap<(String, Vec<String>), Place>,
}

/// Where a name stands in a text.
struct Place {
    /// The bytes of its first use.
    span: prompt_syntax::Span,
    /// Whether it is printed only where a condition says that it is there.
    free: bool,
}

impl<'s> Read<'s> {
    fn new(source: &'s Source, lowered: Lowered, found: Vec<prompt_syntax::Use>) -> Self {
        let mut uses = HashMap::new();
        for found in found {
            let free = match found.kind {
                UseKind::Variable { is_guarded, .. } => is_guarded,
                _ => true,
            };
            let span = found.span;
            let place = uses.entry((found.name, found.path));
            place.or_insert(Place { span, free: true }).free &= free;
        }
        Self {
            source,
            lowered,
            uses,
        }
    }

    /// Whether a value is printed only where a condition says that it is there.
    fn is_free(&self, found: &prompt_syntax::Variable) -> bool {
        let key = (found.name.clone(), found.path.clone());
        self.uses.get(&key).is_some_and(|place| place.free)
    }

    /// Where a name first stands in it.
    fn span(&self, name: &str, path: &[String]) -> Span {
        self.location(name, path).span
    }

    fn location(&self, name: &str, path: &[String]) -> Location {
        let place = self.uses.get(&(name.to_owned(), path.to_vec()));
        let (start, end) = place.map_or((0, 0), |place| (place.span.start, place.span.end));
        self.source.locate(start, end)
    }
}

/// What comes out when all texts have been read.
impl Texts<'_> {
    /// Variables that stand only where a condition says that they are there print what is in them; the others are
    /// missed where nothing says how they print.
    pub(crate) fn free_variables(&mut self) {
        for (variable, index) in self.variables.iter_mut().zip(0..) {
            if self.bare.contains(&index) {
                continue;
            }
            if matches!(variable.missed, Some(Missed::Default | Missed::Nothing)) {
                variable.missed = None;
                variable.print = free(std::mem::replace(&mut variable.print, Print::Display));
            }
        }
    }

    /// The entries of `vars` that no text uses.
    pub(crate) fn unused(&self) -> Vec<(Name, Operand)> {
        let vars = self.names.vars();
        let unused = vars.filter(|known| !self.used.contains(&known.name));
        let named = |known: &Known<'_>| {
            let name = Name {
                text: known.name.clone(),
                span: known.span,
            };
            (name, known.operand.clone())
        };
        unused.map(named).collect()
    }

    fn complaint(&self, problem: &Problem, source: &Source, local: Local<'_>) -> Diagnostic {
        let (start, end) = (problem.span.start, problem.span.end);
        let location = source.locate(start, end);
        let text = source.text.get(start..end).unwrap_or_default();
        let is_item = problem.code == Code::UnknownVariable
            && text
                .trim_start_matches(['{', '?', '!'])
                .split(['}', '.', ':'])
                .next()
                .is_some_and(is_item);
        let help = match local.no_item.filter(|_| is_item) {
            Some(help) => help,
            None => &problem.help,
        };
        let variant = (local.inherited && self.in_variant).then_some(&self.body.ident);
        let inside = source.literal.as_ref().filter(|_| !local.inherited);
        let inside = inside.filter(|_| problem.code == Code::UnknownVariable);
        let name = text.trim_start_matches('{').trim_end_matches('}');
        let inside = inside.and_then(|literal| Inside::of(literal, name));
        Diagnostic::new(problem.code, location.span, &problem.message, help)
            .at(location.place)
            .in_variant(variant)
            .inside(inside)
    }

    /// The first field that a text takes from an item exists, where the type of the item can be seen: it is a tuple, the
    /// entry of a map, or the type that is being derived.
    fn check_item(&self, item: Item<'_>, path: &[String], read: &Read<'_>, errors: &mut Errors) {
        let Some(name) = path.first() else { return };
        let Some(fields) = item.list().and_then(|list| self.item_fields(list)) else {
            return;
        };
        if fields.contains(name) {
            return;
        }
        let location = read.location("item", path);
        errors.push(no_field(name, &fields, location.span).at(location.place));
    }

    /// The names of the fields of an item, where they can be seen.
    pub(crate) fn item_fields(&self, list: &syn::Type) -> Option<Vec<String>> {
        let numbers = |count: usize| (0..count).map(|index| index.to_string()).collect();
        match kind::item(list)? {
            ItemType::Pair => Some(numbers(2)),
            ItemType::One(ty) => {
                let own = !self.in_variant && kind::is_named(ty, &self.body.ident);
                let fields = self.body.fields.iter();
                let own = own.then(|| fields.filter_map(|field| field.name.clone()).collect());
                own.filter(|fields: &Vec<String>| !fields.is_empty())
                    .or_else(|| kind::tuple_len(ty).map(numbers))
            }
        }
    }
}

/// What reads each field of a tuple: nothing for a section, which is placed by its key.
fn tuple(body: &Body, in_variant: bool) -> Vec<String> {
    let reads = |(index, field): (usize, &Field)| match &field.role {
        FieldRole::Variable(_) if in_variant => format!("_{index}"),
        FieldRole::Variable(_) => format!("self.{index}"),
        FieldRole::Section(_) => String::new(),
    };
    let fields = body.fields.iter().enumerate();
    let of_tuple = fields.filter(|_| body.style == Style::Tuple);
    of_tuple.map(reads).collect()
}

/// An item that may be absent has no keys of its own: its template asks.
fn optional_item(span: Span) -> Diagnostic {
    let fact = "an item is an `Option`: nothing says what an absent one prints";
    let help = "ask first: `item = \"{?item}{item}{else}-{/item}\"`";
    Diagnostic::new(Code::MissingDefault, span, fact, help)
}

/// `no_field` of an item.
pub(crate) fn no_field(name: &str, fields: &[String], span: Span) -> Diagnostic {
    let words: Vec<&str> = fields.iter().map(String::as_str).collect();
    let help = match prompt_syntax::nearest(name, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", crate::diagnostic::alternatives(&words)),
    };
    let fact = format!("an item has no field `{name}`");
    Diagnostic::new(Code::UnknownVariable, span, fact, help)
}

/// What is in it, if it is an `Option`.
fn free(print: Print) -> Print {
    match print {
        Print::Item(template) => Print::Item(Box::new(match *template {
            Template::Pieces(pieces) => {
                Template::Pieces(pieces.into_iter().map(Piece::free).collect())
            }
            marked @ Template::Marked(_) => marked,
        })),
        print => Print::Freed(Box::new(print)),
    }
}

/// A mark whose indexes count through the tables of the node.
pub(crate) fn remap(mark: Mark, variables: Option<&[u16]>, conditions: Option<&[u16]>) -> Mark {
    let at = |table: Option<&[u16]>, index: u16| {
        let found = table.map(|table| table.get(usize::from(index)).copied());
        found.map_or(index, Option::unwrap_or_default)
    };
    let kind = match mark.kind {
        MarkKind::Variable(index) => MarkKind::Variable(at(variables, index)),
        MarkKind::Block(index) => MarkKind::Block(at(variables, index)),
        MarkKind::If {
            condition,
            negated,
            form,
            end,
        } => MarkKind::If {
            condition: at(conditions, condition),
            negated,
            form,
            end,
        },
        kind => kind,
    };
    Mark { kind, ..mark }
}

/// Whether it is a name of texts about an item.
pub(crate) fn is_item(name: &str) -> bool {
    ITEM_NAMES.contains(&name)
}

/// Whether a field needs a key to print: an `Option` or a list.
fn is_missed(known: &Known<'_>) -> bool {
    matches!(known.kind, Kind::Option | Kind::List { .. } | Kind::Hashed)
}

/// Whether a value that is asked for may be an `Option`, as far as one sees.
fn may_be_option(
    print: &Print,
    own: bool,
    found: &prompt_syntax::Variable,
    names: &Names<'_>,
) -> bool {
    let known = names.get(&found.name).map(|known| known.kind);
    let plain = matches!(known, Some(Kind::Text | Kind::Scalar | Kind::Unit));
    let unknown = if own { found.name == "item" } else { !plain };
    print.is_bare() && (unknown || !found.path.is_empty())
}

/// What stands between the braces.
fn written(found: &prompt_syntax::Variable) -> String {
    let mut written = dotted(&found.name, &found.path);
    if let Some(spec) = &found.spec {
        written.push(':');
        written.push_str(spec);
    }
    written
}

fn condition_source(found: &prompt_syntax::Condition) -> String {
    dotted(&found.name, &found.path)
}

fn dotted(name: &str, path: &[String]) -> String {
    let mut words = name.to_owned();
    for part in path {
        words.push('.');
        words.push_str(part);
    }
    words
}

fn merge<'n>(all: &mut Vec<String>, more: impl Iterator<Item = &'n str>) {
    for name in more {
        if !all.iter().any(|known| known == name) {
            all.push(name.to_owned());
        }
    }
}

/// A node has far fewer variables than `u16` can count.
fn narrow(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

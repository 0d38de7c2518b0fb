//! The texts of a node: parsed and numbered here and nowhere else. All texts of a node share one table of values, one of
//! conditions and one of loops.

use super::{
    form::{
        Asked, Base, Condition, Loop, Missed, Operand, Presence, Read, Text, Uses, Variable, Worded,
    },
    kind::Kind,
    places::{AllPlaces, Places},
    uses::{self, AskedPaths, Found},
    value::{Known, Names, members, on},
};
use crate::{
    diagnostic::{Diagnostic, Errors, FormatString},
    input::{Body, Field, FieldRole, Style, docs::Source, value::Words},
};
use prompt_syntax::{
    Code, ITEM_NAMES, Options, Origin, Parsed, Place, Problem, Specs, Tables, Used, holding,
    info::{Cut, Hint, NodeInfo},
    lower::{About, Numbers, ValueFacts},
};
use std::collections::BTreeSet;

/// Whether what is compiled is a binary or an example: rustdoc looks for tests in libraries only.
fn is_binary() -> bool {
    std::env::var_os("CARGO_BIN_NAME").is_some()
}

/// Before the name of a section whose list a loop of the table goes over: no text can write that.
const SECTION: char = ' ';

/// The texts of a node while they are gathered.
pub(crate) struct Texts<'a> {
    pub(super) body: &'a Body,
    /// What texts may name.
    pub(crate) names: Names<'a>,
    sections: Vec<String>,
    /// What reads each field of a tuple that is a variable.
    tuple: Vec<String>,
    allow: Vec<Code>,
    pub(super) deny: Vec<Code>,
    pub(super) in_variant: bool,
    pub(super) worded: Worded,
    pub(super) numbers: Numbers,
    /// The values of the table, then its conditions and its loops, as far as they have been read.
    values: Vec<Variable>,
    conditions: Vec<Condition>,
    loops: Vec<Loop>,
    /// What is used, and what conditions say is there wherever it is.
    asked: AskedPaths,
    /// How many values that are worded have been looked at.
    worded_count: usize,
}

impl<'a> Texts<'a> {
    /// The names of a struct or variant.
    pub(crate) fn new(body: &'a Body, [allow, deny]: [Vec<Code>; 2], in_variant: bool) -> Self {
        let sections = body.sections().map(|(field, keys)| field.slot(keys));
        let sections: Vec<String> = sections.collect();
        let names: Vec<&str> = sections.iter().map(String::as_str).collect();
        Self {
            body,
            names: Names::of(body),
            numbers: Numbers::new(&names),
            sections,
            tuple: tuple(body, in_variant),
            allow,
            deny,
            in_variant,
            values: Vec::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
            asked: AskedPaths::default(),
            worded: Worded::default(),
            worded_count: 0,
        }
    }

    /// Reads a text. Its problems are reported where they stand.
    pub(crate) fn text(
        &mut self,
        source: &Source,
        place: Place,
        about: About,
        errors: &mut Errors,
    ) -> Text {
        let specials = about.special.iter().map(|special| special.name());
        let of_item = about.item.iter().flat_map(|_| ITEM_NAMES);
        let others: Vec<&str> = specials.chain(of_item).collect();
        let parsed = self.parse(source, place, &others, about.no_item, errors);
        let own = Places::new(source, parsed.uses.clone());
        let list = about.item.map(|section| self.list_used(section));
        let text = self.numbers.text(parsed, about, list, &self.worded);
        let tables = &self.numbers.tables;
        let places = AllPlaces {
            own: &own,
            templates: &self.worded.places,
        };
        let new = tables.loops().iter().skip(self.loops.len());
        let new: Vec<Loop> = new.map(|it| self.loop_over(it, places, errors)).collect();
        self.loops.extend(new);
        let new = tables.conditions().iter().skip(self.conditions.len());
        let new: Vec<Condition> = new.map(|it| self.condition(it, places, errors)).collect();
        self.conditions.extend(new);
        let mut found = holding::places(&text);
        let worded = tables.worded().iter().skip(self.worded_count);
        found.extend(worded.flat_map(|(_, pieces)| holding::places_of(pieces)));
        self.worded_count = tables.worded().len();
        let found = uses::found(found, tables);
        self.check_paths(&found, places, errors);
        for found in found {
            let used = uses::used(tables, found.kind, found.index);
            if used.origin.place().is_none() {
                self.asked.note(found);
            }
        }
        let new = tables.values().iter().skip(self.values.len());
        let new: Vec<Variable> = new.map(|it| self.variable(it, places, errors)).collect();
        self.values.extend(new);
        Text(text)
    }

    /// The loop over the list of a section.
    pub(super) fn list_of(&mut self, section: usize) -> u16 {
        let used = self.list_used(section);
        let list = self.section_of(&used);
        let number = self.numbers.list(section, || used);
        if self.loops.len() < self.numbers.tables.loops().len() {
            self.loops.extend(list.map(Self::section_loop));
        }
        number
    }

    fn list_used(&self, section: usize) -> Used {
        Used {
            name: format!("{SECTION}{}", self.sections[section]),
            path: Vec::new(),
            spec: None,
            is_presence: false,
            is_inner: false,
            origin: Origin::Node,
        }
    }

    fn section_loop(list: &Field) -> Loop {
        Loop {
            list: Operand::field(list),
            alias: "item".to_owned(),
            outer: None,
            item_of: None,
            span: list.span,
        }
    }

    /// The field of a section whose list this is.
    pub(super) fn section_of(&self, list: &Used) -> Option<&'a Field> {
        let slot = list.name.strip_prefix(SECTION)?;
        let index = self.numbers.section(slot)?;
        let mut fields = self.body.sections();
        fields.nth(usize::from(index)).map(|(field, _)| field)
    }

    /// Parses a text, which knows these names besides, and reports its problems; `no_item` says why there is no `item` in
    /// it, where one might look for it.
    pub(crate) fn parse(
        &self,
        source: &Source,
        place: Place,
        others: &[&str],
        no_item: Option<&str>,
        errors: &mut Errors,
    ) -> Parsed {
        let mut names: Vec<&str> = self.names.iter().map(|known| known.name.as_str()).collect();
        names.extend(others);
        let sections: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        let tuple: Vec<&str> = self.tuple.iter().map(String::as_str).collect();
        let options = Options {
            names: &names,
            sections: &sections,
            tuple: &tuple,
            access: if self.in_variant { "" } else { "self." },
            doc_comment: source.doc_comment,
            allow: &self.allow,
            specs: Specs::Compiled,
            ..Options::new(place)
        };
        let parsed = prompt_syntax::parse(&source.text, &options);
        let is_unknown = |problem: &Problem| problem.code == Code::UnknownVariable;
        let literal = source.literal.as_ref().filter(|_| !source.inherited);
        let literal = literal.filter(|_| parsed.problems.iter().any(is_unknown));
        let literal = literal.and_then(FormatString::of);
        let mut underlined = BTreeSet::new();
        for problem in &parsed.problems {
            if problem.code == Code::DoctestFence && is_binary() {
                continue;
            }
            if problem.code.is_hint() && !self.deny.contains(&problem.code) {
                errors.hints.push(hint(problem, place));
                continue;
            }
            let complaint = self.complaint(problem, source, no_item);
            let name = problem.written(&source.text).trim_matches(['{', '}']);
            errors.push(match literal.as_ref().filter(|_| is_unknown(problem)) {
                Some(literal)
                    if underlined.len() < FormatString::UNDERLINED || underlined.contains(name) =>
                {
                    underlined.insert(name);
                    complaint.inside(literal, name)
                }
                _ => complaint,
            });
        }
        parsed
    }

    /// Adds a variable that no text names. Its entry has a name that no text can write.
    pub(crate) fn add(&mut self, name: &str, variable: Variable) -> u16 {
        let index = self.numbers.reserve(name, variable.item_of);
        self.values.push(variable);
        self.asked.note(Found {
            kind: uses::Kind::Value,
            index,
            asked: uses::Asked::default(),
        });
        index
    }

    /// What a name and its path stand for.
    pub(super) fn operand(
        &self,
        used: &Used,
        kind: uses::Kind,
        places: AllPlaces<'_>,
        errors: &mut Errors,
    ) -> Operand {
        let (base, span) = match used.origin {
            Origin::Node => match self.names.get(&used.name) {
                Some(known) if used.path.is_empty() => return known.operand.clone(),
                Some(known) => (known.operand.base.clone(), places.span(used)),
                // An unknown name: its problem has been reported.
                None => (Base::Entry, places.span(used)),
            },
            Origin::Item(of) => {
                let around = &self.numbers.tables.loops()[usize::from(of)];
                // An item that its list's keys print stands in no text.
                let list = self.names.get(&around.list.name);
                let span = places.find(used, 0).map(|place| place.span);
                let span = span.or_else(|| list.map(|known| known.span));
                let alias = around.alias.clone();
                let base = Base::LoopItem { of, alias };
                (base, span.unwrap_or_else(|| places.span(used)))
            }
            _ => (Base::Entry, places.span(used)),
        };
        if used.path.is_empty() {
            return Operand::new(base, span);
        }
        self.check_fields(used, kind, places, errors);
        let is_computed =
            matches!(&base, Base::Expression(expr) if !matches!(**expr, syn::Expr::Path(_)));
        let mut operand = Operand {
            path: members(&used.path, span),
            ..Operand::new(base, span)
        };
        // A keyword that cannot be a field has been left out.
        operand.reads = (0..=operand.path.len())
            .map(|count| match self.seen(used, count) {
                _ if count == operand.path.len() => Read::Plain,
                Some(seen) => seen.read(),
                None if count > 0 || is_computed => Read::Unasked,
                _ => Read::Plain,
            })
            .collect();
        operand
    }

    /// A condition of the table.
    fn condition(&self, used: &Used, places: AllPlaces<'_>, errors: &mut Errors) -> Condition {
        let is_whole = used.origin == Origin::Node && used.path.is_empty();
        let known = self.names.get(&used.name).filter(|_| is_whole);
        let trims = |known: &Known<'_>| {
            let is_text = |ty| Kind::of_list(ty) == Kind::Text;
            on(known.keys.trim) && known.ty.is_none_or(is_text)
        };
        let operand = |errors| self.operand(used, uses::Kind::Condition, places, errors);
        let asked = match used.origin {
            _ if self.numbers.asked_section(used).is_some() => Asked::Known,
            origin if origin.place().is_some() => Asked::Known,
            _ if used.is_presence => {
                let presence = known.map_or(Presence::Some, Known::presence);
                Asked::Presence(operand(errors), presence)
            }
            _ => Asked::Value(operand(errors)),
        };
        Condition {
            asked,
            trimmed: known.is_some_and(trims),
            item_of: used.origin.in_loop(),
        }
    }

    /// A loop of the table.
    fn loop_over(
        &self,
        found: &prompt_syntax::Loop,
        places: AllPlaces<'_>,
        errors: &mut Errors,
    ) -> Loop {
        let used = &found.list;
        if let Some(list) = self.section_of(used) {
            return Self::section_loop(list);
        }
        let span = places.span(used);
        Self::check_list(used, places, errors);
        Loop {
            list: self.operand(used, uses::Kind::Loop, places, errors),
            alias: found.alias.clone(),
            outer: found.outer,
            item_of: used.origin.in_loop(),
            span,
        }
    }
}

/// What comes out when all texts have been read.
impl Texts<'_> {
    /// All entries, each reading what conditions say is there. A value that stands only where it is asked for prints what
    /// is in it; the others are missed where nothing says how they print.
    pub(crate) fn finish(
        self,
        info: &mut NodeInfo,
        errors: &mut Errors,
    ) -> (Uses, Vec<(Words, Operand)>) {
        self.check_worded(errors);
        self.numbers.describe(info, |used| {
            let Some(known) = self.names.get(&used.name) else {
                return ValueFacts::default();
            };
            let whole = used.path.is_empty();
            ValueFacts {
                treatment: known.treatment(),
                cut: if whole { known.cut() } else { Cut::NONE },
                description: known.description.clone().filter(|_| whole),
                optional: whole && known.kind == Kind::Option,
                missing: false,
            }
        });
        let unused = self.unused();
        let asked = self.asked;
        let variables = self.values.into_iter().zip(&*info.variables).enumerate();
        let variables = variables.map(|(number, (variable, info))| Variable {
            is_printed: asked.of(uses::Kind::Value, number).is_some() && info.worded.is_empty(),
            ..variable
        });
        let mut uses = Uses {
            variables: variables.collect(),
            conditions: self.conditions,
            loops: self.loops,
        };
        uses.ask(&asked);
        (uses, unused)
    }

    /// The entries of `vars` that no text uses.
    fn unused(&self) -> Vec<(Words, Operand)> {
        let used: BTreeSet<&str> = names_of(&self.numbers.tables).collect();
        let vars = self.names.iter().filter(|known| known.is_var);
        let unused = vars.filter(|known| !used.contains(&*known.name));
        let named = |known: &Known<'_>| {
            let name = Words::made(&known.name, known.span);
            (name, known.operand.clone())
        };
        unused.map(named).collect()
    }
}

/// What is wrong with what a text names.
impl Texts<'_> {
    fn complaint(&self, problem: &Problem, source: &Source, no_item: Option<&str>) -> Diagnostic {
        let (start, end) = (problem.span.start, problem.span.end);
        let location = source.locate(start, end);
        let text = problem.written(&source.text);
        let is_item = problem.code == Code::UnknownVariable
            && text
                .trim_start_matches(['{', '?', '!', '*'])
                .split(['}', '.', ':'])
                .next()
                .is_some_and(|name| ITEM_NAMES.contains(&name));
        let help = match no_item.filter(|_| is_item) {
            Some(help) => help,
            None => &problem.help,
        };
        let variant = (source.inherited && self.in_variant).then_some(&self.body.ident);
        Diagnostic::new(problem.code, location.span, &problem.message, help)
            .at(location.place)
            .in_variant(variant)
    }
}

/// What looks like a slip in a text. Of those but the node's own nothing says where they stand.
fn hint(problem: &Problem, place: Place) -> Hint {
    let line = problem.line.try_into().unwrap_or(u32::MAX);
    let (part, line) = match place {
        Place::Node => ("text", line),
        _ => ("", 0),
    };
    Hint {
        code: problem.code,
        section: "".into(),
        part: part.into(),
        line,
        message: problem.message.clone().into(),
        help: problem.help.clone().into(),
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

impl Uses {
    /// Reads what these beginnings of paths, which conditions ask, are there for.
    pub(crate) fn ask(&mut self, asked: &AskedPaths) {
        for (index, variable) in self.variables.iter_mut().enumerate() {
            let is_free = matches!(variable.missed, Some(Missed::Default | Missed::Nothing));
            let paths = asked.of(uses::Kind::Value, index);
            if paths.is_some_and(|paths| variable.operand.ask(paths, is_free)) {
                variable.missed = None;
            }
        }
        for (index, condition) in self.conditions.iter_mut().enumerate() {
            if let Asked::Value(operand) | Asked::Presence(operand, _) = &mut condition.asked
                && let Some(paths) = asked.of(uses::Kind::Condition, index)
            {
                operand.ask(paths, false);
            }
        }
        for (index, it) in self.loops.iter_mut().enumerate() {
            if let Some(paths) = asked.of(uses::Kind::Loop, index) {
                it.list.ask(paths, false);
            }
        }
    }
}

/// The names of the node that texts use.
pub(crate) fn names_of(tables: &Tables) -> impl Iterator<Item = &str> {
    let lists = tables.loops().iter().map(|it| &it.list);
    let used = tables
        .values()
        .iter()
        .chain(tables.conditions())
        .chain(lists);
    let of_node = used.filter(|used| used.origin == Origin::Node);
    of_node.map(|used| used.name.as_str())
}

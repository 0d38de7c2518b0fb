//! The texts of a node: parsed and lowered here and nowhere else. All texts of a node share one table of variables and
//! one of guards.

use super::variable::{self, Operand, Piece, Print, Variable};
use crate::{
    diagnostic::{Diagnostic, Errors},
    input::{Body, Field, FieldRole, docs::Source},
};
use proc_macro2::Span;
use prompt_syntax::{Code, Lowered, Mark, MarkKind, Options, Place, Problem, Specs, Target};
use syn::{Expr, ext::IdentExt};

/// A text whose marks count through the tables of its node.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// What is printed as it stands.
    pub(crate) literal: String,
    /// What happens in it.
    pub(crate) marks: Vec<Mark>,
    /// The smallest level.
    pub(crate) base: u8,
    /// The level of a slot at its end.
    pub(crate) end: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            literal: String::new(),
            marks: Vec::new(),
            base: 1,
            end: 1,
        }
    }
}

/// Indexes that are no variables: they are filled in by the renderer. The same numbers as in `prompt_core::node::Text`.
pub(crate) mod special {
    /// The heading's text, in a `heading` template.
    pub(crate) const TITLE: (&str, u16) = ("title", u16::MAX);
    /// The section path, in a `summary_suffix`.
    pub(crate) const KEY: (&str, u16) = ("key", u16::MAX - 1);
    /// The keys of the subsections, in a `summary_suffix`.
    pub(crate) const SUBSECTIONS: (&str, u16) = ("subsections", u16::MAX - 2);
}

/// A name that only guards ask.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// As written.
    pub(crate) name: String,
    /// What is asked.
    pub(crate) operand: Operand,
}

/// What a text knows besides the names of its node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Local<'a> {
    /// Names that the renderer fills in.
    pub(crate) special: &'a [(&'static str, u16)],
    /// The list section whose items the text is about: its index and field.
    pub(crate) item: Option<(usize, &'a Field)>,
}

/// The texts of a node while they are gathered.
pub(crate) struct Texts<'a> {
    fields: Vec<(&'a str, &'a Field)>,
    vars: Vec<(String, &'a Expr)>,
    sections: Vec<String>,
    allow: Vec<Code>,
    /// The variables of all texts so far.
    pub(crate) variables: Vec<Variable>,
    /// The guards of all texts so far.
    pub(crate) guards: Vec<Guard>,
    /// The tags that stand in the texts so far.
    pub(crate) tags: Vec<String>,
}

impl<'a> Texts<'a> {
    /// The names of a struct or variant; `sections` are the names of its slots.
    pub(crate) fn new(body: &'a Body, sections: Vec<String>, allow: Vec<Code>) -> Self {
        let variables = body
            .fields
            .iter()
            .filter(|field| matches!(field.role, FieldRole::Variable(_)));
        let vars = body.container.vars.0.iter();
        Self {
            fields: variables
                .filter_map(|field| Some((field.name.as_deref()?, field)))
                .collect(),
            vars: vars
                .filter_map(|(name, expr)| Some((name.unraw().to_string(), expr.as_ref()?)))
                .collect(),
            sections,
            allow,
            variables: Vec::new(),
            guards: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// Parses a text. Its problems are reported where they stand.
    pub(crate) fn text(
        &mut self,
        source: &Source,
        place: Place,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Text {
        let lowered = self.lower(source, place, local, errors);
        let variables = lowered
            .variables
            .iter()
            .map(|found| self.index(found, source, local, errors))
            .collect::<Vec<_>>();
        let guards = lowered
            .guards
            .iter()
            .map(|name| self.guard(name))
            .collect::<Vec<_>>();
        let marks = lowered
            .marks
            .into_iter()
            .map(|mark| renumber(mark, &variables, &guards))
            .collect();
        Text {
            literal: lowered.literal,
            marks,
            base: lowered.base,
            end: lowered.end,
        }
    }

    /// Parses an item template, in which `item` and `index` are known.
    pub(crate) fn item(&mut self, source: &Source, errors: &mut Errors) -> Vec<Piece> {
        let lowered = self.lower_with(source, Place::Inline, &["item", "index"], errors);
        if !lowered.guards.is_empty() {
            errors.push(guard_in_item(source).into());
        }
        let mut pieces = Vec::new();
        let mut done = 0;
        for mark in &lowered.marks {
            let (MarkKind::Variable(index) | MarkKind::Block(index)) = mark.kind else {
                continue;
            };
            let at = mark.at as usize;
            push_literal(&mut pieces, lowered.literal.get(done..at));
            done = at;
            if let Some(found) = lowered.variables.get(usize::from(index)) {
                let (operand, print) = self.piece(found, true, source, errors);
                pieces.push(Piece::Value(operand, print));
            }
        }
        push_literal(&mut pieces, lowered.literal.get(done..));
        pieces
    }

    fn lower(
        &mut self,
        source: &Source,
        place: Place,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Lowered {
        let mut more: Vec<&str> = local.special.iter().map(|(name, _)| *name).collect();
        if local.item.is_some() {
            more.extend(["item", "index"]);
        }
        self.lower_with(source, place, &more, errors)
    }

    fn lower_with(
        &mut self,
        source: &Source,
        place: Place,
        more: &[&str],
        errors: &mut Errors,
    ) -> Lowered {
        let fields = self.fields.iter().map(|(name, _)| *name);
        let vars = self.vars.iter().map(|(name, _)| name.as_str());
        let names: Vec<&str> = fields.chain(vars).chain(more.iter().copied()).collect();
        let sections: Vec<&str> = self.sections.iter().map(String::as_str).collect();
        let options = Options {
            names: &names,
            sections: &sections,
            place,
            doc_comment: source.doc_comment,
            allow: &self.allow,
            specs: Specs::Compiled,
        };
        let parsed = prompt_syntax::parse(&source.text, &options);
        for problem in &parsed.problems {
            errors.push(complaint(problem, source).into());
        }
        let lowered = prompt_syntax::lower(&parsed.blocks);
        for tag in &lowered.tags {
            if !self.tags.contains(tag) {
                self.tags.push(tag.clone());
            }
        }
        lowered
    }

    /// The node-wide index of a variable.
    fn index(
        &mut self,
        found: &prompt_syntax::Variable,
        source: &Source,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> u16 {
        if let Some((_, index)) = local.special.iter().find(|(name, _)| *name == found.name) {
            return *index;
        }
        let item = local
            .item
            .filter(|_| matches!(found.name.as_str(), "item" | "index"));
        let scope = item.map_or(0, |(section, _)| section + 1);
        let written = written(found);
        let known = self
            .variables
            .iter()
            .position(|variable| variable.source == written && variable.scope == scope);
        if let Some(index) = known {
            return number(index);
        }
        let variable = match item {
            Some((_, list)) => {
                let (operand, print) = self.piece(found, true, source, errors);
                let pieces = vec![Piece::Value(operand, print)];
                Variable {
                    scope,
                    ..Variable::new(
                        written,
                        Operand::field(list),
                        Print::Item(pieces),
                        list.span,
                    )
                }
            }
            None => self.variable(written, found, source, errors),
        };
        self.add(variable)
    }

    /// Adds a variable to the table.
    pub(crate) fn add(&mut self, variable: Variable) -> u16 {
        self.variables.push(variable);
        number(self.variables.len() - 1)
    }

    /// A variable that prints a field, an entry of `vars`, or a field of one of them.
    fn variable(
        &mut self,
        written: String,
        found: &prompt_syntax::Variable,
        source: &Source,
        errors: &mut Errors,
    ) -> Variable {
        let (operand, print) = self.piece(found, false, source, errors);
        let field = self
            .fields
            .iter()
            .find(|(name, _)| *name == found.name)
            .map(|(_, field)| *field);
        let Some((field, FieldRole::Variable(keys))) = field.map(|field| (field, &field.role))
        else {
            let span = source.locate(found.span.start, found.span.end).span;
            return Variable::new(written, operand, print, span);
        };
        let on =
            |switch: Option<crate::input::value::Switch>| switch.is_some_and(|switch| switch.on);
        let bare = is_bare(&print) && found.path.is_empty();
        Variable {
            description: field
                .docs
                .as_ref()
                .map(|docs| docs.text.clone())
                .filter(|_| found.path.is_empty()),
            raw: on(keys.raw),
            untrusted: on(keys.untrusted),
            hang: on(keys.hang),
            bare: bare.then(|| super::kind::Kind::of(&field.ty)),
            ty: Some(field.ty.clone()),
            ..Variable::new(written, operand, print, field.span)
        }
    }

    /// What `{name.path:spec}` prints, and how. In an item template `item` and `index` come first.
    fn piece(
        &mut self,
        found: &prompt_syntax::Variable,
        in_item: bool,
        source: &Source,
        errors: &mut Errors,
    ) -> (Operand, Print) {
        let span = source.locate(found.span.start, found.span.end).span;
        let path = variable::members(&found.path, span).unwrap_or_default();
        let spec = (!found.spec.is_empty()).then(|| Print::Spec(found.spec.clone(), span));
        let field = self
            .fields
            .iter()
            .find(|(name, _)| *name == found.name)
            .map(|(_, field)| *field);
        let var = self.vars.iter().find(|(name, _)| *name == found.name);
        match (found.name.as_str(), field, var) {
            ("index", ..) if in_item => (Operand::Index, spec.unwrap_or(Print::Display)),
            ("item", ..) if in_item => (Operand::Item(path, span), spec.unwrap_or(Print::Display)),
            (_, Some(field), _) => {
                let print = match &field.role {
                    FieldRole::Variable(keys) if path.is_empty() => {
                        variable::print(field, keys, spec, self, errors)
                    }
                    _ => spec.unwrap_or(Print::Display),
                };
                (
                    Operand::Field {
                        member: field.member.clone(),
                        path,
                        span: field.span,
                    },
                    print,
                )
            }
            (_, None, Some((_, expr))) => (
                Operand::expression(expr, path),
                spec.unwrap_or(Print::Display),
            ),
            // An unknown name: its problem has been reported.
            (_, None, None) => (Operand::Index, Print::Display),
        }
    }

    /// The node-wide index of a guard.
    fn guard(&mut self, name: &str) -> u16 {
        if let Some(index) = self.guards.iter().position(|guard| guard.name == name) {
            return number(index);
        }
        let field = self
            .fields
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, field)| Operand::field(field));
        let var = self.vars.iter().find(|(known, _)| known == name);
        let var = var.map(|(_, expr)| Operand::expression(expr, Vec::new()));
        let Some(operand) = field.or(var) else {
            return 0;
        };
        self.guards.push(Guard {
            name: name.to_owned(),
            operand,
        });
        number(self.guards.len() - 1)
    }
}

/// Whether a field is printed without saying how.
fn is_bare(print: &Print) -> bool {
    match print {
        Print::Display => true,
        Print::Spec(spec, _) => !spec.ends_with('?'),
        _ => false,
    }
}

/// What stands between the braces.
fn written(found: &prompt_syntax::Variable) -> String {
    let mut written = found.name.clone();
    for part in &found.path {
        written.push('.');
        written.push_str(part);
    }
    if !found.spec.is_empty() {
        written.push(':');
        written.push_str(&found.spec);
    }
    written
}

/// A node has far fewer variables than `u16` can count; the places behind it are not variables.
fn number(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(special::SUBSECTIONS.1 - 1)
}

fn renumber(mark: Mark, variables: &[u16], guards: &[u16]) -> Mark {
    let at = |table: &[u16], index: u16| table.get(usize::from(index)).copied().unwrap_or_default();
    let kind = match mark.kind {
        MarkKind::Variable(index) => MarkKind::Variable(at(variables, index)),
        MarkKind::Block(index) => MarkKind::Block(at(variables, index)),
        MarkKind::Guard {
            guard,
            negated,
            len,
            offset,
            marks,
        } => MarkKind::Guard {
            guard: at(guards, guard),
            negated,
            len,
            offset,
            marks,
        },
        kind => kind,
    };
    Mark { kind, ..mark }
}

fn push_literal(pieces: &mut Vec<Piece>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        pieces.push(Piece::Literal(text.to_owned()));
    }
}

fn complaint(problem: &Problem, source: &Source) -> Diagnostic {
    let location = source.locate(problem.span.start, problem.span.end);
    Diagnostic::new(problem.code, location.span, &problem.message, &problem.help).at(location.place)
}

fn guard_in_item(source: &Source) -> Diagnostic {
    let help =
        "use `#[var(some = ..)]`, or make the list a section of nodes, whose texts may have guards";
    Diagnostic::new(
        Code::MisplacedGuard,
        source.span(),
        "an item template cannot have line guards",
        help,
    )
}

impl Text {
    /// The level of the slot of a section, if it has one.
    pub(crate) fn slot(&self, wanted: Target) -> Option<u8> {
        self.marks.iter().find_map(|mark| match mark.kind {
            MarkKind::Slot { target, level, .. } if target == wanted => Some(level),
            _ => None,
        })
    }

    /// The deepest title.
    pub(crate) fn deepest(&self) -> u8 {
        let titles = self.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Title { level, .. } => Some(level),
            _ => None,
        });
        titles.max().unwrap_or(0)
    }
}

impl Variable {
    /// A variable with the usual treatment.
    pub(crate) fn new(source: String, operand: Operand, print: Print, span: Span) -> Self {
        Self {
            source,
            scope: 0,
            description: None,
            raw: false,
            untrusted: false,
            hang: false,
            operand,
            print,
            bare: None,
            ty: None,
            span,
        }
    }
}

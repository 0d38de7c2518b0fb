//! What the user wrote: the type, its attributes and its texts, each part read by itself, so that one mistake hides
//! nothing else.

pub(crate) mod container;
pub(crate) mod docs;
pub(crate) mod file;
pub(crate) mod keys;
pub(crate) mod named;
pub(crate) mod section;
pub(crate) mod value;
pub(crate) mod var;

use crate::diagnostic::{Diagnostic, Errors};
use container::Container;
use docs::Docs;
use proc_macro2::{Ident, Span};
use prompt_syntax::Code;
use section::SectionKeys;
use syn::{
    Attribute, Data, DeriveInput, Fields, Generics, Member, Path, Type, ext::IdentExt,
    spanned::Spanned,
};
use value::Words;
use var::VarKeys;

/// A type with `#[derive(PromptNode)]`.
pub(crate) struct Input {
    /// Its name.
    pub(crate) ident: Ident,
    /// Its parameters.
    pub(crate) generics: Generics,
    /// Its own `#[prompt(..)]`.
    pub(crate) container: Container,
    pub(crate) is_enum: bool,
    /// The struct, or the variants of the enum.
    pub(crate) bodies: Vec<Body>,
}

/// A struct or a variant: one node.
pub(crate) struct Body {
    /// Its name.
    pub(crate) ident: Ident,
    /// Its `#[prompt(..)]`, with that of the enum.
    pub(crate) container: Container,
    /// Its doc comment.
    pub(crate) docs: Docs,
    /// Its fields.
    pub(crate) fields: Vec<Field>,
    /// Whether its fields have names.
    pub(crate) style: Style,
}

/// How the fields of a struct or variant are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

/// A field.
pub(crate) struct Field {
    /// Its name or number.
    pub(crate) member: Member,
    /// Its name in texts: without `r#`. Tuple fields have none.
    pub(crate) name: Option<String>,
    /// Its type.
    pub(crate) ty: Type,
    /// Its doc comment.
    pub(crate) docs: Docs,
    /// Variable or section.
    pub(crate) role: FieldRole,
    /// Where its name stands, or its type.
    pub(crate) span: Span,
}

/// What a field is.
pub(crate) enum FieldRole {
    /// Printed by texts.
    Variable(Box<VarKeys>),
    /// Embedded.
    Section(Box<SectionKeys>),
}

impl Input {
    /// Reads a type. Errors are collected.
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        misplaced(&input.attrs, &["var", "section"], "a field", errors);
        let container = Container::read(&input.attrs, None, errors);
        let is_enum = !matches!(input.data, Data::Struct(_));
        let bodies = match input.data {
            Data::Struct(data) => vec![Body {
                ident: input.ident.clone(),
                container: container.clone(),
                docs: Docs::read(&input.attrs),
                style: Style::of(&data.fields),
                fields: fields(data.fields, errors),
            }],
            Data::Enum(data) => {
                texts_of_enum(&container, errors);
                let variants = data.variants.into_iter();
                let body = |variant| Body::variant(variant, &container, errors);
                variants.map(body).collect()
            }
            Data::Union(data) => {
                errors.push(union(data.union_token.span));
                Vec::new()
            }
        };
        Self {
            ident: input.ident,
            generics: input.generics,
            container,
            is_enum,
            bodies,
        }
    }

    /// The path of `prompt_core`, where it was renamed.
    pub(crate) fn krate(&self) -> Option<&Path> {
        self.container.keys.krate.as_ref().map(|path| &path.0)
    }
}

impl Body {
    fn variant(variant: syn::Variant, outer: &Container, errors: &mut Errors) -> Self {
        misplaced(&variant.attrs, &["var", "section"], "a field", errors);
        let around = Some((outer, &variant.fields));
        Self {
            container: Container::read(&variant.attrs, around, errors),
            docs: Docs::read(&variant.attrs),
            style: Style::of(&variant.fields),
            fields: fields(variant.fields, errors),
            ident: variant.ident,
        }
    }

    /// Its sections, in declaration order.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (&Field, &SectionKeys)> {
        self.fields.iter().filter_map(|field| match &field.role {
            FieldRole::Section(keys) => Some((field, &**keys)),
            FieldRole::Variable(_) => None,
        })
    }
}

impl Style {
    fn of(fields: &Fields) -> Self {
        match fields {
            Fields::Named(_) => Self::Named,
            Fields::Unnamed(_) => Self::Tuple,
            Fields::Unit => Self::Unit,
        }
    }
}

fn fields(fields: Fields, errors: &mut Errors) -> Vec<Field> {
    let members: Vec<Member> = fields.members().collect();
    fields
        .into_iter()
        .zip(members)
        .map(|(field, member)| Field::read(field, member, errors))
        .collect()
}

impl Field {
    fn read(field: syn::Field, member: Member, errors: &mut Errors) -> Self {
        misplaced(&field.attrs, &["prompt"], "the type", errors);
        let var = VarKeys::of_field(&field.attrs, errors);
        if let (Some(_), Member::Unnamed(_)) = (&var, &member) {
            errors.push(var_without_name(&field.attrs));
        }
        let section = SectionKeys::of_field(&field.attrs, errors);
        if var.is_some() && section.is_some() {
            errors.push(both(&field.attrs));
        }
        let role = match section {
            Some(section) => FieldRole::Section(Box::new(section)),
            None => FieldRole::Variable(Box::new(var.unwrap_or_default())),
        };
        let span = field
            .ident
            .as_ref()
            .map_or_else(|| field.ty.span(), Ident::span);
        let name = field.ident.as_ref().map(|name| name.unraw().to_string());
        let docs = Docs::read(&field.attrs);
        Self {
            member,
            name,
            ty: field.ty,
            docs,
            role,
            span,
        }
    }

    /// The name of its slot, where it is a section: its own, or the key of a field without one.
    pub(crate) fn slot(&self, keys: &SectionKeys) -> String {
        let key = || keys.key.as_ref().map(Words::value).unwrap_or_default();
        self.name.clone().unwrap_or_else(key)
    }
}

/// Attributes that stand on the wrong thing.
fn misplaced(attributes: &[Attribute], names: &[&str], place: &str, errors: &mut Errors) {
    for attribute in attributes {
        for name in names.iter().filter(|name| attribute.path().is_ident(name)) {
            let fact = format!("`{name}` is an attribute of {place}");
            let span = attribute.path().span();
            errors.add(Code::UnknownAttribute, span, fact, "move it there");
        }
    }
}

/// The first `#[var(..)]`.
fn var_span(attributes: &[Attribute]) -> Span {
    let var = attributes
        .iter()
        .find(|attribute| attribute.path().is_ident("var"));
    var.map_or_else(Span::call_site, |attribute| attribute.path().span())
}

/// No text can print a field of a tuple but by a name that `vars` gives it, and the keys stand there.
fn var_without_name(attributes: &[Attribute]) -> Diagnostic {
    let fact = "`var` has no effect here: a tuple field has no name to write in a text";
    let help = "give it one, with the keys behind it: `#[prompt(vars(name = self.0, { .. }))]`; in a variant it is `_0`";
    Diagnostic::new(Code::InvalidValue, var_span(attributes), fact, help)
}

fn both(attributes: &[Attribute]) -> Diagnostic {
    let span = var_span(attributes);
    let help = "in a section a list takes them in `section(..)`: `section(item = \"{item}\", join = \", \")`; else remove one of the two";
    Diagnostic::new(
        Code::ConflictingAttributes,
        span,
        "a field is a variable or a section, not both",
        help,
    )
}

/// An enum has no text of its own.
fn texts_of_enum(container: &Container, errors: &mut Errors) {
    let keys = &container.keys;
    for words in [&keys.template, &keys.file].into_iter().flatten() {
        let help = "write the text on each variant";
        let fact = "an enum has no text of its own: the active variant is printed";
        errors.add(Code::ConflictingAttributes, words.span(), fact, help);
    }
}

fn union(span: Span) -> Diagnostic {
    let help = "use a struct, or an enum with a prompt per variant";
    Diagnostic::new(
        Code::UnsupportedInput,
        span,
        "a union cannot be a prompt: nothing says which field is valid",
        help,
    )
}

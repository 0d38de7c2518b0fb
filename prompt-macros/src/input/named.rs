//! Lists of entries with names: `vars(..)`, `attr(..)`, `allow(..)`, `deny(..)`.

use super::{
    keys::{entries, meta, sound_entries},
    value::List,
    var::VarKeys,
};
use crate::diagnostic::{Diagnostic, Errors};
use proc_macro2::{Group, Ident, Span};
use prompt_syntax::{Code, book};
use quote::ToTokens;
use syn::{
    Expr, MacroDelimiter, Meta, MetaList, parse::ParseStream, spanned::Spanned, token::Brace,
};

/// An entry of `vars(..)` or `attr(..)`.
#[derive(Clone)]
pub(crate) struct Named {
    /// Its name.
    pub(crate) name: Ident,
    /// What it stands for; `None` for `attr(title)`, and where something is wrong with it.
    pub(crate) expr: Option<Expr>,
    /// How it prints: the braces behind an entry of `vars`.
    pub(crate) keys: VarKeys,
}

/// `vars(total = self.items.len(), limits::MAX, names = &self.names, { join = ", " })`.
pub(crate) fn vars(list: Option<&List>, errors: &mut Errors) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for (entry, sound) in entries_of(list, VarsEntry::parse, errors) {
        match entry {
            VarsEntry::Named(meta) => {
                let named = var(&meta, sound, errors);
                found.extend(named.and_then(|named| unique(named, &found, errors)));
            }
            VarsEntry::Keys(braces) => match found.last_mut() {
                Some(named) => named.keys = VarKeys::of_braces(&braces, errors),
                None => errors.push(no_entry(&braces)),
            },
        }
    }
    found
}

/// An entry of `vars`, or the keys of the one before.
enum VarsEntry {
    Named(Meta),
    Keys(MetaList),
}

impl VarsEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Brace) {
            let braces: Group = input.parse()?;
            Ok(Self::Keys(MetaList {
                path: Ident::new("var", braces.span()).into(),
                delimiter: MacroDelimiter::Brace(Brace(braces.delim_span())),
                tokens: braces.stream(),
            }))
        } else {
            meta(input).map(Self::Named)
        }
    }
}

impl Named {
    fn new(name: &Ident, expr: Option<Expr>) -> Self {
        Self {
            name: name.clone(),
            expr,
            keys: VarKeys::default(),
        }
    }
}

fn var(meta: &Meta, sound: bool, errors: &mut Errors) -> Option<Named> {
    let found = match (meta, meta.path().get_ident()) {
        (Meta::NameValue(pair), Some(name)) => Some((name, pair.value.clone())),
        (Meta::Path(path), _) => {
            let last = path.segments.last();
            last.map(|last| &last.ident).zip(value(path))
        }
        _ => None,
    };
    if found.is_none() && sound {
        errors.push(no_name(meta.span()));
    }
    let (name, expr) = found?;
    let mut named = Named::new(name, Some(expr).filter(|_| sound));
    named.keys.said.faulty = !sound;
    Some(named)
}

/// The value that a path may name. An entry may begin with any word, and a keyword names none.
fn value(path: &syn::Path) -> Option<Expr> {
    let is_name = |name: &Ident| syn::parse2::<Ident>(name.to_token_stream()).is_ok();
    let expr = syn::parse2(path.to_token_stream()).ok()?;
    let may_be_value = path.get_ident().is_none_or(is_name);
    may_be_value.then_some(Expr::Path(expr))
}

/// `attr(name = expr, title)`.
pub(crate) fn tag_attributes(list: Option<&List>, errors: &mut Errors) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for entry in list.map_or_else(Vec::new, |list| sound_entries(&list.0, errors)) {
        let named = match (&entry, entry.path().get_ident()) {
            (Meta::NameValue(pair), Some(name)) => Named::new(name, Some(pair.value.clone())),
            (Meta::Path(_), Some(name)) if name == "title" => Named::new(name, None),
            _ => {
                errors.push(no_value(&entry));
                continue;
            }
        };
        found.extend(unique(named, &found, errors));
    }
    found
}

/// `allow(rule, ..)`, `deny(rule, ..)`: the names of the rules.
pub(crate) fn rules(list: Option<&List>, errors: &mut Errors) -> Vec<Ident> {
    let mut found = Vec::new();
    for (entry, _) in entries_of(list, meta, errors) {
        match (&entry, entry.path().get_ident()) {
            (Meta::Path(_), Some(name)) => found.push(name.clone()),
            _ => errors.add(
                Code::InvalidValue,
                entry.span(),
                "a rule is a name",
                "write `allow(skipped_level)`",
            ),
        }
    }
    found
}

fn entries_of<T>(
    list: Option<&List>,
    one: impl Fn(ParseStream<'_>) -> syn::Result<T>,
    errors: &mut Errors,
) -> Vec<(T, bool)> {
    list.map_or_else(Vec::new, |list| entries(&list.0, one, errors))
}

/// A name stands once in a list.
fn unique(named: Named, found: &[Named], errors: &mut Errors) -> Option<Named> {
    if found.iter().all(|other| other.name != named.name) {
        return Some(named);
    }
    let problem = book::twice(&named.name.to_string());
    errors.report(named.name.span(), problem);
    None
}

fn no_name(span: Span) -> Diagnostic {
    let help = "write `name = expression`, or the path of a constant";
    Diagnostic::new(Code::InvalidValue, span, "this entry has no name", help)
}

fn no_value(entry: &Meta) -> Diagnostic {
    let help = "write `name = expression`, or `title` for the title";
    let fact = "this entry of `attr` has no value";
    Diagnostic::new(Code::InvalidValue, entry.span(), fact, help)
}

fn no_entry(braces: &MetaList) -> Diagnostic {
    let help = "write `name = expression, { join = \", \" }`";
    let fact = "these keys stand behind no entry";
    Diagnostic::new(Code::InvalidValue, braces.span(), fact, help)
}

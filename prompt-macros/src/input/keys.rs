//! The keys of an attribute before their values are looked at: unknown ones and doubled ones are reported here, each
//! at the key, and do not hide the others.

use crate::diagnostic::{Diagnostic, Errors, alternatives};
use darling::{FromMeta, ast::NestedMeta};
use proc_macro2::Span;
use prompt_syntax::Code;
use quote::ToTokens;
use syn::{Attribute, Meta, Token, ext::IdentExt, punctuated::Punctuated, spanned::Spanned};

/// The keys of one kind of attribute.
pub(crate) trait Keys: FromMeta + Default {
    /// The attribute: `prompt`, `var` or `section`.
    const ATTRIBUTE: &'static str;
    /// Every key, as the user writes it.
    const KEYS: &'static [&'static str];
    /// Keys that exclude each other: each of the first with each of the second.
    const EXCLUSIVE: &'static [(&'static [&'static str], &'static [&'static str])];

    /// Reads all attributes of this kind; `None` if there are none.
    fn read(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let mut found = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident(Self::ATTRIBUTE))
            .peekable();
        found.peek()?;
        let items = found
            .flat_map(|attribute| items(attribute, errors))
            .collect::<Vec<_>>();
        let known = known(items, Self::ATTRIBUTE, Self::KEYS, errors);
        exclusive(&known, Self::EXCLUSIVE, errors);
        Some(read_each(&known, errors))
    }
}

/// Reads all keys. A value that is wrong does not hide the others.
fn read_each<K: Keys>(items: &[NestedMeta], errors: &mut Errors) -> K {
    let error = match K::from_list(items) {
        Ok(keys) => return keys,
        Err(error) => error,
    };
    errors.push(error);
    let good = items
        .iter()
        .filter(|item| K::from_list(std::slice::from_ref(item)).is_ok());
    let good: Vec<NestedMeta> = good.cloned().collect();
    K::from_list(&good).unwrap_or_default()
}

/// The entries of one attribute.
fn items(attribute: &Attribute, errors: &mut Errors) -> Vec<NestedMeta> {
    match &attribute.meta {
        Meta::Path(_) => Vec::new(),
        Meta::List(list) => errors
            .handle(
                list.parse_args_with(Punctuated::<NestedMeta, Token![,]>::parse_terminated)
                    .map_err(|error| syntax(&error)),
            )
            .map(|items| items.into_iter().collect())
            .unwrap_or_default(),
        Meta::NameValue(pair) => {
            let name = attribute.path().to_token_stream();
            let fact = format_args!("`{name}` takes keys in parentheses");
            let help = format_args!("write `#[{name}(key = value)]`");
            errors.push(Diagnostic::new(Code::InvalidValue, pair.value.span(), fact, help).into());
            Vec::new()
        }
    }
}

/// Something that is no entry at all.
fn syntax(error: &syn::Error) -> darling::Error {
    let help = "entries are `key`, `key = value` and `key(..)`, with commas between them";
    Diagnostic::new(Code::InvalidValue, error.span(), error, help).into()
}

/// The entries whose keys exist, each once.
fn known(
    items: Vec<NestedMeta>,
    attribute: &str,
    keys: &[&str],
    errors: &mut Errors,
) -> Vec<NestedMeta> {
    let mut seen: Vec<String> = Vec::new();
    let mut known = Vec::new();
    for item in items {
        let (key, span) = key(&item);
        if !keys.contains(&key.as_str()) {
            errors.push(unknown(&key, span, attribute, keys).into());
        } else if seen.contains(&key) {
            let fact = format_args!("`{key}` is given twice");
            errors.push(
                Diagnostic::new(Code::DuplicateAttribute, span, fact, "keep one of them").into(),
            );
        } else {
            seen.push(key);
            known.push(item);
        }
    }
    known
}

/// Keys that exclude each other are reported once, at the one that comes later.
fn exclusive(items: &[NestedMeta], pairs: &[(&[&str], &[&str])], errors: &mut Errors) {
    let keys: Vec<(String, Span)> = items.iter().map(key).collect();
    let both = |a: &str, b: &str| {
        let meets = |(left, right): &(&[&str], &[&str])| left.contains(&a) && right.contains(&b);
        pairs.iter().any(meets)
    };
    for (index, (later, span)) in keys.iter().enumerate() {
        let mut earlier = keys.iter().take(index);
        if let Some((other, _)) =
            earlier.find(|(other, _)| both(other, later) || both(later, other))
        {
            let fact = format_args!("`{other}` and `{later}` exclude each other");
            errors.push(
                Diagnostic::new(
                    Code::ConflictingAttributes,
                    *span,
                    fact,
                    "remove one of the two",
                )
                .into(),
            );
        }
    }
}

fn key(item: &NestedMeta) -> (String, Span) {
    let path = match item {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(pair) => &pair.path,
        NestedMeta::Lit(literal) => return (literal.to_token_stream().to_string(), literal.span()),
    };
    let words: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.unraw().to_string())
        .collect();
    (words.join("::"), path.span())
}

fn unknown(key: &str, span: Span, attribute: &str, keys: &[&str]) -> Diagnostic {
    let fact = format_args!("`{attribute}` has no key `{key}`");
    let help = match prompt_syntax::nearest(key, keys.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its keys are {}", alternatives(keys)),
    };
    Diagnostic::new(Code::UnknownAttribute, span, fact, help)
}

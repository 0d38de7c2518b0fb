//! `#[task(key = value, ..)]`: the pairs of an attribute, each with the spans of its key and its value.

use super::mistake;
use darling::{Error, ast::NestedMeta, error::Accumulator};
use prompt_syntax::nearest;
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, spanned::Spanned};

/// The pairs of one item, taken one by one by the keys it knows.
pub(super) struct Pairs(Vec<Pair>);

struct Pair {
    key: Path,
    value: Expr,
}

impl Pairs {
    /// All pairs of the `#[task(..)]` attributes. A key that is not among `known`, or stands twice, is a mistake.
    pub(super) fn read(attributes: &[Attribute], known: &[&str], errors: &mut Accumulator) -> Self {
        let own = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("task"));
        let items: Vec<NestedMeta> = own
            .flat_map(|attribute| errors.handle(items(attribute)).unwrap_or_default())
            .collect();
        let mut pairs: Vec<Pair> = Vec::new();
        for item in items {
            let Some(pair) = errors.handle(pair(item, known)) else {
                continue;
            };
            if pairs.iter().any(|earlier| earlier.key == pair.key) {
                let key = pair.key.to_token_stream();
                errors.push(
                    mistake(format_args!("`{key}` stands twice"), "keep one of them")
                        .with_span(&pair.key),
                );
            } else {
                pairs.push(pair);
            }
        }
        Self(pairs)
    }

    /// The value under a key as text.
    pub(super) fn text(&self, key: &str, errors: &mut Accumulator) -> Option<LitStr> {
        errors
            .handle_in(|| self.value(key).map(text).transpose())
            .flatten()
    }

    /// The value under a key as a list of texts.
    pub(super) fn texts(&self, key: &str, errors: &mut Accumulator) -> Option<Vec<LitStr>> {
        let value = self.value(key)?;
        let Expr::Array(array) = value else {
            let help = format_args!("write `{key} = [\"..\", ..]`");
            errors.push(mistake(format_args!("`{key}` is a list of texts"), help).with_span(value));
            return None;
        };
        Some(
            array
                .elems
                .iter()
                .filter_map(|element| errors.handle(text(element)))
                .collect(),
        )
    }

    /// The value under a key as a path, with or without quotes.
    pub(super) fn path(&self, key: &str, errors: &mut Accumulator) -> Option<Path> {
        errors.handle(path(self.value(key)?))
    }

    fn value(&self, key: &str) -> Option<&Expr> {
        self.0
            .iter()
            .find(|pair| pair.key.is_ident(key))
            .map(|pair| &pair.value)
    }
}

/// The path under `crate` of the `#[prompt(..)]` attributes, which another derive reads as a whole.
pub(super) fn crate_of_prompt(attributes: &[Attribute], errors: &mut Accumulator) -> Option<Path> {
    let shared = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("prompt"));
    // What is wrong in there is for the derive it belongs to.
    let mut items = shared
        .filter_map(|attribute| items(attribute).ok())
        .flatten();
    items.find_map(|item| match item {
        NestedMeta::Meta(Meta::NameValue(pair)) if pair.path.is_ident("crate") => {
            errors.handle(path(&pair.value))
        }
        _ => None,
    })
}

fn items(attribute: &Attribute) -> Result<Vec<NestedMeta>, Error> {
    let list = attribute.meta.require_list()?;
    Ok(NestedMeta::parse_meta_list(list.tokens.clone())?)
}

fn pair(item: NestedMeta, known: &[&str]) -> Result<Pair, Error> {
    let key = match &item {
        NestedMeta::Meta(meta) => meta.path().clone(),
        NestedMeta::NameValueInvalidExpr(pair) => pair.path.clone(),
        NestedMeta::Lit(literal) => {
            let help = format_args!("write `{} = ..`", known.first().unwrap_or(&"key"));
            return Err(mistake("a value without a key", help).with_span(literal));
        }
    };
    let name = key.get_ident().map(Ident::to_string).unwrap_or_default();
    if !known.contains(&name.as_str()) {
        return Err(unknown_key(&key, &name, known));
    }
    match item {
        NestedMeta::Meta(Meta::NameValue(pair)) => Ok(Pair {
            key,
            value: pair.value,
        }),
        item => {
            let help = format_args!("write `{name} = ..`");
            Err(mistake(format_args!("`{name}` needs a value"), help).with_span(&item))
        }
    }
}

fn unknown_key(key: &Path, name: &str, known: &[&str]) -> Error {
    let fact = format!("unknown key `{}`", key.to_token_stream());
    let error = match nearest(name, known.iter().copied()) {
        Some(meant) => mistake(fact, format_args!("did you mean `{meant}`?")),
        None => mistake(
            fact,
            format_args!("the keys here are `{}`", known.join("`, `")),
        ),
    };
    error.with_span(key)
}

fn text(value: &Expr) -> Result<LitStr, Error> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Ok(text.clone()),
        other => Err(mistake("the value is not a text", "put it in quotes").with_span(other)),
    }
}

fn path(value: &Expr) -> Result<Path, Error> {
    let path = match value {
        Expr::Path(value) => Some(value.path.clone()),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => text.parse().ok(),
        _ => None,
    };
    path.ok_or_else(|| {
        mistake("`crate` is not a path", "write `crate = ::some_crate`").with_span(&value.span())
    })
}

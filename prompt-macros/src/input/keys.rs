//! The entries of an attribute, as `darling` reads them: each is parsed by itself, so that one that is broken hides nothing
//! else. The book of keys says which of them exist and what goes together; `darling` reads their values, and of one that it
//! refuses the book says what is wrong.

use super::value::{literal, ungrouped};
use crate::diagnostic::{Diagnostic, Errors};
use darling::{FromMeta, ast::NestedMeta};
use proc_macro2::{Group as TokenGroup, Span, TokenTree};
use prompt_syntax::{
    Code,
    book::{self, Holder, Key, Takes},
};
use quote::ToTokens;
use syn::{
    Attribute, Expr, Ident, Lit, MacroDelimiter, Meta, MetaList, MetaNameValue, Token,
    ext::IdentExt,
    parse::{ParseStream, discouraged::Speculative},
    spanned::Spanned,
    token::Paren,
};

/// The entries of an attribute whose keys are in the book, each once.
#[derive(Clone)]
pub(crate) struct Entries {
    holder: Holder,
    sound: Vec<(&'static Key, Meta)>,
    faulty: bool,
}

/// The keys that an attribute has, but for switches that are off.
#[derive(Clone, Default)]
pub(crate) struct Said {
    keys: Vec<(&'static str, Span)>,
    /// Whether something in the attribute is wrong: nothing is missed then.
    pub(crate) faulty: bool,
}

impl Said {
    /// The first of these keys that is there, and where its value stands.
    pub(crate) fn first(&self, keys: &[&str]) -> Option<(&'static str, Span)> {
        let find = |name: &&str| self.keys.iter().find(|(key, _)| key == name);
        keys.iter().find_map(find).copied()
    }

    /// Whether one of these keys is there.
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        self.first(keys).is_some()
    }
}

impl Entries {
    /// The entries of all attributes of this name; `None` if there are none.
    pub(crate) fn of_attributes(
        holder: Holder,
        name: &str,
        attributes: &[Attribute],
        errors: &mut Errors,
    ) -> Option<Self> {
        let before = errors.count();
        let own = attributes.iter();
        let own = own.filter(|attribute| attribute.path().is_ident(name));
        let items = own.map(|attribute| match &attribute.meta {
            Meta::Path(_) => Vec::new(),
            Meta::List(list) => sound_entries(list, errors),
            Meta::NameValue(pair) => {
                let fact = format!("`{name}` takes keys in parentheses");
                let help = format!("write `#[{name}(key = value)]`");
                errors.add(Code::InvalidValue, pair.value.span(), fact, help);
                Vec::new()
            }
        });
        let items: Vec<Vec<Meta>> = items.collect();
        let is_there = !items.is_empty();
        is_there.then(|| Self::sort_out(holder, items.concat(), before, errors))
    }

    /// Entries that stand elsewhere.
    pub(crate) fn of_list(holder: Holder, list: &MetaList, errors: &mut Errors) -> Self {
        let before = errors.count();
        let items = sound_entries(list, errors);
        Self::sort_out(holder, items, before, errors)
    }

    /// No entries.
    pub(crate) fn none(holder: Holder) -> Self {
        Self {
            holder,
            sound: Vec::new(),
            faulty: false,
        }
    }

    /// Keys that are unknown, doubled or exclude each other are reported at the key, each once.
    fn sort_out(holder: Holder, items: Vec<Meta>, before: usize, errors: &mut Errors) -> Self {
        let mut entries = Self::none(holder);
        for item in items {
            let span = item.path().span();
            let name = darling::util::path_to_string(item.path());
            let key = match book::find(holder, &name) {
                Ok(key) if entries.find(key.name).is_some() => Err(book::twice(key.name)),
                found => found,
            };
            match key {
                Err(problem) => errors.report(span, problem),
                Ok(key) => {
                    let earlier = entries.sound.iter();
                    let mut earlier = earlier.filter(|(_, said)| !is_off(said) && !is_off(&item));
                    if let Some(clash) = earlier.find_map(|(other, _)| book::clash(other, key)) {
                        errors.report(span, clash);
                    }
                    entries.sound.push((key, item));
                }
            }
        }
        entries.faulty = errors.count() > before;
        entries
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.sound.iter().position(|(key, _)| key.name == name)
    }

    /// Takes an entry out; where its value stands.
    pub(crate) fn take(&mut self, name: &str) -> Option<Span> {
        let (_, item) = self.sound.remove(self.find(name)?);
        Some(span_of_value(&item))
    }

    /// Adds the entries of the enum around a variant that this has no own ones for, but for these; the keys that came.
    pub(crate) fn inherit(&mut self, outer: &Self, but: &[&str]) -> Vec<&'static str> {
        let mut inherited = Vec::new();
        for (key, item) in &outer.sound {
            if self.find(key.name).is_none() && !but.contains(&key.name) {
                inherited.push(key.name);
                self.sound.push((key, item.clone()));
            }
        }
        inherited
    }

    /// The keys that are there.
    pub(crate) fn said(&self) -> Said {
        let sound = self.sound.iter().filter(|(_, item)| !is_off(item));
        Said {
            keys: sound
                .map(|(key, item)| (key.name, span_of_value(item)))
                .collect(),
            faulty: self.faulty,
        }
    }

    /// Reads the entries into what `darling` reads them into. What has a wrong value is left out and hides nothing else.
    pub(crate) fn read<R: FromMeta + Default>(&mut self, errors: &mut Errors) -> R {
        let holder = self.holder;
        let mut read = Vec::new();
        let is_sound = |(key, item): &(&'static Key, Meta)| {
            let wrong = refused::<R>(key, item);
            match wrong {
                None => read.push(NestedMeta::Meta(item.clone())),
                Some(span) => {
                    let refusal = key.refuse(holder, written(item).as_deref());
                    errors.report(span, refusal);
                    read.extend(as_list(key, item).map(NestedMeta::Meta));
                }
            }
            wrong.is_none()
        };
        let before = self.sound.len();
        self.sound.retain(is_sound);
        self.faulty |= self.sound.len() < before;
        R::from_list(&read).unwrap_or_default()
    }
}

/// Where an entry is wrong, if `darling` cannot read it by itself.
fn refused<R: FromMeta>(key: &Key, item: &Meta) -> Option<Span> {
    match item {
        // `darling` reads `role(user)` as it does `role = "user"`.
        Meta::List(list) if key.takes != Takes::List => Some(list.path.span()),
        item => R::from_list(&[NestedMeta::Meta(item.clone())])
            .err()
            .map(|error| error.span()),
    }
}

/// Where the value of an entry stands, or else its key.
fn span_of_value(item: &Meta) -> Span {
    match item {
        Meta::NameValue(pair) => ungrouped(&pair.value).span(),
        item => item.path().span(),
    }
}

/// `vars = { .. }` as if it were `vars(..)`: its names are meant, so that no text misses them.
fn as_list(key: &Key, item: &Meta) -> Option<Meta> {
    let Meta::NameValue(pair) = item else {
        return None;
    };
    let group: TokenGroup = syn::parse2(pair.value.to_token_stream()).ok()?;
    (key.takes == Takes::List).then(|| {
        Meta::List(MetaList {
            path: pair.path.clone(),
            delimiter: MacroDelimiter::Paren(Paren(group.delim_span())),
            tokens: group.stream(),
        })
    })
}

/// The text of an entry whose value is one.
fn written(item: &Meta) -> Option<String> {
    match literal_of(item)? {
        Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// `key = false`: a switch that is off says nothing, and excludes nothing.
fn is_off(item: &Meta) -> bool {
    matches!(literal_of(item), Some(Lit::Bool(on)) if !on.value)
}

fn literal_of(item: &Meta) -> Option<&Lit> {
    match item {
        Meta::NameValue(pair) => literal(&pair.value),
        _ => None,
    }
}

/// The entries of a list in which nothing is wrong.
pub(crate) fn sound_entries(list: &MetaList, errors: &mut Errors) -> Vec<Meta> {
    let all = entries(list, meta, errors);
    let sound = all.into_iter().filter(|(_, sound)| *sound);
    sound.map(|(item, _)| item).collect()
}

/// The entries of a list that `one` reads, each with whether nothing is wrong with it. What is broken is reported and
/// skipped up to the next comma; where only the comma is missing, the next entry is read all the same.
pub(crate) fn entries<T>(
    list: &MetaList,
    one: impl Fn(ParseStream<'_>) -> syn::Result<T>,
    errors: &mut Errors,
) -> Vec<(T, bool)> {
    let mut found = Vec::new();
    let parsed = list.parse_args_with(|input: ParseStream<'_>| {
        while !input.is_empty() {
            let ahead = input.fork();
            match one(&ahead) {
                Ok(entry) => {
                    input.advance_to(&ahead);
                    let ends = input.is_empty() || input.peek(Token![,]);
                    let goes_on = !ends && input.peek(Ident::peek_any);
                    if !ends {
                        errors.push(no_comma(input, goes_on));
                    }
                    found.push((entry, ends || goes_on));
                    if goes_on {
                        continue;
                    }
                }
                Err(error) => errors.push(broken(&error)),
            }
            skip(input)?;
        }
        Ok(())
    });
    if let Err(error) = parsed {
        errors.push(broken(&error));
    }
    found
}

/// Goes behind the next comma.
fn skip(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        let is_comma = input.peek(Token![,]);
        input.parse::<TokenTree>()?;
        if is_comma {
            break;
        }
    }
    Ok(())
}

/// Something that is no entry at all.
fn broken(error: &syn::Error) -> Diagnostic {
    let help = "entries are `key`, `key = value` and `key(..)`, with commas between them";
    Diagnostic::new(Code::InvalidValue, error.span(), error, help)
}

/// Something behind an entry that does not belong to it.
fn no_comma(input: ParseStream<'_>, goes_on: bool) -> Diagnostic {
    let (fact, help) = if goes_on {
        (
            "a comma is missing before this",
            "separate entries with `,`",
        )
    } else if input.peek(Token![:]) {
        ("a value comes after `=`", "write `name = value`")
    } else if input.peek(Token![.]) {
        ("a value needs a name", "write `name = self.field`")
    } else if input.peek(Token![-]) {
        ("names have no `-`", "use letters, digits and `_`")
    } else {
        (
            "this belongs to no entry",
            "entries are `key`, `key = value` and `key(..)`, with commas between them",
        )
    };
    Diagnostic::new(Code::InvalidValue, input.span(), fact, help)
}

/// `vars = { a = 1, b = 2 }`: what is wrong is the `=`, and that is for the key to say.
fn list_behind_equals(input: ParseStream<'_>) -> Option<Meta> {
    let ahead = input.fork();
    let name = ahead.call(Ident::parse_any).ok()?;
    let eq_token = ahead.parse().ok()?;
    let takes_list = |key: &Key| key.takes == Takes::List && name == key.name;
    let group: TokenGroup = ahead.parse().ok()?;
    book::KEYS.iter().any(takes_list).then(|| {
        input.advance_to(&ahead);
        Meta::NameValue(MetaNameValue {
            path: name.into(),
            eq_token,
            value: Expr::Verbatim(TokenTree::Group(group).into()),
        })
    })
}

/// `key`, `key = value` or `key(..)`; the key may be any word, `crate` and `type` too.
pub(crate) fn meta(input: ParseStream<'_>) -> syn::Result<Meta> {
    if let Some(entry) = list_behind_equals(input) {
        return Ok(entry);
    }
    match input.parse()? {
        NestedMeta::Meta(meta) => Ok(meta),
        NestedMeta::Lit(value) => Err(syn::Error::new(value.span(), "a value without a key")),
        NestedMeta::NameValueInvalidExpr(entry) => Err(entry.error.into()),
    }
}

//! The entries of an attribute before their values are looked at. Each entry is parsed by itself, so that one that is
//! broken hides nothing else; keys that are unknown, doubled or exclude each other are reported here, at the key.

use crate::diagnostic::{Diagnostic, Errors, alternatives};
use darling::{FromMeta, ast::NestedMeta};
use proc_macro2::{Span, TokenTree};
use prompt_syntax::Code;
use syn::{
    Attribute, Ident, Meta, MetaList, Token,
    ext::IdentExt,
    parse::{ParseStream, discouraged::Speculative},
    spanned::Spanned,
};

/// Some keys that belong together: a receiver of its own, shared by the attributes that have them.
pub(crate) trait Group: FromMeta + Default {
    /// Its keys, as the user writes them.
    const KEYS: &'static [&'static str];

    /// Reads the entries that are its own. A value that is wrong does not hide the others.
    fn read(entries: &Entries, errors: &mut Errors) -> Self {
        let own = entries.sound.iter().filter(|item| {
            let (key, _) = key(item);
            Self::KEYS.contains(&key.as_str())
        });
        let own: Vec<NestedMeta> = own.cloned().map(NestedMeta::Meta).collect();
        let error = match Self::from_list(&own) {
            Ok(keys) => return keys,
            Err(error) => error,
        };
        errors.receive(error);
        let good = own
            .iter()
            .filter(|item| Self::from_list(std::slice::from_ref(item)).is_ok());
        let good: Vec<NestedMeta> = good.cloned().collect();
        Self::from_list(&good).unwrap_or_default()
    }
}

/// An attribute: its name, the keys of its groups, and which of them exclude each other.
pub(crate) struct Book {
    /// `prompt`, `var`, `section` or `task`.
    pub(crate) attribute: &'static str,
    /// The keys of each group.
    pub(crate) groups: &'static [&'static [&'static str]],
    /// Each of the first keys excludes each of the second.
    pub(crate) exclusive: &'static [(&'static [&'static str], &'static [&'static str])],
    /// Where its keys are looked for when they stand elsewhere.
    pub(crate) others: &'static [&'static Book],
}

/// The entries of an attribute whose keys exist, each once.
#[derive(Clone, Default)]
pub(crate) struct Entries {
    sound: Vec<Meta>,
}

impl Book {
    /// The entries of all attributes of this kind; `None` if there are none.
    pub(crate) fn read(&self, attributes: &[Attribute], errors: &mut Errors) -> Option<Entries> {
        let mut found = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident(self.attribute))
            .peekable();
        found.peek()?;
        let items: Vec<Meta> = found
            .flat_map(|attribute| self.items(attribute, errors))
            .collect();
        Some(self.sort_out(items, errors))
    }

    /// The entries of a list of such keys that is no attribute.
    pub(crate) fn read_list(&self, list: &MetaList, errors: &mut Errors) -> Entries {
        let items = sound_entries(list, errors);
        self.sort_out(items, errors)
    }

    fn sort_out(&self, items: Vec<Meta>, errors: &mut Errors) -> Entries {
        let sound = self.known(items, errors);
        self.check_exclusive(&sound, errors);
        Entries { sound }
    }

    /// The entries of one attribute.
    fn items(&self, attribute: &Attribute, errors: &mut Errors) -> Vec<Meta> {
        match &attribute.meta {
            Meta::Path(_) => Vec::new(),
            Meta::List(list) => sound_entries(list, errors),
            Meta::NameValue(pair) => {
                let fact = format!("`{}` takes keys in parentheses", self.attribute);
                let help = format!("write `#[{}(key = value)]`", self.attribute);
                errors.add(Code::InvalidValue, pair.value.span(), fact, help);
                Vec::new()
            }
        }
    }

    fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().flat_map(|group| group.iter().copied())
    }

    /// The entries whose keys exist, each once.
    fn known(&self, items: Vec<Meta>, errors: &mut Errors) -> Vec<Meta> {
        let mut seen: Vec<String> = Vec::new();
        let mut known = Vec::new();
        for item in items {
            let (key, span) = key(&item);
            if !self.keys().any(|known| known == key) {
                errors.push(self.unknown(&key, span));
            } else if seen.contains(&key) {
                let fact = format!("`{key}` is given twice");
                errors.add(Code::DuplicateAttribute, span, fact, "keep one of them");
            } else {
                seen.push(key);
                known.push(item);
            }
        }
        known
    }

    /// Keys that exclude each other are reported once, at the one that comes later.
    fn check_exclusive(&self, items: &[Meta], errors: &mut Errors) {
        let keys: Vec<(String, Span)> = items.iter().map(key).collect();
        let both = |a: &str, b: &str| {
            let meets =
                |(left, right): &(&[&str], &[&str])| left.contains(&a) && right.contains(&b);
            self.exclusive.iter().any(meets)
        };
        for (index, (later, span)) in keys.iter().enumerate() {
            let mut earlier = keys.iter().take(index);
            if let Some((other, _)) =
                earlier.find(|(other, _)| both(other, later) || both(later, other))
            {
                let fact = format!("`{other}` and `{later}` exclude each other");
                let help = "remove one of the two";
                errors.add(Code::ConflictingAttributes, *span, fact, help);
            }
        }
    }

    fn unknown(&self, key: &str, span: Span) -> Diagnostic {
        let fact = format!("`{}` has no key `{key}`", self.attribute);
        let other = self
            .others
            .iter()
            .find(|other| other.keys().any(|known| known == key));
        let help = match (other, prompt_syntax::nearest(key, self.keys())) {
            (Some(other), _) => format!("it is a key of `#[{}(..)]`", other.attribute),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => {
                let keys: Vec<&str> = self.keys().collect();
                format!("its keys are {}", alternatives(&keys))
            }
        };
        Diagnostic::new(Code::UnknownAttribute, span, fact, help)
    }
}

fn sound_entries(list: &MetaList, errors: &mut Errors) -> Vec<Meta> {
    let all = entries(list, |input| input.call(meta), errors);
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

/// `key`, `key = value` or `key(..)`; the key may be any word, `crate` too.
pub(crate) fn meta(input: ParseStream<'_>) -> syn::Result<Meta> {
    let nested: NestedMeta = input.parse()?;
    match nested {
        NestedMeta::Meta(meta) => Ok(meta),
        NestedMeta::NameValueInvalidExpr(pair) => Err(pair.error.into()),
        NestedMeta::Lit(literal) => Err(syn::Error::new(literal.span(), "a value without a key")),
    }
}

fn key(item: &Meta) -> (String, Span) {
    let path = item.path();
    let words: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.unraw().to_string())
        .collect();
    (words.join("::"), path.span())
}

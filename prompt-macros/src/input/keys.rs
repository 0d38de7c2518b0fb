//! The entries of an attribute before their values are looked at. Each entry is parsed by itself, so that one that is
//! broken hides nothing else; keys that are unknown, doubled or exclude each other are reported here, at the key.

use super::value::Value;
use crate::diagnostic::{Diagnostic, Errors, alternatives};
use proc_macro2::{Delimiter, Group as TokenGroup, Span, TokenTree};
use prompt_syntax::Code;
use syn::{
    Attribute, Ident, Lit, LitBool, MacroDelimiter, Meta, MetaList, MetaNameValue, Path,
    PathSegment, Token,
    ext::IdentExt,
    parse::{ParseStream, discouraged::Speculative},
    punctuated::Punctuated,
    spanned::Spanned,
    token::{Brace, Bracket, Paren},
};

/// Some keys that belong together: a struct of its own, shared by the attributes that have them. Written by [`keys!`].
pub(crate) trait Group: Sized {
    /// Its keys, as the user writes them.
    const KEYS: &'static [&'static str];

    /// Reads the entries that are its own. A value that is wrong does not hide the others.
    fn read(entries: &Entries, errors: &mut Errors) -> Self;
}

/// A [`Group`]: each field is a key with what it takes. Where a key is no name for a field, it stands behind it.
macro_rules! keys {
    ($(#[$about:meta])* $visibility:vis struct $group:ident {
        $($(#[$what:meta])* $field:ident $(= $key:literal)?: $value:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Default)]
        $visibility struct $group {
            $($(#[$what])* $visibility $field: Option<$value>,)*
        }

        impl $crate::input::keys::Group for $group {
            const KEYS: &'static [&'static str] = &[$(keys!(@ $field $($key)?)),*];

            fn read(
                entries: &$crate::input::keys::Entries,
                errors: &mut $crate::diagnostic::Errors,
            ) -> Self {
                Self { $($field: entries.value(keys!(@ $field $($key)?), errors),)* }
            }
        }
    };
    (@ $field:ident) => { stringify!($field) };
    (@ $field:ident $key:literal) => { $key };
}
pub(crate) use keys;

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
#[derive(Default)]
pub(crate) struct Entries {
    sound: Vec<(String, Meta)>,
}

impl Entries {
    /// What the entry of a key says; `None` if there is none, or its value is wrong.
    pub(crate) fn value<V: Value>(&self, key: &str, errors: &mut Errors) -> Option<V> {
        let (_, item) = self.sound.iter().find(|(own, _)| own == key)?;
        V::read(item).map_err(|error| errors.push(error)).ok()
    }
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
    fn known(&self, items: Vec<Meta>, errors: &mut Errors) -> Vec<(String, Meta)> {
        let mut known: Vec<(String, Meta)> = Vec::new();
        for item in items {
            let key = key(&item);
            let span = item.path().span();
            if !self.keys().any(|known| known == key) {
                errors.push(self.unknown(&key, span));
            } else if known.iter().any(|(other, _)| *other == key) {
                let fact = format!("`{key}` is given twice");
                errors.add(Code::DuplicateAttribute, span, fact, "keep one of them");
            } else {
                known.push((key, item));
            }
        }
        known
    }

    /// Keys that exclude each other are reported once, at the one that comes later.
    fn check_exclusive(&self, items: &[(String, Meta)], errors: &mut Errors) {
        let both = |a: &str, b: &str| {
            let meets =
                |(left, right): &(&[&str], &[&str])| left.contains(&a) && right.contains(&b);
            self.exclusive.iter().any(meets)
        };
        for (index, (later, item)) in items.iter().enumerate() {
            let mut earlier = items.iter().take(index);
            if let Some((other, _)) =
                earlier.find(|(other, _)| both(other, later) || both(later, other))
            {
                let fact = format!("`{other}` and `{later}` exclude each other");
                let help = "remove one of the two";
                let span = item.path().span();
                errors.add(Code::ConflictingAttributes, span, fact, help);
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

/// `key`, `key = value` or `key(..)`; the key may be any word, `crate` and `type` too.
pub(crate) fn meta(input: ParseStream<'_>) -> syn::Result<Meta> {
    if input.peek(Lit) && !(input.peek(LitBool) && input.peek2(Token![=])) {
        return Err(input.error("a value without a key"));
    }
    let path = Path {
        leading_colon: input.parse()?,
        segments: Punctuated::parse_separated_nonempty_with(input, |input| {
            Ident::parse_any(input).map(PathSegment::from)
        })?,
    };
    if input.peek(Paren) || input.peek(Bracket) || input.peek(Brace) {
        return list(path, input).map(Meta::List);
    }
    if !input.peek(Token![=]) {
        return Ok(Meta::Path(path));
    }
    Ok(Meta::NameValue(MetaNameValue {
        path,
        eq_token: input.parse()?,
        value: input.parse()?,
    }))
}

/// What stands in parentheses, brackets or braces behind a path.
pub(crate) fn list(path: Path, input: ParseStream<'_>) -> syn::Result<MetaList> {
    let group: TokenGroup = input.parse()?;
    let span = group.delim_span();
    let delimiter = match group.delimiter() {
        Delimiter::Bracket => MacroDelimiter::Bracket(Bracket(span)),
        Delimiter::Brace => MacroDelimiter::Brace(Brace(span)),
        Delimiter::Parenthesis | Delimiter::None => MacroDelimiter::Paren(Paren(span)),
    };
    Ok(MetaList {
        path,
        delimiter,
        tokens: group.stream(),
    })
}

fn key(item: &Meta) -> String {
    let segments = item.path().segments.iter();
    let words: Vec<String> = segments
        .map(|segment| segment.ident.unraw().to_string())
        .collect();
    words.join("::")
}

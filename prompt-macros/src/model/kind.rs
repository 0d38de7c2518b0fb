//! What the syntax of a type says about it. A type alias hides it; the compiler then complains where a print fails.

use quote::ToTokens;
use syn::{GenericArgument, Ident, PathArguments, Token, Type, punctuated::Punctuated};

/// What a type looks like, behind references and pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `Option<..>`.
    Option,
    /// A slice, an array, `Vec` and the like; whether its items are text.
    List {
        /// `String`, `&str` and the like.
        of_text: bool,
    },
    /// `HashMap`, `HashSet`: their order changes from run to run.
    Hashed,
    /// `String`, `&str`.
    Text,
    /// Numbers, `bool`, `char`.
    Scalar,
    /// `()`.
    Unit,
    /// Anything else.
    Other,
}

/// Lists, and how many type arguments each needs.
const LISTS: &[(&str, usize)] = &[
    ("Vec", 1),
    ("VecDeque", 1),
    ("BTreeSet", 1),
    ("BTreeMap", 2),
];
const HASHED: &[(&str, usize)] = &[("HashSet", 1), ("HashMap", 2)];
const POINTERS: &[(&str, usize)] = &[("Box", 1), ("Rc", 1), ("Arc", 1), ("Cow", 1)];
const TEXTS: &[&str] = &["String", "str"];
const SCALARS: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "bool", "char",
];

impl Kind {
    /// The kind of a type.
    pub(crate) fn of(ty: &Type) -> Self {
        match pointee(ty) {
            Type::Slice(slice) => Self::list_of(&slice.elem),
            Type::Array(array) => Self::list_of(&array.elem),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Self::Unit,
            ty => match named(ty) {
                Some((name, arguments)) => Self::named(&name, &arguments),
                None => Self::Other,
            },
        }
    }

    fn list_of(item: &Type) -> Self {
        let of_text = Self::of(item) == Self::Text;
        Self::List { of_text }
    }

    fn named(name: &str, arguments: &[&Type]) -> Self {
        let is = |known: &[(&str, usize)]| known.contains(&(name, arguments.len()));
        match arguments.last() {
            Some(_) if is(&[("Option", 1)]) => Self::Option,
            Some(item) if is(LISTS) => Self::list_of(item),
            Some(_) if HASHED.iter().any(|(known, _)| *known == name) => Self::Hashed,
            None if TEXTS.contains(&name) => Self::Text,
            None if SCALARS.contains(&name) => Self::Scalar,
            _ => Self::Other,
        }
    }

    /// The kind of a list, also of an optional one.
    pub(crate) fn of_list(ty: &Type) -> Self {
        Self::of(in_option(ty))
    }

    /// Whether it is known to have no items.
    pub(crate) fn is_no_list(self) -> bool {
        matches!(self, Self::Text | Self::Scalar | Self::Unit)
    }
}

/// The type of the items of a list, also of an optional one; a pair for maps.
pub(crate) fn item(ty: &Type) -> Option<Seen<'_>> {
    match pointee(ty) {
        Type::Slice(slice) => Some(Seen::Type(&slice.elem)),
        Type::Array(array) => Some(Seen::Type(&array.elem)),
        ty => match (Kind::of(ty), named(ty)?.1.as_slice()) {
            (Kind::Option, [inner]) => item(inner),
            (Kind::List { .. }, [one]) => Some(Seen::Type(one)),
            (Kind::List { .. }, [key, value]) => Some(Seen::Entry(key, value)),
            _ => None,
        },
    }
}

/// Whether the items of a list are each an `Option`.
pub(crate) fn has_optional_items(list: &Type) -> bool {
    matches!(item(list), Some(Seen::Type(item)) if Kind::of(item) == Kind::Option)
}

/// A type, or key and value of an entry of a map.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'a> {
    Type(&'a Type),
    Entry(&'a Type, &'a Type),
}

/// The fields of a tuple, behind references and pointers.
pub(crate) fn tuple(ty: &Type) -> Option<&Punctuated<Type, Token![,]>> {
    match pointee(ty) {
        Type::Tuple(tuple) => Some(&tuple.elems),
        _ => None,
    }
}

/// What is in an `Option`; anything else itself.
pub(crate) fn in_option(ty: &Type) -> &Type {
    match (Kind::of(ty), named(pointee(ty))) {
        (Kind::Option, Some((_, arguments))) => arguments.first().map_or(ty, |inner| inner),
        _ => ty,
    }
}

/// The words of a type that prints whatever it holds, as far as one sees: text, or a number and the like.
pub(crate) fn known_type(ty: &Type) -> Option<String> {
    let is_known = matches!(Kind::of(ty), Kind::Text | Kind::Scalar);
    is_known.then(|| ty.to_token_stream().to_string())
}

/// Whether a type is a plain name, behind references and pointers, and this one.
pub(crate) fn is_named(ty: &Type, name: &Ident) -> bool {
    named(pointee(ty)).is_some_and(|(found, _)| *name == found)
}

/// The type behind references, parentheses and pointers.
pub(crate) fn pointee(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => pointee(&reference.elem),
        Type::Paren(inner) => pointee(&inner.elem),
        Type::Group(inner) => pointee(&inner.elem),
        ty => match named(ty) {
            Some((name, arguments)) if POINTERS.contains(&(name.as_str(), arguments.len())) => {
                arguments.first().map_or(ty, |inner| pointee(inner))
            }
            _ => ty,
        },
    }
}

/// What must be printable, or a node, for this type to be: what is in its options, lists and pointers.
pub(crate) fn inner(ty: &Type) -> &Type {
    match pointee(ty) {
        Type::Slice(slice) => inner(&slice.elem),
        Type::Array(array) => inner(&array.elem),
        ty => match (Kind::of(ty), named(ty)) {
            (Kind::Option | Kind::List { .. }, Some((_, arguments))) => {
                arguments.last().map_or(ty, |ty| inner(ty))
            }
            _ => ty,
        },
    }
}

/// Whether a type is a map, whatever its order.
pub(crate) fn is_map(ty: &Type) -> bool {
    let name = named(pointee(in_option(ty)));
    name.is_some_and(|(name, _)| ["BTreeMap", "HashMap"].contains(&name.as_str()))
}

/// Whether a type takes types, where it is none of those above and one word, behind references and pointers: what that
/// stands for cannot be seen.
pub(crate) fn plain_name(ty: &Type) -> Option<bool> {
    let ty = pointee(ty);
    let (Kind::Other, Type::Path(path)) = (Kind::of(ty), ty) else {
        return None;
    };
    let (_, arguments) = named(ty)?;
    (path.path.segments.len() == 1).then_some(!arguments.is_empty())
}

/// The last word of a path, and its type arguments. A path that begins elsewhere than in the standard library is no type
/// of it, whatever its last word.
fn named(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let segments = &path.path.segments;
    let last = segments.last()?;
    let first = &segments.first()?.ident;
    if segments.len() > 1 && !["std", "core", "alloc"].iter().any(|known| first == known) {
        return None;
    }
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(brackets) => {
            brackets.args.iter().filter_map(type_argument).collect()
        }
        _ => Vec::new(),
    };
    Some((last.ident.to_string(), arguments))
}

fn type_argument(argument: &GenericArgument) -> Option<&Type> {
    match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Whether a type may have a text of its own, or items that have one, as far as one sees.
pub(crate) fn may_have_text(ty: &Type) -> bool {
    Kind::of(inner(ty)) == Kind::Other
}

/// Whether a type may have a depth that is known at compile time: no text, list, box or reference, as far as one sees.
pub(crate) fn may_have_depth(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => may_have_depth(&inner.elem),
        Type::Group(inner) => may_have_depth(&inner.elem),
        Type::Path(_) => match Kind::of(ty) {
            Kind::Option => may_have_depth(in_option(ty)),
            Kind::Other => std::ptr::eq(pointee(ty), ty),
            _ => false,
        },
        _ => false,
    }
}

/// Why no list of a hashed type is printed.
pub(crate) const ORDER_CHANGES: &str =
    "the order of a `HashMap` or `HashSet` changes from run to run, and so would the prompt";

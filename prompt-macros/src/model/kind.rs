//! What the syntax of a type says about it. A type alias hides it; the compiler then complains where a print fails.

use syn::{GenericArgument, Ident, PathArguments, Type};

/// What a type looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `Option<..>`.
    Option,
    /// A slice, an array, `Vec` and the like; whether its items are text.
    List {
        /// `String`, `&str` and the like.
        of_text: bool,
    },
    /// Anything else.
    Other,
}

const LISTS: &[&str] = &[
    "Vec", "VecDeque", "BTreeSet", "HashSet", "BTreeMap", "HashMap",
];
const MAPS: &[&str] = &["BTreeMap", "HashMap"];
const POINTERS: &[&str] = &["Box", "Rc", "Arc", "Cow"];
const TEXTS: &[&str] = &["String", "str"];

impl Kind {
    /// The kind of a type, behind references and pointers.
    pub(crate) fn of(ty: &Type) -> Self {
        match pointee(ty) {
            Type::Slice(slice) => Self::List {
                of_text: is_text(&slice.elem),
            },
            Type::Array(array) => Self::List {
                of_text: is_text(&array.elem),
            },
            ty => match named(ty) {
                Some((name, _)) if name == "Option" => Self::Option,
                Some((name, arguments)) if LISTS.contains(&name.as_str()) => {
                    let item = if MAPS.contains(&name.as_str()) {
                        arguments.get(1)
                    } else {
                        arguments.first()
                    };
                    Self::List {
                        of_text: item.is_some_and(|item| is_text(item)),
                    }
                }
                _ => Self::Other,
            },
        }
    }

    /// The kind of a list, also of an optional one.
    pub(crate) fn of_list(ty: &Type) -> Self {
        match (Self::of(ty), named(pointee(ty))) {
            (Self::Option, Some((_, arguments))) => {
                arguments.first().map_or(Self::Other, |ty| Self::of(ty))
            }
            (kind, _) => kind,
        }
    }
}

fn is_text(ty: &Type) -> bool {
    named(pointee(ty)).is_some_and(|(name, _)| TEXTS.contains(&name.as_str()))
}

/// The type behind references, parentheses and pointers.
fn pointee(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => pointee(&reference.elem),
        Type::Paren(inner) => pointee(&inner.elem),
        Type::Group(inner) => pointee(&inner.elem),
        ty => match named(ty) {
            Some((name, arguments)) if POINTERS.contains(&name.as_str()) => {
                arguments.first().map_or(ty, |inner| pointee(inner))
            }
            _ => ty,
        },
    }
}

/// The last word of a path, and its type arguments.
fn named(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
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

/// Whether a type may have a depth that is known at compile time: no text, list, box or reference, as far as one sees.
pub(crate) fn may_have_depth(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => may_have_depth(&inner.elem),
        Type::Group(inner) => may_have_depth(&inner.elem),
        Type::Path(_) => match named(ty) {
            Some((name, arguments)) if name == "Option" => {
                arguments.first().is_some_and(|ty| may_have_depth(ty))
            }
            Some((name, _)) => ![LISTS, POINTERS, TEXTS].concat().contains(&name.as_str()),
            None => false,
        },
        _ => false,
    }
}

/// Whether a type is this parameter, or an `Option` or list of it.
pub(crate) fn is_or_holds(ty: &Type, parameter: &Ident) -> bool {
    match pointee(ty) {
        Type::Slice(slice) => is_or_holds(&slice.elem, parameter),
        Type::Array(array) => is_or_holds(&array.elem, parameter),
        ty => match named(ty) {
            Some((name, arguments)) if arguments.is_empty() => *parameter == name,
            Some((name, arguments)) if name == "Option" || LISTS.contains(&name.as_str()) => {
                arguments
                    .first()
                    .is_some_and(|ty| is_or_holds(ty, parameter))
            }
            _ => false,
        },
    }
}

//! What can be seen of the types of names, items and their fields: those that stand in the type itself, their options,
//! lists, maps and tuples, and the type that is being derived.

use super::{
    form::Read,
    kind::{self, Kind, Seen},
    text::Texts,
};
use crate::input::Field;
use prompt_syntax::{Origin, Used};
use syn::Type;

impl<'a> Seen<'a> {
    /// The type, where it is one.
    pub(crate) fn ty(self) -> Option<&'a Type> {
        match self {
            Self::Type(ty) => Some(ty),
            Self::Entry(..) => None,
        }
    }

    /// Whether it is an `Option`.
    pub(crate) fn is_option(self) -> bool {
        self.ty().is_some_and(|ty| Kind::of(ty) == Kind::Option)
    }

    /// How it is read on the way to one of its fields. It may be an `Option` under another name: one that takes types, as
    /// `Maybe<T>`, is refused where it is, and any is asked like one.
    pub(crate) fn read(self) -> Read {
        match self.ty().and_then(kind::plain_name) {
            Some(true) => Read::Unasked,
            Some(false) => Read::Plain,
            None if self.is_option() => Read::Maybe,
            None => Read::Certain,
        }
    }
}

impl Texts<'_> {
    /// What a path is after so many of its fields, as far as one sees.
    pub(super) fn seen(&self, used: &Used, count: usize) -> Option<Seen<'_>> {
        let root = match used.origin {
            Origin::Node => match self.section_of(used) {
                Some(list) => Some(Seen::Type(&list.ty)),
                None => self.names.get(&used.name)?.ty.map(Seen::Type),
            },
            Origin::Item(of) => {
                let list = &self.numbers.tables.loops()[usize::from(of)].list;
                let list = self.seen(list, list.path.len())?;
                kind::item(list.ty()?)
            }
            _ => None,
        };
        let mut fields = used.path.iter().take(count);
        fields.try_fold(root?, |seen, name| self.field(seen, name))
    }

    /// A field of it, also of what is in an `Option`.
    fn field<'s>(&'s self, seen: Seen<'s>, name: &str) -> Option<Seen<'s>> {
        let ty = match (seen, name) {
            (Seen::Entry(key, _), "0") => key,
            (Seen::Entry(_, value), "1") => value,
            (Seen::Entry(..), _) => return None,
            (Seen::Type(ty), name) => {
                let ty = kind::in_option(ty);
                if let Some(types) = kind::tuple(ty) {
                    types.iter().nth(name.parse().ok()?)?
                } else {
                    let fields = self.own_fields(ty)?;
                    &fields
                        .iter()
                        .find(|field| field.name.as_deref() == Some(name))?
                        .ty
                }
            }
        };
        Some(Seen::Type(ty))
    }

    /// Those of its fields that a loop can go through, as far as one sees.
    pub(crate) fn lists_of(&self, seen: Seen<'_>, fields: Vec<String>) -> Vec<String> {
        let may_be_list = |name: &String| {
            let kind = self.field(seen, name).and_then(Seen::ty).map(Kind::of_list);
            kind.is_none_or(|kind| !kind.is_no_list())
        };
        fields.into_iter().filter(may_be_list).collect()
    }

    /// The names of its fields, where they can be seen.
    pub(crate) fn fields_of(&self, seen: Seen<'_>) -> Option<Vec<String>> {
        let numbers = |count: usize| (0..count).map(|index| index.to_string()).collect();
        let ty = match seen {
            Seen::Entry(..) => return Some(numbers(2)),
            Seen::Type(ty) => kind::in_option(ty),
        };
        if let Some(types) = kind::tuple(ty) {
            return Some(numbers(types.len()));
        }
        if matches!(Kind::of(ty), Kind::Text | Kind::Scalar | Kind::Unit) {
            return Some(Vec::new());
        }
        let fields = self.own_fields(ty)?;
        let names: Vec<String> = fields
            .iter()
            .filter_map(|field| field.name.clone())
            .collect();
        (!names.is_empty()).then_some(names)
    }

    /// The names of the fields of an item of a list, where they can be seen.
    pub(crate) fn item_fields(&self, list: &Type) -> Option<Vec<String>> {
        self.fields_of(kind::item(list)?)
    }

    /// The fields of the type that is being derived.
    fn own_fields(&self, ty: &Type) -> Option<&[Field]> {
        // A variant is no type.
        let is_own = !self.in_variant && kind::is_named(ty, &self.body.ident);
        is_own.then_some(&*self.body.fields)
    }
}

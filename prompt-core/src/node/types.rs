//! What is known of a type of nodes before there is a value: the descriptions of all its variants, and the types in their
//! sections. It is what other texts are checked against ([`Wordings`](crate::dynamic::Wordings)).

use super::NodeInfo;
use prompt_syntax::Code;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    marker::PhantomData,
    rc::Rc,
    sync::Arc,
};

/// A type with a text of its own: a struct, or an enum with a text for each variant.
#[derive(Clone, Copy, Debug)]
pub struct TypeInfo {
    /// Whether a value decides which of its texts is printed.
    pub is_enum: bool,
    /// The struct, or the variants in the order of their declaration.
    pub variants: &'static [Variant],
}

/// A struct, or a variant of an enum.
#[derive(Debug)]
pub struct Variant {
    /// Its description.
    pub info: NodeInfo,
    /// What is in its sections, by their numbers; where there is nothing, no type has a text of its own.
    pub types: &'static [TypeOf],
    /// The rules that its texts need not follow.
    pub allow: &'static [Code],
    /// The hints that are faults in it.
    pub deny: &'static [Code],
}

/// A struct.
pub const fn of_struct(variants: &'static [Variant]) -> TypeInfo {
    TypeInfo {
        is_enum: false,
        variants,
    }
}

/// An enum.
pub const fn of_enum(variants: &'static [Variant]) -> TypeInfo {
    TypeInfo {
        is_enum: true,
        variants,
    }
}

/// A struct or variant with this description.
#[must_use]
pub const fn variant(info: NodeInfo) -> Variant {
    Variant {
        info,
        types: &[],
        allow: &[],
        deny: &[],
    }
}

impl Variant {
    /// Names the types in its sections.
    #[must_use]
    pub const fn types(mut self, types: &'static [TypeOf]) -> Self {
        self.types = types;
        self
    }

    /// Names the rules that its texts need not follow.
    #[must_use]
    pub const fn allow(mut self, codes: &'static [Code]) -> Self {
        self.allow = codes;
        self
    }

    /// Names the hints that are faults in it.
    #[must_use]
    pub const fn deny(mut self, codes: &'static [Code]) -> Self {
        self.deny = codes;
        self
    }
}

/// The type in a section. It may have itself in it.
#[derive(Clone, Copy, Debug)]
pub enum TypeOf {
    /// Text, nothing, or a history: what has no texts.
    NoNode,
    /// A trait object, or a node written by hand: its texts are known with the value.
    Unknown,
    /// A node.
    Node(fn() -> TypeInfo),
    /// A list of nodes.
    List(fn() -> TypeInfo),
}

/// A type of nodes that is known without a value: derived types, and options, pointers and lists of them.
pub trait StaticType {
    /// Whether it is a list.
    const IS_LIST: bool = false;

    /// The type, or that of what is in it.
    fn static_type() -> TypeInfo;
}

/// Whether it is a list, and what is in it.
macro_rules! of_inner {
    ($([$($generics:tt)*] $outer:ty, $is_list:expr;)+) => {$(
        impl<$($generics)*> StaticType for $outer {
            const IS_LIST: bool = $is_list;

            fn static_type() -> TypeInfo {
                T::static_type()
            }
        }
    )+};
}

of_inner! {
    [T: StaticType] Option<T>, T::IS_LIST;
    [T: StaticType + ?Sized] &T, T::IS_LIST;
    [T: StaticType + ?Sized] &mut T, T::IS_LIST;
    [T: StaticType + ?Sized] Box<T>, T::IS_LIST;
    [T: StaticType + ?Sized] Rc<T>, T::IS_LIST;
    [T: StaticType + ?Sized] Arc<T>, T::IS_LIST;
    [T: StaticType + ToOwned + ?Sized] Cow<'_, T>, T::IS_LIST;
    [T: StaticType] [T], true;
    [T: StaticType, const N: usize] [T; N], true;
    [T: StaticType] Vec<T>, true;
    [T: StaticType] VecDeque<T>, true;
    [T: StaticType] BTreeSet<T>, true;
    [K, T: StaticType] BTreeMap<K, T>, true;
}

/// What a node says of its type.
pub trait HasType {
    /// Its type; nothing of a node that is made at run time.
    fn type_info(&self) -> Option<TypeInfo> {
        None
    }
}

impl<T: StaticType> HasType for T {
    fn type_info(&self) -> Option<TypeInfo> {
        Some(T::static_type())
    }
}

/// The description of the struct, or of the variant with this number.
#[must_use]
#[inline]
pub fn info<T: StaticType + ?Sized>(number: usize) -> &'static NodeInfo {
    &T::static_type().variants[number].info
}

/// The type in a section: an inherent constant where it is known, else that of [`UnknownType`].
pub struct Type<T: ?Sized>(PhantomData<T>);

impl<T: StaticType + ?Sized> Type<T> {
    /// The type.
    pub const OF: TypeOf = if T::IS_LIST {
        TypeOf::List(T::static_type)
    } else {
        TypeOf::Node(T::static_type)
    };
}

/// Of trait objects and nodes written by hand there is no description without a value.
pub trait UnknownType {
    /// Nothing is known.
    const OF: TypeOf = TypeOf::Unknown;
}

impl<T: ?Sized> UnknownType for Type<T> {}

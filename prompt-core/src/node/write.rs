//! Values on their way into a prompt: text and numbers are written without `core::fmt`, everything else with its
//! `Display`. These are the calls that derived code makes.

use super::Output;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::{
    borrow::Cow,
    fmt::{self, Display, Write as _},
    rc::Rc,
    sync::Arc,
};

/// A value that is written without `core::fmt`.
pub trait Direct {
    /// Writes it.
    ///
    /// # Errors
    /// None: the result is that of every other way to write a value.
    fn write(&self, output: &mut Output<'_>) -> fmt::Result;
}

/// A value about to be written. Its method `put` is chosen by autoref specialisation, the first that fits: the inherent one
/// for `Direct` values, that of [`Displayed`] for everything with a `Display`, and behind one more reference that of
/// [`Otherwise`](crate::__private::Otherwise), for derived types that can stand in a sentence.
pub struct Value<'a, T: ?Sized>(pub &'a T);

impl<T: Direct + ?Sized> Value<'_, T> {
    /// Writes it.
    ///
    /// # Errors
    /// Always `Ok`: the signature is that of the other `put`s, which a failing `Display` can end.
    #[inline]
    pub fn put(self, output: &mut Output<'_>) -> fmt::Result {
        self.0.write(output)
    }
}

/// A value that is written by its `Display`.
pub trait Displayed {
    /// Writes it.
    ///
    /// # Errors
    /// What its `Display` returns.
    fn put(self, output: &mut Output<'_>) -> fmt::Result;
}

impl<T: Display + ?Sized> Displayed for Value<'_, T> {
    #[inline]
    fn put(self, output: &mut Output<'_>) -> fmt::Result {
        write!(output, "{}", self.0)
    }
}

impl Direct for str {
    #[inline]
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        output.push_str(self);
        Ok(())
    }
}

impl Direct for String {
    #[inline]
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        output.push_str(self);
        Ok(())
    }
}

impl Direct for Cow<'_, str> {
    #[inline]
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        output.push_str(self);
        Ok(())
    }
}

impl Direct for bool {
    #[inline]
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        output.push_plain(if *self { "true" } else { "false" });
        Ok(())
    }
}

impl Direct for char {
    #[inline]
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        output.push_str(self.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}

/// Pointers are written as what they point to.
macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<T: Direct + ?Sized> Direct for $pointer {
            #[inline]
            fn write(&self, output: &mut Output<'_>) -> fmt::Result {
                (**self).write(output)
            }
        }
    )+};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

/// Integers are written without `core::fmt`.
macro_rules! integers {
    ($($integer:ty),+) => {
        $(impl Direct for $integer {
            #[inline]
            fn write(&self, output: &mut Output<'_>) -> fmt::Result {
                output.push_plain(itoa::Buffer::new().format(*self));
                Ok(())
            }
        })+
    };
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Writes what `format_args!` made of a `{name:spec}`.
///
/// # Errors
/// What the value's own formatting returns.
pub fn formatted(output: &mut Output<'_>, arguments: fmt::Arguments<'_>) -> fmt::Result {
    output.write_fmt(arguments)
}

/// An `Option`, or a pointer to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Option`",
    label = "`default` and `some` are for `Option`",
    note = "`default` also works on lists, with `join` or `item`; a `bool` is printed with `yes` and `no`"
)]
pub trait Maybe {
    /// What is in it.
    type Value;

    /// A reference to the value.
    fn maybe(&self) -> Option<&Self::Value>;
}

impl<T> Maybe for Option<T> {
    type Value = T;

    fn maybe(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// Pointers to options.
macro_rules! options {
    ($($pointer:ty),+) => {$(
        impl<M: Maybe + ?Sized> Maybe for $pointer {
            type Value = M::Value;

            fn maybe(&self) -> Option<&M::Value> {
                (**self).maybe()
            }
        }
    )+};
}

options!(&M, &mut M, Box<M>, Rc<M>, Arc<M>);

/// Whether something is in an `Option`.
pub fn is_some<M: Maybe + ?Sized>(option: &M) -> bool {
    option.maybe().is_some()
}

/// A value that a condition asks: of an `Option` it gives what is in it, by the inherent method; of everything else
/// itself, by that of [`Present`], which a call finds second.
pub struct Asked<'a, T: ?Sized>(pub &'a T);

impl<'a, M: Maybe + ?Sized> Asked<'a, M> {
    /// What is in it.
    pub fn get(self) -> Option<&'a M::Value> {
        self.0.maybe()
    }
}

/// A value that is always there.
pub trait Present<'a> {
    /// Its type.
    type Inner: ?Sized;

    /// The value.
    fn get(self) -> Option<&'a Self::Inner>;
}

impl<'a, T: ?Sized> Present<'a> for Asked<'a, T> {
    type Inner = T;

    fn get(self) -> Option<&'a T> {
        Some(self.0)
    }
}

/// A value that no condition asks, on the way to one of its fields: an `Option` is refused by the inherent method;
/// everything else gives itself, by that of [`Certain`], which a call finds second.
pub struct Unasked<'a, T: ?Sized>(pub &'a T);

/// What no `Option` is: a value whose fields a text may read without asking.
#[diagnostic::on_unimplemented(
    message = "a text reads a field of an `Option` that it has not asked for [missing_default]",
    label = "`{Self}` may be absent",
    note = "ask first, and read it there: `{{?ship}}{{ship.name}}{{/ship}}`, or behind `{{?ship}}` on the same line; \
            between `{{else}}` and `{{/ship}}` stands what an absent one prints"
)]
pub trait AlwaysThere: Maybe {
    /// The value.
    fn there(&self) -> &Self::Value;
}

impl<'a, M: Maybe + ?Sized> Unasked<'a, M> {
    /// Nothing keeps the bound: this is where a path through an `Option` is refused.
    pub fn get(self) -> &'a M::Value
    where
        M: AlwaysThere,
    {
        self.0.there()
    }
}

/// A value that is no `Option`.
pub trait Certain<'a> {
    /// Its type.
    type Inner: ?Sized;

    /// The value.
    fn get(self) -> &'a Self::Inner;
}

impl<'a, T: ?Sized> Certain<'a> for Unasked<'a, T> {
    type Inner = T;

    fn get(self) -> &'a T {
        self.0
    }
}

/// A value that can be printed as JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be printed as JSON",
    label = "`json` needs `serde::Serialize`",
    note = "add `#[derive(serde::Serialize)]` to `{Self}`"
)]
pub trait Json {
    /// The JSON text: on one line, or indented by so many columns.
    ///
    /// # Errors
    /// What `Serialize` returns.
    fn json(&self, indent: Option<u8>) -> serde_json::Result<Vec<u8>>;
}

impl<T: serde::Serialize + ?Sized> Json for T {
    fn json(&self, indent: Option<u8>) -> serde_json::Result<Vec<u8>> {
        let Some(columns) = indent else {
            return serde_json::to_vec(self);
        };
        let indent = vec![b' '; columns.into()];
        let mut text = Vec::new();
        let formatter = PrettyFormatter::with_indent(&indent);
        self.serialize(&mut Serializer::with_formatter(&mut text, formatter))?;
        Ok(text)
    }
}

/// Writes a value as JSON: on one line, or indented by so many columns.
///
/// # Errors
/// Where `Serialize` fails.
pub fn json<T: Json + ?Sized>(
    value: &T,
    indent: Option<u8>,
    output: &mut Output<'_>,
) -> fmt::Result {
    let text = value.json(indent).map_err(|_| fmt::Error)?;
    output.push_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?);
    Ok(())
}

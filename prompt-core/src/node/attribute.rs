//! The values of tag attributes.

use super::{Output, write::Direct};
use std::{
    borrow::Cow,
    fmt::{self, Write as _},
    rc::Rc,
    sync::Arc,
};

/// A value that an attribute of a tag can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a tag attribute",
    label = "not a `bool`, number, text, or `Option` of these",
    note = "turn it into text: `attr(name = self.field.to_string())`"
)]
pub trait AttributeValue {
    /// Writes it; an attribute of which nothing is written is left out.
    ///
    /// # Errors
    /// Those of a `Display` that fails.
    fn put(&self, output: &mut Output<'_>) -> fmt::Result;
}

impl AttributeValue for bool {
    fn put(&self, output: &mut Output<'_>) -> fmt::Result {
        if *self {
            output.push_plain("true");
        }
        Ok(())
    }
}

impl<T: AttributeValue> AttributeValue for Option<T> {
    fn put(&self, output: &mut Output<'_>) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |value| value.put(output))
    }
}

/// Texts and integers.
macro_rules! direct {
    ($($direct:ty),+) => {$(
        impl AttributeValue for $direct {
            fn put(&self, output: &mut Output<'_>) -> fmt::Result {
                self.write(output)
            }
        }
    )+};
}

direct!(
    str, String, char, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize
);

/// Other numbers.
macro_rules! displayed {
    ($($number:ty),+) => {$(
        impl AttributeValue for $number {
            fn put(&self, output: &mut Output<'_>) -> fmt::Result {
                write!(output, "{self}")
            }
        }
    )+};
}

displayed!(f32, f64, u128, i128);

/// Pointers to such values.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<T: AttributeValue + ?Sized $($bound)*> AttributeValue for $pointer {
            fn put(&self, output: &mut Output<'_>) -> fmt::Result {
                (**self).put(output)
            }
        }
    )+};
}

pointers!([] &T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T>);

/// Writes the value of an attribute.
///
/// # Errors
/// As `AttributeValue::put`.
pub fn attribute<T: AttributeValue + ?Sized>(value: &T, output: &mut Output<'_>) -> fmt::Result {
    value.put(output)
}

//! Values on their way into a prompt: text and numbers are written without `core::fmt`, everything else with its
//! `Display`. These are the calls that derived code makes.

use super::Output;
use std::{
    borrow::Cow,
    fmt::{self, Display, Write as _},
    rc::Rc,
    sync::Arc,
};

/// A value that can be printed as a variable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be printed in a prompt",
    label = "printed by a text of this type, but has no `Display`",
    note = "implement `std::fmt::Display` for `{Self}`, or say how to print it: `#[var(debug)]`, `#[var(json)]`, \
            `#[var(with = path)]`"
)]
pub trait Printable {
    /// Writes it with its own `Display`.
    ///
    /// # Errors
    /// What that `Display` returns.
    fn print(&self, output: &mut Output<'_>) -> fmt::Result;
}

impl<T: Display + ?Sized> Printable for T {
    fn print(&self, output: &mut Output<'_>) -> fmt::Result {
        write!(output, "{self}")
    }
}

/// A value that is written without `core::fmt`.
pub trait Direct {
    /// Writes it.
    ///
    /// # Errors
    /// None: the result is that of every other way to write a value.
    fn write(&self, output: &mut Output<'_>) -> fmt::Result;
}

/// A value about to be written: `Direct` ones by the inherent method, others by that of `Displayed`, which a method
/// call finds second.
pub struct Value<'a, T: ?Sized>(pub &'a T);

impl<T: Direct + ?Sized> Value<'_, T> {
    /// Writes it.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn put(self, output: &mut Output<'_>) -> fmt::Result {
        self.0.write(output)
    }
}

/// A value that is written by its `Display`.
pub trait Displayed {
    /// Its type.
    type Inner: ?Sized;

    /// Writes it. The bound stands here and not on the implementation, so that a missing `Display` is reported as that.
    ///
    /// # Errors
    /// What its `Display` returns.
    fn put(self, output: &mut Output<'_>) -> fmt::Result
    where
        Self::Inner: Printable;
}

impl<T: ?Sized> Displayed for Value<'_, T> {
    type Inner = T;

    #[inline]
    fn put(self, output: &mut Output<'_>) -> fmt::Result
    where
        T: Printable,
    {
        self.0.print(output)
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

/// Integers are written digit by digit, from the last one on.
macro_rules! integers {
    (unsigned: $($unsigned:ty),+; signed: $($signed:ty),+) => {
        $(impl Direct for $unsigned {
            #[allow(clippy::cast_lossless, reason = "one macro for all widths")]
            #[inline]
            fn write(&self, output: &mut Output<'_>) -> fmt::Result {
                write_digits(*self as u64, false, output);
                Ok(())
            }
        })+
        $(impl Direct for $signed {
            #[allow(clippy::cast_lossless, reason = "one macro for all widths")]
            #[inline]
            fn write(&self, output: &mut Output<'_>) -> fmt::Result {
                write_digits(self.unsigned_abs() as u64, *self < 0, output);
                Ok(())
            }
        })+
    };
}

integers!(unsigned: u8, u16, u32, u64, usize; signed: i8, i16, i32, i64, isize);

/// Writes a number in decimal, from the highest digit on, so that no byte buffer has to become text.
fn write_digits(mut number: u64, negative: bool, output: &mut Output<'_>) {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let places = number.checked_ilog10().unwrap_or_default();
    if output.adds_length(places as usize + 1 + usize::from(negative)) {
        return;
    }
    if negative {
        output.push_plain("-");
    }
    let mut unit = 10_u64.pow(places);
    while unit > 0 {
        let digit = usize::try_from(number / unit)
            .ok()
            .and_then(|digit| DIGITS.get(digit))
            .copied()
            .unwrap_or_default();
        output.push_plain(digit);
        number %= unit;
        unit /= 10;
    }
}

/// Writes what `format_args!` made of a `{name:spec}`.
///
/// # Errors
/// What the value's own formatting returns.
pub fn formatted(output: &mut Output<'_>, arguments: fmt::Arguments<'_>) -> fmt::Result {
    output.write_fmt(arguments)
}

/// A `bool`, or a pointer to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `bool`",
    label = "`yes` and `no` are for `bool`",
    note = "an `Option` is printed with `some` and `default`; for other conditions use \
            `#[prompt(vars(name = if .. {{ \"..\" }} else {{ \"..\" }}))]`"
)]
pub trait Flag {
    /// Whether it is true.
    fn is_on(&self) -> bool;
}

impl Flag for bool {
    fn is_on(&self) -> bool {
        *self
    }
}

impl<F: Flag + ?Sized> Flag for &F {
    fn is_on(&self) -> bool {
        (**self).is_on()
    }
}

/// Writes one of two texts.
///
/// # Errors
/// None.
pub fn choice<F: Flag + ?Sized>(
    value: &F,
    yes: &str,
    no: &str,
    output: &mut Output<'_>,
) -> fmt::Result {
    output.push_str(if value.is_on() { yes } else { no });
    Ok(())
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

impl<M: Maybe + ?Sized> Maybe for &M {
    type Value = M::Value;

    fn maybe(&self) -> Option<&M::Value> {
        (**self).maybe()
    }
}

impl<M: Maybe + ?Sized> Maybe for Box<M> {
    type Value = M::Value;

    fn maybe(&self) -> Option<&M::Value> {
        (**self).maybe()
    }
}

/// Writes a present value between `before` and `after`, or else `default`.
///
/// # Errors
/// What `put` returns.
pub fn option<M: Maybe + ?Sized>(
    option: &M,
    [before, after, default]: [&str; 3],
    output: &mut Output<'_>,
    put: impl FnOnce(&M::Value, &mut Output<'_>) -> fmt::Result,
) -> fmt::Result {
    let Some(value) = option.maybe() else {
        output.push_str(default);
        return Ok(());
    };
    output.push_str(before);
    put(value, output)?;
    output.push_str(after);
    Ok(())
}

/// A value that can be printed as JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be printed as JSON",
    label = "`json` needs `serde::Serialize`",
    note = "add `#[derive(serde::Serialize)]` to `{Self}`"
)]
pub trait Json {
    /// The JSON text.
    ///
    /// # Errors
    /// What `Serialize` returns.
    fn json(&self, pretty: bool) -> serde_json::Result<String>;
}

impl<T: serde::Serialize + ?Sized> Json for T {
    fn json(&self, pretty: bool) -> serde_json::Result<String> {
        if pretty {
            serde_json::to_string_pretty(self)
        } else {
            serde_json::to_string(self)
        }
    }
}

/// Writes a value as JSON on one line.
///
/// # Errors
/// Where `Serialize` fails.
pub fn json<T: Json + ?Sized>(value: &T, output: &mut Output<'_>) -> fmt::Result {
    output.push_str(&value.json(false).map_err(|_| fmt::Error)?);
    Ok(())
}

/// Writes a value as indented JSON.
///
/// # Errors
/// Where `Serialize` fails.
pub fn json_pretty<T: Json + ?Sized>(value: &T, output: &mut Output<'_>) -> fmt::Result {
    output.push_str(&value.json(true).map_err(|_| fmt::Error)?);
    Ok(())
}

//! Format specs that are read at run time: fill, align, width and precision.

use std::fmt;

/// A format spec.
pub(crate) struct Spec {
    fill: char,
    align: Option<char>,
    width: usize,
    pub(crate) precision: Option<usize>,
}

impl Spec {
    pub(crate) fn read(spec: &str) -> Self {
        let mut characters = spec.chars();
        let (first, second) = (characters.next(), characters.next());
        let is_align = |c: Option<char>| c.filter(|c| matches!(c, '<' | '^' | '>'));
        let (fill, align, rest) = match (is_align(second), is_align(first)) {
            (Some(align), _) => (first.unwrap_or(' '), Some(align), characters.as_str()),
            (None, Some(align)) => (' ', Some(align), spec.get(1..).unwrap_or_default()),
            (None, None) => (' ', None, spec),
        };
        let (width, precision) = rest
            .split_once('.')
            .map_or((rest, None), |(width, digits)| (width, Some(digits)));
        Self {
            fill,
            align,
            width: number(width).unwrap_or_default(),
            precision: precision.and_then(number),
        }
    }

    /// Writes a text with what fills its width.
    ///
    /// # Errors
    /// What `out` returns.
    pub(crate) fn pad(
        &self,
        text: &str,
        is_number: bool,
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        let missing = self.width.saturating_sub(text.chars().count());
        let left = match self.align.unwrap_or(if is_number { '>' } else { '<' }) {
            '>' => missing,
            '^' => missing / 2,
            _ => 0,
        };
        (0..left).try_for_each(|_| out.write_char(self.fill))?;
        out.write_str(text)?;
        (left..missing).try_for_each(|_| out.write_char(self.fill))
    }
}

/// `std::fmt` takes widths and precisions of 16 bits and panics past them.
fn number(digits: &str) -> Option<usize> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(usize::from(digits.parse().unwrap_or(u16::MAX)))
}

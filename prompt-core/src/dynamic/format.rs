//! Prints a run-time value under a format spec: fill, align, width, precision, as `std::fmt` does.

use serde_json::Value;
use std::fmt::{self, Write};

/// Writes `value`. Text as it is, numbers in decimal, `null` as nothing, lists and objects as JSON.
pub(super) fn write_value(value: &Value, spec: &str, out: &mut impl Write) -> fmt::Result {
    let spec = Spec::read(spec);
    let text = match (value, spec.precision) {
        (Value::Null, _) => return Ok(()),
        (Value::String(text), Some(characters)) => text.chars().take(characters).collect(),
        (Value::String(text), None) if spec.width == 0 => return out.write_str(text),
        (Value::String(text), None) => text.clone(),
        (Value::Number(number), Some(digits)) if number.is_f64() => {
            format!("{:.digits$}", number.as_f64().unwrap_or_default())
        }
        (Value::Number(number), _) => number.to_string(),
        (other, _) => other.to_string(),
    };
    let missing = spec.width.saturating_sub(text.chars().count());
    let left = match spec
        .align
        .unwrap_or(if value.is_number() { '>' } else { '<' })
    {
        '>' => missing,
        '^' => missing / 2,
        _ => 0,
    };
    for _ in 0..left {
        out.write_char(spec.fill)?;
    }
    out.write_str(&text)?;
    for _ in left..missing {
        out.write_char(spec.fill)?;
    }
    Ok(())
}

/// Whether a guard on this value holds.
pub(super) fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(value)) => *value,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(entries)) => !entries.is_empty(),
        Some(Value::Number(_)) => true,
    }
}

struct Spec {
    fill: char,
    align: Option<char>,
    width: usize,
    precision: Option<usize>,
}

impl Spec {
    fn read(spec: &str) -> Self {
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
}

/// `std::fmt` takes widths and precisions of 16 bits and panics past them.
fn number(digits: &str) -> Option<usize> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(usize::from(digits.parse().unwrap_or(u16::MAX)))
}

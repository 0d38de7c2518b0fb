//! The arguments of a call as a model wrote them: an object of JSON, or the text where it is none or where a
//! [`Value`] would lose digits of its numbers.

use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Arguments that travel as a string of JSON: the object, or the text as it came where it is none or has numbers that
/// would lose digits. The empty string is
/// what some servers send for no arguments.
pub(crate) fn arguments_in_text(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match (serde_json::from_str(text), quote_long_numbers(text)) {
        (Ok(Value::Object(map)), Cow::Borrowed(_)) => Value::Object(map),
        _ => Value::String(text.to_owned()),
    }
}

/// Arguments that travel as an object; nothing at all stands for none.
pub(crate) fn arguments(given: Option<&Value>) -> Value {
    match given {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::Object(map)) => Value::Object(map.clone()),
        Some(Value::String(text)) => arguments_in_text(text),
        Some(other) => Value::String(other.to_string()),
    }
}

/// The arguments of a call as an object: in a text of the model, numbers with more digits than JSON holds here become
/// strings. A text that is no object has no place in formats that take objects only; the result of the call tells the
/// model what was wrong.
pub(crate) fn object_arguments(arguments: &Value) -> Value {
    let object = match arguments {
        Value::String(text) => serde_json::from_str(&quote_long_numbers(text)).unwrap_or_default(),
        object => object.clone(),
    };
    if object.is_object() {
        object
    } else {
        json!({})
    }
}

/// JSON text with the numbers that a [`Value`] does not hold as strings. Nothing is said about text that is no JSON.
///
/// One pass: outside of strings a number is a run of the bytes that numbers are made of.
fn quote_long_numbers(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut quoted, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let rest = bytes.get(at..).unwrap_or_default();
                let is_part =
                    |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let end = at + rest.iter().take_while(is_part).count();
                let number = text.get(at..end).unwrap_or_default();
                if is_long(number) {
                    quoted.push_str(text.get(copied..at).unwrap_or_default());
                    quoted.extend(["\"", number, "\""]);
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    quoted.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(quoted)
}

/// Behind the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return at + 1,
            Some(_) => at += 1,
        }
    }
}

/// Whether a number is no integer of 64 bits, and as a double gives other digits back.
fn is_long(number: &str) -> bool {
    if number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
    {
        return number.parse::<i64>().is_err() && number.parse::<u64>().is_err();
    }
    // As it is read, which is not always the nearest double.
    let double: f64 = serde_json::from_str(number).unwrap_or(f64::NAN);
    digits(number) != digits(&format!("{double:e}"))
}

/// The digits of a number that count.
fn digits(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

//! Numbers that a model writes with more digits than [`serde_json::Value`] holds: they are kept as text.

use std::borrow::Cow;

/// JSON text with such numbers as strings. Nothing is said about text that is no JSON.
///
/// One pass: outside of strings a number is a run of the bytes that numbers are made of.
pub(super) fn quote_long_numbers(text: &str) -> Cow<'_, str> {
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
    let double = number.parse().unwrap_or(f64::NAN);
    digits(number) != digits(&format!("{double:e}"))
}

/// The digits of a number that count.
fn digits(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

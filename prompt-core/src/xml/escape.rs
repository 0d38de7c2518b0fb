//! Escaping for places where no markup may appear at all.

use std::borrow::Cow;

/// Escapes a text for a double-quoted attribute value: `&`, `<`, `>`, `"`, tab and line breaks.
///
/// ```
/// use prompt_core::xml::escape_attribute;
///
/// assert_eq!(escape_attribute("a < b, \"c\""), "a &lt; b, &quot;c&quot;");
/// assert_eq!(escape_attribute("plain"), "plain");
/// ```
pub fn escape_attribute(value: &str) -> Cow<'_, str> {
    replace(value, |byte| match byte {
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        _ => markup(byte),
    })
}

/// Escapes a text in full: every `&`, `<` and `>`, whether it belongs to a tag or not.
///
/// ```
/// assert_eq!(prompt_core::xml::escape_text("Vec<T> & co"), "Vec&lt;T&gt; &amp; co");
/// ```
pub fn escape_text(value: &str) -> Cow<'_, str> {
    replace(value, markup)
}

const fn markup(byte: u8) -> Option<&'static str> {
    match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => None,
    }
}

/// Replaces ASCII bytes; everything else is copied in runs.
fn replace(value: &str, replacement: impl Fn(u8) -> Option<&'static str>) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut copied = 0;
    for (at, byte) in value.bytes().enumerate() {
        if let Some(entity) = replacement(byte) {
            escaped.push_str(value.get(copied..at).unwrap_or_default());
            escaped.push_str(entity);
            copied = at + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(value);
    }
    escaped.push_str(value.get(copied..).unwrap_or_default());
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_values_stay_on_one_line() {
        assert_eq!(
            escape_attribute("a\tb\r\n'c' & <d>"),
            "a&#9;b&#13;&#10;'c' &amp; &lt;d&gt;"
        );
        assert!(matches!(
            escape_attribute("français 日本"),
            Cow::Borrowed(_)
        ));
    }
}

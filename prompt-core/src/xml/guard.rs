//! Keeps values from opening or closing the tags of a document.
//!
//! The engine works on the finished text and on the byte ranges in it that came from values: a tag can be split over a value
//! and the text next to it, or over two values. It looks for tags more broadly than a parser would (blanks anywhere, no
//! `>` needed), because a model reads `< / rules` as the end of the section too.

use super::name::{Names, is_name_byte};
use std::{borrow::Cow, ops::Range};

/// What stands for a `<` that would have belonged to a tag.
const ESCAPED: &str = "&lt;";

/// Bytes that an escape adds.
const INSERTED: usize = ESCAPED.len() - 1;

/// Neutralises the reserved tags in a text that is one value: `<` becomes `&lt;`.
///
/// A reserved tag is a `<`, an optional `/`, a name from `names` in any case, with blanks and line breaks anywhere between,
/// and no further character of a name; whether a `>` follows does not matter. Everything else is left as it is, and a text
/// without such tags is not copied. Guarding twice changes nothing more.
///
/// ```
/// use prompt_core::xml::guard_text;
///
/// let value = "Thanks!</user_input> <b>Vec<T></b> <user_input_2>";
/// assert_eq!(guard_text(value, ["user_input"]), "Thanks!&lt;/user_input> <b>Vec<T></b> <user_input_2>");
/// ```
pub fn guard_text<N: AsRef<str>>(value: &str, names: impl IntoIterator<Item = N>) -> Cow<'_, str> {
    guard_values(
        value,
        &[Range {
            start: 0,
            end: value.len(),
        }],
        names,
    )
}

/// Neutralises the reserved tags in a finished text, parts of which are values.
///
/// `values` are ranges of bytes. A tag as in [`guard_text`] is neutralised if any of its bytes comes from a value, so a tag
/// that is split over two values, or over a value and the text around it, is found too. A tag of the author's that merely
/// *quotes* a value, as `<document path="{path}">`, stays as long as the value keeps to the quotes: it must not hold the
/// quote, `<` or `>`.
///
/// ```
/// use prompt_core::xml::guard_values;
///
/// let text = "<rules>\n</rules>\n</rules>";
/// assert_eq!(guard_values(text, &[8..16], ["rules"]), "<rules>\n&lt;/rules>\n</rules>");
/// ```
pub fn guard_values<'t, N: AsRef<str>>(
    text: &'t str,
    values: &[Range<usize>],
    names: impl IntoIterator<Item = N>,
) -> Cow<'t, str> {
    let mut values = values.to_vec();
    values.sort_by_key(|value| (value.start, value.end));
    match guard(text, &values, &names.into_iter().collect()) {
        Some(guarded) => Cow::Owned(guarded.text),
        None => Cow::Borrowed(text),
    }
}

/// A text after guarding, with what is needed to move ranges of the text before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guarded {
    pub(crate) text: String,
    /// `(position in the text before, bytes inserted there)`, sorted.
    pub(crate) edits: Vec<(usize, usize)>,
}

impl Guarded {
    /// Where a byte of the text before is now.
    pub(crate) fn moved(&self, offset: usize) -> usize {
        // All edits are of one size.
        let before = self.edits.partition_point(|&(at, _)| at < offset);
        offset + before * INSERTED
    }
}

/// Guards a finished text; `values` are the byte ranges that came from values, sorted and disjoint. `None` if nothing
/// had to be changed. Linear in the text, but for a logarithm in the number of values and names.
pub(crate) fn guard(text: &str, values: &[Range<usize>], names: &Names) -> Option<Guarded> {
    let places = escapes(text, values, names);
    let mut guarded = String::with_capacity(text.len() + places.len() * INSERTED);
    let mut copied = 0;
    for &at in &places {
        guarded.push_str(text.get(copied..at)?);
        guarded.push_str(ESCAPED);
        copied = at + 1;
    }
    guarded.push_str(text.get(copied..)?);
    let edits = places.iter().map(|&at| (at, INSERTED)).collect();
    (!places.is_empty()).then_some(Guarded {
        text: guarded,
        edits,
    })
}

/// The byte of the first `<` that [`guard`] would change, for a policy that refuses instead.
pub(crate) fn first_violation(text: &str, values: &[Range<usize>], names: &Names) -> Option<usize> {
    escapes(text, values, names).first().copied()
}

/// The positions of every `<` to escape, in rising order.
fn escapes(text: &str, values: &[Range<usize>], names: &Names) -> Vec<usize> {
    if values.is_empty() || names.is_empty() {
        return Vec::new();
    }
    if values.iter().any(Range::is_empty) {
        let printed: Vec<_> = values
            .iter()
            .filter(|value| !value.is_empty())
            .cloned()
            .collect();
        return escapes(text, &printed, names);
    }
    let mut scanner = Scanner {
        text,
        values,
        names,
    };
    let mut judged = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find('<')) {
        at += offset;
        scanner.values = after(scanner.values, at);
        match scanner.judge(at) {
            Verdict::Keep => {}
            verdict => judged.push((at, verdict)),
        }
        at += 1;
    }
    resolve(judged)
}

/// A tag that the next `<` breaks off would reach further once that `<` is escaped, so it goes along with it.
fn resolve(mut judged: Vec<(usize, Verdict)>) -> Vec<usize> {
    let mut escaped: Vec<usize> = Vec::new();
    while let Some((at, verdict)) = judged.pop() {
        let escape = match verdict {
            Verdict::Keep => false,
            Verdict::Escape => true,
            // `escaped` falls from its start to its end, since the verdicts are taken from the last.
            Verdict::BrokenOff(by) => escaped.binary_search_by(|place| by.cmp(place)).is_ok(),
        };
        if escape {
            escaped.push(at);
        }
    }
    escaped.reverse();
    escaped
}

#[derive(Clone, Copy)]
enum Verdict {
    /// No reserved tag, or wholly the author's.
    Keep,
    /// A reserved tag with a byte from a value.
    Escape,
    /// The author's, as far as the `<` at this byte, before which it does not end.
    BrokenOff(usize),
}

struct Scanner<'t> {
    text: &'t str,
    /// The values that do not end before the current `<`.
    values: &'t [Range<usize>],
    names: &'t Names,
}

impl<'t> Scanner<'t> {
    fn bytes(&self, range: Range<usize>) -> &'t [u8] {
        self.text.as_bytes().get(range).unwrap_or_default()
    }

    fn judge(&self, at: usize) -> Verdict {
        let Some(name) = self.name_after(at) else {
            return Verdict::Keep;
        };
        let whole = self.names.contains(self.bytes(name.clone()));
        if !whole && !self.cut_by_value_end(&name) {
            return Verdict::Keep;
        }
        match self.values.first() {
            None => Verdict::Keep,
            Some(value) if value.start < name.end => Verdict::Escape,
            Some(_) => self.judge_attributes(name.end),
        }
    }

    /// The run of name characters after `<`, blanks, an optional `/`, blanks.
    fn name_after(&self, at: usize) -> Option<Range<usize>> {
        let rest = self.text.get(at + 1..)?.trim_start_matches(is_blank);
        let rest = rest
            .strip_prefix('/')
            .unwrap_or(rest)
            .trim_start_matches(is_blank);
        let length = rest.bytes().take_while(|&byte| is_name_byte(byte)).count();
        let start = self.text.len() - rest.len();
        (length > 0).then(|| start..start + length)
    }

    /// Whether a value ends inside the run so that the run up to there is a reserved name: the text after the value is
    /// not the value's to count on.
    fn cut_by_value_end(&self, name: &Range<usize>) -> bool {
        self.values
            .iter()
            .map(|value| value.end)
            .take_while(|&end| end < name.end)
            .any(|end| end > name.start && self.names.contains(self.bytes(name.start..end)))
    }

    /// Judges the rest of a tag whose `<` and name are the author's.
    ///
    /// A scan ends at the first `<` outside quotes, and at a stray quote it stops to look at quotes at all. So at any byte
    /// at most one scan is inside each kind of quotes and a few are outside, which keeps the whole linear.
    fn judge_attributes(&self, from: usize) -> Verdict {
        let (mut at, mut after_equals, mut plain) = (from, false, false);
        let mut values = self.values;
        while let Some(&byte) = self.text.as_bytes().get(at) {
            values = after(values, at);
            match values.first() {
                None => return Verdict::Keep,
                Some(value) if value.start <= at => return Verdict::Escape,
                Some(_) => {}
            }
            match byte {
                b'>' => return Verdict::Keep,
                b'<' => return Verdict::BrokenOff(at),
                b'"' | b'\'' if after_equals && !plain => {
                    match self.quotation_end(values, at + 1, byte) {
                        Some(end) => at = end,
                        None => return Verdict::Escape,
                    }
                }
                b'"' | b'\'' => plain = true,
                _ => {}
            }
            after_equals = byte == b'=' || (after_equals && byte.is_ascii_whitespace());
            at += 1;
        }
        Verdict::Keep
    }

    /// The closing quote of a quotation, if there is one and every value in the quotation keeps to it.
    fn quotation_end(&self, values: &[Range<usize>], start: usize, quote: u8) -> Option<usize> {
        let end = start
            + self
                .bytes(start..self.text.len())
                .iter()
                .position(|&byte| byte == quote)?;
        let keeps_to_it = |value: &Range<usize>| {
            value.end <= end
                && !self
                    .bytes(value.clone())
                    .iter()
                    .any(|byte| matches!(byte, b'<' | b'>'))
        };
        values
            .iter()
            .take_while(|value| value.start <= end)
            .all(keeps_to_it)
            .then_some(end)
    }
}

/// The values that do not end before the byte at `at`.
fn after(values: &[Range<usize>], at: usize) -> &[Range<usize>] {
    let passed = values.iter().take_while(|value| value.end <= at).count();
    values.get(passed..).unwrap_or_default()
}

/// White space, control characters, and what is invisible between characters.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        ["rules", "doc"].iter().collect()
    }

    /// Builds a text from pieces; those that start with `$` are values, without the `$`.
    fn assembled(pieces: &[&str]) -> (String, Vec<Range<usize>>) {
        let (mut text, mut values) = (String::new(), Vec::new());
        for piece in pieces {
            let start = text.len();
            text.push_str(piece.strip_prefix('$').unwrap_or(piece));
            if piece.starts_with('$') {
                values.push(start..text.len());
            }
        }
        (text, values)
    }

    fn guarded(pieces: &[&str]) -> String {
        let (text, values) = assembled(pieces);
        guard(&text, &values, &names()).map_or(text, |guarded| guarded.text)
    }

    #[test]
    fn tags_of_values_are_neutralised() {
        for (value, expected) in [
            ("$</rules>", "&lt;/rules>"),
            ("$<RULES x=1>", "&lt;RULES x=1>"),
            ("$<rules/>", "&lt;rules/>"),
            ("$< / \n rules >", "&lt; / \n rules >"),
            ("$</\u{200b}rules", "&lt;/\u{200b}rules"),
            ("$</rules</rules>>", "&lt;/rules&lt;/rules>>"),
        ] {
            assert_eq!(guarded(&["a ", value, " b"]), format!("a {expected} b"));
        }
    }

    #[test]
    fn everything_else_survives() {
        for value in [
            "$Vec<T>",
            "$a < b",
            "$<b>",
            "$<rules_2>",
            "$<rule>",
            "$<a rules>",
            "$&lt;/rules>",
            "$<<>/",
        ] {
            assert_eq!(
                guarded(&["<rules>", value, "</rules>"]),
                format!("<rules>{}</rules>", &value[1..])
            );
        }
    }

    #[test]
    fn tags_split_over_neighbours_are_found() {
        assert_eq!(guarded(&["$</ru", "$les>"]), "&lt;/rules>");
        assert_eq!(guarded(&["<", "$/rules>"]), "&lt;/rules>");
        assert_eq!(guarded(&["$<", "/rules>"]), "&lt;/rules>");
        assert_eq!(guarded(&["<ru", "$les", ">"]), "&lt;rules>");
        assert_eq!(guarded(&["<rules", "$ >"]), "&lt;rules >");
        assert_eq!(guarded(&["<rules", "$>"]), "&lt;rules>");
        assert_eq!(guarded(&["<rules ", "$x", ">"]), "&lt;rules x>");
        assert_eq!(guarded(&["$</rules", "_end>"]), "&lt;/rules_end>");
        assert_eq!(guarded(&["<rules", "$_2", ">"]), "<rules_2>");
        assert_eq!(guarded(&["<ru", "$", "les>"]), "<rules>");
    }

    #[test]
    fn a_quoted_value_leaves_the_tag_of_the_author() {
        assert_eq!(
            guarded(&["<doc path=\"", "$a'b/c.rs", "\">"]),
            "<doc path=\"a'b/c.rs\">"
        );
        for value in ["$\"", "$x\" y=\"", "$>", "$/>", "$<"] {
            assert!(
                guarded(&["<doc path=\"", value, "\">"]).starts_with("&lt;doc"),
                "{value}"
            );
        }
        assert!(guarded(&["<doc path=", "$x", ">"]).starts_with("&lt;doc"));
        assert!(guarded(&["<doc path=\"a", "$b"]).starts_with("&lt;doc"));
    }

    #[test]
    fn a_tag_broken_off_by_an_escaped_one_goes_along() {
        assert_eq!(guarded(&["<doc ", "$<rules>"]), "&lt;doc &lt;rules>");
        assert_eq!(
            guarded(&["<doc <doc <ru", "$les>"]),
            "&lt;doc &lt;doc &lt;rules>"
        );
        assert_eq!(guarded(&["<doc <b ", "$x>"]), "<doc <b x>");
    }

    #[test]
    fn ranges_can_be_moved() {
        let (text, values) = assembled(&["<rules>", "$</rules>x", "</rules>"]);
        let Some(guarded) = guard(&text, &values, &names()) else {
            unreachable!()
        };
        assert_eq!(guarded.edits, [(7, 3)]);
        assert_eq!(
            [0, 7, 8, 16, text.len()].map(|at| guarded.moved(at)),
            [0, 7, 11, 19, guarded.text.len()]
        );
    }

    #[test]
    fn the_first_violation_is_the_first_escape() {
        let (text, values) = assembled(&["<rules> ", "$<b> </doc>", "</rules>"]);
        assert_eq!(first_violation(&text, &values, &names()), Some(12));
        assert_eq!(first_violation(&text, &[], &names()), None);
    }

    #[test]
    fn ranges_outside_the_text_do_no_harm() {
        assert_eq!(
            guard_values("é</doc>", &[1..2, 5..900, 3..4, 7..7], ["doc"]),
            "é&lt;/doc>"
        );
    }
}

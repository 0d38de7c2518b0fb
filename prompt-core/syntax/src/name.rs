//! Names: the nearest one, the shape of keys and tags, titles and keys made from field names.

use alloc::{string::String, vec::Vec};

/// Longer names are not compared: nobody mistypes them by two letters.
const LONGEST: usize = 64;

/// The candidate that a misspelt name most likely means, if one is near enough.
///
/// Near is an edit distance (insertions, deletions, substitutions, transpositions of neighbours) of at most a third of
/// the name's characters, and never more than three. Upper and lower case count as alike, so `prompt_subtree` finds
/// `PROMPT_SUBTREE`. Of several candidates at the same distance the first wins.
///
/// ```
/// use prompt_syntax::nearest;
///
/// assert_eq!(nearest("langage", ["team", "language"]), Some("language"));
/// assert_eq!(nearest("colour", ["team", "language"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(LONGEST + 1).count();
    let name: String = name
        .chars()
        .take(LONGEST + 1)
        .flat_map(char::to_lowercase)
        .collect();
    let bound = (length.max(2) / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let limit = best.map_or(bound, |(distance, _)| distance.saturating_sub(1));
        let lower: String = candidate
            .chars()
            .take(LONGEST + 1)
            .flat_map(char::to_lowercase)
            .collect();
        if let Some(found) =
            distance(&name, &lower, limit).filter(|&found| found < length || found == 0)
        {
            best = Some((found, candidate));
            if found == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The edit distance with transpositions, if it is at most `bound`.
pub(crate) fn distance(left: &str, right: &str, bound: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > 4 * bound {
        return None;
    }
    let left: Vec<char> = left.chars().take(LONGEST + 1).collect();
    let right: Vec<char> = right.chars().take(LONGEST + 1).collect();
    if left.len().abs_diff(right.len()) > bound || left.len().max(right.len()) > LONGEST {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &from) in left.iter().enumerate() {
        let mut current = Vec::with_capacity(above.len());
        current.push(row + 1);
        for (column, &to) in right.iter().enumerate() {
            let cell =
                |cells: &[usize], at: usize| cells.get(at).copied().unwrap_or(usize::MAX - 1);
            let replaced = cell(&above, column) + usize::from(from != to);
            let mut best = replaced
                .min(cell(&above, column + 1) + 1)
                .min(cell(&current, column) + 1);
            if row > 0
                && column > 0
                && left.get(row - 1) == Some(&to)
                && right.get(column - 1) == Some(&from)
            {
                best = best.min(cell(&before, column - 1) + 1);
            }
            current.push(best);
        }
        before = core::mem::replace(&mut above, current);
    }
    above.last().copied().filter(|&distance| distance <= bound)
}

/// Whether a text can be the key of a section: `^[a-z0-9][a-z0-9_-]{0,63}$`.
pub fn is_key(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&text.len())
        && text.bytes().next().is_some_and(is_plain)
        && text
            .bytes()
            .all(|byte| is_plain(byte) || matches!(byte, b'_' | b'-'))
}

/// Whether a text can be the name of an XML tag: `[A-Za-z_][A-Za-z0-9_.-]*`.
pub fn is_tag(text: &str) -> bool {
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.bytes().next().is_some_and(is_first) && text.bytes().all(is_tag_byte)
}

pub(crate) fn is_tag_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The heading of a section by default: its field name in title case.
///
/// ```
/// use prompt_syntax::title_case;
///
/// assert_eq!(title_case("literature_review"), "Literature Review");
/// assert_eq!(title_case("parseHTTPResponse"), "Parse HTTP Response");
/// ```
pub fn title_case(field: &str) -> String {
    let mut title = String::with_capacity(field.len() + 4);
    for word in words(field) {
        if !title.is_empty() {
            title.push(' ');
        }
        let mut chars = word.chars();
        title.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        title.push_str(chars.as_str());
    }
    title
}

/// The key of a section by default: its field name in snake case, without `r#` and outer underscores.
///
/// ```
/// use prompt_syntax::key_case;
///
/// assert_eq!(key_case("r#type"), "type");
/// assert_eq!(key_case("parseHTTPResponse"), "parse_http_response");
/// ```
pub fn key_case(field: &str) -> String {
    let words: Vec<String> = words(field).map(str::to_lowercase).collect();
    words.join("_")
}

/// The words of a field name: parts between `_` and `-`, and where the case changes.
fn words(field: &str) -> impl Iterator<Item = &str> {
    let field = field.strip_prefix("r#").unwrap_or(field);
    field
        .split(['_', '-'])
        .flat_map(case_words)
        .filter(|word| !word.is_empty())
}

fn case_words(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    core::iter::from_fn(move || {
        let end = word_end(rest)?;
        let (word, tail) = rest.split_at_checked(end)?;
        rest = tail;
        Some(word)
    })
}

/// Where the first word ends: before a capital that follows a small letter or digit, or starts a word after capitals.
fn word_end(part: &str) -> Option<usize> {
    let mut before = part.chars().next()?;
    let mut chars = part.char_indices().skip(1).peekable();
    while let Some((at, current)) = chars.next() {
        let leads_word = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        if current.is_uppercase() && (!before.is_uppercase() || leads_word) {
            return Some(at);
        }
        before = current;
    }
    Some(part.len())
}

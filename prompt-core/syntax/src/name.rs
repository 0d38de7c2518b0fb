//! Names: the shape of keys and tags, titles and keys made from field names, and what makes a legal tag a bad one.

use crate::Code;
use alloc::{format, string::String, vec::Vec};

/// What a key is, in words: [`is_key`].
pub const KEY_RULE: &str =
    "small letters, digits, `_` and `-`, starting with a letter or digit, at most 64 characters";

/// What the name of a tag is, in words: [`is_tag`].
pub const TAG_RULE: &str = "letters, digits, `_`, `.` and `-`, starting with a letter or `_`";

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
    text.bytes().next().is_some_and(is_tag_start) && text.bytes().all(is_tag_byte)
}

/// Whether the name of a tag can begin with a byte.
pub(crate) fn is_tag_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte can stand in the name of a tag, behind its first one.
#[inline]
pub fn is_tag_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Words that stay small in a title, unless they begin or end it.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "nor", "of", "on", "or", "per",
    "the", "to", "via", "with",
];

/// The heading of a section by default: its field name in title case. Articles, conjunctions and short prepositions stay small
/// between other words.
///
/// ```
/// use prompt_syntax::title_case;
///
/// assert_eq!(title_case("literature_review"), "Literature Review");
/// assert_eq!(title_case("order_of_work"), "Order of Work");
/// assert_eq!(title_case("parseHTTPResponse"), "Parse HTTP Response");
/// ```
pub fn title_case(field: &str) -> String {
    let words = words(field);
    let last = words.len().saturating_sub(1);
    let mut title = String::with_capacity(field.len() + 4);
    for (number, word) in words.into_iter().enumerate() {
        let between = 0 < number && number < last;
        if number > 0 {
            title.push(' ');
        }
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            match SMALL.iter().find(|small| word.eq_ignore_ascii_case(small)) {
                Some(small) if between && chars.as_str() == &small[1..] => title.push_str(small),
                _ => {
                    title.extend(first.to_uppercase());
                    title.push_str(chars.as_str());
                }
            }
        }
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
    words(field).join("_").to_lowercase()
}

/// The words of a field name: parts between `_` and `-`, and where the case changes.
fn words(field: &str) -> Vec<&str> {
    let field = field.strip_prefix("r#").unwrap_or(field);
    field.split(['_', '-']).flat_map(words_by_case).collect()
}

/// Words of which each begins with a capital, but perhaps the first.
fn words_by_case(mut rest: &str) -> Vec<&str> {
    let mut words = Vec::new();
    while let Some((word, tail)) = word_end(rest).and_then(|end| rest.split_at_checked(end)) {
        words.push(word);
        rest = tail;
    }
    words
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

/// Characters after which a tag is too long to be read at a glance.
const LONGEST_TAG: usize = 32;

/// Words that say nothing about what is in a tag.
const GENERIC: &[&str] = &[
    "section", "tag", "block", "part", "item", "element", "node", "text", "content", "data",
];

/// The lints that a tag breaks, each with what to write instead: not snake case, or beginning with `xml`
/// ([`Code::Naming`]); a general word with a number, such as `section_3` ([`Code::GenericName`]); over 32 characters
/// ([`Code::LongName`]).
///
/// ```
/// use prompt_syntax::{Code, tag_lints};
/// assert_eq!(tag_lints("CriticalRules")[0], (Code::Naming, "write `critical_rules`".to_owned()));
/// assert!(tag_lints("when_to_use").is_empty());
/// ```
pub fn tag_lints(name: &str) -> Vec<(Code, String)> {
    let mut lints = Vec::new();
    let snake = snake_case(name);
    if name
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("xml"))
    {
        lints.push((
            Code::Naming,
            String::from("names that begin with `xml` are reserved by XML"),
        ));
    } else if snake != name {
        lints.push((Code::Naming, format!("write `{snake}`")));
    }
    if is_generic(&snake) {
        lints.push((Code::GenericName, String::from("say what is in it")));
    }
    if name.chars().count() > LONGEST_TAG {
        lints.push((
            Code::LongName,
            format!("use at most {LONGEST_TAG} characters"),
        ));
    }
    lints
}

/// A general word, a number, and nothing else.
fn is_generic(snake: &str) -> bool {
    let word = snake.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < snake.len() && GENERIC.contains(&word.trim_end_matches('_'))
}

/// The name of a tag in snake case: `CriticalRules` and `critical-rules` as `critical_rules`, `HTTPHeaders` as
/// `http_headers`.
///
/// ```
/// assert_eq!(prompt_syntax::snake_case("CriticalRules"), "critical_rules");
/// ```
pub fn snake_case(name: &str) -> String {
    let parts = name.split(['_', '-', '.']).map(words_by_case);
    let parts: Vec<String> = parts.map(|words| words.join("_")).collect();
    parts.join("_").to_lowercase()
}

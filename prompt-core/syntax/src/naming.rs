//! What makes a legal tag a bad one.

use crate::Code;
use alloc::{format, string::String, vec::Vec};

/// Characters after which a tag is too long to be read at a glance.
const LONGEST: usize = 32;

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
    if name.chars().count() > LONGEST {
        lints.push((Code::LongName, format!("use at most {LONGEST} characters")));
    }
    lints
}

/// A general word, a number, and nothing else.
fn is_generic(snake: &str) -> bool {
    let word = snake.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < snake.len() && GENERIC.contains(&word.trim_end_matches('_'))
}

/// `CriticalRules` and `critical-rules` as `critical_rules`; `HTTPHeaders` as `http_headers`.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = None;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(char::is_ascii_lowercase);
        let starts_word = c.is_ascii_uppercase()
            && before.is_some_and(|b: char| {
                b.is_ascii_lowercase()
                    || b.is_ascii_digit()
                    || (b.is_ascii_uppercase() && next_is_lower)
            });
        if starts_word {
            snake.push('_');
        }
        snake.push(if matches!(c, '-' | '.') {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
        before = Some(c);
    }
    snake
}

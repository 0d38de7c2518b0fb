//! Data before a text: where it stands. What it says is not read here.

use crate::source::BYTE_ORDER_MARK;

/// Data that stands before a text, between two lines that mark it: YAML between `---` and `---` or `...`, or TOML between
/// `+++` and `+++`.
///
/// ```
/// use prompt_syntax::front_matter;
///
/// let file = "---\nname: steam\n---\n\n# Steam\n\nLast of all.";
/// let found = front_matter(file).unwrap();
/// assert_eq!(found.data, "name: steam\n");
/// assert_eq!(found.body, "# Steam\n\nLast of all.");
///
/// assert_eq!(front_matter("---\n\nWords between two rules.\n\n---\n"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontMatter<'t> {
    /// The lines between the marks. They begin with the second line of the file.
    pub data: &'t str,
    /// What follows, without the blank lines above it.
    pub body: &'t str,
}

/// Why a text has no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFrontMatter {
    /// Its first line is no mark.
    NoStart,
    /// No later line is one.
    NoEnd,
}

/// The front matter of a text that need not have any.
///
/// The first line is `---`, a later one is `---` or `...`, and the first line between them that is neither blank nor a comment
/// begins with a key and a colon; or with `+++`, `+++`, and a key and an equals sign. Anything else is text: a line of hyphens
/// is a rule. Blanks behind a mark count for nothing, and so does a byte order mark.
#[must_use]
pub fn front_matter(text: &str) -> Option<FrontMatter<'_>> {
    let (found, sign) = if is_marked(text, "+++") {
        (between(text, "+++", &["+++"]), '=')
    } else {
        (FrontMatter::of_yaml(text), ':')
    };
    found.ok().filter(|found| begins_with_key(found.data, sign))
}

impl<'t> FrontMatter<'t> {
    /// The front matter of a text that must have some, in YAML: whatever stands between the marks.
    ///
    /// # Errors
    /// When one of the two marks is missing.
    pub fn of_yaml(text: &'t str) -> Result<Self, NoFrontMatter> {
        between(text, "---", &["---", "..."])
    }
}

fn is_marked(text: &str, mark: &str) -> bool {
    let rest = without_byte_order_mark(text).strip_prefix(mark);
    rest.is_some_and(begins_blank)
}

/// Whether there is nothing before the end of the first line, which is not looked for: it may be far.
fn begins_blank(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// The first line, and what stands behind its end.
fn line(text: &str) -> (&str, &str) {
    let Some(end) = text.find(['\n', '\r']) else {
        return (text, "");
    };
    let (line, rest) = text.split_at(end);
    let behind = rest.strip_prefix("\r\n").or_else(|| rest.get(1..));
    (line, behind.unwrap_or_default())
}

fn between<'t>(
    text: &'t str,
    start: &str,
    ends: &[&str],
) -> Result<FrontMatter<'t>, NoFrontMatter> {
    if !is_marked(text, start) {
        return Err(NoFrontMatter::NoStart);
    }
    let (_, inside) = line(without_byte_order_mark(text));
    let mut rest = inside;
    while !rest.is_empty() {
        let (found, behind) = line(rest);
        if ends.contains(&found.trim_end_matches([' ', '\t'])) {
            let data = inside.get(..inside.len() - rest.len());
            return Ok(FrontMatter {
                data: data.unwrap_or_default(),
                body: without_blank_lines(behind),
            });
        }
        rest = behind;
    }
    Err(NoFrontMatter::NoEnd)
}

fn without_blank_lines(mut text: &str) -> &str {
    while !text.is_empty() && begins_blank(text) {
        text = line(text).1;
    }
    text
}

/// Whether the first line that is neither blank nor a comment is `key: ..` or `key = ..`.
fn begins_with_key(mut data: &str, sign: char) -> bool {
    while !data.is_empty() {
        let (first, behind) = line(data);
        if begins_blank(first) || first.trim_start().starts_with('#') {
            data = behind;
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ' ');
        let end = first.find(|c| !is_part(c)).unwrap_or(first.len());
        let (key, rest) = first.split_at(end);
        let Some(rest) = rest.strip_prefix(sign) else {
            return false;
        };
        let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        return is_key && (sign == '=' || rest.is_empty() || rest.starts_with([' ', '\t']));
    }
    false
}

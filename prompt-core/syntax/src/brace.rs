//! What stands between braces: names, paths, format specs, conditions.

use crate::lines::{indentation, is_blank};

/// What follows one or more opening braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside<'t> {
    /// `name`, `name.field`, `name:spec` and a closing brace.
    Variable(Reference<'t>),
    /// `?name` or `?!name`, perhaps with a path, and a closing brace.
    If { asks: Reference<'t>, negated: bool },
    /// `*name`, perhaps with a path and ` as item`, and a closing brace.
    Each {
        list: Reference<'t>,
        alias: Option<&'t str>,
    },
    /// `else` and a closing brace.
    Else,
    /// `/name`, perhaps with a path, and a closing brace.
    End(Reference<'t>),
    /// A name with blanks around it, and a closing brace.
    Spaced(&'t str),
    /// A name that something else follows. Whether it stands directly behind the brace: else blanks, backticks or
    /// `?` and `!` are in between.
    Name { name: &'t str, is_direct: bool },
    /// Anything else.
    Other,
}

/// A variable, or what a condition asks, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'t> {
    pub(crate) name: &'t str,
    /// The fields after the name, each with its dot.
    pub(crate) path: &'t str,
    /// What follows the colon, without it.
    pub(crate) spec: Option<&'t str>,
}

impl<'t> Reference<'t> {
    /// `name.field` at the start of a text.
    fn plain(text: &'t str) -> Option<Self> {
        let name = identifier(text)?;
        Some(Self {
            name,
            path: path(text.get(name.len()..)?),
            spec: None,
        })
    }

    fn len(&self) -> usize {
        self.name.len() + self.path.len() + self.spec.map_or(0, |spec| spec.len() + 1)
    }
}

/// Reads what stands after opening braces. The second value is its length in bytes, without the closing brace; of what
/// has none it is the length up to the end of the name.
pub(crate) fn inside(text: &str) -> (Inside<'_>, usize) {
    let complete = match text.as_bytes().first() {
        Some(b'?') => condition(text),
        Some(b'*') => each(text),
        Some(b'/') => end(text),
        _ if text.starts_with("else}") => Some((Inside::Else, 4)),
        _ => variable(text),
    };
    complete
        .filter(|(_, length)| text.as_bytes().get(*length) == Some(&b'}'))
        .unwrap_or_else(|| incomplete(text))
}

fn condition(text: &str) -> Option<(Inside<'_>, usize)> {
    let rest = text.strip_prefix('?')?;
    let negated = rest.starts_with('!');
    let asks = Reference::plain(rest.get(usize::from(negated)..)?)?;
    let length = 1 + usize::from(negated) + asks.len();
    Some((Inside::If { asks, negated }, length))
}

fn each(text: &str) -> Option<(Inside<'_>, usize)> {
    let list = Reference::plain(text.get(1..)?)?;
    let length = 1 + list.len();
    let rest = text.get(length..)?;
    let word = rest.trim_start_matches([' ', '\t']);
    let name = word.strip_prefix("as").unwrap_or(word);
    let alias = name.trim_start_matches([' ', '\t']);
    if word.len() == rest.len() || name.len() == word.len() || alias.len() == name.len() {
        return Some((Inside::Each { list, alias: None }, length));
    }
    let name = identifier(alias)?;
    let length = text.len() - alias.len() + name.len();
    Some((
        Inside::Each {
            list,
            alias: Some(name),
        },
        length,
    ))
}

fn end(text: &str) -> Option<(Inside<'_>, usize)> {
    let asked = Reference::plain(text.get(1..)?)?;
    Some((Inside::End(asked), asked.len() + 1))
}

fn variable(text: &str) -> Option<(Inside<'_>, usize)> {
    let plain = Reference::plain(text)?;
    let rest = text.get(plain.len()..)?;
    let spec = match rest.strip_prefix(':') {
        Some(rest) => Some(spec(rest)?),
        None => None,
    };
    let reference = Reference { spec, ..plain };
    Some((Inside::Variable(reference), reference.len()))
}

/// A number where a variable, or what a condition asks, has its name, and the length up to the closing brace.
pub(crate) fn number(text: &str) -> Option<(usize, usize)> {
    let lead = ["?!", "?"].into_iter().find(|lead| text.starts_with(lead));
    let start = lead.map_or(0, str::len);
    let rest = text.get(start..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?;
    let path = path(rest).len();
    let spec = match rest.get(path..)?.strip_prefix(':') {
        Some(rest) => 1 + spec(rest)?.len(),
        None => 0,
    };
    let closes = rest.as_bytes().get(path + spec) == Some(&b'}');
    closes.then_some((number, start + digits + path + spec))
}

/// The format spec up to the closing brace.
fn spec(text: &str) -> Option<&str> {
    let end = text.find(['{', '}', '\n', '`'])?;
    let spec = text.get(..end)?;
    (spec.is_empty() || spec_kind(spec).is_some()).then_some(spec)
}

/// A name with blanks around it, or with something before or behind it that makes it neither variable nor condition.
fn incomplete(text: &str) -> (Inside<'_>, usize) {
    let lead = text.len() - without_lead(text).len();
    let Some(name) = text.get(lead..).and_then(identifier) else {
        return (Inside::Other, lead);
    };
    let end = lead + name.len();
    let after = text.get(end..).unwrap_or_default();
    let trailing = indentation(after);
    let is_blank_lead = text.bytes().take(lead).all(is_blank);
    if is_blank_lead && after.as_bytes().get(trailing) == Some(&b'}') {
        return (Inside::Spaced(name), end + trailing);
    }
    let is_direct = lead == 0;
    (Inside::Name { name, is_direct }, end)
}

/// What follows the blanks, `?`, `!` and backticks that may stand between a brace and a name.
fn without_lead(text: &str) -> &str {
    let blanks = [' ', '\t'];
    let text = text.trim_start_matches(blanks);
    let text = text.strip_prefix(['?', '*']).unwrap_or(text);
    let text = text.strip_prefix('!').unwrap_or(text);
    text.trim_start_matches(blanks).trim_start_matches('`')
}

/// The fields at the start of a text: `.name` or `.0`, as many as there are.
fn path(text: &str) -> &str {
    let mut end = 0;
    while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix('.')) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 {
            digits
        } else {
            identifier(rest).map_or(0, str::len)
        };
        if length == 0 {
            break;
        }
        end += 1 + length;
    }
    text.get(..end).unwrap_or_default()
}

/// The identifier at the start of a text: letters, digits and `_` of any script, not starting with a digit.
pub(crate) fn identifier(text: &str) -> Option<&str> {
    text.chars()
        .next()
        .filter(|&first| first == '_' || first.is_alphabetic())?;
    let end = text
        .find(|inner: char| !continues_identifier(inner))
        .unwrap_or(text.len());
    text.get(..end)
}

pub(crate) fn continues_identifier(inner: char) -> bool {
    inner.is_alphanumeric() || inner == '_' || is_mark(inner)
}

/// Combining marks that belong to words but count as no letters: accents, and the viramas of Indic scripts.
fn is_mark(inner: char) -> bool {
    matches!(inner,
        '\u{300}'..='\u{36F}' | '\u{94D}' | '\u{9CD}' | '\u{A4D}' | '\u{ACD}' | '\u{B4D}' | '\u{BCD}' | '\u{C4D}'
        | '\u{CCD}' | '\u{D4D}' | '\u{DCA}' | '\u{E47}'..='\u{E4E}' | '\u{1039}' | '\u{103A}' | '\u{17D2}')
}

/// How far a format spec reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecKind {
    /// Fill, align, width, precision.
    Plain,
    /// What `std::fmt` reads beyond that: sign, `#`, `0`, a type.
    Formatted,
    /// Width or precision taken from another argument, or a type that `std::fmt` does not know.
    Unusable,
}

/// Reads a format spec; `None` if `std::fmt` could not.
pub(crate) fn spec_kind(spec: &str) -> Option<SpecKind> {
    let is_align = |align: char| matches!(align, '<' | '^' | '>');
    let mut chars = spec.chars();
    let first = chars.next()?;
    let rest = match chars.next() {
        Some(second) if is_align(second) => chars.as_str(),
        _ if is_align(first) => spec.get(1..)?,
        _ => spec,
    };
    let flags = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let flags = flags.strip_prefix('#').unwrap_or(flags);
    let width = if flags.starts_with("0$") {
        flags
    } else {
        flags.strip_prefix('0').unwrap_or(flags)
    };
    let is_flagged = width.len() < rest.len();
    let (has_argument, after) = count(width);
    let (takes_argument, kind) = match after.strip_prefix('.') {
        Some(precision) if precision.starts_with('*') => (true, precision.get(1..)?),
        Some(precision) => count(precision),
        None => (false, after),
    };
    if after.starts_with('.') && kind.len() + 1 == after.len() {
        return None;
    }
    Some(match kind {
        _ if has_argument || takes_argument => SpecKind::Unusable,
        "" if !is_flagged => SpecKind::Plain,
        "" | "?" | "x?" | "X?" | "o" | "x" | "X" | "p" | "b" | "e" | "E" => SpecKind::Formatted,
        _ if identifier(kind) == Some(kind) => SpecKind::Unusable,
        _ => return None,
    })
}

/// A number, or an argument with `$`, at the start of a width or precision; whether it is an argument, and the rest.
fn count(text: &str) -> (bool, &str) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let name = if digits > 0 {
        digits
    } else {
        identifier(text).map_or(0, str::len)
    };
    match text.get(name..).and_then(|rest| rest.strip_prefix('$')) {
        Some(rest) if name > 0 => (true, rest),
        _ => (false, text.get(digits..).unwrap_or_default()),
    }
}

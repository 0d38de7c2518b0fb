//! What stands between braces: names, paths, format specs, guards.

use crate::lines::is_blank;

/// What follows one or more opening braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside<'t> {
    /// `name`, `name.field`, `name:spec` and a closing brace.
    Variable(Reference<'t>),
    /// `?name` or `?!name` and a closing brace.
    Guard { name: &'t str, negated: bool },
    /// A name with blanks around it, and a closing brace.
    Spaced(&'t str),
    /// A name that something else follows.
    Name(&'t str),
    /// Anything else.
    Other,
}

/// A variable as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'t> {
    pub(crate) name: &'t str,
    /// The fields after the name, each with its dot.
    pub(crate) path: &'t str,
    /// What follows the colon, without it.
    pub(crate) spec: &'t str,
}

impl<'t> Reference<'t> {
    fn new(name: &'t str) -> Self {
        Self {
            name,
            path: "",
            spec: "",
        }
    }
}

/// Reads what stands after opening braces. The second value is its length in bytes, without the closing brace; what is
/// neither complete nor spaced has the length of its name.
pub(crate) fn inside(text: &str) -> (Inside<'_>, usize) {
    if let Some(rest) = text.strip_prefix('?') {
        return guard(rest).map_or((Inside::Other, 0), |(guard, length)| (guard, length + 1));
    }
    let blanks = text.bytes().take_while(|&byte| is_blank(byte)).count();
    let Some(name) = text.get(blanks..).and_then(identifier) else {
        return (Inside::Other, blanks);
    };
    let end = blanks + name.len();
    let after = text.get(end..).unwrap_or_default();
    let trailing = after.bytes().take_while(|&byte| is_blank(byte)).count();
    if blanks + trailing > 0 {
        let closes = after.as_bytes().get(trailing) == Some(&b'}');
        return if closes {
            (Inside::Spaced(name), end + trailing)
        } else {
            (Inside::Name(name), end)
        };
    }
    match reference(name, after) {
        Some(reference) => (
            Inside::Variable(reference),
            end + reference_length(&reference),
        ),
        None => (Inside::Name(name), end),
    }
}

fn guard(text: &str) -> Option<(Inside<'_>, usize)> {
    let negated = text.starts_with('!');
    let name = identifier(text.get(usize::from(negated)..)?)?;
    let end = usize::from(negated) + name.len();
    (text.as_bytes().get(end) == Some(&b'}')).then_some((Inside::Guard { name, negated }, end))
}

fn reference<'t>(name: &'t str, after: &'t str) -> Option<Reference<'t>> {
    let path = path(after);
    let rest = after.get(path.len()..)?;
    if rest.starts_with('}') {
        return Some(Reference {
            path,
            ..Reference::new(name)
        });
    }
    let spec = rest.strip_prefix(':')?;
    let end = spec.find(['{', '}', '\n', '`'])?;
    let spec = spec
        .get(..end)
        .filter(|_| spec.as_bytes().get(end) == Some(&b'}'))?;
    spec_kind(spec).map(|_| Reference { name, path, spec })
}

fn reference_length(reference: &Reference<'_>) -> usize {
    let spec = if reference.spec.is_empty() {
        0
    } else {
        reference.spec.len() + 1
    };
    reference.path.len() + spec
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

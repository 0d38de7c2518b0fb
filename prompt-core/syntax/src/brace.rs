//! What stands between braces: names, paths, format specs, conditions.

/// What follows one or more opening braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside<'t> {
    /// `name`, `name.field`, `name:spec` and a closing brace.
    Variable(Reference<'t>),
    /// `?name`, `?!name`, `*name`, `*name as item` or `/name`, perhaps with a path, or `else`, which names nothing, and a
    /// closing brace.
    Marker {
        kind: TokenKind<'t>,
        asks: Option<Reference<'t>>,
    },
    /// What looks like one of these and is none, and a closing brace.
    Slip(Slip<'t>),
    /// A name that something else follows. Whether it stands directly behind the brace or the sign of a marker: else blanks
    /// or backticks are in between.
    Name { name: &'t str, is_direct: bool },
    /// Anything else.
    Other,
}

impl<'t> Inside<'t> {
    /// What a marker names, or what was to be one.
    pub(crate) fn asks(&self) -> Option<Reference<'t>> {
        match *self {
            Self::Marker { asks, .. } | Self::Slip(Slip { asks, .. }) => asks,
            _ => None,
        }
    }
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
    pub(crate) fn plain(text: &'t str) -> Option<Self> {
        let name = identifier(text)?;
        Some(Self {
            name,
            path: path(text.get(name.len()..)?),
            spec: None,
        })
    }

    /// A method is no field: `names` of `names.iter()`.
    fn without_method(self, behind: &str) -> Self {
        let fields = self.path.rfind('.').filter(|_| behind.starts_with('('));
        Self {
            path: self
                .path
                .get(..fields.unwrap_or(self.path.len()))
                .unwrap_or_default(),
            ..self
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.name.len() + self.path.len() + self.spec.map_or(0, |spec| spec.len() + 1)
    }
}

/// A variable or a marker with blanks in it, with a wrong sign, or with something behind its name: `{ name }`, `{? name}`,
/// `{/!name}`, `{*names.iter()}`, `{:else}`, `{/}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slip<'t> {
    /// The marker that it was to be; none of a variable.
    pub(crate) meant: Option<TokenKind<'t>>,
    /// What it names; nothing of an `else`, and where only signs stand.
    pub(crate) asks: Option<Reference<'t>>,
    /// Whether it has a sign, and not only blanks.
    pub(crate) has_sign: bool,
    /// What stands behind what it names, and is no alias.
    pub(crate) behind: &'t str,
    /// Whether only its blanks are wrong.
    pub(crate) is_spaced: bool,
}

impl Slip<'_> {
    /// Whether it belongs to what has begun before.
    pub(crate) fn ends(&self) -> bool {
        self.meant.is_some_and(|meant| !meant.opens())
    }

    /// Whether it reads like a sentence or a comment: `{? some words}`, `{* a note *}`.
    pub(crate) fn is_prose(&self) -> bool {
        let words = self.behind.strip_prefix(BLANKS);
        let word = words.and_then(identifier);
        word.is_some_and(|word| word != "as") || self.behind.ends_with('*')
    }
}

/// What a marker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'t> {
    If {
        negated: bool,
    },
    Each {
        alias: Option<&'t str>,
    },
    /// The beginning of a block of another template language: its word, and what it may call its item.
    Foreign {
        word: &'t str,
        alias: &'t str,
    },
    Else,
    End,
}

impl TokenKind<'_> {
    pub(crate) fn opens(self) -> bool {
        !matches!(self, Self::Else | Self::End)
    }
}

/// Reads what stands after opening braces. The second value is its length in bytes, without the closing brace; of what
/// has none it is the length up to the end of the name.
pub(crate) fn inside(text: &str) -> (Inside<'_>, usize) {
    let complete = match text.as_bytes().first() {
        Some(b'?' | b'*' | b'/') => marker(text),
        _ if text.starts_with("else}") => {
            let (kind, asks) = (TokenKind::Else, None);
            Some((Inside::Marker { kind, asks }, 4))
        }
        _ => variable(text),
    };
    let is_closed = |length: usize| text.as_bytes().get(length) == Some(&b'}');
    match complete.filter(|(_, length)| is_closed(*length)) {
        // There is no such name: `{/else}` and `{?else}` were to be an `{else}`.
        Some(found) if found.0.asks().is_none_or(|asks| asks.name != "else") => found,
        _ => slip(text).unwrap_or_else(|| incomplete(text)),
    }
}

/// Signs with which a marker begins, or one that was meant to be a marker.
const SIGNS: [char; 5] = ['?', '!', '*', '/', ':'];

/// What may stand around a name, where it makes no variable.
const BLANKS: [char; 2] = [' ', '\t'];

/// Reads a slip, if it is one.
fn slip(text: &str) -> Option<(Inside<'_>, usize)> {
    let length = text.find(['{', '}', '\n', '`'])?;
    if text.as_bytes().get(length) != Some(&b'}') {
        return None;
    }
    let body = text.get(..length)?;
    let rest = body.trim_start_matches(|sign| SIGNS.contains(&sign) || BLANKS.contains(&sign));
    let signs = body.strip_suffix(rest)?;
    let rest = rest.trim_end_matches(BLANKS);
    let has = |sign| signs.contains(sign);
    let (rest, is_not) = match rest.strip_prefix("not ").filter(|_| has('?')) {
        Some(asked) => (asked.trim_start_matches(BLANKS), true),
        None => (rest, false),
    };
    let written = || signs.chars().filter(|sign| !BLANKS.contains(sign));
    let asks = Reference::plain(rest).filter(|_| rest != "else");
    let behind = rest.get(asks.map_or(rest.len(), |asks| asks.len())..)?;
    let asks = asks.map(|asks| asks.without_method(behind));
    let (meant, usual) = match () {
        () if rest == "else" => (Some(TokenKind::Else), ""),
        () if has('/') => (Some(TokenKind::End), "/"),
        () if has('*') => {
            let alias = alias(behind);
            (Some(TokenKind::Each { alias }), "*")
        }
        () if has('!') || is_not => (Some(TokenKind::If { negated: true }), "?!"),
        () if has('?') => (Some(TokenKind::If { negated: false }), "?"),
        () => (None, ""),
    };
    let behind = match meant {
        None if behind.strip_prefix(':').is_some_and(is_spec) => "",
        Some(TokenKind::Each { alias: Some(_) }) => "",
        _ => behind,
    };
    let has_sign = written().next().is_some();
    let is_spaced = behind.is_empty() && !is_not && written().eq(usual.chars());
    let is_debug = rest.is_empty() && written().take(2).eq([':', '?']);
    let is_else = meant == Some(TokenKind::Else);
    let is_something = asks.is_some() || is_else || (rest.is_empty() && has_sign);
    let is_raw = asks.is_some_and(|asks| asks.name == "r") && behind.starts_with('#');
    // Without a sign, a name with something behind it is an expression.
    let is_slip = is_something && (has_sign || is_spaced) && !is_debug && !is_raw;
    is_slip.then_some((
        Inside::Slip(Slip {
            meant,
            asks,
            has_sign,
            behind,
            is_spaced,
        }),
        length,
    ))
}

/// `item` of ` as item `.
fn alias(behind: &str) -> Option<&str> {
    let mut words = behind.split(BLANKS).filter(|word| !word.is_empty());
    let (word, alias) = (words.next()?, words.next()?);
    let is_alias = behind.starts_with(BLANKS) && word == "as" && words.next().is_none();
    (is_alias && identifier(alias) == Some(alias)).then_some(alias)
}

/// Reads a marker that names something.
fn marker(text: &str) -> Option<(Inside<'_>, usize)> {
    let negated = text.starts_with("?!");
    let sign = 1 + usize::from(negated);
    let asks = Reference::plain(text.get(sign..)?)?;
    let length = sign + asks.len();
    let (kind, length) = match text.as_bytes().first()? {
        b'?' => (TokenKind::If { negated }, length),
        b'*' => {
            let (alias, behind) = item_name(text.get(length..)?)?;
            (TokenKind::Each { alias }, length + behind)
        }
        _ => (TokenKind::End, length),
    };
    let asks = Some(asks);
    Some((Inside::Marker { kind, asks }, length))
}

/// What ` as item` at the start of a text calls the item, and its length; neither where there is none.
fn item_name(rest: &str) -> Option<(Option<&str>, usize)> {
    let word = rest.trim_start_matches(BLANKS);
    let name = word.strip_prefix("as").unwrap_or(word);
    let alias = name.trim_start_matches(BLANKS);
    if word.len() == rest.len() || name.len() == word.len() || alias.len() == name.len() {
        return Some((None, 0));
    }
    let name = identifier(alias)?;
    Some((Some(name), rest.len() - alias.len() + name.len()))
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
    is_spec(spec).then_some(spec)
}

fn is_spec(spec: &str) -> bool {
    spec.is_empty() || spec_kind(spec).is_some()
}

/// A name with something before or behind it that makes it neither variable nor condition.
fn incomplete(text: &str) -> (Inside<'_>, usize) {
    let lead = text.len() - without_lead(text).len();
    let Some(name) = text.get(lead..).and_then(identifier) else {
        return (Inside::Other, lead);
    };
    let signs = text.get(..lead).unwrap_or_default();
    let is_direct = signs.bytes().all(|sign| SIGNS.contains(&char::from(sign)));
    (Inside::Name { name, is_direct }, lead + name.len())
}

/// What follows the blanks, `?`, `!` and backticks that may stand between a brace and a name.
fn without_lead(text: &str) -> &str {
    let text = text.trim_start_matches(BLANKS);
    let text = text.strip_prefix(['?', '*', '/']).unwrap_or(text);
    let text = text.strip_prefix('!').unwrap_or(text);
    text.trim_start_matches(BLANKS).trim_start_matches('`')
}

/// The fields at the start of a text: `.name` or `.0`, as many as there are.
pub(crate) fn path(text: &str) -> &str {
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

/// Whether a text is a name that a variable can have: letters, digits and `_` of any script, not starting with a digit.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    identifier(text) == Some(text)
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
    let rest = without_align(spec)?;
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
        _ if has_argument || takes_argument || passes_number(rest) => SpecKind::Unusable,
        "" if !is_flagged => SpecKind::Plain,
        "" | "?" | "x?" | "X?" | "o" | "x" | "X" | "p" | "b" | "e" | "E" => SpecKind::Formatted,
        _ if identifier(kind) == Some(kind) => SpecKind::Unusable,
        _ => return None,
    })
}

/// Whether a width or a precision is more than `std::fmt` takes, which are 16 bits.
pub(crate) fn passes_number(spec: &str) -> bool {
    let spec = without_align(spec).unwrap_or_default();
    let mut numbers = spec.split(|sign: char| !sign.is_ascii_digit());
    numbers.any(|number| !number.is_empty() && number.parse::<u16>().is_err())
}

/// A spec without fill and align; nothing of an empty one.
fn without_align(spec: &str) -> Option<&str> {
    let is_align = |align: char| matches!(align, '<' | '^' | '>');
    let mut chars = spec.chars();
    let first = chars.next()?;
    match chars.next() {
        Some(second) if is_align(second) => Some(chars.as_str()),
        _ if is_align(first) => spec.get(1..),
        _ => Some(spec),
    }
}

/// Whether what follows a name, up to the closing brace, is what `str.format` of Python reads there: an index, `!r`, a format
/// spec.
pub(crate) fn is_python_access(behind: &str) -> bool {
    let mut rest = behind;
    while let Some(index) = rest.strip_prefix('[') {
        let is_index = |sign: char| continues_identifier(sign) || matches!(sign, '-' | '\'' | '"');
        let end = index.trim_start_matches(is_index);
        let Some(next) = end.strip_prefix(']').filter(|_| end.len() < index.len()) else {
            return false;
        };
        rest = next.get(path(next).len()..).unwrap_or_default();
    }
    let converted = ["!r", "!s", "!a"]
        .into_iter()
        .find_map(|sign| rest.strip_prefix(sign));
    let rest = converted.unwrap_or(rest);
    match rest.strip_prefix(':') {
        Some(spec) => is_python_spec(spec),
        None => rest.is_empty() && !behind.is_empty(),
    }
}

/// Whether `str.format` of Python reads a format spec and nobody would write anything else so: `.2f`, `>10`, `,`, `+d`,
/// `%Y-%m-%d`. Words and units (`red`, `10px`, `50%`) are none, and of the letters for types only `d`, `f` and `s` stand alone.
pub(crate) fn is_python_spec(spec: &str) -> bool {
    let Some(rest) = without_align(spec) else {
        return false;
    };
    let is_date =
        |rest: &str| rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-');
    if spec.strip_prefix('%').is_some_and(is_date) {
        return true;
    }
    let flags = rest.trim_start_matches(['+', '-', '#']);
    let width = flags.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let group = width.strip_prefix([',', '_']).unwrap_or(width);
    let precision = group
        .strip_prefix('.')
        .map(|rest| rest.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    match precision.unwrap_or(group) {
        "" | "d" | "f" | "s" => true,
        "%" => precision.is_some() || spec == "%",
        kind => spec != kind && kind.len() == 1 && "bcdeEfFgGnosxX".contains(kind),
    }
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

//! Markers that are written wrong, and words of other template languages: each is told once, and counts as what it was
//! meant to be, so that what belongs to it is no second mistake.

use crate::{
    Code, Place,
    brace::{Reference, Slip, TokenKind, identifier},
    check,
    inline::{Mode, Reader},
    scan::run,
    token::{FOREIGN, Naming},
};
use core::ops::Range;

impl<'r> Reader<'r, '_, '_> {
    /// Reads a slip. Where nothing tells it from text, it is text.
    pub(crate) fn slip(&mut self, slip: Slip<'r>, range: Range<usize>, mode: Mode) {
        let expected = self.found.expected_end(&self.scope);
        if !self.is_slip(&slip, expected.is_some(), mode) {
            return;
        }
        let written = self.found.slice(range.clone());
        let code = check::code_of_slip(&slip);
        if self.known.allows(code) {
            return;
        }
        let ends = slip.ends();
        // What ends the block of another language is the same mistake as its beginning.
        if !(ends && self.found.is_in_foreign()) {
            let problem = check::slip(self.known, code, written, &slip, expected.as_deref());
            self.found.report(range.clone(), problem);
        }
        if let Some(kind) = slip.meant
            && (slip.asks.is_some() || ends)
        {
            self.token(slip.asks, kind, range, mode, Naming::SLIP);
        }
    }

    /// Whether it was meant to be a marker: it begins with a known name, or it can end something, or there is no other
    /// sense to it.
    fn is_slip(&self, slip: &Slip<'_>, is_open: bool, mode: Mode) -> bool {
        let is_text = mode == Mode::Text;
        let Some(Reference { name, .. }) = slip.asks else {
            return is_text || is_open && slip.ends();
        };
        let is_free = self.known.options.place == Place::Free;
        match slip.meant {
            None => is_text && self.is_listed(name),
            Some(TokenKind::End) => is_open || self.is_known(name),
            _ => self.is_known(name) || is_text && is_free && !slip.is_prose(),
        }
    }

    /// Reports a word of another template language that stands between the signs of it, which begin at a position; the
    /// position behind it.
    pub(crate) fn foreign(&mut self, tag: Tag<'r>, start: usize) -> Option<usize> {
        if self.known.allows(Code::ForeignTemplate) {
            return None;
        }
        let meant = self.foreign_meant(&tag)?;
        let range = start..start + tag.length;
        let ends = meant.ends();
        if ends && !self.is_foreign_end(&tag, meant) {
            let is_asking = meant == Foreign::ElseIf && tag.is_marked;
            if !is_asking || !references(tag.words).any(|asks| self.is_known(asks.name)) {
                return None;
            }
        }
        let is_told = match meant {
            Foreign::Value(asks) | Foreign::Expression(asks) => self.found.is_of_foreign(asks.name),
            _ => ends && self.found.is_told(&self.scope),
        };
        if !is_told {
            let written = self.found.slice(range.clone());
            let expected = self.found.expected_end(&self.scope);
            let problem = check::foreign_template(self.known, written, meant, expected.as_deref());
            self.found.report(range.clone(), problem);
        }
        let (asks, kind) = match meant {
            Foreign::Block {
                word, alias, asks, ..
            } if tag.opens(word) => {
                let alias = alias.unwrap_or("this");
                (Some(asks), TokenKind::Foreign { word, alias })
            }
            Foreign::Else | Foreign::ElseIf => (None, TokenKind::Else),
            Foreign::End => (None, TokenKind::End),
            _ => return Some(range.end),
        };
        if !ends || self.found.is_in_branch() {
            self.token(asks, kind, range.clone(), Mode::Text, Naming::SLIP);
        }
        Some(range.end)
    }

    /// What a word of another template language was to be: of those that are no end, one that holds a known name.
    fn foreign_meant(&mut self, tag: &Tag<'r>) -> Option<Foreign<'r>> {
        let Tag { signs, words, .. } = *tag;
        let word = identifier(words)?;
        let behind = words.get(word.len()..)?;
        let asked = behind.trim_start_matches([' ', '\t']);
        let is_block_word = FOREIGN.contains(&word) && !self.is_known(word);
        match word {
            "else" if asked.is_empty() => return tag.is_marked.then_some(Foreign::Else),
            "else" if asked.starts_with("if ") || asked.starts_with('?') => {
                return Some(Foreign::ElseIf);
            }
            "elif" | "elseif" | "elsif" if asked.len() < behind.len() => {
                return Some(Foreign::ElseIf);
            }
            _ if tag.is_marked && behind.is_empty() && self.is_end_word(signs, word) => {
                return Some(Foreign::End);
            }
            _ => {}
        }
        let known = references(words).find(|asks| self.is_known(asks.name));
        if tag.is_note {
            return known.map(|_| Foreign::Note);
        }
        if signs.contains(['#', '%', '^']) || (is_block_word && !behind.is_empty()) {
            let Some(asks) = known else {
                self.found.resolver.other_blocks += usize::from(tag.is_marked && is_block_word);
                return None;
            };
            let is_new = |found: &Reference<'_>| {
                !self.is_known(found.name) && !matches!(found.name, "as" | "in" | "of" | "not")
            };
            let alias = references(behind).find(is_new).map(|found| found.name);
            let asked = if is_block_word { asked } else { words };
            return Some(Foreign::Block {
                word,
                alias,
                asks,
                asked,
                negated: signs.contains('^'),
            });
        }
        let asks = Reference::plain(words)?;
        let rest = words.get(asks.len()..)?;
        let is_other = !signs.is_empty() || rest.contains('|') || words.len() < tag.body;
        // Markers of ours print one pair of braces, as names do.
        if tag.is_single || !is_other || signs.contains(['!', '/']) {
            return None;
        }
        match (known?, rest) {
            (known, "") if known == asks => Some(Foreign::Value(asks)),
            // `{{ name: 1 }}` prints a pair of JSON with its braces.
            (known, _) if known == asks && is_pair(rest) => None,
            (known, _) if known == asks || rest.starts_with('(') => {
                Some(Foreign::Expression(known))
            }
            _ => None,
        }
    }

    /// Whether a word ends a block: `/if`, `endif`, `end`; where one is open, anything that looks like an end.
    fn is_end_word(&self, signs: &str, word: &str) -> bool {
        let is_in_foreign = self.found.is_in_foreign();
        if signs.contains('/') {
            return is_in_foreign || FOREIGN.contains(&word) && !self.is_known(word);
        }
        let of = word.strip_prefix("end").filter(|_| !self.is_known(word));
        let is_word = of.is_some_and(|of| of.is_empty() || FOREIGN.contains(&of));
        is_word && (is_in_foreign || !signs.is_empty())
    }

    /// Whether an else or an end belongs to something: to what is open, or to the conditions and loops of this text. What
    /// belongs to a block of the other language that is text is text as well.
    fn is_foreign_end(&mut self, tag: &Tag<'_>, meant: Foreign<'_>) -> bool {
        let is_open = self.found.is_in_branch();
        if !tag.is_marked {
            return is_open || tag.signs.contains(':');
        }
        let resolver = &mut self.found.resolver;
        if resolver.other_blocks > 0 {
            resolver.other_blocks -= usize::from(meant == Foreign::End);
            return false;
        }
        is_open || resolver.has_blocks
    }
}

/// What stands between the signs of another template language, `{{ .. }}`, `{% .. %}` or `<% .. %>`, or in one pair of
/// braces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'t> {
    /// The signs and blanks before its words.
    signs: &'t str,
    /// Its words, without signs and blanks at their end.
    words: &'t str,
    /// How many bytes stand between its outer signs.
    body: usize,
    /// How many it has with these.
    length: usize,
    /// Whether one pair of braces is all that is around it.
    is_single: bool,
    /// Whether its signs alone tell the other language.
    is_marked: bool,
    /// Whether it is a comment.
    is_note: bool,
}

impl<'t> Tag<'t> {
    /// Reads what follows opening braces.
    pub(crate) fn in_braces(inner: &'t str, braces: usize) -> Option<Self> {
        let end = inner.find(['{', '}', '\n'])?;
        let close = run(inner.get(end..)?, b'}');
        let body = inner.get(..end)?;
        match braces {
            _ if close < braces.min(2) => None,
            1 => Some(Self::new(body, [1, 1], &OF_SINGLE)),
            _ => Some(Self::new(body, [braces, close.min(braces)], &OF_DOUBLED)),
        }
    }

    /// Reads what follows `<`, if it is `% .. %>`.
    pub(crate) fn of_script(text: &'t str) -> Option<Self> {
        let inner = text.strip_prefix('%')?;
        let end = inner.find(['%', '\n'])?;
        let is_closed = inner.get(end..)?.starts_with("%>");
        is_closed.then(|| Self::new(inner.get(..end).unwrap_or_default(), [2, 2], &OF_DOUBLED))
    }

    fn new(body: &'t str, outer: [usize; 2], before: &[char]) -> Self {
        let words = body.trim_start_matches(before);
        let signs = body.get(..body.len() - words.len()).unwrap_or_default();
        let words = words.trim_end_matches([' ', '\t', '%', '-', '~', '#']);
        let is_single = outer == [1, 1];
        let is_comment = signs.contains('!') && (signs.contains(['-', ' ']) || words.contains(' '));
        Self {
            signs,
            words,
            body: body.len(),
            length: outer[0] + body.len() + outer[1],
            is_single,
            is_marked: !is_single || signs.contains('%'),
            is_note: (!is_single && is_comment) || (signs.starts_with('#') && body.ends_with('#')),
        }
    }

    /// Whether it begins a block, with this word; `{% set .. %}` begins none.
    fn opens(&self, word: &str) -> bool {
        FOREIGN.contains(&word) || self.signs.contains(['#', '^'])
    }
}

/// Signs before words of other languages in one pair of braces, and where their own signs are around them.
const OF_SINGLE: [char; 10] = [' ', '\t', '#', '%', '-', '~', ':', '?', '!', '*'];
const OF_DOUBLED: [char; 13] = [
    ' ', '\t', '#', '-', '~', '!', '/', '>', '^', '&', '=', '.', '@',
];

/// What a word of another template language was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign<'t> {
    /// A condition or loop.
    Block {
        word: &'t str,
        /// What it may call its item.
        alias: Option<&'t str>,
        /// The first known name in it.
        asks: Reference<'t>,
        /// All that stands behind its word.
        asked: &'t str,
        negated: bool,
    },
    Else,
    ElseIf,
    End,
    /// A name and nothing besides.
    Value(Reference<'t>),
    /// A name with a filter, a method, an operator.
    Expression(Reference<'t>),
    /// A comment.
    Note,
}

impl Foreign<'_> {
    /// Whether it belongs to what has begun before.
    fn ends(self) -> bool {
        matches!(self, Self::Else | Self::ElseIf | Self::End)
    }
}

/// Whether what follows a name makes a pair of JSON of it.
fn is_pair(behind: &str) -> bool {
    behind.trim_start_matches([' ', '\t']).starts_with(':')
}

/// Whether doubled braces around this are words of another template language.
pub(crate) fn is_foreign_doubled(body: &str) -> bool {
    let words = body.trim_start_matches(OF_DOUBLED);
    let name = identifier(words).map_or(0, str::len);
    (words.len() < body.len() || body.contains('|')) && !is_pair(&words[name..])
}

/// The names in a text, each with its fields.
fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let start = rest.find(|sign: char| sign == '_' || sign.is_alphabetic())?;
        let found = Reference::plain(rest.get(start..)?)?;
        rest = rest.get(start + found.len()..)?;
        Some(found)
    })
}

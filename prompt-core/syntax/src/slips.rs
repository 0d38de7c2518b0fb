//! Markers that are written wrong, and words of other template languages: each is told once, and counts as what it was
//! meant to be, so that what belongs to it is no second mistake.

use crate::{
    Code, Place,
    brace::{Meant, Reference, Slip, continues_identifier, identifier},
    check,
    inline::{Mode, Reader},
    token::{FOREIGN, Naming, TokenKind},
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
        let ends = matches!(slip.meant, Meant::Else | Meant::End);
        // What ends the block of another language is the same mistake as its beginning.
        if !(ends && self.found.is_in_foreign()) {
            let problem = check::slip(self.known, code, written, &slip, expected.as_deref());
            self.found.report(range.clone(), problem);
        }
        let kind = match slip.meant {
            Meant::If { negated } => TokenKind::If { negated },
            Meant::Each { alias } => TokenKind::Each { alias },
            Meant::Else => TokenKind::Else,
            Meant::End => TokenKind::End,
            Meant::Variable => return,
        };
        if slip.asks.is_some() || ends {
            self.token(slip.asks, kind, range, mode, Naming::SLIP);
        }
    }

    /// Whether it was meant to be a marker: it begins with a known name, or it can end something, or there is no other
    /// sense to it.
    fn is_slip(&self, slip: &Slip<'_>, is_open: bool, mode: Mode) -> bool {
        let is_text = mode == Mode::Text;
        let Some(Reference { name, .. }) = slip.asks else {
            return is_text || is_open && matches!(slip.meant, Meant::Else | Meant::End);
        };
        let is_free = self.known.options.place == Place::Free;
        match slip.meant {
            Meant::Variable => is_text && self.is_listed(name),
            Meant::End => is_open || self.is_known(name),
            _ => self.is_known(name) || is_text && is_free && !slip.is_prose(),
        }
    }

    /// Reports a word of another template language, whose brace is at a position; the position behind it.
    pub(crate) fn foreign(&mut self, inner: &'r str, start: usize) -> Option<usize> {
        let end = inner.find(['{', '}', '\n'])?;
        let body = inner.get(..end)?;
        if inner.as_bytes().get(end) != Some(&b'}') || self.known.allows(Code::ForeignTemplate) {
            return None;
        }
        let rest = body.trim_start_matches([' ', '\t', '#', '%', '-', '~', ':', '?', '!', '*']);
        let signs = body.strip_suffix(rest)?;
        let word = identifier(rest)?;
        let behind = rest.get(word.len()..)?;
        let is_else_if = match (word, behind.trim_start_matches([' ', '\t'])) {
            ("else", asks) => asks.starts_with("if ") || asks.starts_with('?'),
            ("elif" | "elseif" | "elsif", asks) => asks.len() < behind.len(),
            _ => false,
        };
        let is_open = self.found.is_in_branch();
        let names = || words(rest).filter(|name| self.is_known(name));
        let is_word = FOREIGN.contains(&word) && !self.is_known(word);
        let name = if is_else_if {
            if !is_open && !signs.contains(':') {
                return None;
            }
            ""
        } else if signs.contains(['#', '%']) || (is_word && word.len() < rest.len()) {
            names().find(|name| !matches!(*name, "else" | "elif" | "elseif"))?
        } else {
            return None;
        };
        let range = start..start + end + 2;
        if is_else_if && self.found.is_in_foreign() {
            return Some(range.end);
        }
        let written = self.found.slice(range.clone());
        let problem = check::foreign_template(self.known, written, is_else_if);
        self.found.report(range.clone(), problem);
        if !is_else_if && !signs.contains('%') {
            let is_new = |name: &&str| !self.is_known(name) && !matches!(*name, "as" | "in" | "of");
            let alias = words(behind).find(is_new).unwrap_or("this");
            let kind = TokenKind::Foreign { word, alias };
            let asks = Reference {
                name,
                path: "",
                spec: None,
            };
            self.token(Some(asks), kind, range.clone(), Mode::Text, Naming::SLIP);
        }
        Some(range.end)
    }
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|inner: char| !continues_identifier(inner));
    words.filter(|word| !word.is_empty())
}

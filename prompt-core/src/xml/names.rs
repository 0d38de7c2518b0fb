//! Names of tags: what is legal, and what is read as one. The rules themselves are those of the grammar.

use prompt_syntax::{Code, TAG_RULE, is_tag_byte};
use std::ops::Range;
use thiserror::Error;

/// The run of name characters after `<`, blanks, an optional `/`, blanks. What is invisible in it is passed over.
pub(super) fn name_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at + 1..)?.trim_start_matches(is_blank);
    let rest = rest
        .strip_prefix('/')
        .unwrap_or(rest)
        .trim_start_matches(is_blank);
    let is_part = |c: &char| u8::try_from(*c).is_ok_and(is_tag_byte) || is_invisible(*c);
    let name = rest.chars().take_while(is_part);
    let length = name.map(char::len_utf8).sum::<usize>();
    let start = text.len() - rest.len();
    (length > 0).then(|| start..start + length)
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || is_invisible(character)
}

/// Control characters, and what is not shown: `Default_Ignorable_Code_Point` of
/// <https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt>.
pub(super) fn is_invisible(character: char) -> bool {
    !character.is_whitespace() && character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A tag name outside `[A-Za-z_][A-Za-z0-9_.-]*`.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("`{name}` is no legal tag name: {TAG_RULE}")]
pub struct InvalidTag {
    name: String,
}

impl InvalidTag {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
        }
    }

    /// Always [`Code::InvalidTag`].
    pub const fn code(&self) -> Code {
        Code::InvalidTag
    }

    /// The name as given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Whether a byte may stand in the name of a tag.
pub(super) fn stays_in_name(byte: u8, is_first: bool) -> bool {
    is_tag_byte(byte) && (!is_first || byte.is_ascii_alphabetic() || byte == b'_')
}

crate::errors::debug_as_display!(InvalidTag);

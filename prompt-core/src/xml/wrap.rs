//! Existing prompt text in one tag.

use super::{InvalidTag, guard_text};

/// Puts existing prompt text into one guarded tag: the first step when a prompt moves to tags.
///
/// Line breaks at both ends of the text are dropped; tags of the same name inside it are neutralised as by
/// [`guard_text`](super::guard_text), all other text is kept to the byte. Blank text gives a self-closing tag. The result ends with a line
/// break.
///
/// # Errors
///
/// [`InvalidTag`] if `tag` is no tag name.
///
/// ```
/// use prompt_core::xml::wrap;
///
/// assert_eq!(wrap("rules", "Be kind.\n")?, "<rules>\nBe kind.\n</rules>\n");
/// assert_eq!(wrap("rules", "a</rules>b")?, "<rules>\na&lt;/rules>b\n</rules>\n");
/// # Ok::<(), prompt_core::xml::InvalidTag>(())
/// ```
pub fn wrap(tag: &str, text: &str) -> Result<String, InvalidTag> {
    InvalidTag::check(tag)?;
    if text.trim().is_empty() {
        return Ok(format!("<{tag}/>\n"));
    }
    let text = guard_text(text.trim_matches(['\n', '\r']), [tag]);
    Ok(format!("<{tag}>\n{text}\n</{tag}>\n"))
}

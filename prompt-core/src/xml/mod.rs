//! Tags in prompt text: names, escaping, guarding, validation.
//!
//! Everything here works on finished text of any origin, so it is of use without a derived prompt too: [`validate`] checks
//! the tags of a text, [`wrap`] puts text of a user, or an existing prompt, into one tag that nothing in it closes. The renderer applies the same rules by itself.
//!
//! Guarding keeps *structure*, not obedience: a value cannot leave its section, but a model may still follow what it says.

mod edit;
mod escape;
mod guard;
mod names;
mod tag_error;
mod tags;
mod untrusted;
mod validate;

pub use names::InvalidTag;
pub use prompt_syntax::info::Guarding;
pub use tag_error::{TagError, TagErrorKind, TagErrors};
pub use tags::Tags;
pub use validate::{validate, validate_known};

// No part of the interface: the tests hold each rule against its oracle.
#[doc(hidden)]
pub use escape::{escape_attribute, escape_text};
#[doc(hidden)]
pub use guard::{guard_text, neutralize};

pub(crate) use edit::{Finished, ValuePolicy, ValueRange};
pub(crate) use guard::{guard, unfinished_tag, write_attribute, write_name};

/// Puts existing prompt text into one guarded tag: the first step when a prompt moves to tags.
///
/// Line breaks at both ends of the text are dropped; tags of the same name inside it are neutralised
/// (`<` becomes `&lt;`), all other text is kept to the byte. Blank text gives a self-closing tag. The result ends with a line
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
    if !prompt_syntax::is_tag(tag) {
        return Err(InvalidTag::new(tag));
    }
    if text.trim().is_empty() {
        return Ok(format!("<{tag}/>\n"));
    }
    let text = guard_text(text.trim_matches(['\n', '\r']), [tag]);
    Ok(format!("<{tag}>\n{text}\n</{tag}>\n"))
}

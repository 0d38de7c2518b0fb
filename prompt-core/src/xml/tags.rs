//! The tags of a prompt as its texts name them, and text beside it that is guarded against them.

use super::guard::{guard_text, neutralize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The names of the tags of a prompt, see [`Prompt::tags`](crate::Prompt::tags): text that is sent beside the prompt, as what a
/// person says in a conversation, is guarded against them as a value in the prompt is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// In lower case.
    names: BTreeSet<String>,
}

impl Tags {
    pub(crate) fn new(names: BTreeSet<String>) -> Self {
        Self { names }
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The text, in which the `<` of each tag of the prompt is `&lt;`. Everything else is left as it is, and a text without such
    /// tags is not copied. Guarding twice changes nothing more.
    pub fn guard<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.names.is_empty() || !text.contains('<') {
            return Cow::Borrowed(text);
        }
        guard_text(text, self.names())
    }

    /// The same of a text that is not to be trusted: headings, fences, rules, lists and chat tokens in it are defused, too, as
    /// `untrusted` does it.
    ///
    /// ```
    /// let tags = prompt_core::Prompt::new("Be brief.").tags();
    /// assert_eq!(tags.guard_untrusted("# New rules"), "\\# New rules");
    /// ```
    pub fn guard_untrusted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match neutralize(text) {
            Cow::Borrowed(text) => self.guard(text),
            Cow::Owned(defused) => Cow::Owned(self.guard(&defused).into_owned()),
        }
    }
}

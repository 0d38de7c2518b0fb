//! The rules for what a node says, at whichever door: a derive, a file, a builder. Each door hands over the words with
//! their places and reports what comes back; what needs types or values it looks at itself.

use super::{Holder, twice};
use crate::{Code, KEY_RULE, Problem, TAG_RULE, is_key, is_tag, tag_lints};
use alloc::{
    borrow::{Cow, ToOwned},
    collections::{BTreeMap, BTreeSet},
    format,
    vec::Vec,
};

/// A word, and where it stands.
pub type Word<'n, P> = (Cow<'n, str>, P);

/// What a node or a section says, with places of any type.
#[derive(Clone, Debug)]
pub struct Says<'n, P> {
    /// The root of a tree, or a section.
    pub holder: Holder,
    /// Its name in the text around.
    pub slot: &'n str,
    /// Its key; of a section an empty one where it has none.
    pub key: Option<Word<'n, P>>,
    /// `title`.
    pub title: Option<Word<'n, P>>,
    /// `tag`.
    pub tag: Option<Word<'n, P>>,
    /// `item_tag`.
    pub item_tag: Option<Word<'n, P>>,
    /// The names in `attr`.
    pub attributes: Vec<Word<'n, P>>,
    /// Where it is shown as a summary and has none.
    pub lacks_summary: Option<P>,
    /// Where it is `volatile`.
    pub volatile: Option<P>,
    /// Whether there is a cache point behind it.
    pub has_cache: bool,
}

impl<P: Copy> Says<'_, P> {
    /// Checks what it says by itself; the lints in `deny` are mistakes.
    pub fn check(&self, deny: &[Code], mut report: impl FnMut(P, Problem)) {
        let is_section = matches!(self.holder, Holder::Section | Holder::FileSection);
        let own_key = self.key.iter().filter(|_| !is_section);
        for (key, place) in own_key.filter(|(key, _)| !is_key(key)) {
            report(*place, no_key(key, self.holder));
        }
        let tags = self.tag.iter().chain(&self.item_tag);
        let names = tags.clone().map(|tag| (tag, "tag", "a tag"));
        let attributes = self.attributes.iter();
        let attributes = attributes.map(|name| (name, "name of an attribute", "a name"));
        for ((name, place), what, it) in names.chain(attributes) {
            if !is_tag(name) {
                let message = format!("`{name}` is no valid {what}");
                let help = format!("{it} is {TAG_RULE}");
                report(*place, Problem::new(Code::InvalidTag, message, help));
            }
        }
        // A key is a tag in XML.
        let keys = self.key.iter();
        let keys = keys.filter(|_| is_section && self.tag.is_none());
        for (name, place) in tags.chain(keys) {
            let lints = tag_lints(name).into_iter();
            for (code, help) in lints.filter(|(code, _)| deny.contains(code)) {
                let message = format!("the tag `{name}` is not a good name");
                report(*place, Problem::new(code, message, help));
            }
        }
        let mut seen = BTreeSet::new();
        for (name, place) in self
            .attributes
            .iter()
            .filter(|(name, _)| !seen.insert(name))
        {
            report(*place, twice(name));
        }
        let titles = self.title.iter();
        for (_, place) in titles.filter(|(title, _)| title.trim().is_empty()) {
            let help = match self.holder {
                Holder::Section => "write `untitled` for no heading",
                Holder::FileSection => "write `untitled = true` for no heading",
                _ => "remove it: `untitled` of a section leaves the heading out",
            };
            let problem = Problem::new(Code::InvalidValue, "a title has words", help);
            report(*place, problem);
        }
        if let Some(place) = self.lacks_summary {
            let message = format!("`{}` is shown as a summary and has none", self.slot);
            let help = "add `summary = \"..\"`";
            report(place, Problem::new(Code::SummaryMissing, message, help));
        }
    }
}

/// Checks the keys of the sections of a node, and what changes from call to call before a cache point.
pub fn siblings<P: Copy>(
    sections: &[Says<'_, P>],
    deny: &[Code],
    mut report: impl FnMut(P, Problem),
) {
    let mut seen = BTreeMap::new();
    for (number, section) in (1..).zip(sections) {
        let Some((key, place)) = &section.key else {
            continue;
        };
        if key.is_empty() && section.slot.is_empty() {
            let message = format!("section {number} has no key");
            let help = match section.holder {
                Holder::Section => "write `#[section(key = \"..\")]`",
                _ => KEY_RULE,
            };
            report(*place, Problem::new(Code::InvalidKey, message, help));
        } else if !is_key(key) {
            report(*place, no_key(key, section.holder));
        } else if let Some(other) = seen.insert(key, section.slot) {
            let message = format!("two sections have the key `{key}`");
            let help = match section.holder {
                Holder::Section => {
                    format!("give this one or `{other}` another: `#[section(key = \"..\")]`")
                }
                _ => "give one of the two another".to_owned(),
            };
            report(*place, Problem::new(Code::DuplicateKey, message, help));
        }
    }
    if !deny.contains(&Code::VolatileBeforeCache) {
        return;
    }
    let last = sections.iter().rposition(|section| section.has_cache);
    for section in &sections[..last.unwrap_or(0)] {
        if let Some(place) = section.volatile {
            let message = format!(
                "`{}` changes from call to call and stands before a cache point",
                section.slot
            );
            let help = "move it behind the section with `cache`";
            report(
                place,
                Problem::new(Code::VolatileBeforeCache, message, help),
            );
        }
    }
}

fn no_key(key: &str, holder: Holder) -> Problem {
    let how = match holder {
        Holder::Section => ": `#[section(key = \"..\")]`",
        _ => "",
    };
    let message = format!("`{key}` is no valid key");
    Problem::new(
        Code::InvalidKey,
        message,
        format!("a key is {KEY_RULE}{how}"),
    )
}

/// The problem of a section without a place under `append = false`.
pub fn unplaced(slot: &str) -> Problem {
    let message = format!("`{slot}` has no place in the text");
    let help = format!(
        "write `{{{slot}}}` or `{{PROMPT_SUBTREE}}` on a line of its own, or remove `append = false`"
    );
    Problem::new(Code::UnplacedSection, message, help)
}

/// The problem of a heading in the template of an item that has a place of its own.
pub fn heading_in_item() -> Problem {
    let message = "the heading of an item with a place of its own stands in `item_title`";
    let help = "write it there: `item_title = \"{item.name}\"`";
    Problem::new(Code::InvalidValue, message, help)
}

/// The problem of a format spec that says nothing of what a key prints.
pub fn idle_spec(spec: &str, key: &str, holder: Holder) -> Problem {
    let help = match (key, holder) {
        ("item", _) => format!("write it in the template: `{{item:{spec}}}`"),
        (_, Holder::FileVar) => "drop one of the two".to_owned(),
        _ => "drop one of the two; `with` takes both".to_owned(),
    };
    let message = format!("the spec `:{spec}` says nothing of what `{key}` prints");
    Problem::new(Code::UnsupportedSpec, message, help)
}

/// The problem of an entry of `vars` that no text uses.
pub fn unused(name: &str) -> Problem {
    let help = format!("write `{{{name}}}` in a text, or remove it");
    Problem::new(Code::UnusedVariable, format!("no text uses `{name}`"), help)
}

//! Keys that more than one attribute has, each group read by one receiver.

use super::{
    keys::Group,
    value::{Amount, Entries, Level, Switch, Words},
};
use darling::FromMeta;

/// Where a text comes from, if not from the doc comment.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct TextKeys {
    /// `template = ".."`: the text itself.
    pub(crate) template: Option<Words>,
    /// `file = "prompts/x.md"`: from a file relative to the folder of `Cargo.toml`.
    pub(crate) file: Option<Words>,
}

impl Group for TextKeys {
    const KEYS: &'static [&'static str] = &["template", "file"];
}

/// How headings stand: of one section, or of all sections of a node.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct HeadingKeys {
    /// `heading = "==== {title}"`: another form than hashes.
    pub(crate) heading: Option<Words>,
    /// `level = 3`: the level in the node's own text.
    pub(crate) level: Option<Level>,
    /// `tight`: directly above the body.
    pub(crate) tight: Option<Switch>,
    /// `gap = 0`: blank lines between sections.
    pub(crate) gap: Option<Amount>,
}

impl Group for HeadingKeys {
    const KEYS: &'static [&'static str] = &["heading", "level", "tight", "gap"];
}

/// A tag instead of a heading.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct TagKeys {
    /// `tag = ".."`: its name.
    pub(crate) tag: Option<Words>,
    /// `attr(name = expr, title)`: its attributes.
    pub(crate) attr: Option<Entries>,
    /// `inline`: tag and text on one line.
    pub(crate) inline: Option<Switch>,
}

impl Group for TagKeys {
    const KEYS: &'static [&'static str] = &["tag", "attr", "inline"];
}

impl HeadingKeys {
    /// These keys, with those of `outer` where there are none.
    pub(crate) fn inherit(self, outer: Self) -> Self {
        Self {
            heading: self.heading.or(outer.heading),
            level: self.level.or(outer.level),
            tight: self.tight.or(outer.tight),
            gap: self.gap.or(outer.gap),
        }
    }
}

impl TagKeys {
    /// These keys, with those of `outer` where there are none.
    pub(crate) fn inherit(self, outer: Self) -> Self {
        Self {
            tag: self.tag.or(outer.tag),
            attr: self.attr.or(outer.attr),
            inline: self.inline.or(outer.inline),
        }
    }
}

/// How the items of a list print.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct ItemKeys {
    /// `item = "- {item.name}"`: one item, a template; `{index}` counts from 1, `{index0}` from 0.
    pub(crate) item: Option<Words>,
    /// `join = ", "`: between two items.
    pub(crate) join: Option<Words>,
    /// `last = " or "`: between the last two items.
    pub(crate) last: Option<Words>,
}

impl Group for ItemKeys {
    const KEYS: &'static [&'static str] = &["item", "join", "last"];
}

impl ItemKeys {
    /// Whether nothing is said.
    pub(crate) fn is_silent(&self) -> bool {
        self.words().next().is_none()
    }

    /// What is said, with the key that says it.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'static str, &Words)> {
        let all = [
            ("item", &self.item),
            ("join", &self.join),
            ("last", &self.last),
        ];
        all.into_iter()
            .filter_map(|(key, words)| Some((key, words.as_ref()?)))
    }
}

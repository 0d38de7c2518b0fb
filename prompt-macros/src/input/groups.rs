//! Keys that more than one attribute has. What each of them means says the book of keys.

use super::{
    keys::Receiver,
    value::{Gap, Level, List, Switch, Words},
};
use darling::FromMeta;
use prompt_syntax::book::Group;

/// Where a text comes from, if not from the doc comment.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct TextKeys {
    pub(crate) template: Option<Words>,
    pub(crate) file: Option<Words>,
}

/// How headings stand: of one section, or of all sections of a node.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct HeadingKeys {
    pub(crate) heading: Option<Words>,
    pub(crate) level: Option<Level>,
    pub(crate) tight: Option<Switch>,
    pub(crate) gap: Option<Gap>,
}

/// A tag instead of a heading.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct TagKeys {
    pub(crate) tag: Option<Words>,
    pub(crate) attr: Option<List>,
    pub(crate) inline: Option<Switch>,
}

impl Receiver for TextKeys {
    const GROUP: Group = Group::Text;
}

impl Receiver for HeadingKeys {
    const GROUP: Group = Group::Heading;
}

impl Receiver for TagKeys {
    const GROUP: Group = Group::Tag;
}

impl Receiver for ItemKeys {
    const GROUP: Group = Group::Items;
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
#[derive(Clone, Default, FromMeta)]
pub(crate) struct ItemKeys {
    pub(crate) item: Option<Words>,
    pub(crate) join: Option<Words>,
    pub(crate) last: Option<Words>,
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

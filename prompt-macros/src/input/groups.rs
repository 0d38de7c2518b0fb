//! Keys that more than one attribute has, each group read by one receiver.

use super::{
    keys::keys,
    value::{Entries, Gap, Level, Switch, Words},
};

keys! {
    /// Where a text comes from, if not from the doc comment.
    pub(crate) struct TextKeys {
        /// `template = ".."`: the text itself.
        template: Words,
        /// `file = "prompts/x.md"`: from a file relative to the folder of `Cargo.toml`.
        file: Words,
    }
}

keys! {
    /// How headings stand: of one section, or of all sections of a node.
    pub(crate) struct HeadingKeys {
        /// `heading = "==== {title}"`: another form than hashes.
        heading: Words,
        /// `level = 3`: the level in the node's own text.
        level: Level,
        /// `tight`: directly above the body.
        tight: Switch,
        /// `gap = 0`, `1`, `2`: blank lines between sections.
        gap: Gap,
    }
}

keys! {
    /// A tag instead of a heading.
    pub(crate) struct TagKeys {
        /// `tag = ".."`: its name.
        tag: Words,
        /// `attr(name = expr, title)`: its attributes.
        attr: Entries,
        /// `inline`: tag and text on one line.
        inline: Switch,
    }
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

keys! {
    /// How the items of a list print.
    pub(crate) struct ItemKeys {
        /// `item = "- {item.name}"`: one item, a template; `{index}` counts from 1, `{index0}` from 0.
        item: Words,
        /// `join = ", "`: between two items.
        join: Words,
        /// `last = " or "`: between the last two items.
        last: Words,
    }
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

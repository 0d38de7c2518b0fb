//! Keys that more than one attribute has. What each of them means says the book of keys.

use super::value::{Columns, Gap, Level, List, Switch, Words};
use darling::FromMeta;

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
    pub(crate) indent: Option<Columns>,
}

/// How the items of a list print.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct ItemKeys {
    pub(crate) item: Option<Words>,
    pub(crate) join: Option<Words>,
    pub(crate) last: Option<Words>,
}

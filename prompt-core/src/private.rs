//! What derived code calls. Nothing here is public API: it changes with the derive.

pub use crate::message::Role;
pub use crate::node::attribute::attribute;
pub use crate::node::coded::{Coded, coded};
pub use crate::node::condition::{Condition, holds, holds_item};
pub use crate::node::depth::{Depth, StaticDepth, depth, fits, fits_untitled};
pub use crate::node::describe::*;
pub use crate::node::extent::{Part, Straight, Tree, When, extent, leaf, own, tagged};
pub use crate::node::sequence::{is_empty, item, list, texts};
pub use crate::node::tools::tools;
pub use crate::node::value::{
    Freed, Json, Phrase, Value, formatted, is_on, json, json_indented, json_pretty, maybe,
};
pub use crate::node::{
    AtOnce, Container, Describe, Embedded, Flow, Flowed, Guarding, Hang, Head, Heading, Items,
    Markup, NodeInfo, Output, Own, Plain, Policy, Priority, Section, SectionInfo, SectionKeys,
    Text, Title, Variable,
};
pub use crate::prompt::PromptNode;
pub use crate::tool::ToolSpec;
pub use crate::visibility::Visibility;
pub use core::{
    concat, env, file,
    fmt::{self, Display, Result},
    format_args, include_str,
    option::Option::{self, None, Some},
    result::Result::Ok,
};
pub use prompt_syntax::{ConditionForm, Special, Target};
pub use std::vec::Vec;

/// The traits that stand in where a value has no way of its own. Which of them is needed depends on types.
pub mod fallbacks {
    pub use crate::node::depth::UnknownDepth as _;
    pub use crate::node::extent::{UnknownPart as _, UnknownWhen as _};
    pub use crate::node::value::{Displayed as _, Otherwise as _, Present as _};
}

/// A section that embeds a field.
pub fn embed<T: PromptNode + ?Sized>(node: &T) -> Section<'_> {
    Section::new(node.embedded())
}

//! What derived code calls. Nothing here is public API: it changes with the derive.

pub use crate::message::Role;
pub use crate::node::Embedded;
pub use crate::node::Guarding;
pub use crate::node::ItemInfo;
pub use crate::node::NodeInfo;
pub use crate::node::Output;
pub use crate::node::Priority;
pub use crate::node::PromptNode;
pub use crate::node::Section;
pub use crate::node::SectionInfo;
pub use crate::node::Title;
pub use crate::node::Variable;
pub use crate::node::attribute::attribute;
pub use crate::node::condition::holds;
pub use crate::node::depth::Depth;
pub use crate::node::depth::StaticDepth;
pub use crate::node::depth::UnknownDepth;
pub use crate::node::depth::depth;
pub use crate::node::depth::fits;
pub use crate::node::describe::*;
pub use crate::node::sequence::is_empty;
pub use crate::node::sequence::item;
pub use crate::node::sequence::list;
pub use crate::node::sequence::texts;
pub use crate::node::sequence::unless_empty;
pub use crate::node::tools::tools;
pub use crate::node::value::Displayed;
pub use crate::node::value::Value;
pub use crate::node::value::choice;
pub use crate::node::value::formatted;
pub use crate::node::value::json;
pub use crate::node::value::json_pretty;
pub use crate::node::value::option;
pub use crate::tool::ToolSpec;
pub use crate::visibility::Visibility;
pub use core::{
    concat, env, file,
    fmt::{Display, Result},
    format_args, include_str,
    option::Option::{self, None, Some},
    result::Result::Ok,
};
pub use prompt_syntax::{Mark, MarkKind, Target};
pub use std::vec::Vec;

//! What derived code calls. Nothing here is public API: it changes with the derive.

pub use crate::node::{
    Embedded, Guarding, ItemInfo, NodeInfo, Output, Priority, PromptNode, Section, SectionInfo,
    Title, Variable,
    attribute::attribute,
    condition::holds,
    depth::{Depth, StaticDepth, UnknownDepth, depth, fits},
    describe::*,
    sequence::{is_empty, item, list, texts, unless_empty},
    tools::tools,
    value::{Displayed, Value, choice, formatted, json, json_pretty, option},
};
pub use crate::{Role, ToolSpec, Visibility};
pub use core::{
    concat, env, file,
    fmt::{Display, Result},
    format_args, include_str,
    option::Option::{self, None, Some},
    result::Result::Ok,
};
pub use prompt_syntax::Target;
pub use std::vec::Vec;

//! What derived code calls. Nothing here is public API: it changes with the derive.

pub use crate::assembly::task::unknown_task;
pub use crate::messages::tool::ToolSpec;
pub use crate::node::attribute::attribute;
pub use crate::node::condition::{Condition, ask};
pub use crate::node::depth::{Depth, StaticDepth, depth, fits, fits_untitled};
pub use crate::node::each::{answers, each};
pub use crate::node::sequence::is_empty;
pub use crate::node::summarised::{Summarised, has_summary};
pub use crate::node::tools::tools;
pub use crate::node::types::{
    StaticType, Type, TypeInfo, TypeOf, info, of_enum, of_struct, variant,
};
pub use crate::node::write::{Asked, Json, Unasked, Value, formatted, is_some, json};
pub use crate::node::{
    Body, Container, Embedded, Guarding, Hang, Heading, Items, Markup, Node, NodeInfo, Output,
    Policy, Priority, Said, Scope, Section, SectionInfo, SectionKeys, Text, Title, Variable,
};
pub use crate::prompt::PromptNode;
pub use core::{
    concat, env, file,
    fmt::{self, Display, Result},
    format_args, include_str,
    option::Option::{self, None, Some},
    result::Result::Ok,
};
pub use prompt_syntax::info::{Role, Visibility, make::*};
pub use prompt_syntax::{
    Code, Each, Element, Form, If, Inline, InlineText, LoopName, Margins, Metadata, Part, Special,
    TagPlace, Target,
};
pub use std::vec::Vec;

use std::{rc::Rc, sync::Arc};

/// The fallback traits where a value has no way of its own. Which of them is needed depends on types.
pub mod fallbacks {
    pub use super::Otherwise;
    pub use crate::node::depth::UnknownDepth;
    pub use crate::node::types::UnknownType;
    pub use crate::node::write::{Certain, Displayed, Present};
}

/// A section under a condition: where it fails, nothing else of the section is asked.
pub fn when<'a>(holds: bool, section: impl FnOnce() -> Section<'a>) -> Section<'a> {
    if holds {
        section().conditional()
    } else {
        Section::hidden()
    }
}

/// A section that embeds a field.
pub fn embed<T: PromptNode + ?Sized>(node: &T) -> Section<'_> {
    Section::new(node.embedded())
}

/// A derived type that can be printed in a sentence: its texts have neither headings nor slots, and it has no sections.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be printed in a prompt",
    label = "printed by a text of this type, but has no `Display`",
    note = "implement `std::fmt::Display` for `{Self}`, or say how to print it: `#[var(debug)]`, `#[var(json)]`, \
            `#[var(with = path)]`; an `Option` takes `default` or `some`, a list `join`",
    note = "a derived prompt with headings or sections is a section: put `#[section]` on the field"
)]
pub trait Phrase: PromptNode {}

impl<T: Phrase + ?Sized> Phrase for &T {}
impl<T: Phrase + ?Sized> Phrase for Box<T> {}
impl<T: Phrase + ?Sized> Phrase for Rc<T> {}
impl<T: Phrase + ?Sized> Phrase for Arc<T> {}

/// A value that is written in a way of its own.
pub trait Otherwise {
    /// Its type.
    type Inner: ?Sized;

    /// Writes it. The bound is here and not on the implementation, so that what can be printed in no way at all is
    /// reported as that.
    ///
    /// # Errors
    /// What the values in it return.
    fn put(&self, output: &mut Output<'_>) -> fmt::Result
    where
        Self::Inner: Phrase;
}

impl<T: ?Sized> Otherwise for Value<'_, T> {
    type Inner = T;

    fn put(&self, output: &mut Output<'_>) -> fmt::Result
    where
        T: Phrase,
    {
        crate::page::phrase(self.0.embedded(), output)
    }
}

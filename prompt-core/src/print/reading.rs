//! A text that is being run: whose values it uses, and where it stands.

use super::{
    frame::Frame,
    place::{NoNode, Place},
};
use crate::layout::{RowId, Title, Treatment};
use crate::node::{Guarding, NodeInfo, NodeRef, Scope, ValueTreatment};

/// The environment of a text: who answers it, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Env<'s> {
    pub(crate) scope: &'s dyn Scope,
    /// Added to every level.
    pub(crate) shift: i32,
    /// Tags that are open around it, and columns for each.
    pub(crate) depth: usize,
    pub(crate) indent: usize,
}

/// Whose values a text uses.
pub(super) enum Host<'r, 'p, 'a> {
    /// A node that is being printed.
    Frame(&'r mut Frame<'p, 'a>),
    /// What a section embeds: it speaks of itself.
    Node(NodeRef<'a>),
    /// Nobody's that is known here; whether a section prints something is asked for.
    Apart(&'r mut dyn FnMut(usize) -> bool),
}

impl<'a> Host<'_, '_, 'a> {
    pub(super) fn node(&self) -> NodeRef<'a> {
        match self {
            Self::Frame(frame) => frame.node,
            Self::Node(node) => *node,
            Self::Apart(_) => NodeRef::new(&NoNode),
        }
    }
}

/// What the renderer fills in.
pub(super) enum Fill<'r, 'a> {
    Nothing,
    /// The title of a section with this row, in a heading of another form.
    Title {
        title: &'r Title<'a>,
        is_numbered: bool,
        treatment: Treatment<'a>,
        row: Option<RowId>,
    },
    /// What a summary suffix names.
    Suffix {
        key: &'r str,
        subsections: &'r str,
    },
}

/// A text that is being run.
pub(super) struct Reading<'r, 'p, 'a> {
    pub(super) info: &'a NodeInfo,
    pub(super) guarding: Guarding,
    pub(super) is_untrusted: bool,
    /// Where an error in it happens.
    pub(super) place: Option<&'r Place<'r>>,
    /// The section from whose node its values come.
    pub(super) row: Option<RowId>,
    pub(super) host: Host<'r, 'p, 'a>,
    pub(super) fill: Fill<'r, 'a>,
}

/// How a value is printed.
#[inline]
pub(super) fn treatment(info: &NodeInfo, index: u16) -> ValueTreatment {
    let variable = info.variables.get(usize::from(index));
    variable.map_or(ValueTreatment::USUAL, |variable| variable.treatment)
}

/// What a variable is called in its text.
pub(super) fn source(info: &NodeInfo, index: u16) -> &str {
    let variable = info.variables.get(usize::from(index));
    variable.map_or("", |variable| &variable.source)
}

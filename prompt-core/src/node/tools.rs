//! What a `tools` key may give.

use crate::messages::tool::ToolSpec;
use std::sync::Arc;

/// A tool, or several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no tools",
    label = "neither a `ToolSpec` nor a list of them",
    note = "`tools` takes a `ToolSpec`, or an `Option`, array, slice or `Vec` of `ToolSpec`"
)]
pub trait ToolSource {
    /// Appends its tools.
    fn append_to(&self, tools: &mut Vec<ToolSpec>);
}

impl ToolSource for ToolSpec {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        tools.push(self.clone());
    }
}

impl<T: ToolSource> ToolSource for Option<T> {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        if let Some(source) = self {
            source.append_to(tools);
        }
    }
}

impl<T: ToolSource> ToolSource for [T] {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        for source in self {
            source.append_to(tools);
        }
    }
}

impl<T: ToolSource, const N: usize> ToolSource for [T; N] {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        self.as_slice().append_to(tools);
    }
}

impl<T: ToolSource> ToolSource for Vec<T> {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        self.as_slice().append_to(tools);
    }
}

impl<T: ToolSource + ?Sized> ToolSource for &T {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        (**self).append_to(tools);
    }
}

impl<T: ToolSource + ?Sized> ToolSource for Arc<T> {
    fn append_to(&self, tools: &mut Vec<ToolSpec>) {
        (**self).append_to(tools);
    }
}

/// The tools that a `tools` expression gives.
pub fn tools<T: ToolSource + ?Sized>(source: &T) -> Vec<ToolSpec> {
    let mut tools = Vec::new();
    source.append_to(&mut tools);
    tools
}

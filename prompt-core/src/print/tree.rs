//! A tree from its root, printed in one go; and texts by themselves: a title, a template in a value.

use super::{
    View,
    place::{Context, Done},
    reading::{Env, Fill, Host, Reading},
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::{Look, Notes, Printed, Scratch, Title};
use crate::node::{
    Content, Embedded, Guarding, Headings, NodeInfo, NodeRef, Output, Scope, SectionInfo, Text,
};
use crate::print::rows::{Rows, path};
use crate::xml::ValueRange;
use std::{cell::Cell, fmt};

std::thread_local! {
    /// Lists that own nothing, from one prompt to the next.
    static SCRATCH: Cell<Scratch> = Cell::default();
}

/// A tree that was printed: its rows, and what is known of its text.
pub(crate) struct Printing<'a> {
    rows: Rows<'a>,
    printed: Printed<'a>,
    /// Whether the rows are not in the order of their declaration.
    is_disordered: bool,
}

/// Appends a tree to `buffer` as it is to be shown. On an error the buffer is as it was.
///
/// # Errors
/// See [`PromptError`].
pub(crate) fn print_text(
    root: Embedded<'_>,
    view: &View<'_>,
    buffer: &mut String,
) -> Result<(), PromptError> {
    let again = root.content.node();
    match Printing::with(root, view, Notes::default(), buffer) {
        // Where it happened is known only where sections are noted.
        Err(PromptError::GuardViolation { path, .. }) if path.is_empty() && again.is_some() => {
            let again = again.map_or_else(Embedded::absent, Embedded::of_node);
            Printing::new(again, view, buffer).map(drop)
        }
        printed => printed.map(drop),
    }
}

impl<'a> Printing<'a> {
    /// Appends a tree to `buffer` as it is to be shown, and notes its sections and tools. On an error the buffer is as it
    /// was.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub(crate) fn new(
        root: Embedded<'a>,
        view: &View<'_>,
        buffer: &mut String,
    ) -> Result<Self, PromptError> {
        let notes = Notes {
            sections: true,
            sources: false,
        };
        Self::with(root, view, notes, buffer)
    }

    fn with(
        root: Embedded<'a>,
        view: &View<'_>,
        notes: Notes,
        buffer: &mut String,
    ) -> Result<Self, PromptError> {
        let mut walk = Walk::new(buffer, &view.look, view, notes);
        walk.page.reuse(SCRATCH.take());
        let walked = walk.root(root);
        if let Err(error) = walked {
            walk.page.abandon();
            return Err(*error);
        }
        let (page, rows) = (&mut walk.page, &walk.rows);
        let printed = page.finish(&|row| rows.row(row).parent, &|row| rows.path(row))?;
        SCRATCH.set(page.scratch());
        Ok(Self {
            rows: std::mem::take(&mut walk.rows),
            printed,
            is_disordered: walk.is_disordered,
        })
    }

    /// What was printed, with rows that can be read: in the order of their declaration, their tools checked.
    ///
    /// # Errors
    /// Two tools of one name, or one of the reserved name.
    pub(crate) fn with_rows(self) -> Result<(Rows<'a>, Printed<'a>), PromptError> {
        let Self {
            mut rows,
            mut printed,
            is_disordered,
        } = self;
        rows.check_tools()?;
        if is_disordered {
            let places = rows.sort();
            printed.renumber(|row| places[row as usize]);
        }
        Ok((rows, printed))
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Walks through a tree.
    pub(super) fn root(&mut self, root: Embedded<'a>) -> Done {
        self.root_unchecked(root)?;
        if let Some(missing) = self.missing.take() {
            return Err(missing.into());
        }
        if let Some(focus) = self.view.focus.as_deref()
            && self.again.is_none()
            && !self.has_visited_focus
        {
            return Err(PromptError::UnknownPath {
                path: focus.to_owned(),
                nearest: path::nearest(&self.rows, focus),
            }
            .into());
        }
        Ok(())
    }

    pub(super) fn root_unchecked(&mut self, root: Embedded<'a>) -> Done {
        let context = Context::of(self.page.look());
        if root.varies && self.hidden == 0 {
            self.page.depends();
        }
        match root.content {
            Content::Node(node) => {
                self.rows.root = Some(node);
                self.tools(node, None, None);
                if self.hidden > 0 || node.info().container.markup.tag.is_none() {
                    let shift = context.level - 1;
                    return self.node(node, None, &context, shift);
                }
                self.tagged_root(node, context)
            }
            content if content.is_node_list() => self.root_items(content.into_entries(), &context),
            _ if self.hidden > 0 => Ok(()),
            content => self.embedded(None, SectionInfo::EMPTY, &content, &context, None),
        }
    }

    /// A root that stands in a tag.
    fn tagged_root(&mut self, node: NodeRef<'a>, mut context: Context<'a>) -> Done {
        let container = &node.info().container;
        let markup = &container.markup;
        let title = match &container.title {
            Some(title) => self.words(title, Host::Node(node), None, None)?,
            None => Title::NONE,
        };
        let name = markup.tag.as_deref().unwrap_or_default();
        let mut tag = self.page.new_tag(name);
        tag.is_inline = markup.inline;
        let is_computed = !markup.attributes.is_empty();
        if is_computed {
            self.page.depends();
        }
        self.page.open_tag(&mut tag, 0, context.indent, None);
        let of_root = (node, &title, is_computed);
        self.attributes(&mut tag, &markup.attributes, of_root, &mut Vec::new(), None)?;
        self.page.end_of_open_tag(&mut tag);
        context.depth = 1;
        let shift = context.level - 1;
        self.node(node, None, &context, shift)?;
        self.page.end_tag(&tag);
        Ok(())
    }
}

/// Prints a text on a page of its own; gives which of its bytes values wrote. Nothing is guarded. `is_shown` says whether a
/// section of the node prints something, `is_kept` whether the answers are kept and it is printed again.
///
/// # Errors
/// A value that fails, or a heading that is too deep; the place is not known here.
pub(super) fn apart<'t>(
    text: &'t Text,
    look: &Look,
    env: &Env<'_>,
    info: &'t NodeInfo,
    is_shown: &mut dyn FnMut(usize) -> bool,
    is_kept: bool,
) -> Result<(String, Vec<ValueRange>), PromptError> {
    let mut printed = String::with_capacity(32);
    let view = View::default();
    let mut walk = Walk::new(&mut printed, look, &view, Notes::default());
    walk.records = is_kept;
    let mut reading = Reading {
        info,
        guarding: Guarding::Default,
        is_untrusted: false,
        place: None,
        row: None,
        host: Host::Apart(is_shown),
        fill: Fill::Nothing,
    };
    walk.run(&mut reading, env, text).map_err(|fault| *fault)?;
    let values = walk.page.into_values()?;
    Ok((printed, values))
}

/// Appends a template with conditions and loops, which `scope` answers.
///
/// # Errors
/// What `scope` returns.
pub fn template(text: &Text, scope: &dyn Scope, output: &mut Output<'_>) -> fmt::Result {
    let env = Env {
        scope,
        shift: match output.headings() {
            Headings::Moved(levels) => levels,
            Headings::From(level) => level - i32::from(text.base),
        },
        depth: 0,
        indent: 0,
    };
    let look = Look::default();
    let printed = apart(text, &look, &env, NodeInfo::EMPTY, &mut |_| false, false);
    let (printed, values) = printed.map_err(|_| fmt::Error)?;
    output.ranges(&printed, values.into_iter().map(|value| value.range));
    Ok(())
}

//! Templates over the values of a node: titles, summaries and the like.

use super::{
    place::{Context, Done, Fault, Place, literal, path},
    reading::{Env, Fill, Host, Reading},
    tree::apart,
    walk::Walk,
};
use crate::layout::{Look, RowId, Title, Words};
use crate::node::{Scope, Text};

/// The item that a template of items is about.
pub(super) type ItemScope<'s> = Option<&'s dyn Scope>;

impl<'a> Walk<'_, '_, 'a> {
    /// A template over the values of a node. An error in it happened at `place`.
    pub(super) fn template<'r>(
        &mut self,
        text: &'a Text,
        host: Host<'r, '_, 'a>,
        (place, row): (Option<&'r Place<'r>>, Option<RowId>),
        item: ItemScope<'_>,
        context: &Context<'a>,
        fill: Fill<'r, 'a>,
    ) -> Done {
        self.page.note_open_angles(text.angles);
        if let Some(words) = literal(text) {
            self.page.words(words);
            return Ok(());
        }
        let node = host.node();
        let env = Env {
            scope: item.unwrap_or(node.scope()),
            shift: context.level - i32::from(text.base),
            depth: context.depth,
            indent: context.indent,
        };
        let mut reading = Reading {
            info: node.info(),
            guarding: context.guarding,
            is_untrusted: context.is_untrusted,
            place,
            row,
            host,
            fill,
        };
        let outer = self.page.begin_text("");
        // What an item says is not said of the node.
        self.loops += u32::from(item.is_some());
        let done = self.run(&mut reading, &env, text);
        self.loops -= u32::from(item.is_some());
        done?;
        self.page.end_text(outer, "");
        Ok(())
    }

    /// A template of a line, such as a title, in a text of its own.
    pub(super) fn words(
        &mut self,
        text: &'a Text,
        mut host: Host<'_, '_, 'a>,
        place: Option<&Place<'_>>,
        item: ItemScope<'_>,
    ) -> Result<Title<'a>, Fault> {
        self.page.note_open_angles(text.angles);
        if let Some(words) = literal(text) {
            return Ok(if words.contains('\n') {
                Title::Words(Words::fixed(words.clone()))
            } else {
                Title::Fixed(words)
            });
        }
        let node = host.node();
        let env = Env {
            scope: item.unwrap_or(node.scope()),
            shift: 0,
            depth: 0,
            indent: 0,
        };
        let is_kept = self.records || self.again.is_some();
        let is_shown = &mut |index| self.is_shown(&mut host, place, index);
        let look = Look::default();
        let printed = apart(text, &look, &env, node.info(), is_shown, is_kept);
        let (text, values) = printed.map_err(|error| error.at(|| path(place)))?;
        Ok(Title::Words(Words::computed(text, values)))
    }
}

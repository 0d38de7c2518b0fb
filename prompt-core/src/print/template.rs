//! Templates over the values of a node: titles, summaries and the like; and whether a section prints something.

use super::{
    ahead::AskedAhead,
    frame::SectionState,
    place::{Context, Done, Fault, Place, literal, path},
    reading::{Env, Fill, Host, Reading},
    tree::apart,
    walk::Walk,
};
use crate::node::{Section, SectionInfo, Text};
use crate::page::{Look, RowId, Title, Words};
use crate::visibility::Form;

impl<'a> Walk<'_, '_, 'a> {
    /// A template over the values of a node. An error in it happened at `place`.
    pub(super) fn template<'r>(
        &mut self,
        text: &'a Text,
        host: Host<'r, '_, 'a>,
        (place, row): (Option<&'r Place<'r>>, Option<RowId>),
        item: usize,
        context: &Context<'a>,
        fill: Fill<'r, 'a>,
    ) -> Done {
        self.page.note_open_angles(text.angles);
        if let Some(words) = literal(text) {
            self.page.words(words);
            return Ok(());
        }
        let node = host.node();
        let ahead = self.ahead(item);
        let scope = ahead.as_deref().map(|ahead| AskedAhead { node, ahead });
        let env = Env {
            scope: scope.as_ref().map_or(node, |scope| scope),
            item,
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
        self.run(&mut reading, &env, text)?;
        self.page.end_text(outer, "");
        Ok(())
    }

    /// A template of a line, such as a title, in a text of its own.
    pub(super) fn words(
        &mut self,
        text: &'a Text,
        mut host: Host<'_, '_, 'a>,
        place: Option<&Place<'_>>,
        item: usize,
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
        let ahead = self.ahead(item);
        let scope = ahead.as_deref().map(|ahead| AskedAhead { node, ahead });
        let env = Env {
            scope: scope.as_ref().map_or(node, |scope| scope),
            item,
            shift: 0,
            depth: 0,
            indent: 0,
        };
        let is_shown = &mut |index| self.is_shown(&mut host, place, index);
        let printed = apart(text, &Look::default(), &env, node.info(), is_shown);
        let (text, values) = printed.map_err(|error| error.at(|| path(place)))?;
        Ok(Title::Words(Words::computed(text, values)))
    }

    /// Whether a section of a node prints something. If it was not visited yet it is asked now, and visited later.
    pub(super) fn is_shown(
        &mut self,
        host: &mut Host<'_, '_, 'a>,
        place: Option<&Place<'_>>,
        index: usize,
    ) -> bool {
        let around = match host {
            Host::Apart(is_shown) => return is_shown(index),
            Host::Frame(frame) => frame.place,
            Host::Node(_) => place,
        };
        if let Some(again) = &self.again {
            return again.is_shown(around.and_then(|place| place.row), index);
        }
        let Some(section) = host.node().info().sections.get(index) else {
            return false;
        };
        let is_there = match host {
            Host::Frame(frame) => match frame.asked.get_mut(index) {
                Some(SectionState::Visited(is_shown)) => return *is_shown,
                Some(SectionState::Asked(asked)) => is_there(section, asked),
                Some(unknown @ SectionState::Unknown) => {
                    let asked = frame.node.section(index);
                    let holds = is_there(section, &asked);
                    *unknown = SectionState::Asked(asked);
                    holds
                }
                None => is_there(section, &frame.node.section(index)),
            },
            host => is_there(section, &host.node().section(index)),
        };
        let place = Place {
            declared: section.visibility,
            ..Place::new(around, &section.key)
        };
        is_there && self.view.form_of(&place) != Form::Gone
    }
}

/// Whether a section that was asked prints something.
fn is_there(section: &SectionInfo, asked: &Section<'_>) -> bool {
    asked.when && (!asked.content.is_empty() || section.empty.is_some())
}

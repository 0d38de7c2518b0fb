//! What a section holds: its introduction and what it embeds.

use super::{
    frame::Frame,
    place::{Context, Done, NoNode, Place, failed, path},
    reading::{Env, Fill, Host, treatment},
    tree::apart,
    unit::Unit,
    walk::Walk,
};
use crate::layout::{Look, Treatment};
use crate::node::Markdown;
use crate::node::{Content, Guarding, Headings, NodeInfo, SectionInfo};

impl<'a> Walk<'_, '_, 'a> {
    /// Introduction and content.
    pub(super) fn content(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &mut Unit<'a>,
    ) -> Done {
        if unit.is_empty {
            return self.empty(frame, place, unit);
        }
        if unit.item.is_none() && self.hidden == 0 && !unit.info.intro.is_empty() {
            self.intro(frame, place, &unit.info.intro, &unit.context)?;
        }
        match &mut unit.content {
            Content::Unit => Ok(()),
            Content::Node(node) => {
                let node = *node;
                let shift = unit.context.level - i32::from(node.info().text.base);
                self.node(node, Some(place), &unit.context, shift)
            }
            Content::List(entries) if unit.is_list => {
                let entries = std::mem::take(entries);
                let (info, context) = (unit.info, &unit.context);
                self.items(Some(frame), Some(place), info, context, entries)
            }
            _ if self.hidden > 0 => Ok(()),
            _ => self.alone(frame, place, unit),
        }
    }

    /// What is printed instead of nothing.
    fn empty(&mut self, frame: &mut Frame<'_, 'a>, place: &Place<'_>, unit: &Unit<'a>) -> Done {
        match &unit.keys.empty {
            Some(text) if self.hidden == 0 => {
                let at = (Some(place), frame.row());
                let context = &unit.context;
                self.template(text, Host::Frame(frame), at, 0, context, Fill::Nothing)
            }
            _ => Ok(()),
        }
    }

    /// What has no sections of its own.
    fn alone(&mut self, frame: &Frame<'_, 'a>, place: &Place<'_>, unit: &Unit<'a>) -> Done {
        let from = self.page.len();
        let (info, content, context) = (unit.info, &unit.content, &unit.context);
        let is_plain_item = unit.keys.items.title.is_none() && unit.keys.items.tag.is_none();
        if unit.item.is_some() && content.is_text() && is_plain_item {
            self.bullet(unit.name.as_deref(), content, context, Some(place))?;
        } else {
            let item = unit.item.unwrap_or(0);
            self.embedded(Some(frame), (info, item), content, context, Some(place))?;
        }
        self.page.comes_from(from, frame.row(), &info.field);
        Ok(())
    }

    /// What a section, or the root, embeds.
    pub(super) fn embedded(
        &mut self,
        frame: Option<&Frame<'_, 'a>>,
        (info, item): (&'a SectionInfo, usize),
        content: &Content<'a>,
        context: &Context<'a>,
        place: Option<&Place<'_>>,
    ) -> Done {
        let treatment = context.treatment();
        match content {
            // Nodes have sections of their own.
            Content::Absent | Content::Unit | Content::Messages(_) | Content::Node(_) => Ok(()),
            Content::Failed => Err(failed(&info.field, place).into()),
            Content::Text(text) => {
                self.text(&treatment, text);
                Ok(())
            }
            Content::Printed(printed) => {
                let page = &mut self.page;
                page.pieces(&treatment, &printed.text, &printed.values);
                Ok(())
            }
            Content::Written { variable, .. } => match frame {
                Some(frame) => self.written(frame, *variable, item, context, place),
                None => Ok(()),
            },
            // Its headings are what is not to be trusted, or part of what is escaped.
            Content::Markdown(markdown)
                if context.is_untrusted || context.guarding == Guarding::Escaped =>
            {
                self.text(&treatment, markdown.as_str());
                Ok(())
            }
            Content::Markdown(markdown) => self.markdown(markdown, context, place),
            Content::List(entries) => self.texts(entries, info, context, place),
        }
    }

    /// A variable of the node that has the section.
    fn written(
        &mut self,
        frame: &Frame<'_, 'a>,
        variable: u16,
        item: usize,
        context: &Context<'a>,
        place: Option<&Place<'_>>,
    ) -> Done {
        let own = treatment(frame.info, variable);
        let treatment = Treatment {
            untrusted: context.is_untrusted || own.untrusted,
            raw: own.raw,
            hang: own.hang,
            ..context.treatment()
        };
        let written = self.page.value(&treatment, |output| {
            output.set_place(item, Headings::From(context.level));
            frame.node.scope().value(usize::from(variable), output)
        });
        let failed = || frame.info.failed(usize::from(variable));
        written.map_err(|_| failed().at(|| path(place)).into())
    }

    /// Markdown, its headings below the one above it.
    fn markdown(
        &mut self,
        markdown: &Markdown,
        context: &Context<'a>,
        place: Option<&Place<'_>>,
    ) -> Done {
        let text = markdown
            .printable()
            .map_err(|error| error.at(|| path(place)))?;
        let look = Look {
            overflow: self.page.look().overflow,
            ..Default::default()
        };
        let env = Env {
            scope: &NoNode,
            item: 0,
            shift: context.level - i32::from(text.base),
            depth: 0,
            indent: 0,
        };
        let printed = apart(text, &look, &env, NodeInfo::EMPTY, &mut |_| false, false);
        let (printed, _) = printed.map_err(|error| error.at(|| path(place)))?;
        self.text(&context.treatment(), &printed);
        Ok(())
    }

    /// Prints a text that is a value.
    #[inline]
    pub(super) fn text(&mut self, treatment: &Treatment<'a>, text: &str) {
        let written = self.page.value(treatment, |output| {
            output.push_str(text);
            Ok(())
        });
        debug_assert!(written.is_ok(), "a text is printed");
    }
}

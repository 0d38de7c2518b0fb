//! Prints what a section embeds: text and Markdown at once, nodes and lists by a frame of their own.

use super::{
    items::ItemsFrame,
    text::Run,
    walk::{Host, Scope, Walk},
    writer::Treatment,
};
use crate::error::PromptError;
use crate::message::Message;
use crate::node::Embedded;
use crate::node::Guarding;
use crate::node::SectionInfo;
use crate::tree;
use crate::visibility::Visibility;

impl<'a> Walk<'_, 'a> {
    /// Prints what a section embeds, or begins to.
    pub(super) fn content(
        &mut self,
        host: Host<'a>,
        info: &'a SectionInfo,
        content: Embedded<'a>,
        items: Option<Visibility>,
        scope: Scope<'a>,
    ) -> Result<(), PromptError> {
        let treatment = Treatment {
            block: true,
            guarding: scope.guarding,
            untrusted: scope.untrusted,
            ..Treatment::default()
        };
        match content {
            Embedded::Absent | Embedded::Unit => {}
            Embedded::Text(text) => self.value(treatment, &text)?,
            Embedded::Written { variable, .. } => {
                let index = usize::from(variable);
                let written = self
                    .writer
                    .value(treatment, |output| host.node.variable(index, output));
                written.map_err(|_| super::text::failed(host.info, index))?;
            }
            // Its headings are what is not to be trusted, or part of what is escaped.
            Embedded::Markdown(markdown)
                if scope.untrusted
                    || matches!(scope.guarding, Guarding::Escaped | Guarding::Cdata) =>
            {
                self.value(treatment, markdown.as_str())?;
            }
            Embedded::Markdown(markdown) => {
                let text = markdown.text();
                let from = self.writer.begin_value();
                let unit = Host {
                    node: tree::UNIT,
                    info: crate::node::NodeInfo::EMPTY,
                };
                let shift = scope.level - i32::from(text.base);
                Run::new(text, self.place(unit, &scope, shift, 0), &self.writer)
                    .advance(&mut self.writer)?;
                self.writer.end_value(from, treatment);
            }
            Embedded::Node(node) => {
                let host = Host::of(node);
                self.node(host, scope, scope.level - i32::from(host.info.text.base))?;
            }
            Embedded::List(list) => {
                self.begin_items(ItemsFrame::list(host, info, list, items, scope))
            }
            Embedded::Items(list) => {
                self.begin_items(ItemsFrame::gathered(host, info, list, items, scope))
            }
            Embedded::Messages(messages) => self.splice(messages),
        }
        Ok(())
    }

    pub(super) fn value(&mut self, treatment: Treatment, text: &str) -> Result<(), PromptError> {
        let written = self.writer.value(treatment, |output| {
            output.push_str(text);
            Ok(())
        });
        written.map(drop).map_err(|_| PromptError::FailedValue {
            path: String::new(),
            name: String::new(),
        })
    }

    fn splice(&mut self, messages: &[Message]) {
        if let Some(record) = self.record.as_deref_mut()
            && let Some(entry) = record.open.and_then(|open| record.entries.get_mut(open))
        {
            entry.messages = Some(messages.to_vec());
        }
    }
}

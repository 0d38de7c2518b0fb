//! The tags of sections and of roots, with their attributes.

use super::{
    unit::Unit,
    walk::{Frame, Walk},
};
use crate::error::PromptError;
use crate::node::{Attribute, AttributeSource, Content, NodeInfo, Output, SectionInfo};
use crate::page::{Style, TagOp, Words};
use std::borrow::Cow;

impl<'a> Walk<'_, '_, '_, 'a> {
    pub(super) fn tag(
        &mut self,
        frame: &Frame<'a>,
        unit: &Unit<'a>,
    ) -> Result<TagOp<'a>, PromptError> {
        let (info, child, title) = (unit.info, unit.child, &unit.title);
        let content = &unit.content;
        let markup = child.map(|child| &child.info().container.markup);
        let own: &'a [Attribute] = markup.map_or(&[], |markup| &markup.attributes);
        let attributes: &'a [Attribute] = if unit.item.is_none() {
            &info.markup.attributes
        } else {
            &[]
        };
        let is_computed = |attributes: &[Attribute]| {
            attributes
                .iter()
                .any(|attribute| attribute.value != AttributeSource::Title || title.is_computed)
        };
        let mut tag = TagOp {
            name: Cow::Borrowed(unit.tag.unwrap_or_default()),
            attributes: Vec::new(),
            depth: unit.context.depth,
            indent: unit.context.indent,
            is_inline: info.markup.inline
                || markup.is_some_and(|markup| markup.inline)
                || (unit.item.is_some() && content.is_text()),
            is_hollow: is_hollow(content) && (unit.item.is_some() || info.intro.is_empty()),
            is_computed: is_computed(attributes) || is_computed(own),
        };
        self.attributes(&mut tag, attributes, frame.node, title)?;
        let has_name = |attribute: &Attribute| attribute.name == "name";
        if let Some(name) = &unit.name
            && info.items.title.is_none()
            && !own.iter().any(has_name)
        {
            tag.attributes.push(("name", name.clone()));
        }
        if let Some(child) = child {
            self.attributes(&mut tag, own, child, title)?;
        }
        Ok(tag)
    }

    /// The attributes that have a value. One that stands already is not repeated: the section's goes before its type's.
    pub(super) fn attributes(
        &mut self,
        tag: &mut TagOp<'a>,
        attributes: &'a [Attribute],
        node: &'a dyn crate::node::Node,
        title: &Words,
    ) -> Result<(), PromptError> {
        for attribute in attributes {
            if tag
                .attributes
                .iter()
                .any(|(name, _)| *name == attribute.name)
            {
                continue;
            }
            let AttributeSource::Variable(index) = attribute.value else {
                tag.attributes
                    .push((&attribute.name, title.text.to_string()));
                continue;
            };
            let mut value = String::new();
            let mut output = Output::new(&mut value);
            if node.value(usize::from(index), &mut output).is_err() {
                return Err(self.failed(&attribute.name));
            }
            if !output.is_omitted() && !value.is_empty() {
                tag.attributes.push((&attribute.name, value));
            }
        }
        Ok(())
    }
}

/// The tag that takes the place of a heading, if one does.
pub(super) fn tag_of<'a>(
    info: &'a SectionInfo,
    child: Option<&'a NodeInfo>,
    style: Style,
) -> Option<&'a str> {
    let own = child.and_then(|child| child.container.markup.tag.as_ref());
    let explicit = info.markup.tag.as_ref().or(own);
    let is_implied = style == Style::Xml && !info.is_untitled() && info.policy.role.is_none();
    explicit
        .or(is_implied.then_some(&info.key))
        .map(AsRef::as_ref)
}

/// Whether neither text nor sections were written for it.
fn is_hollow(content: &Content<'_>) -> bool {
    match content {
        Content::Unit => true,
        Content::Node(node) => {
            let info = node.info();
            info.text.is_empty() && info.sections.is_empty()
        }
        _ => false,
    }
}

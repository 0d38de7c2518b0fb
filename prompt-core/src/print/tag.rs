//! The tags of sections and of roots, with their attributes.

use super::{
    frame::Frame,
    place::{Done, Fault, Place, failed},
    unit::Unit,
    walk::Walk,
};
use crate::layout::{OpenTag, Style, Title};
use crate::node::Form;
use crate::node::{
    Attribute, AttributeSource, Content, NodeInfo, NodeRef, SectionInfo, SectionKeys,
};

impl<'a> Walk<'_, '_, 'a> {
    /// Opens the tag of a section, or of an item. Of two attributes of one name that of the section goes before that of
    /// its type.
    pub(super) fn tag(
        &mut self,
        frame: &Frame<'_, 'a>,
        place: &Place<'_>,
        unit: &Unit<'a>,
        name: &'a str,
    ) -> Result<OpenTag<'a>, Fault> {
        let (info, keys, is_item) = (unit.info, unit.keys, unit.item.is_some());
        let markup = unit.child_info.map(|info| &info.container.markup);
        let own: &'a [Attribute] = markup.map_or(&[], |markup| &markup.attributes);
        let attributes: &'a [Attribute] = if is_item {
            &[]
        } else {
            &keys.markup.attributes
        };
        let mut tag = self.page.new_tag(name);
        tag.is_inline = keys.markup.inline
            || markup.is_some_and(|markup| markup.inline)
            || (is_item && unit.content.is_text());
        tag.is_hollow = unit.form == Form::Full
            && is_hollow(&unit.content)
            && (is_item || info.intro.is_empty());
        let is_bare = attributes.is_empty() && own.is_empty() && !is_item;
        if is_bare {
            let page = &mut self.page;
            page.open_tag(&mut tag, unit.context.depth, unit.context.indent, place.row);
            page.end_of_open_tag(&mut tag);
            return Ok(tag);
        }
        let is_computed = |attribute: &Attribute| {
            attribute.value != AttributeSource::Title || unit.title.is_computed()
        };
        // What names an item stands in its tag.
        let names_item = is_item && keys.items.title.is_some() && !unit.title.is_blank();
        let is_computed = attributes.iter().chain(own).any(is_computed)
            || (names_item && unit.title.is_computed());
        if is_computed {
            self.page.depends();
        }
        let context = &unit.context;
        let page = &mut self.page;
        page.open_tag(&mut tag, context.depth, context.indent, place.row);
        let repeats = !own.is_empty() && (names_item || !attributes.is_empty());
        let mut written: Vec<&str> = Vec::with_capacity(usize::from(repeats));
        if names_item {
            self.page
                .attribute(&mut tag, "title", &unit.title.text(), is_computed);
            written.extend(repeats.then_some("title"));
        }
        let of_section = (frame.node, &unit.title, is_computed);
        self.attributes(&mut tag, attributes, of_section, &mut written, Some(place))?;
        let has_name = |attribute: &Attribute| attribute.name == "name";
        if let Some(name) = unit.name.as_deref()
            && keys.items.title.is_none()
            && !own.iter().any(has_name)
        {
            self.page.attribute(&mut tag, "name", name, is_computed);
        }
        if let Some(child) = unit.child {
            let of_child = (child, &unit.title, is_computed);
            self.attributes(&mut tag, own, of_child, &mut written, Some(place))?;
        }
        self.page.end_of_open_tag(&mut tag);
        Ok(tag)
    }

    /// The attributes that have a value. One that stands already is not repeated.
    pub(super) fn attributes(
        &mut self,
        tag: &mut OpenTag<'a>,
        attributes: &'a [Attribute],
        (node, title, is_computed): (NodeRef<'a>, &Title<'_>, bool),
        written: &mut Vec<&'a str>,
        place: Option<&Place<'_>>,
    ) -> Done {
        // Within one list no name stands twice.
        let may_repeat = written.capacity() > 0;
        for attribute in attributes {
            let name: &'a str = &attribute.name;
            if written.contains(&name) {
                continue;
            }
            let is_there = match attribute.value {
                AttributeSource::Title => {
                    let is_there = !title.is_blank();
                    if is_there {
                        self.page.attribute(tag, name, &title.text(), is_computed);
                    }
                    is_there
                }
                AttributeSource::Variable(index) => self
                    .page
                    .attribute_value(tag, name, |output| {
                        node.scope().value(usize::from(index), output)
                    })
                    .map_err(|_| failed(name, place))?,
            };
            if is_there && may_repeat {
                written.push(name);
            }
        }
        Ok(())
    }
}

/// The tag that takes the place of a heading, if one does.
pub(super) fn tag_of<'a>(
    info: &'a SectionInfo,
    keys: &'a SectionKeys,
    child: Option<&'a NodeInfo>,
    style: Style,
) -> Option<&'a str> {
    let own = child.and_then(|child| child.container.markup.tag.as_ref());
    let explicit = keys.markup.tag.as_ref().or(own);
    let is_implied = style == Style::Xml && !info.is_untitled() && keys.policy.role.is_none();
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

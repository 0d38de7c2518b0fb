//! Nodes with other texts. What stands in place of the texts of a type is data beside its values, so that it holds for every
//! value of the type: for each variant, in the sections below, and for each item of a list.

use super::{Content, Node, NodeInfo, Scope, Section, types::TypeInfo};
use crate::messages::tool::ToolSpec;
use std::collections::BTreeMap;

/// Other texts for a type: each in place of those of one variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewording {
    pub(crate) variants: Vec<Reworded>,
}

/// Other texts for a struct, or for a variant of an enum.
#[derive(Clone, Debug)]
pub(crate) struct Reworded {
    /// The description that it takes the place of: only nodes with that one are reworded.
    of: NodeInfo,
    pub(crate) info: NodeInfo,
    /// Other texts for what stands in its sections: for a node, or for each item of a list.
    pub(crate) below: BTreeMap<usize, Rewording>,
}

impl Rewording {
    /// Puts the texts in place of those of a node, or of the items of a list.
    fn put<'a>(&'a self, content: &mut Content<'a>) {
        match content {
            Content::Node(node) => *node = node.with(self),
            Content::List(entries) => {
                for entry in entries {
                    self.put(&mut entry.content);
                }
            }
            _ => {}
        }
    }

    /// What something is with these texts.
    pub(crate) fn apply<'a>(&'a self, mut content: Content<'a>) -> Content<'a> {
        self.put(&mut content);
        content
    }

    /// The texts for a node with this description.
    pub(crate) fn of(&self, info: &NodeInfo) -> Option<&Reworded> {
        let mut variants = self.variants.iter();
        variants.find(|reworded| reworded.of == *info)
    }

    /// The same, for change; first the type's own.
    pub(crate) fn of_mut(&mut self, info: &NodeInfo) -> &mut Reworded {
        let known = self.variants.iter().position(|it| it.of == *info);
        let index = known.unwrap_or(self.variants.len());
        if known.is_none() {
            self.variants.push(Reworded {
                of: info.clone(),
                info: info.clone(),
                below: BTreeMap::new(),
            });
        }
        &mut self.variants[index]
    }
}

/// A node, with its own texts or with others.
#[derive(Clone, Copy)]
pub(crate) struct NodeRef<'a> {
    node: &'a dyn Node,
    /// With the texts that hold.
    info: &'a NodeInfo,
    texts: Option<&'a Rewording>,
}

impl<'a> NodeRef<'a> {
    /// A node with its own texts.
    #[inline]
    pub(crate) fn new(node: &'a dyn Node) -> Self {
        Self {
            node,
            info: node.info(),
            texts: None,
        }
    }

    /// The same node with other texts, if these are for it.
    fn with(self, texts: &'a Rewording) -> Self {
        let own = self.node.info();
        Self {
            info: texts.of(own).map_or(own, |reworded| &reworded.info),
            texts: Some(texts),
            ..self
        }
    }

    /// The node with its own texts, and the others that its type has.
    pub(crate) fn parts(self) -> (&'a dyn Node, Option<&'a Rewording>) {
        (self.node, self.texts)
    }

    #[inline]
    pub(crate) fn info(self) -> &'a NodeInfo {
        self.info
    }

    /// Who answers its texts.
    #[inline]
    pub(crate) fn scope(&self) -> &'a dyn Scope {
        self.node
    }

    #[inline]
    pub(crate) fn section(self, index: usize) -> Section<'a> {
        let mut section = self.node.section(index);
        if let Some(texts) = self.texts
            && let Some(reworded) = texts.of(self.node.info())
            && let Some(below) = reworded.below.get(&index)
        {
            below.put(&mut section.content);
        }
        section
    }

    pub(crate) fn tools(self, section: Option<usize>) -> Vec<ToolSpec> {
        self.node.tools(section)
    }

    /// What is known of its type.
    pub(crate) fn type_info(self) -> Option<TypeInfo> {
        self.node.type_info()
    }
}

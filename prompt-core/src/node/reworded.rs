//! Nodes with other texts. What stands in place of the texts of a type is data beside its values, so that it holds for every
//! value of the type: for each variant, in the sections below, and for each item of a list.

use super::{
    At, Body, ConditionInfo, Content, Node, NodeInfo, Output, Scope, Section, Variable,
    types::TypeInfo,
};
use crate::messages::tool::ToolSpec;
use prompt_syntax::LoopName;
use std::{borrow::Cow, collections::BTreeMap, fmt, ptr};

/// Other texts for a type: each in place of those of one variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewording {
    pub(crate) variants: Vec<Reworded>,
}

/// Other texts for a struct, or for a variant of an enum.
#[derive(Clone, Debug)]
pub(crate) struct Reworded {
    /// Where the description stands in memory that it takes the place of: only nodes with that one are reworded.
    of: usize,
    pub(crate) info: NodeInfo,
    /// Places in loops that the type's own texts do not print: their numbers follow those of the type.
    pub(crate) places: Places,
    /// Other texts for what stands in its sections: for a node, or for each item of a list.
    pub(crate) below: BTreeMap<usize, Rewording>,
}

/// Places in loops: the number of the loop, and what is printed or asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) values: Vec<(u16, LoopName)>,
    pub(crate) conditions: Vec<(u16, LoopName)>,
}

impl Rewording {
    /// Puts the texts in place of those of a node, or of the items of a list.
    fn put<'a>(&'a self, content: &mut Content<'a>) {
        match content {
            Content::Node(node) => node.texts = Some(self),
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
        let of = address(info);
        self.variants.iter().find(|reworded| reworded.of == of)
    }

    /// The same, for change; first the type's own.
    pub(crate) fn of_mut(&mut self, info: &NodeInfo) -> &mut Reworded {
        let of = address(info);
        let known = self.variants.iter().position(|it| it.of == of);
        let index = known.unwrap_or(self.variants.len());
        if known.is_none() {
            self.variants.push(Reworded {
                of,
                info: info.clone(),
                places: Places::default(),
                below: BTreeMap::new(),
            });
        }
        &mut self.variants[index]
    }
}

pub(crate) fn address(info: &NodeInfo) -> usize {
    ptr::from_ref(info).addr()
}

fn word(name: LoopName) -> &'static str {
    match name {
        LoopName::Item => "item",
        LoopName::Index => "index",
        LoopName::Index0 => "index0",
        LoopName::First => "first",
        LoopName::Last => "last",
    }
}

/// A node, with its own texts or with others.
#[derive(Clone, Copy)]
pub(crate) struct NodeRef<'a> {
    node: &'a dyn Node,
    texts: Option<&'a Rewording>,
}

impl<'a> NodeRef<'a> {
    /// A node with its own texts.
    #[inline]
    pub(crate) fn new(node: &'a dyn Node) -> Self {
        Self { node, texts: None }
    }

    /// The node with its own texts, and the others that its type has.
    pub(crate) fn parts(self) -> (&'a dyn Node, Option<&'a Rewording>) {
        (self.node, self.texts)
    }

    /// The other texts of the variant that it is.
    #[inline]
    fn reworded(self) -> Option<&'a Reworded> {
        self.texts?.of(self.node.info())
    }

    #[inline]
    pub(crate) fn info(self) -> &'a NodeInfo {
        match self.reworded() {
            None => self.node.info(),
            Some(texts) => &texts.info,
        }
    }

    /// Who answers its texts.
    #[inline]
    pub(crate) fn scope(&self) -> &dyn Scope {
        match self.texts {
            None => self.node,
            Some(_) => self,
        }
    }

    #[inline]
    pub(crate) fn section(self, index: usize) -> Section<'a> {
        let mut section = self.node.section(index);
        if let Some(below) = self.reworded().and_then(|texts| texts.below.get(&index)) {
            below.put(&mut section.content);
        }
        section
    }

    pub(crate) fn tools(self, section: Option<usize>) -> Vec<ToolSpec> {
        self.node.tools(section)
    }

    /// What is known of its type.
    pub(crate) fn type_info(self) -> Option<&'static TypeInfo> {
        self.node.type_info()
    }
}

impl Scope for NodeRef<'_> {
    #[inline]
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        self.node.value(index, output)
    }

    fn ask(&self, index: usize) -> bool {
        self.node.ask(index)
    }

    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        let Some(texts) = self.reworded().filter(|texts| texts.has_places()) else {
            return self.node.each(index, body);
        };
        self.node.each(index, &mut |scope, at| {
            let placed = Placed {
                scope,
                at,
                number: index,
                texts,
                around: None,
            };
            body(&placed, at)
        })
    }
}

impl Reworded {
    /// Takes places that its texts print, those before among them.
    pub(crate) fn take_places(&mut self, places: Places) {
        let values = places.values.iter().skip(self.places.values.len());
        let values = values.map(|(number, name)| Variable {
            source: Cow::Borrowed(word(*name)),
            item_of: Some(*number),
            ..Variable::DEFAULT
        });
        self.info.variables.to_mut().extend(values);
        let conditions = places.conditions.iter();
        let conditions = conditions.skip(self.places.conditions.len());
        let conditions = conditions.map(|(number, name)| ConditionInfo {
            source: Cow::Borrowed(word(*name)),
            section: None,
            item_of: Some(*number),
        });
        self.info.conditions.to_mut().extend(conditions);
        self.places = places;
    }

    fn has_places(&self) -> bool {
        !self.places.values.is_empty() || !self.places.conditions.is_empty()
    }
}

/// An item of a loop that also says where it stands.
struct Placed<'s> {
    scope: &'s dyn Scope,
    at: At,
    /// The loop.
    number: usize,
    texts: &'s Reworded,
    around: Option<&'s Self>,
}

impl Placed<'_> {
    /// Where the item of the loop stands that is meant, and what is asked of it.
    fn place(&self, places: &[(u16, LoopName)], index: usize) -> Option<(At, LoopName)> {
        let (number, name) = *places.get(index)?;
        let mut frame = self;
        while frame.number != usize::from(number) {
            frame = frame.around?;
        }
        Some((frame.at, name))
    }
}

impl Scope for Placed<'_> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let places = &self.texts.places.values;
        let own = self.texts.info.variables.len() - places.len();
        let Some(place) = index.checked_sub(own) else {
            return self.scope.value(index, output);
        };
        let (at, name) = self.place(places, place).ok_or(fmt::Error)?;
        let number = match name {
            LoopName::Index0 => at.index(),
            _ => at.number(),
        };
        output.push_plain(&number.to_string());
        Ok(())
    }

    fn ask(&self, index: usize) -> bool {
        let places = &self.texts.places.conditions;
        let own = self.texts.info.conditions.len() - places.len();
        let Some(place) = index.checked_sub(own) else {
            return self.scope.ask(index);
        };
        match self.place(places, place) {
            Some((at, LoopName::First)) => at.is_first(),
            Some((at, LoopName::Last)) => at.is_last(),
            Some((at, LoopName::Index0)) => at.index() > 0,
            found => found.is_some(),
        }
    }

    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        self.scope.each(index, &mut |scope, at| {
            let placed = Placed {
                scope,
                at,
                number: index,
                texts: self.texts,
                around: Some(self),
            };
            body(&placed, at)
        })
    }
}

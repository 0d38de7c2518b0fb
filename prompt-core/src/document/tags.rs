//! The tags of a document: those of the types of its tree, printed or not. They follow from the types alone, but for nodes that
//! are written by hand or at run time.

use crate::node::types::{TypeInfo, TypeOf};
use crate::node::{Content, NodeInfo, NodeRef, SectionInfo, SectionKeys, Text};
use prompt_syntax::{Element, Inline, is_tag};
use std::{
    collections::{BTreeSet, HashSet},
    ptr,
};

/// The names of the tags in the texts of all types in a tree, of its sections and around them, in lower case.
pub(crate) fn tags(root: &Content<'_>, is_xml: bool) -> BTreeSet<String> {
    let mut collector = Collector {
        is_xml,
        names: BTreeSet::new(),
        seen: HashSet::new(),
    };
    collector.content(root);
    collector.names
}

/// The name of the tag that a heading of a text becomes in XML.
pub(crate) fn title_tag(words: &str) -> Option<String> {
    let name = words.split_whitespace().collect::<Vec<_>>().join("_");
    let name = name.to_ascii_lowercase();
    is_tag(&name).then_some(name)
}

/// The tag of a heading whose words are no name.
pub(crate) const TITLE_TAG: &str = "section";

struct Collector {
    is_xml: bool,
    names: BTreeSet<String>,
    /// The descriptions that were read, by where they stand in memory.
    seen: HashSet<usize>,
}

impl Collector {
    fn content(&mut self, content: &Content<'_>) {
        match content {
            Content::Node(node) => self.node(*node),
            Content::List(entries) => {
                for entry in entries {
                    self.content(&entry.content);
                }
            }
            _ => {}
        }
    }

    /// A node: its type where that is known, else itself; and with other texts than its type's both.
    fn node(&mut self, node: NodeRef<'_>) {
        let (own, texts) = node.parts();
        let known = own.type_info();
        if let Some(known) = known {
            self.types(known);
        }
        let mut variants = known.iter().flat_map(|known| known.variants);
        let has_unknown = variants.any(|it| reaches_unknown(it.types, &mut HashSet::new()));
        if known.is_none() || texts.is_some() || has_unknown {
            let info = node.info();
            self.info(info);
            for (index, section) in info.sections.iter().enumerate() {
                let inner = node.section(index).content;
                self.section(section, matches!(inner, Content::List(_)));
                self.content(&inner);
            }
        }
    }

    fn types(&mut self, known: TypeInfo) {
        for variant in known.variants {
            if !self.seen.insert(ptr::from_ref(&variant.info).addr()) {
                continue;
            }
            self.info(&variant.info);
            for (index, section) in variant.info.sections.iter().enumerate() {
                let kind = variant.types.get(index);
                self.section(
                    section,
                    !matches!(kind, None | Some(TypeOf::NoNode | TypeOf::Node(_))),
                );
                if let Some(TypeOf::Node(inner) | TypeOf::List(inner)) = kind {
                    self.types(inner());
                }
            }
        }
    }

    fn name(&mut self, name: Option<&str>) {
        let new = name.filter(|name| !self.names.contains(*name));
        self.names.extend(new.map(str::to_ascii_lowercase));
    }

    fn info(&mut self, info: &NodeInfo) {
        for name in info.tags.iter() {
            self.name(Some(name));
        }
        let container = &info.container;
        self.name(container.markup.tag.as_deref());
        self.name(container.item_tag.as_deref());
        self.titles(&info.text);
        for text in [&container.summary, &container.summary_suffix]
            .into_iter()
            .flatten()
        {
            self.titles(text);
        }
    }

    fn section(&mut self, section: &SectionInfo, is_list: bool) {
        let keys: &SectionKeys = section;
        self.name(keys.markup.tag.as_deref());
        self.name(keys.items.tag.as_deref());
        if !self.is_xml {
            return;
        }
        let is_named = !section.is_untitled() && keys.policy.role.is_none();
        self.name(Some(&*section.key).filter(|_| is_named));
        let is_listed = is_list || keys.items.title.is_some();
        for name in ["item", "group"] {
            self.name(Some(name).filter(|_| is_listed));
        }
        self.titles(&section.intro);
        for text in [&keys.summary, &keys.empty, &keys.items.text]
            .into_iter()
            .flatten()
        {
            self.titles(text);
        }
    }

    /// Headings become tags in XML.
    fn titles(&mut self, text: &Text) {
        if !self.is_xml {
            return;
        }
        for element in text.all() {
            let Element::Title { text, .. } = element else {
                continue;
            };
            let name = match text.iter().as_slice() {
                [Inline::Literal(words)] => title_tag(words),
                _ => None,
            };
            self.name(Some(name.as_deref().unwrap_or(TITLE_TAG)));
        }
    }
}

/// Whether one of these types, or one below them, is only known with its value.
fn reaches_unknown(types: &[TypeOf], seen: &mut HashSet<usize>) -> bool {
    types.iter().any(|each| match each {
        TypeOf::NoNode => false,
        TypeOf::Unknown => true,
        TypeOf::Node(inner) | TypeOf::List(inner) => {
            let inner = inner();
            let is_new = seen.insert(inner.variants.as_ptr().addr());
            is_new
                && inner
                    .variants
                    .iter()
                    .any(|variant| reaches_unknown(variant.types, seen))
        }
    })
}

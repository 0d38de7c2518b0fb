//! The tags of a document: those of the types of its tree, printed or not. They follow from the types alone, but for nodes that
//! are written by hand or at run time.

use crate::node::types::{TypeInfo, TypeOf};
use crate::node::{Content, NodeInfo, NodeRef, SectionInfo, SectionKeys, Text};
use prompt_syntax::{Element, Inline, is_tag};
use std::{borrow::Cow, collections::BTreeSet, ops::Bound, ptr};

/// The names of the tags in the texts of all types in a tree, of its sections and around them, in lower case: all, or those with
/// which one of these begins.
pub(crate) fn tags(
    root: &Content<'_>,
    is_xml: bool,
    asked: Option<&BTreeSet<String>>,
) -> BTreeSet<String> {
    let mut collector = Collector {
        is_xml,
        asked,
        names: BTreeSet::new(),
        seen: BTreeSet::new(),
        has_unknown: false,
    };
    if asked.is_none_or(|asked| !asked.is_empty()) {
        collector.content(root);
    }
    collector.names
}

/// Whether one of those that are asked for begins with a name.
pub(crate) fn is_asked(asked: Option<&BTreeSet<String>>, name: &str) -> bool {
    asked.is_none_or(|asked| {
        let mut from = asked.range::<str, _>((Bound::Included(name), Bound::Unbounded));
        from.next().is_some_and(|first| first.starts_with(name))
    })
}

/// The name of the tag that a heading of a text becomes in XML.
pub(crate) fn title_tag(words: &str) -> Option<String> {
    let name = words.split_whitespace().collect::<Vec<_>>().join("_");
    let name = name.to_ascii_lowercase();
    is_tag(&name).then_some(name)
}

/// The tag of a heading whose words are no name.
pub(crate) const TITLE_TAG: &str = "section";

struct Collector<'n> {
    is_xml: bool,
    asked: Option<&'n BTreeSet<String>>,
    names: BTreeSet<String>,
    /// The descriptions that were read, by where they stand in memory.
    seen: BTreeSet<usize>,
    /// Whether a type that was met is known only with its value: then those of all nodes are asked.
    has_unknown: bool,
}

impl Collector<'_> {
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
        if known.is_none() || texts.is_some() || self.has_unknown {
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
                match kind {
                    Some(TypeOf::Node(inner) | TypeOf::List(inner)) => self.types(inner()),
                    Some(TypeOf::Unknown) => self.has_unknown = true,
                    Some(TypeOf::NoNode) | None => {}
                }
            }
        }
    }

    fn name(&mut self, name: Option<&str>) {
        let Some(name) = name else { return };
        let is_upper = |byte: u8| byte.is_ascii_uppercase();
        let name = if name.bytes().any(is_upper) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        if is_asked(self.asked, &name) && !self.names.contains(&*name) {
            self.names.insert(name.into_owned());
        }
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

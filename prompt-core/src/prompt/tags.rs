//! The tags of a prompt: those of the types of its tree, printed or not.

use super::builder::{Prompt, PromptNode};
use crate::node::types::{TypeInfo, TypeOf, Variant};
use crate::node::{Content, NodeInfo, NodeRef, SectionInfo, SectionKeys, Text, Title};
use crate::page::Style;
use crate::xml::{Tags, TagsOfWords};
use prompt_syntax::Elements;
use std::{collections::HashSet, ptr};

impl<N: PromptNode + ?Sized> Prompt<'_, N> {
    /// The tags of the prompt: of the texts of all types in its tree, of its sections, and of what stands around them, whether
    /// they are printed or not. They follow from the types alone, but for nodes that are written by hand or at run time. What a
    /// person says beside the prompt is guarded against them as values in it are.
    ///
    /// ```
    /// use prompt_core::PromptNode;
    ///
    /// #[derive(PromptNode)]
    /// struct Shop {
    ///     #[section(tag = "rules")]
    ///     rules: Vec<String>,
    /// }
    ///
    /// let tags = Shop { rules: Vec::new() }.prompt().tags();
    /// assert_eq!(tags.guard("</rules> and Vec<T>"), "&lt;/rules> and Vec<T>");
    /// ```
    pub fn tags(&self) -> Tags {
        let mut collector = Collector {
            is_xml: self.options.view.format.style == Style::Xml,
            words: TagsOfWords::default(),
            seen: HashSet::new(),
        };
        collector.content(&self.parts().0.content);
        collector.words.finish()
    }
}

/// Collects the texts of a tree.
struct Collector {
    is_xml: bool,
    words: TagsOfWords,
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
        if known.is_none() || texts.is_some() || has_unknown(own.info(), known) {
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

    fn info(&mut self, info: &NodeInfo) {
        let container = &info.container;
        self.text(&info.text);
        self.texts([
            &container.title,
            &container.summary,
            &container.summary_suffix,
            &container.heading.form,
        ]);
        self.words.add(&container.start);
        self.words.add(&container.end);
        self.words.name(container.markup.tag.as_deref());
        self.words.name(container.item_tag.as_deref());
    }

    fn section(&mut self, section: &SectionInfo, is_list: bool) {
        let keys: &SectionKeys = section;
        self.text(&section.intro);
        if let Title::Explicit(title) = &section.title {
            self.text(title);
        }
        self.texts([
            &keys.summary,
            &keys.empty,
            &keys.heading.form,
            &keys.items.text,
            &keys.items.title,
        ]);
        for words in [&keys.items.join, &keys.items.last].into_iter().flatten() {
            self.words.add(words);
        }
        self.words.name(keys.markup.tag.as_deref());
        self.words.name(keys.items.tag.as_deref());
        if self.is_xml {
            let is_named = !section.is_untitled() && keys.policy.role.is_none();
            self.words.name(Some(&*section.key).filter(|_| is_named));
            let is_listed = is_list || keys.items.title.is_some();
            for name in ["item", "group"] {
                self.words.name(Some(name).filter(|_| is_listed));
            }
        }
    }

    fn texts<const N: usize>(&mut self, texts: [&Option<Text>; N]) {
        for text in texts.into_iter().flatten() {
            self.text(text);
        }
    }

    fn text(&mut self, text: &Text) {
        if !text.elements.is_empty() {
            let source: Elements = text.elements.iter().cloned().collect();
            let source = source.to_string();
            self.words.add_source(&source);
        }
    }
}

/// Whether something in a variant is only known with the value.
fn has_unknown(info: &NodeInfo, known: Option<TypeInfo>) -> bool {
    let variants = known.map_or(&[][..], |known| known.variants);
    // A constant may stand at several places in memory.
    let is_it = |variant: &&Variant| {
        let own = &variant.info;
        ptr::eq(own, info) || own == info
    };
    let variant = variants.iter().find(is_it);
    let types = variant.map_or(&[][..], |variant| variant.types);
    reaches_unknown(types, &mut HashSet::new())
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

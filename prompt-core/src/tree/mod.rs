//! Questions to a tree of nodes that need no rendering: what is present, under which path, with which title.

mod context;
mod resolve;
mod visit;

pub use crate::collected::{Collected, ContextForm};
pub use crate::leaves::Leaf;

pub(crate) use context::{Context, contexts};
pub(crate) use resolve::{resolve, resolve_all};
pub(crate) use visit::{Flow, Visit, visit};

use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::NodeInfo;
use crate::node::Priority;
use crate::node::PromptNode;
use crate::node::Section;
use crate::node::SectionInfo;
use crate::node::Text;
use crate::node::Title;
use crate::render::HeadingOverflow;
use crate::render::text::Place;
use crate::render::text::Run;
use crate::render::text::failed;
use crate::render::writer::Writer;
use std::borrow::Cow;

/// One step of a path: into a section, or to an item of the list that a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    Section(usize),
    Item(usize),
}

/// Stands in where a text has no variables.
pub(crate) const UNIT: &dyn PromptNode = &();
pub(crate) static NO_TEXT: Text = Text::EMPTY;
/// Describes a root that is not a node with a text of its own.
pub(crate) static ROOT: SectionInfo = SectionInfo::DEFAULT;

/// Whether a value leaves no trace by itself.
pub(crate) fn is_empty(content: &Embedded<'_>) -> bool {
    match content {
        Embedded::Absent => true,
        Embedded::Unit | Embedded::Node(_) => false,
        Embedded::Text(text) => text.trim().is_empty(),
        Embedded::Written { empty, .. } => *empty,
        Embedded::Markdown(markdown) => markdown.text().is_empty(),
        Embedded::List(list) => (0..list.len()).all(|index| is_empty(&list.item(index))),
        Embedded::Items(items) => items.iter().all(|(_, item)| is_empty(item)),
        Embedded::Messages(messages) => messages.is_empty(),
    }
}

/// Whether the items of a value are sections of their own: it is a list, and not of text.
pub(crate) fn is_node_list(content: &Embedded<'_>) -> bool {
    let is_node = |item: &Embedded<'_>| !matches!(item, Embedded::Text(_) | Embedded::Absent);
    match content {
        Embedded::List(list) => (0..list.len())
            .map(|index| list.item(index))
            .find(|item| !is_empty(item))
            .is_some_and(|item| is_node(&item)),
        Embedded::Items(items) => items
            .iter()
            .map(|(_, item)| item)
            .find(|item| !is_empty(item))
            .is_some_and(is_node),
        _ => false,
    }
}

/// The node with a text of its own that is embedded.
pub(crate) fn child<'a>(content: &Embedded<'a>) -> Option<&'a dyn PromptNode> {
    match content {
        Embedded::Node(node) => Some(*node),
        _ => None,
    }
}

/// Whether neither text nor sections were written for it.
pub(crate) fn is_hollow(content: &Embedded<'_>) -> bool {
    match content {
        Embedded::Unit => true,
        Embedded::Node(node) => {
            let info = node.info();
            info.text.is_empty() && info.sections.is_empty()
        }
        _ => false,
    }
}

/// Whether a section is there at all.
pub(crate) fn is_present(info: &SectionInfo, section: &Section<'_>) -> bool {
    section.when && (info.empty.is_some() || !is_empty(&section.content))
}

/// The keys of the subsections that would appear if this were shown in full.
pub(crate) fn present_keys(content: &Embedded<'_>) -> Vec<String> {
    let Some(node) = child(content) else {
        return Vec::new();
    };
    let sections = node.info().sections.iter().enumerate();
    let present = sections.filter(|(index, info)| is_present(info, &node.section(*index)));
    present.map(|(_, info)| info.key.to_string()).collect()
}

/// Whether subsections would appear if this were shown in full.
pub(crate) fn has_sections(content: &Embedded<'_>) -> bool {
    child(content).is_some_and(|node| {
        let mut sections = node.info().sections.iter().enumerate();
        sections.any(|(index, info)| is_present(info, &node.section(index)))
    })
}

/// `None` is required; a child is never kept longer than its parent.
pub(crate) fn effective_priority(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}

/// A path with one more key.
pub(crate) fn join(keys: &[Cow<'static, str>], key: &str) -> String {
    let mut path = keys.join(".");
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
    path
}

/// The title of a section (`item` is `None`) or of an item of its list.
pub(crate) fn title(
    host: &dyn PromptNode,
    info: &SectionInfo,
    child: Option<&dyn PromptNode>,
    item: Option<usize>,
) -> Result<Cow<'static, str>, PromptError> {
    let own = child.and_then(|child| child.info().title.as_ref().map(|title| (title, child)));
    if let Some(index) = item {
        return match (&info.item.title, own) {
            (Some(title), _) => words(title, host, index),
            (None, Some((title, child))) => words(title, child, 0),
            (None, None) => Ok(Cow::Owned(format!(
                "{} {}",
                self::title(host, info, None, None)?,
                index + 1
            ))),
        };
    }
    match (&info.title, own) {
        (Title::Explicit(title), _) => words(title, host, 0),
        (Title::Fallback(_), Some((title, child))) => words(title, child, 0),
        (Title::Fallback(title), None) => Ok(title.clone()),
    }
}

fn words(
    text: &Text,
    node: &dyn PromptNode,
    item: usize,
) -> Result<Cow<'static, str>, PromptError> {
    let inert =
        |mark: &prompt_syntax::Mark| matches!(mark.kind, prompt_syntax::MarkKind::Text { .. });
    if text.marks.iter().all(inert) {
        return Ok(text.literal.clone());
    }
    let mut out = String::new();
    print(text, node, item, [""; 3], &mut out)?;
    Ok(Cow::Owned(out))
}

/// Prints a template into a text of its own. `special` are the values of [`Text::TITLE`], [`Text::KEY`] and
/// [`Text::SUBSECTIONS`].
pub(crate) fn print(
    text: &Text,
    node: &dyn PromptNode,
    item: usize,
    special: [&str; 3],
    out: &mut String,
) -> Result<(), PromptError> {
    let (overflow, guarding) = (HeadingOverflow::Clamp, crate::node::Guarding::Default);
    let place = Place {
        node,
        item,
        shift: 0,
        overflow,
        guarding,
        untrusted: false,
        special,
    };
    let mut writer = Writer::new(out);
    Run::new(text, place, &writer)
        .advance(&mut writer)
        .map(drop)
}

/// What a variable writes for the item with this index.
pub(crate) fn written(
    node: &dyn PromptNode,
    variable: u16,
    item: usize,
) -> Result<String, PromptError> {
    let mut text = String::new();
    let index = usize::from(variable);
    let written = node.variable(
        index,
        &mut crate::node::Output::text(&mut text).for_item(item),
    );
    written.map_err(|_| failed(node.info(), index))?;
    Ok(text)
}

/// The description of a node, or of nothing.
pub(crate) fn info_of<'a>(content: &Embedded<'a>) -> &'a NodeInfo {
    child(content).map_or(NodeInfo::EMPTY, PromptNode::info)
}

/// Whether a node's text has a slot for what was collected.
pub(crate) fn collects(info: &NodeInfo) -> bool {
    let slot = |mark: &prompt_syntax::Mark| {
        matches!(
            mark.kind,
            prompt_syntax::MarkKind::Slot {
                target: prompt_syntax::Target::Collected,
                ..
            }
        )
    };
    info.text.marks.iter().any(slot)
}

fn join_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

/// What is known of a tree before it is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    /// Bytes it will probably print to: exact for a node without sections and guards.
    pub(crate) bytes: usize,
    /// Whether a tag can occur in Markdown style.
    pub(crate) tags: bool,
}

/// Counts what can be printed, every literal and value once.
pub(crate) fn census(root: &dyn PromptNode) -> Census {
    let mut census = Census::default();
    let mut open: Vec<(&dyn PromptNode, &NodeInfo, usize)> = Vec::new();
    census.add(root.embedded(), &mut open);
    while let Some((node, info, next)) = open.last_mut() {
        let (node, index) = (*node, *next);
        *next += 1;
        let Some(section) = info.sections.get(index) else {
            open.pop();
            continue;
        };
        census.tags |= section.tag.is_some() || section.item.tag.is_some();
        let shown = node.section(index);
        if shown.when {
            census.bytes += section.intro.literal.len() + SECTION_OVERHEAD;
            census.add(shown.content, &mut open);
        }
    }
    census
}

/// Heading, title, gaps.
const SECTION_OVERHEAD: usize = 40;

impl Census {
    fn add<'a>(
        &mut self,
        content: Embedded<'a>,
        open: &mut Vec<(&'a dyn PromptNode, &'a NodeInfo, usize)>,
    ) {
        match content {
            Embedded::Text(text) => self.bytes += text.len(),
            Embedded::Markdown(markdown) => self.bytes += markdown.as_str().len(),
            Embedded::Node(node) => {
                let info = node.info();
                self.bytes += info.text.literal.len() + node.length();
                self.tags |= info.tag.is_some() || !info.tags.is_empty();
                if !info.sections.is_empty() {
                    open.push((node, info, 0));
                }
            }
            Embedded::List(list) => (0..list.len()).for_each(|index| {
                self.bytes += SECTION_OVERHEAD;
                self.add(list.item(index), open);
            }),
            Embedded::Items(items) => items.into_iter().for_each(|(_, item)| self.add(item, open)),
            Embedded::Absent
            | Embedded::Unit
            | Embedded::Written { .. }
            | Embedded::Messages(_) => {}
        }
    }
}

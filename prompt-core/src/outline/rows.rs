//! The rows of a tree, and the pass that asks for them.

use super::path::SectionPath;
use crate::error::PromptError;
use crate::node::{
    Answers, Content, Describe, Embedded, Entry, NodeInfo, Output, Policy, Priority, SectionInfo,
    Text, Title, Variable,
};
use crate::tool::ToolSpec;
use crate::visibility::Visibility;
use prompt_syntax::MarkKind;
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    collections::{BTreeSet, HashMap},
    fmt,
};

/// A tree that has been asked.
pub(crate) struct Outline<'a> {
    /// What the root is to the prompt.
    pub(crate) root: Content<'a>,
    /// Whether a value decides what the root is.
    pub(crate) varies: bool,
    /// Sections, and items of lists that have paths of their own; parents before children, in declaration order.
    pub(crate) rows: Vec<Row<'a>>,
    /// The tools of the tree in declaration order, each with the row that has it; `None` for the root.
    pub(crate) tools: Vec<(Option<RowId>, ToolSpec)>,
    /// Rows by node and index of the section, where somebody asked.
    /// About how many bytes its text has, where all of it is printed in full.
    pub(crate) bytes: usize,
    by_section: OnceCell<HashMap<(Option<RowId>, u32), RowId>>,
    needs_guarding: OnceCell<bool>,
    /// What variables say of items far down their lists, by row of the node.
    ahead: RefCell<HashMap<(Option<RowId>, u16), Answers>>,
    /// Rows of which nothing but messages is printed, where somebody asked.
    holds_messages: OnceCell<Vec<bool>>,
}

/// Position of a row in [`Outline::rows`].
pub(crate) type RowId = u32;

/// A section, or an item of a list, that is there.
pub(crate) struct Row<'a> {
    /// The section around it.
    pub(crate) parent: Option<RowId>,
    /// One past the last row inside it.
    pub(crate) end: RowId,
    /// Keys in its path.
    pub(crate) depth: u32,
    /// The node whose variables its templates use.
    pub(crate) host: Host<'a>,
    pub(crate) info: &'a SectionInfo,
    pub(crate) step: Step,
    pub(crate) key: Cow<'a, str>,
    /// Its name in a map.
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) content: Content<'a>,
    /// Visibility that it has by itself.
    pub(crate) declared: Visibility,
    /// How long it is kept: `None` is required. Never longer than what is around it.
    pub(crate) priority: Option<i32>,
    /// How long it asks to be kept.
    pub(crate) own_priority: Option<Priority>,
    /// Whether a value decided that it is there, or how it is shown.
    pub(crate) conditional: bool,
    /// Whether it prints its `empty` text.
    pub(crate) is_empty: bool,
    /// Whether its items have rows of their own.
    pub(crate) is_list: bool,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The section with this index of its host.
    Section(u32),
    /// The item with this index of a list.
    Item(u32),
}

/// A node with a text of its own, and the row that embeds it (`None` for the root).
#[derive(Clone, Copy)]
pub(crate) struct Host<'a> {
    pub(crate) node: &'a dyn Describe,
    pub(crate) info: &'a NodeInfo,
    pub(crate) row: Option<RowId>,
}

impl<'a> Host<'a> {
    pub(crate) fn new(node: &'a dyn Describe, row: Option<RowId>) -> Self {
        Self {
            node,
            info: node.info(),
            row,
        }
    }
}

/// Stands in where a text has no variables.
struct Nothing;

impl Describe for Nothing {
    fn info(&self) -> &NodeInfo {
        NodeInfo::EMPTY
    }
}

/// The host of texts without variables.
pub(crate) const NO_HOST: Host<'static> = Host {
    node: &Nothing,
    info: NodeInfo::EMPTY,
    row: None,
};

impl<'a> Row<'a> {
    /// The item (from 0) that its templates are about.
    pub(crate) fn item(&self) -> usize {
        match self.step {
            Step::Section(_) => 0,
            Step::Item(index) => index as usize,
        }
    }

    pub(crate) fn is_item(&self) -> bool {
        matches!(self.step, Step::Item(_))
    }

    /// Its short form, and the node whose variables that uses: the section's own, or what its child says of itself.
    pub(crate) fn summary(&self, id: RowId) -> Option<(&'a Text, Host<'a>)> {
        if let Some(text) = &self.info.summary {
            return Some((text, self.host));
        }
        let child = self.child(id)?;
        Some((child.info.container.summary.as_ref()?, child))
    }

    /// The node that it embeds.
    pub(crate) fn child(&self, id: RowId) -> Option<Host<'a>> {
        self.content.node().map(|node| Host::new(node, Some(id)))
    }

    /// Whether the model may ask for it: there is a short form, and something behind it.
    pub(crate) fn is_openable(&self, id: RowId) -> bool {
        !self.is_list && !self.is_empty && self.summary(id).is_some()
    }

    /// What becomes of it outside of its own text. What is said of a list is said of the whole, not of each item.
    pub(crate) fn policy(&self) -> Policy {
        if self.is_item() {
            Policy::DEFAULT
        } else {
            self.info.policy
        }
    }

    /// Whether everything that it prints by itself is heading and tag.
    fn has_no_words(&self, id: RowId) -> bool {
        let is_place = |kind: &MarkKind| {
            matches!(
                kind,
                MarkKind::Text { .. } | MarkKind::Gap { .. } | MarkKind::Slot { .. }
            )
        };
        let is_silent = |text: &Text| {
            text.literal.trim().is_empty() && text.marks.iter().all(|mark| is_place(&mark.kind))
        };
        let child = self.child(id).map(|child| child.info);
        (self.is_item() || is_silent(&self.info.intro))
            && child.is_none_or(|child| {
                let container = &child.container;
                is_silent(&child.text) && container.start.is_empty() && container.end.is_empty()
            })
    }

    /// The index of the section among those of its host.
    pub(crate) fn section_index(&self) -> u32 {
        match self.step {
            Step::Section(index) | Step::Item(index) => index,
        }
    }
}

impl<'a> Outline<'a> {
    /// Asks a tree. Tools are gathered if they are wanted.
    ///
    /// # Errors
    /// An item's key that is no legal key, or that two items of a list have.
    pub(crate) fn of(root: Embedded<'a>, with_tools: bool) -> Result<Self, PromptError> {
        let mut outline = Self {
            root: root.content,
            varies: root.varies,
            rows: Vec::new(),
            tools: Vec::new(),
            bytes: 0,
            by_section: OnceCell::new(),
            needs_guarding: OnceCell::new(),
            ahead: RefCell::default(),
            holds_messages: OnceCell::new(),
        };
        let first = match outline.root.node() {
            Some(node) => {
                let host = Host::new(node, None);
                outline.gather_tools(host, None, None, with_tools);
                outline.bytes = bytes_of(host.info);
                outline.rows.reserve(host.info.sections.len());
                Frame::sections(host)
            }
            None if has_item_rows(&outline.root, &ROOT) => items(&mut outline.root, None),
            None => None,
        };
        if let Some(first) = first {
            outline.ask(first, with_tools)?;
        }
        Ok(outline)
    }

    pub(crate) fn row(&self, id: RowId) -> Option<&Row<'a>> {
        self.rows.get(id as usize)
    }

    /// Whether a row is a list of messages, or an item of one: all its sections have roles or are histories, and it has
    /// no text of its own.
    pub(crate) fn holds_messages(&self, id: RowId) -> bool {
        let rows = self.holds_messages.get_or_init(|| self.rows_of_messages());
        rows.get(id as usize).copied().unwrap_or_default()
    }

    /// From the last row to the first, so that the rows inside one have had their turn: a row that is or holds messages
    /// tells the one around it so, any other rules that one out.
    fn rows_of_messages(&self) -> Vec<bool> {
        let mut rows = vec![false; self.rows.len()];
        let mut inside = vec![None; self.rows.len()];
        for (id, row) in self.iter().collect::<Vec<_>>().into_iter().rev() {
            let at = id as usize;
            let holds = inside.get(at) == Some(&Some(true)) && row.has_no_words(id);
            let is_turn = row.info.policy.role.is_some() && !row.is_item();
            let is_message = holds || is_turn || matches!(row.content, Content::Messages(_));
            let around = row
                .parent
                .and_then(|around| inside.get_mut(around as usize));
            if let Some(around) = around {
                *around = Some(around.unwrap_or(true) && is_message);
            }
            if let Some(row) = rows.get_mut(at) {
                *row = holds;
            }
        }
        rows
    }

    /// One past the last row.
    pub(crate) fn len(&self) -> RowId {
        narrow(self.rows.len())
    }

    /// All rows with their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RowId, &Row<'a>)> {
        (0..).zip(&self.rows)
    }

    /// The rows directly below one, or below the root.
    pub(crate) fn children(&self, of: Option<RowId>) -> impl Iterator<Item = (RowId, &Row<'a>)> {
        let (mut next, end) = match of.and_then(|id| Some((id + 1, self.row(id)?.end))) {
            Some(range) => range,
            None if of.is_none() => (0, self.len()),
            None => (0, 0),
        };
        std::iter::from_fn(move || {
            let id = next;
            let row = self.row(id).filter(|_| id < end)?;
            next = row.end;
            Some((id, row))
        })
    }

    /// The rows around one, from the inside out.
    pub(crate) fn around(&self, id: RowId) -> impl Iterator<Item = RowId> {
        let mut at = Some(id);
        std::iter::from_fn(move || {
            at = self.row(at?)?.parent;
            at
        })
    }

    /// Whether one row is inside another.
    pub(crate) fn is_below(&self, id: RowId, outer: RowId) -> bool {
        self.row(outer)
            .is_some_and(|row| outer < id && id < row.end)
    }

    /// The dotted path of a row.
    pub(crate) fn path(&self, id: RowId) -> SectionPath {
        let keys = std::iter::once(id)
            .chain(self.around(id))
            .filter_map(|id| Some(self.row(id)?.key.as_ref()));
        SectionPath::from_inside_out(keys)
    }

    /// The row of the section with this index of the node at a row.
    pub(crate) fn section_row(&self, of: Option<RowId>, index: u32) -> Option<RowId> {
        let by_section = self.by_section.get_or_init(|| {
            let sections = self.iter().filter(|(_, row)| !row.is_item());
            sections
                .map(|(id, row)| ((row.parent, row.section_index()), id))
                .collect()
        });
        by_section.get(&(of, index)).copied()
    }

    /// Whether a tag can occur in a text in Markdown style, so that values are to be guarded, or a value is to be
    /// defused.
    pub(crate) fn needs_guarding(&self) -> bool {
        let host = |host: Host<'_>| {
            let info = host.info;
            let treated = |variable: &Variable| variable.treatment.untrusted;
            info.container.markup.tag.is_some()
                || !info.tags.is_empty()
                || info.variables.iter().any(treated)
        };
        let row = |(id, row): (RowId, &Row<'_>)| {
            let markup = &row.info.markup;
            markup.tag.is_some()
                || markup.untrusted
                || row.info.items.tag.is_some()
                || row.child(id).is_some_and(host)
        };
        *self
            .needs_guarding
            .get_or_init(|| self.host(None).is_some_and(host) || self.iter().any(row))
    }

    /// The node whose text is at a row: of what it embeds, or of the root.
    pub(crate) fn host(&self, of: Option<RowId>) -> Option<Host<'a>> {
        match of {
            Some(id) => self.row(id)?.child(id),
            None => self.root.node().map(|node| Host::new(node, None)),
        }
    }

    /// Goes through the tree with a stack of its own.
    fn ask(&mut self, first: Frame<'a>, with_tools: bool) -> Result<(), PromptError> {
        let mut frames = vec![first];
        while let Some(frame) = frames.last_mut() {
            let found = match frame {
                Frame::Sections { host, next } => {
                    let (host, index) = (*host, *next);
                    *next += 1;
                    let Some(info) = host.info.sections.get(index as usize) else {
                        close(&mut self.rows, host.row);
                        frames.pop();
                        continue;
                    };
                    self.section(host, info, index, with_tools)
                }
                Frame::Items { list, items, keys } => {
                    let list = *list;
                    let Some((index, entry)) = items.next() else {
                        close(&mut self.rows, list);
                        frames.pop();
                        continue;
                    };
                    let found = self.item(list, index, entry, with_tools)?;
                    if let Some(list) = list {
                        self.check_key(list, found, keys)?;
                    }
                    found
                }
            };
            frames.extend(found.and_then(|id| self.below(id)));
        }
        Ok(())
    }

    /// Asks a section; gives its row if it is there.
    fn section(
        &mut self,
        host: Host<'a>,
        info: &'a SectionInfo,
        index: u32,
        with_tools: bool,
    ) -> Option<RowId> {
        let asked = host.node.section(index as usize);
        let is_empty = asked.content.is_empty();
        if !asked.when || (is_empty && info.empty.is_none()) {
            return None;
        }
        let above = host.row.and_then(|row| self.row(row));
        let (depth, around) = above.map_or((0, None), |row| (row.depth, row.priority));
        let id = self.len();
        self.rows.push(Row {
            parent: host.row,
            end: id + 1,
            depth: depth + 1,
            host,
            info,
            step: Step::Section(index),
            key: Cow::Borrowed(&info.key),
            name: None,
            is_list: has_item_rows(&asked.content, info),
            content: asked.content,
            declared: asked.visibility.unwrap_or(info.visibility),
            priority: effective(around, asked.priority.or(info.policy.priority)),
            own_priority: asked.priority.or(info.policy.priority),
            conditional: asked.conditional,
            is_empty,
        });
        self.bytes += info.key.len() + info.intro.literal.len() + HEADING;
        if with_tools {
            self.gather_tools(host, Some((index, info)), Some(id), with_tools);
            if let Some(child) = self.row(id).and_then(|row| row.child(id)) {
                self.gather_tools(child, None, Some(id), with_tools);
            }
        }
        Some(id)
    }

    /// An item of the list at a row.
    fn item(
        &mut self,
        list: Option<RowId>,
        index: u32,
        entry: Entry<'a>,
        with_tools: bool,
    ) -> Result<Option<RowId>, PromptError> {
        if entry.content.is_empty() {
            return Ok(None);
        }
        let around = list.and_then(|list| self.row(list));
        let (host, info) = around.map_or((NO_HOST, &ROOT), |row| (row.host, row.info));
        let item = Row {
            parent: list,
            end: self.len() + 1,
            depth: around.map_or(0, |row| row.depth) + 1,
            host,
            info,
            step: Step::Item(index),
            key: Cow::Borrowed(""),
            name: entry.name,
            is_list: has_item_rows(&entry.content, info),
            content: entry.content,
            declared: around.map_or(Visibility::Full, |row| row.declared),
            priority: around.and_then(|row| row.priority),
            own_priority: None,
            conditional: true,
            is_empty: false,
        };
        let id = self.len();
        self.rows.push(item);
        let key = match list {
            Some(list) => self.item_key(list, host, info, index)?,
            None => Cow::Owned(index.to_string()),
        };
        if let Some(row) = self.rows.last_mut() {
            row.key = key;
        }
        if let Some(child) = self.row(id).and_then(|row| row.child(id)) {
            self.gather_tools(child, None, Some(id), with_tools);
        }
        Ok(Some(id))
    }

    /// The key of an item: from its own field, or its position.
    fn item_key(
        &self,
        list: RowId,
        host: Host<'a>,
        info: &'a SectionInfo,
        index: u32,
    ) -> Result<Cow<'a, str>, PromptError> {
        let Some(variable) = info.items.key else {
            return Ok(Cow::Owned(index.to_string()));
        };
        let mut key = String::new();
        let mut output = Output::new(&mut key).for_item(index as usize);
        if self.variable(host, variable, &mut output).is_err() {
            let variable = host.info.variables.get(usize::from(variable));
            return Err(PromptError::FailedValue {
                path: self.path(list).into(),
                name: variable.map_or_else(String::new, |variable| variable.source.to_string()),
            });
        }
        if prompt_syntax::is_key(&key) {
            Ok(Cow::Owned(key))
        } else {
            let path = self.path(list).into();
            Err(PromptError::InvalidKey { path, key })
        }
    }

    /// Writes a variable for the item that the output is about. To reach an item of a map takes as many steps as there
    /// are items before it: from some item on all further ones are asked at once.
    ///
    /// # Errors
    /// What the value's own `Display` returns.
    pub(crate) fn variable(
        &self,
        host: Host<'a>,
        index: u16,
        output: &mut Output<'_>,
    ) -> fmt::Result {
        let ask = |output: &mut Output<'_>| host.node.variable(usize::from(index), output);
        let Some(item) = output.item().checked_sub(NEAR) else {
            return ask(output);
        };
        let mut ahead = self.ahead.borrow_mut();
        let answers = ahead.entry((host.row, index)).or_insert_with(|| {
            let mut answers = Answers::default();
            // Where one fails, or nothing is said of items, it is asked again by itself.
            let _ = ask(&mut Output::for_items_from(&mut answers, NEAR));
            answers
        });
        if answers.write(item, output) {
            return Ok(());
        }
        drop(ahead);
        ask(output)
    }

    /// Two items of a list never have one key.
    fn check_key(
        &self,
        list: RowId,
        item: Option<RowId>,
        keys: &mut BTreeSet<Cow<'a, str>>,
    ) -> Result<(), PromptError> {
        match item.and_then(|id| self.row(id)) {
            Some(row) if row.info.items.key.is_some() && !keys.insert(row.key.clone()) => {
                Err(PromptError::DuplicateKey {
                    path: self.path(list).into(),
                    key: row.key.to_string(),
                })
            }
            _ => Ok(()),
        }
    }

    /// What is to be asked below a row.
    fn below(&mut self, id: RowId) -> Option<Frame<'a>> {
        let row = self.rows.get_mut(id as usize)?;
        if let Some(node) = row.content.node() {
            let host = Host::new(node, Some(id));
            self.bytes += bytes_of(host.info);
            return Frame::sections(host);
        }
        if !row.is_list {
            return None;
        }
        items(&mut row.content, Some(id))
    }

    fn gather_tools(
        &mut self,
        host: Host<'a>,
        section: Option<(u32, &SectionInfo)>,
        row: Option<RowId>,
        wanted: bool,
    ) {
        let has_tools = match section {
            Some((_, info)) => info.policy.has_tools,
            None => host.info.container.has_tools,
        };
        if wanted && has_tools {
            let tools = host.node.tools(section.map(|(index, _)| index as usize));
            self.tools.extend(tools.into_iter().map(|tool| (row, tool)));
        }
    }
}

/// The first item that is asked together with those behind it.
const NEAR: usize = 64;

/// White space and markers around a section.
const HEADING: usize = 24;
/// Bytes that a value is expected to have.
const VALUE: usize = 24;

/// About how many bytes the own text of a node has.
fn bytes_of(info: &NodeInfo) -> usize {
    info.text.literal.len() + info.variables.len() * VALUE
}

/// What is being asked.
enum Frame<'a> {
    /// The sections of a node, from this one on.
    Sections { host: Host<'a>, next: u32 },
    /// The items of the list at a row, or of the root.
    Items {
        list: Option<RowId>,
        items: std::iter::Zip<std::ops::RangeFrom<u32>, std::vec::IntoIter<Entry<'a>>>,
        /// Keys so far.
        keys: BTreeSet<Cow<'a, str>>,
    },
}

impl<'a> Frame<'a> {
    /// If there are any.
    fn sections(host: Host<'a>) -> Option<Self> {
        (!host.info.sections.is_empty()).then_some(Self::Sections { host, next: 0 })
    }
}

/// Describes the items of a root that is a list.
static ROOT: SectionInfo = SectionInfo {
    title: Title::Fallback(Cow::Borrowed("Item")),
    ..SectionInfo::DEFAULT
};

/// The items of a list, which are rows from now on.
fn items<'a>(content: &mut Content<'a>, list: Option<RowId>) -> Option<Frame<'a>> {
    let Content::List(entries) = content else {
        return None;
    };
    Some(Frame::Items {
        list,
        items: (0..).zip(std::mem::take(entries)),
        keys: BTreeSet::new(),
    })
}

/// Everything below a row has been asked.
fn close(rows: &mut [Row<'_>], id: Option<RowId>) {
    let end = narrow(rows.len());
    if let Some(row) = id.and_then(|id| rows.get_mut(id as usize)) {
        row.end = end;
    }
}

/// Whether the items of a list have rows: they are nodes, or have keys or titles of their own.
fn has_item_rows(content: &Content<'_>, info: &SectionInfo) -> bool {
    let named = info.items.key.is_some() || info.items.title.is_some();
    content.is_node_list() || (named && matches!(content, Content::List(_)) && !content.is_empty())
}

/// `None` is required; a child is never kept longer than its parent.
fn effective(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}

/// Rows are counted in 32 bits: a tree of four thousand million sections does not fit into memory.
pub(crate) fn narrow(number: usize) -> RowId {
    debug_assert!(u32::try_from(number).is_ok(), "too many rows");
    u32::try_from(number).unwrap_or(u32::MAX)
}

//! The rows of a tree: the sections, and the items of lists with paths of their own, that the loop has met, in declaration
//! order, parents before children. One table with queries, read by budgets, disclosure, previews and lints.

pub(crate) mod path;

use crate::errors::PromptError;
use crate::messages::message::Message;
use crate::messages::tool::{OPEN_SECTIONS, ToolSpec};
use crate::node::Markdown;
use crate::node::{
    Content, Location, NodeInfo, NodeRef, Policy, Priority, SectionInfo, Text, has_words,
};
use crate::node::{Form, Visibility};
use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    ops::Range,
};

pub(crate) use crate::layout::RowId;

/// A section, or an item of a list, that is there.
pub(crate) struct Row<'a> {
    /// The section around it.
    pub(crate) parent: Option<RowId>,
    /// One past the last row inside it.
    pub(crate) end: RowId,
    pub(crate) info: &'a SectionInfo,
    pub(crate) step: Step,
    pub(crate) key: Cow<'a, str>,
    /// What it embeds, as far as readers of the table ask for it.
    pub(crate) content: RowContent<'a>,
    /// Visibility that it has by itself.
    pub(crate) declared: Visibility,
    /// How it is shown, as far as declarations, overrides and the focus go.
    pub(crate) form: Form,
    /// Whether a caller, or the model, opened it.
    pub(crate) is_opened: bool,
    /// How long it is kept: `None` is required. Never longer than what is around it.
    pub(crate) priority: Option<i32>,
    /// How long it asks to be kept.
    pub(crate) own_priority: Option<Priority>,
    /// Keys in its path.
    pub(crate) depth: u32,
    /// Whether it prints its `empty` text.
    pub(crate) is_empty: bool,
    /// Whether its items have rows of their own.
    pub(crate) is_list: bool,
    /// Whether the way to the focus hangs on it, and it lies beside: for conditions it is there.
    pub(crate) leads_to_focus: bool,
}

/// What a section embeds, as far as readers of the table ask for it.
#[derive(Clone, Copy)]
pub(crate) enum RowContent<'a> {
    Node(NodeRef<'a>),
    Messages(&'a [Message]),
    Markdown(&'a Markdown),
    Other,
}

impl<'a> RowContent<'a> {
    #[inline]
    pub(crate) fn of(content: &Content<'a>) -> Self {
        match content {
            Content::Node(node) => Self::Node(*node),
            Content::Messages(messages) => Self::Messages(messages),
            Content::Markdown(markdown) => Self::Markdown(markdown),
            _ => Self::Other,
        }
    }
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The section with this index of its node.
    Section(u32),
    /// The item with this index of a list.
    Item(u32),
}

impl Step {
    pub(crate) fn index(self) -> u32 {
        match self {
            Self::Section(index) | Self::Item(index) => index,
        }
    }
}

impl<'a> Row<'a> {
    /// A section of which nothing more is known.
    #[inline]
    pub(crate) fn new(
        parent: Option<RowId>,
        info: &'a SectionInfo,
        index: usize,
        depth: u32,
    ) -> Self {
        Self {
            parent,
            end: 0,
            info,
            step: Step::Section(u32::try_from(index).unwrap_or(u32::MAX)),
            key: Cow::Borrowed(&info.key),
            content: RowContent::Other,
            declared: Visibility::Full,
            form: Form::Full,
            is_opened: false,
            priority: None,
            own_priority: None,
            depth,
            is_empty: false,
            is_list: false,
            leads_to_focus: false,
        }
    }

    pub(crate) fn is_item(&self) -> bool {
        matches!(self.step, Step::Item(_))
    }

    /// The node that it embeds.
    pub(crate) fn node(&self) -> Option<NodeRef<'a>> {
        match self.content {
            RowContent::Node(node) => Some(node),
            _ => None,
        }
    }

    /// The description of that node.
    pub(crate) fn child(&self) -> Option<&'a NodeInfo> {
        self.node().map(NodeRef::info)
    }

    pub(crate) fn messages(&self) -> Option<&'a [Message]> {
        match self.content {
            RowContent::Messages(messages) => Some(messages),
            _ => None,
        }
    }

    pub(crate) fn markdown(&self) -> Option<&'a Markdown> {
        match self.content {
            RowContent::Markdown(markdown) => Some(markdown),
            _ => None,
        }
    }

    /// Its short form: the section's own, or what its child says of itself.
    pub(crate) fn summary(&self) -> Option<&'a Text> {
        let own = self.info.summary.as_ref();
        own.or_else(|| self.child()?.container.summary.as_ref())
    }

    /// Whether the model may ask for it: there is a short form, and something behind it.
    pub(crate) fn is_openable(&self) -> bool {
        !self.is_list && !self.is_empty && self.summary().is_some()
    }

    /// What becomes of it outside of its own text. The keys of a list hold for the whole, not for each item.
    pub(crate) fn policy(&self) -> Policy {
        if self.is_item() {
            Policy::DEFAULT
        } else {
            self.info.policy
        }
    }

    /// Whether it prints nothing but what is inside it.
    pub(crate) fn is_wrapper(&self) -> bool {
        let has_intro = !self.is_item() && has_words(&self.info.intro);
        self.is_list || !has_intro && self.child().is_some_and(|child| !has_words(&child.text))
    }
}

/// A position as a key. Those that most lists have are there already.
pub(crate) fn number(position: usize) -> Cow<'static, str> {
    const FIRST: &str = "0123456789";
    const NEXT: &str =
        "10111213141516171819202122232425262728293031323334353637383940414243444546474849";
    let digits = match position {
        0..10 => FIRST.get(position..=position),
        _ => NEXT.get(2 * position.saturating_sub(10)..2 * position.saturating_sub(9)),
    };
    digits.map_or_else(|| Cow::Owned(position.to_string()), Cow::Borrowed)
}

/// All rows of a tree.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    list: Vec<Row<'a>>,
    has_messages: bool,
    /// The root, if it is a node with a text of its own.
    pub(crate) root: Option<NodeRef<'a>>,
    /// The tools of the tree in declaration order, each with the row that has it; `None` for the root.
    pub(crate) tools: Vec<(Option<RowId>, ToolSpec)>,
    /// The sections that were asked for and are not there; only where titles are kept.
    pub(crate) absent: Vec<Absent<'a>>,
    /// Rows, each with the index of a section of the same node without which it would not be reached; only where the tree is
    /// printed again.
    pub(crate) needs: Vec<(RowId, u32)>,
}

/// A section that is declared, and not there.
pub(crate) struct Absent<'a> {
    pub(crate) parent: Option<RowId>,
    pub(crate) info: &'a SectionInfo,
    /// The node that it would embed, where that is known.
    pub(crate) node: Option<NodeRef<'a>>,
    /// Whether its condition does not hold; else it is empty.
    pub(crate) is_off: bool,
}

impl<'a> Rows<'a> {
    pub(crate) fn push(&mut self, mut row: Row<'a>) -> RowId {
        let id = self.len();
        row.end = id + 1;
        self.has_messages |= matches!(row.content, RowContent::Messages(_));
        self.list.push(row);
        id
    }

    /// So many rows are about to come.
    pub(crate) fn reserve(&mut self, count: usize) {
        // Most trees are larger than their root: growing step by step costs more than a little room.
        self.list.reserve(if self.list.capacity() == 0 {
            count + 16
        } else {
            count
        });
    }

    /// Everything inside a row has been met.
    pub(crate) fn close(&mut self, id: RowId) {
        let end = self.len();
        self.list[id as usize].end = end;
    }

    pub(crate) fn row(&self, id: RowId) -> &Row<'a> {
        &self.list[id as usize]
    }

    /// One past the last row.
    pub(crate) fn len(&self) -> RowId {
        // A tree of four thousand million sections does not fit into memory.
        u32::try_from(self.list.len()).unwrap_or(RowId::MAX)
    }

    /// All rows with their positions.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (RowId, &Row<'a>)> {
        (0..self.len()).zip(&self.list)
    }

    /// The rows directly below one, or below the root.
    pub(crate) fn children(&self, of: Option<RowId>) -> impl Iterator<Item = (RowId, &Row<'a>)> {
        let (mut next, end) = of.map_or((0, self.len()), |id| (id + 1, self.row(id).end));
        std::iter::from_fn(move || {
            let id = next;
            let row = (id < end).then(|| self.row(id))?;
            next = row.end;
            Some((id, row))
        })
    }

    /// The rows around one, from the inside out.
    pub(crate) fn around(&self, id: RowId) -> impl Iterator<Item = RowId> {
        std::iter::successors(self.row(id).parent, |id| self.row(*id).parent)
    }

    /// Whether one row is inside another.
    pub(crate) fn is_below(&self, id: RowId, outer: RowId) -> bool {
        outer < id && id < self.row(outer).end
    }

    /// The dotted path of a row.
    pub(crate) fn path(&self, id: RowId) -> String {
        path::of(id, |id| (self.row(id).parent, self.row(id).key.as_ref()))
    }

    /// The dotted paths of all rows, each made from its parent's.
    pub(crate) fn paths(&self) -> Vec<String> {
        path::all(self.list.iter().map(|row| (row.parent, row.key.as_ref())))
    }

    /// Goes through all rows with their dotted paths.
    pub(crate) fn each_path(&self, mut each: impl FnMut(&Row<'a>, &str)) {
        let mut path = String::new();
        // Where the paths of the rows around one end, from the root on.
        let mut ends = vec![0];
        for row in &self.list {
            let depth = row.depth as usize;
            ends.truncate(depth);
            path.truncate(ends.last().copied().unwrap_or_default());
            if depth > 1 {
                path.push('.');
            }
            path.push_str(&row.key);
            ends.push(path.len());
            each(row, &path);
        }
    }

    /// Rows by path. It costs one entry for each row, however deep the tree is: a path is looked up key by key.
    pub(crate) fn index(&self) -> Index<'_> {
        let rows = self.list.iter();
        rows.map(|row| (row.parent, row.key.as_ref())).collect()
    }

    /// Adds what is inside each row to it.
    pub(crate) fn sums(&self, tokens: Vec<usize>) -> Vec<usize> {
        let parents = self.list.iter().map(|row| row.parent);
        sums(parents.map(|id| id.map(|id| id as usize)), tokens)
    }

    /// Two tools of one name, or one of the name that is reserved, are a fault of the tree, whatever of it is shown.
    pub(crate) fn check_tools(&self) -> Result<(), PromptError> {
        let mut names = BTreeSet::new();
        for (row, tool) in &self.tools {
            let path = || row.map_or_else(String::new, |row| self.path(row));
            if tool.name() == OPEN_SECTIONS {
                return Err(PromptError::ReservedToolName { path: path() });
            }
            if !names.insert(tool.name()) {
                return Err(PromptError::DuplicateTool {
                    name: tool.name().to_owned(),
                    path: path(),
                });
            }
        }
        Ok(())
    }

    /// The histories that are spliced in, each with its row.
    pub(crate) fn spliced(&self) -> Vec<(RowId, Vec<Message>)> {
        if !self.has_messages {
            return Vec::new();
        }
        let spliced = |(id, row): (RowId, &Row<'_>)| Some((id, row.messages()?.to_vec()));
        self.iter().filter_map(spliced).collect()
    }

    /// The loop meets sections in the order of the text. Where slots stand in another one, the rows are put into the order
    /// of the declaration; gives where each of them went.
    pub(crate) fn sort(&mut self) -> Vec<RowId> {
        let mut children: HashMap<Option<RowId>, Vec<RowId>> = HashMap::new();
        for (id, row) in self.iter() {
            children.entry(row.parent).or_default().push(id);
        }
        let mut order = Vec::with_capacity(self.list.len());
        let mut todo: Vec<RowId> = Vec::new();
        let mut sorted = |of: Option<RowId>, todo: &mut Vec<RowId>| {
            let mut rows = children.remove(&of).unwrap_or_default();
            rows.sort_by_key(|id| self.list[*id as usize].step.index());
            todo.extend(rows.into_iter().rev());
        };
        sorted(None, &mut todo);
        while let Some(id) = todo.pop() {
            order.push(id);
            sorted(Some(id), &mut todo);
        }
        let mut places = vec![0; order.len()];
        for (place, id) in (0..).zip(&order) {
            places[*id as usize] = place;
        }
        let mut rows: Vec<Option<Row<'a>>> = self.list.drain(..).map(Some).collect();
        for id in &order {
            let Some(mut row) = rows[*id as usize].take() else {
                continue;
            };
            row.parent = row.parent.map(|parent| places[parent as usize]);
            row.end = row.end - id + places[*id as usize];
            self.list.push(row);
        }
        for (row, _) in &mut self.tools {
            *row = row.map(|row| places[row as usize]);
        }
        self.tools.sort_by_key(|(row, _)| *row);
        for (row, _) in &mut self.needs {
            *row = places[*row as usize];
        }
        for absent in &mut self.absent {
            absent.parent = absent.parent.map(|row| places[row as usize]);
        }
        places
    }
}

/// Adds what is inside each row to it: children come after their parents, so one pass from the end does it.
pub(crate) fn sums(
    parents: impl DoubleEndedIterator<Item = Option<usize>> + ExactSizeIterator,
    mut tokens: Vec<usize>,
) -> Vec<usize> {
    for (at, around) in parents.enumerate().rev() {
        if let Some(around) = around {
            tokens[around] = tokens[around].saturating_add(tokens[at]);
        }
    }
    tokens
}

/// The rows of a prompt that was rendered: what is known of them once the tree is gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Standing>,
    /// The keys of all rows, one behind the other.
    keys: String,
}

impl Table {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            rows: Vec::with_capacity(rows),
            keys: String::with_capacity(rows * 8),
        }
    }

    /// Adds a row, to whose key the one of the row is set.
    pub(crate) fn push(&mut self, key: &str, mut row: Standing) {
        let start = self.keys.len();
        self.keys.push_str(key);
        row.key = start..self.keys.len();
        self.rows.push(row);
    }

    pub(crate) fn row(&self, id: RowId) -> &Standing {
        &self.rows[id as usize]
    }

    /// The parents and keys of all rows, in their order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (Option<RowId>, &str)> {
        self.rows.iter().map(|row| self.key(row))
    }

    fn key(&self, row: &Standing) -> (Option<RowId>, &str) {
        (row.parent, &self.keys[row.key.clone()])
    }

    /// The dotted path of a row.
    pub(crate) fn path(&self, id: RowId) -> String {
        path::of(id, |id| self.key(self.row(id)))
    }

    /// The dotted paths of all rows.
    pub(crate) fn paths(&self) -> Vec<String> {
        path::all(self.keys())
    }

    /// Whether one row is inside another.
    pub(crate) fn is_below(&self, inner: RowId, outer: RowId) -> bool {
        outer < inner && inner < self.row(outer).end
    }
}

/// The owned half of a row.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) parent: Option<RowId>,
    /// One past the last row inside it.
    pub(crate) end: RowId,
    /// Where its key stands among the keys.
    pub(crate) key: Range<usize>,
    /// How it is shown; what stands inside a row that is not shown in full is not shown.
    pub(crate) form: Form,
    /// Whether `open_sections` may name it.
    pub(crate) is_openable: bool,
    /// Whether it can be shown under the focus.
    pub(crate) is_in_focus: bool,
    /// Whether a budget reduced or dropped it.
    pub(crate) is_cut: bool,
    /// Whether the model was given it in the result of a call.
    pub(crate) is_delivered: bool,
    pub(crate) policy: Policy,
    pub(crate) location: Option<Location>,
}

/// Rows by path: each by the row around it and its key, in that order.
pub(crate) struct Index<'r> {
    rows: Vec<((Option<RowId>, &'r str), RowId)>,
}

/// From the parents and keys of all rows, in their order.
impl<'r> FromIterator<(Option<RowId>, &'r str)> for Index<'r> {
    fn from_iter<I: IntoIterator<Item = (Option<RowId>, &'r str)>>(rows: I) -> Self {
        let mut rows: Vec<_> = rows.into_iter().zip(0..).collect();
        rows.sort_unstable();
        Self { rows }
    }
}

impl Index<'_> {
    /// The row at a path.
    pub(crate) fn find(&self, path: &str) -> Option<RowId> {
        let mut at = None;
        for key in path.split('.') {
            at = Some(self.child(at, key)?);
        }
        at
    }

    /// The row with this key in a row, or in the root.
    pub(crate) fn child(&self, parent: Option<RowId>, key: &str) -> Option<RowId> {
        let found = self
            .rows
            .binary_search_by_key(&(parent, key), |(row, _)| *row);
        Some(self.rows[found.ok()?].1)
    }
}

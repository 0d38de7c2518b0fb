//! A tree that was asked: every text resolved into events, its sections in the order of their declaration, each question
//! put once. It is printed in as many forms as are wanted ([`page`](crate::page)), and nobody is asked again.
//!
//! A few flat lists hold all of it: what values wrote, pieces of lines, events, sections. Texts and bodies are ranges of
//! events, lines are ranges of pieces; nothing points at anything else.

#![expect(
    clippy::similar_names,
    reason = "`content` stands in a `context`: both are what they are called"
)]

mod begin;
mod content;
mod forms;
mod items;
mod lines;
mod paths;
mod reached;
mod resolve;
mod section;
mod tags;
mod text;

pub(crate) use forms::{form, is_in_focus};
pub(crate) use lines::{Lists, Written};
pub(crate) use paths::{Index, all_paths, nearest_of, path_of, write_path};
pub(crate) use resolve::Asking;
pub(crate) use section::{Between, Holds, Join, Number, Section, Shared, TagName};
use tags::is_asked;
pub(crate) use tags::{TITLE_TAG, tags, title_tag};

use crate::errors::PromptError;
use crate::messages::tool::ToolSpec;
use crate::node::{Embedded, Form, Guarding, Hang, Mark, NodeRef, SectionInfo};
use prompt_syntax::{Margins, TagPlace};
use std::{borrow::Cow, collections::BTreeSet};

/// The number of a section in a document.
pub(crate) type SectionId = u32;

/// Trees are this deep at most.
pub(crate) const MAX_DEPTH: u32 = 128;

/// A part of one of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    from: u32,
    to: u32,
}

impl Range {
    #[inline]
    pub(crate) fn new(from: usize, to: usize) -> Self {
        Self {
            from: number(from),
            to: number(to),
        }
    }

    #[inline]
    pub(crate) fn usize(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.from >= self.to
    }
}

/// A place in a list. A document of four thousand million events does not fit into memory.
#[inline]
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    /// Words of the author.
    Words(&'a str),
    /// The value with this number, or what is left of it at an end of its text.
    Value { value: u32, text: Range },
    /// The opening or closing fence with this number, as long as the untrusted values in it need.
    Fence(u32),
    /// `{_}`: the line is there, whatever else is on it.
    Nothing,
    /// What follows depends on a value.
    Varies,
    /// Further lines of what follows begin with the head that has this number, up to the [`Tail`](Self::Tail).
    Head(u32),
    /// The end of that.
    Tail,
    /// Pieces follow for a section that is shown, and for one that is not.
    If(SectionIf),
    /// `{title}` of a heading form.
    Title,
    /// `{key}` of a summary suffix.
    Key,
    /// `{subsections}` of a summary suffix.
    Subsections,
    /// A value that could not be printed: the error with this number.
    Failed(u32),
}

/// So many events or pieces follow for a section that is shown, and so many for one that is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionIf {
    /// Its place in the order of sections.
    pub(crate) section: u32,
    pub(crate) negated: bool,
    pub(crate) then: u32,
    pub(crate) otherwise: u32,
}

impl SectionIf {
    /// How many follow in both branches, and which of them are taken.
    pub(crate) fn taken(self, is_shown: bool) -> (usize, std::ops::Range<usize>) {
        let (then, count) = (self.then as usize, (self.then + self.otherwise) as usize);
        let taken = if is_shown == self.negated {
            then..count
        } else {
            0..then
        };
        (count, taken)
    }
}

/// What a value wrote, and how it is printed.
#[derive(Clone, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) text: Range,
    /// Which of its bytes are not the author's.
    pub(crate) marks: Marks,
    /// The variable, or the field.
    pub(crate) name: &'a str,
    pub(crate) treatment: Treatment,
    pub(crate) hang: Hang,
    pub(crate) is_raw: bool,
    /// Whether it stands in code of the author's.
    pub(crate) is_code: bool,
    /// The quote marker that its further lines get.
    pub(crate) quote: &'a str,
    /// Where it stands in the tags of the words around it.
    pub(crate) tag: TagPlace,
    /// The section in which the node stands that gave it.
    pub(crate) owner: Option<SectionId>,
}

/// Which bytes of a value are not the author's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    All,
    /// Those of these ranges.
    Of(Range),
}

/// What is done to the values of a section.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Treatment {
    pub(crate) guarding: Guarding,
    pub(crate) is_untrusted: bool,
}

impl Treatment {
    /// Whether tags in values are written as entities.
    pub(crate) fn escapes(self) -> bool {
        self.guarding == Guarding::Escaped
    }

    /// Whether values are printed as they are.
    pub(crate) fn is_raw(self) -> bool {
        self.guarding == Guarding::Raw && !self.is_untrusted
    }
}

/// What a text is once conditions and loops are unrolled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    /// A line that is printed; words in it may hold further lines.
    Line(Range),
    /// So many blank lines.
    Blank(u32),
    /// Blank lines of which one holds blanks.
    Blanks(&'a str),
    /// What would have stood here prints nothing.
    Gone,
    /// A branch, the body for an item, or a fence ends: what is gone at its end takes the blank lines before it along.
    End,
    /// A branch of nothing but blank lines: it prints them.
    There,
    /// What follows depends on a value.
    Varies,
    /// A heading of the text, with what stands around its hashes and words if that is not the usual. `rest` counts the
    /// events below it, up to the next one of its level or above, where it goes unless one of them prints something.
    Title {
        pieces: Range,
        level: i8,
        margins: Option<&'a Margins>,
        is_computed: bool,
        rest: Option<u32>,
    },
    /// Sections, one behind the other.
    Slot(Slot),
    /// `{COLLECTED_CONTEXT}`.
    Collected { level: i8, indent: u16 },
    /// A line of which is left what hangs on sections: it goes if nothing is, or nothing behind this number of pieces.
    Asked { pieces: Range, head: Option<u32> },
    /// Events follow for a section that is shown, and for one that is not.
    If(SectionIf),
    /// So many events follow that print nothing unless a slot among them does.
    Group(u32),
    /// What follows stands one blank line below what is there.
    Join,
    /// The node's own words begin.
    Own,
    /// Words before or behind all that a node prints.
    Frame { words: &'a str, is_end: bool },
    /// So many events follow that are a Markdown text which a value gave.
    Markdown {
        count: u32,
        info: &'a SectionInfo,
        owner: Option<SectionId>,
        treatment: Treatment,
    },
    /// So many events follow that are a list of text which the field of this section gave.
    List {
        info: &'a SectionInfo,
        owner: Option<SectionId>,
        count: u32,
    },
    /// So many events follow that are an item of the list around, with its name.
    Item { name: Range, count: u32 },
}

/// Where sections stand in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Their numbers, in the list of the order of sections.
    pub(crate) sections: Range,
    /// Levels below the first one of the text.
    pub(crate) level: i8,
    pub(crate) indent: u16,
    /// Whether it holds what has no place in the text: then it stands apart from the node's own words.
    pub(crate) is_rest: bool,
}

/// In the list of the order of sections: one that is not there, as a value says.
pub(crate) const ABSENT: SectionId = SectionId::MAX;

/// An attribute of a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: AttributeValue,
}

/// What the value of an attribute is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AttributeValue {
    /// A text.
    Text(Range),
    /// The title of the section.
    Title,
    Failed(u32),
}

/// A section that is not there.
pub(crate) struct Absent<'a> {
    pub(crate) parent: Option<SectionId>,
    pub(crate) info: &'a SectionInfo,
    pub(crate) node: Option<NodeRef<'a>>,
    pub(crate) reason: Absence,
}

/// Why a section is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Its condition does not hold.
    Off,
    /// It has no value.
    Empty,
    /// Its place is in a branch that is not taken.
    NotReached,
}

/// The tag around a root.
#[derive(Clone, Copy, Default)]
pub(crate) struct RootTag<'a> {
    pub(crate) name: &'a str,
    pub(crate) attributes: Range,
    /// Whether an attribute depends on a value, also one that is left out.
    pub(crate) varies: bool,
    pub(crate) title: Range,
    pub(crate) is_inline: bool,
    /// Columns by which it moves tags in it.
    pub(crate) columns: Option<u8>,
}

/// A tree that was asked: its values, texts and sections, and what they say. It is printed as often as wanted, in other
/// forms and with other options, and nobody is asked again. It is a node itself.
///
/// ```
/// use prompt_core::{Budget, PromptNode};
///
/// /// You answer letters about {topic}.
/// #[derive(PromptNode)]
/// struct Clerk {
///     topic: String,
///
///     /// Be brief.
///     #[section(priority = 1)]
///     manner: (),
/// }
///
/// let clerk = Clerk { topic: "tides".into(), manner: () };
/// let document = clerk.prompt().document()?;
/// let whole = document.prompt().text()?;
/// let short = document.prompt().budget(Budget::tokens(8)).text()?;
/// assert!(whole.starts_with(&short));
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
pub struct Document<'a> {
    root: Embedded<'a>,
    /// What values wrote, one behind the other.
    pub(crate) written: String,
    pub(crate) values: Vec<Value<'a>>,
    pub(crate) marks: Vec<Mark>,
    /// The names of the tags of types that stand in sentences.
    pub(crate) phrase_tags: BTreeSet<String>,
    pub(crate) lists: Lists<'a>,
    /// How further lines of worded values begin: the marker of a quotation, and the column.
    pub(crate) heads: Vec<(&'a str, Hang)>,
    /// Fences, and how many marks they are printed with at least.
    pub(crate) fences: Vec<(&'a str, usize)>,
    pub(crate) sections: Vec<Section<'a>>,
    /// What nodes say of their sections, where they say anything.
    shared: Vec<Shared>,
    /// The sections of each slot, by number.
    pub(crate) order: Vec<SectionId>,
    pub(crate) attributes: Vec<Attribute<'a>>,
    pub(crate) tools: Vec<(Option<SectionId>, ToolSpec)>,
    pub(crate) absent: Vec<Absent<'a>>,
    pub(crate) faults: Vec<PromptError>,
    /// A variable without a value: nothing is printed then.
    pub(crate) missing: Option<PromptError>,
    /// The text of the root.
    pub(crate) body: Range,
    pub(crate) tag: RootTag<'a>,
    pub(crate) node: Option<NodeRef<'a>>,
    pub(crate) varies: bool,
    /// Whether something depends on what sections print.
    pub(crate) is_open: bool,
    pub(crate) has_messages: bool,
}

impl<'a> Document<'a> {
    /// What a value wrote.
    #[inline]
    pub(crate) fn words(&self, range: Range) -> &str {
        self.written.get(range.usize()).unwrap_or_default()
    }

    /// How many sections there are.
    pub(crate) fn len(&self) -> SectionId {
        number(self.sections.len())
    }

    pub(crate) fn section(&self, id: SectionId) -> &Section<'a> {
        &self.sections[id as usize]
    }

    /// What a section shares with the others of its node.
    #[inline]
    pub(crate) fn shared(&self, section: &Section<'_>) -> &Shared {
        self.shared_of(section.shared)
    }

    /// What has this number; 0 is what is usual.
    #[inline]
    fn shared_of(&self, number: u32) -> &Shared {
        let own = (number as usize).checked_sub(1);
        own.map_or(&Shared::USUAL, |own| &self.shared[own])
    }

    /// Whether a section is an item whose short form is a line of its list: nobody says another wording of how to open it.
    #[inline]
    pub(crate) fn is_cataloguable(&self, section: &Section<'_>) -> bool {
        section.is_item()
            && !section.is_bare
            && section.is_openable()
            && self.shared(section).suffix.is_none()
    }

    /// The sections with their numbers.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (SectionId, &Section<'a>)> {
        (0..self.len()).zip(&self.sections)
    }

    /// Whether these are the items of a list.
    pub(crate) fn are_items(&self, order: &[SectionId]) -> bool {
        let first = order.first().filter(|id| **id != ABSENT);
        first.is_some_and(|id| self.section(*id).is_item())
    }

    /// Whether a suffix says the key of its section, whatever values are.
    pub(crate) fn names_key(&self, suffix: Range) -> bool {
        let is_key = |piece: &Piece<'_>| matches!(piece, Piece::Key);
        let mut events = self.lists.events[suffix.usize()].iter();
        events.any(|event| match event {
            Event::Line(pieces) => self.lists.pieces[pieces.usize()].iter().any(is_key),
            _ => false,
        })
    }

    /// The sections directly inside one, or at the top.
    pub(crate) fn children(
        &self,
        of: Option<SectionId>,
    ) -> impl Iterator<Item = (SectionId, &Section<'a>)> {
        let (mut next, end) = of.map_or((0, self.len()), |id| (id + 1, self.section(id).end));
        std::iter::from_fn(move || {
            let id = next;
            let section = (id < end).then(|| self.section(id))?;
            next = section.end;
            Some((id, section))
        })
    }

    /// The sections around one, from the inside out.
    pub(crate) fn around(&self, id: SectionId) -> impl Iterator<Item = SectionId> {
        std::iter::successors(self.section(id).parent, |id| self.section(*id).parent)
    }

    /// Whether a section stands inside another.
    pub(crate) fn is_below(&self, id: SectionId, outer: SectionId) -> bool {
        outer < id && id < self.section(outer).end
    }

    /// The forms that were declared, or that overrides and focus said when it was asked.
    pub(crate) fn forms(&self) -> Vec<Form> {
        self.sections.iter().map(|section| section.form).collect()
    }

    /// The names of the tags that it has, whatever is printed of it, or those with which one of these
    /// begins.
    pub(crate) fn tags(&self, is_xml: bool, asked: Option<&BTreeSet<String>>) -> BTreeSet<String> {
        let mut names = tags(&self.root.content, is_xml, asked);
        let own = self.phrase_tags.iter();
        names.extend(own.filter(|name| is_asked(asked, name)).cloned());
        names
    }

    /// The words of a title on one line, without its number.
    pub(crate) fn title(&self, title: Range) -> Cow<'_, str> {
        if let [Piece::Words(words)] = self.lists.pieces[title.usize()] {
            return Cow::Borrowed(words);
        }
        let mut words = String::new();
        self.write_pieces(title, &mut words);
        Cow::Owned(words)
    }

    #[inline]
    pub(crate) fn write_title(&self, title: Range, out: &mut String) {
        match self.lists.pieces[title.usize()] {
            [Piece::Words(words)] => out.push_str(words),
            _ => self.write_pieces(title, out),
        }
    }

    fn write_pieces(&self, title: Range, out: &mut String) {
        for piece in &self.lists.pieces[title.usize()] {
            match piece {
                Piece::Words(words) => out.push_str(words),
                Piece::Value { text, .. } => out.push_str(self.words(*text)),
                _ => {}
            }
        }
    }

    /// Why a title could not be asked.
    pub(crate) fn title_fault(&self, title: Range) -> Option<&PromptError> {
        let mut pieces = self.lists.pieces[title.usize()].iter();
        pieces.find_map(|piece| match piece {
            Piece::Failed(fault) => self.faults.get(*fault as usize),
            _ => None,
        })
    }

    /// Whether nothing but white space is printed of some pieces.
    pub(crate) fn is_blank(&self, pieces: &[Piece<'_>]) -> bool {
        Written(&self.written).is_blank(pieces)
    }

    /// The path of a section; nothing for the root.
    pub(crate) fn path(&self, id: Option<SectionId>) -> String {
        let mut path = String::new();
        if let Some(id) = id {
            self.write_path(id, &mut path);
        }
        path
    }

    pub(crate) fn write_path(&self, id: SectionId, out: &mut String) {
        let section = |id| (self.section(id).parent, &*self.section(id).key);
        write_path(id, &section, out);
    }

    /// All paths, in the order of the sections.
    pub(crate) fn paths(&self) -> Vec<String> {
        all_paths(
            self.sections
                .iter()
                .map(|section| (section.parent, &*section.key)),
        )
    }

    /// Finds sections by their paths.
    pub(crate) fn index(&self) -> Index<'_> {
        let sections = self.sections.iter();
        sections
            .map(|section| (section.parent, &*section.key))
            .collect()
    }

    /// The path of a section that was meant by one that is none.
    pub(crate) fn nearest(&self, path: &str) -> Option<String> {
        let paths = self.paths();
        nearest_of(path, paths.iter().map(String::as_str)).map(str::to_owned)
    }

    /// What each section takes with all that is inside it, from what it takes itself.
    pub(crate) fn sums(&self, mut tokens: Vec<usize>) -> Vec<usize> {
        for (id, section) in self.iter().rev() {
            if let Some(parent) = section.parent {
                let own = tokens[id as usize];
                let sum = &mut tokens[parent as usize];
                *sum = sum.saturating_add(own);
            }
        }
        tokens
    }

    /// Hands out each section with its path.
    pub(crate) fn each_path(&self, mut each: impl FnMut(&Section<'a>, &str)) {
        let mut path = String::new();
        // Where the paths of the sections around one end, from the root on.
        let mut ends = vec![0];
        for section in &self.sections {
            let depth = section.depth as usize;
            ends.truncate(depth);
            path.truncate(ends.last().copied().unwrap_or_default());
            if depth > 1 {
                path.push('.');
            }
            path.push_str(&section.key);
            ends.push(path.len());
            each(section, &path);
        }
    }
}

impl std::fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("sections", &self.sections.len())
            .finish_non_exhaustive()
    }
}

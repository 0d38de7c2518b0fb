//! What the printer keeps while it walks. A frame is something that is being printed: a node's own text with what follows
//! it, a run of sections in a slot, the items of a list, or an opened section that waits to be closed.

use super::{
    ask::Ask,
    contexts::Contexts,
    job::{Span, WrittenTag},
    look::Look,
    run::Run,
    words::Words,
    writer::{Point, Writer},
};
use crate::node::{Guarding, SectionInfo, Tags, Text};
use crate::outline::{Host, Outline, RowId};
use crate::show::Shown;
use crate::xml::FenceRange;
use std::borrow::Cow;

/// What a place passes on to the sections in it.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// Level of their headings.
    pub(super) level: i32,
    /// Tags that are open around them.
    pub(super) depth: usize,
    pub(super) numbered: bool,
    /// Form of their headings.
    pub(super) heading: Option<&'a Text>,
    pub(super) tight: bool,
    /// Wording of the summary suffix.
    pub(super) suffix: Option<&'a Text>,
    pub(super) guarding: Guarding,
    pub(super) untrusted: bool,
    /// Columns by which a tag is indented for each open one.
    pub(super) indent: usize,
}

pub(super) enum Frame<'a> {
    /// Boxed: few wait, and the others are small.
    Node(Box<NodeFrame<'a>>),
    Sections(SectionsFrame<'a>),
    Items(ItemsFrame<'a>),
    Close(CloseFrame<'a>),
}

/// A node's own text, then the sections without a place.
pub(super) struct NodeFrame<'a> {
    pub(super) host: Host<'a>,
    pub(super) run: Run<'a>,
    pub(super) scope: Scope<'a>,
    /// Headings of the text that became tags.
    pub(super) titles: Vec<TitleTag<'a>>,
    pub(super) start: usize,
    /// What was printed when the slot was reached that is being filled.
    pub(super) slot: Option<usize>,
    pub(super) is_done: bool,
}

/// Sections in one place, in declaration order.
pub(super) struct SectionsFrame<'a> {
    pub(super) host: Host<'a>,
    pub(super) scope: Scope<'a>,
    /// Added to the levels of the node's text.
    pub(super) shift: i32,
    /// The rows that are left.
    pub(super) next: RowId,
    pub(super) end: RowId,
    /// Only this one; otherwise all without a place.
    pub(super) is_placed: bool,
    /// Sections of the node that have been met.
    pub(super) met: u32,
    pub(super) start: usize,
    /// Indentation to return to.
    pub(super) indent: usize,
}

/// The items of a list.
pub(super) struct ItemsFrame<'a> {
    pub(super) next: RowId,
    pub(super) end: RowId,
    pub(super) scope: Scope<'a>,
    /// How many came out.
    pub(super) printed: u32,
    /// Whether the last of them was a bullet.
    pub(super) after_bullet: bool,
    pub(super) start: usize,
    /// The title of the list, where an item asked for it.
    pub(super) list_title: Option<String>,
}

/// An opened section.
pub(super) struct CloseFrame<'a> {
    pub(super) span: Option<usize>,
    pub(super) before: Point<'a>,
    pub(super) tag: Option<OpenTag<'a>>,
    /// What was printed when the body began.
    pub(super) body: usize,
    /// Whether it is a section: the root's own tag is none.
    pub(super) is_section: bool,
    /// Whether the heading goes where nothing comes under it.
    pub(super) may_vanish: bool,
}

pub(super) struct Printer<'p, 'a> {
    pub(super) outline: &'p Outline<'a>,
    pub(super) shown: &'p Shown,
    pub(super) ask: Ask<'p, 'a>,
    pub(super) look: &'p Look,
    pub(super) collected: &'p Contexts,
    pub(super) reduced: bool,
    pub(super) writer: Writer<'p, 'a>,
    pub(super) fences: Vec<FenceRange>,
    pub(super) frames: Vec<Frame<'a>>,
    /// Where the printer is: the rows of the open sections.
    pub(super) open: Vec<RowId>,
    /// The numbers of their headings (0 for none).
    pub(super) numbers: Vec<u32>,
    /// The numbers of the sections of each node, where there are numbers; those of the root stand first, then by row.
    pub(super) declared_numbers: Vec<Vec<u32>>,
    pub(super) with_spans: bool,
    pub(super) with_summaries: bool,
    pub(super) summaries: Vec<(RowId, String)>,
    pub(super) spans: Vec<Span>,
    pub(super) tags: Vec<WrittenTag<'a>>,
    /// Tags in static texts of the nodes that were printed.
    pub(super) static_tags: Vec<&'a Tags>,
    pub(super) is_summarised: bool,
}

/// What stands under the heading.
pub(super) enum Body<'a> {
    /// The short form.
    Summary(&'a Text, Host<'a>),
    /// Printed instead of nothing.
    Empty(&'a Text),
    /// Introduction and content.
    Full,
}

/// A section or an item that is about to be printed.
pub(super) struct Unit<'a> {
    pub(super) id: RowId,
    pub(super) title: Words,
    /// Whether it has a heading.
    pub(super) is_titled: bool,
    pub(super) number: u32,
    pub(super) tag: Option<&'a str>,
    pub(super) body: Body<'a>,
    pub(super) scope: Scope<'a>,
    /// Blank lines before it, or the words that join it to what stands before.
    pub(super) join: Option<&'a str>,
}

/// A tag that waits to be closed.
pub(super) struct OpenTag<'a> {
    pub(super) name: Cow<'a, str>,
    /// Where the text after the open tag begins.
    pub(super) content: usize,
    /// Columns before open and close tag.
    pub(super) columns: usize,
    pub(super) is_inline: bool,
    pub(super) has_attributes: bool,
    /// Neither text nor sections belong to it: with attributes, or as a heading, it closes itself.
    pub(super) is_hollow: bool,
    /// Indentation to return to.
    pub(super) indent: usize,
}

/// A heading that became a tag.
pub(super) struct TitleTag<'a> {
    pub(super) level: u8,
    pub(super) is_optional: bool,
    pub(super) before: Point<'a>,
    pub(super) tag: OpenTag<'a>,
}

impl NodeFrame<'_> {
    pub(super) fn depth(&self) -> usize {
        self.scope.depth + self.titles.len()
    }
}

/// What stands before an item: `last` of the attribute where no other follows, `join` elsewhere; without these a bullet
/// stands directly below another.
pub(super) fn join_before(info: &SectionInfo, is_last: bool, are_bullets: bool) -> Option<&str> {
    let last = info.items.last.as_deref().filter(|_| is_last);
    let join = last.or(info.items.join.as_deref());
    join.or(if are_bullets { Some("\n") } else { None })
}

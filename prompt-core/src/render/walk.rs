//! Walks a tree of nodes with a stack of its own, so that depth costs memory and not the thread's stack, and prints it.
//!
//! A frame is something that is being printed: a node's own text with what follows it, a run of sections in a slot, the
//! items of a list, or an opened section that waits to be closed.

use super::{
    Numbering, Options, Style,
    items::ItemsFrame,
    plan::{Action, Plan},
    record::Record,
    tag::OpenTag,
    tag::has_values,
    text::{Place, Run, Stop},
    writer::{Point, Writer},
};
use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::Guarding;
use crate::node::NodeInfo;
use crate::node::PromptNode;
use crate::node::SectionInfo;
use crate::node::Text;
use crate::tree;
use crate::tree::Step;
use prompt_syntax::Target;
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
    /// How many steps of the focused path lead here; `None` off the path.
    pub(super) chain: Option<usize>,
    /// Effective priority: `None` is required.
    pub(super) priority: Option<i32>,
}

/// A node together with its description.
#[derive(Clone, Copy)]
pub(super) struct Host<'a> {
    pub(super) node: &'a dyn PromptNode,
    pub(super) info: &'a NodeInfo,
}

impl<'a> Host<'a> {
    pub(super) fn of(node: &'a dyn PromptNode) -> Self {
        Self {
            node,
            info: node.info(),
        }
    }
}

pub(super) enum Frame<'a> {
    Node(NodeFrame<'a>),
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
    done: bool,
}

/// A heading that became a tag.
pub(super) struct TitleTag<'a> {
    pub(super) level: u8,
    pub(super) optional: bool,
    pub(super) before: Point<'a>,
    pub(super) tag: OpenTag<'a>,
}

/// Sections in one place, in declaration order.
pub(super) struct SectionsFrame<'a> {
    host: Host<'a>,
    scope: Scope<'a>,
    /// Only this one; otherwise all without a place.
    only: Option<usize>,
    next: usize,
    number: u32,
    start: usize,
    /// Indentation to return to.
    indent: usize,
}

/// The section that comes now.
struct NextSection<'a> {
    host: Host<'a>,
    index: usize,
    scope: Scope<'a>,
    start: usize,
    number: u32,
    /// Whether it belongs here.
    wanted: bool,
    /// A level of its own, where no slot gives one.
    moved: Option<u8>,
}

impl<'a> SectionsFrame<'a> {
    fn next(&mut self) -> Option<NextSection<'a>> {
        let index = self.next;
        let info = self.host.info.sections.get(index)?;
        self.next += 1;
        self.number += u32::from(is_numbered(info));
        let wanted = self.only.map_or(!info.placed, |only| only == index);
        let moved = info.level.filter(|_| self.only.is_none());
        let Self {
            host,
            scope,
            start,
            number,
            ..
        } = *self;
        Some(NextSection {
            host,
            index,
            scope,
            start,
            number,
            wanted,
            moved,
        })
    }
}

/// An opened section.
pub(super) struct CloseFrame<'a> {
    pub(super) entry: Option<usize>,
    pub(super) before: Point<'a>,
    pub(super) tag: Option<OpenTag<'a>>,
    /// Whether it added a key to the path: the root's own tag does not.
    pub(super) keyed: bool,
}

pub(crate) struct Walk<'w, 'a> {
    pub(super) options: &'w Options<'a>,
    pub(crate) writer: Writer<'w, 'a>,
    /// The section table, where one is wanted.
    pub(crate) record: Option<&'w mut Record>,
    /// What a budget decided.
    pub(crate) plan: Option<&'w Plan>,
    /// The focused path.
    pub(crate) chain: &'w [Step],
    /// What has been collected, in declaration order.
    pub(crate) collected: &'w [tree::Context],
    pub(super) frames: Vec<Frame<'a>>,
    /// Where the walk is: the keys of the open sections.
    pub(super) keys: Vec<Cow<'static, str>>,
    /// Their steps, and the numbers of their headings (0 for none).
    pub(super) trail: Vec<(Step, u32)>,
    /// How many sections have been met.
    pub(super) ordinal: usize,
    /// Names of the tags that were printed, or stand in static text.
    pub(crate) tags: Vec<Cow<'a, str>>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(crate) fn new(options: &'w Options<'a>, buffer: &'w mut String) -> Self {
        Self {
            options,
            writer: Writer::new(buffer),
            record: None,
            plan: None,
            chain: &[],
            collected: &[],
            frames: Vec::new(),
            keys: Vec::new(),
            trail: Vec::new(),
            ordinal: 0,
            tags: Vec::new(),
        }
    }

    /// Prints the whole tree.
    pub(crate) fn run(&mut self, root: &'a dyn PromptNode) -> Result<(), PromptError> {
        let result = self.start(root).and_then(|()| self.finish());
        result.map_err(|error| error.at(|| self.keys.join(".")))
    }

    fn start(&mut self, root: &'a dyn PromptNode) -> Result<(), PromptError> {
        let base = i32::from(self.options.base_level);
        let mut scope = Scope {
            level: base,
            depth: 0,
            numbered: self.options.numbering == Numbering::Decimal,
            heading: None,
            tight: false,
            suffix: None,
            guarding: Guarding::Default,
            untrusted: false,
            indent: self.options.indent,
            chain: (!self.chain.is_empty()).then_some(0),
            priority: None,
        };
        let embedded = root.embedded();
        if root.varies() || !matches!(embedded, Embedded::Unit | Embedded::Node(_)) {
            self.writer.depends();
        }
        let Embedded::Node(node) = embedded else {
            let host = Host {
                node: root,
                info: NodeInfo::EMPTY,
            };
            return self.content(host, &tree::ROOT, embedded, None, scope);
        };
        let host = Host::of(node);
        if let Some(name) = &host.info.tag {
            let before = self.writer.point();
            if has_values(&host.info.attributes, false) {
                self.writer.depends();
            }
            let mut tag = self.open_tag(Cow::Borrowed(name.as_ref()), scope, host.info.inline);
            self.attributes(&mut tag, &host.info.attributes, host, 0, "")?;
            self.end_of_open_tag(&mut tag);
            self.writer.tentative_since(before.len);
            self.frames.push(Frame::Close(CloseFrame {
                entry: None,
                before,
                tag: Some(tag),
                keyed: false,
            }));
            scope.depth = 1;
        }
        self.node(host, scope, base - 1)
    }

    fn finish(&mut self) -> Result<(), PromptError> {
        loop {
            if let Some(Frame::Sections(frame)) = self.frames.last_mut() {
                let Some(next) = frame.next() else {
                    self.writer.set_indent(frame.indent);
                    self.frames.pop();
                    continue;
                };
                self.step_section(&next)?;
                continue;
            }
            match self.frames.pop() {
                Some(Frame::Node(frame)) => self.step_node(frame)?,
                Some(Frame::Items(frame)) => self.step_items(frame)?,
                Some(Frame::Close(frame)) => self.close(frame),
                Some(Frame::Sections(_)) => {}
                None => return Ok(()),
            }
        }
    }

    pub(super) fn place(
        &self,
        host: Host<'a>,
        scope: &Scope<'a>,
        shift: i32,
        item: usize,
    ) -> Place<'a> {
        let (overflow, guarding, untrusted) =
            (self.options.overflow, scope.guarding, scope.untrusted);
        Place {
            node: host.node,
            item,
            shift,
            overflow,
            guarding,
            untrusted,
            special: [""; 3],
        }
    }

    /// Prints a node whose text moves by `shift` levels, up to the first section in it.
    pub(super) fn node(
        &mut self,
        host: Host<'a>,
        scope: Scope<'a>,
        shift: i32,
    ) -> Result<(), PromptError> {
        let info = host.info;
        if info.has_tools {
            self.offer_tools(host, None);
        }
        self.tags
            .extend(info.tags.iter().map(|tag| Cow::Borrowed(tag.as_ref())));
        let scope = Scope {
            heading: info.heading.as_ref(),
            tight: info.tight,
            suffix: info.summary_suffix.as_ref().or(scope.suffix),
            numbered: info.numbered.unwrap_or(scope.numbered),
            ..scope
        };
        let mut run = Run::new(&info.text, self.place(host, &scope, shift, 0), &self.writer);
        if self.options.style == Style::Xml {
            run = run.stopping_at_titles();
        }
        let start = self.writer.len();
        self.step_node(NodeFrame {
            host,
            run,
            scope,
            titles: Vec::new(),
            start,
            done: false,
        })
    }

    /// Goes on with a node until sections are to be printed; then the node waits below them.
    fn step_node(&mut self, mut frame: NodeFrame<'a>) -> Result<(), PromptError> {
        while !frame.done {
            match frame.run.advance(&mut self.writer)? {
                Some(Stop::Slot(slot)) => {
                    let scope = Scope {
                        level: slot.level,
                        depth: frame.depth(),
                        ..frame.scope
                    };
                    let host = frame.host;
                    if slot.target == Target::Collected {
                        self.print_collected(&scope, slot.indent)?;
                        continue;
                    }
                    let only = match slot.target {
                        Target::Section(index) => Some(usize::from(index)),
                        _ => None,
                    };
                    self.frames.push(Frame::Node(frame));
                    self.sections(host, scope, only, slot.indent);
                    return Ok(());
                }
                Some(Stop::Title(title)) => self.title_tag(&mut frame, &title)?,
                None => {
                    frame.done = true;
                    let placed = |section: &SectionInfo| section.placed;
                    if !frame.run.saw_subtree && !frame.host.info.sections.iter().all(placed) {
                        self.sections_without_place(frame);
                        return Ok(());
                    }
                }
            }
        }
        self.close_titles(&mut frame, 0);
        if !frame.host.info.end.is_empty() {
            self.writer.owe("");
            self.writer.literal(&frame.host.info.end);
        }
        Ok(())
    }

    /// Sections that no slot takes follow at the end of the text.
    fn sections_without_place(&mut self, frame: NodeFrame<'a>) {
        let (host, start) = (frame.host, frame.start);
        let level =
            i32::from(host.info.level.unwrap_or(host.info.text.end)) + frame.run.place.shift;
        let scope = Scope {
            level,
            depth: frame.depth(),
            ..frame.scope
        };
        self.frames.push(Frame::Node(frame));
        self.sections(host, scope, None, 0);
        if let Some(Frame::Sections(sections)) = self.frames.last_mut() {
            sections.start = start;
        }
    }

    fn sections(&mut self, host: Host<'a>, scope: Scope<'a>, only: Option<usize>, columns: usize) {
        let indent = self.writer.indent();
        self.writer.set_indent(indent + columns);
        let start = self.writer.len();
        self.frames.push(Frame::Sections(SectionsFrame {
            host,
            scope,
            only,
            next: 0,
            number: 0,
            start,
            indent,
        }));
    }

    fn step_section(&mut self, next: &NextSection<'a>) -> Result<(), PromptError> {
        let NextSection {
            host,
            index,
            mut scope,
            start,
            number,
            wanted,
            moved,
        } = *next;
        let focused = match scope.chain.and_then(|depth| self.chain.get(depth)) {
            Some(step) => *step == Step::Section(index),
            None => true,
        };
        if !wanted || !focused {
            return Ok(());
        }
        if let Some(level) = moved {
            scope.level = i32::from(level) + scope.level - i32::from(host.info.text.end);
        }
        self.section(host, index, scope, start, number)
    }

    pub(super) fn action(&self) -> Action {
        self.plan
            .map_or(Action::Keep, |plan| plan.action(self.ordinal))
    }

    /// What stands between the section that comes now and what was printed since `start`.
    pub(super) fn gap_before(
        &self,
        scope: &Scope<'a>,
        tag: bool,
        start: usize,
    ) -> Option<&'static str> {
        let inside = scope.depth > 0 && (tag || self.options.style == Style::Xml);
        (self.writer.len() > start).then_some(if inside { "\n" } else { "\n\n" })
    }

    /// Prints a text without slots. Returns whether anything came out.
    pub(super) fn template(
        &mut self,
        text: &'a Text,
        host: Host<'a>,
        scope: &Scope<'a>,
        item: usize,
    ) -> Result<bool, PromptError> {
        let before = self.writer.len();
        let shift = scope.level - i32::from(text.base);
        let mut run = Run::new(text, self.place(host, scope, shift, item), &self.writer);
        if self.options.style == Style::Xml {
            run = run.stopping_at_titles();
        }
        let mut frame = NodeFrame {
            host,
            run,
            scope: *scope,
            titles: Vec::new(),
            start: before,
            done: false,
        };
        while let Some(stop) = frame.run.advance(&mut self.writer)? {
            if let Stop::Title(title) = stop {
                self.title_tag(&mut frame, &title)?;
            }
        }
        self.close_titles(&mut frame, 0);
        Ok(self.writer.len() > before)
    }

    /// Where the walk is, with one more key.
    pub(super) fn path_with(&self, key: &str) -> String {
        tree::join(&self.keys, key)
    }

    pub(super) fn offer_tools(&mut self, host: Host<'a>, section: Option<usize>) {
        let Some(record) = &mut self.record else {
            return;
        };
        let path = match section.and_then(|index| host.info.sections.get(index)) {
            Some(info) => tree::join(&self.keys, &info.key),
            None => self.keys.join("."),
        };
        record.tools.extend(
            host.node
                .tools(section)
                .into_iter()
                .map(|tool| (path.clone(), tool)),
        );
    }
}

impl NodeFrame<'_> {
    fn depth(&self) -> usize {
        self.scope.depth + self.titles.len()
    }
}

fn is_numbered(info: &SectionInfo) -> bool {
    !info.untitled && info.tag.is_none() && info.role.is_none()
}

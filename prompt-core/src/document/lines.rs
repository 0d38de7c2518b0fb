//! Lines: what texts give, operation by operation, becomes events. A line of which nothing is left is gone; a group of
//! which nothing is left takes the blank lines before it along.
//!
//! A text that asks whether sections are shown keeps its operations, and they are put together here once that is known.

use super::{Event, Lists, Piece, Range, Value, number};
use prompt_syntax::Form;

/// A step of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation<'a> {
    Piece(Piece<'a>),
    /// What follows on the line depends on a value.
    Varies,
    /// A value that printed nothing: the line is open.
    Open,
    /// A line begins that goes with what stands behind its head.
    Head(&'a str),
    EndLine,
    /// The last line in a branch, the body of a loop, or a fence ends.
    EndBlock,
    Event(Event<'a>),
    BeginTitle,
    EndTitle {
        level: i8,
        is_computed: bool,
        is_optional: bool,
    },
    BeginGroup,
    EndGroup(Form),
    /// An item of a loop, and what stands between two of them.
    BeginItem {
        form: Form,
        blanks: [&'a str; 2],
    },
    EndItem(Form),
    /// So many operations follow for a section that is shown, and so many for one that is not. The section stands at this
    /// place of the order of sections.
    If {
        section: u32,
        negated: bool,
        then: u32,
        otherwise: u32,
    },
}

/// The values of a document.
#[derive(Clone, Copy)]
pub(crate) struct Written<'d, 'a> {
    pub(crate) text: &'d str,
    pub(crate) values: &'d [Value<'a>],
}

impl Written<'_, '_> {
    /// Whether nothing but white space is printed of some pieces.
    pub(crate) fn is_blank(self, pieces: &[Piece<'_>]) -> bool {
        pieces.iter().all(|piece| match piece {
            Piece::Words(words) => is_blank(words),
            Piece::Value(value) => {
                let range = self.values[*value as usize].text;
                is_blank(self.text.get(range.usize()).unwrap_or_default())
            }
            Piece::Nothing | Piece::Varies => true,
            _ => false,
        })
    }
}

#[inline]
fn is_blank(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => false,
        _ => text.trim_matches([' ', '\t', '\n']).is_empty(),
    }
}

/// The line that is being put together.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Its first piece.
    from: usize,
    /// Its first piece behind the head, where it goes if nothing follows that.
    head: Option<usize>,
    is_open: bool,
}

/// A group that is open: it goes unless something of it prints.
#[derive(Clone, Copy, Debug)]
struct Group {
    events: usize,
    pieces: usize,
    line: Line,
    /// Of an item: where its own begins, behind what stands between two.
    own: (usize, usize),
    /// Of a loop: whether an item has printed.
    has_printed: bool,
}

/// The state of a text that is being put together.
#[derive(Default)]
pub(crate) struct Assembly {
    line: Line,
    title: usize,
    groups: Vec<Group>,
}

/// Whether a line or title is among some events.
fn prints(events: &[Event<'_>]) -> bool {
    events.iter().any(|event| {
        matches!(
            event,
            Event::Line(_) | Event::There | Event::Title { rest: None, .. }
        )
    })
}

impl Assembly {
    /// A text begins.
    pub(crate) fn begin(lists: &Lists<'_>) -> Self {
        Self {
            line: Line {
                from: lists.pieces.len(),
                ..Line::default()
            },
            ..Self::default()
        }
    }

    #[inline]
    pub(crate) fn apply<'a>(
        &mut self,
        operation: Operation<'a>,
        written: Written<'_, '_>,
        lists: &mut Lists<'a>,
    ) {
        match operation {
            Operation::Piece(piece) => {
                lists.pieces.push(piece);
                self.line.is_open = true;
            }
            Operation::Varies => lists.pieces.push(Piece::Varies),
            Operation::Open => self.line.is_open = true,
            Operation::Head(head) => {
                self.end_line(written, lists);
                lists.pieces.push(Piece::Words(head));
                self.line.head = Some(lists.pieces.len());
                self.line.is_open = true;
            }
            Operation::EndLine => self.end_line(written, lists),
            Operation::EndBlock => {
                self.end_line(written, lists);
                lists.events.push(Event::End);
            }
            Operation::Event(event) => lists.events.push(event),
            Operation::BeginTitle => self.title = lists.pieces.len(),
            Operation::EndTitle {
                level,
                is_computed,
                is_optional,
            } => self.end_title(level, is_computed, is_optional, written, lists),
            Operation::BeginGroup => self.open(lists),
            Operation::EndGroup(form) => self.end_group(form, lists),
            Operation::BeginItem { form, blanks } => self.begin_item(form, blanks, written, lists),
            Operation::EndItem(form) => self.end_item(form, written, lists),
            Operation::If { .. } => {}
        }
    }

    /// Puts a text together whose operations were kept, now that it is known which sections are shown.
    pub(crate) fn put_together<'a>(
        operations: &[Operation<'a>],
        written: Written<'_, '_>,
        is_shown: &dyn Fn(u32) -> bool,
        lists: &mut Lists<'a>,
    ) {
        let from = lists.events.len();
        let mut assembly = Self::begin(lists);
        assembly.run(operations, written, is_shown, lists);
        assembly.end_line(written, lists);
        close_titles(&mut lists.events[from..]);
    }

    fn run<'a>(
        &mut self,
        operations: &[Operation<'a>],
        written: Written<'_, '_>,
        is_shown: &dyn Fn(u32) -> bool,
        lists: &mut Lists<'a>,
    ) {
        let mut rest = operations;
        while let [operation, behind @ ..] = rest {
            rest = behind;
            let Operation::If {
                section,
                negated,
                then,
                otherwise,
            } = *operation
            else {
                self.apply(*operation, written, lists);
                continue;
            };
            let (first, behind) = rest.split_at(then as usize);
            let (second, behind) = behind.split_at(otherwise as usize);
            rest = behind;
            let taken = if is_shown(section) == negated {
                second
            } else {
                first
            };
            self.run(taken, written, is_shown, lists);
        }
    }

    /// The line ends. It is gone if nothing of it prints, or nothing but its head.
    #[inline]
    pub(crate) fn end_line(&mut self, written: Written<'_, '_>, lists: &mut Lists<'_>) {
        if self.line.is_open {
            self.end_open_line(written, lists);
        }
    }

    fn end_open_line(&mut self, written: Written<'_, '_>, lists: &mut Lists<'_>) {
        let from = self.line.from;
        let is_kept = if let Some(head) = self.line.head {
            let behind = &lists.pieces[head..];
            let is_there = |piece: &Piece<'_>| matches!(piece, Piece::Nothing);
            behind.iter().any(is_there) || !written.is_blank(behind)
        } else {
            let is_there = |piece: &Piece<'_>| !matches!(piece, Piece::Varies);
            lists.pieces[from..].iter().any(is_there)
        };
        if is_kept {
            let to = lists.pieces.len();
            lists.events.push(Event::Line(Range::new(from, to)));
        } else {
            lists.pieces.truncate(from);
            lists.events.push(Event::Gone);
        }
        self.begin_line(lists);
    }

    fn begin_line(&mut self, lists: &Lists<'_>) {
        self.line = Line {
            from: lists.pieces.len(),
            ..Line::default()
        };
    }

    /// A title that prints nothing, or blanks, leaves no heading.
    fn end_title(
        &mut self,
        level: i8,
        is_computed: bool,
        is_optional: bool,
        written: Written<'_, '_>,
        lists: &mut Lists<'_>,
    ) {
        let pieces = Range::new(self.title, lists.pieces.len());
        self.begin_line(lists);
        if is_computed && written.is_blank(&lists.pieces[pieces.usize()]) {
            lists.events.push(Event::Gone);
            return;
        }
        let rest = is_optional.then_some(0);
        lists.events.push(Event::Title {
            pieces,
            level,
            is_computed,
            rest,
        });
    }

    // Groups.

    fn open(&mut self, lists: &Lists<'_>) {
        let (events, pieces) = (lists.events.len(), lists.pieces.len());
        self.groups.push(Group {
            events,
            pieces,
            line: self.line,
            own: (events, pieces),
            has_printed: false,
        });
    }

    fn end_group(&mut self, form: Form, lists: &mut Lists<'_>) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        let inside = &lists.events[group.events..];
        if prints(inside) || (lists.pieces.len() > group.pieces && self.line.is_open) {
            return;
        }
        let is_open = |event: &Event<'_>| matches!(event, Event::Slot(_) | Event::Collected { .. });
        if inside.iter().any(is_open) {
            // A slot decides, once it is known what is shown.
            let count = number(inside.len());
            lists.events.insert(group.events, Event::Group(count));
            return;
        }
        self.take_back(group, lists);
        if form == Form::Block || !self.line.is_open {
            lists.events.push(Event::Gone);
        }
    }

    /// What a group holds is nothing: it was never there.
    fn take_back(&mut self, group: Group, lists: &mut Lists<'_>) {
        lists.events.truncate(group.events);
        lists.pieces.truncate(group.pieces);
        self.line = group.line;
    }

    fn begin_item<'a>(
        &mut self,
        form: Form,
        blanks: [&'a str; 2],
        written: Written<'_, '_>,
        lists: &mut Lists<'a>,
    ) {
        let has_printed = self.groups.last().is_some_and(|group| group.has_printed);
        self.open(lists);
        if !has_printed {
            return;
        }
        if form != Form::Inline {
            self.end_line(written, lists);
            lists.events.push(Event::End);
        }
        for blank in blanks {
            lists.events.extend(blank_lines(blank));
        }
        if let Some(item) = self.groups.last_mut() {
            item.own = (lists.events.len(), lists.pieces.len());
        }
    }

    /// An item that prints nothing takes what stands before it along.
    fn end_item(&mut self, form: Form, written: Written<'_, '_>, lists: &mut Lists<'_>) {
        if form != Form::Inline {
            self.end_line(written, lists);
        }
        let Some(item) = self.groups.pop() else {
            return;
        };
        let (events, pieces) = item.own;
        let is_there = prints(&lists.events[events..])
            || (form == Form::Inline && lists.pieces.len() > pieces);
        if !is_there {
            self.take_back(item, lists);
        } else if let Some(group) = self.groups.last_mut() {
            group.has_printed = true;
        }
    }
}

/// The event of some blank lines, if there are any.
pub(super) fn blank_lines(lines: &str) -> Option<Event<'_>> {
    if lines.is_empty() {
        return None;
    }
    let is_plain = lines.bytes().all(|byte| byte == b'\n');
    Some(if is_plain {
        Event::Blank(number(lines.len()))
    } else {
        Event::Blanks(lines)
    })
}

/// How many events stand below each title that may go: up to the next one of its level or above.
pub(super) fn close_titles(events: &mut [Event<'_>]) {
    let mut at = events.len();
    // The places of the titles behind, each of a higher rank than those before it in the list.
    let mut behind: Vec<(i8, usize)> = Vec::new();
    let end = events.len();
    while at > 0 {
        at -= 1;
        let Event::Title { level, rest, .. } = &mut events[at] else {
            continue;
        };
        while behind.pop_if(|(next, _)| *next > *level).is_some() {}
        let next = behind.last().map_or(end, |(_, next)| *next);
        if rest.is_some() {
            *rest = Some(number(next - at - 1));
        }
        behind.push((*level, at));
    }
}

//! Lines: what texts give, piece by piece, becomes events. A line of which nothing is left is gone; a group of which nothing
//! is left takes the blank lines before it along. What hangs on whether a section is shown is decided where it is printed.

use super::{Document, Event, Lists, Piece, Range, number};
use prompt_syntax::{Form, Margins};

/// What the values of a document wrote.
#[derive(Clone, Copy)]
pub(crate) struct Written<'d>(pub(crate) &'d str);

impl<'d> Written<'d> {
    fn words(self, text: Range) -> &'d str {
        self.0.get(text.usize()).unwrap_or_default()
    }

    /// What a piece prints, if that is words and nothing else.
    fn of<'p>(self, piece: &Piece<'p>) -> Option<&'p str>
    where
        'd: 'p,
    {
        match piece {
            Piece::Words(words) => Some(words),
            Piece::Value { text, .. } => Some(self.words(*text)),
            piece if is_mark(piece) => Some(""),
            _ => None,
        }
    }

    /// Whether something is left of a line: of it, or of what stands behind its head.
    pub(crate) fn is_line(self, pieces: &[Piece<'_>], head: Option<usize>) -> bool {
        let Some(head) = head else {
            return has_words(pieces);
        };
        // Blanks of the author's alone are nothing; whatever a value prints is something.
        let behind = pieces.get(head..).unwrap_or_default();
        let is_there = |piece: &Piece<'_>| match piece {
            Piece::Nothing => true,
            Piece::Value { text, .. } => !text.is_empty(),
            _ => false,
        };
        behind.iter().any(is_there) || !self.is_blank(behind)
    }

    /// Whether nothing but white space is printed of some pieces.
    pub(crate) fn is_blank(self, pieces: &[Piece<'_>]) -> bool {
        pieces.iter().all(|piece| match piece {
            Piece::Words(words) => is_blank(words),
            Piece::Value { text, .. } => is_blank(self.words(*text)),
            Piece::Nothing => true,
            piece => is_mark(piece),
        })
    }
}

const WHITE: [char; 3] = [' ', '\t', '\n'];

#[inline]
fn is_blank(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => false,
        _ => text.trim_matches(WHITE).is_empty(),
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
    /// Something of the line around stands before it: it is there whatever is left of it.
    is_held: bool,
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
    /// Of an item the words before it; of a loop those before the last item that has printed.
    joint: Option<Joint>,
}

/// Words between two items of a line.
#[derive(Clone, Copy, Debug)]
struct Joint {
    piece: usize,
    /// The line had ended before them.
    begins_line: bool,
}

impl Joint {
    /// Words as they stand there: the first break is that of a line that has ended.
    fn words(self, words: &str) -> &str {
        let rest = words.strip_prefix('\n').filter(|_| self.begins_line);
        rest.unwrap_or(words)
    }
}

/// The state of a text that is being put together.
#[derive(Default)]
pub(super) struct Assembly {
    line: Line,
    title: usize,
    groups: Vec<Group>,
}

/// Whether something was put since then: a title, a line, a part of one.
fn prints_since((events, pieces): (usize, usize), line: Line, lists: &Lists<'_>) -> bool {
    let is_printed = |event: &Event<'_>| match event {
        Event::Line(line) => {
            has_words(&lists.pieces[pieces.max(line.usize().start)..line.usize().end])
        }
        event => matches!(event, Event::There | Event::Title { rest: None, .. }),
    };
    lists.events[events..].iter().any(is_printed)
        || line.is_open && has_words(&lists.pieces[pieces.max(line.from)..])
}

/// Whether an event prints something is known where it is printed.
fn is_open(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Slot(_) | Event::Collected { .. } | Event::Asked { .. } | Event::If(_)
    )
}

fn is_asking(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::If(_))
}

/// Whether a piece is none that could be printed.
fn is_mark(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Varies | Piece::Head(_) | Piece::Tail)
}

/// Whether a piece of a line is there, printed or not.
fn has_words(pieces: &[Piece<'_>]) -> bool {
    !pieces.iter().all(is_mark)
}

impl Assembly {
    /// A text begins.
    pub(super) fn begin(lists: &Lists<'_>) -> Self {
        Self {
            line: Line {
                from: lists.pieces.len(),
                ..Line::default()
            },
            ..Self::default()
        }
    }

    /// What are words of the line that is open begins, in lines of its own.
    pub(super) fn begin_inside(&self, lists: &Lists<'_>) -> Self {
        let mut inner = Self::begin(lists);
        inner.line.is_open = true;
        inner.line.is_held = self.is_begun(lists);
        inner
    }

    /// Whether words stand on the line. That it is there, as each line of code is, makes none.
    fn is_begun(&self, lists: &Lists<'_>) -> bool {
        let is_none = |piece: &Piece<'_>| is_mark(piece) || matches!(piece, Piece::Words(""));
        self.line.is_held || !lists.pieces[self.line.from..].iter().all(is_none)
    }

    #[inline]
    pub(super) fn piece<'a>(&mut self, piece: Piece<'a>, lists: &mut Lists<'a>) {
        lists.pieces.push(piece);
        self.line.is_open = true;
    }

    pub(super) fn is_line_open(&self) -> bool {
        self.line.is_open
    }

    /// A value that printed nothing: the line is open.
    pub(super) fn open_line(&mut self) {
        self.line.is_open = true;
    }

    /// A line begins that goes with what stands behind its head. The text of a value may go on in a line, where its head is
    /// words.
    pub(super) fn head<'a>(&mut self, head: &[&'a str], document: &mut Document<'a>) {
        let begins = !self.is_begun(&document.lists) || self.ends_in_joint(document);
        if begins {
            self.break_line(document);
        }
        let words = head.iter().filter(|words| !words.is_empty());
        let pieces = &mut document.lists.pieces;
        pieces.extend(words.map(|words| Piece::Words(words)));
        if begins {
            self.line.head = Some(pieces.len());
        }
        self.line.is_open = true;
    }

    /// Whether a line ends in a break that joins items.
    fn ends_in_joint(&self, document: &Document<'_>) -> bool {
        let pieces = &document.lists.pieces;
        let is_last = |joint: Joint| joint.piece + 1 == pieces.len();
        let mut groups = self.groups.iter();
        groups.any(|group| group.joint.is_some_and(is_last))
            && matches!(pieces.last(), Some(Piece::Words(words)) if words.ends_with('\n'))
    }

    /// In what a value is worded as a line ends before what begins one. The break at the end of what joins items is that of
    /// the line.
    fn break_line(&mut self, document: &mut Document<'_>) {
        if !self.is_begun(&document.lists) {
            return self.begin_line(&document.lists);
        }
        if self.ends_in_joint(document)
            && let Some(Piece::Words(words)) = document.lists.pieces.last_mut()
        {
            *words = words.strip_suffix('\n').unwrap_or(words);
        }
        self.end_line(document);
    }

    /// The last line in a branch, the body of a loop, or a fence ends.
    pub(super) fn end_block(&mut self, document: &mut Document<'_>) {
        self.end_line(document);
        document.lists.events.push(Event::End);
    }

    /// A heading begins.
    pub(super) fn begin_title(&mut self, document: &mut Document<'_>) {
        self.break_line(document);
        self.title = document.lists.pieces.len();
    }

    /// It ends. One that prints nothing, or blanks, leaves no heading.
    pub(super) fn end_title<'a>(
        &mut self,
        level: i8,
        margins: Option<&'a Margins>,
        is_computed: bool,
        is_optional: bool,
        document: &mut Document<'a>,
    ) {
        let lists = &mut document.lists;
        let pieces = Range::new(self.title, lists.pieces.len());
        self.begin_line(lists);
        let written = Written(&document.written);
        let is_gone = is_computed && written.is_blank(&lists.pieces[pieces.usize()]);
        lists.events.push(if is_gone {
            Event::Gone
        } else {
            Event::Title {
                pieces,
                level,
                margins,
                is_computed,
                rest: is_optional.then_some(0),
            }
        });
    }

    /// An item of a loop begins: with the blank lines before each, or what stands between two of them.
    pub(super) fn begin_item<'a>(
        &mut self,
        form: Form,
        (between, lead): (Option<&'a str>, &'a str),
        is_code: bool,
        document: &mut Document<'a>,
    ) {
        let has_printed = self.groups.last().is_some_and(|group| group.has_printed);
        self.open(&document.lists);
        let between = between.filter(|_| has_printed);
        if form == Form::Inline {
            self.join_item(between, document);
        } else {
            if has_printed {
                self.end_block(document);
            }
            for blank in between.into_iter().chain([lead]) {
                self.blank_lines(blank, is_code, &mut document.lists);
            }
        }
        if let Some(item) = self.groups.last_mut() {
            item.own = (document.lists.events.len(), document.lists.pieces.len());
        }
    }

    /// What joins the last two items of a loop that is about to end.
    pub(super) fn join_last<'a>(&self, words: &'a str, lists: &mut Lists<'a>) {
        let joint = self.groups.last().and_then(|group| group.joint);
        if let Some(joint) = joint {
            lists.pieces[joint.piece] = Piece::Words(joint.words(words));
        }
    }

    /// Blank lines, each with its break. In code they are lines like others.
    pub(super) fn blank_lines<'a>(&mut self, blank: &'a str, is_code: bool, lists: &mut Lists<'a>) {
        if blank.is_empty() {
        } else if is_code {
            for line in blank.split_terminator('\n') {
                let at = lists.pieces.len();
                lists.pieces.push(Piece::Words(line));
                lists.events.push(Event::Line(Range::new(at, at + 1)));
            }
            self.begin_line(lists);
        } else if blank.bytes().all(|byte| byte == b'\n') {
            lists.events.push(Event::Blank(number(blank.len())));
        } else {
            lists.events.push(Event::Blanks(blank));
        }
    }

    /// The line ends. It is gone if nothing of it prints, or nothing but its head.
    #[inline]
    pub(super) fn end_line(&mut self, document: &mut Document<'_>) {
        if self.line.is_open {
            self.end_open_line(document);
        }
    }

    fn end_open_line(&mut self, document: &mut Document<'_>) {
        let (from, lists) = (self.line.from, &mut document.lists);
        let written = Written(&document.written);
        let pieces = &lists.pieces[from..];
        let head = self.line.head.map(|head| head - from);
        if pieces.iter().any(is_asking) {
            lists.events.push(Event::Asked {
                pieces: Range::new(from, lists.pieces.len()),
                head: head.map(number),
            });
        } else if self.line.is_held || written.is_line(pieces, head) {
            let to = lists.pieces.len();
            lists.events.push(Event::Line(Range::new(from, to)));
        } else {
            let varies = |piece: &Piece<'_>| matches!(piece, Piece::Varies);
            if pieces.iter().any(varies) {
                lists.events.push(Event::Varies);
            }
            // What an open group did not put there comes back with the line, where the group is taken back.
            let outer = self.groups.last().map_or(0, |group| group.own.1);
            lists.pieces.truncate(from.max(outer));
            lists.events.push(Event::Gone);
        }
        self.begin_line(&document.lists);
    }

    /// Whether something is left of the line, as far as one knows.
    fn is_left(&self, document: &Document<'_>) -> bool {
        let pieces = &document.lists.pieces[self.line.from..];
        let head = self.line.head.map(|head| head - self.line.from);
        self.line.is_held
            || pieces.iter().any(is_asking)
            || Written(&document.written).is_line(pieces, head)
    }

    fn begin_line(&mut self, lists: &Lists<'_>) {
        self.line = Line {
            from: lists.pieces.len(),
            ..Line::default()
        };
    }

    // Groups.

    pub(super) fn open(&mut self, lists: &Lists<'_>) {
        let (events, pieces) = (lists.events.len(), lists.pieces.len());
        self.groups.push(Group {
            events,
            pieces,
            line: self.line,
            own: (events, pieces),
            has_printed: false,
            joint: None,
        });
    }

    pub(super) fn end_group(&mut self, form: Form, lists: &mut Lists<'_>) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        if prints_since((group.events, group.pieces), self.line, lists) {
            return;
        }
        let inside = &lists.events[group.events..];
        if inside.iter().any(is_open) {
            // That decides, once it is known what is shown.
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

    /// Words between two items of a line.
    fn join_item<'a>(&mut self, between: Option<&'a str>, document: &mut Document<'a>) {
        let begins_line = !self.line.is_open || !self.is_left(document);
        let lists = &mut document.lists;
        if let (Some(words), Some(item)) = (between, self.groups.last_mut()) {
            let joint = Joint {
                piece: lists.pieces.len(),
                begins_line,
            };
            let words = joint.words(words);
            item.joint = Some(joint);
            lists.pieces.push(Piece::Words(words));
            self.line.is_open |= !words.is_empty();
        }
    }

    /// An item that prints nothing takes what stands before it along.
    pub(super) fn end_item(&mut self, form: Form, document: &mut Document<'_>) {
        let outer = self
            .groups
            .last()
            .map(|item| (item.line.from, item.line.head));
        let line = (self.line.from, self.line.head);
        let has_own_head = self.line.head.is_some() && outer != Some(line);
        if form != Form::Inline || has_own_head && !self.is_left(document) {
            self.end_line(document);
        }
        let lists = &mut document.lists;
        let Some(item) = self.groups.pop() else {
            return;
        };
        let is_there = prints_since(item.own, self.line, lists)
            || lists.events[item.own.0..].iter().any(is_open);
        if !is_there {
            self.take_back(item, lists);
        } else if let Some(group) = self.groups.last_mut() {
            group.has_printed = true;
            group.joint = item.joint;
        }
    }
}

/// Blank lines that values print at both ends of a text go, as those of the author do.
pub(super) fn trim_ends(written: Written<'_>, lists: &mut Lists<'_>, from: usize) {
    let Lists { pieces, events } = lists;
    let first = events.get(from);
    if let Some(Event::Line(line)) = first
        && let [Piece::Words(words), Piece::Value { .. } | Piece::Varies, ..] = pieces[line.usize()]
        && is_blank(words)
    {
        // Whether these blanks are a line of their own is up to the value.
        events.insert(from, Event::Varies);
    }
    trim_end(written, pieces, events[from..].iter_mut(), trim_start);
    trim_end(written, pieces, events[from..].iter_mut().rev(), trim_tail);
}

/// A line, without the white space at one end in which a value breaks it; nothing, if there is nothing else.
type TrimLine = fn(Written<'_>, &mut [Piece<'_>], Range) -> Option<Range>;

fn trim_end<'e, 'a: 'e>(
    written: Written<'_>,
    pieces: &mut [Piece<'a>],
    events: impl Iterator<Item = &'e mut Event<'a>>,
    trim: TrimLine,
) {
    for event in events {
        match event {
            Event::Line(line) => match trim(written, pieces, *line) {
                Some(kept) => return *line = kept,
                None => *event = Event::Varies,
            },
            Event::Blank(_) | Event::Blanks(_) | Event::Gone | Event::End | Event::Varies => {}
            _ => return,
        }
    }
}

fn trim_start(written: Written<'_>, pieces: &mut [Piece<'_>], line: Range) -> Option<Range> {
    let mut kept = line;
    for at in line.usize() {
        let Some(words) = written.of(&pieces[at]) else {
            return Some(kept);
        };
        if words
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_graphic())
        {
            return Some(kept);
        }
        let length = words.len();
        let rest = words.trim_start_matches(WHITE).len();
        if let Some(last) = words[..length - rest].rfind('\n') {
            pieces[at] = pieces[at].part(last + 1..length);
            kept.from = number(at);
        }
        if rest > 0 {
            return Some(kept);
        }
    }
    None
}

fn trim_tail(written: Written<'_>, pieces: &mut [Piece<'_>], line: Range) -> Option<Range> {
    let mut kept = line;
    for at in line.usize().rev() {
        let Some(words) = written.of(&pieces[at]) else {
            return Some(kept);
        };
        if words
            .bytes()
            .next_back()
            .is_some_and(|byte| byte.is_ascii_graphic())
        {
            return Some(kept);
        }
        let end = words.trim_end_matches(WHITE).len();
        if let Some(first) = words[end..].find('\n') {
            pieces[at] = pieces[at].part(0..end + first);
            kept.to = number(at + 1);
        }
        if end > 0 {
            return Some(kept);
        }
    }
    None
}

impl Piece<'_> {
    /// Some of its bytes.
    fn part(self, bytes: std::ops::Range<usize>) -> Self {
        match self {
            Piece::Words(words) => Piece::Words(&words[bytes]),
            Piece::Value { value, text } => {
                let from = text.usize().start;
                let text = Range::new(from + bytes.start, from + bytes.end);
                Piece::Value { value, text }
            }
            piece => piece,
        }
    }
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

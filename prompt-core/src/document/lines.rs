//! Lines: what texts give, piece by piece, becomes events. A line of which nothing is left is gone; a group of which nothing
//! is left takes the blank lines before it along. What hangs on whether a section is shown is decided where it is printed.

use super::{Document, Event, Piece, Range, number};
use crate::node::depth::DEEPEST_HEADING;
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

/// What a text consists of: pieces of lines, and events over them.
#[derive(Default)]
pub(crate) struct Lists<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    pub(crate) events: Vec<Event<'a>>,
    /// Groups of the texts that are being read.
    groups: Vec<Group>,
}

impl Lists<'_> {
    /// Room for so many pieces and events.
    pub(super) fn with_capacity(pieces: usize, events: usize) -> Self {
        Self {
            pieces: Vec::with_capacity(pieces),
            events: Vec::with_capacity(events),
            groups: Vec::new(),
        }
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
    /// The text of a value ends on it: what is gone there takes the blank lines before it along.
    ends_text: bool,
    /// Words that begin none stand before the text of a value that it goes on with.
    is_continued: bool,
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

/// What stands between two items of a line: where the pieces are of its first and of its last line.
#[derive(Clone, Copy, Debug)]
struct Joint {
    first: usize,
    last: usize,
}

/// What stands between two items of a loop, and between the last two.
#[derive(Clone, Copy)]
pub(super) struct Between<'a> {
    pub(super) words: &'a str,
    pub(super) last: Option<&'a str>,
}

impl Between<'_> {
    /// Whether its breaks end lines: what stands before the last item has the same ones.
    fn has_lines(self) -> bool {
        fn breaks(words: &str) -> Option<&str> {
            words.get(words.find('\n')?..=words.rfind('\n')?)
        }
        let is_same = |last: &str| breaks(last) == breaks(self.words);
        self.words.contains('\n') && self.last.is_none_or(is_same)
    }
}

/// The state of a text that is being put together.
#[derive(Default)]
pub(super) struct Assembly {
    line: Line,
    title: usize,
    /// How many groups are open around it.
    around: usize,
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
            around: lists.groups.len(),
            title: 0,
        }
    }

    /// What are words of the line that is open begins, in lines of its own.
    pub(super) fn begin_inside(&self, lists: &Lists<'_>) -> Self {
        let mut inner = Self::begin(lists);
        inner.line.is_open = true;
        inner.line.is_held = self.is_begun(lists);
        inner.line.is_continued = self.line.is_continued;
        inner
    }

    /// Whether words stand on the line. That it is there, as each line of code is, makes none, and words may end one.
    fn is_begun(&self, lists: &Lists<'_>) -> bool {
        match self.last_piece(lists) {
            None => self.line.is_held,
            Some((_, Piece::Words(words))) => !words.ends_with('\n'),
            Some(_) => true,
        }
    }

    /// The last piece of the line that prints something.
    fn last_piece<'a>(&self, lists: &Lists<'a>) -> Option<(usize, Piece<'a>)> {
        let is_none = |piece: &Piece<'_>| is_mark(piece) || matches!(piece, Piece::Words(""));
        let line = &lists.pieces[self.line.from..];
        let last = line.iter().rposition(|piece| !is_none(piece))?;
        Some((self.line.from + last, line[last]))
    }

    /// The text of a value begins, on the line that it stands on whatever it prints. Gives whether that was continued.
    pub(super) fn begin_text(&mut self, lists: &Lists<'_>) -> bool {
        self.line.is_open = true;
        let goes_on = self.goes_on(lists);
        std::mem::replace(&mut self.line.is_continued, goes_on)
    }

    /// Whether words stand on the line that are no markers of a quotation.
    fn goes_on(&self, lists: &Lists<'_>) -> bool {
        let is_marker = |words: &str| {
            let line = words.rsplit('\n').next().unwrap_or_default();
            line.trim_start_matches([' ', '\t', '>']).is_empty()
        };
        self.line.is_continued
            || match self.last_piece(lists) {
                None => false,
                Some((_, Piece::Words(words))) => !is_marker(words),
                Some(_) => true,
            }
    }

    /// The text ends whose events stand from a place on, and what stands around it goes on.
    pub(super) fn end_text(&mut self, events: usize, was_continued: bool, lists: &mut Lists<'_>) {
        self.line.is_continued &= was_continued;
        let is_blank = |event: &Event<'_>| matches!(event, Event::Blank(_) | Event::Blanks(_));
        if !lists.events[events..].iter().any(is_blank) {
        } else if self.line.is_open {
            self.line.ends_text = true;
        } else {
            lists.events.push(Event::End);
        }
    }

    /// Whether a value on the line is in no quotation, whatever its text says.
    pub(super) fn is_continued(&self) -> bool {
        self.line.is_continued
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
        let begins = !self.is_begun(&document.lists);
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

    /// The line ends before what begins one. A break at its end is its own.
    fn break_line(&mut self, document: &mut Document<'_>) {
        match self.last_piece(&document.lists) {
            None if !self.line.is_held => return self.begin_line(&document.lists),
            Some((at, Piece::Words(words))) => {
                let words = words.strip_suffix('\n').unwrap_or(words);
                document.lists.pieces[at] = Piece::Words(words);
            }
            _ => {}
        }
        self.end_line(document);
    }

    /// The last line in a branch, the body of a loop, or a fence ends.
    pub(super) fn end_block(&mut self, document: &mut Document<'_>) {
        self.end_line(document);
        document.lists.events.push(Event::End);
    }

    /// A heading begins, if words are not on its line already.
    pub(super) fn begin_title(&mut self, document: &mut Document<'_>) -> bool {
        let begins = !self.is_begun(&document.lists);
        if begins {
            self.break_line(document);
            self.title = document.lists.pieces.len();
        }
        begins
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
        (between, lead): (Between<'a>, &'a str),
        is_code: bool,
        document: &mut Document<'a>,
    ) {
        let has_printed = self
            .group(&mut document.lists)
            .is_some_and(|group| group.has_printed);
        self.open(&mut document.lists);
        if form == Form::Inline {
            if has_printed {
                self.join_item(between, document);
            }
        } else {
            if has_printed {
                self.end_block(document);
                self.blank_lines(between.words, is_code, &mut document.lists);
            }
            self.blank_lines(lead, is_code, &mut document.lists);
        }
        let own = (document.lists.events.len(), document.lists.pieces.len());
        if let Some(item) = self.group(&mut document.lists) {
            item.own = own;
        }
    }

    /// What joins the last two items of a loop that is about to end.
    pub(super) fn join_last<'a>(&self, words: &'a str, lists: &mut Lists<'a>) {
        let Some(Joint { first, last }) = self.group(lists).and_then(|group| group.joint) else {
            return;
        };
        if first == last {
            lists.pieces[first] = Piece::Words(words);
        } else if let (Some(end), Some(start)) = (words.find('\n'), words.rfind('\n')) {
            lists.pieces[first] = Piece::Words(&words[..end]);
            lists.pieces[last] = Piece::Words(&words[start + 1..]);
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
        if document.is_open && pieces.iter().any(is_asking) {
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
            let outer = self.group(lists).map_or(0, |group| group.own.1);
            lists.pieces.truncate(from.max(outer));
            lists.events.push(Event::Gone);
            if self.line.ends_text {
                lists.events.push(Event::End);
            }
        }
        self.begin_line(&document.lists);
    }

    /// Whether something is left of the line, as far as one knows.
    fn is_left(&self, document: &Document<'_>) -> bool {
        let pieces = &document.lists.pieces[self.line.from..];
        let head = self.line.head.map(|head| head - self.line.from);
        self.line.is_held
            || Written(&document.written).is_line(pieces, head)
            || pieces.iter().any(is_asking)
    }

    fn begin_line(&mut self, lists: &Lists<'_>) {
        self.line = Line {
            from: lists.pieces.len(),
            ..Line::default()
        };
    }

    // Groups.

    /// The innermost group of the text.
    fn group<'l>(&self, lists: &'l mut Lists<'_>) -> Option<&'l mut Group> {
        lists.groups[self.around..].last_mut()
    }

    pub(super) fn open(&self, lists: &mut Lists<'_>) {
        let (events, pieces) = (lists.events.len(), lists.pieces.len());
        lists.groups.push(Group {
            events,
            pieces,
            line: self.line,
            own: (events, pieces),
            has_printed: false,
            joint: None,
        });
    }

    pub(super) fn end_group(&mut self, form: Form, lists: &mut Lists<'_>) {
        let Some(group) = lists.groups.pop() else {
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

    /// Words between two items of a line. Breaks in them end lines, but where other ones may take their place.
    fn join_item<'a>(&mut self, between: Between<'a>, document: &mut Document<'a>) {
        let from = document.lists.pieces.len();
        // What stands before the last item takes the place of the first and last words.
        let piece = |words| match words {
            "" if between.last.is_some() => Some(Piece::Varies),
            "" => None,
            words => Some(Piece::Words(words)),
        };
        if between.has_lines() {
            let mut lines = between.words.split('\n');
            self.join_words(lines.next().and_then(piece), document);
            let mut rest = lines.peekable();
            while let Some(line) = rest.next() {
                self.end_block(document);
                let is_last = rest.peek().is_none();
                if !is_last && document.lists.pieces.len() == from {
                    // The line before was gone, and the place of the first words with it.
                    self.join_words(piece(""), document);
                }
                if line.is_empty() && !is_last {
                    document.lists.events.push(Event::Blank(1));
                } else {
                    self.join_words(piece(line), document);
                }
            }
        } else {
            self.join_words(piece(between.words), document);
        }
        let last = document.lists.pieces.len().saturating_sub(1);
        if let (Some(item), Some(_)) = (self.group(&mut document.lists), between.last) {
            item.joint = Some(Joint { first: from, last });
        }
    }

    fn join_words<'a>(&mut self, piece: Option<Piece<'a>>, document: &mut Document<'a>) {
        if let Some(piece) = piece {
            document.lists.pieces.push(piece);
            self.line.is_open |= !is_mark(&piece);
        }
    }

    /// An item that prints nothing takes what stands before it along.
    pub(super) fn end_item(&mut self, form: Form, document: &mut Document<'_>) {
        let outer = self
            .group(&mut document.lists)
            .map(|item| (item.line.from, item.line.head));
        let line = (self.line.from, self.line.head);
        let has_own_head = self.line.head.is_some() && outer != Some(line);
        if form != Form::Inline || has_own_head && !self.is_left(document) {
            self.end_line(document);
        }
        let lists = &mut document.lists;
        let Some(item) = lists.groups.pop() else {
            return;
        };
        let is_there = prints_since(item.own, self.line, lists)
            || lists.events[item.own.0..].iter().any(is_open);
        if !is_there {
            self.take_back(item, lists);
        } else if let Some(group) = self.group(lists) {
            group.has_printed = true;
            group.joint = item.joint;
        }
    }
}

/// Blank lines that values print at both ends of a text go, as those of the author do.
pub(super) fn trim_ends(written: Written<'_>, lists: &mut Lists<'_>, from: usize) {
    let Lists { pieces, events, .. } = lists;
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
    // By levels, where the next title of that level or above stands.
    let mut next = [events.len(); DEEPEST_HEADING as usize];
    for at in (0..events.len()).rev() {
        let Event::Title { level, rest, .. } = &mut events[at] else {
            continue;
        };
        let level = usize::try_from(*level).unwrap_or(0).min(next.len() - 1);
        if rest.is_some() {
            *rest = Some(number(next[level] - at - 1));
        }
        next[level..].fill(at);
    }
}

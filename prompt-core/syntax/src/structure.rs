//! The Markdown structure that decides what a line is: list items and quotes around it, the paragraph it continues, the
//! fence or comment it stands in. What is inside a list item or a quote is text to this grammar, whatever it looks like.

use crate::lines::{Fence, Heading, heading, list_marker, without_trail};
use alloc::vec::Vec;

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Blanks only, outside a fence.
    Blank,
    /// A line with hashes.
    Heading(Heading),
    /// The opening line of a fence.
    FenceOpen(Fence),
    /// A line inside a fence.
    FenceInside,
    /// The closing line of a fence.
    FenceClose,
    /// Everything else.
    Text(TextLine),
}

/// What there is to know about a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// Inline code cannot reach into this line from the lines before.
    pub(crate) fresh: bool,
    pub(crate) kind: TextKind,
}

/// The kinds of text lines that make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Plain,
    /// The first line of an indented code block.
    Indented,
    /// A row of `=` or `-`: Markdown reads it and the paragraph before it as a heading.
    Underline,
    /// A fence opens inside a list item or a quote.
    FenceOpen(Fence),
    /// The lines inside such a fence.
    Fence,
    /// Its closing line.
    FenceClose,
}

impl TextLine {
    pub(crate) fn plain(fresh: bool) -> Self {
        Self {
            fresh,
            kind: TextKind::Plain,
        }
    }

    pub(crate) fn is_code(&self) -> bool {
        matches!(
            self.kind,
            TextKind::FenceOpen(_) | TextKind::Fence | TextKind::FenceClose
        )
    }

    pub(crate) fn opens_fence(&self) -> bool {
        matches!(self.kind, TextKind::FenceOpen(_))
    }

    fn going_on(kind: TextKind) -> Shape {
        Shape::Text(Self { fresh: false, kind })
    }

    fn starting(kind: TextKind) -> Shape {
        Shape::Text(Self { fresh: true, kind })
    }
}

#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// A list item and the columns its content is indented by.
    Item(usize),
}

/// What the next line may go on with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Leaf {
    #[default]
    Nothing,
    Paragraph,
    /// A paragraph that starts with a tag, which Markdown calls an HTML block.
    Html,
    /// A paragraph whose last line is `{_}`, which prints a blank one: nothing is underlined there.
    Kept,
    /// An indented code block, blank lines included.
    Indented,
    Comment,
}

/// The state between two lines.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    containers: Vec<Container>,
    /// Which of them are quotes. Names, so that blank lines need not look for them.
    quotes: Vec<usize>,
    /// The open fence and how many containers it stands in.
    fence: Option<(Fence, usize)>,
    /// Whether a fence with an info string inside a fence opens an inner one.
    nests: bool,
    /// Whether fences open at any indentation; such a one closes at any.
    takes_deep: bool,
    is_deep: bool,
    /// The fences inside the open one.
    inner: Vec<Fence>,
    leaf: Leaf,
    /// The innermost item has no content yet.
    empty_item: bool,
}

impl Structure {
    /// Reads fences within fences, which `CommonMark` does not know.
    pub(crate) fn nesting(nests: bool) -> Self {
        Self {
            nests,
            ..Self::default()
        }
    }

    /// Reads a line that is indented by four columns or more as a fence if it looks like one, which `CommonMark` does not:
    /// nested tags indent what stands in them.
    pub(crate) fn with_deep_fences() -> Self {
        Self {
            takes_deep: true,
            ..Self::default()
        }
    }

    /// Reads the next line, without its line break.
    pub(crate) fn read(&mut self, line: &str) -> Shape {
        // Most lines start with a letter or a hash, outside of everything: they cannot be anything but text or heading.
        let is_usual = |first: char| first.is_ascii_alphabetic() || first == '#';
        if line.starts_with(is_usual) && self.is_plain() {
            if let Some(heading) = heading(line, 0) {
                self.leaf = Leaf::Nothing;
                return Shape::Heading(heading);
            }
            let fresh = !self.is_in_paragraph();
            if fresh || self.leaf == Leaf::Kept {
                self.leaf = Leaf::Paragraph;
            }
            return Shape::Text(TextLine::plain(fresh));
        }
        let mut cursor = Cursor::new(line);
        if cursor.rest().is_empty() {
            return self.read_blank();
        }
        let depth = self.matching(&mut cursor);
        if cursor.rest().is_empty() {
            return self.read_blank_in_quote(depth);
        }
        if let Some(shape) = self.read_in_fence(&cursor, depth) {
            return shape;
        }
        if self.leaf == Leaf::Comment {
            self.leaf = if line.contains("-->") {
                Leaf::Nothing
            } else {
                Leaf::Comment
            };
            return TextLine::going_on(TextKind::Plain);
        }
        if depth < self.containers.len() {
            if self.is_in_paragraph() && !starts_block(&cursor) {
                return TextLine::going_on(TextKind::Plain);
            }
            self.leave_containers(depth);
            self.leaf = Leaf::Nothing;
        }
        let fresh = self.enter_containers(&mut cursor);
        self.read_leaf(&mut cursor, fresh)
    }

    /// Whether a line stands in a fence or a comment, where nothing has a meaning.
    pub(crate) fn is_literal(&self, line: &str) -> bool {
        self.leaf == Leaf::Comment || self.is_in_fence(line)
    }

    /// Whether a line stands in a fence.
    pub(crate) fn is_in_fence(&self, line: &str) -> bool {
        let mut cursor = Cursor::new(line);
        self.fence
            .as_ref()
            .is_some_and(|(_, depth)| self.matching(&mut cursor) >= *depth)
    }

    /// Whether the line that was read last belongs to an indented code block.
    pub(crate) fn is_in_indented_code(&self) -> bool {
        self.leaf == Leaf::Indented
    }

    fn is_plain(&self) -> bool {
        self.containers.is_empty() && self.fence.is_none() && self.leaf != Leaf::Comment
    }

    fn is_in_paragraph(&self) -> bool {
        matches!(self.leaf, Leaf::Paragraph | Leaf::Html | Leaf::Kept)
    }

    fn read_blank(&mut self) -> Shape {
        if matches!(self.fence, Some((_, 0))) {
            return Shape::FenceInside;
        }
        self.break_off(0);
        Shape::Blank
    }

    /// A line of nothing but the marks of quotes is blank to what stands in them.
    fn read_blank_in_quote(&mut self, depth: usize) -> Shape {
        self.break_off(depth);
        let is_fence = |(_, outer): &(Fence, usize)| *outer <= self.containers.len();
        if self.fence.as_ref().is_some_and(is_fence) {
            TextLine::going_on(TextKind::Fence)
        } else {
            TextLine::starting(TextKind::Plain)
        }
    }

    /// What a blank line in some containers ends: the quotes that do not go on in it, an item in which nothing has come,
    /// a paragraph.
    fn break_off(&mut self, depth: usize) {
        if core::mem::take(&mut self.empty_item) {
            self.containers.pop();
        }
        let inside = self.quotes.partition_point(|quote| *quote < depth);
        if let Some(&quote) = self.quotes.get(inside) {
            self.leave_containers(quote);
        }
        if self.is_in_paragraph() {
            self.leaf = Leaf::Nothing;
        }
    }

    /// Steps over the containers that go on in this line and says how many they are.
    fn matching(&self, cursor: &mut Cursor<'_>) -> usize {
        self.containers
            .iter()
            .take_while(|container| cursor.step_into(container))
            .count()
    }

    fn leave_containers(&mut self, depth: usize) {
        self.containers.truncate(depth);
        let kept = self.quotes.partition_point(|quote| *quote < depth);
        self.quotes.truncate(kept);
    }

    fn read_in_fence(&mut self, cursor: &Cursor<'_>, depth: usize) -> Option<Shape> {
        let (fence, outer) = self.fence.as_ref()?;
        let outer = *outer;
        if depth < outer {
            self.fence = None;
            self.inner.clear();
            return None;
        }
        let inside = if outer == 0 {
            Shape::FenceInside
        } else {
            TextLine::going_on(TextKind::Fence)
        };
        if self.nests {
            let opened = Fence::open(cursor.rest(), 0).filter(|fence| !fence.info.is_empty());
            let closes = |inner: &mut Fence| inner.is_closed_by(cursor.rest());
            if let Some(inner) = opened {
                self.inner.push(inner);
                return Some(inside);
            }
            if self.inner.pop_if(closes).is_some() {
                return Some(inside);
            }
        }
        // Deeper containers are not tracked inside a fence, so an inner closing line may be indented at will.
        let may_close = cursor.indent() < 4 || outer > 0 || self.is_deep;
        let closes = may_close && fence.is_closed_by(cursor.rest());
        if closes {
            self.fence = None;
        }
        Some(match (outer, closes) {
            (0, true) => Shape::FenceClose,
            (_, true) => TextLine::going_on(TextKind::FenceClose),
            (_, false) => inside,
        })
    }

    /// Opens the list items and quotes that start in this line; whether the line starts a paragraph of its own.
    fn enter_containers(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let mut fresh = !self.is_in_paragraph();
        while cursor.indent() < 4 {
            if cursor.enter_quote() {
                self.quotes.push(self.containers.len());
                self.containers.push(Container::Quote);
            } else if let Some(width) = cursor.enter_item(!fresh) {
                self.containers.push(Container::Item(width));
            } else {
                break;
            }
            self.leaf = Leaf::Nothing;
            fresh = true;
        }
        self.empty_item =
            cursor.rest().is_empty() && matches!(self.containers.last(), Some(Container::Item(_)));
        fresh
    }

    fn read_leaf(&mut self, cursor: &mut Cursor<'_>, fresh: bool) -> Shape {
        let content = cursor.rest();
        let depth = self.containers.len();
        let is_deep = cursor.indent() >= 4;
        let fence = Fence::open(content, cursor.byte).filter(|_| !is_deep || self.takes_deep);
        if let Some(fence) = fence {
            self.leaf = Leaf::Nothing;
            self.is_deep = is_deep;
            self.fence = Some((fence.clone(), depth));
            return if depth == 0 {
                Shape::FenceOpen(fence)
            } else {
                TextLine::starting(TextKind::FenceOpen(fence))
            };
        }
        if is_deep {
            let starts = fresh && self.leaf != Leaf::Indented && !content.is_empty();
            self.leaf = if starts { Leaf::Indented } else { self.leaf };
            return Shape::Text(TextLine {
                fresh,
                kind: if starts {
                    TextKind::Indented
                } else {
                    TextKind::Plain
                },
            });
        }
        if let Some(heading) = heading(content, cursor.byte) {
            self.leaf = Leaf::Nothing;
            return if depth == 0 {
                Shape::Heading(heading)
            } else {
                TextLine::starting(TextKind::Plain)
            };
        }
        self.read_text(cursor, fresh)
    }

    fn read_text(&mut self, cursor: &mut Cursor<'_>, fresh: bool) -> Shape {
        let content = cursor.rest();
        if self.containers.is_empty() && content.starts_with("<!--") {
            let is_closed = content.get(2..).is_some_and(|rest| rest.contains("-->"));
            self.leaf = if is_closed {
                Leaf::Nothing
            } else {
                Leaf::Comment
            };
            return TextLine::starting(TextKind::Plain);
        }
        if !fresh && is_underline(content) {
            let is_heading = self.containers.is_empty() && self.leaf == Leaf::Paragraph;
            self.leaf = Leaf::Nothing;
            return TextLine::going_on(if is_heading {
                TextKind::Underline
            } else {
                TextKind::Plain
            });
        }
        if cursor.is_break() {
            self.leaf = Leaf::Nothing;
            return TextLine::starting(TextKind::Plain);
        }
        if without_trail(content) == "{_}" {
            self.leaf = Leaf::Kept;
        } else if fresh || self.leaf == Leaf::Kept {
            self.leaf = match content.as_bytes() {
                [] => Leaf::Nothing,
                [b'<', b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] => Leaf::Html,
                _ => Leaf::Paragraph,
            };
        }
        Shape::Text(TextLine::plain(fresh))
    }
}

/// Whether a line that left its list item or quote cannot be read as going on with the paragraph there.
fn starts_block(cursor: &Cursor<'_>) -> bool {
    let content = cursor.rest();
    cursor.indent() < 4
        && (content.starts_with('>')
            || content.starts_with("<!--")
            || cursor.clone().enter_item(false).is_some()
            || cursor.clone().is_break()
            || Fence::open(content, 0).is_some()
            || heading(content, 0).is_some())
}

/// A row of `=` or `-`.
fn is_underline(content: &str) -> bool {
    let row = without_trail(content);
    let is_of = |mark| row.bytes().all(|byte| byte == mark);
    !row.is_empty() && (is_of(b'=') || is_of(b'-'))
}

/// A place in a line: always at a byte that is not blank, or at the end.
#[derive(Clone, Debug)]
struct Cursor<'t> {
    line: &'t str,
    byte: usize,
    column: usize,
    /// The column at which the content of the innermost container starts.
    base: usize,
    /// A mark and a later byte because of which the line is no thematic break of that mark: many list markers in one
    /// line would look for it again and again.
    no_break: (u8, usize),
}

impl<'t> Cursor<'t> {
    fn new(line: &'t str) -> Self {
        let mut cursor = Self {
            line,
            byte: 0,
            column: 0,
            base: 0,
            no_break: (0, 0),
        };
        cursor.skip_blanks();
        cursor
    }

    fn rest(&self) -> &'t str {
        self.line.get(self.byte..).unwrap_or_default()
    }

    fn indent(&self) -> usize {
        self.column.saturating_sub(self.base)
    }

    fn advance(&mut self, bytes: usize) {
        self.byte += bytes;
        self.column += bytes;
    }

    fn skip_blanks(&mut self) {
        for byte in self.line.bytes().skip(self.byte) {
            match byte {
                b' ' => self.column += 1,
                b'\t' => self.column += 4 - self.column % 4,
                _ => break,
            }
            self.byte += 1;
        }
    }

    fn step_into(&mut self, container: &Container) -> bool {
        match *container {
            Container::Quote => self.indent() < 4 && self.enter_quote(),
            Container::Item(width) => {
                let inside = self.indent() >= width;
                self.base += if inside { width } else { 0 };
                inside
            }
        }
    }

    fn enter_quote(&mut self) -> bool {
        let inside = self.rest().starts_with('>');
        if inside {
            self.advance(1);
            self.base = self.column + usize::from(self.rest().starts_with([' ', '\t']));
            self.skip_blanks();
        }
        inside
    }

    /// Whether a thematic break starts here: three or more `-`, `*` or `_`, with blanks at will.
    fn is_break(&mut self) -> bool {
        let content = self.rest();
        let Some(mark) = content
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'-' | b'*' | b'_'))
        else {
            return false;
        };
        if self.no_break.0 == mark && self.no_break.1 > self.byte {
            return false;
        }
        let mut marks = 0;
        for (at, byte) in content.bytes().enumerate() {
            match byte {
                b' ' | b'\t' => {}
                _ if byte == mark => marks += 1,
                _ => {
                    self.no_break = (mark, self.byte + at);
                    return false;
                }
            }
        }
        marks >= 3
    }

    /// Steps over a list marker and gives the columns that the content is indented by. A list that interrupts a
    /// paragraph needs content, and an ordered one starts with 1.
    fn enter_item(&mut self, interrupts: bool) -> Option<usize> {
        let marker = list_marker(self.rest())?;
        let after = self.rest().get(marker..)?;
        let is_empty = after.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        let is_first = matches!(self.rest().as_bytes(), [b'1', b'.' | b')', ..]) || marker == 1;
        if self.is_break() || (interrupts && (is_empty || !is_first)) {
            return None;
        }
        let indent = self.indent();
        self.advance(marker);
        let end = self.column;
        self.skip_blanks();
        let blanks = self.column - end;
        let width = indent + marker + if is_empty || blanks > 4 { 1 } else { blanks };
        self.base += width;
        Some(width)
    }
}

//! The Markdown structure that decides what a line is: list items and quotes around it, the paragraph it continues, the
//! fence or comment it stands in. What is inside a list item or a quote is text to this grammar, whatever it looks like.

use crate::lines::{Fence, Heading, heading};
use alloc::vec::Vec;
use core::ops::Range;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// Inline code cannot reach into this line from the lines before.
    pub(crate) fresh: bool,
    /// It belongs to a fence inside a list item or a quote.
    pub(crate) code: bool,
    /// It opens such a fence; the place of the info string, in bytes of the line.
    pub(crate) fence: Option<Range<usize>>,
    /// It starts an indented code block.
    pub(crate) indented: bool,
    /// Markdown reads it and the paragraph before it as a heading.
    pub(crate) underline: bool,
}

#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// A list item and the columns its content is indented by.
    Item(usize),
}

/// The state between two lines.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    containers: Vec<Container>,
    /// The open fence and how many containers it stands in.
    fence: Option<(Fence, usize)>,
    comment: bool,
    paragraph: bool,
    /// The paragraph is what Markdown calls an HTML block.
    html: bool,
    indented: bool,
    /// The innermost item has no content yet.
    empty_item: bool,
}

impl Structure {
    /// Reads the next line, without its line break.
    pub(crate) fn read(&mut self, line: &str) -> Shape {
        let mut cursor = Cursor::new(line);
        if cursor.rest().is_empty() {
            return self.read_blank();
        }
        let depth = self.matching(&mut cursor);
        if let Some(shape) = self.read_in_fence(&cursor, depth) {
            return shape;
        }
        if self.comment {
            self.comment = !line.contains("-->");
            return Shape::Text(TextLine::default());
        }
        if depth < self.containers.len() {
            if self.paragraph && !starts_block(&cursor) {
                return Shape::Text(TextLine::default());
            }
            self.containers.truncate(depth);
            self.end_paragraph();
        }
        let fresh = self.enter_containers(&mut cursor);
        self.read_leaf(&mut cursor, fresh)
    }

    /// Whether a line stands in a fence or a comment, where nothing has a meaning.
    pub(crate) fn is_literal(&self, line: &str) -> bool {
        let mut cursor = Cursor::new(line);
        self.comment || self.fence.as_ref().is_some_and(|(_, depth)| self.matching(&mut cursor) >= *depth)
    }

    fn read_blank(&mut self) -> Shape {
        if matches!(self.fence, Some((_, 0))) {
            return Shape::FenceInside;
        }
        if core::mem::take(&mut self.empty_item) {
            self.containers.pop();
        }
        if let Some(quote) = self.containers.iter().position(|container| matches!(container, Container::Quote)) {
            self.containers.truncate(quote);
        }
        self.fence.take_if(|(_, depth)| *depth > self.containers.len());
        self.paragraph = false;
        Shape::Blank
    }

    /// Steps over the containers that go on in this line and says how many they are.
    fn matching(&self, cursor: &mut Cursor<'_>) -> usize {
        self.containers.iter().take_while(|container| cursor.step_into(container)).count()
    }

    fn read_in_fence(&mut self, cursor: &Cursor<'_>, depth: usize) -> Option<Shape> {
        let (fence, outer) = self.fence.as_ref()?;
        let outer = *outer;
        if depth < outer {
            self.fence = None;
            return None;
        }
        // Deeper containers are not tracked inside a fence, so an inner closing line may be indented at will.
        let closes = (cursor.indent() < 4 || outer > 0) && fence.is_closed_by(cursor.rest());
        if closes {
            self.fence = None;
        }
        Some(match (outer, closes) {
            (0, true) => Shape::FenceClose,
            (0, false) => Shape::FenceInside,
            _ => Shape::Text(TextLine { code: true, ..TextLine::default() }),
        })
    }

    /// Opens the list items and quotes that start in this line; whether the line starts a paragraph of its own.
    fn enter_containers(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let mut fresh = !self.paragraph;
        while cursor.indent() < 4 {
            if cursor.enter_quote() {
                self.containers.push(Container::Quote);
            } else if let Some(width) = cursor.enter_item(!fresh) {
                self.containers.push(Container::Item(width));
                self.empty_item = cursor.rest().is_empty();
            } else {
                break;
            }
            self.end_paragraph();
            fresh = true;
        }
        if !cursor.rest().is_empty() {
            self.empty_item = false;
        }
        fresh
    }

    fn read_leaf(&mut self, cursor: &mut Cursor<'_>, fresh: bool) -> Shape {
        let content = cursor.rest();
        let depth = self.containers.len();
        if cursor.indent() >= 4 {
            let starts = fresh && !self.indented && !content.is_empty();
            self.indented |= starts;
            return Shape::Text(TextLine { fresh, indented: starts, ..TextLine::default() });
        }
        if let Some(fence) = Fence::open(content, cursor.byte) {
            self.end_paragraph();
            self.fence = Some((fence.clone(), depth));
            if depth == 0 {
                return Shape::FenceOpen(fence);
            }
            return Shape::Text(TextLine { fresh: true, code: true, fence: Some(fence.info), ..TextLine::default() });
        }
        if let Some(heading) = heading(content, cursor.byte) {
            self.end_paragraph();
            if depth == 0 {
                return Shape::Heading(heading);
            }
            return Shape::Text(TextLine { fresh: true, ..TextLine::default() });
        }
        self.read_text(cursor, fresh)
    }

    fn read_text(&mut self, cursor: &mut Cursor<'_>, fresh: bool) -> Shape {
        let content = cursor.rest();
        let is_html = content.starts_with('<');
        if is_html && self.containers.is_empty() && content.starts_with("<!--") {
            self.end_paragraph();
            self.comment = !content.get(2..).is_some_and(|rest| rest.contains("-->"));
            return Shape::Text(TextLine { fresh: true, ..TextLine::default() });
        }
        if !fresh && is_underline(content) {
            let underline = self.containers.is_empty() && !self.html;
            self.end_paragraph();
            return Shape::Text(TextLine { underline, ..TextLine::default() });
        }
        if cursor.is_break() {
            self.end_paragraph();
            return Shape::Text(TextLine { fresh: true, ..TextLine::default() });
        }
        if fresh {
            self.html =
                is_html && content.bytes().nth(1).is_some_and(|byte| byte == b'/' || byte.is_ascii_alphabetic());
        }
        self.paragraph = !content.is_empty();
        self.indented = false;
        Shape::Text(TextLine { fresh, ..TextLine::default() })
    }

    fn end_paragraph(&mut self) {
        self.paragraph = false;
        self.indented = false;
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
    let row = content.trim_end_matches([' ', '\t']);
    let mark = row.bytes().next().filter(|byte| matches!(byte, b'=' | b'-'));
    mark.is_some_and(|mark| row.bytes().all(|byte| byte == mark))
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
        let mut cursor = Self { line, byte: 0, column: 0, base: 0, no_break: (0, 0) };
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
        let Some(mark) = content.bytes().next().filter(|byte| matches!(byte, b'-' | b'*' | b'_')) else { return false };
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

/// Bytes of the list marker (`-`, `*`, `+`, `1.`, `1)`) that a text starts with; it needs a blank or the line end after.
pub(crate) fn list_marker(content: &str) -> Option<usize> {
    let bytes = content.as_bytes();
    let length = match bytes.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            matches!(bytes.get(digits), Some(b'.' | b')')).then_some(digits + 1).filter(|_| digits < 10)?
        }
        _ => return None,
    };
    bytes.get(length).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n')).then_some(length)
}

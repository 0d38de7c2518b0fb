//! The lines of a text as pieces: which of them go where nothing is printed of them, and what they keep then.

use crate::{
    Form, Inline, InlineText, Str, TagPlace,
    brace::TokenKind,
    branches::own,
    findings::Piece,
    lines::{code_head, is_blank, line_head, quote_head, quote_marker},
    nest::{Builder, Nest},
};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// Makes the text of some pieces.
pub(crate) fn text_lines(builder: &Builder<'_, '_>, pieces: &[Piece], is_code: bool) -> InlineText {
    let atoms = atoms(builder, pieces);
    let mut writer = LineWriter {
        builder,
        nest: Nest::new(builder, pieces.len()),
        is_code,
        gap: String::new(),
        before: None,
        is_behind_marker: false,
    };
    for (index, line) in lines(builder, &atoms, is_code).iter().enumerate() {
        if index > 0 {
            writer.gap.push('\n');
        }
        writer.line(line);
    }
    writer.end();
    writer.nest.finish()
}

/// A part of a line.
enum Atom<'p> {
    Text(&'p str),
    Break,
    /// No literal, and no marker that is text.
    Piece(&'p Piece),
}

impl Atom<'_> {
    fn token(&self) -> Option<usize> {
        match self {
            Atom::Piece(piece) => piece.token(),
            _ => None,
        }
    }

    fn is_value(&self) -> bool {
        matches!(self, Atom::Piece(Piece::Inline(Inline::Value { .. })))
    }

    /// Whether nothing but blanks is in it.
    fn is_blank(&self) -> bool {
        matches!(self, Atom::Text(text) if text.bytes().all(is_blank))
    }
}

/// The pieces with literals cut into lines, and markers that are none as literals.
fn atoms<'p>(builder: &'p Builder<'_, '_>, pieces: &'p [Piece]) -> Vec<Atom<'p>> {
    let mut atoms = Vec::with_capacity(pieces.len() * 2);
    for piece in pieces {
        let text = match piece {
            Piece::Inline(Inline::Literal(text)) => text,
            Piece::Token(token) if builder.forms[*token].is_none() => builder.marker_text(*token),
            piece => {
                atoms.push(Atom::Piece(piece));
                continue;
            }
        };
        for (index, line) in text.split('\n').enumerate() {
            atoms.extend((index > 0).then_some(Atom::Break));
            atoms.extend((!line.is_empty()).then_some(Atom::Text(line)));
        }
    }
    atoms
}

/// A line of a text.
struct TextLine<'l> {
    atoms: &'l [Atom<'l>],
    kind: LineKind,
    /// Whether it begins inside of a condition or loop within lines.
    is_inside: bool,
    /// Whether it is code, where a line of values stays whatever they print.
    is_code: bool,
    /// Whether it opens, or closes, a fence in a list item or quote.
    opens_fence: bool,
    closes_fence: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Blank,
    /// It is always printed.
    Kept,
    /// It goes where nothing but this many bytes of head is printed of it.
    Goes(usize),
    /// It is a marker, which is not printed.
    Marker(usize),
}

impl LineKind {
    fn may_go(self) -> bool {
        matches!(self, Self::Goes(_) | Self::Marker(_))
    }
}

/// Tells the lines of a text apart.
fn lines<'l>(
    builder: &'l Builder<'_, '_>,
    atoms: &'l [Atom<'l>],
    is_code: bool,
) -> Vec<TextLine<'l>> {
    let mut reader = LineReader {
        builder,
        is_code,
        is_fence: false,
        opens_fence: false,
        depth: 0,
    };
    let lines = atoms.split(|atom| matches!(atom, Atom::Break));
    let mut lines: Vec<TextLine<'_>> = lines.map(|atoms| reader.line(atoms)).collect();
    if !is_code {
        let mut goes_on = false;
        for line in lines
            .iter_mut()
            .rev()
            .filter(|line| line.kind != LineKind::Blank)
        {
            line.closes_fence = line.is_code && !goes_on;
            goes_on = line.is_code && !line.opens_fence;
        }
    }
    lines
}

struct LineReader<'l, 'b, 't> {
    builder: &'l Builder<'b, 't>,
    /// Whether all is code, where `>` is no quote marker.
    is_code: bool,
    /// Whether it is code in a list item or quote.
    is_fence: bool,
    /// Whether the line opens it.
    opens_fence: bool,
    /// How many conditions and loops within lines are open that do not end with their line.
    depth: usize,
}

impl LineReader<'_, '_, '_> {
    fn line<'l>(&mut self, atoms: &'l [Atom<'l>]) -> TextLine<'l> {
        let atoms = self.read_fences(atoms);
        let (depth, is_code) = (self.depth, self.is_code || self.is_fence);
        for token in atoms.iter().filter_map(Atom::token) {
            let kind = self.builder.tokens[token].kind;
            match self.builder.forms[token] {
                Some(Form::Inline) if kind.opens() => self.depth += 1,
                Some(Form::Inline) if kind == TokenKind::End => self.depth -= 1,
                _ => {}
            }
        }
        let has_tokens = atoms.iter().any(|atom| atom.token().is_some());
        TextLine {
            kind: if has_tokens {
                self.kind(atoms, depth, is_code)
            } else {
                self.kind_without_tokens(atoms, depth, is_code)
            },
            atoms,
            is_inside: depth > 0,
            is_code,
            opens_fence: self.opens_fence,
            closes_fence: false,
        }
    }

    /// Takes what tells where fences begin and end off a line: it stands at its start, and at the end of the text.
    fn read_fences<'l>(&mut self, mut atoms: &'l [Atom<'l>]) -> &'l [Atom<'l>] {
        self.opens_fence = false;
        while let [Atom::Piece(Piece::Code(is_fence)), rest @ ..] = atoms {
            (self.is_fence, self.opens_fence) = (*is_fence, *is_fence);
            atoms = rest;
        }
        if let [line @ .., Atom::Piece(Piece::Code(_))] = atoms {
            atoms = line;
        }
        atoms
    }

    /// A line with markers goes where nothing is printed of it, unless a value that stays stands on it outside of them.
    fn kind(&self, atoms: &[Atom<'_>], mut depth: usize, is_code: bool) -> LineKind {
        let head = match atoms.first() {
            Some(Atom::Text(text)) if depth == 0 && self.is_code => code_head(text),
            Some(Atom::Text(text)) if depth == 0 => line_head(text),
            _ => 0,
        };
        let keeps_values = is_code
            || matches!(atoms.first(), Some(Atom::Text(text)) if head > quote_head(&text[..head]));
        let mut behind = head;
        for atom in atoms {
            let is_kept = match atom {
                Atom::Text(text) => !text[behind..].bytes().all(is_blank),
                Atom::Piece(Piece::Inline(Inline::Escaped(_) | Inline::Nothing)) => true,
                atom => keeps_values && atom.is_value(),
            };
            if is_kept && depth == 0 {
                return LineKind::Kept;
            }
            if let Some(token) = atom.token() {
                let kind = self.builder.tokens[token].kind;
                match self.builder.forms[token] {
                    Some(Form::Block) => return LineKind::Marker(token),
                    _ if kind.opens() => depth += 1,
                    _ if kind == TokenKind::End => depth -= 1,
                    _ => {}
                }
            }
            behind = 0;
        }
        LineKind::Goes(head)
    }

    /// A line without markers goes if it is nothing but values.
    fn kind_without_tokens(&self, atoms: &[Atom<'_>], depth: usize, is_code: bool) -> LineKind {
        let (first, rest) = match atoms {
            [Atom::Text(text), rest @ ..] if !self.is_code => (*text, rest),
            _ => ("", atoms),
        };
        let head = quote_head(first);
        let is_bare = |atom: &Atom<'_>| atom.is_value() || atom.is_blank();
        let has_values = rest.iter().any(Atom::is_value);
        if head < first.len() || !rest.iter().all(is_bare) {
            LineKind::Kept
        } else if has_values && !is_code {
            LineKind::Goes(head)
        } else if has_values || first.contains('>') || depth > 0 {
            LineKind::Kept
        } else {
            LineKind::Blank
        }
    }
}

/// Writes lines into a nest.
struct LineWriter<'n, 'b, 't> {
    builder: &'n Builder<'b, 't>,
    nest: Nest<'n, 'b, 't>,
    /// Whether all is code, where `>` is no quote marker.
    is_code: bool,
    /// The line break since the last line that was written, and blank lines.
    gap: String,
    /// Whether a line was written, and whether it may go.
    before: Option<bool>,
    /// Nothing stands between the last marker line and this place.
    is_behind_marker: bool,
}

impl LineWriter<'_, '_, '_> {
    fn line(&mut self, line: &TextLine<'_>) {
        match line.kind {
            LineKind::Blank => {
                let texts = line.atoms.iter().filter_map(|atom| match atom {
                    Atom::Text(text) => Some(*text),
                    _ => None,
                });
                self.gap.extend(texts);
            }
            LineKind::Marker(token) => self.marker(token, line.atoms),
            _ => self.words(line),
        }
    }

    /// A line that is printed, or goes.
    fn words(&mut self, line: &TextLine<'_>) {
        self.end_gap(line.kind.may_go());
        if line.opens_fence {
            self.nest.push(Inline::Fence { is_open: true });
        }
        let (text, behind) = match line.atoms {
            [Atom::Text(text), behind @ ..] => (*text, behind),
            behind => ("", behind),
        };
        // Conditions and loops may stand before the marker of a quotation.
        let is_token = |atom: &&Atom<'_>| atom.token().is_some();
        let quote = match line.atoms.iter().find(|atom| !is_token(atom)) {
            Some(Atom::Text(text)) if !self.is_code && text.contains('>') => quote_marker(text),
            _ => String::new(),
        };
        let mut rest = line.atoms;
        if line.kind == LineKind::Kept && line.is_code && self.before != Some(false) {
            self.begin_code(line.atoms);
        }
        if let LineKind::Goes(length) = line.kind {
            // Values alone need no head: the line is there if one of them prints something.
            if !line.is_inside && line.atoms.iter().all(Atom::is_value) {
            } else if !line.is_inside {
                rest = self.head(text, length, behind);
            } else if line.atoms.iter().all(|atom| atom.token().is_none()) {
                self.nest.push(Inline::Line {
                    head: Cow::Borrowed(""),
                });
            }
        }
        for atom in rest {
            match atom {
                Atom::Text(text) => self.nest.push(Inline::Literal(own(text))),
                Atom::Piece(Piece::Inline(Inline::Value { source, .. })) => {
                    self.nest.push(Inline::Value {
                        source: source.clone(),
                        index: 0,
                        quote: own(&quote),
                        tag: TagPlace::Outside,
                    });
                }
                Atom::Piece(Piece::Inline(piece)) => self.nest.push(piece.clone()),
                Atom::Piece(Piece::Token(token)) => self.nest.token(*token),
                Atom::Break | Atom::Piece(Piece::Code(_)) => {}
            }
        }
        self.nest.end_line();
        if line.closes_fence {
            self.nest.push(Inline::Fence { is_open: false });
        }
        self.before = Some(line.kind.may_go());
    }

    /// A line of code that begins with a value is there, whatever it prints.
    fn begin_code(&mut self, atoms: &[Atom<'_>]) {
        let is_gone = |first: &Atom<'_>| first.is_value() || first.token().is_some();
        if atoms.first().is_some_and(is_gone) {
            self.nest.push_line("");
        }
    }

    /// Begins a line that may go. The head of a line under line loops is repeated with it, so it stands inside of them.
    /// Gives the atoms behind the head and these loops.
    fn head<'p>(&mut self, text: &str, length: usize, rest: &'p [Atom<'p>]) -> &'p [Atom<'p>] {
        let (head, blanks) = text.split_at(length);
        let is_each = |atom: &Atom<'_>| {
            let token = atom.token().map(|token| self.builder.tokens[token].kind);
            matches!(token, Some(TokenKind::Each { .. }))
        };
        let opens_line = |atom: &&Atom<'_>| {
            let token = atom.token();
            token.is_some_and(|token| self.builder.forms[token] == Some(Form::Line))
        };
        let chain = rest.iter().take_while(opens_line).count();
        let loops = rest[..chain].iter().rposition(is_each);
        // Blanks behind the head belong to the line, which has no loops then: these stand directly behind the head.
        let loops = loops.filter(|_| blanks.is_empty()).map_or(0, |at| at + 1);
        for token in rest[..loops].iter().filter_map(Atom::token) {
            self.nest.token(token);
        }
        self.nest.push(Inline::Line { head: own(head) });
        self.nest.push(Inline::Literal(own(blanks)));
        &rest[loops..]
    }

    /// A marker line in code.
    fn marker(&mut self, token: usize, atoms: &[Atom<'_>]) {
        let parts = atoms.iter().map(|atom| match atom {
            Atom::Text(text) => text,
            atom => atom
                .token()
                .map_or("", |token| self.builder.marker_text(token)),
        });
        let line: Str = Cow::Owned(parts.collect());
        let kind = self.builder.tokens[token].kind;
        if kind.opens() {
            self.end_gap(true);
            self.nest.open(token, Form::Block, line);
        } else {
            // The break of the line before belongs to that line.
            let blanks = own(self.gap.get(1..).unwrap_or_default());
            self.gap.clear();
            if kind == TokenKind::Else {
                self.nest.branch(line, blanks);
            } else {
                self.nest.close(line, blanks);
            }
        }
        self.is_behind_marker = kind != TokenKind::End;
        self.before = Some(true);
    }

    /// Writes the white space between the line before and the next one.
    fn end_gap(&mut self, may_go: bool) {
        let gap = core::mem::take(&mut self.gap);
        if core::mem::take(&mut self.is_behind_marker) {
            self.nest.lead(own(gap.get(1..).unwrap_or_default()));
            return;
        }
        match (self.before, gap.split_once('\n')) {
            // The first line of code has no break before it.
            (None, Some((blanks, rest))) if self.is_code && may_go => {
                self.nest.push_line(blanks);
                self.nest.push(Inline::Break(["\n", rest].concat().into()));
            }
            (Some(before), _) if before || may_go => self.nest.push(Inline::Break(gap.into())),
            _ => self.nest.push(Inline::Literal(gap.into())),
        }
    }

    /// Writes blank lines at the end, of which the last one has no break of its own.
    fn end(&mut self) {
        let gap = core::mem::take(&mut self.gap);
        match gap.rfind('\n') {
            Some(last) if self.is_code && self.before == Some(true) => {
                let (breaks, line) = gap.split_at(last + 1);
                self.nest.push(Inline::Break(own(breaks)));
                self.nest.push_line(line);
            }
            _ => self.nest.push(Inline::Literal(gap.into())),
        }
    }
}

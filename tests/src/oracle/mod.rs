//! What a text prints, told from the guide's page of the language alone: conditions and loops are unrolled, then the lines
//! that are left are put together with their blank lines. Nothing of the library's grammar or renderer is used.
//!
//! It takes texts without faults that are made of names and paths, conditions, loops, `{_}`, fences, headings, notes,
//! quotations, lists and tables, with keys of variables, and trees of them: slots, titles, numbers, both styles. It knows no
//! formats, doubled braces and guarding.

mod nodes;
mod page;
mod source;
mod values;

pub use nodes::{Look, Node, printed_node};
use page::{Event, Tag, is_there, prints};
use serde_json::Value;
use source::{Atom, Line, Marker, Piece, heading, is_blank, quote};
use values::{Names, column, items, value_lines};

/// What a text prints, whose headings move down by so many levels.
pub fn printed(text: &str, values: &Value, shift: usize) -> String {
    printed_with(text, values, &Value::Null, shift)
}

/// The same, with keys of its variables as a file has them.
pub fn printed_with(text: &str, values: &Value, keys: &Value, shift: usize) -> String {
    let look = Look {
        is_xml: false,
        level: shift + 1,
        is_numbered: false,
    };
    printed_node(&Node::of(text), values, keys, look)
}

/// The same in XML, where titles are tags.
pub fn printed_in_xml(text: &str, values: &Value, keys: &Value) -> String {
    let look = Look {
        is_xml: true,
        level: 1,
        is_numbered: false,
    };
    printed_node(&Node::of(text), values, keys, look)
}

/// Names and what they stand for, inner ones last.
type Scope = Vec<(String, Value)>;

struct Oracle {
    names: Vec<String>,
    /// Keys of variables, by name.
    keys: Value,
    is_xml: bool,
    /// By how many levels headings move.
    shift: isize,
    /// What stands in the slots, by key: `None` where that is nothing.
    slots: Vec<(String, Event)>,
}

impl Oracle {
    fn is_known(&self, path: &str) -> bool {
        path.split('.')
            .next()
            .is_some_and(|name| self.names.iter().any(|known| known == name))
    }

    /// The next known brace: the words before it, what it holds, the rest.
    fn brace<'t>(&self, text: &'t str, is_code: bool) -> Option<(&'t str, &'t str, &'t str)> {
        let braces = text
            .match_indices('{')
            .filter_map(|(at, _)| Some((at, text[at + 1..].split_once('}')?)));
        let mut known = braces.filter(|(_, (inner, _))| match Marker::read(inner) {
            Some(Marker::Else) => true,
            Some(Marker::End) => self.is_known(&inner[1..]),
            Some(marker) => marker.path().is_some_and(|path| self.is_known(path)),
            None => self.is_known(inner) || (*inner == "_" && !is_code),
        });
        known
            .next()
            .map(|(at, (inner, rest))| (&text[..at], inner, rest))
    }

    /// The pieces up to the end of what is open, how that ends, and what is left.
    fn pieces<'t>(
        &self,
        mut text: &'t str,
        is_code: bool,
    ) -> (Vec<Piece<'t>>, Option<Marker<'t>>, &'t str) {
        let mut pieces = Vec::new();
        while let Some((words, inner, mut rest)) = self.brace(text, is_code) {
            pieces.push(Piece::Words(words));
            match Marker::read(inner) {
                Some(end @ (Marker::Else | Marker::End)) => return (pieces, Some(end), rest),
                Some(marker) => {
                    let (body, mut end, mut otherwise) =
                        (self.pieces(rest, is_code), None, Vec::new());
                    (end, rest) = (body.1.or(end), body.2);
                    if let Some(Marker::Else) = end {
                        (otherwise, _, rest) = self.pieces(rest, is_code);
                    }
                    pieces.push(Piece::Group(marker, body.0, otherwise));
                }
                None if inner == "_" => pieces.push(Piece::There),
                None => pieces.push(Piece::Value(inner)),
            }
            text = rest;
        }
        pieces.push(Piece::Words(text));
        (pieces, None, "")
    }

    // Blocks.

    fn blocks(&self, lines: &[Line], scope: &Scope, out: &mut Vec<Event>) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            if line.is_blank() {
                out.push(line.blank());
                at += 1;
            } else if let Some(event) = self.slot(line) {
                out.push(event.clone());
                at += 1;
            } else if self.is_emptied(&lines[at..]) {
                out.push(Event::Gone);
                at += 1;
            } else if let Some(marker) = self.marker(line) {
                at = self.group(marker, lines, at, scope, out);
            } else {
                at += self.unit(&lines[at..], scope, out);
            }
        }
    }

    /// What stands in the slot that a line consists of.
    fn slot(&self, line: &Line) -> Option<&Event> {
        let inner = line.text.trim().strip_prefix('{')?.strip_suffix('}')?;
        let found = self
            .slots
            .iter()
            .find(|(key, _)| key == inner && !line.is_code);
        found.map(|(_, event)| event)
    }

    /// Whether the first of the lines is a title, and all below it slots of which nothing is printed.
    fn is_emptied(&self, lines: &[Line]) -> bool {
        let title = lines.first().filter(|line| !line.is_code);
        let Some((level, _)) = title.and_then(|line| heading(&line.text)) else {
            return false;
        };
        let is_next = |line: &&Line| heading(&line.text).is_none_or(|(next, _)| next > level);
        let below = lines[1..].iter().take_while(is_next);
        let mut below = below.filter(|line| !line.is_blank()).peekable();
        below.peek().is_some() && below.all(|line| matches!(self.slot(line), Some(Event::GoneSlot)))
    }

    /// The marker that a line consists of.
    fn marker<'l>(&self, line: &'l Line) -> Option<Marker<'l>> {
        let content = line.text[quote(&line.text)..].trim();
        let (before, inner, rest) = self.brace(content, line.is_code)?;
        Marker::read(inner).filter(|_| before.is_empty() && rest.is_empty())
    }

    /// The lines between the markers; gives where the next one stands.
    fn group(
        &self,
        marker: Marker<'_>,
        lines: &[Line],
        at: usize,
        scope: &Scope,
        out: &mut Vec<Event>,
    ) -> usize {
        let (mut depth, mut middle, mut end) = (0, None, at + 1);
        loop {
            match self.marker(&lines[end]) {
                Some(Marker::Else) if depth == 0 => middle = Some(end),
                Some(Marker::End) if depth == 0 => break,
                Some(Marker::End) => depth -= 1,
                Some(marker) if marker.path().is_some() => depth += 1,
                _ => {}
            }
            end += 1;
        }
        let body = &lines[at + 1..middle.unwrap_or(end)];
        let otherwise = middle.map_or(&[][..], |middle| &lines[middle + 1..end]);
        let mut inner = Vec::new();
        match marker {
            Marker::Each { path, alias } => {
                let items = items(&scope.get(path));
                if items.is_empty() {
                    self.branch(otherwise, scope, &mut inner);
                }
                self.items(body, &items, alias, scope, &mut inner);
            }
            Marker::If { path, negated } => {
                let taken = if self.holds(path, scope) == negated {
                    otherwise
                } else {
                    body
                };
                self.branch(taken, scope, &mut inner);
            }
            Marker::Else | Marker::End => unreachable!("an end of nothing"),
        }
        if prints(&inner) {
            out.append(&mut inner);
        } else {
            out.push(Event::Gone);
        }
        end + 1
    }

    fn branch(&self, lines: &[Line], scope: &Scope, out: &mut Vec<Event>) {
        self.blocks(lines, scope, out);
        if !lines.is_empty() && lines.iter().all(Line::is_blank) {
            out.push(Event::There);
        }
        out.push(Event::End);
    }

    /// Blank lines at the start of the body stand before every item that prints something, those at its end between two.
    fn items(
        &self,
        body: &[Line],
        items: &[Value],
        alias: &str,
        scope: &Scope,
        out: &mut Vec<Event>,
    ) {
        let lead = body.iter().take_while(|line| line.is_blank()).count();
        let trail = body[lead..].iter().rev();
        let end = body.len() - trail.take_while(|line| line.is_blank()).count();
        let blank = |lines: &[Line]| lines.iter().map(Line::blank).collect::<Vec<_>>();
        for scope in scope.of_items(items, alias) {
            let mut inner = Vec::new();
            self.blocks(&body[lead..end], &scope, &mut inner);
            if lead > 0 && lead == body.len() {
                inner.push(Event::There);
            }
            if prints(&inner) {
                if !out.is_empty() {
                    out.extend(blank(&body[end..]));
                }
                out.extend(blank(&body[..lead]));
                out.append(&mut inner);
                out.push(Event::End);
            }
        }
    }

    // Lines.

    /// A line, or the lines of a phrase; gives how many.
    fn unit(&self, lines: &[Line], scope: &Scope, out: &mut Vec<Event>) -> usize {
        let line = &lines[0];
        let (openers, rest) = self.openers(line);
        if !openers.is_empty() {
            self.chain(&openers, line, rest, scope, out);
            return 1;
        }
        let mut text = line.text.clone();
        let mut count = 1;
        while !line.is_code && self.open(&text) > 0 {
            text = format!("{text}\n{}", lines[count].text);
            count += 1;
        }
        self.lines(line, &text, false, scope, out);
        count
    }

    /// How many phrases are open at the end of a text.
    fn open(&self, mut text: &str) -> usize {
        let mut open = 0;
        while let Some((_, inner, rest)) = self.brace(text, false) {
            match Marker::read(inner) {
                Some(Marker::End) => open -= 1,
                Some(marker) if marker.path().is_some() => open += 1,
                _ => {}
            }
            text = rest;
        }
        open
    }

    /// The conditions and loops that reach to the end of the line, or around a whole heading; and what they keep.
    fn openers<'l>(&self, line: &'l Line) -> (Vec<Marker<'l>>, &'l str) {
        let mut openers = Vec::new();
        let mut rest = &line.text[line.head..];
        while let Some(("", inner, behind)) = self.brace(rest, line.is_code) {
            let Some((marker, path)) =
                Marker::read(inner).and_then(|marker| Some((marker, marker.path()?)))
            else {
                break;
            };
            let end = format!("{{/{path}}}");
            match behind.strip_suffix(&*end) {
                Some(title) if heading(title).is_some() && !line.is_code => rest = title,
                _ if self.is_closed(behind, path) => break,
                _ => rest = behind,
            }
            openers.push(marker);
        }
        (openers, rest)
    }

    /// Whether a text closes more of a name than it opens.
    fn is_closed(&self, mut text: &str, path: &str) -> bool {
        let mut open = 0;
        while let Some((_, inner, rest)) = self.brace(text, false) {
            match Marker::read(inner) {
                Some(Marker::End) if &inner[1..] == path && open == 0 => return true,
                Some(Marker::End) if &inner[1..] == path => open -= 1,
                Some(marker) if marker.path() == Some(path) => open += 1,
                _ => {}
            }
            text = rest;
        }
        false
    }

    fn chain(
        &self,
        openers: &[Marker<'_>],
        line: &Line,
        rest: &str,
        scope: &Scope,
        out: &mut Vec<Event>,
    ) {
        let Some((opener, inner)) = openers.split_first() else {
            let text = [&line.text[..line.head], rest].concat();
            return self.lines(line, &text, true, scope, out);
        };
        let mut printed = Vec::new();
        match opener {
            Marker::If { path, negated } if self.holds(path, scope) != *negated => {
                self.chain(inner, line, rest, scope, &mut printed)
            }
            Marker::Each { path, alias } => {
                for scope in scope.of_items(&items(&scope.get(path)), alias) {
                    let mut one = Vec::new();
                    self.chain(inner, line, rest, &scope, &mut one);
                    printed.extend(one.into_iter().filter(is_there));
                }
            }
            _ => {}
        }
        if prints(&printed) {
            out.append(&mut printed);
        } else {
            out.push(Event::Gone);
        }
    }

    /// The lines of a text of one line or phrase.
    fn lines(&self, line: &Line, text: &str, is_under: bool, scope: &Scope, out: &mut Vec<Event>) {
        let title = heading(text).filter(|_| !line.is_code);
        let (pieces, ..) = self.pieces(title.map_or(text, |(_, words)| words), line.is_code);
        let mut atoms = Vec::new();
        self.run(&pieces, is_under, scope, &mut atoms);
        if let Some((level, words)) = title {
            let is_fixed = matches!(&pieces[..], [Piece::Words(_)]);
            out.push(self.title(level, &atoms, is_fixed, text, words));
            return;
        }
        if matches!(&pieces[..], [Piece::Words(words)] if !is_under && !words.contains('\n')) {
            return out.push(Event::line(text.to_owned()));
        }
        let quote = if line.is_code && line.head == 0 {
            ""
        } else {
            quote_marker(&line.text)
        };
        let mut printed: Vec<Vec<Atom>> = vec![Vec::new()];
        // The blanks of a quote marker that a value has ended with: words behind it want them.
        let mut blanks = "";
        for mut atom in atoms {
            if !atom.text.is_empty() {
                let is_word = !atom.text.starts_with('\n');
                let blanks = std::mem::take(&mut blanks);
                if is_word && let Some(before) = printed.last_mut().and_then(|line| line.last_mut())
                {
                    before.text += blanks;
                }
            }
            if atom.is_value {
                if atom.text.ends_with('\n') {
                    blanks = &quote[quote.trim_end().len()..];
                }
                let before = printed.last().into_iter().flatten().map(|atom| &*atom.text);
                let column = column(&before.collect::<String>(), &atom);
                atom.text = value_lines(&atom.text, quote, column);
                printed.last_mut().expect("one is there").push(atom);
                continue;
            }
            for (number, words) in atom.text.split('\n').enumerate() {
                if number > 0 {
                    printed.push(Vec::new());
                }
                printed.last_mut().expect("one is there").push(Atom {
                    text: words.to_owned(),
                    ..atom.clone()
                });
            }
        }
        for (number, atoms) in printed.iter().enumerate() {
            out.push(left_of(
                atoms,
                if number == 0 { line.head } else { 0 },
                line,
            ));
        }
    }

    fn hashes(&self, level: usize) -> String {
        let level = level.cast_signed() + self.shift;
        "#".repeat(level.clamp(1, 6).unsigned_abs())
    }

    /// A title: in Markdown all of its line, with other hashes.
    fn title(
        &self,
        level: usize,
        atoms: &[Atom],
        is_fixed: bool,
        text: &str,
        words: &str,
    ) -> Event {
        let at = words.as_ptr().addr() - text.as_ptr().addr();
        let (around, close) = (&text[..at], &text[at + words.len()..]);
        let (before, behind) = around.split_once(&"#".repeat(level)).unwrap_or_default();
        let marker = [before, &*self.hashes(level), behind].concat();
        let mut line = if self.is_xml {
            String::new()
        } else {
            marker.clone()
        };
        for atom in atoms {
            line += &value_lines(&atom.text, "", column(&line, atom));
        }
        if atoms.iter().all(|atom| is_blank(&atom.text)) {
            return Event::Gone;
        }
        if !self.is_xml {
            return Event::line(line + close);
        }
        let words = line.trim();
        let name = words
            .split_whitespace()
            .collect::<Vec<_>>()
            .join("_")
            .to_lowercase();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
        Event::Tag(if is_fixed && is_name {
            Tag {
                level,
                open: name.clone(),
                name,
            }
        } else {
            let title = line.trim_start_matches(['\n', ' ']).replace('\n', " ");
            Tag {
                level,
                open: format!("section title=\"{title}\""),
                name: "section".into(),
            }
        })
    }

    fn run(&self, pieces: &[Piece<'_>], is_under: bool, scope: &Scope, atoms: &mut Vec<Atom>) {
        for piece in pieces {
            let mut push = |text: String, is_value, is_there, hangs| {
                atoms.push(Atom {
                    text,
                    is_value,
                    is_there,
                    hangs,
                    is_under,
                })
            };
            match piece {
                Piece::Words(words) => push((*words).to_owned(), false, false, false),
                Piece::Value(path) => {
                    let hangs = self.keys[*path]["hang"] == true;
                    push(self.shown(path, scope), true, false, hangs)
                }
                Piece::There => push(String::new(), false, true, false),
                Piece::Group(Marker::Each { path, alias }, body, otherwise) => {
                    let items = items(&scope.get(path));
                    if items.is_empty() {
                        self.run(otherwise, true, scope, atoms);
                    }
                    for scope in scope.of_items(&items, alias) {
                        self.run(body, true, &scope, atoms);
                    }
                }
                Piece::Group(Marker::If { path, negated }, body, otherwise) => {
                    let taken = if self.holds(path, scope) == *negated {
                        otherwise
                    } else {
                        body
                    };
                    self.run(taken, true, scope, atoms);
                }
                Piece::Group(..) => unreachable!("an end of nothing"),
            }
        }
    }
}

/// What is left of a line: it goes where nothing on it prints, and all of it is under conditions or loops, or it is values
/// without a list marker in front of them. In code the line of a value stays.
fn left_of(atoms: &[Atom], head: usize, line: &Line) -> Event {
    let text: String = atoms.iter().map(|atom| &*atom.text).collect();
    let has_marker = head > quote(&line.text[..head]);
    let own = |atom: &&Atom| !atom.is_under;
    let mut behind = head;
    let mut is_kept = atoms.iter().any(|atom| atom.is_there);
    for atom in atoms.iter().filter(own) {
        let words = atom
            .text
            .get(behind.min(atom.text.len())..)
            .unwrap_or_default();
        is_kept |=
            (!atom.is_value && !is_blank(words)) || (atom.is_value && (line.is_code || has_marker));
        behind = 0;
    }
    let has_value = atoms
        .iter()
        .any(|atom| atom.is_value && !atom.text.is_empty());
    if is_kept || has_value || !is_blank(text.get(head..).unwrap_or_default()) {
        let kept = without_blank_ends(atoms);
        Event::Line { text, kept }
    } else {
        Event::Gone
    }
}

/// Where a line begins and ends without the blank lines that values print at its ends.
fn without_blank_ends(atoms: &[Atom]) -> Option<std::ops::Range<usize>> {
    let white = |c: &char| c.is_ascii_whitespace();
    let chars = || {
        atoms
            .iter()
            .take_while(|atom| !atom.is_there)
            .flat_map(|atom| atom.text.chars())
    };
    let start = chars().take_while(white).collect::<String>();
    // Further lines of a value have the quote marker.
    let mut end = String::new();
    for atom in atoms.iter().rev().take_while(|atom| !atom.is_there) {
        let is_end = |c: &char| white(c) || (atom.is_value && *c == '>');
        let blank: String = atom.text.chars().rev().take_while(is_end).collect();
        end += &blank;
        if blank.len() < atom.text.len() {
            break;
        }
    }
    let length = atoms.iter().map(|atom| atom.text.len()).sum::<usize>();
    if start.len() == length && !atoms.iter().any(|atom| atom.is_there) {
        return None;
    }
    let start = start.rfind('\n').map_or(0, |at| at + 1);
    Some(start..length - end.rfind('\n').map_or(0, |at| at + 1))
}

/// The quote marker with one blank, which other lines of a value get.
fn quote_marker(text: &str) -> &str {
    let head = &text[..quote(text)];
    head.rfind('>')
        .map_or("", |last| &head[..head.len().min(last + 2)])
}

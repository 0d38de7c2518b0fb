//! What a text prints, told from the guide's page of the language alone: conditions and loops are unrolled, then the lines
//! that are left are put together with their blank lines. Nothing of the library's grammar or renderer is used.
//!
//! It takes texts without faults that are made of names and paths, conditions, loops, `{_}`, fences, headings, notes,
//! quotations and lists. It knows no slots, formats, doubled braces and tags.

use serde_json::Value;

/// What a text prints, whose headings move down by so many levels.
pub fn printed(text: &str, values: &Value, shift: usize) -> String {
    let loops = text
        .split("{*")
        .skip(1)
        .filter_map(|rest| rest.split('}').next());
    let aliases = loops.filter_map(|name| Some(name.split_once(" as ")?.1.to_owned()));
    let given = ["item", "index", "index0", "first", "last"].map(str::to_owned);
    let own = values
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone());
    let oracle = Oracle {
        names: own.chain(given).chain(aliases).collect(),
        shift,
    };
    let scope: Scope = values
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut unrolled = Vec::new();
    oracle.blocks(&source_lines(text), &scope, &mut unrolled);
    put_together(&unrolled)
}

/// Names and what they stand for, inner ones last.
type Scope = Vec<(String, Value)>;

/// What conditions and loops leave.
#[derive(Clone)]
enum Event {
    Line(String),
    Blank(String),
    /// What would have stood here prints nothing.
    Gone,
    /// A branch of nothing but blank lines prints them.
    There,
    /// A branch, the body for an item, or a fence ends.
    End,
}

/// What is absent is removed with the blank lines before it, where blank lines or an end follow; a part of a paragraph
/// leaves those before the paragraph. At both ends of the text there are none.
fn put_together(events: &[Event]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let (mut blank, mut is_gone) = (Vec::new(), false);
    for event in events {
        match event {
            Event::Line(line) => {
                if !lines.is_empty() {
                    lines.append(&mut blank);
                }
                blank.clear();
                lines.push(line);
                is_gone = false;
            }
            Event::Blank(line) => {
                if std::mem::take(&mut is_gone) {
                    blank.clear();
                }
                blank.push(line);
            }
            Event::Gone => is_gone = true,
            Event::End if is_gone => blank.clear(),
            Event::End | Event::There => {}
        }
    }
    lines.join("\n")
}

fn prints(events: &[Event]) -> bool {
    events
        .iter()
        .any(|event| matches!(event, Event::Line(_) | Event::There))
}

// Lines of the source.

struct Line {
    text: String,
    is_code: bool,
    /// Bytes of indentation, quote markers, list marker and task box.
    head: usize,
    closes_fence: bool,
    /// Nothing else stands in its paragraph.
    is_apart: bool,
}

impl Line {
    fn is_blank(&self) -> bool {
        is_blank(&self.text)
    }
}

fn is_blank(text: &str) -> bool {
    text.trim_matches([' ', '\t', '\n']).is_empty()
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// Bytes of indentation and quote markers.
fn quote(text: &str) -> usize {
    let mut end = indent(text);
    while text[end..].starts_with('>') {
        end += 1 + indent(&text[end + 1..]);
    }
    end
}

/// Bytes of a list marker and the blanks behind it.
fn item(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if digits > 0 {
        digits + usize::from(text[digits..].starts_with(['.', ')']))
    } else {
        usize::from(text.starts_with(['-', '*', '+']))
    };
    let has_mark = mark > digits && (text.len() == mark || text[mark..].starts_with(' '));
    if has_mark {
        mark + indent(&text[mark..])
    } else {
        0
    }
}

fn head(text: &str, is_code: bool, is_quoted: bool) -> usize {
    let start = if is_code && !is_quoted {
        indent(text)
    } else {
        quote(text)
    };
    let list = start + item(&text[start..]);
    let is_task = !is_code
        && list > start
        && ["[ ] ", "[x] "]
            .iter()
            .any(|task| text[list..].starts_with(task));
    if is_task {
        list + 3 + indent(&text[list + 3..])
    } else {
        list
    }
}

/// The marks of a line that opens a fence, behind list markers and quote markers.
fn fence(text: &str) -> Option<&str> {
    let content = &text[head(text, false, false)..];
    let mark = content.chars().next().filter(|mark| "`~".contains(*mark))?;
    let rest = content.trim_start_matches(mark);
    let marks = &content[..content.len() - rest.len()];
    (marks.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(marks)
}

/// One line that holds nothing but a marker.
fn is_marker(text: &str) -> bool {
    let content = text[quote(text)..].trim();
    content
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|inner| Marker::read(inner).is_some())
}

/// The lines without notes, and without the indentation that all of them have.
fn source_lines(text: &str) -> Vec<Line> {
    let common = text
        .split('\n')
        .filter(|line| !is_blank(line))
        .map(indent)
        .min()
        .unwrap_or(0);
    let mut lines: Vec<Line> = Vec::new();
    let mut open: Option<(String, bool)> = None;
    let mut given = text
        .split('\n')
        .map(|line| line.get(common..).unwrap_or_default())
        .peekable();
    while let Some(line) = given.next() {
        if open.is_none() && line.trim_start().starts_with("<!--#") {
            let mut last = line;
            while !last.contains("-->") {
                last = given.next().expect("a note is closed");
            }
            // A note that is a paragraph of its own takes the blank lines behind it along; as the last one of a branch or
            // body those before it.
            if given.peek().is_some_and(|next| is_end(next)) {
                while lines.pop_if(|line| line.is_blank()).is_some() {}
            } else if lines.last().is_none_or(Line::is_blank) {
                while given.next_if(|next| is_blank(next)).is_some() {}
            }
            continue;
        }
        let closes = |(marks, _): &(String, bool)| {
            let content = line[quote(line)..].trim_end();
            content.starts_with(&**marks) && content.trim_start_matches(&marks[..1]).is_empty()
        };
        let closes_fence = open.as_ref().is_some_and(closes);
        let is_quoted = open.as_ref().is_some_and(|(_, is_quoted)| *is_quoted);
        let is_code = open.is_some() && !closes_fence;
        let opens = fence(line).filter(|_| open.is_none());
        lines.push(Line {
            head: head(line, is_code, is_quoted),
            text: line.to_owned(),
            is_code,
            closes_fence,
            is_apart: false,
        });
        if closes_fence {
            open = None;
        } else if let Some(marks) = opens {
            open = Some((marks.to_owned(), line.trim_start().starts_with('>')));
        }
    }
    for at in 0..lines.len() {
        let ends = |line: Option<&Line>| {
            line.is_none_or(|line| {
                line.is_blank()
                    || is_marker(&line.text)
                    || heading(&line.text).is_some()
                    || fence(&line.text).is_some()
            })
        };
        lines[at].is_apart =
            ends(at.checked_sub(1).map(|before| &lines[before])) && ends(lines.get(at + 1));
    }
    lines
}

fn is_end(line: &str) -> bool {
    let content = line.trim();
    content == "{else}" || content.starts_with("{/") && is_marker(line)
}

/// Level and words of a heading.
fn heading(text: &str) -> Option<(usize, &str)> {
    let words = text.trim_start_matches('#');
    let level = text.len() - words.len();
    ((1..=6).contains(&level) && words.starts_with(' ')).then(|| (level, words.trim()))
}

// Markers and pieces.

#[derive(Clone, Copy)]
enum Marker<'t> {
    If { path: &'t str, negated: bool },
    Each { path: &'t str, alias: &'t str },
    Else,
    End,
}

impl<'t> Marker<'t> {
    fn read(inner: &'t str) -> Option<Self> {
        if inner == "else" {
            return Some(Self::Else);
        }
        let rest = inner.get(1..)?;
        match inner.as_bytes()[0] {
            b'/' => Some(Self::End),
            b'?' => Some(Self::If {
                path: rest.trim_start_matches('!'),
                negated: rest.starts_with('!'),
            }),
            b'*' => {
                let (path, alias) = rest.split_once(" as ").unwrap_or((rest, "item"));
                Some(Self::Each { path, alias })
            }
            _ => None,
        }
    }

    /// What it opens.
    fn path(self) -> Option<&'t str> {
        match self {
            Self::If { path, .. } | Self::Each { path, .. } => Some(path),
            Self::Else | Self::End => None,
        }
    }
}

/// What stands within a line or a phrase.
enum Piece<'t> {
    Words(&'t str),
    Value(&'t str),
    /// `{_}`.
    There,
    Group(Marker<'t>, Vec<Piece<'t>>, Vec<Piece<'t>>),
}

/// A piece of a line as it is printed.
#[derive(Clone)]
struct Atom {
    text: String,
    is_value: bool,
    is_there: bool,
    /// It stands under a condition or loop.
    is_under: bool,
}

struct Oracle {
    names: Vec<String>,
    shift: usize,
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
                out.push(Event::Blank(line.text.clone()));
                at += 1;
            } else if let Some(marker) = self.marker(line) {
                at = self.group(marker, lines, at, scope, out);
            } else {
                at += self.unit(&lines[at..], scope, out);
            }
        }
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
                let taken = if holds(&scope.get(path)) == negated {
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

    /// Blank lines at the ends of the body stand between items that print something.
    fn items(
        &self,
        body: &[Line],
        items: &[Value],
        alias: &str,
        scope: &Scope,
        out: &mut Vec<Event>,
    ) {
        let lead = body.iter().take_while(|line| line.is_blank()).count();
        let trail = body[lead..]
            .iter()
            .rev()
            .take_while(|line| line.is_blank())
            .count();
        let end = body.len() - trail;
        let between = body[end..].iter().chain(&body[..lead]);
        let between: Vec<Event> = between
            .map(|line| Event::Blank(line.text.clone()))
            .collect();
        for scope in scope.of_items(items, alias) {
            let mut inner = Vec::new();
            self.blocks(&body[lead..end], &scope, &mut inner);
            if prints(&inner) {
                out.extend(
                    between
                        .iter()
                        .filter(|_| !out.is_empty())
                        .cloned()
                        .collect::<Vec<_>>(),
                );
                out.append(&mut inner);
                out.push(Event::End);
            }
        }
    }

    // Lines.

    /// A line, or the lines of a phrase; gives how many.
    fn unit(&self, lines: &[Line], scope: &Scope, out: &mut Vec<Event>) -> usize {
        let line = &lines[0];
        if line.closes_fence {
            out.push(Event::End);
        }
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
                _ if behind.contains(&end) => break,
                _ => rest = behind,
            }
            openers.push(marker);
        }
        (openers, rest)
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
            Marker::If { path, negated } if holds(&scope.get(path)) != *negated => {
                self.chain(inner, line, rest, scope, &mut printed)
            }
            Marker::Each { path, alias } => {
                for scope in scope.of_items(&items(&scope.get(path)), alias) {
                    let mut one = Vec::new();
                    self.chain(inner, line, rest, &scope, &mut one);
                    printed.extend(
                        one.into_iter()
                            .filter(|event| matches!(event, Event::Line(_))),
                    );
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
        if let Some((level, _)) = title {
            let words: String = atoms.iter().map(|atom| &*atom.text).collect();
            let hashes = "#".repeat((level + self.shift).min(6));
            out.push(if words.is_empty() {
                Event::Gone
            } else {
                Event::Line(format!("{hashes} {words}"))
            });
            return;
        }
        if matches!(&pieces[..], [Piece::Words(words)] if !is_under && !words.contains('\n')) {
            return out.push(Event::Line(text.to_owned()));
        }
        let is_paragraph = matches!(
            &pieces[..],
            [Piece::Words(""), Piece::Value(_), Piece::Words("")]
        ) && line.is_apart
            && !line.is_code
            && !is_under;
        let quote = if line.is_code && line.head == 0 {
            ""
        } else {
            quote_marker(&line.text)
        };
        let mut printed: Vec<Vec<Atom>> = vec![Vec::new()];
        for mut atom in atoms {
            if atom.is_value {
                atom.text = value_lines(&atom.text, quote, is_paragraph);
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

    fn run(&self, pieces: &[Piece<'_>], is_under: bool, scope: &Scope, atoms: &mut Vec<Atom>) {
        for piece in pieces {
            let mut push = |text: String, is_value, is_there| {
                atoms.push(Atom {
                    text,
                    is_value,
                    is_there,
                    is_under,
                })
            };
            match piece {
                Piece::Words(words) => push((*words).to_owned(), false, false),
                Piece::Value(path) => push(shown(&scope.get(path)), true, false),
                Piece::There => push(String::new(), false, true),
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
                    let taken = if holds(&scope.get(path)) == *negated {
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
    if is_kept || !is_blank(text.get(head..).unwrap_or_default()) {
        Event::Line(text)
    } else {
        Event::Gone
    }
}

/// The quote marker with one blank, which other lines of a value get.
fn quote_marker(text: &str) -> &str {
    let head = &text[..quote(text)];
    head.rfind('>')
        .map_or("", |last| &head[..head.len().min(last + 2)])
}

fn value_lines(text: &str, quote: &str, is_paragraph: bool) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if is_paragraph {
        let first = lines
            .iter()
            .position(|line| !is_blank(line))
            .unwrap_or(lines.len());
        let last = lines
            .iter()
            .rposition(|line| !is_blank(line))
            .map_or(first, |last| last + 1);
        lines = lines[first..last].to_vec();
    }
    let mut printed = lines.first().copied().unwrap_or_default().to_owned();
    for line in lines.iter().skip(1) {
        let quote = if line.is_empty() {
            quote.trim_end()
        } else {
            quote
        };
        printed += &["\n", quote, line].concat();
    }
    printed
}

// Values.

trait Names {
    fn get(&self, path: &str) -> Value;
    fn of_items(&self, items: &[Value], alias: &str) -> Vec<Scope>;
}

impl Names for Scope {
    fn get(&self, path: &str) -> Value {
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let find = |first| self.iter().rev().find(|(name, _)| name == first);
        let found = find(first).or_else(|| find("").filter(|_| first == "item"));
        let start = found.map_or(Value::Null, |(_, value)| value.clone());
        names.fold(start, |value, name| match &value {
            Value::Array(list) => name
                .parse()
                .ok()
                .and_then(|at: usize| list.get(at))
                .cloned()
                .unwrap_or_default(),
            value => value.get(name).cloned().unwrap_or_default(),
        })
    }

    /// What stands in the body for each item.
    fn of_items(&self, items: &[Value], alias: &str) -> Vec<Scope> {
        let scope = |(index, item): (usize, &Value)| {
            let mut scope = self.clone();
            let given = [
                // Where all loops have names of their own, `item` is the innermost one.
                ("", item.clone()),
                ("index", (index + 1).into()),
                ("index0", index.into()),
                ("first", (index == 0).into()),
                ("last", (index + 1 == items.len()).into()),
                (alias, item.clone()),
            ];
            scope.extend(given.map(|(name, value)| (name.to_owned(), value)));
            scope
        };
        items.iter().enumerate().map(scope).collect()
    }
}

fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.clone(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| Value::from(vec![Value::from(&**key), value.clone()]))
            .collect(),
        _ => Vec::new(),
    }
}

fn holds(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_so) => *is_so,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Number(_) => true,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

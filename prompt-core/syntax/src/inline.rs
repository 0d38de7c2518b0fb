//! The pieces of a run of text: literals, variables, conditions, doubled braces.

use crate::{
    Inline, Specs, Str, TagPlace,
    brace::{
        Inside, Reference, SpecKind, TokenKind, identifier, inside, is_python_access,
        is_python_spec, number, path, spec_kind,
    },
    branches::own,
    check,
    code_span::CodeSpans,
    findings::{Findings, Piece, VariableUse},
    known::{Names, Site},
    lines::{code_head, indentation, is_blank, line_head, quote_head},
    scan::{find, run},
    slips::Tag,
    source::Source,
    token::{ITEM_NAMES, Naming, Scoped, Standing, Token},
};
use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};
use core::ops::Range;

/// Reads stretches of text, one after the other, into pieces.
#[derive(Debug)]
pub(crate) struct Reader<'r, 'a, 'f> {
    pub(crate) source: &'r Source<'r>,
    pub(crate) known: &'f Names<'a>,
    pub(crate) found: &'f mut Findings<'r>,
    site: Site,
    /// Where conditions that are opened here can be closed.
    pub(crate) scope: Range<usize>,
    /// Where the paragraph ends.
    limit: usize,
    /// In inline code, where nothing is first on its line.
    in_span: bool,
    /// In a fence of a list item or quote.
    is_fence: bool,
    pieces: Vec<Piece>,
    /// Where what has not become a piece yet starts.
    from: usize,
    literal: String,
    line: LineHead,
}

/// The line that was looked at last.
#[derive(Debug)]
struct LineHead {
    range: Range<usize>,
    /// The first byte that is not blank.
    first: usize,
    /// Where the line starts, or its last condition ends.
    start: usize,
    /// Where a condition that keeps or drops the line may stand, once it has been asked for.
    head: Option<usize>,
}

/// Opening braces of text that wait for their closing ones.
struct OpenBraces {
    count: usize,
    /// From the brace to the end of a known name that stands where a variable would begin with it.
    name: Option<Range<usize>>,
    /// Whether nothing is between the two.
    is_direct: bool,
}

/// Whether names stand in text, where all must be known, or in code, where unknown ones are left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Text,
    Code,
}

impl<'r, 'a, 'f> Reader<'r, 'a, 'f> {
    /// Reads from the start of a scope: what is opened in it is closed in it.
    pub(crate) fn new(
        source: &'r Source<'r>,
        known: &'f Names<'a>,
        found: &'f mut Findings<'r>,
        site: Site,
        scope: Range<usize>,
        from: usize,
    ) -> Self {
        let start = if site == Site::Lines {
            from
        } else {
            scope.start
        };
        Self {
            source,
            known,
            found,
            site,
            limit: scope.end,
            scope,
            in_span: false,
            is_fence: false,
            pieces: Vec::new(),
            from,
            literal: String::new(),
            line: LineHead {
                range: start..start,
                first: start,
                start,
                head: None,
            },
        }
    }

    /// Ends at a position: everything up to it becomes pieces.
    pub(crate) fn finish(mut self, end: usize) -> Vec<Piece> {
        self.flush(end);
        self.pieces
    }

    /// Leaves a range out.
    pub(crate) fn skip(&mut self, range: Range<usize>) {
        let before = self.found.slice(self.from..range.start);
        self.literal.push_str(before);
        self.from = range.end;
    }

    /// Reads one paragraph.
    pub(crate) fn paragraph(&mut self, range: Range<usize>) {
        self.limit = range.end;
        self.text(range);
    }

    /// Reads text, in which conditions may reach to the end of what is around it.
    pub(crate) fn text(&mut self, range: Range<usize>) {
        let text: &'r str = &self.source.text;
        let mut spans = None;
        let mut open: Vec<OpenBraces> = Vec::new();
        let mut at = range.start;
        while let Some(found) = find(text, at..range.end, [b'{', b'}', b'`', b'<']) {
            at = match text.as_bytes().get(found) {
                Some(b'`') => {
                    let spans =
                        spans.get_or_insert_with(|| CodeSpans::find(text, found..range.end));
                    match spans.span(text, found, at) {
                        Ok((inner, end)) => {
                            self.span(inner);
                            end
                        }
                        Err(end) => end,
                    }
                }
                Some(b'{') => self.brace(found, range.end, Mode::Text, &mut open),
                Some(b'<') => self.script(found, range.end),
                _ => {
                    self.close(&mut open, found + 1);
                    found + 1
                }
            };
        }
        let open = open.into_iter().filter(|open| open.is_direct);
        for range in open.filter_map(|open| open.name) {
            let written = self.found.slice(range.clone());
            self.found.report(range, check::unclosed_brace(written));
        }
    }

    /// Reads inline code.
    fn span(&mut self, range: Range<usize>) {
        let scope = core::mem::replace(&mut self.scope, range.clone());
        let limit = core::mem::replace(&mut self.limit, range.end);
        self.in_span = true;
        self.code(range);
        self.in_span = false;
        (self.scope, self.limit) = (scope, limit);
    }

    /// Reads a fence that stands in a list item or a quote.
    pub(crate) fn code_in_text(&mut self, range: Range<usize>) {
        let scope = core::mem::replace(&mut self.scope, range.clone());
        self.flush(range.start);
        self.pieces.push(Piece::Code(true));
        (self.site, self.is_fence) = (Site::Code, true);
        let end = range.end;
        self.code(range);
        (self.site, self.is_fence) = (Site::Lines, false);
        self.flush(end);
        self.pieces.push(Piece::Code(false));
        self.scope = scope;
    }

    /// Reads code.
    pub(crate) fn code(&mut self, range: Range<usize>) {
        let text: &'r str = &self.source.text;
        let mut at = range.start;
        while let Some(found) = find(text, at..range.end, [b'{']) {
            at = self.brace(found, range.end, Mode::Code, &mut Vec::new());
        }
    }

    /// Counts a closing brace of text.
    fn close(&mut self, open: &mut Vec<OpenBraces>, end: usize) {
        let Some(last) = open.last_mut() else { return };
        last.count -= 1;
        if last.count > 0 {
            return;
        }
        let Some(name) = open.pop().and_then(|open| open.name) else {
            return;
        };
        let range = name.start..end;
        let written = self.found.slice(range.clone());
        let item_of = written.get(1..).and_then(identifier).and_then(|name| {
            let is_item = name == "item" && self.known.options.place.is_template();
            let of_loop = self.found.list_of_item(name);
            of_loop.or(is_item.then_some(""))
        });
        let problem = check::unsupported_expression(self.known, written, item_of);
        self.found.report(range, problem);
    }

    /// Reads a `<`; gives the position to go on from.
    fn script(&mut self, start: usize, end: usize) -> usize {
        let Some(tag) = Tag::of_script(self.found.slice(start + 1..end)) else {
            return start + 1;
        };
        self.found.leave(start);
        self.foreign(tag, start).unwrap_or(start + 1)
    }

    /// Reads a run of opening braces and what they open; gives the position to go on from.
    fn brace(&mut self, start: usize, end: usize, mode: Mode, open: &mut Vec<OpenBraces>) -> usize {
        let rest = self.found.slice(start..end);
        let braces = run(rest, b'{');
        let after = start + braces;
        let inner = rest.get(braces..).unwrap_or_default();
        self.found.leave(start);
        if mode == Mode::Text
            && !self.is_after_dollar(start)
            && let Some(after) =
                Tag::in_braces(inner, braces).and_then(|tag| self.foreign(tag, start))
        {
            return after;
        }
        let (inside, length) = self.inside(inner);
        let pairs = match inside {
            Inside::Name { .. } | Inside::Other => 0,
            Inside::Slip(slip) if braces > 1 && !slip.has_sign => 0,
            _ => braces.min(run(&inner[length..], b'}')),
        };
        let is_code = mode == Mode::Code || self.is_after_dollar(after - pairs.max(1));
        let mode = if is_code { Mode::Code } else { Mode::Text };
        let is_one = braces == 1 && mode == Mode::Text;
        let range = start..after + length;
        let whole = after - pairs..range.end + pairs;
        if let Inside::Name { name, .. } = inside
            && braces.is_multiple_of(2)
            && mode == Mode::Text
            && self.is_listed(name)
            && let Some(length) = doubled_expression(inner, braces)
        {
            let whole = start..after + length;
            if braces == 2 {
                self.report_doubled(whole.clone(), name);
            }
            self.escaped(whole, braces / 2, braces / 2);
            return after + length;
        }
        if braces > pairs {
            let (name, is_direct) = match inside {
                Inside::Name { name, is_direct } if is_one && self.is_listed(name) => {
                    (Some(range.clone()), is_direct)
                }
                _ => (None, false),
            };
            open.push(OpenBraces {
                count: braces - pairs,
                name,
                is_direct,
            });
        }
        match (inside, pairs) {
            (Inside::Other, _) if is_one => self.numbered(inner, start),
            (
                Inside::Name {
                    name,
                    is_direct: true,
                },
                _,
            ) if is_one && length == name.len() => {
                let behind = inner.get(length..).unwrap_or_default();
                self.unknown_access(name, behind, start);
            }
            (_, 0) => {}
            (inside, 1) => self.single(&inside, whole.clone(), mode),
            (inside, _) => self.doubled(&inside, whole.clone(), pairs, mode),
        }
        whole.end
    }

    /// Reads what stands after opening braces. `r#type` begins with the name that Rust writes so, and texts without the
    /// mark.
    fn inside(&self, inner: &'r str) -> (Inside<'r>, usize) {
        let (mut inside, mut length) = inside(inner);
        if let Inside::Name { name, is_direct } = &mut inside
            && *name == "r"
            && let Some(raw) = raw_name(inner, length)
            && self.is_listed(raw)
            && !self.is_listed("r")
        {
            (*name, *is_direct) = (raw, false);
            length += 1 + raw.len();
        }
        (inside, length)
    }

    /// What stands between one pair of braces.
    fn single(&mut self, inside: &Inside<'r>, range: Range<usize>, mode: Mode) {
        match *inside {
            Inside::Variable(Reference {
                name: "_",
                path: "",
                spec: None,
            }) => {
                if mode == Mode::Text {
                    self.push(range, Piece::Inline(Inline::Nothing));
                } else if self.site == Site::Code && !self.in_span {
                    self.found.report(range, check::nothing_in_code(self.known));
                }
            }
            Inside::Variable(reference) => self.variable(reference, range, mode),
            Inside::Marker {
                kind,
                asks: Some(asks),
            } if kind.opens() => self.opener(asks, kind, range, mode),
            Inside::Marker { kind, asks } => {
                let in_loop = asks.and_then(|asks| self.found.scoped(asks.name, true));
                let naming = Naming {
                    in_loop,
                    ..Naming::KNOWN
                };
                self.token(asks, kind, range, mode, naming);
            }
            Inside::Slip(slip) => self.slip(slip, range, mode),
            Inside::Name { .. } | Inside::Other => {}
        }
    }

    /// A brace that `str.format` of Python reads as a variable, `{total[0]}` or `{total!r}`, is one whose name is not known.
    fn unknown_access(&mut self, name: &'r str, behind: &str, start: usize) {
        if self.is_variable(name) || self.is_listed(name) {
            return;
        }
        let fields = path(behind).len();
        let end = behind.find(['{', '}', '\n', '`']).unwrap_or_default();
        let is_closed = behind.as_bytes().get(end) == Some(&b'}');
        if is_closed && is_python_access(&behind[fields.min(end)..end]) {
            self.report_unknown(name, start..start + name.len() + end + 2);
        }
    }

    /// What stands between two pairs of braces or more. Two braces print one, as in `format!`, and four two; around a known
    /// name what is left of an odd number takes the value, around another name one pair goes. In code two around a name
    /// that is not known stay.
    fn doubled(&mut self, inside: &Inside<'r>, whole: Range<usize>, pairs: usize, mode: Mode) {
        let is_text = mode == Mode::Text;
        match *inside {
            Inside::Variable(Reference { name, .. }) => {
                let is_nothing = name == "_";
                let is_known = is_text && (self.is_variable(name) || is_nothing);
                let is_known = is_known || self.is_listed(name);
                let is_odd = !pairs.is_multiple_of(2);
                let loses_one = !is_known && (pairs == 2 || is_odd);
                let is_hint = if is_known {
                    pairs == 2 || (pairs == 3 && is_text)
                } else {
                    loses_one && is_text
                };
                if is_hint && !is_nothing {
                    self.report_doubled(whole.clone(), name);
                }
                if loses_one {
                    if is_text {
                        let outer = pairs - 2;
                        self.escaped(whole.start + outer..whole.end - outer, 1, 1);
                    }
                    return;
                }
            }
            _ if inside.asks().is_some_and(|asks| self.is_known(asks.name)) => {}
            _ => return,
        }
        let half = pairs / 2;
        if pairs.is_multiple_of(2) {
            self.escaped(whole, half, half);
            return;
        }
        let inner = whole.start + 2 * half..whole.end - 2 * half;
        self.escaped(whole.start..inner.start, half, 0);
        self.single(inside, inner.clone(), mode);
        self.escaped(inner.end..whole.end, half, 0);
    }

    /// A doubled name prints no value, which is not what it does in texts of other template languages.
    fn report_doubled(&mut self, whole: Range<usize>, name: &str) {
        if self.found.is_of_foreign(name) {
            return;
        }
        let written = self.found.slice(whole.clone());
        let is_known = self.is_variable(name) || self.is_listed(name);
        let problem = check::doubled_braces(self.known, written, is_known);
        self.found.report(whole, problem);
    }

    fn variable(&mut self, reference: Reference<'r>, range: Range<usize>, mode: Mode) {
        let Reference { name, spec, .. } = reference;
        let in_loop = self.scoped(name, false, &range);
        let is_of_item =
            in_loop.is_some() || (name == "item" && self.known.options.place.is_template());
        let kind = match spec {
            None | Some("") => SpecKind::Plain,
            // What the keys of a field say for a value of the node.
            Some("json") if is_of_item => SpecKind::Plain,
            Some(spec) => spec_kind(spec).unwrap_or(SpecKind::Unusable),
        };
        let is_usable = match self.known.options.specs {
            Specs::Compiled => kind != SpecKind::Unusable,
            Specs::Runtime => kind == SpecKind::Plain,
        };
        let is_text = mode == Mode::Text;
        let is_name = in_loop.is_some() || self.known.is_name(name);
        let is_missed = !self.known.is_variable(name) && spec.is_some_and(is_python_spec);
        let is_section = self.known.is_section(name) && !self.known.is_name(name);
        if is_text && is_section && !reference.path.is_empty() && in_loop.is_none() {
            let written = self.found.slice(range.clone());
            let problem = check::field_of_section(self.known, written, reference);
            self.found.report(range, problem);
        } else if is_text && self.known.is_slot(name) && in_loop.is_none() {
            self.found
                .report(range, check::misplaced_slot(self.known, self.site, name));
        } else if kind == SpecKind::Unusable && !(is_text && (is_name || is_missed)) {
            // `{key:value}` is no variable unless the name or the spec says so.
        } else if is_name || (is_text && self.known.is_variable(name)) {
            if !is_usable {
                let spec = spec.unwrap_or_default();
                let problem = check::unsupported_spec(self.known, name, spec);
                self.found.report(range.clone(), problem);
            }
            self.found.variables.push(VariableUse {
                reference,
                in_loop: in_loop.map(|scoped| scoped.of(reference)),
                range: range.clone(),
            });
            let inner = self.found.slice(range.start + 1..range.end - 1);
            let value = Inline::Value {
                source: own(inner),
                index: 0,
                quote: Cow::Borrowed(""),
                tag: TagPlace::Outside,
            };
            self.push(range, Piece::Inline(value));
        } else if is_text && name.starts_with("end") && self.found.is_in_foreign() {
            self.token(None, TokenKind::End, range, mode, Naming::SLIP);
        } else if is_text {
            self.report_unknown(name, range);
        } else if let Some(near) = self.known.near_miss(name) {
            self.found
                .report(range, check::misspelt_variable(self.known, name, near));
        }
    }

    fn report_unknown(&mut self, name: &str, range: Range<usize>) {
        let written = self.found.slice(range.clone());
        let ended = self.found.ended_loop(name, range.start);
        let problem = if let Some([opener, end]) = ended {
            check::behind_loop(name, [&opener, &end])
        } else {
            check::unknown_variable(self.known, name, written, self.found.in_loops(name))
        };
        self.found.report(range, problem);
    }

    /// What a name stands for in the loops around it. The first time that it hides a name of the node, this is said.
    fn scoped(&mut self, name: &'r str, is_asked: bool, range: &Range<usize>) -> Option<Scoped> {
        let found = self.found.scoped(name, is_asked)?;
        // In a template about an item, `item` is no field.
        let is_item = self.known.options.place.is_template() && ITEM_NAMES.contains(&name);
        let hides = self.known.is_name(name) || self.known.is_section(name);
        if hides && !is_item && self.found.hidden.insert(name) {
            self.found
                .report(range.clone(), check::hidden_name(self.known, name));
        }
        Some(found)
    }

    /// Whether it is a name that a marker may have.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.found.scoped(name, true).is_some()
            || self.known.is_listed(name)
            || self.known.is_section(name)
    }

    pub(crate) fn is_listed(&self, name: &str) -> bool {
        self.found.scoped(name, false).is_some() || self.known.is_listed(name)
    }

    fn is_variable(&self, name: &str) -> bool {
        self.found.scoped(name, false).is_some() || self.known.is_variable(name)
    }

    /// A marker that opens a condition or loop.
    fn opener(
        &mut self,
        asks: Reference<'r>,
        kind: TokenKind<'r>,
        range: Range<usize>,
        mode: Mode,
    ) {
        let name = asks.name;
        let is_if = matches!(kind, TokenKind::If { .. });
        let in_loop = self.scoped(name, is_if, &range);
        let is_known = in_loop.is_some()
            || match (mode, is_if) {
                (Mode::Text, true) => self.known.is_asked(name),
                (Mode::Text, false) => self.known.is_variable(name),
                (Mode::Code, true) => self.known.is_asked_in_code(name),
                (Mode::Code, false) => self.known.is_name(name),
            };
        if !is_known && mode == Mode::Text {
            let written = self.found.slice(range.clone());
            let in_loops = self.found.in_loops(name);
            let problem = check::unknown_condition(self.known, name, written, in_loops);
            self.found.report(range.clone(), problem);
        } else if !is_known {
            let Some(near) = self.known.near_miss(name) else {
                return;
            };
            let problem = check::misspelt_variable(self.known, name, near);
            self.found.report(range.clone(), problem);
        }
        let naming = Naming {
            is_known,
            in_loop,
            ..Naming::KNOWN
        };
        self.token(Some(asks), kind, range, mode, naming);
    }

    /// A marker of a condition or loop.
    pub(crate) fn token(
        &mut self,
        asks: Option<Reference<'r>>,
        kind: TokenKind<'r>,
        range: Range<usize>,
        mode: Mode,
        naming: Naming,
    ) {
        self.find_line(range.start);
        let standing = self.standing(kind, &range);
        let line_end = self.line.range.end.min(self.scope.end);
        let limit = if self.site == Site::Code {
            line_end
        } else {
            self.limit
        };
        let (name, path) = asks.map_or(("", ""), |asks| (asks.name, asks.path));
        let piece = Piece::Token(self.found.tokens.len());
        self.found.tokens.push(Token {
            kind,
            name,
            path,
            range: range.clone(),
            line: self.line.range.start..line_end,
            scope: self.scope.clone(),
            limit,
            standing,
            is_code: mode == Mode::Code,
            naming,
        });
        self.push(range, piece);
        self.found.read_token(self.known);
    }

    /// How a part of a condition stands in its line, which has been found.
    fn standing(&mut self, kind: TokenKind<'_>, range: &Range<usize>) -> Standing {
        if self.in_span || matches!(self.site, Site::Title | Site::Info) {
            return Standing::Inside;
        }
        let line_end = self.line.range.end.min(self.scope.end);
        let is_last = self.found.slice(range.end..line_end).bytes().all(is_blank);
        if is_last && range.start == self.line.first {
            return Standing::Alone;
        }
        if kind.opens() && self.is_line_head(range.start) {
            self.line.start = range.end;
            self.line.head = None;
            return Standing::Head { is_last };
        }
        Standing::Inside
    }

    /// Doubled braces, which print what is left without some bytes at both ends.
    fn escaped(&mut self, range: Range<usize>, start: usize, end: usize) {
        let printed = self.found.slice(range.start + start..range.end - end);
        self.push(range, Piece::Inline(Inline::Escaped(own(printed))));
    }

    /// A brace before this, which holds a number, is text, unless its author took a field of a tuple for a variable.
    fn numbered(&mut self, inner: &str, start: usize) {
        let tuple = self.known.options.tuple;
        let found = (!tuple.is_empty()).then(|| number(inner)).flatten();
        let Some((number, length)) = found else {
            return;
        };
        if let Some(reads) = tuple.get(number).filter(|reads| !reads.is_empty()) {
            let range = start..start + length + 2;
            let written = self.found.slice(range.clone());
            self.found.report(range, check::tuple_field(written, reads));
        }
    }

    fn is_after_dollar(&self, at: usize) -> bool {
        at.checked_sub(1)
            .and_then(|before| self.source.text.as_bytes().get(before))
            == Some(&b'$')
    }

    /// Goes forward to the line of a position.
    fn find_line(&mut self, at: usize) {
        if at < self.line.range.end {
            return;
        }
        let text: &'r str = &self.source.text;
        let seen = self.line.range.end;
        if let Some(found) = self.found.slice(seen..at).rfind('\n') {
            self.line.range.start = seen + found + 1;
            self.line.start = self.line.range.start;
            self.line.head = None;
        }
        self.line.range.end = find(text, at..text.len(), [b'\n']).unwrap_or(text.len());
        let start = self.line.range.start;
        // In a fence of its own, `>` is no quote.
        let before = self.found.slice(start..at);
        let is_quoted = self.site == Site::Lines || self.is_fence;
        let head = if is_quoted {
            quote_head(before)
        } else {
            indentation(before)
        };
        self.line.first = start + head;
    }

    /// Whether only indentation, a list marker and conditions stand before a position in its line.
    fn is_line_head(&mut self, at: usize) -> bool {
        let start = self.line.start;
        let head = self.line.head.unwrap_or_else(|| {
            let before = self.found.slice(start..at);
            let is_own_fence = self.site == Site::Code && !self.is_fence;
            start
                + if is_own_fence {
                    code_head(before)
                } else {
                    line_head(before)
                }
        });
        self.line.head = Some(head);
        head == at
    }

    fn push(&mut self, range: Range<usize>, piece: Piece) {
        self.flush(range.start);
        self.from = range.end;
        self.pieces.push(piece);
    }

    fn flush(&mut self, end: usize) {
        let literal = self.take_literal(end);
        self.pieces.extend(literal.map(Piece::literal));
    }

    /// What has not become a piece yet, up to a position, unless there is nothing.
    fn take_literal(&mut self, end: usize) -> Option<Str> {
        let rest = self.found.slice(self.from..end);
        self.from = self.from.max(end);
        let literal = if self.literal.is_empty() {
            rest.to_owned()
        } else {
            core::mem::take(&mut self.literal) + rest
        };
        (!literal.is_empty()).then_some(Cow::Owned(literal))
    }
}

/// The name behind the `r#` of which the `r` ends here.
fn raw_name(text: &str, end: usize) -> Option<&str> {
    identifier(text.get(end..)?.strip_prefix('#')?)
}

/// The length of `a.len()}}`, which doubled braces keep from being an expression.
fn doubled_expression(text: &str, braces: usize) -> Option<usize> {
    let end = text.find(['{', '}', '\n', '`'])?;
    let close = run(text.get(end..)?, b'}');
    (close == braces).then_some(end + close)
}

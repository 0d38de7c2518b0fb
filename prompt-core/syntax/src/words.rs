//! Tags in an author's words: the names that a text has, and where its values stand in them. Both are found once, where the
//! text is read: what values print changes nothing of it.
//!
//! A text is read as it would be printed, with a letter for each value: so a value is a part of the name that it touches, and
//! of nothing else. It is read with all branches, one behind the other, and with those of each kind alone, since a tag may be
//! put together by branches: that says which names there are, and which values stand in a tag or comment. How far the tag has
//! been read where a value stands is followed along all ways through the branches. Where these differ, the finished text says
//! it.

use crate::{
    CodeKind, Each, Element, Inline, List, Part, Tag, TagEnd, TagInside, TagKind, TagRest, code,
    is_tag, is_tag_byte, loose_tag_at, scan::find, tag_at,
};
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec, vec::Vec};
use core::ops::Range;

/// Where a value stands in the tags and comments of the author's words around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TagPlace {
    /// In none.
    #[default]
    Outside,
    /// Behind a `<` that nothing of the author's closes before it.
    Open,
    /// In the name of a tag.
    Name,
    /// Behind the name.
    Attribute {
        /// The tag as far as it has been read.
        rest: TagRest,
        /// The `>` follows.
        is_last: bool,
        /// A `<` of the author's stands before it in the quotation.
        is_open: bool,
    },
    /// In a comment.
    Comment,
}

/// Behind so many bytes of a text all values are letters: the texts of values do not multiply without end.
const LONGEST: usize = 1 << 20;

/// What the values of a node are worded as, by their numbers.
pub(crate) type Worded = [(u16, List<Inline>)];

/// Finds the tags of a text: its values learn where they stand, and the names are added that are tags by themselves.
pub(crate) fn find_in_text(
    list: &mut List<Element>,
    worded: &Worded,
    names: &mut BTreeSet<String>,
) {
    let flatten = |flattening: &mut Flattening<'_>, list: &[Element]| flattening.elements(list);
    find_in(list, worded, names, flatten, assign_elements);
}

/// The same in what a value is worded as. A tag that does not end in it ends behind it.
pub(crate) fn find_in_pieces(
    list: &mut List<Inline>,
    worded: &Worded,
    names: &mut BTreeSet<String>,
) {
    let flatten = |flattening: &mut Flattening<'_>, list: &[Inline]| {
        flattening.pieces(list);
        flattening.words(">");
    };
    find_in(list, worded, names, flatten, assign_pieces);
}

/// The names of the tags in words without values.
pub(crate) fn find_in_words(words: &str, names: &mut BTreeSet<String>) {
    if words.contains('<') {
        let text = words.to_owned();
        let values = Vec::new();
        Flat { text, values }.read(&mut [], names);
    }
}

fn find_in<T: Clone>(
    list: &mut List<T>,
    worded: &Worded,
    names: &mut BTreeSet<String>,
    flatten: impl Fn(&mut Flattening<'_>, &[T]),
    assign: fn(&mut List<T>, &mut vec::IntoIter<TagPlace>),
) {
    let (mut found, mut ways) = (Vec::new(), Vec::new());
    for taken in [Taken::Both, Taken::Then, Taken::Otherwise] {
        let mut flattening = Flattening::new(worded, taken);
        flatten(&mut flattening, list);
        if taken == Taken::Both {
            found.resize(flattening.count, Found::default());
            ways = flattening.places;
        }
        if !flattening.has_angle {
            return;
        }
        flattening.flat.read(&mut found, names);
        if !flattening.has_branches {
            break;
        }
    }
    let places = found
        .iter()
        .zip(ways)
        .map(|(found, ways)| ways.place(*found));
    let places: Vec<TagPlace> = places.collect();
    if places.iter().any(|place| *place != TagPlace::Outside) {
        assign(list, &mut places.into_iter());
    }
}

/// What a reading says of a value.
#[derive(Clone, Copy, Default)]
struct Found {
    in_comment: bool,
    in_tag: bool,
    /// The `>` follows.
    is_last: bool,
}

/// How far a tag has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagPart {
    Angle,
    Name,
    Rest,
}

/// Behind a `<`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Behind {
    part: TagPart,
    rest: TagRest,
    /// A `<` stands in the quotation that is open.
    is_open: bool,
}

impl Behind {
    const ANGLE: Self = Self {
        part: TagPart::Angle,
        rest: TagRest {
            quote: None,
            after_equals: false,
            is_plain: false,
        },
        is_open: false,
    };

    /// Reads on from here, or from outside of tags.
    fn read(mut this: Option<Self>, words: &str) -> Option<Self> {
        let mut at = 0;
        loop {
            let Some(behind) = &mut this else {
                at = find(words, at..words.len(), [b'<'])? + 1;
                this = Some(Self::ANGLE);
                continue;
            };
            for byte in words[at..].bytes() {
                if behind.part == TagPart::Rest {
                    break;
                }
                let is_part = is_tag_byte(byte) || (byte == b'/' && behind.part == TagPart::Angle);
                behind.part = if is_part {
                    TagPart::Name
                } else {
                    TagPart::Rest
                };
            }
            let end = behind.rest.read(words, at..words.len());
            (this, at) = match end {
                None => {
                    let quoted = words[at..].contains('<') || behind.is_open;
                    behind.is_open = quoted && behind.rest.quote.is_some();
                    return this;
                }
                Some(TagEnd::Closed(end)) => (None, end + 1),
                Some(TagEnd::BrokenOff(by)) => (Some(Self::ANGLE), by + 1),
            };
        }
    }
}

/// What may stand before a place of a text: one for each way through the branches, `None` where no tag has begun.
#[derive(Clone, Default)]
struct Ways(Vec<Option<Behind>>);

impl Ways {
    fn read(&mut self, words: &str) {
        if self.0 == [None] && !words.contains('<') {
            return;
        }
        for way in core::mem::take(&mut self.0) {
            self.add(Behind::read(way, words));
        }
    }

    fn add(&mut self, way: Option<Behind>) {
        if !self.0.contains(&way) {
            self.0.push(way);
        }
    }

    fn join(&mut self, other: Self) {
        for way in other.0 {
            self.add(way);
        }
    }

    /// Where a value stands of which readings say this.
    fn place(self, found: Found) -> TagPlace {
        if found.in_comment {
            return TagPlace::Comment;
        }
        let quotes =
            |way: &Option<Behind>| way.map(|way| (way.part == TagPart::Rest, way.rest.quote));
        let first = self.0.first().copied().flatten();
        let all = || self.0.iter().flatten();
        let is_one = |way: &Option<Behind>| quotes(way) == quotes(&first);
        match first {
            None if !found.in_tag && all().next().is_none() => TagPlace::Outside,
            Some(first) if found.in_tag && self.0.iter().all(is_one) => match first.part {
                TagPart::Angle | TagPart::Name => TagPlace::Name,
                TagPart::Rest => TagPlace::Attribute {
                    rest: TagRest {
                        after_equals: all().any(|way| way.rest.after_equals),
                        ..first.rest
                    },
                    is_last: found.is_last && first.rest.quote.is_none(),
                    is_open: all().any(|way| way.is_open),
                },
            },
            _ => TagPlace::Open,
        }
    }
}

/// Which branches are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Both,
    Then,
    Otherwise,
}

/// A text as it would be printed.
#[derive(Default)]
struct Flat {
    text: String,
    /// Where values stand.
    values: Vec<Spot>,
}

/// Where a value stands: at a letter, or at what it is worded as.
#[derive(Clone)]
struct Spot {
    range: Range<usize>,
    /// Of those that are the text's own, which one it is.
    number: Option<usize>,
}

/// A text on the way there.
struct Flattening<'w> {
    flat: Flat,
    worded: &'w Worded,
    taken: Taken,
    /// Whether what is met is printed.
    is_taken: bool,
    /// In what a value is worded as.
    is_inner: bool,
    /// In the body of a loop for the second time: what is behind it may stand before it, too.
    is_repeated: bool,
    has_branches: bool,
    has_angle: bool,
    /// How many values of its own the text has so far.
    count: usize,
    ways: Ways,
    /// What stands before each value.
    places: Vec<Ways>,
}

impl<'w> Flattening<'w> {
    fn new(worded: &'w Worded, taken: Taken) -> Self {
        Self {
            flat: Flat::default(),
            worded,
            taken,
            is_taken: true,
            is_repeated: false,
            is_inner: false,
            has_branches: false,
            has_angle: false,
            count: 0,
            ways: Ways(vec![None]),
            places: Vec::new(),
        }
    }

    fn words(&mut self, words: &str) {
        if self.is_taken {
            self.flat.text.push_str(words);
        }
        self.has_angle |= words.contains('<');
        self.ways.read(words);
    }

    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            let metadata = element.metadata();
            self.words(if metadata.blank_lines > 0 {
                "\n\n"
            } else {
                "\n"
            });
            match element {
                Element::Title { text, .. } | Element::Text { text, .. } => self.pieces(&text.0),
                Element::Code {
                    fence,
                    info,
                    text,
                    close,
                    ..
                } => {
                    self.words(fence);
                    self.pieces(&info.0);
                    self.words("\n");
                    self.pieces(&text.0);
                    self.words("\n");
                    self.words(close);
                }
                Element::Slot { .. } => {}
                Element::If { branches, .. } => {
                    self.parts(&branches.then, branches.otherwise.as_ref(), Self::elements);
                }
                Element::Each { branches, .. } => self.each(branches, Self::elements),
            }
        }
    }

    fn pieces(&mut self, pieces: &[Inline]) {
        for piece in pieces {
            match piece {
                Inline::Literal(words) | Inline::Escaped(words) | Inline::Line { head: words } => {
                    self.words(words);
                }
                Inline::Break(words) if words.is_empty() => self.words("\n"),
                Inline::Break(words) => self.words(words),
                Inline::Value { index, .. } => self.value(*index),
                Inline::Special(_) => self.words("x"),
                Inline::Blocks(list) => self.elements(list),
                Inline::Nothing | Inline::Fence { .. } => {}
                Inline::If(branches) => {
                    self.parts(&branches.then, branches.otherwise.as_ref(), Self::pieces);
                }
                Inline::Each(branches) => self.each(branches, Self::pieces),
            }
        }
    }

    /// A value is a letter, or what it is worded as; in that, values are letters. It may print nothing, too.
    fn value(&mut self, index: u16) {
        let (number, spot, start) = (self.count, self.flat.values.len(), self.flat.text.len());
        let is_inner = core::mem::replace(&mut self.is_inner, true);
        let own = (!is_inner).then_some(number);
        match own.and_then(|own| self.places.get_mut(own)) {
            Some(known) => known.join(self.ways.clone()),
            None if !is_inner => self.places.push(self.ways.clone()),
            None => {}
        }
        if self.is_taken {
            self.flat.values.push(Spot {
                range: start..start,
                number: own,
            });
        }
        let before = self.ways.clone();
        let worded = self.worded.iter().find(|(of, _)| *of == index);
        match worded.filter(|_| !is_inner && start < LONGEST) {
            None => self.words("x"),
            Some((_, list)) => self.pieces(list),
        }
        self.ways.join(before);
        (self.is_inner, self.count) = (is_inner, number + 1);
        if self.is_taken {
            self.flat.values[spot].range.end = self.flat.text.len();
        }
    }

    fn each<T: Clone>(&mut self, branches: &Each<T>, read: fn(&mut Self, &[T])) {
        let body = |flattening: &mut Self, list: &[T]| {
            let count = flattening.count;
            read(flattening, list);
            if !core::mem::replace(&mut flattening.is_repeated, true) {
                flattening.count = count;
                let once = flattening.ways.clone();
                flattening.words(&branches.body.trail);
                read(flattening, list);
                flattening.words(branches.last.as_deref().unwrap_or_default());
                flattening.is_repeated = false;
                flattening.ways.join(once);
            }
        };
        let before = self.ways.clone();
        self.branch(Taken::Otherwise, &branches.body, body);
        self.otherwise(branches.otherwise.as_ref(), before, read);
    }

    fn parts<T: Clone>(
        &mut self,
        then: &Part<T>,
        otherwise: Option<&Part<T>>,
        read: fn(&mut Self, &[T]),
    ) {
        let before = self.ways.clone();
        self.branch(Taken::Otherwise, then, read);
        self.otherwise(otherwise, before, read);
    }

    /// Behind what is printed otherwise, or where nothing is.
    fn otherwise<T: Clone>(
        &mut self,
        part: Option<&Part<T>>,
        before: Ways,
        read: fn(&mut Self, &[T]),
    ) {
        self.has_branches = true;
        let then = core::mem::replace(&mut self.ways, before);
        if let Some(part) = part {
            if self.taken == Taken::Both && self.is_taken {
                self.flat.text.push(' ');
            }
            self.branch(Taken::Then, part, read);
        }
        self.ways.join(then);
    }

    /// A branch, which is not printed where those of the other kind are.
    fn branch<T: Clone>(
        &mut self,
        other: Taken,
        part: &Part<T>,
        read: impl FnOnce(&mut Self, &[T]),
    ) {
        let outer = self.is_taken;
        self.is_taken &= self.taken != other;
        read(self, &part.list);
        self.is_taken = outer;
    }
}

impl Flat {
    /// Finds tags and comments outside of code. A lone `<path>` in a sentence is a placeholder, as is `<{path}>`.
    fn read(&self, found: &mut [Found], names: &mut BTreeSet<String>) {
        let text = &*self.text;
        let (mut others, mut computed, mut own) = (Vec::new(), Vec::new(), BTreeSet::new());
        let hidden = hidden(text);
        let mut hidden = hidden.iter().peekable();
        let (mut from, mut no_comment_ends) = (0, false);
        while let Some(at) = find(text, from..text.len(), [b'<']) {
            from = at + 1;
            while hidden.next_if(|code| code.end <= at).is_some() {}
            if let Some(code) = hidden.peek().filter(|code| code.start <= at) {
                from = code.end;
                continue;
            }
            if text[at..].starts_with("<!--") && !no_comment_ends {
                match text[at + 4..].find("-->") {
                    Some(end) => {
                        from = at + 4 + end;
                        self.put(&(at + 1..from), found, |found| found.in_comment = true);
                    }
                    None => no_comment_ends = true,
                }
                continue;
            }
            let whole = |tag: &Tag| tag.kind != TagKind::Malformed;
            let Some(tag) = loose_tag_at(text, at).filter(whole) else {
                continue;
            };
            let is_sure = tag_at(text, at).is_some_and(|tag| match tag.kind {
                TagKind::Open => tag.inside == TagInside::Attributes,
                kind => matches!(kind, TagKind::Close | TagKind::SelfClosing),
            });
            if !self.values_in(&tag.name).is_empty() {
                computed.push((tag, is_sure));
            } else if is_sure {
                own.insert(text[tag.name.clone()].to_ascii_lowercase());
                self.in_tag(&tag, found);
            } else {
                others.push(tag);
            }
        }
        for tag in others {
            if own.contains(&text[tag.name.clone()].to_ascii_lowercase()) {
                self.in_tag(&tag, found);
            }
        }
        names.append(&mut own);
        self.computed(&computed, found, names);
    }

    /// Tags in whose names values stand: those that are tags by themselves, and those that have their other end, as a lone end
    /// that is all of one value has to. Where values print nothing, what is left is a name too.
    fn computed(&self, tags: &[(Tag, bool)], found: &mut [Found], names: &mut BTreeSet<String>) {
        let text = &*self.text;
        let mut ends = [const { BTreeSet::new() }; 2];
        let is_close = |tag: &Tag| text[tag.range.start..].starts_with("</");
        for (tag, _) in tags {
            ends[usize::from(is_close(tag))].insert(&text[tag.name.clone()]);
        }
        for (tag, is_sure) in tags {
            let values = self.values_in(&tag.name);
            let is_lone = is_close(tag) && values[0].range == tag.name;
            let has_other = ends[usize::from(!is_close(tag))].contains(&text[tag.name.clone()]);
            if has_other || (*is_sure && !is_lone) {
                self.in_tag(tag, found);
                let mut rest = text[tag.name.clone()].to_ascii_lowercase();
                for spot in values.iter().rev() {
                    let end = spot.range.end.min(tag.name.end) - tag.name.start;
                    rest.replace_range(spot.range.start - tag.name.start..end, "");
                }
                names.extend(Some(rest).filter(|rest| is_tag(rest)));
            }
        }
    }

    /// The values in a part of the text.
    fn values_in(&self, range: &Range<usize>) -> &[Spot] {
        let place = |at: usize| self.values.partition_point(|spot| spot.range.start < at);
        &self.values[place(range.start)..place(range.end)]
    }

    fn put(&self, range: &Range<usize>, found: &mut [Found], put: impl Fn(&mut Found)) {
        for spot in self.values_in(range) {
            if let Some(found) = spot.number.and_then(|number| found.get_mut(number)) {
                put(found);
            }
        }
    }

    fn in_tag(&self, tag: &Tag, found: &mut [Found]) {
        for spot in self.values_in(&(tag.name.start..tag.range.end)) {
            if let Some(found) = spot.number.and_then(|number| found.get_mut(number)) {
                found.in_tag = true;
                found.is_last |= self.text.as_bytes().get(spot.range.end) == Some(&b'>');
            }
        }
    }
}

/// What is code, as it is printed: closed fences, and what stands between backticks on one line. Indentation alone makes no
/// code, since tags indent what is in them.
fn hidden(text: &str) -> Vec<Range<usize>> {
    if find(text, 0..text.len(), [b'`', b'~']).is_none() {
        return Vec::new();
    }
    let hides = |range: &Range<usize>, kind: CodeKind| match kind {
        CodeKind::Fence { is_closed } => is_closed,
        CodeKind::Inline => !text[range.clone()].contains('\n'),
        CodeKind::Indented => false,
    };
    let code = code(text).into_iter();
    let code = code.filter(|code| hides(&code.range, code.kind));
    code.map(|code| code.range).collect()
}

fn assign_elements(list: &mut List<Element>, places: &mut vec::IntoIter<TagPlace>) {
    for element in list.to_mut() {
        for text in element.inline_texts_mut() {
            assign_pieces(&mut text.0, places);
        }
        for part in element.parts_mut() {
            assign_elements(&mut part.list, places);
        }
    }
}

fn assign_pieces(list: &mut List<Inline>, places: &mut vec::IntoIter<TagPlace>) {
    for piece in list.to_mut() {
        match piece {
            Inline::Value { tag, .. } => *tag = places.next().unwrap_or_default(),
            Inline::Blocks(list) => assign_elements(list, places),
            Inline::If(branches) => assign_parts(
                [Some(&mut branches.then), branches.otherwise.as_mut()],
                places,
            ),
            Inline::Each(branches) => assign_parts(
                [Some(&mut branches.body), branches.otherwise.as_mut()],
                places,
            ),
            _ => {}
        }
    }
}

fn assign_parts(parts: [Option<&mut Part<Inline>>; 2], places: &mut vec::IntoIter<TagPlace>) {
    for part in parts.into_iter().flatten() {
        assign_pieces(&mut part.list, places);
    }
}

//! The list of elements of one text.

use crate::{Element, InlineText, List, element::fmt_list};
use alloc::{
    borrow::Cow,
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt;

/// The elements of one text, in order. `Display` prints the text.
///
/// ```
/// use prompt_syntax::{Options, Place, parse};
///
/// let text = "You sort mail.\n\n# Rules\n\n## Tone\n\nBe kind.";
/// let elements = parse(text, &Options::new(Place::Node)).elements;
/// assert_eq!(elements.titles().map(|(level, text)| format!("{level} {text}")).collect::<Vec<_>>(), ["1 Rules", "2 Tone"]);
/// let moved = elements.embed_at(3);
/// assert_eq!(moved.to_markdown(), "You sort mail.\n\n### Rules\n\n#### Tone\n\nBe kind.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements(pub(crate) List<Element>);

/// How many elements of each kind a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElementCounts {
    /// Headings.
    pub titles: usize,
    /// Runs of text.
    pub texts: usize,
    /// Code blocks.
    pub code: usize,
    /// Slots.
    pub slots: usize,
    /// Conditions over blocks.
    pub conditions: usize,
    /// Loops over blocks.
    pub loops: usize,
}

/// Every element of a list, those under conditions and loops included, in the order of the source.
pub(crate) fn all(elements: &[Element]) -> impl Iterator<Item = &Element> {
    let (mut list, mut around) = (elements.iter(), Vec::new());
    core::iter::from_fn(move || {
        let element = loop {
            match list.next() {
                Some(element) => break element,
                None => list = around.pop()?,
            }
        };
        // Behind the first list of a condition stands the other one.
        let mut inside = element.parts().map(|part| part.list.iter());
        if let Some(first) = inside.next() {
            around.push(core::mem::replace(&mut list, first));
            around.extend(inside);
        }
        Some(element)
    })
}

impl Elements {
    /// A list of static elements. In a constant, write the list as `const { &[..] }`.
    pub const fn new(elements: &'static [Element]) -> Self {
        Self(Cow::Borrowed(elements))
    }

    /// The elements.
    pub fn iter(&self) -> core::slice::Iter<'_, Element> {
        self.0.iter()
    }

    /// The element at this position, from 0.
    pub fn get(&self, index: usize) -> Option<&Element> {
        self.0.get(index)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every element, those under conditions and loops included, in the order of the source.
    pub fn all(&self) -> impl Iterator<Item = &Element> {
        all(&self.0)
    }

    /// How many there are of each kind, those under conditions and loops included.
    pub fn counts(&self) -> ElementCounts {
        self.all()
            .fold(ElementCounts::default(), |mut counts, element| {
                match element {
                    Element::Title { .. } => counts.titles += 1,
                    Element::Text { .. } => counts.texts += 1,
                    Element::Code { .. } => counts.code += 1,
                    Element::Slot { .. } => counts.slots += 1,
                    Element::If { .. } => counts.conditions += 1,
                    Element::Each { .. } => counts.loops += 1,
                }
                counts
            })
    }

    /// Level and text of the headings.
    pub fn titles(&self) -> impl Iterator<Item = (u8, &InlineText)> {
        self.all().filter_map(|element| match element {
            Element::Title { level, text, .. } => Some((*level, text)),
            _ => None,
        })
    }

    /// The headings of one level.
    pub fn titles_at(&self, level: u8) -> impl Iterator<Item = &InlineText> {
        self.titles()
            .filter_map(move |(at, text)| (at == level).then_some(text))
    }

    /// The runs of text.
    pub fn texts(&self) -> impl Iterator<Item = &InlineText> {
        self.all().filter_map(|element| match element {
            Element::Text { text, .. } => Some(text),
            _ => None,
        })
    }

    /// Info string and text of the code blocks.
    pub fn code(&self) -> impl Iterator<Item = (&InlineText, &InlineText)> {
        self.all().filter_map(|element| match element {
            Element::Code { info, text, .. } => Some((info, text)),
            _ => None,
        })
    }

    /// Name and level of the slots.
    pub fn slots(&self) -> impl Iterator<Item = (&str, u8)> {
        self.all().filter_map(|element| match element {
            Element::Slot { name, level, .. } => Some((name.as_ref(), *level)),
            _ => None,
        })
    }

    /// The names of the values in order of first use, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let mut names = Vec::new();
        for text in self.all().flat_map(Element::inline_texts) {
            names.extend(text.names().filter(|name| seen.insert(*name)));
        }
        names
    }

    /// The list with each element told whether it goes without a trace when what is embedded comes out empty: a slot, or
    /// a title whose whole body (up to the next title of the same or a higher level) is slots and such titles.
    pub(crate) fn with_optional(mut self) -> Self {
        // Read backwards, a title knows its body: for each level what stands between here and the next title of that
        // level or a higher one.
        let mut below = [(false, false); 8];
        if self
            .all()
            .any(|element| matches!(element, Element::Slot { .. }))
        {
            mark_optional(self.0.to_mut(), &mut below);
        }
        self
    }

    /// The smallest level among titles and slots; 1 without any.
    pub fn top(&self) -> u8 {
        self.all().filter_map(Element::level).min().unwrap_or(1)
    }

    /// The list as it stands where its smallest level is `level` (from 1): all other levels move by the same offset,
    /// gaps are kept. Levels past 6 are kept too, so moving back gives the same list; such headings print with six
    /// hashes.
    #[must_use]
    pub fn embed_at(self, level: u8) -> Self {
        let (top, level) = (self.top(), level.max(1));
        if top == level {
            return self;
        }
        self.map(|element| match element.level() {
            Some(at) => element.with_level(at.saturating_sub(top).saturating_add(level)),
            None => element,
        })
    }

    /// The list with each element replaced; those under conditions and loops before these themselves.
    #[must_use]
    pub fn map(self, mut change: impl FnMut(Element) -> Element) -> Self {
        Self(map_list(self.0, &mut |element| Some(change(element))))
    }

    /// The list of the elements that `keep` says yes to. Under conditions and loops each is asked, too; they themselves
    /// are asked afterwards.
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(&Element) -> bool) -> Self {
        Self(map_list(self.0, &mut |element| {
            keep(&element).then_some(element)
        }))
    }

    /// The source text. For a list that was parsed it is the text that was given, but for what the grammar does not
    /// keep: author's notes, blank lines at both ends, blanks behind slots, tabs before them. What stands behind the end of
    /// a condition on a heading, `{?x}# A{/x} #`, stands before it.
    pub fn to_markdown(&self) -> String {
        self.to_string()
    }
}

/// What stands below a place: for each level, whether slots and whether anything else stands between here and the next
/// title of this level or a higher one.
type Below = [(bool, bool); 8];

/// Marks titles and slots, from the last to the first.
fn mark_optional(list: &mut [Element], below: &mut Below) {
    for element in list.iter_mut().rev() {
        match element {
            Element::Title {
                level, metadata, ..
            } => {
                let level = usize::from(*level).min(below.len() - 1);
                let (has_slots, has_others) = below[level];
                metadata.optional = has_slots && !has_others;
                // To titles of its level and deeper ones the text ends here. To those above it, it is what its body is.
                below[level..].fill((false, false));
                below[..level]
                    .iter_mut()
                    .for_each(|(_, others)| *others |= !has_slots);
            }
            Element::Slot { metadata, .. } => {
                metadata.optional = true;
                for (slots, _) in below.iter_mut() {
                    *slots = true;
                }
            }
            Element::Text { .. } | Element::Code { .. } => {
                for (_, others) in below.iter_mut() {
                    *others = true;
                }
            }
            Element::If { .. } | Element::Each { .. } => {
                let parts = element.parts_mut().rev();
                parts.for_each(|part| mark_optional(part.list.to_mut(), below));
            }
        }
    }
}

/// Replaces or drops each element of a list and of the lists under it.
fn map_list(
    list: List<Element>,
    change: &mut dyn FnMut(Element) -> Option<Element>,
) -> List<Element> {
    let mut changed = Vec::with_capacity(list.len());
    for mut element in list.into_owned() {
        for part in element.parts_mut() {
            part.list = map_list(core::mem::take(&mut part.list), change);
        }
        changed.extend(change(element));
    }
    Cow::Owned(changed)
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_list(&self.0, f)
    }
}

impl FromIterator<Element> for Elements {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        Self(Cow::Owned(elements.into_iter().collect()))
    }
}

impl From<Vec<Element>> for Elements {
    fn from(elements: Vec<Element>) -> Self {
        Self(Cow::Owned(elements))
    }
}

impl Extend<Element> for Elements {
    fn extend<I: IntoIterator<Item = Element>>(&mut self, elements: I) {
        self.0.to_mut().extend(elements);
    }
}

impl IntoIterator for Elements {
    type Item = Element;
    type IntoIter = vec::IntoIter<Element>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_owned().into_iter()
    }
}

impl<'a> IntoIterator for &'a Elements {
    type Item = &'a Element;
    type IntoIter = core::slice::Iter<'a, Element>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Characters of a text that an outline shows.
const SHOWN: usize = 48;

impl Elements {
    /// An indented tree of the list: one line per element, below the title it belongs to. It is made for reading and
    /// for snapshots, not for parsing.
    ///
    /// ```
    /// use prompt_syntax::{Options, Place, parse};
    ///
    /// let text = "Sort {count} mails.\n\n## Rules\n\n```json\n{}\n```\n\n{PROMPT_SUBTREE}";
    /// let options = Options { names: &["count"], ..Options::new(Place::Node) };
    /// assert_eq!(
    ///     parse(text, &options).elements.outline(),
    ///     "text: Sort {count} mails.\n## Rules\n  code json: {}\n  slot PROMPT_SUBTREE at level 3\n"
    /// );
    /// ```
    pub fn outline(&self) -> String {
        let mut outline = Outline::default();
        outline.list(&self.clone().with_optional().0, 0);
        outline.text
    }
}

#[derive(Default)]
struct Outline {
    text: String,
    /// The levels of the titles around.
    open: Vec<u8>,
}

impl Outline {
    fn list(&mut self, list: &[Element], depth: usize) {
        for element in list {
            if let Element::Title { level, .. } = element {
                while self.open.pop_if(|above| *above >= *level).is_some() {}
            }
            for (index, part) in element.parts().enumerate() {
                if index > 0 || !part.marker.is_empty() {
                    self.line(depth, part.marker.trim_matches([' ', '\t']));
                }
                self.list(&part.list, depth + 1);
            }
            if let Some(line) = line(element) {
                self.line(depth, &line);
            }
            if let Element::Title { level, .. } = element {
                self.open.push(*level);
            }
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        let indent = self.open.len() + depth;
        self.text.extend(core::iter::repeat_n("  ", indent));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn line(element: &Element) -> Option<String> {
    Some(match element {
        Element::Title {
            level,
            text,
            metadata,
            ..
        } => {
            let mark = if metadata.optional { " (optional)" } else { "" };
            format!("{} {text}{mark}", "#".repeat(usize::from(*level)))
        }
        Element::Text { text, .. } => format!("text: {}", excerpt(&text.to_string())),
        Element::Code { info, text, .. } => {
            let blank = if info.is_empty() { "" } else { " " };
            format!("code{blank}{info}: {}", excerpt(&text.to_string()))
        }
        Element::Slot { name, level, .. } => format!("slot {name} at level {level}"),
        Element::If { .. } | Element::Each { .. } => return None,
    })
}

/// The first line, cut, and how many lines there are.
fn excerpt(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let mut excerpt: String = first.chars().take(SHOWN).collect();
    if excerpt.len() < first.len() {
        excerpt.push_str("...");
    }
    match text.lines().count() {
        0 | 1 => excerpt,
        lines => format!("{excerpt} ({lines} lines)"),
    }
}

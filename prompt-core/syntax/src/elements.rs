//! The list of elements of one text.

use crate::{Element, Inline, InlineText};
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
pub struct Elements(Cow<'static, [Element]>);

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

    /// How many there are of each kind.
    pub fn counts(&self) -> ElementCounts {
        self.iter()
            .fold(ElementCounts::default(), |mut counts, element| {
                match element {
                    Element::Title { .. } => counts.titles += 1,
                    Element::Text { .. } => counts.texts += 1,
                    Element::Code { .. } => counts.code += 1,
                    Element::Slot { .. } => counts.slots += 1,
                }
                counts
            })
    }

    /// Level and text of the headings.
    pub fn titles(&self) -> impl Iterator<Item = (u8, &InlineText)> {
        self.iter().filter_map(|element| match element {
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
        self.iter().filter_map(|element| match element {
            Element::Text { text, .. } => Some(text),
            _ => None,
        })
    }

    /// Info string and text of the code blocks.
    pub fn code(&self) -> impl Iterator<Item = (&InlineText, &InlineText)> {
        self.iter().filter_map(|element| match element {
            Element::Code { info, text, .. } => Some((info, text)),
            _ => None,
        })
    }

    /// Name and level of the slots.
    pub fn slots(&self) -> impl Iterator<Item = (&str, u8)> {
        self.iter().filter_map(|element| match element {
            Element::Slot { name, level, .. } => Some((name.as_ref(), *level)),
            _ => None,
        })
    }

    /// The names of the variables in order of first use, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let names = self
            .iter()
            .flat_map(Element::pieces)
            .filter_map(|piece| match piece {
                Inline::Variable { name, .. } => Some(name.as_ref()),
                _ => None,
            });
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// For each element whether it goes without a trace when what is embedded comes out empty: a slot, or a title
    /// whose whole body (up to the next title of the same or a higher level) is slots and such titles.
    pub fn optional(&self) -> Vec<bool> {
        let mut optional = vec![false; self.len()];
        let mut mark = |title: &OpenTitle| {
            if let Some(flag) = optional.get_mut(title.index) {
                *flag = title.slots && !title.other;
            }
        };
        let mut open: Vec<OpenTitle> = Vec::new();
        for (index, element) in self.iter().enumerate() {
            match element {
                Element::Title { level, .. } => {
                    while let Some(title) = open.pop_if(|title| title.level >= *level) {
                        mark(&title);
                        title.close(&mut open);
                    }
                    open.push(OpenTitle {
                        index,
                        level: *level,
                        slots: false,
                        other: false,
                    });
                }
                Element::Slot { .. } => {
                    mark(&OpenTitle {
                        index,
                        level: 0,
                        slots: true,
                        other: false,
                    });
                    open.last_mut()
                        .into_iter()
                        .for_each(|title| title.slots = true);
                }
                Element::Text { .. } if element.is_marker_lines() => {}
                Element::Text { .. } | Element::Code { .. } => {
                    open.last_mut()
                        .into_iter()
                        .for_each(|title| title.other = true);
                }
            }
        }
        while let Some(title) = open.pop() {
            mark(&title);
            title.close(&mut open);
        }
        optional
    }

    /// The smallest level among titles and slots; 1 without any.
    pub fn top(&self) -> u8 {
        self.iter().filter_map(Element::level).min().unwrap_or(1)
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

    /// The list with each element replaced.
    #[must_use]
    pub fn map(self, change: impl FnMut(Element) -> Element) -> Self {
        self.into_iter().map(change).collect()
    }

    /// The list of the elements that `keep` says yes to.
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(&Element) -> bool) -> Self {
        self.into_iter().filter(|element| keep(element)).collect()
    }

    /// The source text. For a list that was parsed it is the text that was given, but for what the grammar does not
    /// keep: author's notes, blank lines at both ends, blanks around and closing hashes of headings, blanks behind slots and
    /// marker lines, tabs before them.
    pub fn to_markdown(&self) -> String {
        self.to_string()
    }
}

/// A title whose body is being read.
struct OpenTitle {
    index: usize,
    level: u8,
    /// Slots, or titles over nothing but slots, stand in its body.
    slots: bool,
    /// Anything else does.
    other: bool,
}

impl OpenTitle {
    /// Tells the title around it.
    fn close(&self, open: &mut [Self]) {
        if let Some(outer) = open.last_mut() {
            outer.slots |= self.slots;
            outer.other |= self.other || !self.slots;
        }
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, element) in self.iter().enumerate() {
            if index > 0 {
                write!(f, "\n{}", element.metadata())?;
            }
            element.fmt(f)?;
        }
        Ok(())
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
        let mut outline = String::new();
        let mut open: Vec<u8> = Vec::new();
        for (element, optional) in self.iter().zip(self.optional()) {
            if let Element::Title { level, .. } = element {
                while open.pop_if(|above| *above >= *level).is_some() {}
            }
            outline.extend(core::iter::repeat_n("  ", open.len()));
            outline.push_str(&line(element, optional));
            outline.push('\n');
            if let Element::Title { level, .. } = element {
                open.push(*level);
            }
        }
        outline
    }
}

fn line(element: &Element, optional: bool) -> String {
    match element {
        Element::Title {
            level,
            conditions,
            text,
            ..
        } => {
            let mark = if optional { " (optional)" } else { "" };
            format!(
                "{conditions}{} {text}{mark}",
                "#".repeat(usize::from(*level))
            )
        }
        Element::Text { text, .. } => format!("text: {}", excerpt(&text.to_string())),
        Element::Code { info, text, .. } if info.is_empty() => {
            format!("code: {}", excerpt(&text.to_string()))
        }
        Element::Code { info, text, .. } => format!("code {info}: {}", excerpt(&text.to_string())),
        Element::Slot { name, level, .. } => format!("slot {name} at level {level}"),
    }
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

//! Whether a node that was built at run time can be printed in one go, and what that takes. The rule is that of derived
//! types, where the compiler decides it.

use crate::node::{
    Child, Extent, Head, Heading, Items, Markup, NodeInfo, Own, SectionInfo, Text, Title,
    ValueTreatment, extent, tagged,
};
use crate::visibility::Visibility;
use prompt_syntax::{Mark, MarkKind};

/// Levels of nodes that are printed so: it takes the thread's stack.
const DEEPEST: usize = 64;
/// Bytes that a value is expected to have.
const VALUE: usize = 24;
/// White space and markers around a section.
const SECTION: usize = 16;

/// How a node is printed in one go.
pub(super) struct Course {
    pub(super) extent: Extent,
    /// Whether headings stand in its own text: they would move where it is embedded.
    has_headings: bool,
    /// Levels of nodes below it.
    depth: usize,
    /// Where the first value stands in its text.
    pub(super) first: Option<usize>,
    pub(super) sections: Vec<Step>,
}

/// How a section is printed.
pub(super) struct Step {
    pub(super) child: Child,
    /// Where nothing is said of it but its title.
    pub(super) head: Option<OwnedHead>,
}

/// What a section embeds.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) extent: Extent,
    /// Levels of nodes, its own included.
    depth: usize,
}

/// A [`Head`]: `"###### Rules\n\nrules>\n"`, and where the tag begins.
pub(super) struct OwnedHead {
    words: String,
    tag: usize,
    level: u8,
}

impl Below {
    /// A text.
    pub(super) const TEXT: Self = Self {
        extent: Extent::TEXT,
        depth: 0,
    };
    /// Several of them, which are bullets.
    pub(super) const TEXTS: Self = Self {
        extent: Extent::TEXTS,
        depth: 0,
    };
}

impl Course {
    /// How a node is printed whose sections embed these, if it can be.
    pub(super) fn of(
        info: &NodeInfo,
        below: impl IntoIterator<Item = Option<Below>>,
    ) -> Option<Self> {
        if !is_straight(info) {
            return None;
        }
        let below: Option<Vec<Below>> = below.into_iter().collect();
        let below = below?;
        let depth = below.iter().map(|below| below.depth).max().unwrap_or(0);
        let parts: Vec<_> = below.iter().map(|below| Some(below.extent)).collect();
        let sections = info.sections.iter();
        let around: usize = sections.clone().map(words_around).sum();
        let around = around + uses(&info.text).count() * VALUE;
        let has_tools = |section: &SectionInfo| section.policy.has_tools;
        let has_tools = info.container.has_tools || sections.clone().any(has_tools);
        let extent = extent([info.text.literal.len(), around], has_tools, &parts);
        let has_tag = |text: &Text| text.literal.contains('<');
        let has_tags = has_tag(&info.text) || sections.clone().any(|it| has_tag(&it.intro));
        let extent = if has_tags { tagged(extent) } else { extent };
        let heading = &info.container.heading;
        let level = heading.level.unwrap_or(info.text.end);
        let step = |(section, below): (&SectionInfo, &Below)| Step {
            child: Child {
                own: &Own::NONE,
                wraps: below.extent.sections > 0,
                speaks: below.extent.speaks,
            },
            head: OwnedHead::of(section, heading, level),
        };
        (depth <= DEEPEST).then_some(Self {
            extent: extent?,
            has_headings: info.text.end > 1,
            depth,
            first: uses(&info.text).next().map(|(first, _)| first),
            sections: sections.zip(&below).map(step).collect(),
        })
    }

    /// The same, where it is embedded.
    pub(super) fn below(&self) -> Option<Below> {
        (!self.has_headings).then_some(Below {
            extent: self.extent,
            depth: self.depth + 1,
        })
    }
}

impl OwnedHead {
    #[inline]
    pub(super) fn get(&self) -> Head<'_> {
        let (heading, tag) = self.words.split_at_checked(self.tag).unwrap_or_default();
        (heading, tag, self.level)
    }

    fn of(section: &SectionInfo, around: &Heading, level: u8) -> Option<Self> {
        let is_usual = section.heading.gap.or(around.gap).is_none() && !section.is_untitled();
        let is_tight = around.tight || section.heading.tight;
        let under = if is_tight { "\n" } else { "\n\n" };
        let heading = format!("###### {}{under}", title(section));
        is_usual.then(|| Self {
            words: format!("{heading}{}>\n", section.key),
            tag: heading.len(),
            level: section.heading.level.unwrap_or(level),
        })
    }
}

/// The places and indexes of the variables in a text.
pub(super) fn uses(text: &Text) -> impl Iterator<Item = (usize, usize)> {
    text.marks.iter().filter_map(|mark| match mark.kind {
        MarkKind::Variable(index) => Some((mark.at as usize, usize::from(index))),
        _ => None,
    })
}

/// Whether a node can be printed in one go as far as its own words go.
fn is_straight(info: &NodeInfo) -> bool {
    let container = &info.container;
    let is_usual = |index: usize| {
        let variable = info.variables.get(index);
        variable.is_some_and(|variable| variable.treatment == ValueTreatment::USUAL)
    };
    let starts_with_words = uses(&info.text).next().is_none_or(|(first, _)| first > 0);
    let is_plain = |mark: &Mark| matches!(mark.kind, MarkKind::Variable(_)) || is_inert(mark);
    starts_with_words
        && info.text.marks.iter().all(is_plain)
        && uses(&info.text).all(|(_, index)| is_usual(index))
        && !info.variables.iter().any(|variable| variable.missing)
        && container.markup == Markup::NONE
        && container.heading.form.is_none()
        && container.numbered.is_none()
        && container.start.is_empty()
        && container.end.is_empty()
        && info.tags.is_empty()
        && info.sections.iter().all(is_usual_section)
}

/// Whether a section is what a heading, or a tag, and its content are.
fn is_usual_section(section: &SectionInfo) -> bool {
    let has_title = match &section.title {
        Title::Explicit(title) => title.marks.iter().all(is_inert) && !title.literal.contains('\n'),
        Title::Fallback(_) | Title::Untitled(_) => true,
    };
    has_title
        && section.intro.marks.iter().all(is_inert)
        && section.intro.end == 1
        && section.empty.is_none()
        && !section.placed
        && section.items == Items::DEFAULT
        && section.heading.form.is_none()
        && section.markup == Markup::NONE
        && section.policy.role.is_none()
        && section.visibility == Visibility::Full
}

/// Whether a mark changes nothing: the text is printed as it stands.
fn is_inert(mark: &Mark) -> bool {
    match mark.kind {
        MarkKind::Text { .. } | MarkKind::Escape { .. } => true,
        MarkKind::Title {
            optional, marks, ..
        } => !optional && marks == 0,
        _ => false,
    }
}

fn title(section: &SectionInfo) -> &str {
    match &section.title {
        Title::Explicit(title) => &title.literal,
        Title::Fallback(title) | Title::Untitled(title) => title,
    }
}

/// Bytes of what is written of a section in its own node.
fn words_around(section: &SectionInfo) -> usize {
    section.intro.literal.len() + title(section).len().max(2 * section.key.len()) + SECTION
}

//! The usual description of a derived node as a few words, which cost the compiler next to nothing. They become a
//! [`NodeInfo`] where the first one asks for it; what prints in one go never does.

use super::{NodeInfo, SectionInfo, Text, Variable, describe};
use prompt_syntax::Mark;
use std::{borrow::Cow, sync::OnceLock};

/// A description that is read at its first use.
pub struct Coded {
    name: &'static str,
    text: &'static str,
    /// `"0-1 11+0"`: at byte 0 a paragraph of line 1, at byte 11 the first variable.
    marks: &'static str,
    /// `"language\0Programming language.\0team\0"`: what stands between the braces, and its documentation.
    variables: &'static str,
    sections: &'static [SectionInfo],
    info: OnceLock<Box<NodeInfo>>,
}

/// A node with a text of paragraphs and variables of the usual treatment, with sections, and nothing else.
pub const fn coded(
    [name, text, marks, variables]: [&'static str; 4],
    sections: &'static [SectionInfo],
) -> Coded {
    Coded {
        name,
        text,
        marks,
        variables,
        sections,
        info: OnceLock::new(),
    }
}

impl Coded {
    /// The description.
    #[inline]
    pub fn info(&self) -> &NodeInfo {
        self.info.get_or_init(|| Box::new(self.read()))
    }

    #[cold]
    fn read(&self) -> NodeInfo {
        NodeInfo {
            name: Cow::Borrowed(self.name),
            text: Text {
                marks: self.marks.split(' ').filter_map(mark).collect(),
                ..Text::plain(self.text)
            },
            variables: variables(self.variables),
            sections: Cow::Borrowed(self.sections),
            ..NodeInfo::DEFAULT
        }
    }
}

/// A place; `None` where there is none, which the derive does not write.
fn mark(word: &str) -> Option<Mark> {
    let (at, what) = word.split_at_checked(word.find(['-', '+'])?)?;
    let (at, number) = (at.parse().ok()?, what.get(1..)?);
    Some(if what.starts_with('-') {
        describe::paragraph(at, number.parse().ok()?)
    } else {
        describe::variable(at, number.parse().ok()?)
    })
}

fn variables(code: &'static str) -> Cow<'static, [Variable]> {
    let mut words = code.split('\0');
    let pairs = std::iter::from_fn(|| Some((words.next()?, words.next()?)));
    pairs
        .map(|(source, description)| describe::usual(source, description))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_the_lists_say() {
        let coded = coded(
            [
                "Node",
                "You review .",
                "0-1 11+0",
                "language\0Its name.\0team\0",
            ],
            describe::NO_SECTIONS,
        );
        let text = describe::text(
            "You review .",
            const { &describe::marks([(0, -1), (11, 0)]) },
            1,
            1,
        );
        let variables = const { &describe::variables([("language", "Its name."), ("team", "")]) };
        let info = describe::node("Node", text, variables, describe::NO_SECTIONS);
        assert_eq!(coded.info(), &info);
    }

    #[test]
    fn nothing_is_read_from_nothing() {
        let coded = coded(["Node", "", "", ""], describe::NO_SECTIONS);
        let (info, text) = (coded.info(), Text::EMPTY);
        assert_eq!((&info.text, info.variables.len()), (&text, 0));
    }
}

//! The usual description of a derived node as a few words, which cost the compiler next to nothing. They become a
//! [`NodeInfo`] where the first one asks for it; what prints in one go needs no more of it than introductions.

use super::{Location, NodeInfo, Said, SectionInfo, SectionKeys, Text, Title, Variable, describe};
use prompt_syntax::Mark;
use std::{borrow::Cow, str::Split, sync::OnceLock};

/// A description that is read at its first use. Words of a list are separated by NUL.
#[derive(Debug)]
pub struct Coded {
    name: &'static str,
    text: &'static str,
    /// `"0-1 11+0"`: at byte 0 a paragraph of line 1, at byte 11 the first variable.
    marks: &'static str,
    /// What stands between the braces, and its documentation: `"language\0Programming language.\0team\0"`.
    variables: &'static str,
    /// Key, field, title, introduction, its marks, and the line: `"rules\0rules\0Rules\0Follow them.\00-1\012"`. A title
    /// written in the attribute is `"=0-1=House rules"`, with its marks; where there is no heading it is `"-Rules"`.
    sections: &'static str,
    /// Where they were declared.
    file: &'static str,
    /// What is said of some of them, by their numbers.
    said: &'static [(usize, SectionKeys)],
    info: OnceLock<Box<NodeInfo>>,
}

/// A node with a text of paragraphs and variables of the usual treatment, and nothing else.
pub const fn coded([name, text, marks, variables]: [&'static str; 4]) -> Coded {
    Coded {
        name,
        text,
        marks,
        variables,
        sections: "",
        file: "",
        said: &[],
        info: OnceLock::new(),
    }
}

impl Coded {
    /// The same with sections.
    #[must_use]
    pub const fn sections(mut self, sections: &'static str, file: &'static str) -> Self {
        self.sections = sections;
        self.file = file;
        self
    }

    /// The same, where something is said of some of them.
    #[must_use]
    pub const fn said(mut self, said: &'static [(usize, SectionKeys)]) -> Self {
        self.said = said;
        self
    }

    /// The description.
    #[inline]
    pub fn info(&self) -> &NodeInfo {
        self.info.get_or_init(|| Box::new(self.read()))
    }

    #[cold]
    fn read(&self) -> NodeInfo {
        let mut words = self.variables.split('\0');
        let variables = std::iter::from_fn(|| variable(&mut words)).collect();
        let mut words = self.sections.split('\0');
        let sections = (0..).map_while(|number| self.section(number, &mut words));
        NodeInfo {
            name: Cow::Borrowed(self.name),
            text: text(self.text, self.marks),
            variables,
            sections: sections.collect(),
            ..NodeInfo::DEFAULT
        }
    }

    fn section(&self, number: usize, words: &mut Split<'static, char>) -> Option<SectionInfo> {
        let [key, field, title, intro, marks] = next(words)?;
        let [line] = next(words)?;
        let mut said = self.said.iter();
        let said = said.find(|(of, _)| *of == number);
        Some(SectionInfo {
            key: Cow::Borrowed(key),
            field: Cow::Borrowed(field),
            title: heading(title),
            intro: text(intro, marks),
            said: said.map_or(Said::NOTHING, |(_, keys)| Said::Static(keys)),
            location: line.parse().ok().map(|line| Location {
                file: self.file,
                line,
            }),
        })
    }
}

/// The next words of a list.
fn next<const N: usize>(words: &mut Split<'static, char>) -> Option<[&'static str; N]> {
    let mut found = [""; N];
    for word in &mut found {
        *word = words.next()?;
    }
    Some(found)
}

fn variable(words: &mut Split<'static, char>) -> Option<Variable> {
    let [source, description] = next(words)?;
    Some(describe::usual(source, description))
}

fn heading(code: &'static str) -> Title {
    if let Some(title) = code.strip_prefix('-') {
        return describe::untitled(title);
    }
    let explicit = code.strip_prefix('=').and_then(|code| code.split_once('='));
    match explicit {
        Some((marks, title)) => Title::Explicit(text(title, marks)),
        None => describe::fallback(code),
    }
}

fn text(literal: &'static str, marks: &str) -> Text {
    Text {
        marks: marks.split(' ').filter_map(mark).collect(),
        ..Text::plain(literal)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_the_lists_say() {
        let coded = coded([
            "Node",
            "You review .",
            "0-1 11+0",
            "language\0Its name.\0team\0",
        ]);
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
    fn sections_are_read_with_what_is_said_of_them() {
        const KEYS: SectionKeys = SectionKeys {
            placed: true,
            ..SectionKeys::DEFAULT
        };
        let words = concat!(
            "rules\0rules\0Rules\0Follow them.\00-1\012\0",
            "style\0style_guide\0=0-1 6+1=Style \0\0\014\0",
            "list\0list\0-List\0\0\016"
        );
        let coded = coded(["Node", "", "", ""])
            .sections(words, "a.rs")
            .said(const { &[(1, KEYS)] });
        let style = const { &describe::marks([(0, -1), (6, 1)]) };
        let style = Title::Explicit(describe::text("Style ", style, 1, 1));
        let (empty, list) = (Text::EMPTY, describe::untitled("List"));
        let expected = [
            describe::section(
                ["rules", "rules", "Rules"],
                describe::words("Follow them."),
                "a.rs",
                12,
            ),
            describe::said(
                ["style", "style_guide"],
                style,
                empty.clone(),
                ("a.rs", 14),
                const { &KEYS },
            ),
            describe::said(["list", "list"], list, empty, ("a.rs", 16), &describe::KEYS),
        ];
        assert_eq!(*coded.info().sections, expected);
    }

    #[test]
    fn nothing_is_read_from_nothing() {
        let coded = coded(["Node", "", "", ""]);
        let (info, text) = (coded.info(), Text::EMPTY);
        assert_eq!((&info.text, info.variables.len()), (&text, 0));
    }
}

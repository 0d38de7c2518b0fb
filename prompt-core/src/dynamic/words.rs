//! The words of values that a wording says anew: what stands between the items of a list, for an absent value, behind a value
//! that was cut.

use super::answers::change;
use crate::node::NodeInfo;
use prompt_syntax::{Each, If, Inline, Str, info::Variable, lower};

/// A key of a value, or of a list section, whose words are no text of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Join,
    Last,
    Default,
    More,
}

impl Word {
    pub(super) const ALL: [Self; 4] = [Self::Join, Self::Last, Self::Default, Self::More];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Join => "join",
            Self::Last => "last",
            Self::Default => "default",
            Self::More => "more",
        }
    }

    /// What a value or a list section of this name says; nothing where it has no such key.
    pub(super) fn of(self, info: &NodeInfo, name: &str) -> Option<String> {
        let mut info = info.clone();
        let mut found = None;
        self.change(&mut info, name, |words| {
            found = Some(words.clone().into_owned());
        });
        found
    }

    /// Says it anew. Gives whether there is such a key.
    pub(super) fn put(self, info: &mut NodeInfo, name: &str, words: &str) -> bool {
        let mut is_there = false;
        self.change(info, name, |known| {
            *known = lower::with_line_feeds(words).into();
            is_there = true;
        });
        is_there
    }

    fn change(self, info: &mut NodeInfo, name: &str, mut change_words: impl FnMut(&mut Str)) {
        let conditions = info.conditions.clone();
        let is_presence = |index: u16| {
            let condition = conditions.get(usize::from(index));
            condition.is_some_and(|condition| condition.is_presence)
        };
        for variable in info.variables.to_mut() {
            if variable.source.split(':').next() == Some(name)
                && let Some(words) = self.in_variable(variable, is_presence)
            {
                change_words(words);
            }
        }
        let mut sections = info.sections.to_mut().iter_mut();
        if let Some(section) = sections.find(|section| section.key == name) {
            let is_said = match self {
                Self::Join => section.items.join.is_some(),
                Self::Last => section.items.last.is_some(),
                Self::Default | Self::More => false,
            };
            if is_said {
                change(section, |keys| {
                    let items = &mut keys.items;
                    let words = if self == Self::Join {
                        &mut items.join
                    } else {
                        &mut items.last
                    };
                    words.iter_mut().for_each(change_words);
                });
            }
        }
    }

    fn in_variable(
        self,
        variable: &mut Variable,
        is_presence: impl Fn(u16) -> bool,
    ) -> Option<&mut Str> {
        match self {
            Self::More => Some(&mut variable.cut.more).filter(|words| !words.is_empty()),
            // A line break is what stands there if nothing is said.
            Self::Join => {
                let join = &mut each(variable.worded.to_mut())?.body.trail;
                Some(join).filter(|join| *join != "\n")
            }
            Self::Last => each(variable.worded.to_mut())?.last.as_mut(),
            Self::Default => match variable.worded.to_mut().as_mut_slice() {
                [
                    Inline::If(If {
                        index, otherwise, ..
                    }),
                ] if is_presence(*index) => {
                    match otherwise.as_mut()?.list.to_mut().as_mut_slice() {
                        [Inline::Literal(words)] => Some(words),
                        _ => None,
                    }
                }
                _ => None,
            },
        }
    }
}

/// The loop that a list is, also where words stand around it.
fn each(pieces: &mut [Inline]) -> Option<&mut Each<Inline>> {
    pieces.iter_mut().find_map(|piece| match piece {
        Inline::Each(each) => Some(each),
        Inline::If(branches) => each(branches.then.list.to_mut()),
        _ => None,
    })
}

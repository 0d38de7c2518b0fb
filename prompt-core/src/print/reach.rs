//! Which sections of a node print something, where its text asks (`{?section}`): those that are there, and whose slot stands
//! where the branches that are taken lead. The text has to know that from its first line on, so it is judged before anything
//! is printed, from the text alone: whether a branch is taken hangs on values, which are asked once and kept, and on other
//! sections.

use crate::node::{NodeInfo, NodeRef, Section, SectionInfo};
use prompt_syntax::{Element, Target};

/// What is known of a node whose text asks about its sections.
pub(super) struct Reach<'a> {
    node: NodeRef<'a>,
    info: &'a NodeInfo,
    slots: Slots,
    /// Conditions on values, as far as they were asked.
    conditions: Vec<Option<bool>>,
    sections: Vec<Judgement>,
    /// The sections that were asked for, and not printed yet.
    asked: Vec<Option<Section<'a>>>,
    /// Of which sections it was assumed that they print something, because that hangs on themselves.
    is_assumed: Vec<bool>,
}

/// What is known of a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judgement {
    Unknown,
    /// It is being found out.
    Open,
    NotReached,
    Reached {
        is_shown: bool,
    },
}

/// Where a text has slots.
struct Slots {
    branches: Vec<Branch>,
    /// Of each section, the innermost branches around its slots.
    sections: Vec<Vec<Option<usize>>>,
    /// The same of the slots for all other sections.
    subtree: Vec<Option<usize>>,
}

/// A part of a text that is printed where a condition holds, or does not.
struct Branch {
    around: Option<usize>,
    condition: u16,
    holds: bool,
}

impl Slots {
    fn of(info: &NodeInfo) -> Self {
        let mut slots = Self {
            branches: Vec::new(),
            sections: vec![Vec::new(); info.sections.len()],
            subtree: Vec::new(),
        };
        slots.find(&info.text.elements, None);
        slots
    }

    fn find(&mut self, elements: &[Element], around: Option<usize>) {
        for element in elements {
            match element {
                Element::Slot { target, .. } => match target {
                    Target::Section(index) => self.sections[usize::from(*index)].push(around),
                    Target::Subtree => self.subtree.push(around),
                    Target::Collected => {}
                },
                Element::If { branches, .. } => {
                    let holds = !branches.negated;
                    let parts = [(Some(&branches.then), holds)]
                        .into_iter()
                        .chain([(branches.otherwise.as_ref(), !holds)]);
                    for (part, holds) in parts {
                        let Some(part) = part else { continue };
                        self.branches.push(Branch {
                            around,
                            condition: branches.index,
                            holds,
                        });
                        self.find(&part.list, Some(self.branches.len() - 1));
                    }
                }
                _ => {}
            }
        }
    }

    /// The innermost branches around the slots of a section; nothing where it stands behind the text.
    fn of_section(&self, index: usize, info: &SectionInfo) -> &[Option<usize>] {
        if info.placed {
            &self.sections[index]
        } else if self.subtree.is_empty() {
            &[None]
        } else {
            &self.subtree
        }
    }
}

impl<'a> Reach<'a> {
    /// Judges all sections that the text of a node asks about, in the order of their declaration, whatever it asks first.
    /// `is_shown` says of a section that is reached whether it prints something; it is handed those that were asked for.
    pub(super) fn of(
        node: NodeRef<'a>,
        is_shown: &mut dyn FnMut(usize, &mut Option<Section<'a>>) -> bool,
    ) -> Self {
        let info = node.info();
        let count = info.sections.len();
        let mut reach = Self {
            node,
            info,
            slots: Slots::of(info),
            conditions: vec![None; info.conditions.len()],
            sections: vec![Judgement::Unknown; count],
            asked: (0..count).map(|_| None).collect(),
            is_assumed: vec![false; count],
        };
        let asked = info.conditions.iter().filter_map(|asked| asked.section);
        let mut asked: Vec<usize> = asked.map(usize::from).collect();
        asked.sort_unstable();
        // What hangs on itself may be judged a second time.
        let mut is_done = false;
        while !std::mem::replace(&mut is_done, true) {
            for index in &asked {
                if reach.sections[*index] == Judgement::Unknown {
                    is_done = false;
                    reach.judge(*index, is_shown);
                }
            }
        }
        reach
    }

    /// Judges a section, and those on which that hangs: without a call for each, since they may be many.
    fn judge(
        &mut self,
        index: usize,
        is_shown: &mut dyn FnMut(usize, &mut Option<Section<'a>>) -> bool,
    ) {
        let mut open = vec![(index, 0)];
        let mut judged: Vec<usize> = Vec::new();
        self.sections[index] = Judgement::Open;
        while let Some((index, from)) = open.last().copied() {
            let is_reached = match self.is_led_to(index) {
                Err(other) => {
                    self.sections[other] = Judgement::Open;
                    open.push((other, judged.len()));
                    continue;
                }
                Ok(is_reached) => is_reached,
            };
            open.pop();
            let is_shown = is_reached && is_shown(index, &mut self.asked[index]);
            self.sections[index] = if is_reached {
                Judgement::Reached { is_shown }
            } else {
                Judgement::NotReached
            };
            // What was judged as if it printed something is judged again.
            if std::mem::take(&mut self.is_assumed[index]) && !is_shown {
                for other in judged.drain(from..) {
                    self.sections[other] = Judgement::Unknown;
                }
            }
            judged.push(index);
        }
    }

    /// Whether a slot of a section stands where the text leads.
    ///
    /// # Errors
    /// The section that has to be judged before.
    fn is_led_to(&mut self, index: usize) -> Result<bool, usize> {
        let slots = self.slots.of_section(index, &self.info.sections[index]);
        for at in 0..slots.len() {
            let slots = self.slots.of_section(index, &self.info.sections[index]);
            if self.is_taken(slots[at])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a branch is taken: from the outside in, and no further than it is.
    fn is_taken(&mut self, branch: Option<usize>) -> Result<bool, usize> {
        let Some(branch) = branch else {
            return Ok(true);
        };
        let Branch {
            around,
            condition,
            holds,
        } = self.slots.branches[branch];
        Ok(self.is_taken(around)? && self.holds(usize::from(condition))? == holds)
    }

    fn holds(&mut self, condition: usize) -> Result<bool, usize> {
        let section = self.info.conditions.get(condition);
        let Some(section) = section.and_then(|condition| condition.section) else {
            return Ok(self.ask(condition));
        };
        let section = usize::from(section);
        match self.sections[section] {
            Judgement::Unknown => Err(section),
            Judgement::Open => {
                self.is_assumed[section] = true;
                Ok(true)
            }
            Judgement::NotReached => Ok(false),
            Judgement::Reached { is_shown } => Ok(is_shown),
        }
    }

    /// Whether a section about which the text asks prints something.
    pub(super) fn is_shown(&self, index: usize) -> bool {
        matches!(
            self.sections.get(index),
            Some(Judgement::Reached { is_shown: true })
        )
    }

    /// Whether a section was judged as one that no slot leads to: it stays away also where its slot asks for just that.
    pub(super) fn is_away(&self, index: usize) -> bool {
        self.sections[index] == Judgement::NotReached
    }

    /// The answer to a condition on a value of the node, which is asked once.
    pub(super) fn ask(&mut self, condition: usize) -> bool {
        let node = self.node;
        *self.conditions[condition].get_or_insert_with(|| node.scope().ask(condition))
    }

    /// Under a focus the sections beside it print nothing, but for those on which the way there hangs.
    pub(super) fn focus(&mut self, is_beside: impl Fn(usize) -> bool) {
        let (beside, mut leading): (Vec<usize>, Vec<usize>) =
            (0..self.sections.len()).partition(|index| is_beside(*index));
        let mut needed = vec![false; self.sections.len()];
        while let Some(index) = leading.pop() {
            let needs = self.needs(index).into_iter();
            leading.extend(needs.filter(|index| !std::mem::replace(&mut needed[*index], true)));
        }
        for index in beside {
            if let Judgement::Reached { is_shown } = &mut self.sections[index] {
                *is_shown &= needed[index];
            }
        }
    }

    /// The sections without which this one would not be reached.
    pub(super) fn needs(&mut self, index: usize) -> Vec<usize> {
        let slots = self
            .slots
            .of_section(index, &self.info.sections[index])
            .to_vec();
        let is_taken = |branch: &Option<usize>| self.is_taken(*branch) == Ok(true);
        let mut branch = slots.into_iter().find(is_taken).flatten();
        let mut needs = Vec::new();
        while let Some(at) = branch {
            let Branch {
                around,
                condition,
                holds,
            } = self.slots.branches[at];
            let section = self.info.conditions[usize::from(condition)].section;
            needs.extend(section.filter(|_| holds).map(usize::from));
            branch = around;
        }
        needs
    }

    /// A section that was asked for.
    pub(super) fn take(&mut self, index: usize) -> Option<Section<'a>> {
        self.asked[index].take()
    }
}

/// Whether the text of a node, or a template of it, asks about its sections.
pub(super) fn asks_sections(info: &NodeInfo) -> bool {
    let mut conditions = info.conditions.iter();
    conditions.any(|condition| condition.section.is_some())
}

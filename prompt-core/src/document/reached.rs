//! Which slots of a text are reached: those that do not stand in a branch that is not taken.

use crate::node::{NodeInfo, Scope};
use prompt_syntax::{Element, Target};

/// The slots that are reached, and the conditions that were asked to know it.
#[derive(Default)]
pub(super) struct Reached {
    /// Whether slots stand under conditions; all are reached otherwise.
    pub(super) is_divided: bool,
    slots: Vec<Target>,
    has_subtree: bool,
    pub(super) answers: Vec<(u16, bool)>,
}

impl Reached {
    pub(super) fn of(info: &NodeInfo, scope: &dyn Scope) -> Self {
        let is_branch = |element: &Element| matches!(element, Element::If { .. });
        let mut branches = info.text.elements.iter().filter(|it| is_branch(it));
        if !branches.any(holds_slot) {
            return Self::default();
        }
        let mut reached = Self {
            is_divided: true,
            ..Self::default()
        };
        let is_subtree = |element: &Element| {
            matches!(
                element,
                Element::Slot {
                    target: Target::Subtree,
                    ..
                }
            )
        };
        reached.has_subtree = info.text.all().any(is_subtree);
        reached.blocks(info, scope, &info.text.elements);
        reached
    }

    fn blocks(&mut self, info: &NodeInfo, scope: &dyn Scope, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Slot { target, .. } => self.slots.push(*target),
                Element::If { branches, .. } => {
                    let holds = |list: &[Element]| list.iter().any(holds_slot);
                    let otherwise = branches.otherwise.as_ref();
                    if !holds(&branches.then.list)
                        && !otherwise.is_some_and(|otherwise| holds(&otherwise.list))
                    {
                        continue;
                    }
                    let condition = info.conditions.get(usize::from(branches.index));
                    // Which branch is taken for a section is known once it is known what is shown.
                    let asks_section = condition.is_some_and(|asked| asked.section.is_some());
                    let is_taken = if asks_section {
                        [true, true]
                    } else {
                        let holds = self.ask(scope, branches.index) != branches.negated;
                        [holds, !holds]
                    };
                    if is_taken[0] {
                        self.blocks(info, scope, &branches.then.list);
                    }
                    if let Some(otherwise) = otherwise.filter(|_| is_taken[1]) {
                        self.blocks(info, scope, &otherwise.list);
                    }
                }
                _ => {}
            }
        }
    }

    fn ask(&mut self, scope: &dyn Scope, index: u16) -> bool {
        let known = self.answers.iter().find(|(known, _)| *known == index);
        if let Some((_, holds)) = known {
            return *holds;
        }
        let holds = scope.ask(usize::from(index));
        self.answers.push((index, holds));
        holds
    }

    /// Whether the place of a section is reached.
    pub(super) fn holds(&self, index: usize, is_placed: bool) -> bool {
        if !self.is_divided {
            return true;
        }
        if !is_placed {
            return !self.has_subtree || self.slots.contains(&Target::Subtree);
        }
        let is_it =
            |slot: &Target| matches!(slot, Target::Section(at) if usize::from(*at) == index);
        self.slots.iter().any(is_it)
    }
}

fn holds_slot(element: &Element) -> bool {
    matches!(element, Element::Slot { .. })
        || element.parts().any(|part| part.list.iter().any(holds_slot))
}

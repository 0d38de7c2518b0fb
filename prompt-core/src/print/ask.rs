//! Questions to values while a text is printed. Where a tree is printed more than once, for a budget, the answers are
//! kept: a value is asked once for all of them.

use crate::node::Output;
use crate::outline::{Host, Outline, RowId};
use crate::show::{Form, Shown};
use std::{cell::RefCell, fmt, ops::Range};

/// Who answers the variables and conditions of a text.
#[derive(Clone, Copy)]
pub(super) struct Ask<'p, 'a> {
    /// The tree that the node is part of.
    pub(super) tree: Option<(&'p Outline<'a>, &'p Shown)>,
    pub(super) memo: Option<&'p Memo>,
}

/// What values have answered so far.
#[derive(Default)]
pub(crate) struct Memo {
    variables: RefCell<Known<Answer>>,
    conditions: RefCell<Known<bool>>,
}

/// Answers by the row of the node, those of the root first. They are sorted, and mostly asked for in this order, so that
/// the next one comes behind all others.
#[derive(Default)]
struct Known<T> {
    by_node: Vec<Vec<(Question, T)>>,
}

/// The item, the index of the variable or condition.
type Question = (usize, u16);

/// What a variable wrote.
#[derive(Default)]
struct Answer {
    text: String,
    values: Vec<Range<usize>>,
    is_omitted: bool,
    has_failed: bool,
}

impl<'a> Ask<'_, 'a> {
    /// For a text that is part of no tree.
    pub(super) const ALONE: Self = Self {
        tree: None,
        memo: None,
    };

    /// Writes a variable for the item that the output is about.
    pub(super) fn variable(
        &self,
        host: Host<'a>,
        index: u16,
        output: &mut Output<'_>,
    ) -> fmt::Result {
        let Some(memo) = self.memo else {
            return self.ask(host, index, output);
        };
        let question = (output.item(), index);
        if let Some(answer) = memo.variables.borrow().get(host.row, question) {
            return answer.write(output);
        }
        let answer = self.answer(host, index, output.item());
        let written = answer.write(output);
        let mut variables = memo.variables.borrow_mut();
        variables.insert(host.row, question, answer);
        written
    }

    fn ask(&self, host: Host<'a>, index: u16, output: &mut Output<'_>) -> fmt::Result {
        match self.tree {
            Some((outline, _)) => outline.variable(host, index, output),
            None => host.node.variable(usize::from(index), output),
        }
    }

    fn answer(&self, host: Host<'a>, index: u16, item: usize) -> Answer {
        let (mut text, mut values) = (String::new(), Vec::new());
        let mut output = Output::tracking(&mut text, &mut values).for_item(item);
        let written = self.ask(host, index, &mut output);
        let is_omitted = output.is_omitted();
        Answer {
            text,
            values,
            is_omitted,
            has_failed: written.is_err(),
        }
    }

    /// The same into a text, where nobody wants to know what came from values.
    pub(super) fn variable_into(
        &self,
        host: Host<'a>,
        index: u16,
        item: usize,
        buffer: &mut String,
    ) -> fmt::Result {
        self.variable(host, index, &mut Output::new(buffer).for_item(item))
    }

    /// Whether a condition holds. That of a section asks whether the section prints something.
    pub(super) fn holds(&self, host: Host<'a>, index: u16, item: usize) -> bool {
        let asked = host.info.conditions.get(usize::from(index));
        if let Some(section) = asked.and_then(|condition| condition.section) {
            return self.tree.is_some_and(|(outline, shown)| {
                let row = outline.section_row(host.row, u32::from(section));
                row.is_some_and(|id| shown.form(id) != Form::Gone)
            });
        }
        let Some(memo) = self.memo else {
            return host.node.condition(usize::from(index), item);
        };
        let question = (item, index);
        if let Some(holds) = memo.conditions.borrow().get(host.row, question) {
            return *holds;
        }
        let holds = host.node.condition(usize::from(index), item);
        let mut conditions = memo.conditions.borrow_mut();
        conditions.insert(host.row, question, holds);
        holds
    }
}

impl<T> Known<T> {
    fn get(&self, node: Option<RowId>, question: Question) -> Option<&T> {
        let answers = self.by_node.get(place(node))?;
        let at = answers.binary_search_by_key(&question, |(known, _)| *known);
        answers.get(at.ok()?).map(|(_, answer)| answer)
    }

    fn insert(&mut self, node: Option<RowId>, question: Question, answer: T) {
        let place = place(node);
        if self.by_node.len() <= place {
            self.by_node.resize_with(place + 1, Vec::new);
        }
        let Some(answers) = self.by_node.get_mut(place) else {
            return;
        };
        if let Err(at) = answers.binary_search_by_key(&question, |(known, _)| *known) {
            answers.insert(at, (question, answer));
        }
    }
}

fn place(node: Option<RowId>) -> usize {
    node.map_or(0, |row| row as usize + 1)
}

impl Answer {
    /// Writes it again: values as values, the author's words as such.
    fn write(&self, output: &mut Output<'_>) -> fmt::Result {
        if self.is_omitted {
            output.omit();
        }
        output.pieces(&self.text, &self.values);
        if self.has_failed {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

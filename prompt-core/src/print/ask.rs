//! Questions to values while a text is printed. Where a tree is printed more than once, for a budget, the answers are
//! kept: a value is asked once for all of them.

use crate::node::Output;
use crate::outline::{Host, Outline, RowId};
use crate::show::{Form, Shown};
use std::{cell::RefCell, collections::BTreeMap, fmt, ops::Range};

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
    answers: RefCell<BTreeMap<Question, Answer>>,
}

/// The row of the node, what it is asked, the item.
type Question = (Option<RowId>, Asked, usize);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Variable(u16),
    Condition(u16),
}

enum Answer {
    Written(Written),
    Holds(bool),
}

/// What a variable wrote.
struct Written {
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
        let question = (host.row, Asked::Variable(index), output.item());
        if let Some(Answer::Written(written)) = memo.answers.borrow().get(&question) {
            return written.write(output);
        }
        let written = self.written(host, index, output.item());
        let result = written.write(output);
        let answer = Answer::Written(written);
        memo.answers.borrow_mut().insert(question, answer);
        result
    }

    fn ask(&self, host: Host<'a>, index: u16, output: &mut Output<'_>) -> fmt::Result {
        match self.tree {
            Some((outline, _)) => outline.variable(host, index, output),
            None => host.node.variable(usize::from(index), output),
        }
    }

    fn written(&self, host: Host<'a>, index: u16, item: usize) -> Written {
        let (mut text, mut values) = (String::new(), Vec::new());
        let mut output = Output::tracking(&mut text, &mut values).for_item(item);
        let written = self.ask(host, index, &mut output);
        let is_omitted = output.is_omitted();
        Written {
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
        let question = (host.row, Asked::Condition(index), item);
        if let Some(Answer::Holds(holds)) = memo.answers.borrow().get(&question) {
            return *holds;
        }
        let holds = host.node.condition(usize::from(index), item);
        let answer = Answer::Holds(holds);
        memo.answers.borrow_mut().insert(question, answer);
        holds
    }
}

impl Written {
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

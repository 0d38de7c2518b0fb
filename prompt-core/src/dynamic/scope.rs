//! What the names in a text stand for while it is printed (values of the tree, the items of loops and lists), and how
//! values print: the entries of `vars`.

use super::{
    bound::{Item, Layout, Value, ValuePath, Values},
    given::Span,
};
use crate::node::{At, Body, Cut, Output, Scope, ValueTreatment};
use prompt_syntax::wording::Wording;
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// What the numbers in texts stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) values: Vec<Source>,
    pub(super) conditions: Vec<Source>,
    /// The lists of loops.
    pub(super) loops: Vec<Source>,
}

/// Where a value comes from, and how it prints.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    pub(super) base: Base,
    pub(super) path: Vec<String>,
    pub(super) spec: String,
    /// It prints as JSON.
    pub(super) json: Option<Layout>,
    /// Of a condition: white space at its ends counts for nothing.
    pub(super) trims: bool,
    /// Of a condition: it asks whether the value is there.
    pub(super) is_presence: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Base {
    /// No value of the tree has the name.
    #[default]
    Missing,
    /// The value of the tree at this position.
    Value(usize),
    /// The item of this loop.
    Item(u16),
}

/// The scope of a text.
#[derive(Clone, Copy)]
pub(super) struct TextScope<'s> {
    /// None while the tree is not bound.
    pub(super) values: Option<&'s Values>,
    pub(super) sources: &'s Sources,
    /// The innermost loop.
    pub(super) frame: Option<&'s Frame<'s>>,
}

/// A loop that is being printed.
pub(super) struct Frame<'s> {
    number: u16,
    item: Item<'s>,
    around: Option<&'s Frame<'s>>,
}

impl<'s> TextScope<'s> {
    /// The item of a loop.
    fn at(&self, number: u16) -> Option<Item<'s>> {
        let mut frames = std::iter::successors(self.frame, |frame| frame.around);
        let frame = frames.find(|frame| frame.number == number)?;
        Some(frame.item)
    }

    /// The value that is meant, if there is one.
    pub(super) fn find(&self, source: &Source) -> Option<Cow<'s, Value>> {
        match source.base {
            Base::Value(position) => {
                let value = self.values?.at(position).reach(&source.path);
                value.map(Cow::Borrowed)
            }
            Base::Item(number) => self.at(number)?.reach(&source.path),
            Base::Missing => None,
        }
    }
}

impl Scope for TextScope<'_> {
    /// What an item lacks prints nothing.
    fn value(&self, index: usize, out: &mut Output<'_>) -> fmt::Result {
        // A text with more values than there are numbers has some without one.
        let source = self.sources.values.get(index).ok_or(fmt::Error)?;
        if let Base::Missing = source.base {
            return Err(fmt::Error);
        }
        let found = self.find(source);
        let value = found.as_deref().unwrap_or(&Value::Null);
        let Some(layout) = source.json else {
            return value.write(&source.spec, out);
        };
        out.push_str(&value.json(layout));
        Ok(())
    }

    fn ask(&self, index: usize) -> bool {
        let source = self.sources.conditions.get(index);
        source.is_some_and(|source| {
            self.find(source).is_some_and(|value| {
                if source.is_presence {
                    *value != Value::Null && !(value.is_list() && value.len() == 0)
                } else {
                    value.holds() && !(source.trims && value.is_blank())
                }
            })
        })
    }

    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        let source = self.sources.loops.get(index).ok_or(fmt::Error)?;
        let Some(Cow::Borrowed(list)) = self.find(source) else {
            return Ok(());
        };
        let number = u16::try_from(index).map_err(|_| fmt::Error)?;
        for item in list.items() {
            let frame = Frame {
                number,
                item,
                around: self.frame,
            };
            let scope = TextScope {
                frame: Some(&frame),
                ..*self
            };
            body(&scope, At::new(item.index, item.is_last))?;
        }
        Ok(())
    }
}

/// The forms of a tree by the name that texts use: a value, or a path into one.
pub(super) type Forms = BTreeMap<String, Form>;

/// The part of a value that a name stands for.
pub(super) fn alias<'f>(forms: &'f Forms, name: &str) -> Option<&'f ValuePath> {
    forms.get(name)?.of.as_ref()
}

/// How a value prints wherever it is named.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// The name that texts use.
    pub(super) name: String,
    /// Where it stands in the file.
    pub(super) span: Span,
    /// The value that it is a form of, where that has another name.
    pub(super) of: Option<ValuePath>,
    pub(super) wording: Wording,
    pub(super) json: Option<Layout>,
    /// The key that leaves nothing to a format spec.
    pub(super) without_spec: Option<&'static str>,
    pub(super) cut: Cut,
    pub(super) treatment: ValueTreatment,
    pub(super) description: Option<String>,
}

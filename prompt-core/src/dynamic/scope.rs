//! What the names in a text stand for while it is printed: values of the tree, the items of loops and lists.

use super::{
    forms::{Form, Forms},
    value::{Item, Value, Values},
};
use crate::node::{Body, Output, Scope};
use prompt_syntax::Text;
use std::{borrow::Cow, fmt};

/// What the numbers in texts stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) values: Vec<Source>,
    pub(super) conditions: Vec<Source>,
    /// The lists of loops.
    pub(super) loops: Vec<Source>,
}

/// Where a value comes from, and how it prints.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) base: Base,
    pub(super) path: Vec<String>,
    pub(super) spec: String,
    /// Its form among those of the tree.
    pub(super) form: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Base {
    /// No value of the tree has the name.
    Missing,
    /// The value of the tree at this position.
    Value(usize),
    Item(Of),
    /// The number of an item, counted from this one.
    Number(Of, usize),
    First(u16),
    Last(u16),
    /// The whole list that a section embeds.
    List(usize),
    /// A field of the item of the list that a section embeds: its key.
    Field(usize, Vec<String>),
    /// A text in the place of a value: an attribute of a tag.
    Text(Text),
}

/// Whose item is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// The loop with this number.
    Loop(u16),
    /// The list that this section embeds; in a template of its own the list that it is written for.
    List(usize),
}

/// How a list that a section embeds is found and printed.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// The number of what writes all of it.
    pub(super) number: u16,
    pub(super) source: Source,
    pub(super) form: Form,
}

/// The scope of a text.
#[derive(Clone, Copy)]
pub(super) struct Names<'s> {
    pub(super) values: &'s Values,
    pub(super) forms: &'s Forms,
    pub(super) sources: &'s Sources,
    /// The lists that the sections of the node embed, by section.
    pub(super) lists: &'s [Option<List>],
    /// The item that a template of its own is about.
    pub(super) item: Option<At<'s>>,
    /// The innermost loop.
    pub(super) frame: Option<&'s Frame<'s>>,
}

/// An item of a list.
#[derive(Clone, Copy)]
pub(super) struct At<'s> {
    item: Item<'s>,
    index: usize,
    is_last: bool,
}

/// A loop that is being printed.
pub(super) struct Frame<'s> {
    number: u16,
    at: At<'s>,
    around: Option<&'s Frame<'s>>,
}

impl Source {
    pub(super) fn new(base: Base) -> Self {
        Self {
            base,
            path: Vec::new(),
            spec: String::new(),
            form: None,
        }
    }
}

impl<'s> At<'s> {
    pub(super) fn of(list: &'s Value, index: usize) -> Option<Self> {
        Some(Self {
            item: list.item(index)?,
            index,
            is_last: index + 1 == list.len(),
        })
    }

    pub(super) fn item(self) -> Item<'s> {
        self.item
    }
}

impl<'s> Names<'s> {
    /// The same for a template with tables of its own.
    pub(super) fn of_template(self, sources: &'s Sources, item: Option<At<'s>>) -> Self {
        Self {
            sources,
            lists: &[],
            item,
            frame: None,
            ..self
        }
    }

    /// The list that a section embeds.
    pub(super) fn list(&self, section: usize) -> Option<(Cow<'s, Value>, &'s Form)> {
        let list = self.lists.get(section)?.as_ref()?;
        Some((self.find(&list.source, 0)?, &list.form))
    }

    /// The item of a loop, or of the list that a template is about; `item` is the one that the printer is at.
    fn at(&self, of: Of, item: usize) -> Option<At<'s>> {
        match of {
            Of::Loop(number) => {
                let mut frame = self.frame?;
                while frame.number != number {
                    frame = frame.around?;
                }
                Some(frame.at)
            }
            Of::List(_) if self.item.is_some() => self.item,
            Of::List(section) => match self.list(section)?.0 {
                Cow::Borrowed(list) => At::of(list, item),
                Cow::Owned(_) => None,
            },
        }
    }

    /// The value that is meant, if there is one.
    pub(super) fn find(&self, source: &Source, item: usize) -> Option<Cow<'s, Value>> {
        let flag = |flag: bool| Some(Cow::Owned(Value::Bool(flag)));
        match &source.base {
            Base::Value(position) => {
                let value = self.values.at(*position).reach(&source.path);
                value.map(Cow::Borrowed)
            }
            Base::Item(of) => self.at(*of, item)?.item.reach(&source.path),
            Base::Field(list, path) => self.at(Of::List(*list), item)?.item.reach(path),
            Base::Number(of, first) => {
                let number = self.at(*of, item)?.index + first;
                Some(Cow::Owned(Value::Int(i128::try_from(number).ok()?)))
            }
            Base::First(number) => flag(self.at(Of::Loop(*number), item)?.index == 0),
            Base::Last(number) => flag(self.at(Of::Loop(*number), item)?.is_last),
            Base::Missing | Base::List(_) | Base::Text(_) => None,
        }
    }

    /// Writes what a source stands for. What an item lacks prints nothing.
    fn put(&self, source: &Source, out: &mut Output<'_>) -> fmt::Result {
        match &source.base {
            Base::Missing => return Err(fmt::Error),
            Base::Text(text) => return out.template(text, self),
            Base::List(section) => {
                return match self.list(*section) {
                    Some((list, form)) => form.write(&list, *self, "", out),
                    None => Ok(()),
                };
            }
            _ => {}
        }
        let found = self.find(source, out.item());
        let value = found.as_deref().unwrap_or(&Value::Null);
        match source.form {
            Some(form) => self.forms.at(form).write(value, *self, &source.spec, out),
            None => value.write(&source.spec, out),
        }
    }
}

impl Scope for Names<'_> {
    fn value(&self, index: usize, out: &mut Output<'_>) -> fmt::Result {
        self.put(&self.sources.values[index], out)
    }

    fn ask(&self, index: usize, item: usize) -> bool {
        let source = &self.sources.conditions[index];
        self.find(source, item).is_some_and(|value| value.holds())
    }

    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        let Some(Cow::Borrowed(list)) = self.find(&self.sources.loops[index], item) else {
            return Ok(());
        };
        let number = u16::try_from(index).map_err(|_| fmt::Error)?;
        for index in 0..list.len() {
            let Some(at) = At::of(list, index) else {
                continue;
            };
            let frame = Frame {
                number,
                at,
                around: self.frame,
            };
            body(&Names {
                frame: Some(&frame),
                ..*self
            })?;
        }
        Ok(())
    }
}

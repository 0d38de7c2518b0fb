//! What the names in a text stand for while it is printed (values of the tree, the items of loops and lists), and how
//! values print: the entries of `vars`, and the items of lists.

use super::bound::{Item, Value, ValuePath, Values};
use crate::node::{
    At, Body, Output, Scope, ValueTreatment,
    write::{Clip, clip},
};
use crate::page::template;
use prompt_syntax::{Inline, LoopName, Text};
use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

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
    /// How it prints, if `vars` says so.
    pub(super) form: Option<Arc<Form>>,
}

#[derive(Clone, Debug)]
pub(super) enum Base {
    /// No value of the tree has the name.
    Missing,
    /// The value of the tree at this position.
    Value(usize),
    /// An item, or its place in the list.
    Loop(Of, LoopName),
    /// A text in the place of a value: an attribute of a tag.
    Text(Text),
}

/// Whose item is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// The loop with this number.
    Loop(u16),
    /// The list that a template of its own is written for.
    Own,
}

/// The scope of a text.
#[derive(Clone, Copy)]
pub(super) struct TextScope<'s> {
    pub(super) values: &'s Values,
    pub(super) sources: &'s Sources,
    /// The item that a template of its own is about.
    pub(super) item: Option<Item<'s>>,
    /// The innermost loop.
    pub(super) frame: Option<&'s Frame<'s>>,
}

/// A loop that is being printed.
pub(super) struct Frame<'s> {
    number: u16,
    item: Item<'s>,
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

impl<'s> TextScope<'s> {
    /// The same for a template with tables of its own.
    pub(super) fn of_template(self, sources: &'s Sources, item: Option<Item<'s>>) -> Self {
        Self {
            sources,
            item,
            frame: None,
            ..self
        }
    }

    /// The item of a loop, or of the list that a template is about.
    fn at(&self, of: Of) -> Option<Item<'s>> {
        match of {
            Of::Loop(number) => {
                let mut frame = self.frame?;
                while frame.number != number {
                    frame = frame.around?;
                }
                Some(frame.item)
            }
            Of::Own => self.item,
        }
    }

    /// The value that is meant, if there is one.
    pub(super) fn find(&self, source: &Source) -> Option<Cow<'s, Value>> {
        match &source.base {
            Base::Value(position) => {
                let value = self.values.at(*position).reach(&source.path);
                value.map(Cow::Borrowed)
            }
            Base::Loop(of, LoopName::Item) => self.at(*of)?.reach(&source.path),
            Base::Loop(of, name) => {
                let Item { index, is_last, .. } = self.at(*of)?;
                let number = |number: usize| i128::try_from(number).ok().map(Value::Int);
                Some(Cow::Owned(match name {
                    LoopName::Index => number(index + 1)?,
                    LoopName::Index0 => number(index)?,
                    LoopName::First => Value::Bool(index == 0),
                    _ => Value::Bool(is_last),
                }))
            }
            Base::Missing | Base::Text(_) => None,
        }
    }

    /// Writes what a source stands for. What an item lacks prints nothing.
    fn put(&self, source: &Source, out: &mut Output<'_>) -> fmt::Result {
        match &source.base {
            Base::Missing => return Err(fmt::Error),
            Base::Text(text) => return template(text, self, out),
            _ => {}
        }
        let found = self.find(source);
        let value = found.as_deref().unwrap_or(&Value::Null);
        match &source.form {
            Some(form) => form.write(value, *self, &source.spec, out),
            None => value.write(&source.spec, out),
        }
    }
}

impl Scope for TextScope<'_> {
    fn value(&self, index: usize, out: &mut Output<'_>) -> fmt::Result {
        // A text with more values than there are numbers has some without one.
        self.put(self.sources.values.get(index).ok_or(fmt::Error)?, out)
    }

    fn ask(&self, index: usize) -> bool {
        let source = self.sources.conditions.get(index);
        source.is_some_and(|source| {
            let trims = source.form.as_ref().is_some_and(|form| form.cut.trim);
            let value = self.find(source);
            value.is_some_and(|value| value.holds() && !(trims && value.is_blank()))
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
pub(super) type Forms = BTreeMap<String, Arc<Form>>;

/// The part of a value that a name stands for.
pub(super) fn alias<'f>(forms: &'f Forms, name: &str) -> Option<&'f ValuePath> {
    forms.get(name)?.of.as_ref()
}

/// How a value prints wherever it is named.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    /// The name that texts use.
    pub(super) name: String,
    /// The value that it is a form of, where that has another name.
    pub(super) of: Option<ValuePath>,
    pub(super) default: Option<Template>,
    /// Around a value that is there.
    pub(super) some: Option<(Template, Template)>,
    pub(super) yes: Option<Template>,
    pub(super) no: Option<Template>,
    pub(super) list: Option<ListForm>,
    pub(super) json: Option<Layout>,
    pub(super) cut: Cut,
    pub(super) treatment: ValueTreatment,
    pub(super) description: Option<String>,
}

/// How JSON stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    Line,
    Indented(usize),
}

/// How the items of a list print.
#[derive(Clone, Debug, Default)]
pub(super) struct ListForm {
    pub(super) item: Option<Template>,
    pub(super) join: String,
    pub(super) last: Option<String>,
}

/// What is cut off from what is printed: of each item, if it is a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// White space at both ends.
    pub(super) trim: bool,
    /// All but so many characters, and what stands there instead.
    pub(super) max: Option<usize>,
    pub(super) more: String,
}

/// A text in the place of a value or an item.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    pub(super) text: Text,
    /// Its own tables.
    pub(super) sources: Sources,
}

impl Template {
    fn write(
        &self,
        names: TextScope<'_>,
        item: Option<Item<'_>>,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let scope = names.of_template(&self.sources, item);
        // A value alone is no paragraph: it prints as it is, blank lines at its ends too.
        match self.text.only_piece() {
            Some(Inline::Value { index, .. }) => scope.value(usize::from(*index), out),
            _ => template(&self.text, &scope, out),
        }
    }
}

impl Form {
    pub(super) fn has_item(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.item.is_some())
    }

    /// The key that leaves nothing to a format spec.
    pub(super) fn without_spec(&self) -> Option<&'static str> {
        let keys = [
            (self.yes.is_some() || self.no.is_some(), "yes"),
            (self.json.is_some(), "json"),
            (self.has_item(), "item"),
        ];
        let key = keys.into_iter().find(|(is_set, _)| *is_set);
        key.map(|(_, key)| key)
    }

    pub(super) fn write(
        &self,
        value: &Value,
        names: TextScope<'_>,
        spec: &str,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let item = names.item;
        let chosen = match value {
            Value::Bool(true) => self.yes.as_ref(),
            Value::Bool(false) => self.no.as_ref(),
            _ => None,
        };
        if let Some(text) = chosen {
            return text.write(names, item, out);
        }
        let is_absent = *value == Value::Null || (value.is_list() && value.len() == 0);
        if is_absent && (self.default.is_some() || self.some.is_some() || self.list.is_some()) {
            return match &self.default {
                Some(text) => text.write(names, item, out),
                None => Ok(()),
            };
        }
        if let Some((before, _)) = &self.some {
            before.write(names, item, out)?;
        }
        match (&self.list, self.json) {
            (_, Some(layout)) => self.cut.write(out, |out| {
                out.push_str(&value.json(match layout {
                    Layout::Line => None,
                    Layout::Indented(columns) => Some(columns),
                }));
                Ok(())
            })?,
            (Some(list), _) if value.is_list() => {
                for item in value.items() {
                    if item.index > 0 {
                        let ending = list.last.as_ref().filter(|_| item.is_last);
                        out.literal(ending.unwrap_or(&list.join));
                    }
                    self.write_item(item, names, spec, out)?;
                }
            }
            _ => self.cut.write(out, |out| value.write(spec, out))?,
        }
        match &self.some {
            Some((_, after)) => after.write(names, item, out),
            None => Ok(()),
        }
    }

    /// Writes one item of a list or map.
    pub(super) fn write_item(
        &self,
        item: Item<'_>,
        names: TextScope<'_>,
        spec: &str,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let template = self.list.as_ref().and_then(|list| list.item.as_ref());
        self.cut.write(out, |out| match template {
            Some(template) => template.write(names, Some(item), out),
            None => item.value.write(spec, out),
        })
    }
}

impl Cut {
    fn write(
        &self,
        out: &mut Output<'_>,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> fmt::Result {
        if !self.trim && self.max.is_none() {
            return write(out);
        }
        let cut = Clip {
            trim: self.trim,
            max: self.max,
            more: &self.more,
        };
        clip(cut, out, write)
    }
}

//! How values print: the entries of `vars`, and the items of lists.

use super::{
    names::ValuePath,
    scope::{At, Names, Sources},
    value::Value,
};
use crate::node::{
    Output, ValueTreatment,
    value::{Clip, clip},
};
use prompt_syntax::Text;
use std::{collections::BTreeMap, fmt};

/// The forms of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    list: Vec<Form>,
    /// By the name that texts use: a value, or a path into one.
    places: BTreeMap<String, usize>,
}

/// How a value prints wherever it is named.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The value that it is a form of, where that has another name.
    pub(super) of: Option<ValuePath>,
    pub(super) default: Option<Template>,
    /// Around a value that is there.
    pub(super) some: Option<(Template, Template)>,
    pub(super) yes: Option<Template>,
    pub(super) no: Option<Template>,
    pub(super) list: Option<ListForm>,
    /// As JSON: on one line, or with this indentation.
    pub(super) json: Option<Option<usize>>,
    pub(super) cut: Cut,
    pub(super) treatment: ValueTreatment,
    pub(super) description: Option<String>,
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
    /// Its own tables; without them its numbers are those of the node.
    pub(super) sources: Option<Sources>,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            of: None,
            default: None,
            some: None,
            yes: None,
            no: None,
            list: None,
            json: None,
            cut: Cut::default(),
            treatment: ValueTreatment::USUAL,
            description: None,
        }
    }
}

impl Forms {
    pub(super) fn insert(&mut self, name: String, form: Form) {
        self.places.insert(name, self.list.len());
        self.list.push(form);
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(super) fn at(&self, position: usize) -> &Form {
        &self.list[position]
    }

    /// The part of a value that a name stands for.
    pub(super) fn of(&self, name: &str) -> Option<&ValuePath> {
        self.at(self.position(name)?).of.as_ref()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Names and positions, sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        let places = self.places.iter();
        places.map(|(name, position)| (name.as_str(), *position))
    }
}

impl Template {
    fn write(&self, names: Names<'_>, item: Option<At<'_>>, out: &mut Output<'_>) -> fmt::Result {
        let scope = match &self.sources {
            Some(sources) => names.of_template(sources, item),
            None => Names { item, ..names },
        };
        out.template(&self.text, &scope)
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
        names: Names<'_>,
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
            (_, Some(indent)) => self.cut.write(out, |out| {
                out.push_str(&value.json(indent));
                Ok(())
            })?,
            (Some(list), _) if value.is_list() => {
                for index in 0..value.len() {
                    if index > 0 {
                        let last = list.last.as_ref().filter(|_| index + 1 == value.len());
                        out.literal(last.unwrap_or(&list.join));
                    }
                    self.write_item(value, index, names, spec, out)?;
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
        list: &Value,
        index: usize,
        names: Names<'_>,
        spec: &str,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let Some(at) = At::of(list, index) else {
            return Ok(());
        };
        let template = self.list.as_ref().and_then(|list| list.item.as_ref());
        self.cut.write(out, |out| match template {
            Some(template) => template.write(names, Some(at), out),
            None => at.item().value().write(spec, out),
        })
    }
}

impl Cut {
    fn write(
        &self,
        out: &mut Output<'_>,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let Self { trim, max, more } = self;
        if !trim && max.is_none() {
            return write(out);
        }
        let cut = Clip {
            trim: *trim,
            max: *max,
            more,
        };
        clip(cut, out, write)
    }
}

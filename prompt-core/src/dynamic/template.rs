//! Texts that are written outside of a node's own tables: items of lists, and the forms of values.

use super::{
    spec::{HangForm, JsonForm, VarSpec},
    value::{Item, Value, Values},
};
use crate::by_name::ByName;
use crate::node::{Hang, Output, Text, ValueTreatment};
use std::{borrow::Cow, fmt};

/// A value, or a part of it: `name.field:spec`.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) name: String,
    pub(super) path: Vec<String>,
    pub(super) spec: String,
}

impl From<&prompt_syntax::Variable> for Use {
    fn from(variable: &prompt_syntax::Variable) -> Self {
        Self {
            name: variable.name.clone(),
            path: variable.path.clone(),
            spec: variable.spec.clone().unwrap_or_default(),
        }
    }
}

impl From<&prompt_syntax::Condition> for Use {
    fn from(condition: &prompt_syntax::Condition) -> Self {
        Self {
            name: condition.name.clone(),
            path: condition.path.clone(),
            spec: String::new(),
        }
    }
}

/// The names of an item's templates.
pub(super) const ITEM_NAMES: [&str; 3] = ["item", "index", "index0"];

/// What the names in a text stand for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'v> {
    pub(super) values: &'v Values,
    pub(super) forms: &'v Forms,
    /// The item that is printed, and its place (from 0).
    pub(super) item: Option<(Item<'v>, usize)>,
}

/// How values print wherever they are named.
pub(super) type Forms = ByName<Form>;

impl<'v> Scope<'v> {
    pub(super) fn with_item(self, list: &'v Value, index: usize) -> Self {
        Self {
            item: list.item(index).map(|item| (item, index)),
            ..self
        }
    }

    pub(super) fn value(&self, used: &Use) -> Option<Cow<'v, Value>> {
        let Some((item, index)) = self.item else {
            return self.of_tree(used);
        };
        let number = |number: usize| Some(Cow::Owned(Value::Int(i128::try_from(number).ok()?)));
        match used.name.as_str() {
            "item" => item.reach(&used.path),
            "index" => number(index + 1),
            "index0" => number(index),
            _ => self.of_tree(used),
        }
    }

    fn of_tree(&self, used: &Use) -> Option<Cow<'v, Value>> {
        let value = self.values.get(&used.name)?.reach(&used.path);
        value.map(Cow::Borrowed)
    }

    /// Writes a value in its form. What an item lacks prints nothing.
    pub(super) fn put(&self, used: &Use, out: &mut Output<'_>) -> fmt::Result {
        let value = self.value(used).unwrap_or(Cow::Owned(Value::Null));
        let is_whole = used.path.is_empty() && !self.is_item(&used.name);
        match self.forms.get(&used.name).filter(|_| is_whole) {
            Some(form) => form.write(&value, *self, &used.spec, out),
            None => value.write(&used.spec, out),
        }
    }

    pub(super) fn holds(&self, used: &Use) -> bool {
        self.value(used).is_some_and(|value| value.holds())
    }

    fn is_item(&self, name: &str) -> bool {
        self.item.is_some() && ITEM_NAMES.contains(&name)
    }
}

/// A text with tables of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    pub(super) text: Text,
    pub(super) variables: Vec<Use>,
    pub(super) conditions: Vec<Use>,
}

impl Template {
    pub(super) fn write(&self, scope: Scope<'_>, out: &mut Output<'_>) -> fmt::Result {
        out.template(
            &self.text,
            &mut |index, out| match self.variables.get(index) {
                Some(used) => scope.put(used, out),
                None => Err(fmt::Error),
            },
            &|index| {
                self.conditions
                    .get(index)
                    .is_some_and(|used| scope.holds(used))
            },
        )
    }
}

/// How the items of a list print.
#[derive(Clone, Debug, Default)]
pub(super) struct ListForm {
    pub(super) item: Option<Template>,
    pub(super) join: String,
    pub(super) last: Option<String>,
}

impl ListForm {
    /// Writes all items of a list or map.
    pub(super) fn write(
        &self,
        list: &Value,
        scope: Scope<'_>,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let count = list.len();
        for index in 0..count {
            if index > 0 {
                let ending = self.last.as_ref().filter(|_| index + 1 == count);
                out.literal(ending.unwrap_or(&self.join));
            }
            self.write_item(list, index, scope, out)?;
        }
        Ok(())
    }

    pub(super) fn write_item(
        &self,
        list: &Value,
        index: usize,
        scope: Scope<'_>,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let scope = scope.with_item(list, index);
        match (&self.item, scope.item) {
            (Some(template), _) => template.write(scope, out),
            (None, Some((item, _))) => item.value().write("", out),
            (None, None) => Ok(()),
        }
    }
}

/// How JSON stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    Line,
    Indented(usize),
}

/// How a value prints: an entry of `vars`.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) default: Option<Template>,
    /// Before and after a value that is there.
    pub(super) some: Option<(Template, Template)>,
    pub(super) yes: Option<Template>,
    pub(super) no: Option<Template>,
    pub(super) list: Option<ListForm>,
    /// As JSON.
    pub(super) json: Option<Layout>,
    pub(super) treatment: Option<ValueTreatment>,
    pub(super) description: Option<String>,
}

impl Form {
    /// What needs no template.
    pub(super) fn of(spec: &VarSpec) -> Self {
        let json = match spec.json {
            None | Some(JsonForm::Flag(false)) => None,
            Some(JsonForm::Flag(true)) => Some(Layout::Line),
            Some(JsonForm::Pretty(_)) => Some(Layout::Indented(2)),
            Some(JsonForm::Columns(columns)) => Some(Layout::Indented(usize::from(columns))),
        };
        let hang = match spec.hang {
            None | Some(HangForm::Flag(false)) => Hang::None,
            Some(HangForm::Flag(true)) => Hang::First,
            Some(HangForm::Column(column)) => Hang::Column(column),
        };
        Self {
            json,
            treatment: Some(ValueTreatment {
                raw: spec.raw,
                untrusted: spec.untrusted,
                hang,
            }),
            description: spec.description.clone(),
            ..Self::default()
        }
    }

    fn write(
        &self,
        value: &Value,
        scope: Scope<'_>,
        spec: &str,
        out: &mut Output<'_>,
    ) -> fmt::Result {
        let chosen = match value {
            Value::Bool(true) => self.yes.as_ref(),
            Value::Bool(false) => self.no.as_ref(),
            _ => None,
        };
        if let Some(text) = chosen {
            return text.write(scope, out);
        }
        let is_absent = *value == Value::Null || (value.is_list() && value.len() == 0);
        if is_absent && (self.default.is_some() || self.some.is_some() || self.list.is_some()) {
            return match &self.default {
                Some(text) => text.write(scope, out),
                None => Ok(()),
            };
        }
        if let Some((before, _)) = &self.some {
            before.write(scope, out)?;
        }
        match (&self.list, self.json) {
            (_, Some(Layout::Line)) => out.push_str(&value.json(None)),
            (_, Some(Layout::Indented(columns))) => out.push_str(&value.json(Some(columns))),
            (Some(list), _) if value.is_list() => list.write(value, scope, out)?,
            _ => value.write(spec, out)?,
        }
        match &self.some {
            Some((_, after)) => after.write(scope, out),
            None => Ok(()),
        }
    }
}

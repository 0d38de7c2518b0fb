//! The names that values give, and the paths into them, as in `{ship.name}` and `{item.name}`: where one leads to
//! nothing, what is said about it.

use super::value::{Item, Value, Values};
use prompt_syntax::{Loop, Origin, Used, nearest};
use std::{borrow::Cow, sync::Arc};

/// How many names are compared with misspelt ones, and how many items are asked in vain, for the whole tree, so that the
/// time stays linear: a tree with more mistakes than that gets the nearest name for the first ones only.
const COMPARED: usize = 300_000;

/// The values of a tree, if it has any yet.
pub(super) struct Names {
    pub(super) values: Option<Arc<Values>>,
    compared: usize,
}

/// A name or a path that leads to nothing.
pub(super) struct Slip {
    pub(super) message: String,
    pub(super) help: String,
}

/// What a path was found to lead to.
pub(super) enum Found {
    /// Something, as far as anybody can tell.
    Something,
    Slip(Slip),
    /// What a loop goes over and is no list.
    NoList,
}

/// Items, asked one by one: there may be very many, and nearly always the first one has what is looked for.
type Items<'v> = Box<dyn Iterator<Item = Item<'v>> + 'v>;

/// The list whose items a text is about, and the loops in that text.
#[derive(Clone, Copy)]
pub(super) struct Lists<'l> {
    pub(super) of_text: Option<&'l Used>,
    pub(super) loops: &'l [Loop],
}

impl Names {
    pub(super) fn new(values: Option<Arc<Values>>) -> Self {
        Self {
            values,
            compared: 0,
        }
    }

    /// Whether there is time to compare something with so many names.
    pub(super) fn compares(&mut self, names: usize) -> bool {
        let may = self.compared <= COMPARED;
        if may {
            self.compared += names;
        }
        may
    }

    /// No value has this name.
    pub(super) fn of_value(&mut self, name: &str) -> Option<Slip> {
        let values = self.values.clone()?;
        if values.contains_key(name) {
            return None;
        }
        let compares = self.compares(values.len());
        let near = nearest(name, values.keys().filter(|_| compares));
        Some(Slip {
            message: format!("there is no value `{name}`"),
            help: near.map_or_else(|| missing(name), meant),
        })
    }

    /// What a name with its path leads to. What may be absent is a slip only where a field with a near name is there.
    pub(super) fn look(
        &mut self,
        used: &Used,
        lists: Lists<'_>,
        may_lack: bool,
        is_list: bool,
    ) -> Found {
        let Some(values) = self.values.clone() else {
            return Found::Something;
        };
        let Some(starts) = lists.starts(&values, used) else {
            return Found::Something;
        };
        let Some(lost) = starts.lost(&used.path, is_list, self) else {
            return Found::Something;
        };
        let Lost {
            known,
            near,
            items,
            is_no_list,
        } = lost;
        if is_no_list {
            return Found::NoList;
        }
        let (field, name) = (&used.path[known], &used.name);
        let (message, absent) = match starts {
            Starts::Value(_) if items > 0 => (
                format!("the value of `{name}` has no `{field}`"),
                format!("it has the items 0 to {}", items - 1),
            ),
            Starts::Value(_) => (
                format!("the value of `{name}` has no `{field}`"),
                format!("give `{name}` this field, or remove it from the text"),
            ),
            Starts::Items(_) => (
                format!("no item of `{}` has a `{field}`", lists.name(used)),
                "give it to an item, or write it behind its condition".to_owned(),
            ),
        };
        match near {
            Some(near) => Found::Slip(Slip {
                message,
                help: meant(near),
            }),
            None if may_lack => Found::Something,
            None => Found::Slip(Slip {
                message,
                help: absent,
            }),
        }
    }
}

/// How to give a value that is missing.
pub(super) fn missing(name: &str) -> String {
    format!("bind a value to `{name}`")
}

fn meant(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// What a path begins at: a value, or every item of a list.
enum Starts<'v> {
    Value(&'v Value),
    Items(Box<dyn Fn() -> Items<'v> + 'v>),
}

/// Where a path ends that leads to nothing.
struct Lost<'v> {
    /// How many of its fields are there.
    known: usize,
    /// The field that was meant.
    near: Option<&'v str>,
    /// How many items the list has that the next field should be one of.
    items: usize,
    is_no_list: bool,
}

impl<'v> Lists<'v> {
    /// What the path of a name begins at; nothing where it has none, or nobody knows.
    fn starts(self, values: &'v Values, used: &Used) -> Option<Starts<'v>> {
        match used.origin {
            Origin::Node { item: 0 } => Some(Starts::Value(values.get(&used.name)?)),
            Origin::Node { .. } if used.name == "item" => {
                let list = self.of_text?;
                Some(Starts::Items(Box::new(move || self.items(values, list))))
            }
            Origin::Item(number) => {
                let list = &self.loops[usize::from(number)].list;
                Some(Starts::Items(Box::new(move || self.items(values, list))))
            }
            _ => None,
        }
    }

    /// The items of a list.
    fn items(self, values: &'v Values, list: &'v Used) -> Items<'v> {
        let around = match list.origin {
            Origin::Node { item: 0 } => {
                let value = values.get(&list.name);
                let value = value.and_then(|value| value.reach(&list.path));
                return Box::new(value.into_iter().flat_map(Value::items));
            }
            Origin::Node { .. } => self.of_text,
            Origin::Item(number) => Some(&self.loops[usize::from(number)].list),
            _ => None,
        };
        let Some(around) = around else {
            return Box::new(std::iter::empty());
        };
        let inner = self.items(values, around);
        let lists = inner.filter_map(|item| match item.reach(&list.path) {
            Some(Cow::Borrowed(value)) => Some(value),
            _ => None,
        });
        Box::new(lists.flat_map(Value::items))
    }

    /// The list of the items that a name stands for.
    fn name(self, used: &Used) -> String {
        let list = match used.origin {
            Origin::Item(number) => Some(&self.loops[usize::from(number)].list),
            _ => self.of_text,
        };
        list.map_or_else(String::new, path_of)
    }
}

impl<'v> Starts<'v> {
    fn each(&self) -> Items<'v> {
        match self {
            Self::Value(value) => Box::new(std::iter::once(Item::One(value))),
            Self::Items(items) => items(),
        }
    }

    /// Where a path ends, if no value has all of it: the most that one has. An item that is absent, or has nothing where
    /// a field is asked for, does not tell what items have. Values that were asked in vain are counted.
    fn lost(&self, path: &[String], is_list: bool, names: &mut Names) -> Option<Lost<'v>> {
        if !names.compares(0) {
            return None;
        }
        let mut most: Option<usize> = None;
        for item in self.each() {
            let known = (1..=path.len())
                .take_while(|known| item.reach(&path[..*known]).is_some())
                .count();
            let end = item.reach(&path[..known]);
            let is_absent = end.as_deref() == Some(&Value::Null);
            if known == path.len() {
                let is_no_list = is_list && !is_absent && !end.is_some_and(|end| end.is_list());
                return is_no_list.then_some(Lost {
                    known,
                    near: None,
                    items: 0,
                    is_no_list,
                });
            }
            names.compared += 1;
            if !is_absent || matches!(self, Self::Value(_)) {
                most = most.max(Some(known));
            }
        }
        let known = most?;
        let mut fields: Vec<&str> = Vec::new();
        if names.compares(0) {
            let all = self.each().flat_map(|item| item.fields(&path[..known]));
            fields.extend(all);
        }
        names.compared += fields.len();
        let items = match self {
            Self::Value(value) => match value.reach(&path[..known]) {
                Some(Value::List(items)) => items.len(),
                _ => 0,
            },
            Self::Items(_) => 0,
        };
        Some(Lost {
            known,
            near: nearest(&path[known], fields),
            items,
            is_no_list: false,
        })
    }
}

/// `name.field`.
pub(super) fn path_of(used: &Used) -> String {
    let mut source = used.name.clone();
    for field in &used.path {
        source.push('.');
        source.push_str(field);
    }
    source
}

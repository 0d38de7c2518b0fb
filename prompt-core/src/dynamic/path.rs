//! The names that values give, and the paths into them, as in `{ship.name}` and `{item.name}`: where one leads to
//! nothing, what is said about it.

use super::{
    template::Use,
    value::{Item, Value, Values},
};
use std::{borrow::Cow, sync::Arc};

/// How many names are compared with misspelt ones, and how many items are asked in vain, for the whole tree, so that the
/// time stays linear: a tree with more mistakes than that gets the nearest name for the first ones only.
const COMPARED: usize = 300_000;

/// The names of a tree that are bound, if any are.
pub(super) struct Names {
    pub(super) values: Option<Arc<Values>>,
    compared: usize,
}

/// A name or a path that leads to nothing.
pub(super) struct Slip {
    pub(super) message: String,
    pub(super) help: String,
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
        let nearest = prompt_syntax::nearest(name, values.keys().filter(|_| compares));
        Some(Slip {
            message: format!("there is no value `{name}`"),
            help: match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("bind a value to `{name}`"),
            },
        })
    }

    /// A path into a value leads to nothing. What may be absent is wrong only where a field with a near name is there.
    pub(super) fn of_path(&mut self, name: &str, path: &[String], may_lack: bool) -> Option<Slip> {
        let values = self.values.clone()?;
        let start = Start::Value(values.get(name)?);
        let (known, lost, nearest) = self.lost(start, path)?;
        let help = match (nearest, start.items(known)) {
            (Some(nearest), _) => format!("did you mean `{nearest}`?"),
            (None, _) if may_lack => return None,
            (None, 0) => format!("give `{name}` this field, or remove it from the text"),
            (None, items) => format!("it has the items 0 to {}", items - 1),
        };
        let message = format!("the value of `{name}` has no `{lost}`");
        Some(Slip { message, help })
    }

    /// The same of a path that begins at the items of a list. Where some have the field it prints nothing for the others.
    pub(super) fn of_item(&mut self, items: &Use, path: &[String], may_lack: bool) -> Option<Slip> {
        let values = self.values.clone().filter(|_| self.compares(0))?;
        let start = Start::ItemsOf(values.get(&items.name)?.reach(&items.path)?);
        let (_, lost, nearest) = self.lost(start, path)?;
        let help = match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if may_lack => return None,
            None => "give it to an item, or write it behind its condition".to_owned(),
        };
        let message = format!(
            "no item of `{}` has a `{lost}`",
            path_of(&items.name, &items.path)
        );
        Some(Slip { message, help })
    }

    /// The fields of a path that are there, the first one that is not, and the one that was meant.
    fn lost<'p, 'v>(
        &mut self,
        start: Start<'v>,
        path: &'p [String],
    ) -> Option<(&'p [String], &'p str, Option<&'v str>)> {
        let (known, lost) = path.split_at_checked(start.known(path, &mut self.compared)?)?;
        let lost = lost.first()?;
        let fields = if self.compares(0) {
            start.fields(known)
        } else {
            Vec::new()
        };
        self.compared += fields.len();
        Some((known, lost, prompt_syntax::nearest(lost, fields)))
    }
}

/// `name.field`.
pub(super) fn path_of(name: &str, path: &[String]) -> String {
    let mut source = name.to_owned();
    for field in path {
        source.push('.');
        source.push_str(field);
    }
    source
}

/// What a path begins at: a value, or every item of a list.
#[derive(Clone, Copy)]
enum Start<'v> {
    Value(&'v Value),
    ItemsOf(&'v Value),
}

impl<'v> Start<'v> {
    fn values(self) -> impl Iterator<Item = Item<'v>> {
        let count = match self {
            Self::Value(_) => 1,
            Self::ItemsOf(list) => list.len(),
        };
        (0..count).filter_map(move |index| match self {
            Self::Value(value) => Some(Item::One(value)),
            Self::ItemsOf(list) => list.item(index),
        })
    }

    /// How many fields of a path are there, where no value has all of them. An item that is absent, or has nothing where
    /// a field is asked for, does not tell what items have. Values that were asked in vain are counted.
    fn known(self, path: &[String], in_vain: &mut usize) -> Option<usize> {
        let mut most = None;
        for value in self.values() {
            let known = known(value, path);
            if known == path.len() {
                return None;
            }
            *in_vain += 1;
            let is_absent = value.reach(path.get(..known)?).as_deref() == Some(&Value::Null);
            if !is_absent || matches!(self, Self::Value(_)) {
                most = most.max(Some(known));
            }
        }
        most
    }

    /// The fields that are there behind these.
    fn fields(self, known: &[String]) -> Vec<&'v str> {
        let fields = |value: Item<'v>| match value.reach(known) {
            Some(Cow::Borrowed(value)) => value.fields(),
            _ => Vec::new(),
        };
        self.values().flat_map(fields).collect()
    }

    /// How many items the list has that is reached through these fields.
    fn items(self, known: &[String]) -> usize {
        match self {
            Self::Value(value) => match value.reach(known) {
                Some(Value::List(items)) => items.len(),
                _ => 0,
            },
            Self::ItemsOf(_) => 0,
        }
    }
}

/// How many fields of a path a value has.
fn known(value: Item<'_>, path: &[String]) -> usize {
    let has = |known: &usize| {
        path.get(..*known)
            .and_then(|path| value.reach(path))
            .is_some()
    };
    (1..=path.len()).take_while(has).count()
}

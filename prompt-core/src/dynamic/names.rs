//! The names that values give, and the paths into them, as in `{ship.name}` and `{item.name}`: where one leads to
//! nothing, what is said about it.

use super::{
    bound::{Item, Value, ValuePath, Values, joined},
    scope::{Forms, alias},
};
use prompt_syntax::{Code, LoopName, Problem, Span, Use, UseKind, nearest};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// How many names are compared with misspelt ones, and how many items are asked in vain, for the whole tree, so that the
/// time stays linear: a tree with more mistakes than that gets the nearest name for the first ones only.
const COMPARED: usize = 300_000;

/// The values of a tree, if it has any yet.
pub(super) struct Lookup {
    pub(super) values: Option<Arc<Values>>,
    /// Names of values that no variable can have.
    odd: Vec<String>,
    compared: usize,
}

/// Items, asked one by one: there may be very many, and nearly always the first one has what is looked for.
type Items<'v> = Box<dyn Iterator<Item = Item<'v>> + 'v>;

/// What the names in a text are about.
#[derive(Clone, Copy)]
pub(super) struct Lists<'l> {
    /// The list whose item the text is about.
    pub(super) of_text: Option<&'l ValuePath>,
    /// All that the text uses, loops among it.
    pub(super) uses: &'l [Use],
    /// Lookup for parts of values.
    pub(super) forms: &'l Forms,
}

impl Lookup {
    pub(super) fn new(values: Option<Arc<Values>>) -> Self {
        let names = values.iter().flat_map(|values| values.keys());
        let odd = names.filter(|name| !name.trim().is_empty() && !is_variable(name));
        Self {
            odd: odd.map(str::to_owned).collect(),
            values,
            compared: 0,
        }
    }

    /// Braces around the name of a value that no variable can have: they are text, and nobody who gives such a value means that.
    pub(super) fn odd_in(&self, source: &str) -> Vec<Problem> {
        let is_path = |name: &str| name.split('.').all(is_variable);
        // What stands behind a colon may be a format.
        let odd = self
            .odd
            .iter()
            .filter(|name| !is_path(name) && !name.contains([':', '!']));
        odd.filter_map(|name| odd_name(source, name)).collect()
    }

    /// A value whose name is a path is none that the path leads to; and one that no variable can have is meant by the name that
    /// it would have.
    pub(super) fn explained(&self, source: &str, mut problem: Problem) -> Problem {
        let written = problem
            .written(source)
            .trim_matches(['{', '}', '?', '*', '!']);
        if problem.code != Code::UnknownVariable {
            return problem;
        }
        let is_written = |name: &&String| *name == written;
        if let Some(name) = self.odd.iter().find(is_written)
            && let Some((first, inside)) = name.split_once('.')
        {
            let steps: Vec<String> = inside
                .split('.')
                .map(|step| format!("the entry `{step}`"))
                .collect();
            let steps = steps.join(", that as a map with ");
            problem.help = format!(
                "the value `{name}` is not looked at: give `{first}` as a map with {steps}"
            );
        } else if let Some(name) = self
            .odd
            .iter()
            .find(|name| variable_like(name).as_deref() == Some(written))
        {
            problem.help = format!("name the value `{written}`: `{name}` is no name of a variable");
        }
        problem
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
    pub(super) fn of_value(&mut self, name: &str) -> Option<Problem> {
        let values = self.values.clone()?;
        if values.get(name).is_some() {
            return None;
        }
        let compares = self.compares(values.len());
        let near = nearest(
            name,
            values.keys().filter(|near| compares && is_variable(near)),
        );
        let help = near.map_or_else(|| format!("bind a value to `{name}`"), meant);
        let message = format!("there is no value `{name}`");
        Some(Problem::new(Code::UnknownVariable, message, help))
    }

    /// What a name with its path leads to, if that is nothing; a loop wants a list.
    pub(super) fn look(&mut self, used: &Use, lists: Lists<'_>) -> Option<Problem> {
        let values = self.values.clone()?;
        let values = &*values;
        // What a condition asks for, or what stands behind one, may be absent.
        let (may_lack, is_list) = match used.kind {
            UseKind::Variable { is_guarded, .. } => (is_guarded, false),
            UseKind::Loop { is_guarded, .. } => (is_guarded, true),
            _ => (true, false),
        };
        let wants = Wants { may_lack, is_list };
        let (starts, list) = match (&used.in_loop, lists.of_text) {
            (Some(inside), _) if inside.name == LoopName::Item => {
                let items = move || lists.items_of_loop(values, inside.of);
                let list = lists.uses.get(inside.of);
                let list = list.map(|list| joined(&list.name, &list.path));
                (Starts::Items(Box::new(items)), list)
            }
            (None, Some(list)) if used.name == "item" => {
                let items = move || lists.items(values, list);
                (Starts::Items(Box::new(items)), Some(list.to_string()))
            }
            (Some(_), _) => return None,
            (None, _) => (Starts::Value(lists.value(values, &used.name)?), None),
        };
        let list = list.unwrap_or_default();
        self.follow(&starts, &used.name, &used.path, wants, &list)
    }

    /// What the path of a key of a section leads to, if that is nothing.
    pub(super) fn look_up(&mut self, value: &ValuePath, may_lack: bool) -> Option<Problem> {
        if let Some(problem) = self.of_value(&value.name) {
            return Some(problem);
        }
        let values = self.values.clone()?;
        let starts = Starts::Value(values.get(&value.name)?);
        let is_list = false;
        let wants = Wants { may_lack, is_list };
        self.follow(&starts, &value.name, &value.path, wants, "")
    }

    /// What a field of the items of a list leads to, if that is nothing.
    pub(super) fn look_in(&mut self, list: &ValuePath, path: &[String]) -> Option<Problem> {
        let values = self.values.clone()?;
        let lists = Lists {
            of_text: None,
            uses: &[],
            forms: &BTreeMap::new(),
        };
        let values = &*values;
        let starts = Starts::Items(Box::new(move || lists.items(values, list)));
        self.follow(&starts, "item", path, Wants::default(), &list.to_string())
    }

    /// Follows a path. What may be absent is a problem only where a field with a near name is there.
    fn follow(
        &mut self,
        starts: &Starts<'_>,
        name: &str,
        path: &[String],
        wants: Wants,
        list: &str,
    ) -> Option<Problem> {
        let end = starts.lost(path, wants.is_list, self)?;
        let Some(field) = path.get(end.known) else {
            let help = "a loop goes over the items of a list or the entries of a map";
            let message = format!("`{}` is no list", joined(name, path));
            return Some(Problem::new(Code::NotAList, message, help));
        };
        if end.near.is_none() && wants.may_lack {
            return None;
        }
        let whole = joined(name, &path[..end.known]);
        let (message, absent) = match starts {
            Starts::Value(_) => (
                format!("the value of `{whole}` has no `{field}`"),
                match end.items {
                    0 => format!("give `{whole}` this field, or remove it from the text"),
                    items => format!("it has the items 0 to {}", items - 1),
                },
            ),
            Starts::Items(_) => (
                format!("no item of `{list}` has the field `{field}`"),
                "give it to an item, or write it behind its condition".to_owned(),
            ),
        };
        let near = end
            .near
            .filter(|near| is_variable(near) || near.parse::<usize>().is_ok());
        let help = near.map_or(absent, meant);
        Some(Problem::new(Code::UnknownVariable, message, help))
    }
}

/// Whether a variable can have this name.
pub(super) fn is_variable(name: &str) -> bool {
    prompt_syntax::is_identifier(name)
}

/// The name that a variable could have in its place.
fn variable_like(name: &str) -> Option<String> {
    let letters = name.trim().chars();
    let letters = letters.map(|c| if c.is_alphanumeric() { c } else { '_' });
    let other: String = letters.collect();
    let other = other.trim_matches('_').to_owned();
    is_variable(&other).then_some(other)
}

/// The first place where braces ask for this name: a variable, also with a format, a condition, or a loop.
fn odd_name(source: &str, name: &str) -> Option<Problem> {
    let is_asked = |at: usize| {
        let before = source[..at].trim_end_matches(['?', '*', '!']);
        let rest = &source[at + name.len()..];
        let opens = before.ends_with('{') && !before.ends_with("{{");
        opens && rest.starts_with(['}', ':', '!', '.']) && !rest.starts_with("}}")
    };
    let mut places = source.match_indices(name).map(|(at, _)| at);
    let found = places.find(|at| is_asked(*at))?;
    let at = source[..found].rfind('{')?;
    let end = source[found..]
        .find('}')
        .map_or(found + name.len(), |end| found + end + 1);
    let written = &source[at..end];
    let before = &source[..at];
    let braces = "to print the braces, leave the value out";
    let help = match variable_like(name) {
        Some(other) => format!("name the value `{other}`, and write `{{{other}}}`; {braces}"),
        None => format!(
            "give the value a name of letters, digits and `_` that begins with none of the digits; {braces}"
        ),
    };
    let message = format!("`{written}` is text: no variable has such a name, and a value has");
    Some(Problem {
        line: before.matches('\n').count() + 1,
        column: before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1,
        span: Span { start: at, end },
        ..Problem::new(Code::UnknownVariable, message, help)
    })
}

/// What a path must lead to.
#[derive(Clone, Copy, Default)]
struct Wants {
    may_lack: bool,
    is_list: bool,
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
#[derive(Default)]
struct Lost<'v> {
    /// How many of its fields are there; all of them where it leads to something that is no list.
    known: usize,
    /// The field that was meant.
    near: Option<&'v str>,
    /// How many items the list has that the next field should be one of.
    items: usize,
}

impl Lists<'_> {
    /// The value that a name stands for.
    fn value<'v>(self, values: &'v Values, name: &str) -> Option<&'v Value> {
        match alias(self.forms, name) {
            Some(of) => values.get(&of.name)?.reach(&of.path),
            None => values.get(name),
        }
    }

    /// The items of a list.
    fn items<'v>(self, values: &'v Values, list: &ValuePath) -> Items<'v> {
        let value = self.value(values, &list.name);
        let value = value.and_then(|value| value.reach(&list.path));
        Box::new(value.into_iter().flat_map(Value::items))
    }

    /// The items of a loop: of all lists that it goes over, one after the other.
    fn items_of_loop<'v>(self, values: &'v Values, of: usize) -> Items<'v>
    where
        Self: 'v,
    {
        // A loop that is not written as it should be is among the faults of the text, and not among its uses.
        let Some(list) = self.uses.get(of) else {
            return Box::new(std::iter::empty());
        };
        let around = match (list.in_loop, self.of_text) {
            (Some(inside), _) => self.items_of_loop(values, inside.of),
            (None, Some(of_text)) if list.name == "item" => self.items(values, of_text),
            (None, _) => {
                let value = self.value(values, &list.name);
                Box::new(value.into_iter().map(Item::only))
            }
        };
        let lists = around.filter_map(|item| match item.reach(&list.path) {
            Some(Cow::Borrowed(value)) => Some(value),
            _ => None,
        });
        Box::new(lists.flat_map(Value::items))
    }
}

impl<'v> Starts<'v> {
    fn each(&self) -> Items<'v> {
        match self {
            Self::Value(value) => Box::new(std::iter::once(Item::only(value))),
            Self::Items(items) => items(),
        }
    }

    /// Where a path ends, if no value has all of it: the most that one has. An item that is absent, or has nothing where
    /// a field is asked for, does not tell what items have. Values that were asked in vain are counted.
    fn lost(&self, path: &[String], is_list: bool, names: &mut Lookup) -> Option<Lost<'v>> {
        if !names.compares(0) {
            return None;
        }
        let mut most: Option<usize> = None;
        for item in self.each() {
            let has = |known: &usize| item.reach(&path[..*known]).is_some();
            let known = (1..=path.len()).take_while(has).count();
            let end = item.reach(&path[..known]);
            let is_absent = end.as_deref() == Some(&Value::Null);
            if known == path.len() {
                let is_no_list = is_list && !is_absent && !end.is_some_and(|end| end.is_list());
                return is_no_list.then(|| Lost {
                    known,
                    ..Lost::default()
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
        let list = match self {
            Self::Value(value) => value.reach(&path[..known]),
            Self::Items(_) => None,
        };
        Some(Lost {
            known,
            near: nearest(&path[known], fields),
            items: match list {
                Some(Value::List(items)) => items.len(),
                _ => 0,
            },
        })
    }
}

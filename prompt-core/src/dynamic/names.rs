//! The names that values give, and the paths into them, as in `{ship.name}` and `{item.name}`: where one leads to
//! nothing, what is said about it.

use super::{
    bound::{Item, Value, ValuePath, Values, joined},
    scope::{Forms, alias},
};
use prompt_syntax::{
    Code, LineCounter, LoopName, Problem, Span, Use, UseKind, is_identifier, nearest,
};
use std::{borrow::Cow, sync::Arc};

/// How many names are compared with misspelt ones, and how many items are asked in vain, for the whole tree, so that the
/// time stays linear: a tree with more mistakes than that gets the nearest name for the first ones only.
const COMPARED: usize = 300_000;

/// The values of a tree, if it has any yet.
#[derive(Default)]
pub(super) struct Lookup {
    pub(super) values: Option<Arc<Values>>,
    /// Names of values that no variable can have.
    odd: Vec<String>,
    compared: usize,
}

/// Values, asked one by one: there may be very many, and nearly always the first one has what is looked for.
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
        let odd = names.filter(|name| !name.trim().is_empty() && !is_identifier(name));
        Self {
            odd: odd.map(str::to_owned).collect(),
            values,
            compared: 0,
        }
    }

    /// Braces around the name of a value that no variable can have: they are text, and nobody who gives such a value means that.
    pub(super) fn odd_in(&self, source: &str) -> Vec<Problem> {
        let is_path = |name: &str| name.split('.').all(is_identifier);
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
            values.keys().filter(|near| compares && is_identifier(near)),
        );
        let help = near.map_or_else(|| format!("bind a value to `{name}`"), meant);
        let message = format!("there is no value `{name}`");
        Some(Problem::new(Code::UnknownVariable, message, help))
    }

    /// What a name with its path leads to, if that is nothing; a loop wants a list.
    pub(super) fn look(&mut self, used: &Use, lists: Lists<'_>) -> Option<Problem> {
        let values = self.values.clone()?;
        // What a condition asks for, or what stands behind one, may be absent.
        let (may_lack, is_loop) = match used.kind {
            UseKind::Variable { is_guarded, .. } => (is_guarded, false),
            UseKind::Loop { is_guarded, .. } => (is_guarded, true),
            _ => (true, false),
        };
        let list = lists.list_around(used);
        let name = (used.name.as_str(), list.as_deref());
        let starts = lists.starts(&values, used)?;
        self.follow(starts, name, &used.path, may_lack, is_loop)
    }

    /// What the path of a key of a section leads to, if that is nothing.
    pub(super) fn look_up(&mut self, value: &ValuePath, may_lack: bool) -> Option<Problem> {
        if let Some(problem) = self.of_value(&value.name) {
            return Some(problem);
        }
        let values = self.values.clone()?;
        let starts = only(values.get(&value.name)?);
        self.follow(starts, (&value.name, None), &value.path, may_lack, false)
    }

    /// What a field of the items of a list leads to, if that is nothing.
    pub(super) fn look_in(&mut self, list: &ValuePath, path: &[String]) -> Option<Problem> {
        let values = self.values.clone()?;
        let value = values.get(&list.name)?.reach(&list.path)?;
        let name = ("item", Some(&*list.to_string()));
        self.follow(Box::new(value.items()), name, path, false, false)
    }

    /// Follows a path from a value, or from every item of a list, whose name stands beside that of the start. If none has
    /// all of it, what is said is about the most that one has; an item that is absent, or has nothing where a field is
    /// asked for, does not tell what items have. What may be absent is a problem only where a field with a near name is
    /// there.
    fn follow(
        &mut self,
        starts: Items<'_>,
        (name, list): (&str, Option<&str>),
        path: &[String],
        may_lack: bool,
        is_loop: bool,
    ) -> Option<Problem> {
        if !self.compares(0) {
            return None;
        }
        let mut most = 0;
        let mut furthest = Vec::new();
        for item in starts {
            let has = |known: &usize| item.reach(&path[..*known]).is_some();
            let known = (1..=path.len()).take_while(has).count();
            let end = item.reach(&path[..known]);
            let is_absent = end.as_deref() == Some(&Value::Null);
            if known == path.len() {
                let is_list = is_absent || end.is_some_and(|end| end.is_list());
                return (is_loop && !is_list).then(|| no_list(name, path));
            }
            self.compared += 1;
            if is_absent && list.is_some() || known < most {
                continue;
            }
            if known > most {
                most = known;
                furthest.clear();
            }
            furthest.push(item);
        }
        let first = furthest.first()?.reach(&path[..most]);
        let mut fields: Vec<&str> = Vec::new();
        if self.compares(0) {
            fields.extend(furthest.iter().flat_map(|item| item.fields(&path[..most])));
        }
        self.compared += fields.len();
        let field = &path[most];
        let near = nearest(field, fields);
        if near.is_none() && may_lack {
            return None;
        }
        let whole = joined(name, &path[..most]);
        let (message, absent) = match (list, first.as_deref()) {
            (Some(list), _) => (
                format!("no item of `{list}` has the field `{field}`"),
                "give it to an item, or write it behind its condition".to_owned(),
            ),
            (None, first) => (
                format!("the value of `{whole}` has no `{field}`"),
                match first {
                    Some(Value::List(items)) if !items.is_empty() => {
                        format!("it has the items 0 to {}", items.len() - 1)
                    }
                    _ => format!("give `{whole}` this field, or remove it from the text"),
                },
            ),
        };
        let near = near.filter(|near| is_identifier(near) || near.parse::<usize>().is_ok());
        let help = near.map_or(absent, meant);
        Some(Problem::new(Code::UnknownVariable, message, help))
    }
}

/// The name that a variable could have in its place.
fn variable_like(name: &str) -> Option<String> {
    let letters = name.trim().chars();
    let letters = letters.map(|c| if c.is_alphanumeric() { c } else { '_' });
    let other: String = letters.collect();
    let other = other.trim_matches('_').to_owned();
    is_identifier(&other).then_some(other)
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
    let braces = "to print the braces, leave the value out";
    let help = match variable_like(name) {
        Some(other) => format!("name the value `{other}`, and write `{{{other}}}`; {braces}"),
        None => format!(
            "give the value a name of letters, digits and `_` that begins with none of the digits; {braces}"
        ),
    };
    let message = format!("`{written}` is text: no variable has such a name, and a value has");
    let (line, column) = LineCounter::new(source).line_and_column(at);
    Some(Problem {
        line,
        column,
        span: Span { start: at, end },
        ..Problem::new(Code::UnknownVariable, message, help)
    })
}

fn no_list(name: &str, path: &[String]) -> Problem {
    let help = "a loop goes over the items of a list or the entries of a map";
    let message = format!("`{}` is no list", joined(name, path));
    Problem::new(Code::NotAList, message, help)
}

fn meant(name: &str) -> String {
    format!("did you mean `{name}`?")
}

fn only(value: &Value) -> Items<'_> {
    Box::new(std::iter::once(Item::only(value)))
}

impl<'l> Lists<'l> {
    /// The value that a name stands for.
    fn value<'v>(self, values: &'v Values, name: &str) -> Option<&'v Value> {
        match alias(self.forms, name) {
            Some(of) => values.get(&of.name)?.reach(&of.path),
            None => values.get(name),
        }
    }

    /// The loop whose item a use is about. One that is not written as it should be is among the faults of the text, and not
    /// among its uses.
    fn loop_around(self, used: &Use) -> Option<&'l Use> {
        self.uses.get(used.in_loop?.of)
    }

    /// The list whose item a use is about, as the text names it.
    fn list_around(self, used: &Use) -> Option<String> {
        match self.loop_around(used) {
            Some(around) => Some(joined(&around.name, &around.path)),
            None => self.list_of_text(used).map(ValuePath::to_string),
        }
    }

    fn list_of_text(self, used: &Use) -> Option<&'l ValuePath> {
        let is_item = used.in_loop.is_none() && used.name == "item";
        self.of_text.filter(|_| is_item)
    }

    /// What a name stands for before its path: a value, or the items of the list that it is about, of all lists that a
    /// loop goes over.
    fn starts<'v>(self, values: &'v Values, used: &Use) -> Option<Items<'v>>
    where
        'l: 'v,
    {
        if let Some(list) = self.list_of_text(used) {
            let value = self.value(values, &list.name)?.reach(&list.path)?;
            return Some(Box::new(value.items()));
        }
        let Some(inside) = used.in_loop else {
            return self.value(values, &used.name).map(only);
        };
        let around = self
            .loop_around(used)
            .filter(|_| inside.name == LoopName::Item)?;
        let lists = self.starts(values, around)?;
        let lists = lists.filter_map(|item| match item.reach(&around.path) {
            Some(Cow::Borrowed(value)) => Some(value),
            _ => None,
        });
        Some(Box::new(lists.flat_map(Value::items)))
    }
}

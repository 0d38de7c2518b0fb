//! Values, as their keys say.

use super::{Oracle, Scope, source::Atom};
use serde_json::Value;

impl Oracle {
    /// True are a `true`, and what prints something.
    pub(super) fn holds(&self, path: &str, scope: &Scope) -> bool {
        match scope.get(path) {
            Value::String(text) => !cut(&text, &self.keys[path]).is_empty(),
            value => holds(&value),
        }
    }

    pub(super) fn shown(&self, path: &str, scope: &Scope) -> String {
        let keys = &self.keys[path];
        let template = |key: &str| {
            keys[key]
                .as_str()
                .map(|text| self.template(text, scope, ""))
        };
        let value = scope.get(path);
        let is_absent = match &value {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if is_absent {
            return template("default").unwrap_or_default();
        }
        let printed = match &value {
            Value::Array(list) => self.list(list, keys, scope),
            Value::Bool(is_so) => {
                template(if *is_so { "yes" } else { "no" }).unwrap_or_else(|| value.to_string())
            }
            value => cut(&shown(value), keys),
        };
        match keys["some"].as_str() {
            Some(text) => self.template(text, scope, &printed),
            None => printed,
        }
    }

    pub(super) fn list(&self, list: &[Value], keys: &Value, scope: &Scope) -> String {
        let scopes = scope.of_items(list, "item");
        let item = |(item, scope): (&Value, &Scope)| match keys["item"].as_str() {
            Some(text) => self.template(text, scope, ""),
            None => cut(&shown(item), keys),
        };
        let join = keys["join"].as_str().unwrap_or("\n");
        let last = keys["last"].as_str().unwrap_or(join);
        // What prints nothing takes what joins it along.
        let items: Vec<String> = list.iter().zip(&scopes).map(item).collect();
        let items: Vec<String> = items.into_iter().filter(|item| !item.is_empty()).collect();
        let mut text = String::new();
        for (at, item) in items.iter().enumerate() {
            text += match at {
                0 => "",
                at if at + 1 == items.len() => last,
                _ => join,
            };
            text += item;
        }
        text
    }

    /// A template of a variable; `{}` is the value.
    pub(super) fn template(&self, text: &str, scope: &Scope, value: &str) -> String {
        let (pieces, ..) = self.pieces(text, false);
        let mut atoms = Vec::new();
        self.run(&pieces, false, scope, &mut atoms);
        let text = |atom: &Atom| match atom.is_value {
            true => atom.text.clone(),
            false => atom.text.replace("{}", value),
        };
        atoms.iter().map(text).collect()
    }
}

/// A text without white space at its ends, and of so many characters at most.
pub(super) fn cut(text: &str, keys: &Value) -> String {
    let text = if keys["trim"] == true {
        text.trim()
    } else {
        text
    };
    let Some(most) = keys["max"]
        .as_u64()
        .and_then(|most| usize::try_from(most).ok())
    else {
        return text.to_owned();
    };
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            text[..end].trim_end().to_owned() + keys["more"].as_str().unwrap_or_default()
        }
    }
}

/// The column that continuation lines of a value take, behind what is printed before it.
pub(super) fn column(before: &str, value: &Atom) -> usize {
    let line = before.rsplit('\n').next().unwrap_or_default();
    if value.hangs { line.len() } else { 0 }
}

pub(super) fn value_lines(text: &str, quote: &str, column: usize) -> String {
    let hang = " ".repeat(column.saturating_sub(quote.len()));
    let quote = &[quote, &*hang].concat();
    let lines: Vec<&str> = text.split('\n').collect();
    let mut printed = lines.first().copied().unwrap_or_default().to_owned();
    for line in lines.iter().skip(1) {
        let quote = if line.is_empty() {
            quote.trim_end()
        } else {
            quote
        };
        printed += &["\n", quote, line].concat();
    }
    printed
}

pub(super) trait Names {
    fn get(&self, path: &str) -> Value;
    fn of_items(&self, items: &[Value], alias: &str) -> Vec<Scope>;
}

impl Names for Scope {
    fn get(&self, path: &str) -> Value {
        // The number of a loop by the name of its item.
        let is_place = |(name, _): &&(String, Value)| name.contains('.') && name == path;
        if let Some((_, value)) = self.iter().rev().find(is_place) {
            return value.clone();
        }
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let find = |first| self.iter().rev().find(|(name, _)| name == first);
        let found = find(first).or_else(|| find("").filter(|_| first == "item"));
        let start = found.map_or(Value::Null, |(_, value)| value.clone());
        names.fold(start, |value, name| match &value {
            Value::Array(list) => name
                .parse()
                .ok()
                .and_then(|at: usize| list.get(at))
                .cloned()
                .unwrap_or_default(),
            value => value.get(name).cloned().unwrap_or_default(),
        })
    }

    /// What stands in the body for each item.
    fn of_items(&self, items: &[Value], alias: &str) -> Vec<Scope> {
        let scope = |(index, item): (usize, &Value)| {
            let mut scope = self.clone();
            let given = [
                // Where all loops have names of their own, `item` is the innermost one.
                ("", item.clone()),
                ("index", (index + 1).into()),
                ("index0", index.into()),
                ("first", (index == 0).into()),
                ("last", (index + 1 == items.len()).into()),
                (alias, item.clone()),
            ];
            scope.extend(given.map(|(name, value)| (name.to_owned(), value)));
            if alias != "item" {
                scope.push((format!("{alias}.index"), (index + 1).into()));
            }
            scope
        };
        items.iter().enumerate().map(scope).collect()
    }
}

pub(super) fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.clone(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| Value::from(vec![Value::from(&**key), value.clone()]))
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn holds(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_so) => *is_so,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Number(_) => true,
    }
}

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

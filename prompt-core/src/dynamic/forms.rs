//! How values print in the whole tree: the entries of `vars`.

use super::{
    bound::{Layout, Value, ValuePath},
    fault::Spot,
    given::{Data, Entry},
    keys::Keys,
    node::{DynamicNode, Tree},
    parser::{Local, Parser},
    scope::{Form, Forms},
};
use crate::node::{Cut, Hang, ValueTreatment};
use prompt_syntax::{
    Code, ITEM_NAMES, Place, Problem,
    book::{self, Holder, rules},
    lower,
    wording::{ListWording, Wording},
};
use std::sync::Arc;

/// The keys of a list, and of a flag.
const LIST: [&str; 3] = ["item", "join", "last"];
const FLAG: [&str; 2] = ["yes", "no"];

impl Parser {
    /// The forms of values: `vars` of the root.
    pub(super) fn forms(&mut self, root: &DynamicNode) -> Forms {
        let mut forms = Forms::default();
        let mut worded = Vec::new();
        let around = root.spot("vars");
        for Entry { name, value, .. } in root.keys.map("vars") {
            let spot = around.at(value.span);
            let Data::Map(entries) = &value.data else {
                let message = format!("`{name}` has a form that is no map");
                let help = "write a map with the keys of `#[var(..)]`";
                self.faults.add(spot, Code::InvalidValue, message, help);
                continue;
            };
            if forms.contains_key(name) {
                let help = "keep one of them, or call a second form of one value by another name, with `of`";
                let problem = Problem {
                    help: help.to_owned(),
                    ..book::twice(name)
                };
                self.faults.report(spot, problem);
                continue;
            }
            let mut keys = Keys::read(entries.clone(), Holder::FileVar, spot, &mut self.faults);
            keys.check(Holder::FileVar, spot, &mut self.faults);
            let of = ValuePath::from(keys.text("of").unwrap_or(name));
            let problem = self.names.look_up(&of, true);
            self.report(spot, problem);
            self.check_form(&keys, &of, around);
            let form = Form {
                name: name.clone(),
                span: value.span,
                of: keys.has("of").then(|| of.clone()),
                ..Form::of(&keys)
            };
            forms.insert(name.clone(), form);
            worded.push((name, keys, of));
        }
        // Texts of values know all names: one that another has, too.
        self.tree = Arc::new(Tree {
            forms: forms.clone(),
            ..Tree::default()
        });
        for (name, keys, of) in worded {
            let wording = self.wording(&keys, &of, around);
            if let Some(form) = forms.get_mut(name) {
                form.wording = wording;
            }
        }
        forms
    }

    fn wording(&mut self, keys: &Keys, of: &ValuePath, around: Spot<'_>) -> Wording {
        let of_item = Local {
            names: &ITEM_NAMES,
            list: Some(of),
        };
        let mut template = |name: &str, local| {
            let source = keys.text(name)?;
            let spot = keys.spot(name, around);
            let parsed = self.parse(source, Place::Template, &[], local, spot);
            Some(parsed.elements)
        };
        let flag = FLAG.map(|key| template(key, Local::default()));
        let has_flag = flag.iter().any(Option::is_some);
        Wording {
            flag: has_flag.then(|| flag.map(Option::unwrap_or_default)),
            some: template("some", Local::default()),
            default: template("default", Local::default()),
            list: keys.has_any(&LIST).then(|| ListWording {
                item: template("item", of_item),
                join: lower::with_line_feeds(keys.text("join").unwrap_or("\n")).into(),
                last: keys
                    .text("last")
                    .map(|last| lower::with_line_feeds(last).into()),
            }),
        }
    }

    /// Reports what is wrong with the keys of a form.
    fn check_form(&mut self, keys: &Keys, of: &ValuePath, around: Spot<'_>) {
        let spot = |name: &str| keys.spot(name, around);
        let values = self.names.values.clone();
        let values = values.as_deref();
        for key in ["join", "last"] {
            let is_value = |name: &str| values.is_some_and(|it| it.get(name).is_some());
            if let Some(text) = keys.text(key) {
                self.report(spot(key), lower::not_literal(text, key, is_value));
            }
        }
        if keys.has("more") && !keys.has("max") {
            self.faults.report(spot("more"), lower::idle_more());
        }
        if let Some(default) = keys.text("default") {
            self.report(spot("default"), lower::blank_default(default));
        }
        if let Some(some) = keys.text("some") {
            self.report(spot("some"), lower::some_shows(some.matches("{}").count()));
        }
        let value = values.and_then(|values| values.get(&of.name)?.reach(&of.path));
        let Some(value) = value.filter(|value| **value != Value::Null) else {
            return;
        };
        let mut list = LIST.into_iter();
        let mut flag = FLAG.into_iter();
        if !value.is_list()
            && !keys.has("json")
            && let Some(key) = list.find(|key| keys.has(key))
        {
            self.faults.report(spot(key), rules::no_list(key));
        } else if !matches!(value, Value::Bool(_))
            && let Some(key) = flag.find(|key| keys.text(key).is_some())
        {
            self.faults.report(spot(key), rules::no_flag(key));
        }
    }

    /// Reports what is wrong with forms where texts use them, each once in a tree.
    pub(super) fn report_worded(&mut self, faults: &[(String, Problem)]) {
        let tree = Arc::clone(&self.tree);
        for (name, problem) in faults {
            let is_new = self.worded.insert((name.clone(), problem.message.clone()));
            if let Some(form) = tree.forms.get(name).filter(|_| is_new) {
                let spot = Spot::new("", "vars", form.span);
                self.faults.report(spot, problem.clone());
            }
        }
    }

    /// Says which forms of values no text of the tree uses.
    pub(super) fn say_unused(&mut self, root: &mut DynamicNode) {
        let (tree, used) = (Arc::clone(&self.tree), std::mem::take(&mut self.used));
        for name in tree.forms.keys().filter(|name| !used.contains(*name)) {
            self.tell(root.spot("vars"), rules::unused(name), true);
        }
        for hint in &mut self.hints {
            hint.section = "".into();
        }
        if let Some(built) = root.built.as_mut().and_then(Arc::get_mut) {
            built.info.hints.to_mut().append(&mut self.hints);
        }
    }
}

impl Form {
    /// What needs no template.
    fn of(keys: &Keys) -> Self {
        let json = keys.get("json").and_then(|json| match &json.data {
            Data::Bool(true) => Some(Layout::Line),
            Data::Text(_) => Some(Layout::Indented(2)),
            Data::Number(_) => json.number().map(Layout::Indented),
            _ => None,
        });
        let hang = keys.get("hang");
        let hang = hang.map_or(Hang::None, |hang| {
            hang.number().map_or(Hang::First, Hang::Column)
        });
        let whole = [
            (keys.has_any(&FLAG), "yes"),
            (json.is_some(), "json"),
            (keys.has("item"), "item"),
        ];
        let whole = whole.into_iter().find(|(is_set, _)| *is_set);
        Self {
            json,
            without_spec: whole.map(|(_, key)| key),
            cut: Cut {
                trim: keys.flag("trim"),
                max: keys.number("max"),
                more: lower::with_line_feeds(keys.text("more").unwrap_or_default()).into(),
            },
            treatment: ValueTreatment {
                raw: keys.flag("raw"),
                untrusted: keys.flag("untrusted"),
                hang,
            },
            description: keys.text("description").map(str::to_owned),
            ..Self::default()
        }
    }
}

//! How values print in the whole tree: the entries of `vars`.

use super::{
    bound::ValuePath,
    fault::Spot,
    given::{Data, Entry},
    keys::Keys,
    node::{DynamicNode, Located},
    parser::{Local, Parser},
    scope::{Cut, Form, Forms, Layout, ListForm, Template},
};
use crate::node::{Hang, Hint, ValueTreatment};
use prompt_syntax::{
    Code, ITEM_NAMES, Place, Problem, Tables,
    book::{self, Holder, rules},
    lower,
};
use std::{collections::BTreeMap, sync::Arc};

impl Parser {
    /// The forms of values: `vars` of the root.
    pub(super) fn forms(&mut self, root: Located<'_>) -> Forms {
        let mut forms = Forms::default();
        let around = root.spot("vars");
        for Entry { name, value, .. } in root.node.keys.map("vars") {
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
            let form = Form {
                name: name.clone(),
                ..self.form(&keys, &of, around)
            };
            forms.insert(name.clone(), Arc::new(form));
        }
        forms
    }

    fn form(&mut self, keys: &Keys, of: &ValuePath, around: Spot<'_>) -> Form {
        let of_item = Local {
            names: &ITEM_NAMES,
            list: Some(of),
        };
        let spot = |name: &str| keys.get(name).map(|given| around.at(given.span));
        let mut template = |name: &str, local| {
            let (source, spot) = (keys.text(name)?, spot(name)?);
            Some(self.template(source, spot, local))
        };
        let form = Form {
            of: keys.has("of").then(|| of.clone()),
            default: template("default", Local::NONE),
            yes: template("yes", Local::NONE),
            no: template("no", Local::NONE),
            list: keys.has_any(&["item", "join", "last"]).then(|| ListForm {
                item: template("item", of_item),
                join: keys.text("join").unwrap_or("\n").to_owned(),
                last: keys.text("last").map(str::to_owned),
            }),
            ..Form::of(keys)
        };
        let values = self.names.values.clone();
        for key in ["join", "last"] {
            let is_value = |name: &str| values.as_ref().is_some_and(|it| it.get(name).is_some());
            let problem = keys.text(key).zip(spot(key));
            if let Some((text, spot)) = problem {
                self.report(spot, lower::not_literal(text, key, is_value));
            }
        }
        if let (Some(spot), false) = (spot("more"), keys.has("max")) {
            self.faults.report(spot, lower::idle_more());
        }
        if let (Some(default), Some(spot)) = (keys.text("default"), spot("default")) {
            self.report(spot, lower::blank_default(default));
        }
        if let (Some(some), Some(spot)) = (keys.text("some"), spot("some")) {
            self.report(spot, lower::some_shows(some.matches("{}").count()));
        }
        let some = keys.text("some").zip(spot("some")).map(|(some, spot)| {
            let (before, after) = some.split_once("{}").unwrap_or((some, ""));
            let mut half = |text| self.template(text, spot, Local::NONE);
            (half(before), half(after))
        });
        Form { some, ..form }
    }

    /// A template with tables of its own.
    fn template(&mut self, source: &str, spot: Spot<'_>, local: Local<'_>) -> Template {
        let parsed = self.parse(source, Place::Template, &[], local, spot);
        let mut tables = Tables::new(&[]);
        let text = tables.text(parsed.elements, &[], usize::from(local.list.is_some()));
        if let Some(problem) = tables.problem() {
            self.faults.report(spot, problem);
        }
        Template {
            text,
            sources: self.sources(&tables, &BTreeMap::new()),
        }
    }

    /// Says which forms of values no text of the tree uses.
    pub(super) fn say_unused(&mut self, root: &mut DynamicNode) {
        let tree = Arc::clone(&self.tree);
        let mut hints = Vec::new();
        for name in tree.forms.keys().filter(|name| !self.used.contains(*name)) {
            let (node, path) = (&*root, "");
            let spot = Located { node, path }.spot("vars");
            if self.deny.contains(&Code::UnusedVariable) {
                self.faults.report(spot, rules::unused(name));
            } else {
                hints.push(Hint::from(&spot.problem(rules::unused(name))));
            }
        }
        if let Some(built) = root.built.as_mut().and_then(Arc::get_mut) {
            built.info.hints.to_mut().extend(hints);
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
        Self {
            json,
            cut: Cut {
                trim: keys.flag("trim"),
                max: keys.number("max"),
                more: keys.text("more").unwrap_or_default().to_owned(),
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

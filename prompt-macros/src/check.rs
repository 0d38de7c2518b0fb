//! The rules that a model must keep, one function each. Rules about prompt text, and those that files keep too, are in
//! `prompt_syntax`, rules about the values of attribute keys in `input`.

use crate::{
    diagnostic::Errors,
    input::{Body, FieldRole, Input, named::Named, var::OF_ITEMS},
    model::{
        Model, Node,
        form::Missed,
        kind::{Kind, ORDER_CHANGES},
    },
};
use prompt_syntax::{Code, book::rules, lower};
use syn::ext::IdentExt;

/// Checks all rules.
pub(crate) fn check(input: &Input, model: &Model<'_>, errors: &mut Errors) {
    for body in &input.bodies {
        names(body, errors);
        keys_of_variables(body, errors);
        hashed(body, errors);
        list_keys(body, errors);
        keys_of_items(body, errors);
        empty_unit(body, errors);
        values_as_sections(body, errors);
    }
    for node in &model.nodes {
        missed(node, errors);
        levels(node, errors);
        unused_variables(node, errors);
    }
}

/// A name is a section or an entry of `vars`, not both: a text could mean either. The keys of a variable whose place an
/// entry takes say nothing.
fn names(body: &Body, errors: &mut Errors) {
    for field in &body.fields {
        let is_it = |named: &&Named| field.name.as_ref() == Some(&named.name.unraw().to_string());
        let Some(entry) = body.container.vars.iter().find(is_it) else {
            continue;
        };
        let name = &entry.name;
        match &field.role {
            FieldRole::Section(_) => {
                let fact = format!("`{}` is a section already", name.unraw());
                let help = "choose another name in `vars`";
                errors.add(Code::ConflictingAttributes, name.span(), fact, help);
            }
            FieldRole::Variable(keys) if !keys.is_silent() => {
                let fact = format!(
                    "`var` has no effect here: the entry `{name}` of `vars` stands for this field"
                );
                let help = "write the keys behind the entry: `vars(name = &self.name, { .. })`";
                errors.add(Code::InvalidValue, field.span, fact, help);
            }
            FieldRole::Variable(_) => {}
        }
    }
}

/// `more` stands where `max` took characters away; what is printed for an absent value has words.
fn keys_of_variables(body: &Body, errors: &mut Errors) {
    let fields = body.fields.iter().filter_map(|field| match &field.role {
        FieldRole::Variable(keys) => Some(&**keys),
        FieldRole::Section(_) => None,
    });
    let entries = body.container.vars.iter().map(|named| &named.keys);
    for keys in fields.chain(entries) {
        if let (None, Some((_, span))) = (&keys.max, keys.said.first(&["more"])) {
            errors.report(span, lower::idle_more());
        }
        if let Some(default) = &keys.default
            && let Some(problem) = lower::blank_default(&default.value())
        {
            errors.report(default.span(), problem);
        }
    }
}

/// The order of a `HashMap` or `HashSet` changes from run to run, so neither is printed.
fn hashed(body: &Body, errors: &mut Errors) {
    for field in &body.fields {
        let (printed, help) = match &field.role {
            // A map prints entries, which say how in `item`.
            FieldRole::Variable(keys)
                if crate::model::kind::is_map(&field.ty)
                    && keys.item.is_none()
                    && keys.join.is_some() =>
            {
                (true, ENTRIES)
            }
            FieldRole::Variable(keys) => (!keys.is_silent() && keys.with.is_none(), SORT),
            // A section takes no function that could sort it.
            FieldRole::Section(_) => (true, "use `BTreeMap` or `BTreeSet`"),
        };
        if printed && Kind::of_list(&field.ty) == Kind::Hashed {
            errors.add(Code::InvalidValue, field.span, ORDER_CHANGES, help);
        }
    }
}

const ENTRIES: &str =
    "use `BTreeMap`, and say how an entry prints: `item = \"{item.0}: {item.1}\"`";
const SORT: &str = "use `BTreeMap` or `BTreeSet`, or sort it: `#[var(with = path)]`";

/// `item`, `join` and `last` are for lists, `yes` and `no` for what is true or false.
fn list_keys(body: &Body, errors: &mut Errors) {
    for field in &body.fields {
        let said = match &field.role {
            FieldRole::Variable(keys) => &keys.said,
            FieldRole::Section(keys) => &keys.said,
        };
        let is_no_list = Kind::of_list(&field.ty).is_no_list();
        if let Some((key, span)) = said.first(&OF_ITEMS).filter(|_| is_no_list) {
            errors.report(span, rules::no_list(key));
        }
        let is_flag = !matches!(Kind::of_list(&field.ty), Kind::Text | Kind::List { .. });
        if let Some((key, span)) = said.first(&["yes", "no"]).filter(|_| !is_flag) {
            errors.report(span, rules::no_flag(key));
        }
    }
}

/// What is said of each item needs items that stand each for itself, and `untitled_items` such that have headings.
fn keys_of_items(body: &Body, errors: &mut Errors) {
    for (field, keys) in body.sections() {
        let kind = Kind::of_list(&field.ty);
        let is_no_list = kind.is_no_list();
        let is_whole = keys.item.is_some() && !keys.names_items();
        let has_no_headings = is_whole || kind == Kind::List { of_text: true };
        let all = ["item_title", "item_key", "item_tag", "untitled_items"];
        for (key, span) in all.into_iter().filter_map(|key| keys.said.first(&[key])) {
            let (why, help) = match key {
                _ if is_no_list => ("this is no list", "remove it"),
                "untitled_items" if has_no_headings => (
                    "the items have no headings",
                    "remove it; `untitled` leaves out the heading of the list",
                ),
                _ => continue,
            };
            let fact = format!("`{key}` has no effect here: {why}");
            errors.add(Code::InvalidValue, span, fact, help);
        }
    }
}

/// `()` is never empty: it has nothing that could be absent.
fn empty_unit(body: &Body, errors: &mut Errors) {
    for (field, keys) in body.sections() {
        if let (Kind::Unit, Some(words)) = (Kind::of(&field.ty), &keys.empty) {
            let fact = "`empty` has no effect here: `()` is never empty";
            let help = "remove it, or write two sections with `when`";
            errors.add(Code::InvalidValue, words.span(), fact, help);
        }
    }
}

/// A number or a `bool` is a value, not a section.
fn values_as_sections(body: &Body, errors: &mut Errors) {
    for (field, keys) in body.sections() {
        let kind = Kind::of(crate::model::kind::inner(&field.ty));
        if kind == Kind::Scalar && keys.item.is_none() {
            let fact = "a number, `bool` or `char` cannot be a section";
            let help = match &field.name {
                Some(name) => {
                    format!("print it as a variable: `{{{name}}}` in a text, without `#[section]`")
                }
                None => "print it as a variable: `#[prompt(vars(name = self.0))]`".to_owned(),
            };
            errors.add(Code::UnsupportedInput, field.span, fact, help);
        }
    }
}

/// An `Option` that a text prints says what it prints when it is absent, and a list how its items are joined; each once.
fn missed(node: &Node<'_>, errors: &mut Errors) {
    let mut found: Vec<&str> = Vec::new();
    // Perhaps it is asked, by a condition that is written wrong.
    let may_be_asked = errors.has_broken_condition();
    for (variable, info) in node.uses.variables.iter().zip(&*node.info.variables) {
        let name = info.source.split(':').next().unwrap_or_default();
        if found.contains(&name) || !variable.is_printed {
            continue;
        }
        let (code, fact, help) = match variable.missed {
            Some(Missed::Default) if !may_be_asked => (
                Code::MissingDefault,
                format!("`{name}` is an `Option`: nothing says what an absent one prints"),
                format!(
                    "add `#[var(default = \"..\")]`, or `#[var(some = \"..{{}}..\")]` to print nothing, or ask first: `{{?{name}}}`"
                ),
            ),
            Some(Missed::Join) => (
                Code::MissingJoin,
                format!("`{name}` is a list: nothing says how its items are joined"),
                "add `#[var(join = \", \")]`, or `#[var(item = \"- {item}\")]` for one per line"
                    .to_owned(),
            ),
            Some(Missed::Order) => (
                Code::InvalidValue,
                ORDER_CHANGES.to_owned(),
                SORT.to_owned(),
            ),
            _ => continue,
        };
        found.push(name);
        errors.add(code, variable.span, fact, help);
    }
}

/// The headings of this type end at level six; those of its sections' types are looked at by the compiler.
fn levels(node: &Node<'_>, errors: &mut Errors) {
    for section in node.sections.iter().filter(|section| section.reached() > 6) {
        let fact = format!(
            "section `{}` reaches heading level {}, and level 6 is the last one",
            section.info.key,
            section.reached()
        );
        let help = if section.has_heading() {
            "use fewer levels above it, or `untitled`"
        } else {
            "use fewer levels above it"
        };
        errors.add(Code::HeadingLevel, section.field.span, fact, help);
    }
}

/// `deny(unused_variable)`: an entry of `vars` stands in some text.
fn unused_variables(node: &Node<'_>, errors: &mut Errors) {
    if !node.deny.contains(&Code::UnusedVariable) {
        return;
    }
    for (name, _) in &node.unused {
        errors.report(name.span(), rules::unused(&name.value()));
    }
}

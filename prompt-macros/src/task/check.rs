//! The rules of a task enum, one function each.

use super::{
    mistake,
    model::{Name, TaskModel},
    name::is_key,
};
use darling::{Error, error::Accumulator};
use prompt_syntax::nearest;
use std::fmt::Display;
use syn::Fields;

pub(super) fn check(model: &TaskModel, errors: &mut Accumulator) {
    check_unit_variants(model, errors);
    check_names(model, errors);
    check_unique_names(model, errors);
    check_unique_categories(model, errors);
    check_known_categories(model, errors);
    check_categories_are_no_tasks(model, errors);
}

/// A task is a name and nothing else, so a variant has no fields.
fn check_unit_variants(model: &TaskModel, errors: &mut Accumulator) {
    for task in &model.tasks {
        let span = match &task.fields {
            Fields::Unit => continue,
            Fields::Named(fields) => fields.brace_token.span.join(),
            Fields::Unnamed(fields) => fields.paren_token.span.join(),
        };
        let fact = format_args!("the task `{}` has fields", task.ident);
        let help = "a task is a name only: pass what differs from call to call in the texts or the `AdapterContext`";
        errors.push(mistake(fact, help).with_span(&span));
    }
}

/// Names of tasks and categories are keys, so that they stand in JSON, TOML and paths alike.
fn check_names(model: &TaskModel, errors: &mut Accumulator) {
    let tasks = model.tasks.iter().map(|task| &task.name);
    let named = model
        .tasks
        .iter()
        .filter_map(|task| task.category.as_ref())
        .filter(|_| !model.closed);
    let declared = model.categories.iter().filter(|_| model.closed);
    for name in tasks
        .chain(named)
        .chain(declared)
        .filter(|name| !is_key(&name.text))
    {
        let fact = format_args!("`{}` is not a legal name", name.text);
        let help = "use 1 to 64 of `a-z`, `0-9`, `_` and `-`, and begin with a letter or digit";
        errors.push(at(name, fact, help));
    }
}

/// Two tasks of one name could not be told apart.
fn check_unique_names(model: &TaskModel, errors: &mut Accumulator) {
    for (index, task) in model.tasks.iter().enumerate() {
        let earlier = model
            .tasks
            .iter()
            .take(index)
            .find(|earlier| earlier.name.text == task.name.text);
        if let Some(earlier) = earlier {
            let fact = format_args!(
                "two tasks are named `{}`: `{}` and `{}`",
                task.name.text, earlier.ident, task.ident
            );
            errors.push(at(
                &task.name,
                fact,
                "give one of them another `#[task(name = \"..\")]`",
            ));
        }
    }
}

/// A declared category stands in the list once.
fn check_unique_categories(model: &TaskModel, errors: &mut Accumulator) {
    for (index, category) in model.categories.iter().enumerate() {
        if model
            .categories
            .iter()
            .take(index)
            .any(|earlier| earlier.text == category.text)
        {
            errors.push(at(
                category,
                format_args!("the category `{}` stands twice", category.text),
                "keep one of them",
            ));
        }
    }
}

/// Where the enum declares its categories, a variant names one of them.
fn check_known_categories(model: &TaskModel, errors: &mut Accumulator) {
    let known = || {
        model
            .categories
            .iter()
            .map(|category| category.text.as_str())
    };
    for category in model.tasks.iter().filter_map(|task| task.category.as_ref()) {
        if known().any(|name| name == category.text) {
            continue;
        }
        let fact = format_args!("unknown category `{}`", category.text);
        errors.push(match nearest(&category.text, known()) {
            Some(meant) => at(category, fact, format_args!("did you mean `{meant}`?")),
            None => at(category, fact, "add it to the `categories` of the enum"),
        });
    }
}

/// One entry of a config would otherwise speak for a task and for a whole category.
fn check_categories_are_no_tasks(model: &TaskModel, errors: &mut Accumulator) {
    for category in &model.categories {
        if let Some(task) = model
            .tasks
            .iter()
            .find(|task| task.name.text == category.text)
        {
            let fact = format_args!(
                "the category `{}` has the name of the task `{}`",
                category.text, task.ident
            );
            errors.push(at(
                category,
                fact,
                "rename one of them: a config has one entry per name",
            ));
        }
    }
}

fn at(name: &Name, fact: impl Display, help: impl Display) -> Error {
    mistake(fact, help).with_span(&name.span)
}
